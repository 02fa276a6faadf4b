#ifndef PAVANE_PARSE_CHARSET_H
#define PAVANE_PARSE_CHARSET_H

#include "url/encoding.h"

/* Which encoding a page is written in: by its byte order mark, else by the
 * header that came with it, else by what it says of itself in its first 1024
 * bytes (https://html.spec.whatwg.org/#determining-the-character-encoding).
 * A label that nobody knows is as good as none.
 */
enum pv_charset_source {
	PV_CHARSET_UNKNOWN,
	PV_CHARSET_MARK,   /* byte order mark */
	PV_CHARSET_HEADER, /* Content-Type */
	PV_CHARSET_META,   /* the page itself */
	PV_CHARSET_USUAL,  /* nobody */
};

struct pv_charset {
	const struct pv_encoding *encoding; /* NULL: unknown */
	enum pv_charset_source source;
};

/* `label` is the header's charset, or empty. */
struct pv_charset pv_charset_find(struct pv_str page, struct pv_str label);

/* The same for a style sheet, whose `@charset "...";` stands at its very
 * beginning, and which is UTF-8 where nobody says anything
 * (https://drafts.csswg.org/css-syntax/#input-byte-stream). */
struct pv_charset pv_charset_find_of_sheet(
    struct pv_str sheet, struct pv_str label);

/* The same for XML, whose declaration tells, and which is UTF-8 where nobody
 * says anything (RFC 7303, 3). */
struct pv_charset pv_charset_find_of_xml(
    struct pv_str file, struct pv_str label);

/* The label in the XML declaration that a file begins with, where it stands
 * there; its ptr is NULL if there is none
 * (https://html.spec.whatwg.org/#concept-get-xml-encoding-when-sniffing). */
struct pv_str pv_charset_declared(struct pv_str file);

/* The charset that a Content-Type names, in a header or in a page; empty if
 * it names none. */
struct pv_str pv_charset_label(struct pv_str content_type);

/* The encoding that a page means by a label that it has in itself: since the
 * label could be read, it is not UTF-16. NULL if nobody knows it. */
const struct pv_encoding *pv_charset_of_meta(struct pv_str label);

#endif
