#ifndef PAVANE_PARSE_FOREIGN_H
#define PAVANE_PARSE_FOREIGN_H

#include <stdbool.h>

#include "base/str.h"

/* Drawings and formulas within a page: where the rules of HTML rest.
 *
 * Within svg and math a script is not read as a script, an element may end
 * itself, and "<![CDATA[" means something; within a drawing's foreignObject
 * or a formula's text HTML begins again; and some tags of HTML end it all
 * (https://html.spec.whatwg.org/#parsing-main-inforeign). We follow these few
 * elements only, not the whole tree, which is enough where they are closed in
 * the order in which they were opened.
 */
#define PV_FOREIGN_DEPTH_MAX 32 /* what is deeper counts as its parent */

struct pv_foreign {
	size_t depth;
	struct pv_str open[PV_FOREIGN_DEPTH_MAX]; /* names, of the page's */
};

/* Whether what comes next is not HTML. */
bool pv_foreign_is_inside(const struct pv_foreign *foreign);

/* Whether it is a drawing, where links are as in HTML. */
bool pv_foreign_is_drawing(const struct pv_foreign *foreign);

/* A start tag begins, which may end what is foreign. */
void pv_foreign_meet(struct pv_foreign *foreign, struct pv_str name);

/* A start tag has ended, which may begin what is foreign. */
void pv_foreign_open(
    struct pv_foreign *foreign, struct pv_str name, bool is_self_closing);

/* An end tag. */
void pv_foreign_close(struct pv_foreign *foreign, struct pv_str name);

#endif
