#ifndef PAVANE_LIMITER_CLOCK_WAITERS_H
#define PAVANE_LIMITER_CLOCK_WAITERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/line.h"
#include "base/hash.h"
#include "limiter/limiter.h"

/* Which crawls of a process wait for which clocks, so that they need not ask the
 * limiter again and again while one of them is at it.
 *
 * A crawl that was refused stands in line for that clock, by since when it has been
 * refused. Whoever lets the clock go wakes the first in line, and nobody else. That
 * is a hint to ask now, no more: the limiter still decides, since other processes
 * share its clocks and are not seen here. So whoever waits asks now and then all the
 * same: rarely while a crawl of this process is at the clock, which will tell.
 *
 * A clock is known by a hash: two that hash alike cost a look in vain. All functions
 * may be called in any thread, for a party and its waiters in one at a time.
 */
struct pv_clock_waiters;

/* A crawl. */
struct pv_clock_party {
	struct pv_clock_waiters *waiters; /* NULL: it shares with nobody */
	struct pv_line woken;
	void (*wake)(void *ctx);
	void *ctx;
};

/* One of its hosts; zeroed, it does not wait. */
struct pv_clock_waiter {
	struct pv_line_link link;
	struct pv_clock_party *party; /* NULL: it does not wait */
	uint64_t clock;
	int64_t since;
	bool may_overlap; /* with a request that has been sent */
	bool is_woken;
};

struct pv_clock_waiters *pv_clock_waiters_create(struct pv_hash_key key);

/* When there is no party any more. NULL is fine. */
void pv_clock_waiters_destroy(struct pv_clock_waiters *waiters);

/* `wake` is called, in any thread, when one of its waiters is woken; it must not call
 * any of these functions. */
void pv_clock_party_join(struct pv_clock_party *party,
    struct pv_clock_waiters *waiters, void (*wake)(void *ctx), void *ctx);

/* None of its waiters waits any more. */
void pv_clock_party_leave(struct pv_clock_party *party);

/* By what a clock is known here; never 0. */
uint64_t pv_clock_party_key(
    const struct pv_clock_party *party, const struct pv_limiter_ask *ask);

/* A request of this crawl is at the clock. */
void pv_clock_party_hold(const struct pv_clock_party *party, uint64_t clock);

/* It has been sent: who may overlap with it is woken. */
void pv_clock_party_sent(const struct pv_clock_party *party, uint64_t clock);

/* It has let the clock go: the next in line is woken. */
void pv_clock_party_let_go(const struct pv_clock_party *party, uint64_t clock);

/* What was refused waits; `waiter` has the clock, since when, and whether it may
 * overlap. Says whether a crawl of this process is at it, and so will wake it. */
bool pv_clock_party_wait(
    struct pv_clock_party *party, struct pv_clock_waiter *waiter);

/* It does not wait any more; if it had been woken, the next one is. */
void pv_clock_party_stop_waiting(struct pv_clock_waiter *waiter);

/* One that was woken, which does not wait any more; NULL if there is none. */
struct pv_clock_waiter *pv_clock_party_take(struct pv_clock_party *party);

#endif
