#ifndef PAVANE_SERVE_FETCHES_STANDING_H
#define PAVANE_SERVE_FETCHES_STANDING_H

#include "serve/fetches/fetches_state.h"

/* The crawl of a profile, which stays open for the fetches that come. Used by the
 * keeper; what the crawl tells rings its bell. */

/* By that policy, which is its own from then on. NULL, with the reason, if it
 * cannot be opened. */
struct pv_standing *pv_standing_open(struct pv_fetches *fetches,
    struct pv_str profile, const struct pv_standing_record *record,
    struct pavane_policy *policy, struct pv_buf *why);

/* Ends its crawl first, if that was not done. */
void pv_standing_destroy(struct pv_standing *standing);

/* Tells it an address of that fetch; the reply comes by the bell. False if it takes
 * none now. */
bool pv_standing_ask(struct pv_standing *standing, struct pv_fetches *fetches,
    uint64_t number, const char *address);

void pv_fetch_reply_destroy(struct pv_fetch_reply *reply);

#endif
