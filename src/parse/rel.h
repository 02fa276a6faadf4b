#ifndef PAVANE_PARSE_REL_H
#define PAVANE_PARSE_REL_H

#include "base/str.h"

/* What the rel of a link says, and what follows from it for a link element or
 * header. */
struct pv_rel {
	bool is_page;     /* it leads to a page */
	bool is_resource; /* else to what browsers ask for: a style, an icon */
	bool is_ahead;    /* which a browser fetches before it is asked for: a
			     page, unless the link says as what */
	bool is_fetched;  /* as what the link says that it is */
	bool is_hint;     /* or only tells whom to be ready to talk to */
	bool is_nofollow; /* we are asked not to follow it: nofollow, ugc,
			     sponsored */
};

/* Reads the words of a rel. */
struct pv_rel pv_rel_read(struct pv_str words);

/* As what the link says that a browser would take it: "script"; empty if it says
 * nothing. */
void pv_rel_see_as(struct pv_rel *rel, struct pv_str as);

#endif
