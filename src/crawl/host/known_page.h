#ifndef PAVANE_CRAWL_HOST_KNOWN_PAGE_H
#define PAVANE_CRAWL_HOST_KNOWN_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* A page that a host has answered well before, asked of the frontier when a
 * probe is to ask for it (probe.h); so it is found in another run, too.
 *
 * It is part of its host. After each further failure in a row another one is
 * looked for, since a page that was well may be broken by now.
 */
struct pv_live_host;
struct pv_flight;

struct pv_known_page {
	char *url;         /* owned; NULL: none */
	uint32_t failures; /* in a row, after which it was looked for; 0 */
	bool is_being_found;
};

enum pv_known_look {
	PV_KNOWN_NONE,  /* too few are known, or it is another authority's */
	PV_KNOWN_LATER, /* it is being looked for */
	PV_KNOWN_FOUND,
};

/* Looks for one of the authority that this visit goes to. Until it is found the
 * host is parked; then it goes on. */
enum pv_known_look pv_known_page_look(struct pv_flight *flight);

/* Forgets the one that was found, since it has been asked for. */
static inline void pv_known_page_clear(struct pv_known_page *known)
{
	free(known->url);
	*known =
	    (struct pv_known_page){.is_being_found = known->is_being_found};
}

#endif
