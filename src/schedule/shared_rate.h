#ifndef PAVANE_SCHEDULE_SHARED_RATE_H
#define PAVANE_SCHEDULE_SHARED_RATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/line.h"
#include "schedule/wait.h"

/* How many requests several crawls together start in each interval, each crawl on
 * a thread of its own.
 *
 * At each tick there are `max_rate` tokens, and none that were left before: so in
 * any span W no more than max_rate * (1 + ceil(W / interval)) requests start, and
 * idle time earns no credit. Whoever is denied a token waits in line. A tick deals
 * its tokens among those that wait, equal parts to each; what cannot be divided,
 * or all where there are fewer tokens than crawls, goes round. While anybody waits
 * no token lies idle: what one gives back is dealt to the next, who is woken. A
 * crawl that does not come for its tokens, because it is stopped or its program has
 * other things to do, loses them and its place in line after a second.
 *
 * Nobody has to wake at a tick but those whose turn that is: each of them is told
 * when (pv_rate_share_next), and the first of them deals for all.
 *
 * All functions may be called in any thread, for a share in one at a time. Times
 * are those of a clock that all crawls have.
 */
struct pv_shared_rate;

enum pv_rate_standing {
	PV_RATE_AWAY,    /* wants none */
	PV_RATE_WAITING, /* was denied one, and is in line */
	PV_RATE_DEALT,   /* has tokens that it has not used */
};

struct pv_rate_share {
	struct pv_shared_rate *rate; /* NULL: it shares with nobody */
	struct pv_line_link link; /* among who waits, or has been dealt some */
	enum pv_rate_standing standing;
	int64_t dealt;      /* tokens */
	int64_t dealt_at;   /* the first of them */
	uint64_t extra;     /* when it last had more than others: the number
			       of that */
	int64_t expects_at; /* its loop turns then, without being woken */
	void (*wake)(void *ctx);
	void *ctx;
};

/* No ceiling, until there is one (pv_shared_rate_change). */
struct pv_shared_rate *pv_shared_rate_create(void);

/* When nobody has a share any more. */
void pv_shared_rate_destroy(struct pv_shared_rate *rate);

/* From now on so many in each interval; 0: as many as each may by itself. What was
 * spent in this interval is spent. */
void pv_shared_rate_change(
    struct pv_shared_rate *rate, int64_t max_rate, int64_t interval_ms);

/* `wake` is called, in any thread, when a share that was denied a token has one; it
 * must not call any of these functions. */
void pv_rate_share_join(struct pv_rate_share *share,
    struct pv_shared_rate *rate, void (*wake)(void *ctx), void *ctx);
void pv_rate_share_leave(struct pv_rate_share *share);

/* Spends a token; false if there is none for it now: then it waits in line, until
 * it takes one or wants none. */
bool pv_rate_share_take(struct pv_rate_share *share, int64_t now);

/* A token that was spent then has served no request. One of an earlier tick is
 * lost, as that tick's others are. */
void pv_rate_share_give_back(
    struct pv_rate_share *share, int64_t spent_at, int64_t now);

void pv_rate_share_want_none(struct pv_rate_share *share, int64_t now);

/* When it may take one, as far as is known; 0 unless it was denied one. With `next`
 * its loop promises to turn then without being woken. */
int64_t pv_rate_share_look(const struct pv_rate_share *share);
int64_t pv_rate_share_next(struct pv_rate_share *share);

#endif
