#ifndef PAVANE_PARSE_CSS_H
#define PAVANE_PARSE_CSS_H

#include "parse/css_tokenizer.h"
#include "parse/plain_value.h"

/* The links of a style sheet, or of a style attribute: what `@import` names,
 * and what url(), src() and the strings of image-set() name, wherever in a
 * block or a value they stand.
 *
 * No link is what a rule says before its block or semicolon, but for @import:
 * a namespace is called by an address that nobody asks for, and @supports and
 * @document only compare. Nor is an address that is empty, or a fragment alone,
 * which means a part of the page that uses the sheet. An @import that stands
 * too late for a browser is read all the same.
 */
struct pv_css {
	struct pv_css_tokenizer tokenizer;
	enum pv_css_place {
		PV_CSS_IN_VALUE,
		PV_CSS_IN_IMPORT, /* the address comes next */
		PV_CSS_IN_RULE,   /* what stands there is no link */
	} place;
	bool is_address_next; /* behind "url(" or "src(" */
	size_t set_depth;     /* parentheses since image-set; 0 outside */
};

/* `encoding` is the text's; NULL where nobody knows it. */
void pv_css_init(
    struct pv_css *css, struct pv_str text, const struct pv_encoding *encoding);

/* The next link, a piece of the text, escapes unread; false after the last. */
bool pv_css_next(struct pv_css *css, struct pv_str *address);

/* The links of a style attribute: CSS between whose characters references may
 * stand ("url(&quot;a.png&quot;)"). Each is given by its place in the page, as
 * it stands there: to be known, first its references are to be read, then its
 * escapes.
 */
struct pv_style {
	struct pv_css css;
	struct pv_plain_value value;
};

/* Begins with a value, of a page in that encoding (NULL: unknown). Where it has
 * references they are read into the scratch buffer, which must live as long as
 * the style; if that may not grow so far (scratch->is_full), there are no
 * links. */
void pv_style_init(struct pv_style *style, struct pv_str value,
    const struct pv_encoding *encoding, struct pv_buf *scratch);

/* The next link, a piece of the value; false after the last. */
bool pv_style_next(struct pv_style *style, struct pv_str *address);

#endif
