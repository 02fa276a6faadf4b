#ifndef PAVANE_PARSE_REL_H
#define PAVANE_PARSE_REL_H

#include "base/str.h"

/* What the rel of a link says, and what follows from it for a link element or
 * header. */
struct pv_rel {
	bool is_page;     /* it leads to a page */
	bool is_resource; /* else to what browsers ask for: a style, an icon */
	bool is_fetched; /* which a browser fetches as what the link says ... */
	bool is_ahead;   /* ... which is a page: where people may go next */
	bool is_hint;    /* or only tells whom to be ready to talk to */
	bool is_empty;   /* it says nothing: a link element without any is no
			    link (HTML, 4.2.4) */
	bool is_nofollow; /* we are asked not to follow it: nofollow, ugc,
			     sponsored */
};

/* Reads the words of a rel. */
struct pv_rel pv_rel_read(struct pv_str words);

/* As what it is fetched, "script", and where it is: if the link does not say
 * so, what is fetched ahead is a page unless its name tells another type. */
void pv_rel_see(struct pv_rel *rel, struct pv_str as, struct pv_str target);

#endif
