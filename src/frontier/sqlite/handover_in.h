#ifndef PAVANE_FRONTIER_SQLITE_HANDOVER_IN_H
#define PAVANE_FRONTIER_SQLITE_HANDOVER_IN_H

#include "base/system.h"
#include "frontier/sqlite/parcels.h"

/* What a worker takes over into its state, from what others have passed on.
 */
struct pv_handover;

/* For pv_handover_open and pv_handover_close. */
void pv_handover_in_open(struct pv_handover *handover);
void pv_handover_in_close(struct pv_handover *handover);

/* What another worker has passed on; false if it makes no sense. A host comes
 * before its addresses, and is owned after them; it owes its whole delay if it may
 * just have been asked by its last owner. Links must live until the
 * transaction ends. */
bool pv_handover_put(struct pv_handover *handover,
    const struct pv_parcel *parcel, struct pv_time now);

#endif
