#ifndef PAVANE_PARSE_LINKS_H
#define PAVANE_PARSE_LINKS_H

#include <stdint.h>

#include "base/buf.h"
#include "parse/charset.h"
#include "parse/link_attribute.h"
#include "parse/rel.h"
#include "parse/robots_words.h"
#include "parse/tdm.h"

/* The links of a page, or of a style sheet, in the order in which they stand
 * there, and what the page says of itself: its base, its encoding, what it asks
 * of robots.
 *
 * Reading takes one pass and, beside the links themselves, no memory; only a
 * page in an encoding such as UTF-16 is converted as a whole before. Both have
 * a ceiling, and what lies beyond it is left out with a word. The links are
 * pieces of the page, which must live as long as they are used; to be joined
 * they go to a pv_joiner.
 */

/* How an address is written, and is to be read and rewritten. */
enum pv_link_form {
	PV_FORM_ATTRIBUTE, /* with character references */
	PV_FORM_SHEET,     /* with the escapes of CSS */
	PV_FORM_STYLE,     /* with both */
};

struct pv_page_link {
	struct pv_str value; /* a piece of the text, as it stands there */
	const struct pv_link_attribute *place; /* NULL: in a sheet */
	enum pv_link_form form;
	bool is_page;     /* else it is a resource */
	bool may_be_page; /* a resource which may be a page as well */
	bool is_ahead;    /* a page, though it stands among the resources */
	bool is_nofollow;
	bool is_mention;   /* only where those are taken */
	bool is_inlaid;    /* in a page that an attribute holds: references
			      are read twice */
	bool is_plain;     /* it is read and written as it stands */
	uint32_t page_len; /* of a plain one up to its fragment */
	uint32_t first;    /* the first link that says the same but for that
			      (link_twins.h); itself, if there is none */
};

/* An attribute that lets a browser use what some links lead to only under a
 * condition, which a copy of it may not meet: integrity, crossorigin; and what
 * they are called while they are off. */
struct pv_link_guard {
	struct pv_str name; /* a piece of the text */
	size_t first_link;  /* of those that it stands beside ... */
	size_t end_link;    /* ... up to before this one */
};

/* So many are compared with those that come. */
#define PV_LINKS_LATELY ((size_t)1 << 10)

/* The attribute by which a page tells browsers what it may be made of
 * (Content-Security-Policy): from where it came, which a copy of it does not.
 * So many are noticed, off or not. */
#define PV_LINKS_POLICIES_MAX 16

enum pv_links_end {
	PV_LINKS_WHOLE,
	PV_LINKS_MANY,  /* there are more than were kept */
	PV_LINKS_LARGE, /* the text was cut before it was read */
};

struct pv_links {
	struct pv_str text; /* the page, or what it was converted to */
	bool is_converted;
	struct pv_charset charset;
	struct pv_page_link *items;
	size_t count;
	struct pv_link_guard *guards;
	size_t guard_count;
	struct pv_str policies[PV_LINKS_POLICIES_MAX]; /* the names */
	size_t policy_count;
	struct pv_str base; /* its href; ptr is NULL if there is none */
	struct pv_robots_words robots;
	struct pv_tdm tdm;
	enum pv_links_end end;

	bool takes_mentions; /* the caller's: addresses that nobody asks for by
				himself, too: of forms, of who is to be talked
				to */
	size_t size;
	size_t guard_size;
	size_t links_max;
	struct pv_buf converted;
	struct pv_buf scratch;
	struct pv_buf style; /* one that has references */
	struct pv_buf inlay; /* one that has them */
	uint32_t lately[PV_LINKS_LATELY];
};

/* What else is known of a page. */
struct pv_page_facts {
	struct pv_str charset; /* that its header named, or empty */
	struct pv_str product; /* our name to robots, beside "pavane" */
	bool is_xml;           /* it is XHTML, as its type says */
};

/* At most so many links, and so many bytes where a page must be converted. */
void pv_links_init(struct pv_links *links, size_t links_max, size_t text_max);
void pv_links_finish(struct pv_links *links);

/* Reads a page, forgetting the one before. */
void pv_links_read(struct pv_links *links, struct pv_str page,
    const struct pv_page_facts *facts);

/* The same for a style sheet, all of whose links lead to resources. */
void pv_links_read_sheet(struct pv_links *links, struct pv_str sheet,
    const struct pv_page_facts *facts);

/* "whole", "too many links" or "too large". */
const char *pv_links_word(enum pv_links_end end);

/* What a plain link says, up to its fragment. */
static inline struct pv_str pv_page_link_page(const struct pv_page_link *link)
{
	return pv_str_head(link->value, link->page_len);
}

/* Where a link begins in links->text. */
static inline size_t pv_page_link_start(
    const struct pv_links *links, const struct pv_page_link *link)
{
	return (size_t)(link->value.ptr - links->text.ptr);
}

#endif
