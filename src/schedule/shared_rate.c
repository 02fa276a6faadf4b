#include "schedule/shared_rate.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"

/* Who does not come for its tokens for so long loses them. */
#define LAPSE_MS 1000

struct pv_shared_rate {
	atomic_bool is_limited; /* for who need not ask further */
	pthread_mutex_t mutex;  /* of what follows, and of all shares */
	int64_t max_rate;       /* 0: as many as each may by itself */
	int64_t interval_ms;
	int64_t now;       /* the latest that anybody has told */
	int64_t last_tick; /* negative: none yet */
	int64_t tokens;    /* that nobody has; 0 while anybody waits */
	int64_t dealt;     /* to somebody who has not used them */
	struct pv_line waiting;
	struct pv_line receivers; /* who has been dealt some, in that order */
	uint64_t last_extra;      /* number of the last that was given */
};

struct pv_shared_rate *pv_shared_rate_create(void)
{
	struct pv_shared_rate *rate = pv_alloc(sizeof(*rate));
	pthread_mutex_init(&rate->mutex, NULL);
	rate->last_tick = -1;
	return rate;
}

void pv_shared_rate_destroy(struct pv_shared_rate *rate)
{
	if (!rate)
		return;
	pthread_mutex_destroy(&rate->mutex);
	free(rate);
}

/* The line. The mutex is held, here and below. */

static struct pv_rate_share *share_of(struct pv_line_link *link)
{
	return PV_WHOLE(struct pv_rate_share, link, link);
}

/* Behind all that have had more than others longer ago, which are nearly always
 * all: whoever comes back has just been served. */
static void line_up(struct pv_rate_share *share)
{
	struct pv_shared_rate *rate = share->rate;
	struct pv_line_link *before = rate->waiting.last;
	while (before && share_of(before)->extra > share->extra)
		before = before->before;
	share->standing = PV_RATE_WAITING;
	share->expects_at = PV_NEVER;
	pv_line_add_behind(&rate->waiting, before, &share->link);
}

/* What it has not used is there for others. */
static void step_out(struct pv_rate_share *share)
{
	struct pv_shared_rate *rate = share->rate;
	pv_line_remove(share->standing == PV_RATE_WAITING ? &rate->waiting
							  : &rate->receivers,
	    &share->link);
	rate->tokens += share->dealt;
	rate->dealt -= share->dealt;
	share->dealt = 0;
	share->standing = PV_RATE_AWAY;
}

/* Dealing */

static void take_from_absent(struct pv_shared_rate *rate)
{
	while (
	    rate->receivers.first &&
	    rate->now - share_of(rate->receivers.first)->dealt_at >= LAPSE_MS)
		step_out(share_of(rate->receivers.first));
}

/* Its loop need not be woken that is about to turn by itself. */
static void serve(struct pv_rate_share *share, int64_t part)
{
	struct pv_shared_rate *rate = share->rate;
	pv_line_remove(&rate->waiting, &share->link);
	pv_line_add(&rate->receivers, &share->link);
	rate->tokens -= part;
	rate->dealt += part;
	share->standing = PV_RATE_DEALT;
	share->dealt = part;
	share->dealt_at = rate->now;
	if (share->expects_at > rate->now)
		share->wake(share->ctx);
}

static size_t count_waiting(const struct pv_shared_rate *rate, int64_t most)
{
	const struct pv_line_link *link = rate->waiting.first;
	size_t count = 0;
	for (; link && (int64_t)count < most; link = link->behind)
		count++;
	return count;
}

/* Equal parts to all; what does not divide goes to the first in line. Where there
 * are fewer tokens than crawls that is all that they have. */
static void deal(struct pv_shared_rate *rate)
{
	int64_t count = (int64_t)count_waiting(rate, rate->tokens + 1);
	int64_t part = count ? rate->tokens / count : 0;
	int64_t extra = part ? rate->tokens % count : rate->tokens;
	for (; count && (part || extra); count--) {
		struct pv_rate_share *share = share_of(rate->waiting.first);
		if (extra)
			share->extra = ++rate->last_extra;
		serve(share, part + (extra > 0));
		extra -= extra > 0;
	}
}

/* Adds the tokens of the ticks until now: those that were dealt and not used are
 * a part of them. */
static void tick(struct pv_shared_rate *rate)
{
	if (rate->last_tick < 0)
		rate->last_tick = rate->now;
	else if (rate->now < rate->last_tick + rate->interval_ms)
		return;
	rate->last_tick += (rate->now - rate->last_tick) / rate->interval_ms *
			   rate->interval_ms;
	rate->tokens =
	    rate->max_rate > rate->dealt ? rate->max_rate - rate->dealt : 0;
}

static void advance(struct pv_shared_rate *rate, int64_t now)
{
	if (now > rate->now)
		rate->now = now;
	take_from_absent(rate);
	tick(rate);
	deal(rate);
}

/* The ceiling */

static void let_all_go(struct pv_shared_rate *rate)
{
	while (rate->receivers.first)
		step_out(share_of(rate->receivers.first));
	while (rate->waiting.first) {
		struct pv_rate_share *share = share_of(rate->waiting.first);
		step_out(share);
		share->wake(share->ctx);
	}
	rate->last_tick = -1;
}

/* The next tick comes by the new interval, and brings the new number; nobody is
 * left with more until then. */
static void limit(struct pv_shared_rate *rate, int64_t max_rate)
{
	int64_t room = max_rate > rate->dealt ? max_rate - rate->dealt : 0;
	if (rate->tokens > room)
		rate->tokens = room;
	for (struct pv_line_link *link = rate->waiting.first; link;
	     link = link->behind)
		share_of(link)->wake(share_of(link)->ctx);
}

void pv_shared_rate_change(
    struct pv_shared_rate *rate, int64_t max_rate, int64_t interval_ms)
{
	pthread_mutex_lock(&rate->mutex);
	if (max_rate)
		limit(rate, max_rate);
	else
		let_all_go(rate);
	rate->max_rate = max_rate;
	rate->interval_ms = interval_ms > 0 ? interval_ms : 1;
	atomic_store(&rate->is_limited, max_rate > 0);
	pthread_mutex_unlock(&rate->mutex);
}

/* Shares */

/* Whoever waited when there was a ceiling has been woken, and is in no line. */
static bool is_free(const struct pv_rate_share *share)
{
	return !share->rate || !atomic_load(&share->rate->is_limited);
}

void pv_rate_share_join(struct pv_rate_share *share,
    struct pv_shared_rate *rate, void (*wake)(void *ctx), void *ctx)
{
	*share = (struct pv_rate_share){.rate = rate, .wake = wake, .ctx = ctx};
}

void pv_rate_share_leave(struct pv_rate_share *share)
{
	struct pv_shared_rate *rate = share->rate;
	if (!rate)
		return;
	pthread_mutex_lock(&rate->mutex);
	step_out(share);
	deal(rate);
	pthread_mutex_unlock(&rate->mutex);
	*share = (struct pv_rate_share){NULL};
}

static bool take(struct pv_rate_share *share)
{
	struct pv_shared_rate *rate = share->rate;
	if (share->dealt) {
		share->dealt--;
		rate->dealt--;
		if (!share->dealt)
			step_out(share);
		return true;
	}
	if (rate->tokens) {
		rate->tokens--;
		return true;
	}
	if (share->standing == PV_RATE_AWAY)
		line_up(share);
	return false;
}

/* Its own loop turns at this moment. */
bool pv_rate_share_take(struct pv_rate_share *share, int64_t now)
{
	if (is_free(share))
		return true;
	pthread_mutex_lock(&share->rate->mutex);
	share->expects_at = INT64_MIN;
	advance(share->rate, now);
	bool is_taken = !share->rate->max_rate || take(share);
	share->expects_at = PV_NEVER;
	pthread_mutex_unlock(&share->rate->mutex);
	return is_taken;
}

void pv_rate_share_give_back(
    struct pv_rate_share *share, int64_t spent_at, int64_t now)
{
	struct pv_shared_rate *rate = share->rate;
	if (is_free(share))
		return;
	pthread_mutex_lock(&rate->mutex);
	advance(rate, now);
	if (spent_at >= rate->last_tick &&
	    rate->tokens + rate->dealt < rate->max_rate) {
		rate->tokens++;
		deal(rate);
	}
	pthread_mutex_unlock(&rate->mutex);
}

void pv_rate_share_want_none(struct pv_rate_share *share, int64_t now)
{
	if (is_free(share))
		return;
	pthread_mutex_lock(&share->rate->mutex);
	if (share->standing != PV_RATE_AWAY) {
		step_out(share);
		advance(share->rate, now);
	}
	pthread_mutex_unlock(&share->rate->mutex);
}

/* Whoever is in front of it takes one token at each tick at least. */
static int64_t turn_of(const struct pv_rate_share *share)
{
	const struct pv_shared_rate *rate = share->rate;
	const struct pv_line_link *link = share->link.before;
	int64_t ticks = 1;
	if (share->standing != PV_RATE_WAITING)
		return 0;
	for (int64_t before = 0; link; link = link->before) {
		if (++before % rate->max_rate == 0)
			ticks++;
	}
	return rate->last_tick + ticks * rate->interval_ms;
}

int64_t pv_rate_share_look(const struct pv_rate_share *share)
{
	if (is_free(share))
		return 0;
	pthread_mutex_lock(&share->rate->mutex);
	int64_t turn = turn_of(share);
	pthread_mutex_unlock(&share->rate->mutex);
	return turn;
}

int64_t pv_rate_share_next(struct pv_rate_share *share)
{
	if (is_free(share))
		return 0;
	pthread_mutex_lock(&share->rate->mutex);
	int64_t turn = turn_of(share);
	share->expects_at = turn;
	pthread_mutex_unlock(&share->rate->mutex);
	return turn;
}
