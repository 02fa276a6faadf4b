#ifndef PAVANE_PARSE_REL_H
#define PAVANE_PARSE_REL_H

#include "base/str.h"

/* What the rel of a link says, and what follows from it for a link element or
 * header. */
struct pv_rel {
	bool is_page;     /* it leads to a page */
	bool is_resource; /* else to what browsers ask for: a style, an icon */
	bool may_be_page; /* which may be a page as well */
	bool is_hint;     /* or only tells whom to be ready to talk to */
	bool is_nofollow; /* we are asked not to follow it: nofollow, ugc,
			     sponsored */
};

/* Reads the words of a rel. */
struct pv_rel pv_rel_read(struct pv_str words);

#endif
