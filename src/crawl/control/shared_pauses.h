#ifndef PAVANE_CRAWL_CONTROL_SHARED_PAUSES_H
#define PAVANE_CRAWL_CONTROL_SHARED_PAUSES_H

#include "store/orders.h"

/* Hosts that are paused in all crawls of a process, in those that are opened later
 * as well (pavane/runtime.h). They end with the process; what a crawl's directory
 * says of them is for other processes alone (store/tables/pause_notes.h).
 *
 * From any thread. A crawl looks at them in each round of its loop, before
 * anything is released, by a number that costs nothing where it has not changed. */
struct pv_shared_pauses;

struct pv_shared_pauses *pv_shared_pauses_create(void);
void pv_shared_pauses_destroy(struct pv_shared_pauses *shared);

/* Pauses a host, or changes until when and why it is; false if there are too many,
 * or the name can be none. */
bool pv_shared_pauses_set(
    struct pv_shared_pauses *shared, const struct pv_pause *pause);

/* False if it was not paused. */
bool pv_shared_pauses_lift(struct pv_shared_pauses *shared, struct pv_str host);

/* If they are not those of that version, which is 0 for none, makes a copy of them
 * in the place of `orders`, and says so. */
bool pv_shared_pauses_read(struct pv_shared_pauses *shared, uint64_t *version,
    struct pv_orders *orders);

#endif
