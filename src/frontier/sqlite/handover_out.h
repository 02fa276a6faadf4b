#ifndef PAVANE_FRONTIER_SQLITE_HANDOVER_OUT_H
#define PAVANE_FRONTIER_SQLITE_HANDOVER_OUT_H

#include "base/system.h"
#include "frontier/sqlite/parcels.h"

/* What a worker passes on of its state: what is marked, as it is when it is taken.
 */
struct pv_handover;

/* For pv_handover_open and pv_handover_close. */
void pv_handover_out_open(struct pv_handover *handover);
void pv_handover_out_close(struct pv_handover *handover);

/* Takes what was changed, the oldest first, up to so many rows, or until their
 * texts fill the parcels. `now` is the crawl's clock. */
void pv_handover_take(struct pv_handover *handover, size_t max,
    struct pv_time now, struct pv_parcels *parcels);

/* How long the host rests still, as far as is known here. */
int64_t pv_handover_left(
    struct pv_handover *handover, uint64_t host_id, struct pv_time now);

/* All up to that change was passed on. */
void pv_handover_sent(struct pv_handover *handover, int64_t change);

#endif
