#ifndef PAVANE_PARSE_XML_H
#define PAVANE_PARSE_XML_H

#include <stdbool.h>

#include "base/str.h"

/* XML with namespaces (libxml2), heard as it is read: where elements begin and
 * end, and the text of those whose text somebody wants.
 *
 * There are no DTDs here: at a DOCTYPE the reading ends, so there are no
 * entities but the five that XML has by itself, and nothing that a document
 * names is ever fetched. What is damaged is put up with: the reading goes on
 * behind it, and the callbacks learn which tag and which text are not to be
 * trusted. Time grows with the bytes alone, and memory with the bytes and these
 * ceilings. Nothing is shared with other threads.
 */
#define PV_XML_BYTES_MAX ((size_t)50 << 20)
#define PV_XML_TEXT_MAX ((size_t)64 << 10) /* of an element */
#define PV_XML_DEPTH_MAX 256
#define PV_XML_SPACES_MAX 64 /* declared around one element */

/* The namespaces of XML whose elements are anything to us, by their names; in
 * a name it does not matter whether it says http or https, or ends in a slash:
 * people do not write that with care. */
enum pv_xml_space {
	PV_SPACE_NONE,    /* in no namespace */
	PV_SPACE_SITEMAP, /* 0.9, and Google's 0.84 before it */
	PV_SPACE_RSS,     /* 0.90 and 1.0; 0.91, 0.92 and 2.0 are in none */
	PV_SPACE_RDF,
	PV_SPACE_ATOM,
	PV_SPACE_DC, /* Dublin Core, of which feeds take dates */
	PV_SPACE_XML,
	PV_SPACE_OTHER,
};

enum pv_xml_end {
	PV_XML_WHOLE,
	PV_XML_BROKEN,  /* breaks off, is damaged somewhere, or too dear */
	PV_XML_LARGE,   /* there are more bytes than were read */
	PV_XML_DOCTYPE, /* has one */
	PV_XML_STOPPED, /* by who heard it */
};

struct pv_xml_tag {
	enum pv_xml_space space;
	struct pv_str name; /* without prefix */
	unsigned depth;     /* 1 for the root */
	bool is_damaged;

	const unsigned char **attributes; /* as libxml2 has them */
	const unsigned char **spaces;
	unsigned attribute_count;
	unsigned space_count;
};

/* The value of an attribute, borrowed from the tag; ptr is NULL if there is
 * none, or it could not be decoded. */
struct pv_str pv_xml_get(
    const struct pv_xml_tag *tag, enum pv_xml_space space, struct pv_str name);

/* Whether the tag itself declares that namespace. */
bool pv_xml_declares(const struct pv_xml_tag *tag, enum pv_xml_space space);

enum pv_xml_wish {
	PV_XML_GO_ON,
	PV_XML_WANT_TEXT, /* of this element, at its end */
	PV_XML_STOP,
};

/* The text of an element without white space around it, borrowed for the
 * call. */
struct pv_xml_text {
	struct pv_str str;
	bool is_whole; /* else it is damaged, longer than its ceiling, or has
			  elements within */
};

struct pv_xml_hearer {
	enum pv_xml_wish (*on_start)(void *ctx, const struct pv_xml_tag *tag);

	/* At the end of an element of that depth, with its text if that was
	 * wanted. False if no more is to be heard. An element that breaks off
	 * has no end. */
	bool (*on_end)(
	    void *ctx, unsigned depth, const struct pv_xml_text *text);

	void *ctx;
};

/* Reads a document whose Content-Type named that charset, or an empty one: it
 * goes before what the document says of itself, a byte order mark before both
 * (RFC 7303, 3). White space before the document is put up with. */
enum pv_xml_end pv_xml_read(struct pv_str file, struct pv_str charset,
    const struct pv_xml_hearer *hearer);

#endif
