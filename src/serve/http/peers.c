#include "serve/http/peers.h"

#include <stdlib.h>

#include "base/alloc.h"

static struct pv_peer *find(
    const struct pv_peers *peers, const struct pv_address *address)
{
	struct pv_line_link *link = peers->line.first;
	for (; link; link = link->behind) {
		struct pv_peer *peer = PV_WHOLE(struct pv_peer, link, link);
		if (pv_address_equal(&peer->address, address))
			return peer;
	}
	return NULL;
}

uint32_t pv_peers_count(
    const struct pv_peers *peers, const struct pv_address *address)
{
	const struct pv_peer *peer = find(peers, address);
	return peer ? peer->count : 0;
}

struct pv_peer *pv_peers_take(
    struct pv_peers *peers, const struct pv_address *address)
{
	struct pv_peer *peer = find(peers, address);
	if (!peer) {
		peer = pv_alloc(sizeof(*peer));
		peer->address = *address;
		pv_line_add(&peers->line, &peer->link);
	}
	peer->count++;
	return peer;
}

void pv_peers_give(struct pv_peers *peers, struct pv_peer *peer)
{
	if (!peer || --peer->count)
		return;
	pv_line_remove(&peers->line, &peer->link);
	free(peer);
}
