#ifndef PAVANE_FLEET_GRANTING_H
#define PAVANE_FLEET_GRANTING_H

/* How a worker gets its slices of limits.pages and limits.bytes.
 *
 * It asks when it has used half of the last one and has something to ask its hosts
 * for, under the lock of the crawl's row, so that two that ask at a time are not
 * granted the same. What it does not use goes back when it has nothing to do, or
 * has brought nothing for a while: others may have something to do. While it has
 * nothing to spend it looks once in a while whether something has come back, or
 * all was brought: then the crawl's limit is reached, for this worker as for any.
 *
 * Without limits nothing is asked.
 */
struct pv_fleet;

void pv_granting_init(struct pv_fleet *fleet);

/* Goes on, if it is time. */
void pv_granting_step(struct pv_fleet *fleet);

#endif
