#include "schedule/address_clock.h"

void pv_address_clock_init(struct pv_address_clock *clock)
{
	*clock = (struct pv_address_clock){
	    .last_start = -1, .asked_before = PV_LONG_AGO};
}

void pv_address_clock_join(
    struct pv_address_clock *clock, const struct pv_pace *pace)
{
	if (clock->ip_delay_ms < pace->ip_delay_ms)
		clock->ip_delay_ms = pace->ip_delay_ms;
}

struct pv_wait pv_address_clock_due(const struct pv_address_clock *clock)
{
	struct pv_wait wait = {0, PV_WAIT_NOT};
	if (clock->last_start >= 0)
		pv_wait_for(&wait,
		    pv_rest_end(clock->last_start, clock->ip_delay_ms),
		    PV_WAIT_ADDRESS);
	pv_wait_for(&wait, clock->backoff.until, PV_WAIT_ADDRESS_FAILURE);
	pv_wait_for(&wait, clock->restored_until, PV_WAIT_ADDRESS);
	pv_wait_for(&wait, clock->others_until, PV_WAIT_OTHERS);
	return wait;
}

struct pv_wait pv_address_clock_next(const struct pv_address_clock *clock)
{
	bool is_alone = clock->ip_delay_ms || clock->backoff.is_in_doubt;
	if (clock->connecting && is_alone)
		return (struct pv_wait){PV_NEVER, PV_WAIT_ADDRESS};
	return pv_address_clock_due(clock);
}

void pv_address_clock_release(struct pv_address_clock *clock)
{
	clock->connecting++;
}

void pv_address_clock_start(struct pv_address_clock *clock, int64_t now)
{
	clock->connecting--;
	pv_address_clock_rest(clock, now);
}

/* Whatever was asked for, it has been reached. */
static void succeed(struct pv_address_clock *clock, const struct pv_pace *pace,
    struct pv_flight_times times)
{
	const struct pv_success success = {
	    .began_at = times.released_at,
	    .is_probe = times.trial == PV_TRIAL_PROBE,
	};
	pv_backoff_succeed(&clock->backoff, &pace->failure, &success);
}

void pv_address_clock_end(struct pv_address_clock *clock,
    const struct pv_pace *pace, const struct pv_visit_end *end,
    struct pv_flight_times times)
{
	if (times.started_at < 0) {
		clock->connecting--;
		if (end->is_given_up)
			return;
		pv_address_clock_rest(clock, times.ended_at);
	}
	const struct pv_failure failure = {
	    .began_at = times.released_at,
	    .failed_at = times.ended_at,
	    .draw = times.draw,
	    .is_repeat = end->is_repeat,
	    .is_probe = times.trial == PV_TRIAL_PROBE,
	};
	if (end->is_given_up)
		return;
	if (end->is_unreachable)
		pv_backoff_fail(&clock->backoff, &pace->failure, &failure);
	else
		succeed(clock, pace, times);
}

void pv_address_clock_rest(struct pv_address_clock *clock, int64_t now)
{
	if (clock->last_start < now)
		clock->last_start = now;
}

/* A request that is about to go out may do so at any time. */
static int64_t rest_left(const struct pv_address_clock *clock, int64_t now)
{
	int64_t base = clock->connecting ? now : clock->last_start;
	int64_t until = pv_rest_end(base, clock->ip_delay_ms);
	return base >= 0 && until > now ? until - now : 0;
}

void pv_address_clock_save(const struct pv_address_clock *clock,
    struct pv_time now, struct pv_saved_clock *saved)
{
	int64_t left_ms = rest_left(clock, now.monotonic_ms);
	int64_t asked_at =
	    clock->last_start < 0 ? clock->asked_before : clock->last_start;
	if (asked_at == PV_LONG_AGO)
		asked_at = now.monotonic_ms;
	struct pv_wait next = pv_address_clock_due(clock);
	pv_wait_for(&next, now.monotonic_ms + left_ms, PV_WAIT_ADDRESS);
	if (next.until <= now.monotonic_ms)
		next.until = pv_saved_due(
		    asked_at, clock->ip_delay_ms, now.monotonic_ms);
	saved->address_left_ms = left_ms;
	saved->address_until_wall_ms = pv_saved_until_wall(next.until, now);
	saved->address_wait_ms =
	    next.until > asked_at ? next.until - asked_at : 0;
}

void pv_address_clock_restore(struct pv_address_clock *clock,
    const struct pv_saved_clock *saved, struct pv_time now)
{
	const struct pv_saved_wait wait = {saved->address_left_ms,
	    saved->address_until_wall_ms, saved->address_wait_ms};
	int64_t until =
	    now.monotonic_ms + pv_saved_wait_left(wait, now.wall_ms);
	int64_t began_at = pv_saved_began_at(wait, now);
	if (clock->asked_before < began_at)
		clock->asked_before = began_at;
	int64_t rested_until = began_at + clock->ip_delay_ms;
	if (clock->ip_delay_ms > saved->address_wait_ms &&
	    clock->restored_until < rested_until)
		clock->restored_until = rested_until;
	int64_t *kept = saved->address_wait_ms > clock->ip_delay_ms
			    ? &clock->backoff.until
			    : &clock->restored_until;
	if (*kept < until)
		*kept = until;
	if (kept == &clock->backoff.until && until > now.monotonic_ms)
		clock->backoff.is_in_doubt = true;
}

int64_t pv_address_clock_forget_at(
    const struct pv_address_clock *clock, const struct pv_pace *pace)
{
	int64_t at = pv_address_clock_due(clock).until;
	int64_t forgiven_at =
	    pv_backoff_forgiven_at(&clock->backoff, &pace->failure);
	return clock->backoff.rest_ms && forgiven_at > at ? forgiven_at : at;
}
