#ifndef PAVANE_SERVE_HTTP_PEERS_H
#define PAVANE_SERVE_HTTP_PEERS_H

#include <stdint.h>

#include "base/address.h"
#include "base/line.h"

/* How many connections each address has. For one thread at a time. */
struct pv_peer {
	struct pv_line_link link;
	struct pv_address address;
	uint32_t count; /* of its connections; never 0 */
};

struct pv_peers {
	struct pv_line line;
};

/* How many it has. */
uint32_t pv_peers_count(
    const struct pv_peers *peers, const struct pv_address *address);

/* It has one more; to be given back with that. */
struct pv_peer *pv_peers_take(
    struct pv_peers *peers, const struct pv_address *address);

/* It has one less. NULL is fine. */
void pv_peers_give(struct pv_peers *peers, struct pv_peer *peer);

#endif
