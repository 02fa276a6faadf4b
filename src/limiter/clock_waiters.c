#include "limiter/clock_waiters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"

/* A power of two: far more than crawls have hosts that wait for one another. */
#define DRAWERS ((size_t)1 << 12)

/* Who comes to wait counts itself, and then looks whether somebody is there; who
 * leaves takes itself out of the count, and then looks whether somebody waits. So
 * one of both sees the other, without a lock where nobody waits. */
struct drawer {
	atomic_uint held;
	atomic_uint waiting;
	struct pv_line line;
};

struct pv_clock_waiters {
	struct pv_hash_key key;
	pthread_mutex_t mutex; /* of all lines, and of all waiters */
	struct drawer drawers[DRAWERS];
};

struct pv_clock_waiters *pv_clock_waiters_create(struct pv_hash_key key)
{
	struct pv_clock_waiters *waiters = pv_alloc(sizeof(*waiters));
	waiters->key = key;
	pthread_mutex_init(&waiters->mutex, NULL);
	return waiters;
}

void pv_clock_waiters_destroy(struct pv_clock_waiters *waiters)
{
	if (!waiters)
		return;
	pthread_mutex_destroy(&waiters->mutex);
	free(waiters);
}

uint64_t pv_clock_party_key(
    const struct pv_clock_party *party, const struct pv_limiter_ask *ask)
{
	if (!party->waiters)
		return 1;
	struct pv_hash_key key = party->waiters->key;
	key.word[1] ^= ask->clock | (uint64_t)ask->port << 8;
	uint64_t clock = pv_hash(&key, ask->name);
	return clock ? clock : 1;
}

static struct drawer *drawer_of(
    struct pv_clock_waiters *waiters, uint64_t clock)
{
	return &waiters->drawers[clock & (DRAWERS - 1)];
}

static struct pv_clock_waiter *waiter_of(struct pv_line_link *link)
{
	return link ? PV_WHOLE(struct pv_clock_waiter, link, link) : NULL;
}

/* The mutex is held, here and below. */
static void step_out(struct pv_clock_waiter *waiter)
{
	struct pv_clock_party *party = waiter->party;
	struct drawer *drawer = drawer_of(party->waiters, waiter->clock);
	if (!waiter->is_woken)
		atomic_fetch_sub(&drawer->waiting, 1);
	pv_line_remove(
	    waiter->is_woken ? &party->woken : &drawer->line, &waiter->link);
	waiter->party = NULL;
	waiter->is_woken = false;
}

static void wake_first(
    struct pv_clock_waiters *waiters, uint64_t clock, bool is_sent)
{
	struct drawer *drawer = drawer_of(waiters, clock);
	struct pv_clock_waiter *waiter = waiter_of(drawer->line.first);
	while (waiter && waiter->clock != clock)
		waiter = waiter_of(waiter->link.behind);
	if (!waiter || (is_sent && !waiter->may_overlap))
		return;
	atomic_fetch_sub(&drawer->waiting, 1);
	pv_line_remove(&drawer->line, &waiter->link);
	pv_line_add(&waiter->party->woken, &waiter->link);
	waiter->is_woken = true;
	waiter->party->wake(waiter->party->ctx);
}

static void tell(struct pv_clock_waiters *waiters, uint64_t clock, bool is_sent)
{
	if (!atomic_load(&drawer_of(waiters, clock)->waiting))
		return;
	pthread_mutex_lock(&waiters->mutex);
	wake_first(waiters, clock, is_sent);
	pthread_mutex_unlock(&waiters->mutex);
}

/* Parties */

void pv_clock_party_join(struct pv_clock_party *party,
    struct pv_clock_waiters *waiters, void (*wake)(void *ctx), void *ctx)
{
	*party = (struct pv_clock_party){
	    .waiters = waiters, .wake = wake, .ctx = ctx};
}

static void leave_line(struct pv_line *line, const struct pv_clock_party *party)
{
	struct pv_clock_waiter *waiter = waiter_of(line->first);
	while (waiter) {
		struct pv_clock_waiter *next = waiter_of(waiter->link.behind);
		if (waiter->party == party)
			step_out(waiter);
		waiter = next;
	}
}

void pv_clock_party_leave(struct pv_clock_party *party)
{
	struct pv_clock_waiters *waiters = party->waiters;
	struct pv_clock_waiter *waiter;
	if (!waiters)
		return;
	pthread_mutex_lock(&waiters->mutex);
	for (size_t i = 0; i < DRAWERS; i++)
		leave_line(&waiters->drawers[i].line, party);
	while ((waiter = waiter_of(party->woken.first))) {
		step_out(waiter);
		wake_first(waiters, waiter->clock, false);
	}
	pthread_mutex_unlock(&waiters->mutex);
	*party = (struct pv_clock_party){NULL};
}

void pv_clock_party_hold(const struct pv_clock_party *party, uint64_t clock)
{
	if (party->waiters)
		atomic_fetch_add(&drawer_of(party->waiters, clock)->held, 1);
}

void pv_clock_party_sent(const struct pv_clock_party *party, uint64_t clock)
{
	if (party->waiters)
		tell(party->waiters, clock, true);
}

void pv_clock_party_let_go(const struct pv_clock_party *party, uint64_t clock)
{
	if (!party->waiters)
		return;
	atomic_fetch_sub(&drawer_of(party->waiters, clock)->held, 1);
	tell(party->waiters, clock, false);
}

/* Waiting */

static void line_up(struct drawer *drawer, struct pv_clock_waiter *waiter)
{
	struct pv_line_link *before = drawer->line.last;
	while (before && waiter_of(before)->since > waiter->since)
		before = before->before;
	pv_line_add_behind(&drawer->line, before, &waiter->link);
	atomic_fetch_add(&drawer->waiting, 1);
}

bool pv_clock_party_wait(
    struct pv_clock_party *party, struct pv_clock_waiter *waiter)
{
	struct pv_clock_waiters *waiters = party->waiters;
	if (!waiters)
		return false;
	struct drawer *drawer = drawer_of(waiters, waiter->clock);
	pthread_mutex_lock(&waiters->mutex);
	waiter->party = party;
	line_up(drawer, waiter);
	pthread_mutex_unlock(&waiters->mutex);
	return atomic_load(&drawer->held);
}

void pv_clock_party_stop_waiting(struct pv_clock_waiter *waiter)
{
	if (!waiter->party)
		return;
	struct pv_clock_waiters *waiters = waiter->party->waiters;
	pthread_mutex_lock(&waiters->mutex);
	bool was_woken = waiter->is_woken;
	step_out(waiter);
	if (was_woken)
		wake_first(waiters, waiter->clock, false);
	pthread_mutex_unlock(&waiters->mutex);
}

struct pv_clock_waiter *pv_clock_party_take(struct pv_clock_party *party)
{
	if (!party->waiters)
		return NULL;
	pthread_mutex_lock(&party->waiters->mutex);
	struct pv_clock_waiter *waiter = waiter_of(party->woken.first);
	if (waiter)
		step_out(waiter);
	pthread_mutex_unlock(&party->waiters->mutex);
	return waiter;
}
