#ifndef PAVANE_FETCH_SHARD_H
#define PAVANE_FETCH_SHARD_H

#include "fetch/exchange.h"
#include "fetch/lane.h"

/* A multi of libcurl's on a lane's loop, and the exchanges of the hosts that
 * belong to it.
 *
 * libcurl reads from a connection for as long as anything comes; so that a host
 * that sends as fast as we read does not have the lane for itself, it is given
 * so much in a turn, by bytes and by pieces, and then waits for the next one.
 * In the same way it waits while a limit on bandwidth does not let it go on:
 * then the conducting loop is asked, and grants it so many bytes. The exchange
 * is held, and libcurl keeps the bytes until then.
 *
 * A multi looks through its connections in each request, so its cost grows with
 * their number; several with a part of the hosts each do not know how many
 * there are in all.
 */
struct pv_shard {
	struct pv_lane *lane;
	CURLM *multi; /* NULL: it is closed */
	uv_timer_t timer;
	uv_idle_t soon;   /* in the next turn of the loop */
	unsigned handles; /* that are not closed yet */
	struct pv_exchange *resting;
	uint32_t resting_count;
	struct pv_exchange *held;      /* until the next turn of the loop */
	struct pv_exchange *throttled; /* until they are granted bytes */
	size_t room; /* so many bytes more may come in this turn */
	struct pv_exchange *first_sent; /* whose sending is news to the loop */
	struct pv_exchange *last_sent;
	uint32_t count; /* of those under way */
};

/* NULL if libcurl cannot. */
struct pv_shard *pv_shard_create(struct pv_lane *lane);

/* Nothing may be under way; its memory goes when the loop has run its closing
 * callback. */
void pv_shard_destroy(struct pv_shard *shard);

/* Gives a request to libcurl, at once. */
void pv_shard_start(struct pv_shard *shard, struct pv_transfer *transfer);

/* Takes it back: its end is not reported. */
void pv_shard_cancel(struct pv_shard *shard, struct pv_exchange *exchange);

/* The bytes that it has asked for may come. */
void pv_shard_grant(struct pv_transfer *transfer);

/* Something happens on a socket of the shard's (pv_sockets_watch). */
void pv_shard_on_ready(void *shard, int fd, int ready);

/* Closes the connections that rest. */
void pv_shard_close_idle(struct pv_shard *shard);

#endif
