#ifndef PAVANE_FETCH_FAIR_SHARE_H
#define PAVANE_FETCH_FAIR_SHARE_H

#include "fetch/cuts.h"

/* Whether one connection has most of a lane's thread for itself, and brings
 * next to nothing for it.
 *
 * What libcurl does for a connection is measured by the clock that never
 * jumps, which costs nothing; the thread's own processor time is asked for once
 * in a window. What the connection took may have been waiting for a processor,
 * but no more of it than the thread did not have in all: so on a busy machine
 * nobody is blamed. A connection that brings a body in quantity for its time is
 * a fast server, which gets its turn and no more (shard.h), and is let alone.
 *
 * All of it is the lane's.
 */
#define PV_SHARE_WINDOW_NS UINT64_C(500000000)

struct pv_fair_share {
	struct pv_sockets *sockets;
	uint64_t began_ns;     /* of the window */
	uint64_t began_cpu_ns; /* what the thread had used then */
};

void pv_fair_share_init(
    struct pv_fair_share *share, struct pv_sockets *sockets);

/* So many bytes of a body came by it. */
void pv_fair_share_credit(struct pv_fair_share *share, int fd, size_t bytes);

/* A connection has taken so long, up to now; where it has used more than its
 * share in a window that is over, its socket is given, else -1. `cpu_ns` tells
 * what the thread has used in all, and is asked when a window is over. */
int pv_fair_share_spend(struct pv_fair_share *share, int fd, uint64_t took_ns,
    uint64_t now_ns, uint64_t (*cpu_ns)(void));

#endif
