#ifndef PAVANE_TESTS_SCHEDULE_ORACLE_H
#define PAVANE_TESTS_SCHEDULE_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/policy.h"
#include "policy/value.h"
#include "schedule/schedule.h"

/* The rules of politeness once more, told as plainly as the design tells
 * them and without the schedule's code: from what was seen on the wire, when
 * may the next request start at the earliest, and when at the latest must
 * it, if somebody has a token for it? */

struct door { /* of a host, or of hosts that share a clock */
	const struct pv_manners *manners;
	int64_t crawl_delay_ms;
	int64_t sent_at;
	int64_t ended_at;
	int64_t took_ms;
	int64_t retry_at;
	int64_t rest_ms;
	int64_t rest_until;
	int64_t failed_at;
	int64_t window_at;
	int64_t window_count;
	int64_t open;
	bool is_connecting;
	bool is_well; /* since the last failure */
};

struct house { /* an address */
	int64_t ip_delay_ms;
	int64_t sent_at;
	int64_t rest_ms;
	int64_t rest_until;
	int64_t failed_at;
	int64_t connecting;
	bool is_well;
};

#define LONG_AGO (-(INT64_C(1) << 50))
#define NOT_NOW INT64_MAX

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* With so much of the jitter. */
static int64_t door_opens(const struct door *door, double jitter)
{
	const struct pv_manners *manners = door->manners;
	if (door->is_connecting || door->open >= manners->connections)
		return NOT_NOW;
	int64_t base = door->sent_at;
	if (manners->delay_from == PV_DELAY_FROM_END)
		base = later(base, door->ended_at);
	double delay = (double)manners->delay_ms * (1 + jitter);
	double slow = (double)door->took_ms * manners->delay_factor;
	int64_t wait = later((int64_t)delay, door->crawl_delay_ms);
	wait = later(wait, sooner((int64_t)slow, manners->max_delay_ms));
	int64_t at = later(base + wait, door->retry_at);
	if (manners->max_rate != PV_NONE &&
	    door->window_count >= manners->max_rate)
		at = later(at, door->window_at + manners->interval_ms);
	return later(at, door->rest_until);
}

static int64_t house_opens(const struct house *house)
{
	if (house->connecting && house->ip_delay_ms)
		return NOT_NOW;
	return later(house->sent_at + house->ip_delay_ms, house->rest_until);
}

/* A rest after a failure: how long, given the one before. */
static int64_t rest_after(const struct pv_manners *manners, int64_t first_ms,
    int64_t before_ms, bool is_in_a_row)
{
	double rest = (double)before_ms;
	if (before_ms && is_in_a_row)
		rest *= manners->backoff.factor;
	if (rest > (double)manners->backoff.max_ms)
		rest = (double)manners->backoff.max_ms;
	return later(first_ms, (int64_t)rest);
}

static bool is_overload(const struct pv_visit_end *end)
{
	return end->status == 429 || end->status == 503;
}

static bool is_failure(const struct pv_visit_end *end)
{
	return end->status == 0 || end->status >= 500 || end->status == 429 ||
	       end->is_broken;
}

static void door_fails(
    struct door *door, int64_t first_ms, int64_t released_at, int64_t now)
{
	const struct pv_manners *manners = door->manners;
	if (now >= door->rest_until + manners->backoff.forgive_ms)
		door->rest_ms = 0;
	door->rest_ms = rest_after(manners, first_ms, door->rest_ms,
	    released_at >= door->failed_at && !door->is_well);
	door->rest_until = later(door->rest_until, now + door->rest_ms);
	door->failed_at = now;
	door->is_well = false;
}

static void door_sent(struct door *door, int64_t now)
{
	door->is_connecting = false;
	door->sent_at = now;
	if (now - door->window_at >= door->manners->interval_ms) {
		door->window_at = now;
		door->window_count = 0;
	}
	door->window_count++;
}

static void door_ended(struct door *door, const struct pv_visit_end *end,
    int64_t released_at, int64_t sent_at, int64_t now)
{
	const struct pv_manners *manners = door->manners;
	if (sent_at < 0) {
		door_sent(door, now);
		sent_at = now;
	}
	door->open--;
	door->ended_at = later(door->ended_at, now);
	if (is_failure(end)) {
		door->took_ms = later(door->took_ms, now - sent_at);
		door_fails(door,
		    is_overload(end) ? manners->backoff.overload_ms
				     : manners->backoff.failure_ms,
		    released_at, now);
	} else {
		door->took_ms = now - sent_at;
		if (released_at >= door->failed_at)
			door->is_well = true;
	}
	if (end->retry_after_ms > 0)
		door->retry_at =
		    later(door->retry_at, now + end->retry_after_ms);
}

static void house_ended(struct house *house, const struct pv_manners *manners,
    const struct pv_visit_end *end, int64_t released_at, int64_t sent_at,
    int64_t now)
{
	if (sent_at < 0) {
		house->connecting--;
		house->sent_at = now;
	}
	if (!end->is_unreachable) {
		if (released_at >= house->failed_at)
			house->is_well = true;
		return;
	}
	if (now >= house->rest_until + manners->backoff.forgive_ms)
		house->rest_ms = 0;
	house->rest_ms = rest_after(manners, manners->backoff.failure_ms,
	    house->rest_ms, released_at >= house->failed_at && !house->is_well);
	house->rest_until = later(house->rest_until, now + house->rest_ms);
	house->failed_at = now;
	house->is_well = false;
}

#endif
