#include "schedule/host_clock.h"

#include "base/clock.h"
#include "policy/value.h"
#include "tap.h"

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define WALL (INT64_C(20000) * DAY)

static const struct pv_pace plain = {
    .delay_ms = 1 * SECOND,
    .delay_factor = 1,
    .max_delay_ms = 30 * SECOND,
    .connections = 1,
    .max_rate = PV_NONE,
    .interval_ms = 1 * SECOND,
    .failure = {5 * SECOND, 2, DAY, 30 * MINUTE},
    .overload = {60 * SECOND, 2, DAY, 30 * MINUTE},
    .is_from_end = true,
};

static const struct pv_visit_end good = {
    .status = 200, .retry_after_ms = PV_NONE};

/* One request that starts at a time and takes so long. */
static void ask(struct pv_host_clock *clock, const struct pv_pace *pace,
    int64_t at, int64_t took_ms, const struct pv_visit_end *end)
{
	pv_host_clock_release(clock);
	pv_host_clock_start(clock, pace, 0, at);
	pv_host_clock_end(
	    clock, pace, end, (struct pv_flight_times){at, at, at + took_ms});
}

static void test_ends(void)
{
	static const struct {
		struct pv_visit_end end;
		int64_t took_ms;
		int64_t next;
		enum pv_wait_reason reason;
		const char *claim;
	} cases[] = {
	    {{.status = 200, .retry_after_ms = PV_NONE}, 100, 1100,
		PV_WAIT_DELAY, "after a good answer comes the delay"},
	    {{.status = 304, .retry_after_ms = 0}, 0, 1000, PV_WAIT_DELAY,
		"an answer in no time is followed by the delay"},
	    {{.status = 404, .retry_after_ms = PV_NONE}, 100, 1100,
		PV_WAIT_DELAY, "404 is an answer like others"},
	    {{.status = 200, .retry_after_ms = PV_NONE}, 4000, 8000,
		PV_WAIT_SLOW, "a slow answer is followed by as long a rest"},
	    {{.status = 200, .retry_after_ms = PV_NONE}, 50000, 80000,
		PV_WAIT_SLOW, "but for this reason by no more than max_delay"},
	    {{.status = 429, .retry_after_ms = PV_NONE}, 100, 60100,
		PV_WAIT_OVERLOAD, "429 is overload"},
	    {{.status = 503, .retry_after_ms = PV_NONE}, 100, 60100,
		PV_WAIT_OVERLOAD, "503 is overload"},
	    {{.status = 500, .retry_after_ms = PV_NONE}, 100, 5100,
		PV_WAIT_FAILURE, "500 is a failure"},
	    {{.status = 599, .retry_after_ms = PV_NONE}, 100, 5100,
		PV_WAIT_FAILURE, "and so is any other 5xx"},
	    {{.status = 0, .retry_after_ms = PV_NONE}, 100, 5100,
		PV_WAIT_FAILURE, "no answer is a failure"},
	    {{.status = 200, .is_broken = true, .retry_after_ms = PV_NONE}, 100,
		5100, PV_WAIT_FAILURE,
		"an answer that breaks off is a failure"},
	    {{.status = 0, .is_given_up = true, .retry_after_ms = PV_NONE}, 100,
		1100, PV_WAIT_DELAY, "what we gave up ourselves is none"},
	    {{.status = 503, .retry_after_ms = 300000}, 100, 300100,
		PV_WAIT_RETRY_AFTER, "Retry-After is waited for"},
	    {{.status = 503, .retry_after_ms = 1000}, 100, 60100,
		PV_WAIT_OVERLOAD, "a short Retry-After shortens nothing"},
	    {{.status = 301, .retry_after_ms = 7000}, 100, 7100,
		PV_WAIT_RETRY_AFTER, "Retry-After counts with any status"},
	    {{.status = 200, .retry_after_ms = INT64_MAX}, 0,
		INT64_C(3650) * DAY, PV_WAIT_RETRY_AFTER,
		"an absurd Retry-After overflows nothing"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_host_clock clock;
		pv_host_clock_init(&clock);
		ask(&clock, &plain, 0, cases[i].took_ms, &cases[i].end);
		struct pv_wait wait = pv_host_clock_next(&clock, &plain);
		if (!ok(wait.until == cases[i].next &&
			    wait.reason == cases[i].reason,
			"P1, P2: %s", cases[i].claim))
			printf("# until %lld, reason %d\n",
			    (long long)wait.until, wait.reason);
	}
}

static void test_jitter(void)
{
	struct pv_pace pace = plain;
	struct pv_host_clock clock;
	pace.jitter = 0.5;
	pv_host_clock_init(&clock);
	ask(&clock, &pace, 0, 0, &good);
	ok(pv_host_clock_next(&clock, &pace).until == 1000,
	    "P1: the least jitter is the delay itself");
	clock.draw = UINT32_MAX;
	int64_t most = pv_host_clock_next(&clock, &pace).until;
	ok(most > 1490 && most <= 1500, "the most is 1 + jitter times as much");
}

static void test_between_starts(void)
{
	struct pv_pace pace = plain;
	struct pv_host_clock clock;
	pace.is_from_end = false;
	pace.connections = 2;
	pace.delay_factor = 0;
	pv_host_clock_init(&clock);
	pv_host_clock_release(&clock);
	ok(pv_host_clock_next(&clock, &pace).reason == PV_WAIT_CONNECTING,
	    "P1: a release whose bytes are not out holds the host");
	pv_host_clock_start(&clock, &pace, 0, 700);
	ok(pv_host_clock_next(&clock, &pace).until == 1700,
	    "P1: the delay counts from start to start");
	pv_host_clock_release(&clock);
	pv_host_clock_start(&clock, &pace, 0, 1700);
	ok(pv_host_clock_next(&clock, &pace).until == PV_NEVER,
	    "P1: no more overlap than connections");
	pv_host_clock_end(
	    &clock, &pace, &good, (struct pv_flight_times){0, 700, 9000});
	ok(pv_host_clock_next(&clock, &pace).until == 2700,
	    "a long answer is no reason to wait for its end");
	pace.is_from_end = true;
	ok(pv_host_clock_next(&clock, &pace).until == 10000,
	    "P1: but with delay_from: end it is, on any connection");
}

static void test_fast_errors(void)
{
	struct pv_host_clock clock;
	struct pv_visit_end refused = {.is_unreachable = true};
	pv_host_clock_init(&clock);
	ask(&clock, &plain, 0, 20 * SECOND, &good);
	ok(pv_host_clock_next(&clock, &plain).until == 40 * SECOND,
	    "an answer of 20 s is followed by 20 s of rest");
	pv_host_clock_release(&clock);
	pv_host_clock_end(&clock, &plain, &refused,
	    (struct pv_flight_times){40 * SECOND, -1, 40 * SECOND});
	ok(pv_host_clock_next(&clock, &plain).until == 60 * SECOND,
	    "P2: a fast failure after it shortens nothing");
	ask(&clock, &plain, 60 * SECOND, 10, &good);
	ok(pv_host_clock_next(&clock, &plain).until == 61010,
	    "a fast answer does");
}

static void test_held(void)
{
	struct pv_host_clock clock;
	struct pv_visit_end held = good;
	pv_host_clock_init(&clock);
	held.held_ms = 15 * SECOND;
	ask(&clock, &plain, 0, 20 * SECOND, &held);
	ok(pv_host_clock_next(&clock, &plain).until == 25 * SECOND,
	    "what we held back ourselves does not count as the host's time");
	held.held_ms = HOUR;
	ask(&clock, &plain, 25 * SECOND, 20 * SECOND, &held);
	ok(pv_host_clock_next(&clock, &plain).until == 46 * SECOND,
	    "P1: and the delay is kept from the end all the same");
}

/* The same course twice, but that in one of them an answer is an error. */
static void test_errors_at_random(void)
{
	static const int statuses[] = {0, 429, 500, 502, 503, 504};
	uint64_t random = 88172645463325252;
	unsigned sooner = 0;
	for (int i = 0; i < 200000; i++) {
		struct pv_host_clock right;
		struct pv_host_clock wrong;
		int64_t now = 0;
		pv_host_clock_init(&right);
		for (int step = 0; step < 4; step++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			int64_t took_ms = (int64_t)(random >> 8 & 16383);
			struct pv_visit_end end = good;
			if (random % 3 == 0)
				end.status = statuses[random % 6];
			wrong = right;
			ask(&right, &plain, now, took_ms, &good);
			struct pv_visit_end bad = end;
			bad.status = statuses[random % 6];
			ask(&wrong, &plain, now, took_ms, &bad);
			sooner += pv_host_clock_next(&wrong, &plain).until <
				  pv_host_clock_next(&right, &plain).until;
			if (end.status != 200)
				right = wrong;
			now = pv_host_clock_next(&right, &plain).until +
			      (int64_t)(random >> 24 & 4095);
		}
	}
	ok(!sooner, "P2: no error lets the next request start sooner than a "
		    "good answer would have");
}

static void test_bucket(void)
{
	struct pv_pace pace = plain;
	struct pv_host_clock clock;
	pace.delay_ms = 0;
	pace.max_rate = 3;
	pace.interval_ms = MINUTE;
	pv_host_clock_init(&clock);
	for (int i = 0; i < 3; i++)
		ask(&clock, &pace, HOUR + i * SECOND, 0, &good);
	struct pv_wait wait = pv_host_clock_next(&clock, &pace);
	ok(wait.until == HOUR + MINUTE && wait.reason == PV_WAIT_HOST_RATE,
	    "P1: after max_rate requests the host's own interval is waited for");
	ask(&clock, &pace, 2 * HOUR, 0, &good);
	ask(&clock, &pace, 2 * HOUR, 0, &good);
	ask(&clock, &pace, 2 * HOUR, 0, &good);
	ok(pv_host_clock_next(&clock, &pace).until == 2 * HOUR + MINUTE,
	    "P2: an idle hour brings no more than one interval does");
	ok(pv_host_clock_forget_at(&clock, &pace) == 2 * HOUR + MINUTE,
	    "and a clock is not forgotten while its interval lasts");
}

/* What a clock says in another run, whose monotonic clock begins anew. */
static struct pv_wait restored(const struct pv_saved_clock *saved,
    const struct pv_pace *pace, int64_t wall_ms)
{
	struct pv_host_clock clock;
	pv_host_clock_init(&clock);
	pv_host_clock_restore(
	    &clock, pace, saved, (struct pv_time){50, wall_ms});
	struct pv_wait wait = pv_host_clock_next(&clock, pace);
	wait.until -= 50;
	return wait;
}

static void test_save(void)
{
	struct pv_host_clock clock;
	struct pv_visit_end later = {.status = 503, .retry_after_ms = 2 * HOUR};
	pv_host_clock_init(&clock);
	struct pv_saved_clock saved =
	    pv_host_clock_save(&clock, &plain, (struct pv_time){5 * DAY, WALL});
	ok(restored(&saved, &plain, WALL).until <= 0,
	    "a host that was never asked may start at once");
	ask(&clock, &plain, 5 * DAY, 4 * SECOND, &good);
	saved = pv_host_clock_save(
	    &clock, &plain, (struct pv_time){5 * DAY + 5 * SECOND, WALL});
	ok(saved.left_ms == 3 * SECOND && saved.wait_ms == 4 * SECOND,
	    "what is left of a rest is saved");
	ok(restored(&saved, &plain, WALL).until == 3 * SECOND,
	    "P3: and is waited for in the next run");
	ok(restored(&saved, &plain, WALL + DAY).until == 3 * SECOND,
	    "P1: also if the wall clock was put forward");
	ok(restored(&saved, &plain, WALL - DAY).until == 4 * SECOND,
	    "and never longer than the wait, if it was put back");
	ask(&clock, &plain, 6 * DAY, 0, &later);
	saved = pv_host_clock_save(
	    &clock, &plain, (struct pv_time){6 * DAY + MINUTE, WALL});
	struct pv_wait wait = restored(&saved, &plain, WALL + HOUR);
	ok(wait.until == 59 * MINUTE && wait.reason == PV_WAIT_RETRY_AFTER,
	    "P3: a Retry-After goes on while nobody runs");
	ok(restored(&saved, &plain, WALL + DAY).until <= 0,
	    "and is over when its time has come");
	ok(restored(&saved, &plain, WALL - DAY).until == 2 * HOUR,
	    "and never longer than it was");
	struct pv_saved_clock again = pv_host_clock_save(
	    &clock, &plain, (struct pv_time){6 * DAY + 3 * HOUR, WALL});
	ok(restored(&again, &plain, WALL).until <= 0,
	    "a wait that is over is not saved");
}

static void test_save_open(void)
{
	struct pv_host_clock clock;
	pv_host_clock_init(&clock);
	pv_host_clock_release(&clock);
	pv_host_clock_start(&clock, &plain, 0, 0);
	struct pv_saved_clock saved = pv_host_clock_save(
	    &clock, &plain, (struct pv_time){10 * MINUTE, WALL});
	ok(saved.left_ms == SECOND,
	    "P3: with a request open the full rest is still to come");
	pv_host_clock_rest(&clock, DAY);
	pv_host_clock_end(
	    &clock, &plain, &good, (struct pv_flight_times){0, 0, HOUR});
	ok(pv_host_clock_next(&clock, &plain).until >= DAY + SECOND,
	    "P3: after an unclean end the full delay is waited");
}

/* Back-off and the host's own bucket, over a restart. */
static void test_save_failures(void)
{
	struct pv_host_clock clock;
	struct pv_visit_end failed = {.status = 500};
	struct pv_pace pace = plain;
	pace.max_rate = 2;
	pace.interval_ms = HOUR;
	pv_host_clock_init(&clock);
	ask(&clock, &pace, 0, 0, &failed);
	ask(&clock, &pace, 5000, 0, &failed);
	struct pv_saved_clock saved =
	    pv_host_clock_save(&clock, &pace, (struct pv_time){6000, WALL});
	pv_host_clock_init(&clock);
	pv_host_clock_restore(
	    &clock, &pace, &saved, (struct pv_time){0, WALL + 1000});
	ok(pv_host_clock_next(&clock, &pace).until == HOUR - 7 * SECOND,
	    "P3: the host's own bucket goes on");
	pv_host_clock_restore(
	    &clock, &plain, &saved, (struct pv_time){0, WALL + HOUR});
	ask(&clock, &plain, 0, 0, &failed);
	ok(clock.backoff.rest_ms == 5 * SECOND,
	    "what was forgiven while nobody ran is forgiven");
	pv_host_clock_restore(
	    &clock, &plain, &saved, (struct pv_time){0, WALL + MINUTE});
	ask(&clock, &plain, 0, 0, &failed);
	ok(clock.backoff.rest_ms == 20 * SECOND, "P2: what was not grows on");
}

int main(void)
{
	test_ends();
	test_jitter();
	test_between_starts();
	test_fast_errors();
	test_held();
	test_errors_at_random();
	test_bucket();
	test_save();
	test_save_open();
	test_save_failures();
	return tap_done();
}
