#include "schedule/address_clock.h"

#include "policy/values/value.h"
#include "tap.h"

#define MINUTE 60000
#define DAY (INT64_C(24) * 60 * MINUTE)
#define WALL (20000 * DAY)

static const struct pv_pace slow = {
    .ip_delay_ms = 250, .failure = {5000, 2, 600000, 30 * MINUTE, .jitter = 0}};
static const struct pv_pace fast = {
    .ip_delay_ms = 0, .failure = {5000, 2, 600000, 30 * MINUTE, .jitter = 0}};

static const struct pv_pace forgiving = {
    .ip_delay_ms = 0, .failure = {50, 2, 600000, MINUTE, .jitter = 0}};

static const struct pv_visit_end well = {
    .status = 200, .retry_after_ms = PV_NONE};
static const struct pv_visit_end dead = {.is_unreachable = true};
static const struct pv_visit_end busy = {
    .status = 503, .retry_after_ms = 3600000};

/* When a request was released, sent and ended. */
static struct pv_flight_times flight(
    int64_t released_at, int64_t started_at, int64_t ended_at)
{
	return (struct pv_flight_times){.released_at = released_at,
	    .started_at = started_at,
	    .ended_at = ended_at};
}

static void test_starts(void)
{
	struct pv_address_clock clock;
	pv_address_clock_init(&clock);
	pv_address_clock_join(&clock, &slow);
	pv_address_clock_join(&clock, &fast);
	ok(pv_address_clock_next(&clock).until <= 0,
	    "a new address may be asked at once");
	pv_address_clock_release(&clock);
	ok(pv_address_clock_next(&clock).until == PV_NEVER,
	    "P1: while a request is about to go out, no other is");
	pv_address_clock_start(&clock, 1000);
	ok(pv_address_clock_next(&clock).until == 1250,
	    "P1: the longest ip_delay of its hosts counts, from the start");
	pv_address_clock_end(&clock, &slow, &busy, flight(900, 1000, 1100));
	ok(pv_address_clock_next(&clock).until == 1250,
	    "what a host answers does not count, nor its Retry-After");
	pv_address_clock_init(&clock);
	pv_address_clock_join(&clock, &slow);
	pv_address_clock_release(&clock);
	pv_address_clock_start(&clock, 0);
	ok(pv_address_clock_next(&clock).until == 250,
	    "P1: also from a start in the first millisecond of all");
}

static void test_no_delay(void)
{
	struct pv_address_clock clock;
	pv_address_clock_init(&clock);
	pv_address_clock_join(&clock, &fast);
	pv_address_clock_release(&clock);
	pv_address_clock_release(&clock);
	ok(pv_address_clock_next(&clock).until <= 0,
	    "without a delay any number may be about to go out");
}

static void test_failures(void)
{
	struct pv_address_clock clock;
	struct pv_visit_end given_up = {.is_given_up = true};
	pv_address_clock_init(&clock);
	pv_address_clock_join(&clock, &slow);
	pv_address_clock_release(&clock);
	pv_address_clock_end(&clock, &slow, &given_up, flight(0, -1, 300));
	ok(pv_address_clock_next(&clock).until <= 0,
	    "what was given up before it began costs nothing");
	pv_address_clock_release(&clock);
	pv_address_clock_end(&clock, &slow, &dead, flight(300, -1, 400));
	struct pv_wait wait = pv_address_clock_next(&clock);
	ok(wait.until == 5400 && wait.reason == PV_WAIT_ADDRESS_FAILURE,
	    "P2: a failure to connect lets the address rest");
	pv_address_clock_release(&clock);
	pv_address_clock_end(&clock, &slow, &dead, flight(5400, -1, 5400));
	ok(pv_address_clock_next(&clock).until == 15400,
	    "P2: and twice as long after the second");
	ok(pv_address_clock_forget_at(&clock, &slow) == 15400 + 30 * MINUTE,
	    "it is kept until that is forgiven");
}

static void test_probes(void)
{
	struct pv_address_clock clock;
	struct pv_visit_end again = {.is_unreachable = true, .is_repeat = true};
	struct pv_flight_times probe = flight(6000, -1, 6000);
	probe.trial = PV_TRIAL_PROBE;
	pv_address_clock_init(&clock);
	pv_address_clock_join(&clock, &slow);
	pv_address_clock_release(&clock);
	pv_address_clock_end(&clock, &slow, &dead, flight(0, -1, 0));
	pv_address_clock_release(&clock);
	pv_address_clock_end(&clock, &slow, &again, flight(5000, -1, 5000));
	ok(pv_address_clock_next(&clock).until == 10000,
	    "what has failed before costs the first rest");
	pv_address_clock_release(&clock);
	pv_address_clock_end(&clock, &slow, &again, probe);
	ok(pv_address_clock_next(&clock).until == 16000,
	    "P2: but a probe makes it grow");
	probe = flight(16000, 16000, 17000);
	probe.trial = PV_TRIAL_PROBE;
	pv_address_clock_release(&clock);
	pv_address_clock_start(&clock, 16000);
	pv_address_clock_end(&clock, &slow, &busy, probe);
	ok(pv_address_clock_next(&clock).until == 16250 &&
		!clock.backoff.rest_ms,
	    "one that gets through leaves nothing but ip_delay");
}

/* Hosts that share an address and need no ip_delay. */
static void test_trial(void)
{
	static const struct pv_visit_end good = {.status = 200};
	struct pv_pace none = slow;
	struct pv_address_clock clock;
	none.ip_delay_ms = 0;
	pv_address_clock_init(&clock);
	pv_address_clock_join(&clock, &none);
	pv_address_clock_release(&clock);
	ok(pv_address_clock_next(&clock).until != PV_NEVER,
	    "without ip_delay hosts are asked together");
	pv_address_clock_end(&clock, &none, &dead, flight(0, -1, 0));
	pv_address_clock_release(&clock);
	ok(pv_address_clock_next(&clock).until == PV_NEVER,
	    "P2: but after a failure to connect one tries it, and nobody "
	    "beside it");
	pv_address_clock_start(&clock, 5000);
	pv_address_clock_end(&clock, &none, &good, flight(5000, 5000, 5100));
	pv_address_clock_release(&clock);
	ok(pv_address_clock_next(&clock).until != PV_NEVER,
	    "and when that got through, the others do");
}

/* What is left of a clock in another run. */
static struct pv_wait restored(
    const struct pv_address_clock *clock, int64_t now, int64_t wall_passed_ms)
{
	struct pv_saved_clock saved = {.left_ms = 0};
	struct pv_address_clock next;
	pv_address_clock_save(clock, (struct pv_time){now, WALL}, &saved);
	pv_address_clock_init(&next);
	pv_address_clock_join(&next, &slow);
	pv_address_clock_restore(
	    &next, &saved, (struct pv_time){50, WALL + wall_passed_ms});
	struct pv_wait wait = pv_address_clock_next(&next);
	wait.until -= 50;
	return wait;
}

static void test_save(void)
{
	struct pv_address_clock clock;
	pv_address_clock_init(&clock);
	pv_address_clock_join(&clock, &slow);
	ok(restored(&clock, 1000, 0).until <= 0,
	    "an address that was never asked may be at once in the next run");
	pv_address_clock_release(&clock);
	ok(restored(&clock, 1000, 0).until == 250,
	    "P3: with a request about to go out, all of ip_delay is to come");
	pv_address_clock_start(&clock, 1000);
	ok(restored(&clock, 1100, 1).until == 150 &&
		restored(&clock, 1100, DAY).until == 150,
	    "P3: what is left of ip_delay is waited for, whatever the hour");
	ok(restored(&clock, 1100, -DAY).until == 250,
	    "and never more than all of it");
	ok(restored(&clock, DAY, -DAY).until == 250,
	    "nor the idle time since then");
	pv_address_clock_end(&clock, &slow, &dead, flight(900, 1000, 2000));
	struct pv_wait wait = restored(&clock, 3000, 1001);
	ok(wait.until == 3000 && wait.reason == PV_WAIT_ADDRESS_FAILURE,
	    "P3: the rest of an address that could not be reached goes on");
	ok(restored(&clock, 3000, DAY).until <= 0, "and is over in time");
	ok(restored(&clock, 3000, -DAY).until == 6000,
	    "and never longer than it was");
}

static void test_raised(void)
{
	struct pv_pace slower = slow;
	struct pv_saved_clock saved = {.left_ms = 0};
	struct pv_address_clock before, after;
	slower.ip_delay_ms = 4 * slow.ip_delay_ms;
	pv_address_clock_init(&before);
	pv_address_clock_join(&before, &slow);
	pv_address_clock_release(&before);
	pv_address_clock_start(&before, 1000);
	pv_address_clock_save(&before, (struct pv_time){1500, WALL}, &saved);
	pv_address_clock_init(&after);
	pv_address_clock_join(&after, &slower);
	pv_address_clock_restore(
	    &after, &saved, (struct pv_time){50, WALL + 100});
	ok(pv_address_clock_next(&after).until == 50 + 1000 - 500 - 100,
	    "P1: after ip_delay was raised the first gap is the new one");
}

/* Several hosts have written down something of one address. */
static void test_restore_all(void)
{
	struct pv_address_clock clock;
	const struct pv_time now = {0, WALL};
	pv_address_clock_init(&clock);
	pv_address_clock_join(&clock, &slow);
	pv_address_clock_restore(&clock,
	    &(struct pv_saved_clock){
		.address_left_ms = 200, .address_wait_ms = 250},
	    now);
	pv_address_clock_restore(&clock,
	    &(struct pv_saved_clock){
		.address_left_ms = 100, .address_wait_ms = 250},
	    now);
	ok(pv_address_clock_next(&clock).until == 200,
	    "P1: of what several hosts know of it the latest counts");
}

/* Of hosts that need no ip_delay. */
static void test_restore_trial(void)
{
	const struct pv_saved_clock saved = {
	    .address_until_wall_ms = WALL + 5000, .address_wait_ms = 5000};
	struct pv_address_clock clock;
	pv_address_clock_init(&clock);
	pv_address_clock_join(&clock, &fast);
	pv_address_clock_restore(&clock, &saved, (struct pv_time){0, WALL});
	pv_address_clock_release(&clock);
	ok(pv_address_clock_next(&clock).until == PV_NEVER,
	    "P2, P3: in the next run, too, one request tries an address that "
	    "could not be reached");
}

/* Each host has a policy of its own, and an address forgets by the strictest of
 * those that have failed there. */
static void test_forgiving_host(void)
{
	struct pv_address_clock clock;
	pv_address_clock_init(&clock);
	pv_address_clock_release(&clock);
	pv_address_clock_end(&clock, &slow, &dead, flight(0, -1, 1000));
	pv_address_clock_release(&clock);
	pv_address_clock_end(&clock, &slow, &dead, flight(6000, -1, 6000));
	ok(clock.backoff.rest_ms == 10000 && clock.backoff.until == 16000,
	    "an address at which a host has failed twice rests for long");
	int64_t later = 16000 + 2 * MINUTE;
	pv_address_clock_release(&clock);
	pv_address_clock_start(&clock, later);
	pv_address_clock_end(
	    &clock, &forgiving, &well, flight(later, later, later + 100));
	ok(clock.backoff.rest_ms == 10000,
	    "P2: another host that is forgiven sooner forgives nothing of it");
	ok(pv_address_clock_forget_at(&clock, &forgiving) ==
		16000 + 30 * MINUTE,
	    "P2: nor is it forgotten sooner for that host");
	pv_address_clock_release(&clock);
	pv_address_clock_end(
	    &clock, &forgiving, &dead, flight(later + 1000, -1, later + 1000));
	ok(clock.backoff.until == later + 11000,
	    "P2: not even where that host fails");
	later = clock.backoff.until + 30 * MINUTE;
	pv_address_clock_release(&clock);
	pv_address_clock_end(
	    &clock, &forgiving, &dead, flight(later, -1, later));
	ok(clock.backoff.rest_ms == 50,
	    "what is long past for all of them is forgiven");
}

int main(void)
{
	test_starts();
	test_no_delay();
	test_failures();
	test_probes();
	test_trial();
	test_save();
	test_raised();
	test_restore_all();
	test_restore_trial();
	test_forgiving_host();
	return tap_done();
}
