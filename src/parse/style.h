#ifndef PAVANE_PARSE_STYLE_H
#define PAVANE_PARSE_STYLE_H

#include "parse/css.h"
#include "parse/plain_value.h"

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
