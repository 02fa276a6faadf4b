#ifndef PAVANE_FLEET_BEATS_OWN_SHARE_H
#define PAVANE_FLEET_BEATS_OWN_SHARE_H

#include "fleet/beats/beats.h"

/* How a worker comes to run by another share (fleet/shares/share.h).
 *
 * One that has had nothing to do for long, or whose disk is full, gives its share up.
 * When that is over, it calls the others to leave it one again.
 *
 * What becomes less it uses at once, and writes when nothing beyond it is under way
 * any more: then others may have it. What becomes more it writes first, under the lock
 * of the crawl's row, and only if all others are still as it has seen them.
 */

/* Tells the crawl what it may use; whether nothing beyond it is under way. */
bool pv_own_share_use(struct pv_fleet_beats *beats);

/* Before a beat: what that is to write. */
void pv_own_share_agree(struct pv_fleet_beats *beats);

/* After a beat has told by which shares all others run. */
void pv_own_share_look(struct pv_fleet_beats *beats);

#endif
