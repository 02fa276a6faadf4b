#ifndef PAVANE_FLEET_GIVING_GIFT_HOSTS_H
#define PAVANE_FLEET_GIVING_GIFT_HOSTS_H

/* The hosts of gifts (fleet/giving/giving.h) in the worker's state: of those gifts that
 * were chosen, on the writer's thread. A gift is ready if that could be done with all of
 * its hosts.
 */
struct pv_fleet;

/* Nothing of them is given out from now on, but of those that are held: of these the
 * numbers are noted. */
void pv_gift_hosts_leave(struct pv_fleet *fleet);

/* They are another's here. */
void pv_gift_hosts_give(struct pv_fleet *fleet);

#endif
