#ifndef PAVANE_FLEET_NET_NET_ADDRESSES_H
#define PAVANE_FLEET_NET_NET_ADDRESSES_H

#include "base/hash.h"

/* How a worker keeps to IP addresses that are its own.
 *
 * Before each request the crawl claims the clocks of its host and of the host's
 * address (limiter/limiter.h). Here stands a limiter before the machine's own: it
 * lets no claim through at an address whose delay is to be kept, unless the
 * worker owns the address, and its rest from the owner before is over. While
 * PostgreSQL has not said so the claim is busy. Where no delay is kept nobody
 * needs to own the address.
 *
 * Where another worker owns it, the host's clock goes to that one. If that would
 * send it back, since the clock has another host at an address of ours, both
 * workers' groups come together at the lower number: a higher one gives its
 * whole group, and a lower one asks for the other's.
 */
struct pv_fleet;
struct pv_limiter;
struct pv_net_addresses;

void pv_net_addresses_init(
    struct pv_net_addresses *net, struct pv_hash_key key);
void pv_net_addresses_finish(struct pv_net_addresses *net);

/* Goes on, if there is something to ask. */
void pv_net_addresses_step(struct pv_fleet *fleet);

/* It owns the other limiter, and is closed after the fleet, or before. */
struct pv_limiter *pv_net_addresses_limit(
    struct pv_fleet *fleet, struct pv_limiter *inner);

#endif
