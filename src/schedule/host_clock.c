#include "schedule/host_clock.h"

#include "base/least.h"
#include "base/system.h"
#include "policy/values/value.h"

/* What servers may ask for at most, so that no sum overflows. Whether so long
 * a wait is waited out is the policy's to say (give_up_over). */
#define ASKED_MAX_MS (INT64_C(3650) * 24 * 3600 * 1000)

/* A hint is no order: longer than this it is not followed. */
#define HINT_MAX_MS (3600 * 1000)

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

void pv_host_clock_init(struct pv_host_clock *clock)
{
	*clock = (struct pv_host_clock){
	    .last_start = -1, .last_end = -1, .asked_before = PV_LONG_AGO};
}

void pv_host_clock_ask_delay(
    struct pv_host_clock *clock, int64_t delay_ms, bool is_shared)
{
	int64_t asked_ms = pv_smaller(pv_larger(delay_ms, 0), ASKED_MAX_MS);
	clock->crawl_delay_ms =
	    is_shared ? pv_larger(clock->crawl_delay_ms, asked_ms) : asked_ms;
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

/* What an answer took is known in whole milliseconds, too: one that took none
 * may have taken a part of one. */
static int64_t slow_until(
    const struct pv_host_clock *clock, const struct pv_pace *pace, int64_t base)
{
	return pace->delay_factor > 0 ? base + slow_delay(clock, pace) : 0;
}

static void rest_from(const struct pv_host_clock *clock,
    const struct pv_pace *pace, int64_t base, struct pv_wait *wait)
{
	pv_wait_for(
	    wait, pv_rest_end(base, drawn_delay(clock, pace)), PV_WAIT_DELAY);
	pv_wait_for(wait, pv_rest_end(base, clock->crawl_delay_ms),
	    PV_WAIT_CRAWL_DELAY);
	pv_wait_for(wait, slow_until(clock, pace, base), PV_WAIT_SLOW);
	pv_wait_for(
	    wait, pv_rest_end(base, clock->slowness.rest_ms), PV_WAIT_SLOWED);
}

/* Whence the rest between requests is counted; negative if from nowhere. */
static int64_t base_of(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	return pace->is_from_end ? pv_larger(clock->last_start, clock->last_end)
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
	pv_wait_for(&wait, clock->hint_until, PV_WAIT_HINT);
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

/* Whether the next request must wait for those that have not gone out: where
 * nothing lies between two starts, there is no gap for connecting to
 * shorten. */
static bool waits_for_start(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	return clock->connecting &&
	       (pace->max_rate != PV_NONE || pace->delay_factor > 0 ||
		   pv_host_clock_rest_ms(clock, pace) > 0);
}

struct pv_wait pv_host_clock_next(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	if (clock->is_trying)
		return (struct pv_wait){PV_NEVER, PV_WAIT_PROBE};
	if (waits_for_start(clock, pace))
		return (struct pv_wait){PV_NEVER, PV_WAIT_CONNECTING};
	if ((int64_t)clock->open >= pace->connections ||
	    (clock->open && pv_backoff_wants_probe(&clock->backoff)))
		return (struct pv_wait){PV_NEVER, PV_WAIT_CONNECTIONS};
	return pv_host_clock_due(clock, pace);
}

enum pv_trial pv_host_clock_release(struct pv_host_clock *clock)
{
	enum pv_trial trial = pv_backoff_trial(&clock->backoff);
	clock->connecting++;
	clock->is_trying = trial != PV_TRIAL_NOT;
	clock->open++;
	return trial;
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
	clock->connecting -= clock->connecting > 0;
	clock->last_start = pv_larger(clock->last_start, now);
	clock->draw = draw;
	count_start(clock, pace, now);
	pv_slowness_forgive(&clock->slowness, pace, now);
}

/* But for what we held back ourselves. */
static int64_t time_taken(
    const struct pv_visit_end *end, struct pv_flight_times times)
{
	return pv_larger(times.ended_at - times.started_at - end->held_ms, 0);
}

/* A failure that came fast says nothing about how fast the server is. */
static void learn_failure(struct pv_host_clock *clock,
    const struct pv_pace *pace, const struct pv_visit_end *end,
    struct pv_flight_times times)
{
	bool is_overload = pv_visit_end_is_overload(end);
	const struct pv_failure failure = {
	    .began_at = times.released_at,
	    .failed_at = times.ended_at,
	    .draw = times.draw,
	    .asked = end->asked,
	    .is_repeat = end->is_repeat,
	    .is_probe = times.trial == PV_TRIAL_PROBE,
	};
	bool is_counted = pv_backoff_fail(&clock->backoff,
	    is_overload ? &pace->overload : &pace->failure, &failure);
	clock->took_ms = pv_larger(clock->took_ms, time_taken(end, times));
	clock->is_overload = is_overload;
	if (!is_overload)
		return;
	if (is_counted)
		pv_slowness_double(&clock->slowness, pace);
	clock->slowness.since = clock->backoff.until;
}

/* A robots.txt is mostly quick, however slow pages are. */
static void learn_answer(struct pv_host_clock *clock,
    const struct pv_pace *pace, const struct pv_visit_end *end,
    struct pv_flight_times times)
{
	const struct pv_success success = {
	    .began_at = times.released_at,
	    .asked = end->asked,
	    .is_probe = times.trial == PV_TRIAL_PROBE,
	};
	int64_t took_ms = time_taken(end, times);
	clock->took_ms = end->asked == PV_ASKED_ROBOTS
			     ? pv_larger(clock->took_ms, took_ms)
			     : took_ms;
	pv_backoff_succeed(&clock->backoff, &pace->failure, &success);
}

static int64_t asked_until(
    int64_t until, int64_t now, int64_t asked_ms, int64_t most_ms)
{
	return asked_ms > 0
		   ? pv_larger(until, now + pv_smaller(asked_ms, most_ms))
		   : until;
}

static void learn(struct pv_host_clock *clock, const struct pv_pace *pace,
    const struct pv_visit_end *end, struct pv_flight_times times)
{
	pv_slowness_forgive(&clock->slowness, pace, times.ended_at);
	if (pv_visit_end_is_overload(end) || pv_visit_end_is_failure(end))
		learn_failure(clock, pace, end, times);
	else if (!end->is_given_up)
		learn_answer(clock, pace, end, times);
	clock->retry_until = asked_until(clock->retry_until, times.ended_at,
	    end->retry_after_ms, ASKED_MAX_MS);
	clock->hint_until = asked_until(
	    clock->hint_until, times.ended_at, end->hint_ms, HINT_MAX_MS);
}

void pv_host_clock_end(struct pv_host_clock *clock, const struct pv_pace *pace,
    const struct pv_visit_end *end, struct pv_flight_times times)
{
	clock->open--;
	if (times.trial != PV_TRIAL_NOT)
		clock->is_trying = false;
	if (times.started_at < 0) {
		if (end->is_given_up) {
			clock->connecting--;
			return;
		}
		times.started_at = times.ended_at;
		pv_host_clock_start(clock, pace, clock->draw, times.ended_at);
	}
	clock->last_end = pv_larger(clock->last_end, times.ended_at);
	learn(clock, pace, end, times);
}

void pv_host_clock_rest(struct pv_host_clock *clock, int64_t now)
{
	clock->last_start = pv_larger(clock->last_start, now);
	clock->last_end = pv_larger(clock->last_end, now);
}

int64_t pv_host_clock_forget_at(
    const struct pv_host_clock *clock, const struct pv_pace *pace)
{
	int64_t at = pv_host_clock_due(clock, pace).until;
	if (clock->window_count)
		at = pv_larger(at, clock->window_start + pace->interval_ms);
	if (clock->backoff.rest_ms || clock->backoff.is_in_doubt)
		at = pv_larger(at,
		    pv_backoff_forgiven_at(&clock->backoff, &pace->failure));
	return pv_larger(at, pv_slowness_ends(&clock->slowness, pace));
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
	return pv_larger(0, rest.until - now);
}

/* The end of its wait. One that is over lasted as long as the rest after a
 * request: the idle time since then is no part of it. */
static struct pv_wait wait_to_save(const struct pv_host_clock *clock,
    const struct pv_pace *pace, int64_t asked_at, int64_t now)
{
	struct pv_wait next = pv_host_clock_due(clock, pace);
	pv_wait_for(&next, now + rest_left(clock, pace, now), PV_WAIT_DELAY);
	if (next.until <= now)
		next.until = pv_saved_due(
		    asked_at, pv_host_clock_rest_ms(clock, pace), now);
	return next;
}

struct pv_saved_clock pv_host_clock_save(const struct pv_host_clock *clock,
    const struct pv_pace *pace, struct pv_time now)
{
	int64_t asked_at = base_of(clock, pace);
	if (asked_at < 0)
		asked_at = clock->asked_before;
	if (asked_at == PV_LONG_AGO)
		asked_at = now.monotonic_ms;
	struct pv_wait next =
	    wait_to_save(clock, pace, asked_at, now.monotonic_ms);
	return (struct pv_saved_clock){
	    .left_ms = rest_left(clock, pace, now.monotonic_ms),
	    .until_wall_ms = pv_saved_until_wall(next.until, now),
	    .wait_ms = pv_larger(0, next.until - asked_at),
	    .reason = next.reason,
	    .took_ms = clock->took_ms,
	    .rest_ms = clock->backoff.rest_ms,
	    .rest_until_wall_ms =
		pv_saved_until_wall(clock->backoff.until, now),
	    .failures = clock->backoff.failures,
	    .window_until_wall_ms = pv_saved_until_wall(
		clock->window_start + pace->interval_ms, now),
	    .window_count = clock->window_count,
	};
}

/* For what it failed is not known any more. */
static bool was_in_doubt(const struct pv_saved_clock *saved)
{
	return saved->failures > 0 || saved->reason == PV_WAIT_OVERLOAD ||
	       saved->reason == PV_WAIT_FAILURE;
}

static void restore_backoff(struct pv_host_clock *clock,
    const struct pv_pace *pace, const struct pv_saved_clock *saved,
    struct pv_time now)
{
	struct pv_backoff *backoff = &clock->backoff;
	int64_t rest_ms = pv_saved_ms(saved->rest_ms);
	double most = (double)rest_ms * (1 + pace->failure.jitter);
	if (was_in_doubt(saved) && !backoff->is_in_doubt) {
		backoff->is_in_doubt = true;
		backoff->earned_by = PV_ASKED_RESOURCE;
	}
	if (!rest_ms)
		return;
	int64_t until =
	    now.monotonic_ms + pv_saved_wall_left(saved->rest_until_wall_ms,
				   (int64_t)most, now.wall_ms);
	bool is_new = !backoff->rest_ms && backoff->until <= now.monotonic_ms;
	backoff->until = is_new ? until : pv_larger(backoff->until, until);
	backoff->rest_ms = pv_larger(backoff->rest_ms, rest_ms);
	if (saved->failures <= backoff->failures)
		return;
	backoff->failures = (uint32_t)pv_smaller(saved->failures, UINT32_MAX);
	backoff->row_ms = backoff->rest_ms;
}

/* Who had too much to do is not told from others but by the reason to wait. */
static void restore_slowness(struct pv_host_clock *clock,
    const struct pv_pace *pace, const struct pv_saved_clock *saved, int64_t now)
{
	if (saved->reason == PV_WAIT_OVERLOAD)
		clock->is_overload = true;
	if (saved->reason == PV_WAIT_OVERLOAD ||
	    saved->reason == PV_WAIT_SLOWED ||
	    saved->reason == PV_WAIT_RETRY_AFTER)
		pv_slowness_restore(&clock->slowness, pace,
		    pv_saved_ms(saved->rest_ms),
		    pv_larger(clock->backoff.until, now));
}

static void restore_window(struct pv_host_clock *clock,
    const struct pv_pace *pace, const struct pv_saved_clock *saved,
    struct pv_time now)
{
	int64_t left_ms = pv_saved_wall_left(
	    saved->window_until_wall_ms, pace->interval_ms, now.wall_ms);
	int64_t start = now.monotonic_ms + left_ms - pace->interval_ms;
	if (saved->window_count <= 0 || left_ms <= 0)
		return;
	uint32_t count = (uint32_t)pv_smaller(saved->window_count, UINT32_MAX);
	bool is_new = !clock->window_count;
	clock->window_start =
	    is_new ? start : pv_larger(clock->window_start, start);
	if (clock->window_count < count)
		clock->window_count = count;
}

void pv_host_clock_restore(struct pv_host_clock *clock,
    const struct pv_pace *pace, const struct pv_saved_clock *saved,
    struct pv_time now)
{
	const struct pv_saved_wait wait = {
	    saved->left_ms, saved->until_wall_ms, saved->wait_ms};
	int64_t left_ms = pv_saved_wait_left(wait, now.wall_ms);
	pv_wait_for(
	    &clock->restored, now.monotonic_ms + left_ms, saved->reason);
	clock->took_ms = pv_larger(clock->took_ms, pv_saved_ms(saved->took_ms));
	clock->asked_before =
	    pv_larger(clock->asked_before, pv_saved_began_at(wait, now));
	if (pv_host_clock_rest_ms(clock, pace) > saved->wait_ms)
		pv_wait_for(&clock->restored,
		    clock->asked_before + pv_host_clock_rest_ms(clock, pace),
		    PV_WAIT_DELAY);
	restore_backoff(clock, pace, saved, now);
	restore_slowness(clock, pace, saved, now.monotonic_ms);
	restore_window(clock, pace, saved, now);
}
