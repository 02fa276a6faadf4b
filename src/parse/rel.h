#ifndef PAVANE_PARSE_REL_H
#define PAVANE_PARSE_REL_H

#include "base/str.h"

/* What the rel of a link says, and what follows from it for a link element or
 * header. */
struct pv_rel {
	bool is_page;     /* it leads to a page */
	bool is_resource; /* else to what browsers ask for: a style, an icon */
	bool is_fetched; /* which a browser fetches as what the link says ... */
	bool is_ahead;   /* ... before it is asked for, as a page may be */
	bool is_hint;    /* or only tells whom to be ready to talk to */
	bool is_nofollow; /* we are asked not to follow it: nofollow, ugc,
			     sponsored */
};

/* Reads the words of a rel. */
struct pv_rel pv_rel_read(struct pv_str words);

/* As what the link says that it leads there: "script"; empty if it says nothing,
 * and then what is fetched ahead is a page, unless its name tells another type. */
void pv_rel_see(struct pv_rel *rel, struct pv_str as, struct pv_str target);

#endif
