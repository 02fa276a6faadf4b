#ifndef PAVANE_FETCH_CONNECTION_FAIR_SHARE_H
#define PAVANE_FETCH_CONNECTION_FAIR_SHARE_H

#include "fetch/connection/sockets.h"

/* Whether one connection has most of a lane's thread for itself, and brings
 * next to nothing for it.
 *
 * It is counted over windows of the thread's processor time. In most of them
 * calls of libcurl are measured by the clock that never jumps, which costs
 * nothing; where one connection seems to have taken more than half, the next
 * window is measured by processor time, and only that counts: on a busy
 * machine, or where a disk is slow, nobody is blamed. What libcurl does without
 * saying for whom is laid to the connection from which most has been read
 * meanwhile; so is what it does around the callbacks for one connection, where
 * it may have gone on with another, if most was read from that.
 *
 * A connection that brings bodies or answers for its time is a fast server,
 * which gets its turn and no more (shard.h), and is let alone.
 *
 * All of it is the lane's.
 */
#define PV_SHARE_WINDOW_NS UINT64_C(250000000) /* of processor time */
#define PV_SHARE_STALE_NS UINT64_C(5000000000) /* by the clock */

struct pv_fair_share {
	struct pv_sockets *sockets;
	uint64_t (*cpu_ns)(void); /* that the thread has used */
	uint64_t began_ns;        /* of the window, by the clock */
	uint64_t began_cpu_ns;
	uint64_t looked_ns;  /* at the processor time, by the clock */
	uint64_t all_ns;     /* of all calls in the window */
	uint64_t nobodys_ns; /* of those of which nobody knows for whom */
	bool is_exact;       /* measured by processor time */
};

void pv_fair_share_init(struct pv_fair_share *share, struct pv_sockets *sockets,
    uint64_t (*cpu_ns)(void));

/* What calls are measured by in this window. */
uint64_t pv_fair_share_clock(const struct pv_fair_share *share);

/* So many bytes of a body came by that connection, or an answer. */
void pv_fair_share_credit(struct pv_fair_share *share, int fd, size_t bytes);
void pv_fair_share_credit_answer(struct pv_fair_share *share, int fd);

/* So much of a call was for that connection (or -1: nobody knows), for sure or
 * as a guess. */
void pv_fair_share_lay(struct pv_fair_share *share, int fd, uint64_t took_ns);
void pv_fair_share_guess(struct pv_fair_share *share, int fd, uint64_t took_ns);

/* A call has ended, at `now_ns` by the clock. Gives the socket of a connection
 * that has used more than its share; else -1. */
int pv_fair_share_look(struct pv_fair_share *share, uint64_t now_ns);

#endif
