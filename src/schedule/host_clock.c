#include "schedule/host_clock.h"

#include "base/clock.h"
#include "policy/value.h"

/* What servers may ask for at most, so that no sum overflows. Whether so long
 * a wait is waited out is the policy's to say (give_up_over). */
#define ASKED_MAX_MS (INT64_C(3650) * 24 * 3600 * 1000)

/* RFC 6585, 4; RFC 9110, 15.6.4. */
bool pv_visit_end_is_overload(const struct pv_visit_end *end)
{
	return !end->is_given_up && (end->status == 429 || end->status == 503);
}

/* RFC 9110, 15.6: the server is aware that it has erred. */
bool pv_visit_end_is_failure(const struct pv_visit_end *end)
{
	if (end->is_given_up || pv_visit_end_is_overload(end))
		return false;
	return !end->status || end->status >= 500 || end->is_broken ||
	       end->is_unreachable;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void pv_host_clock_init(struct pv_host_clock *clock)
{
	*clock = (struct pv_host_clock){.last_start = -1, .last_end = -1};
}

void pv_host_clock_ask_delay(
    struct pv_host_clock *clock, int64_t delay_ms, bool is_shared)
{
	int64_t asked_ms = smaller(larger(delay_ms, 0), ASKED_MAX_MS);
	clock->crawl_delay_ms =
	    is_shared ? larger(clock->crawl_delay_ms, asked_ms) : asked_ms;
}

/* Between 1 and 1 + jitter times the delay, never under it. */
static int64_t drawn_delay(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	double fraction = (double)clock->draw / 4294967296.0;
	double more = (double)pace->delay_ms * pace->jitter * fraction;
	return pace->delay_ms + (int64_t)more;
}

static int64_t slow_delay(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	double times = (double)clock->took_ms * pace->delay_factor;
	return times < (double)pace->max_delay_ms ? (int64_t)times
						  : pace->max_delay_ms;
}

static void rest_from(const struct pv_host_clock *clock,
    const struct pv_pace *pace, int64_t base, struct pv_wait *wait)
{
	pv_wait_for(wait, base + drawn_delay(clock, pace), PV_WAIT_DELAY);
	pv_wait_for(wait, base + clock->crawl_delay_ms, PV_WAIT_CRAWL_DELAY);
	pv_wait_for(wait, base + slow_delay(clock, pace), PV_WAIT_SLOW);
}

/* Whence the rest between requests is counted; negative if from nowhere. */
static int64_t base_of(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	return pace->is_from_end ? larger(clock->last_start, clock->last_end)
				 : clock->last_start;
}

struct pv_wait pv_host_clock_due(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	struct pv_wait wait = {0, PV_WAIT_NOT};
	int64_t base = base_of(clock, pace);
	if (base >= 0)
		rest_from(clock, pace, base, &wait);
	if (pace->max_rate != PV_NONE &&
	    (int64_t)clock->window_count >= pace->max_rate)
		pv_wait_for(&wait, clock->window_start + pace->interval_ms,
		    PV_WAIT_HOST_RATE);
	pv_wait_for(&wait, clock->retry_until, PV_WAIT_RETRY_AFTER);
	pv_wait_for(&wait, clock->backoff.until,
	    clock->is_overload ? PV_WAIT_OVERLOAD : PV_WAIT_FAILURE);
	pv_wait_for(&wait, clock->restored.until, clock->restored.reason);
	pv_wait_for(&wait, clock->others_until, PV_WAIT_OTHERS);
	return wait;
}

int64_t pv_host_clock_rest_ms(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	struct pv_wait rest = {0, PV_WAIT_NOT};
	rest_from(clock, pace, 0, &rest);
	return rest.until;
}

struct pv_wait pv_host_clock_next(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	if (clock->is_connecting)
		return (struct pv_wait){PV_NEVER, PV_WAIT_CONNECTING};
	if ((int64_t)clock->open >= pace->connections)
		return (struct pv_wait){PV_NEVER, PV_WAIT_CONNECTIONS};
	return pv_host_clock_due(clock, pace);
}

void pv_host_clock_release(struct pv_host_clock *clock)
{
	clock->is_connecting = true;
	clock->open++;
}

/* An interval of the bucket begins with a request, so that idle time fills
 * nothing. */
static void count_start(
    struct pv_host_clock *clock, const struct pv_pace *pace, int64_t now)
{
	if (pace->max_rate == PV_NONE)
		return;
	if (!clock->window_count ||
	    now - clock->window_start >= pace->interval_ms) {
		clock->window_start = now;
		clock->window_count = 0;
	}
	clock->window_count++;
}

void pv_host_clock_start(struct pv_host_clock *clock,
    const struct pv_pace *pace, uint32_t draw, int64_t now)
{
	clock->is_connecting = false;
	clock->last_start = larger(clock->last_start, now);
	clock->draw = draw;
	count_start(clock, pace, now);
}

/* A failure that came fast says nothing about how fast the server is. */
static void learn(struct pv_host_clock *clock, const struct pv_pace *pace,
    const struct pv_visit_end *end, struct pv_flight_times times)
{
	int64_t took_ms = times.ended_at - times.started_at;
	bool is_overload = pv_visit_end_is_overload(end);
	if (is_overload || pv_visit_end_is_failure(end)) {
		clock->took_ms = larger(clock->took_ms, took_ms);
		clock->is_overload = is_overload;
		pv_backoff_fail(&clock->backoff,
		    is_overload ? &pace->overload : &pace->failure,
		    times.released_at, times.ended_at);
	} else if (!end->is_given_up) {
		clock->took_ms = took_ms;
		pv_backoff_succeed(&clock->backoff, times.released_at);
	}
	if (end->retry_after_ms > 0)
		clock->retry_until = larger(clock->retry_until,
		    times.ended_at +
			smaller(end->retry_after_ms, ASKED_MAX_MS));
}

void pv_host_clock_end(struct pv_host_clock *clock, const struct pv_pace *pace,
    const struct pv_visit_end *end, struct pv_flight_times times)
{
	clock->open--;
	if (times.started_at < 0) {
		clock->is_connecting = false;
		if (end->is_given_up)
			return;
		times.started_at = times.ended_at;
		pv_host_clock_start(clock, pace, clock->draw, times.ended_at);
	}
	clock->last_end = larger(clock->last_end, times.ended_at);
	learn(clock, pace, end, times);
}

void pv_host_clock_rest(struct pv_host_clock *clock, int64_t now)
{
	clock->last_start = larger(clock->last_start, now);
	clock->last_end = larger(clock->last_end, now);
}

int64_t pv_host_clock_forget_at(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	int64_t at = pv_host_clock_due(clock, pace).until;
	if (clock->window_count)
		at = larger(at, clock->window_start + pace->interval_ms);
	if (clock->backoff.rest_ms)
		at =
		    larger(at, clock->backoff.until + pace->failure.forgive_ms);
	return at;
}

/* A request that is open may end at any time and begin the rest anew. */
static int64_t rest_left(
    const struct pv_host_clock *clock, const struct pv_pace *pace, int64_t now)
{
	struct pv_wait rest = {0, PV_WAIT_NOT};
	int64_t base = clock->open ? now : base_of(clock, pace);
	if (base < 0)
		return 0;
	rest_from(clock, pace, base, &rest);
	return larger(0, rest.until - now);
}

struct pv_saved_clock pv_host_clock_save(const struct pv_host_clock *clock,
    const struct pv_pace *pace, struct pv_time now)
{
	int64_t to_wall_ms = now.wall_ms - now.monotonic_ms;
	struct pv_wait next = pv_host_clock_due(clock, pace);
	int64_t left_ms = rest_left(clock, pace, now.monotonic_ms);
	pv_wait_for(&next, now.monotonic_ms + left_ms, PV_WAIT_DELAY);
	int64_t asked_at = larger(clock->last_start, clock->last_end);
	if (asked_at < 0)
		asked_at = now.monotonic_ms;
	return (struct pv_saved_clock){
	    .left_ms = left_ms,
	    .until_wall_ms = next.until + to_wall_ms,
	    .wait_ms = larger(0, next.until - asked_at),
	    .reason = next.reason,
	    .took_ms = clock->took_ms,
	    .rest_ms = clock->backoff.rest_ms,
	    .rest_until_wall_ms = clock->backoff.until + to_wall_ms,
	    .window_until_wall_ms =
		clock->window_start + pace->interval_ms + to_wall_ms,
	    .window_count = clock->window_count,
	};
}

/* How long until then, however the wall clock has been set in between: never
 * longer than it could be. */
static int64_t wall_left(
    int64_t until_wall_ms, int64_t most_ms, int64_t wall_ms)
{
	return smaller(most_ms, until_wall_ms - wall_ms);
}

void pv_host_clock_restore(struct pv_host_clock *clock,
    const struct pv_pace *pace, const struct pv_saved_clock *saved,
    struct pv_time now)
{
	int64_t left_ms =
	    larger(saved->left_ms, saved->until_wall_ms - now.wall_ms);
	clock->restored = (struct pv_wait){
	    now.monotonic_ms + smaller(left_ms, saved->wait_ms),
	    saved->reason,
	};
	clock->took_ms = saved->took_ms;
	clock->is_overload = saved->reason == PV_WAIT_OVERLOAD;
	clock->backoff = (struct pv_backoff){.rest_ms = saved->rest_ms};
	if (saved->rest_ms) {
		clock->backoff.failed_at = now.monotonic_ms;
		clock->backoff.until =
		    now.monotonic_ms + wall_left(saved->rest_until_wall_ms,
					   saved->rest_ms, now.wall_ms);
	}
	int64_t window_left_ms = wall_left(
	    saved->window_until_wall_ms, pace->interval_ms, now.wall_ms);
	if (saved->window_count > 0 && window_left_ms > 0) {
		clock->window_start =
		    now.monotonic_ms + window_left_ms - pace->interval_ms;
		clock->window_count = (uint32_t)saved->window_count;
	}
}
