#ifndef PAVANE_PARSE_REL_H
#define PAVANE_PARSE_REL_H

#include "base/str.h"

/* Words about links and pages: what a link's rel says, and what a page asks
 * of robots. */

/* What follows from it for a link element or header. */
struct pv_rel {
	bool is_page;     /* it leads to a page */
	bool is_resource; /* else to what browsers ask for: a style, an icon */
	bool is_hint;     /* or only tells whom to be ready to talk to */
	bool is_nofollow; /* we are asked not to follow it */
};

/* Reads the words of a rel. */
struct pv_rel pv_rel_read(struct pv_str words);

/* What a page asks of those who gather pages. */
struct pv_robots_words {
	bool is_noindex;
	bool is_nofollow;
	bool is_noarchive;
};

/* Adds what `<meta name=robots content="...">` says: words between commas or
 * spaces, of which those that nobody knows mean nothing. */
void pv_robots_words_read(struct pv_robots_words *words, struct pv_str text);

#endif
