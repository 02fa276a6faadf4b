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
	struct pv_foreign_element {
		struct pv_str name; /* a piece of the page */
		bool is_html;       /* HTML begins again in it */
		bool has_html;      /* and a tag of HTML has come */
	} open[PV_FOREIGN_DEPTH_MAX];
	bool is_answered; /* of the tag that was met last */
};

/* Whether what comes next is not HTML. */
bool pv_foreign_is_inside(const struct pv_foreign *foreign);

/* Whether "<![CDATA[" means something there: HTML begins again with its first
 * tag, not before. */
bool pv_foreign_has_cdata(const struct pv_foreign *foreign);

/* Whether it depends on its attributes what a tag means, and whether one of
 * them says so: a font that has a colour is HTML, and annotations in HTML hold
 * HTML. */
bool pv_foreign_is_open_question(struct pv_str name);
bool pv_foreign_is_answer(
    struct pv_str name, struct pv_str attribute, struct pv_str value);

/* Whether it is a drawing, where links are as in HTML. */
bool pv_foreign_is_drawing(const struct pv_foreign *foreign);

/* A start tag begins, which may end what is foreign; `is_answered` if one of
 * its attributes is an answer. */
void pv_foreign_meet(
    struct pv_foreign *foreign, struct pv_str name, bool is_answered);

/* A start tag has ended, which may begin what is foreign. */
void pv_foreign_open(
    struct pv_foreign *foreign, struct pv_str name, bool is_self_closing);

/* An end tag. */
void pv_foreign_close(struct pv_foreign *foreign, struct pv_str name);

/* What the links of a drawing are called: "xlink:href", or in XML whatever
 * stands for xlink there ("xmlns:l='http://www.w3.org/1999/xlink'", and
 * "l:href"). Who says so last is believed, wherever it is: documents say it
 * once, at their root, or in each tag that has such links.
 */
struct pv_attribute {
	struct pv_str name;
	struct pv_str value; /* without its quotes, references unread */
};

/* Whether it says what stands for xlink, */
bool pv_xlink_is_declared(const struct pv_attribute *attribute);

/* what that is, */
struct pv_str pv_xlink_prefix(const struct pv_attribute *attribute);

/* and whether a name is that of a link then. An empty prefix has none. */
bool pv_xlink_is_href(struct pv_str name, struct pv_str prefix);

#endif
