#ifndef PAVANE_TESTS_SCHEDULE_ORACLE_H
#define PAVANE_TESTS_SCHEDULE_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/policy.h"
#include "policy/values/value.h"
#include "schedule/schedule.h"

/* The rules of politeness once more, told as plainly as the design tells
 * them and without the schedule's code: from what was seen on the wire, when
 * may the next request start at the earliest, and when at the latest must
 * it, if somebody has a token for it?
 *
 * What is drawn is not known here, so each door and each house is reckoned
 * twice: with the least luck that there could have been, and with the most.
 */

struct door { /* of a host, or of hosts that share a clock */
	const struct pv_manners *manners;
	double luck; /* 0 or 1: how much of each jitter was drawn */
	int64_t crawl_delay_ms;
	int64_t sent_at;
	int64_t asked_before; /* in an earlier run */
	int64_t ended_at;
	int64_t took_ms;
	int64_t retry_at;
	int64_t hint_at;
	int64_t others_at;   /* for other crawls */
	int64_t restored_at; /* what an earlier run had left to wait */
	int64_t rest_ms;     /* the longest that failures have earned */
	int64_t row_ms;      /* that of those in a row */
	int64_t failures;    /* in a row */
	int64_t rest_until;
	int64_t failed_at;
	int64_t slowed_ms;
	int64_t slowed_since;
	int64_t window_at;
	int64_t window_count;
	int64_t open;
	int64_t connecting; /* released, and not sent */
	bool is_in_doubt;   /* the last that was heard of it was bad ... */
	int64_t blame;      /* ... and of what: pages weigh most */
	int64_t trials;     /* that are to tell whether it is well again */
};

struct house { /* an address */
	double luck;
	int64_t ip_delay_ms;
	int64_t others_at;
	int64_t sent_at;
	int64_t asked_before;
	int64_t restored_at;
	int64_t rest_ms;
	int64_t row_ms;
	int64_t rest_until;
	int64_t failed_at;
	int64_t forgive_ms; /* the longest of those who failed there */
	int64_t connecting;
	bool is_in_doubt; /* nobody has got there since it failed */
};

/* A request that is over. */
struct ended {
	const struct pv_visit_end *end;
	int64_t released_at;
	int64_t sent_at; /* negative: never */
	int64_t now;
	bool is_trial; /* it began when its door was in doubt */
	bool is_probe;
};

/* When something was written down, and when it is read again. */
struct pause {
	int64_t saved_at;
	int64_t resumed_at;
	int64_t wall_passed_ms; /* by the clock on the wall, which may be set */
};

#define LONG_AGO (-(INT64_C(1) << 50))
#define NOT_NOW INT64_MAX
#define TRIES_IN_A_ROW 5
#define HINT_MOST 3600000
#define REST_JITTER 0.1

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* What lies between two requests when all goes well. */
static int64_t plain_rest(const struct door *door)
{
	const struct pv_manners *manners = door->manners;
	double delay =
	    (double)manners->delay_ms * (1 + manners->jitter * door->luck);
	double slow = (double)door->took_ms * manners->delay_factor;
	int64_t rest = later((int64_t)delay, door->crawl_delay_ms);
	rest = later(rest, sooner((int64_t)slow, manners->max_delay_ms));
	return later(rest, door->slowed_ms);
}

static int64_t rests_from(const struct door *door)
{
	return door->manners->delay_from == PV_DELAY_FROM_END
		   ? later(door->sent_at, door->ended_at)
		   : door->sent_at;
}

/* Times are known rounded up to the millisecond in which something happened.
 * A rest is counted from its end; where no rest is asked for, there is none
 * for the rounding to add. */
static int64_t rest_ends(int64_t began_at, bool has_rest, int64_t rest_ms)
{
	return has_rest ? began_at + rest_ms : began_at - 1;
}

/* If nothing is under way. */
static int64_t closed_until(const struct door *door)
{
	const struct pv_manners *manners = door->manners;
	int64_t rest_ms = plain_rest(door);
	int64_t at = rest_ends(rests_from(door),
	    rest_ms > 0 || manners->delay_factor > 0, rest_ms);
	at = later(at, later(door->retry_at, door->hint_at));
	at = later(at, door->others_at);
	if (manners->max_rate != PV_NONE &&
	    door->window_count >= manners->max_rate)
		at = later(at, door->window_at + manners->interval_ms);
	return later(at, later(door->rest_until, door->restored_at));
}

static int64_t door_opens(const struct door *door)
{
	bool must_be_alone = door->failures >= TRIES_IN_A_ROW;
	bool has_gap = plain_rest(door) > 0 ||
		       door->manners->delay_factor > 0 ||
		       door->manners->max_rate != PV_NONE;
	if ((door->connecting && has_gap) || door->trials ||
	    door->open >= door->manners->connections ||
	    (door->open && must_be_alone))
		return NOT_NOW;
	return closed_until(door);
}

static int64_t house_opens(const struct house *house)
{
	if (house->connecting && (house->ip_delay_ms || house->is_in_doubt))
		return NOT_NOW;
	int64_t at = rest_ends(
	    house->sent_at, house->ip_delay_ms > 0, house->ip_delay_ms);
	at = later(at, later(house->rest_until, house->restored_at));
	return later(at, house->others_at);
}

/* A rest with as much of the jitter as there could be. */
static int64_t with_luck(
    const struct pv_manners *manners, int64_t rest_ms, double luck)
{
	double most = (double)later(manners->backoff.max_ms, rest_ms);
	double rest = (double)rest_ms * (1 + REST_JITTER * luck);
	return (int64_t)(rest < most ? rest : most);
}

/* The next in a row. */
static int64_t grown(
    const struct pv_manners *manners, int64_t first_ms, int64_t row_ms)
{
	double rest = (double)row_ms * manners->backoff.factor;
	if (rest > (double)manners->backoff.max_ms)
		rest = (double)manners->backoff.max_ms;
	return row_ms ? later(first_ms, (int64_t)rest) : first_ms;
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

/* What counts in a row: other addresses than before, and nothing that was
 * under way; and each probe. */
static bool is_counted(const struct ended *ended, int64_t failed_at)
{
	return ended->is_probe ||
	       (!ended->end->is_repeat && ended->released_at >= failed_at);
}

/* Nothing was bad for long. */
static void door_is_forgiven(struct door *door)
{
	door->rest_ms = door->row_ms = door->failures = 0;
	door->is_in_doubt = false;
}

static void door_fails(struct door *door, const struct ended *ended)
{
	const struct pv_manners *manners = door->manners;
	bool is_busy = is_overload(ended->end);
	bool is_new = is_counted(ended, door->failed_at);
	int64_t first_ms = is_busy ? manners->backoff.overload_ms
				   : manners->backoff.failure_ms;
	if (ended->now >= door->rest_until + manners->backoff.forgive_ms)
		door_is_forgiven(door);
	door->blame = door->is_in_doubt ? sooner(door->blame, ended->end->asked)
					: (int64_t)ended->end->asked;
	if (is_new) {
		door->failures++;
		door->row_ms = grown(manners, first_ms, door->row_ms);
		door->rest_ms = later(door->rest_ms, door->row_ms);
	}
	bool is_old = ended->end->is_repeat && !ended->is_probe;
	int64_t rest_ms = is_old ? first_ms : later(first_ms, door->rest_ms);
	door->failed_at = ended->now;
	door->is_in_doubt = true;
	door->rest_until = later(door->rest_until,
	    ended->now + with_luck(manners, rest_ms, door->luck));
	if (!is_busy)
		return;
	int64_t twice = 2 * later(door->slowed_ms, manners->delay_ms);
	if (is_new)
		door->slowed_ms = sooner(twice, manners->max_delay_ms);
	door->slowed_since = door->rest_until;
}

/* What weighs less than what has failed says nothing of it, but that it has
 * been well for long. */
static void door_is_well(struct door *door, const struct ended *ended)
{
	int64_t forgive_ms = door->manners->backoff.forgive_ms;
	if (ended->released_at < door->failed_at)
		return;
	if (ended->released_at >= door->rest_until + forgive_ms)
		door_is_forgiven(door);
	if ((int64_t)ended->end->asked > door->blame && door->is_in_doubt)
		return;
	door->row_ms = door->failures = 0;
	door->is_in_doubt = false;
	if (ended->is_probe)
		door->rest_ms = 0;
}

static void door_forgives(struct door *door, int64_t now)
{
	int64_t forgive_ms = door->manners->backoff.forgive_ms;
	while (door->slowed_ms && now >= door->slowed_since + forgive_ms) {
		door->slowed_ms /= 2;
		door->slowed_since += forgive_ms;
		if (door->slowed_ms <= door->manners->delay_ms)
			door->slowed_ms = 0;
	}
}

/* True if it is to tell whether the door's host is well again. */
static bool door_released(struct door *door)
{
	bool is_trial = door->is_in_doubt;
	door->connecting++;
	door->trials += is_trial;
	door->open++;
	return is_trial;
}

static void door_sent(struct door *door, int64_t now)
{
	door->connecting -= door->connecting > 0;
	door->sent_at = now;
	door_forgives(door, now);
	if (now - door->window_at >= door->manners->interval_ms) {
		door->window_at = now;
		door->window_count = 0;
	}
	door->window_count++;
}

static void door_ended(struct door *door, const struct ended *ended)
{
	const struct pv_visit_end *end = ended->end;
	int64_t sent_at = ended->sent_at < 0 ? ended->now : ended->sent_at;
	door->open--;
	door->trials -= ended->is_trial;
	if (ended->sent_at < 0) {
		if (end->is_given_up) {
			door->connecting--;
			return;
		}
		door_sent(door, ended->now);
	}
	int64_t took_ms = later(0, ended->now - sent_at - end->held_ms);
	door->ended_at = later(door->ended_at, ended->now);
	door_forgives(door, ended->now);
	if (end->is_given_up) {
		/* it tells nothing */
	} else if (is_failure(end)) {
		door->took_ms = later(door->took_ms, took_ms);
		door_fails(door, ended);
	} else {
		bool is_robots = end->asked == PV_ASKED_ROBOTS;
		door->took_ms =
		    is_robots ? later(door->took_ms, took_ms) : took_ms;
		door_is_well(door, ended);
	}
	if (end->retry_after_ms > 0)
		door->retry_at =
		    later(door->retry_at, ended->now + end->retry_after_ms);
	if (end->hint_ms > 0)
		door->hint_at = later(door->hint_at,
		    ended->now + sooner(end->hint_ms, HINT_MOST));
}

static void house_ended(struct house *house, const struct pv_manners *manners,
    const struct ended *ended)
{
	int64_t first_ms = manners->backoff.failure_ms;
	if (ended->sent_at < 0)
		house->connecting--;
	if (ended->end->is_given_up)
		return;
	if (ended->sent_at < 0)
		house->sent_at = ended->now;
	if (!ended->end->is_unreachable) {
		if (ended->released_at >= house->failed_at) {
			house->is_in_doubt = false;
			house->row_ms = 0;
			if (ended->is_probe)
				house->rest_ms = 0;
		}
		return;
	}
	if (ended->now >= house->rest_until + later(manners->backoff.forgive_ms,
						  house->forgive_ms))
		house->rest_ms = house->row_ms = house->forgive_ms = 0;
	house->forgive_ms =
	    later(house->forgive_ms, manners->backoff.forgive_ms);
	if (is_counted(ended, house->failed_at)) {
		house->row_ms = grown(manners, first_ms, house->row_ms);
		house->rest_ms = later(house->rest_ms, house->row_ms);
	}
	bool is_old = ended->end->is_repeat && !ended->is_probe;
	int64_t rest_ms = is_old ? first_ms : later(first_ms, house->rest_ms);
	house->failed_at = ended->now;
	house->is_in_doubt = true;
	house->rest_until = later(house->rest_until,
	    ended->now + with_luck(manners, rest_ms, house->luck));
}

/* Another run */

/* How long it still is until then by the clock on the wall, where what lies
 * ahead is written down rounded up. */
static int64_t wall_left_of(int64_t until, const struct pause *pause)
{
	int64_t left = until - pause->saved_at - pause->wall_passed_ms;
	return until > pause->saved_at ? left + 1 : left;
}

/* A wait that is over lasted as long as the rest after a request, and no longer. */
static int64_t without_idleness(
    int64_t until, int64_t asked_at, int64_t rest_ms, const struct pause *pause)
{
	if (until > pause->saved_at || asked_at == LONG_AGO)
		return until;
	return sooner(pause->saved_at, asked_at + later(1, rest_ms));
}

/* When the wait began that was written down, where a millisecond may be lost;
 * LONG_AGO where there is none. */
static int64_t began_at(
    int64_t until, int64_t asked_at, double luck, const struct pause *pause)
{
	int64_t began = asked_at == LONG_AGO ? pause->saved_at : asked_at;
	int64_t passed = pause->saved_at - began + pause->wall_passed_ms -
			 (luck > 0 ? 0 : 1);
	return until > began ? pause->resumed_at - later(0, passed) : LONG_AGO;
}

/* How long to wait still: what was left of the plain rest in full, and the rest
 * by the clock on the wall, but never more than the whole wait. */
static int64_t left_of(int64_t rest_left_ms, int64_t until, int64_t asked_at,
    const struct pause *pause)
{
	int64_t whole =
	    until - (asked_at == LONG_AGO ? pause->saved_at : asked_at);
	int64_t left = wall_left_of(until, pause);
	return later(0, sooner(whole, later(rest_left_ms, left)));
}

static void door_waits_on(
    struct door *door, const struct door *before, const struct pause *pause)
{
	int64_t asked_at = rests_from(before);
	if (asked_at == LONG_AGO)
		asked_at = before->asked_before;
	int64_t base = before->open ? pause->saved_at : rests_from(before);
	int64_t rest_left_ms =
	    later(0, base + plain_rest(before) - pause->saved_at);
	int64_t until =
	    later(closed_until(before), pause->saved_at + rest_left_ms);
	until = without_idleness(until, asked_at, plain_rest(before), pause);
	door->restored_at = later(door->restored_at,
	    pause->resumed_at + left_of(rest_left_ms, until, asked_at, pause));
	door->asked_before = later(
	    door->asked_before, began_at(until, asked_at, door->luck, pause));
	door->took_ms = later(door->took_ms, before->took_ms);
}

static void door_rests_on(
    struct door *door, const struct door *before, const struct pause *pause)
{
	const struct pv_manners *manners = door->manners;
	int64_t left_ms = wall_left_of(before->rest_until, pause);
	/* Of a row it is known for certain that the door is in doubt; else it
	 * may be taken for that, and since when is not known. */
	if (!door->is_in_doubt)
		door->blame = PV_ASKED_RESOURCE;
	if (before->failures || door->luck > 0)
		door->is_in_doubt = true;
	if (door->luck > 0)
		door->rest_until = later(door->rest_until, pause->resumed_at);
	if (!before->rest_ms)
		return;
	double most = (double)before->rest_ms * (1 + REST_JITTER * door->luck);
	int64_t until = pause->resumed_at + sooner((int64_t)most, left_ms);
	door->rest_until =
	    door->rest_ms ? later(door->rest_until, until) : until;
	door->rest_ms = later(door->rest_ms, before->rest_ms);
	if (before->failures > door->failures) {
		door->failures = before->failures;
		door->row_ms = door->rest_ms;
	}
	/* That it was slowed may be forgotten, or not. */
	if (door->luck > 0)
		door->slowed_ms = manners->max_delay_ms;
	door->slowed_since = later(pause->resumed_at, door->rest_until);
}

static void door_counts_on(
    struct door *door, const struct door *before, const struct pause *pause)
{
	int64_t interval_ms = door->manners->interval_ms;
	int64_t left_ms = sooner(
	    interval_ms, wall_left_of(before->window_at + interval_ms, pause));
	if (!before->window_count || left_ms <= 0)
		return;
	door->window_at =
	    later(door->window_at, pause->resumed_at + left_ms - interval_ms);
	door->window_count = later(door->window_count, before->window_count);
}

static void door_goes_on(
    struct door *door, const struct door *before, const struct pause *pause)
{
	door_waits_on(door, before, pause);
	door_rests_on(door, before, pause);
	door_counts_on(door, before, pause);
}

static void house_goes_on(
    struct house *house, const struct house *before, const struct pause *pause)
{
	int64_t base = before->connecting ? pause->saved_at : before->sent_at;
	int64_t rest_left_ms =
	    later(0, base + before->ip_delay_ms - pause->saved_at);
	int64_t until = before->sent_at + before->ip_delay_ms;
	until = later(until, later(before->rest_until, before->restored_at));
	until = later(until, before->others_at);
	until = later(until, pause->saved_at + rest_left_ms);
	if (house->luck > 0)
		house->is_in_doubt = true;
	int64_t asked_at = before->sent_at == LONG_AGO ? before->asked_before
						       : before->sent_at;
	until = without_idleness(until, asked_at, before->ip_delay_ms, pause);
	house->restored_at = later(house->restored_at,
	    pause->resumed_at + left_of(rest_left_ms, until, asked_at, pause));
	house->asked_before = later(
	    house->asked_before, began_at(until, asked_at, house->luck, pause));
}

#endif
