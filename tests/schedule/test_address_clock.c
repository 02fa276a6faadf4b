#include "schedule/address_clock.h"

#include "policy/value.h"
#include "tap.h"

#define MINUTE 60000

static const struct pv_pace slow = {
    .ip_delay_ms = 250, .failure = {5000, 2, 600000, 30 * MINUTE, .jitter = 0}};
static const struct pv_pace fast = {
    .ip_delay_ms = 0, .failure = {5000, 2, 600000, 30 * MINUTE, .jitter = 0}};

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

int main(void)
{
	test_starts();
	test_no_delay();
	test_failures();
	return tap_done();
}
