#ifndef PAVANE_SERVE_FETCHES_DISK_LIMIT_H
#define PAVANE_SERVE_FETCHES_DISK_LIMIT_H

#include "serve/fetches/fetches_state.h"

/* How much of the disk the crawl of each profile takes. One that takes more than the
 * plan allows is ended, what waits for it fails, and its profile takes no addresses
 * any more, until the configuration is read again.
 *
 * What is found may be some seconds old, and requests in flight still end, so that
 * a crawl can take a little more. It is looked less often where looking takes long.
 * The keeper's, with the mutex, which is given back while files are looked at. */
void pv_disk_limit_look(struct pv_fetches *fetches);

/* Whether the profile takes addresses. */
bool pv_disk_limit_admits(
    const struct pv_fetches *fetches, struct pv_str profile);

/* All profiles do again. */
void pv_disk_limit_forget(struct pv_fetches *fetches);

#endif
