#include "schedule/host_clock.h"

#include "base/system.h"
#include "policy/values/value.h"
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
    .failure = {5 * SECOND, 2, DAY, 30 * MINUTE, .jitter = 0},
    .overload = {60 * SECOND, 2, DAY, 30 * MINUTE, .jitter = 0},
    .is_from_end = true,
};

static const struct pv_visit_end good = {
    .status = 200, .retry_after_ms = PV_NONE};

/* When a request was released, sent and ended. */
static struct pv_flight_times flight(
    int64_t released_at, int64_t started_at, int64_t ended_at)
{
	return (struct pv_flight_times){.released_at = released_at,
	    .started_at = started_at,
	    .ended_at = ended_at};
}

/* One request that starts at a time and takes so long. */
static void ask(struct pv_host_clock *clock, const struct pv_pace *pace,
    int64_t at, int64_t took_ms, const struct pv_visit_end *end)
{
	struct pv_flight_times times = flight(at, at, at + took_ms);
	times.trial = pv_host_clock_release(clock);
	pv_host_clock_start(clock, pace, 0, at);
	pv_host_clock_end(clock, pace, end, times);
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
	pv_host_clock_end(&clock, &pace, &good, flight(0, 700, 9000));
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
	pv_host_clock_end(
	    &clock, &plain, &refused, flight(40 * SECOND, -1, 40 * SECOND));
	ok(pv_host_clock_next(&clock, &plain).until == 60 * SECOND,
	    "P2: a fast failure after it shortens nothing");
	ask(&clock, &plain, 60 * SECOND, 10, &good);
	ok(pv_host_clock_next(&clock, &plain).until == 61010,
	    "a fast answer does");
}

/* Slower and slower, and fast again. */
static void test_adaptive(void)
{
	static const struct {
		int64_t took_ms;
		int64_t rest_ms;
	} answers[] = {{100, 1000}, {2000, 4000}, {6000, 12000}, {14000, 28000},
	    {16000, 30000}, {400000, 30000}, {700, 1400}, {300, 1000},
	    {0, 1000}};
	struct pv_pace pace = plain;
	struct pv_host_clock clock;
	int64_t now = 0;
	bool is_right = true;
	pace.delay_factor = 2;
	pv_host_clock_init(&clock);
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		ask(&clock, &pace, now, answers[i].took_ms, &good);
		now += answers[i].took_ms;
		int64_t next = pv_host_clock_next(&clock, &pace).until;
		is_right = is_right && next - now == answers[i].rest_ms;
		now = next;
	}
	ok(is_right, "P1: slower and slower answers slow us down up to "
		     "max_delay, and fast ones never below the delay");
}

static void test_hints(void)
{
	struct pv_host_clock clock;
	struct pv_visit_end end = {
	    .status = 200, .retry_after_ms = PV_NONE, .hint_ms = 30 * SECOND};
	pv_host_clock_init(&clock);
	ask(&clock, &plain, 0, 100, &end);
	struct pv_wait wait = pv_host_clock_next(&clock, &plain);
	ok(wait.until == 30100 && wait.reason == PV_WAIT_HINT,
	    "P1: what RateLimit headers suggest is waited for");
	end.hint_ms = 10;
	ask(&clock, &plain, 30100, 100, &end);
	ok(pv_host_clock_next(&clock, &plain).until == 31200,
	    "P1: a short hint shortens no delay");
	end.hint_ms = INT64_MAX;
	ask(&clock, &plain, 40000, 0, &end);
	ok(pv_host_clock_next(&clock, &plain).until == 40000 + HOUR,
	    "and at most an hour is waited for it");
	end.hint_ms = 5;
	ask(&clock, &plain, 41000, 0, &end);
	ok(pv_host_clock_next(&clock, &plain).until == 40000 + HOUR,
	    "P2: no later hint takes that back");
}

static const struct pv_visit_end busy = {
    .status = 429, .retry_after_ms = PV_NONE};
static const struct pv_visit_end failed = {
    .status = 500, .retry_after_ms = PV_NONE};

static void test_slowed(void)
{
	struct pv_host_clock clock;
	struct pv_visit_end again = busy;
	pv_host_clock_init(&clock);
	ask(&clock, &plain, 0, 0, &busy);
	ask(&clock, &plain, 60000, 0, &good);
	struct pv_wait wait = pv_host_clock_next(&clock, &plain);
	ok(wait.until == 62000 && wait.reason == PV_WAIT_SLOWED,
	    "P1: after a 429 the host gets twice its delay");
	ask(&clock, &plain, 62000, 0, &busy);
	ask(&clock, &plain, 122000, 0, &good);
	ok(pv_host_clock_next(&clock, &plain).until == 126000,
	    "P1: and after another twice that");
	again.is_repeat = true;
	ask(&clock, &plain, 126000, 0, &again);
	ask(&clock, &plain, 186000, 0, &good);
	ok(pv_host_clock_next(&clock, &plain).until == 190000,
	    "what failed before doubles nothing");
	ask(&clock, &plain, 190000, 0, &failed);
	ask(&clock, &plain, 310000, 0, &good);
	ok(pv_host_clock_next(&clock, &plain).until == 314000,
	    "nor does another failure");
	ask(&clock, &plain, 186000 + 30 * MINUTE, 0, &good);
	ok(pv_host_clock_next(&clock, &plain).until == 188000 + 30 * MINUTE,
	    "after `forgive` without one it is halved");
	ok(pv_host_clock_forget_at(&clock, &plain) == 186000 + 60 * MINUTE,
	    "and the clock is kept until nothing is left of it");
}

/* A host that has failed five times in a row. */
static int64_t fail_five_times(
    struct pv_host_clock *clock, const struct pv_pace *pace)
{
	pv_host_clock_init(clock);
	for (int i = 0; i < 5; i++)
		ask(clock, pace, pv_host_clock_next(clock, pace).until, 0,
		    &failed);
	return pv_host_clock_next(clock, pace).until;
}

static void probe(struct pv_host_clock *clock, const struct pv_pace *pace,
    int64_t now, const struct pv_visit_end *end)
{
	struct pv_flight_times times = flight(now, now, now);
	times.trial = pv_host_clock_release(clock);
	pv_host_clock_start(clock, pace, 0, now);
	pv_host_clock_end(clock, pace, end, times);
}

static void test_probes(void)
{
	struct pv_pace pace = plain;
	struct pv_host_clock clock;
	struct pv_visit_end again = failed;
	pace.connections = 9;
	int64_t now = fail_five_times(&clock, &pace);
	ok(now == 155 * SECOND, "P2: five failures in a row rest longer each");
	ok(pv_host_clock_release(&clock) == PV_TRIAL_PROBE,
	    "then comes a probe");
	pv_host_clock_start(&clock, &pace, 0, now);
	struct pv_wait wait = pv_host_clock_next(&clock, &pace);
	ok(wait.until == PV_NEVER && wait.reason == PV_WAIT_PROBE,
	    "P2: beside which nothing starts, whatever may overlap");
	pv_host_clock_end(&clock, &pace,
	    &(struct pv_visit_end){.is_given_up = true}, flight(now, now, now));
	ok(pv_host_clock_release(&clock) == PV_TRIAL_PROBE,
	    "one that was given up is sent again");
	pv_host_clock_end(&clock, &pace,
	    &(struct pv_visit_end){.is_given_up = true}, flight(now, -1, now));
	again.is_repeat = true;
	probe(&clock, &pace, now, &again);
	ok(pv_host_clock_next(&clock, &pace).until == now + 160 * SECOND,
	    "P2: one that fails makes the rest grow, whatever it asked for");
	now += 160 * SECOND;
	probe(&clock, &pace, now, &good);
	ok(pv_host_clock_next(&clock, &pace).until == now + SECOND &&
		!clock.backoff.rest_ms,
	    "one that is answered leaves nothing but the delay");
	ok(pv_host_clock_release(&clock) == PV_TRIAL_NOT,
	    "and the next one is none");
}

/* Four connections and no delay. */
static void test_trial(void)
{
	struct pv_pace pace = plain;
	struct pv_host_clock clock;
	pace.connections = 4;
	pace.is_from_end = false;
	pace.delay_ms = 0;
	pace.delay_factor = 0;
	pv_host_clock_init(&clock);
	pv_host_clock_release(&clock); /* which takes an hour */
	pv_host_clock_start(&clock, &pace, 0, 0);
	ask(&clock, &pace, 0, 0, &failed);
	int64_t now = pv_host_clock_next(&clock, &pace).until;
	struct pv_flight_times times = flight(now, now, now + SECOND);
	times.trial = pv_host_clock_release(&clock);
	pv_host_clock_start(&clock, &pace, 0, now);
	struct pv_wait wait = pv_host_clock_next(&clock, &pace);
	ok(now == 5 * SECOND && times.trial == PV_TRIAL_ONE &&
		wait.until == PV_NEVER && wait.reason == PV_WAIT_PROBE,
	    "P2: after one failure and its rest, one request begins, be it "
	    "beside what was under way");
	struct pv_visit_end robots = good;
	robots.asked = PV_ASKED_ROBOTS;
	pv_host_clock_end(&clock, &pace, &robots, times);
	ok(pv_host_clock_next(&clock, &pace).until <= now + SECOND &&
		pv_host_clock_release(&clock) == PV_TRIAL_ONE,
	    "P2: what is answered to a robots.txt does not change that");
	pv_host_clock_start(&clock, &pace, 0, now + SECOND);
	pv_host_clock_end(&clock, &pace, &good, times);
	ok(pv_host_clock_release(&clock) == PV_TRIAL_NOT,
	    "and when a page was answered well, the others begin");
	pv_host_clock_start(&clock, &pace, 0, now + SECOND);
	ok(pv_host_clock_next(&clock, &pace).until != PV_NEVER,
	    "as many as may");
}

/* A robots.txt is quick where pages are slow. */
static void test_slow_pages(void)
{
	struct pv_host_clock clock;
	struct pv_visit_end robots = good;
	robots.asked = PV_ASKED_ROBOTS;
	pv_host_clock_init(&clock);
	ask(&clock, &plain, 0, 20 * SECOND, &good);
	ask(&clock, &plain, 40 * SECOND, 0, &robots);
	ok(pv_host_clock_next(&clock, &plain).until == 60 * SECOND,
	    "P1: a quick robots.txt says nothing of how slow pages are");
	robots.asked = PV_ASKED_RESOURCE;
	ask(&clock, &plain, 60 * SECOND, 0, &robots);
	ok(pv_host_clock_next(&clock, &plain).until == 61 * SECOND,
	    "and anything else is as good as a page for that");
}

/* Requests that are under way when the fifth failure becomes known. */
static void test_probe_alone(void)
{
	struct pv_pace pace = plain;
	struct pv_host_clock clock;
	pace.connections = 9;
	pace.is_from_end = false;
	pace.delay_ms = 0;
	pace.delay_factor = 0;
	pv_host_clock_init(&clock);
	pv_host_clock_release(&clock);
	pv_host_clock_start(&clock, &pace, 0, 0);
	for (int i = 0; i < 5; i++)
		ask(&clock, &pace, pv_host_clock_next(&clock, &pace).until, 0,
		    &failed);
	ok(pv_host_clock_next(&clock, &pace).until == PV_NEVER,
	    "P2: as long as anything is open, no probe is sent");
	pv_host_clock_end(&clock, &pace, &good, flight(0, 0, HOUR));
	ok(pv_host_clock_next(&clock, &pace).until == 155 * SECOND &&
		clock.backoff.failures == 5,
	    "nor does what began before the failures show that they are over");
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

static uint64_t random_word(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

static struct pv_visit_end random_end(uint64_t *random)
{
	static const int statuses[] = {0, 429, 500, 502, 503, 504, 200, 301};
	uint64_t word = random_word(random);
	struct pv_visit_end end = good;
	if (word % 3)
		end.status = statuses[word >> 8 & 7];
	end.is_unreachable = !end.status && word >> 11 & 1;
	end.is_broken = end.status == 200 && (word >> 12 & 7) == 0;
	end.is_repeat = word >> 15 & 1;
	if ((word >> 16 & 7) == 0)
		end.retry_after_ms = (int64_t)(word >> 20 & 0x3fffff);
	if ((word >> 42 & 7) == 0)
		end.hint_ms = (int64_t)(word >> 45 & 0xffff);
	return end;
}

static const struct pv_pace paces[] = {
    {.delay_ms = 1 * SECOND,
	.connections = 1,
	.max_rate = PV_NONE,
	.interval_ms = SECOND,
	.delay_factor = 1,
	.max_delay_ms = 30 * SECOND,
	.is_from_end = true,
	.failure = {5 * SECOND, 2, DAY, 30 * MINUTE, .jitter = 0.1},
	.overload = {MINUTE, 2, DAY, 30 * MINUTE, .jitter = 0.1}},
    {.delay_ms = 200,
	.connections = 1,
	.max_rate = 3,
	.interval_ms = 20 * SECOND,
	.delay_factor = 3,
	.max_delay_ms = 10 * SECOND,
	.failure = {SECOND, 3, MINUTE, 2 * MINUTE, .jitter = 0.1},
	.overload = {2 * SECOND, 3, MINUTE, 2 * MINUTE, .jitter = 0.1}},
    {.delay_ms = 3 * SECOND,
	.jitter = 1,
	.connections = 1,
	.max_rate = PV_NONE,
	.interval_ms = SECOND,
	.max_delay_ms = MINUTE,
	.is_from_end = true,
	.failure = {5 * SECOND, 1, DAY, MINUTE, .jitter = 0.5},
	.overload = {SECOND, 2, DAY, MINUTE, .jitter = 0.5}},
};

/* Ends what was begun; with `bad` in the place of its status. */
static void end_with(struct pv_host_clock *clock, const struct pv_pace *pace,
    struct pv_visit_end end, struct pv_flight_times times, int bad)
{
	if (bad >= 0) {
		end.status = bad;
		end.is_unreachable = end.is_broken = false;
	}
	pv_host_clock_end(clock, pace, &end, times);
}

static struct {
	unsigned sooner;
	unsigned under_rest;
	unsigned probes;
} seen;

/* One request, and how it would have been if its answer were an error. */
static int64_t step(struct pv_host_clock *clock, const struct pv_pace *pace,
    uint64_t *random, int64_t now)
{
	static const int errors[] = {0, 429, 500, 503};
	uint64_t word = random_word(random);
	struct pv_visit_end end = random_end(random);
	struct pv_flight_times times = flight(now, now, now);
	times.ended_at += (int64_t)(word >> 8 & 16383);
	times.draw = (uint32_t)(word >> 32);
	times.trial = pv_host_clock_release(clock);
	pv_host_clock_start(clock, pace, (uint32_t)random_word(random), now);
	struct pv_host_clock right = *clock, wrong = *clock;
	end_with(&right, pace, end, times, 200);
	end_with(&wrong, pace, end, times, errors[word & 3]);
	int64_t next = pv_host_clock_next(&right, pace).until;
	seen.sooner += pv_host_clock_next(&wrong, pace).until < next;
	seen.under_rest +=
	    next < (pace->is_from_end ? times.ended_at : now) + pace->delay_ms;
	seen.probes += times.trial == PV_TRIAL_PROBE;
	end_with(clock, pace, end, times, -1);
	return pv_host_clock_next(clock, pace).until;
}

static void test_errors_at_random(void)
{
	uint64_t random = 88172645463325252;
	for (int i = 0; i < 60000; i++) {
		const struct pv_pace *pace = &paces[i % 3];
		struct pv_host_clock clock;
		int64_t now = 0;
		pv_host_clock_init(&clock);
		for (int steps = 0; steps < 16; steps++) {
			now = step(&clock, pace, &random, now);
			now += (int64_t)(random_word(&random) >> 24 & 4095);
			if (random % 31 == 0)
				now += 2 * MINUTE;
		}
	}
	ok(!seen.sooner, "P2: no error lets the next request start sooner than "
			 "a good answer would have");
	ok(!seen.under_rest && seen.probes > 1000,
	    "P1: nor does a good answer before the delay, to a probe or not");
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
	ask(&clock, &pace, 3 * HOUR, 0, &good);
	ok(pv_host_clock_forget_at(&clock, &pace) == 3 * HOUR + MINUTE,
	    "even where there is more to be asked in it");
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

/* By another policy in another run, which begins so much later. */
static int64_t raised(int64_t delay_ms, bool is_from_start, int64_t later_ms)
{
	struct pv_pace before = plain, after = plain;
	struct pv_host_clock clock;
	before.delay_ms = delay_ms;
	before.is_from_end = !is_from_start;
	after.delay_ms = 10 * SECOND;
	after.is_from_end = !is_from_start;
	pv_host_clock_init(&clock);
	ask(&clock, &before, 5 * DAY, 500, &good);
	struct pv_saved_clock saved = pv_host_clock_save(
	    &clock, &before, (struct pv_time){5 * DAY + SECOND, WALL});
	return restored(&saved, &after, WALL + later_ms).until;
}

/* The request ended half a second before the clock was written down. */
static void test_raised(void)
{
	static const int64_t delays[] = {0, 100, 3 * SECOND};
	for (size_t i = 0; i < sizeof(delays) / sizeof(*delays); i++) {
		for (int is_from_start = 0; is_from_start < 2;
		     is_from_start++) {
			ok(raised(delays[i], is_from_start, 2 * SECOND) >=
				10 * SECOND - 2 * SECOND -
				    (is_from_start ? SECOND : 500),
			    "P1: after a delay of %lld ms was raised the first "
			    "gap is the new one",
			    (long long)delays[i]);
			ok(raised(delays[i], is_from_start, HOUR) <= delays[i],
			    "and in an hour that is over");
		}
	}
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
	ok(restored(&saved, &plain, WALL + 1).until == 3 * SECOND,
	    "P3: and is waited for in the next run");
	ok(restored(&saved, &plain, WALL + DAY).until == 3 * SECOND,
	    "P1: also if the wall clock was put forward");
	ok(restored(&saved, &plain, WALL - DAY).until == 4 * SECOND,
	    "and never longer than the wait, if it was put back");
	ask(&clock, &plain, 6 * DAY, 0, &later);
	saved = pv_host_clock_save(
	    &clock, &plain, (struct pv_time){6 * DAY + MINUTE, WALL});
	struct pv_wait wait = restored(&saved, &plain, WALL + HOUR + 1);
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
	ok(restored(&again, &plain, WALL - DAY).until == MINUTE,
	    "nor is the idle time since then: the clock put back, it rests as "
	    "long as between two requests");
}

/* Asked once, it is idle for a day in each of three runs. */
static void test_save_idle(void)
{
	struct pv_host_clock clock;
	int64_t at = DAY;
	pv_host_clock_init(&clock);
	ask(&clock, &plain, at, 0, &good);
	for (int run = 0; run < 3; run++) {
		at += DAY;
		struct pv_saved_clock saved = pv_host_clock_save(
		    &clock, &plain, (struct pv_time){at, WALL + at});
		ok(saved.wait_ms == plain.delay_ms,
		    "idle time is no part of the rest that is saved");
		struct pv_pace slower = plain;
		slower.delay_ms = 3 * DAY + (run + 1) * DAY;
		ok(restored(&saved, &slower, WALL + at).until ==
			slower.delay_ms - (at - DAY),
		    "P1: and a longer delay counts from the request on");
		pv_host_clock_init(&clock);
		pv_host_clock_restore(
		    &clock, &plain, &saved, (struct pv_time){at, WALL + at});
	}
}

/* What a process sees of a moment: whole milliseconds of two clocks that need
 * not begin them together. */
static struct pv_time seen_at(int64_t us, int64_t wall_ahead_us)
{
	return (struct pv_time){
	    us / 1000, (WALL * 1000 + us + wall_ahead_us) / 1000};
}

/* An answer that asks for 1 s of rest ends at 10.9 ms, and is saved; another run
 * begins later. When that may ask, for many parts of milliseconds. */
static void test_save_parts(void)
{
	static const struct pv_pace bare = {
	    .connections = 1, .max_rate = PV_NONE, .is_from_end = true};
	struct pv_visit_end later = {.status = 200, .retry_after_ms = SECOND};
	int64_t least = INT64_MAX;
	int64_t most = 0;
	for (int64_t i = 0; i < 10000; i++) {
		struct pv_host_clock clock;
		int64_t ahead_us = i * 7 % 1000;
		pv_host_clock_init(&clock);
		ask(&clock, &bare, 11, 0, &later);
		struct pv_saved_clock saved = pv_host_clock_save(
		    &clock, &bare, seen_at(30000 + i * 31 % 1000, ahead_us));
		pv_host_clock_init(&clock);
		pv_host_clock_restore(&clock, &bare, &saved,
		    seen_at(500000 + i * 577 % 1000, ahead_us));
		int64_t until = pv_host_clock_next(&clock, &bare).until;
		least = until < least ? until : least;
		most = until > most ? until : most;
	}
	ok(least == 1011,
	    "P1: a rest that is saved ends no part of a millisecond too soon");
	ok(most <= 1013, "and two milliseconds later at most");
	printf("# from %lld to %lld\n", (long long)least, (long long)most);
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
	pv_host_clock_end(&clock, &plain, &good, flight(0, 0, HOUR));
	ok(pv_host_clock_next(&clock, &plain).until >= DAY + SECOND,
	    "P3: after an unclean end the full delay is waited");
}

/* Back-off and the host's own bucket, over a restart. */
static void test_save_failures(void)
{
	struct pv_host_clock clock;
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
	ok(pv_host_clock_next(&clock, &pace).until == HOUR - 7 * SECOND + 1,
	    "P3: the host's own bucket goes on");
	pv_host_clock_init(&clock);
	pv_host_clock_restore(
	    &clock, &plain, &saved, (struct pv_time){0, WALL + HOUR});
	ask(&clock, &plain, 0, 0, &failed);
	ok(clock.backoff.rest_ms == 5 * SECOND,
	    "what was forgiven while nobody ran is forgiven");
	pv_host_clock_init(&clock);
	pv_host_clock_restore(
	    &clock, &plain, &saved, (struct pv_time){0, WALL + MINUTE});
	ask(&clock, &plain, 0, 0, &failed);
	ok(clock.backoff.rest_ms == 20 * SECOND, "P2: what was not grows on");
}

/* What is known of a host that is set again, by one of those that share its
 * clock. */
static void test_restore_shared(void)
{
	struct pv_host_clock clock;
	struct pv_visit_end later = {.status = 503, .retry_after_ms = HOUR};
	const struct pv_saved_clock nothing = {.left_ms = 0};
	pv_host_clock_init(&clock);
	ask(&clock, &plain, 0, 0, &later);
	struct pv_saved_clock saved =
	    pv_host_clock_save(&clock, &plain, (struct pv_time){0, WALL});
	pv_host_clock_init(&clock);
	pv_host_clock_restore(
	    &clock, &plain, &saved, (struct pv_time){50, WALL});
	pv_host_clock_restore(
	    &clock, &plain, &nothing, (struct pv_time){60, WALL});
	ok(pv_host_clock_next(&clock, &plain).until == 50 + HOUR,
	    "P1: a host that knows nothing takes no Retry-After from its clock");
	ok(clock.backoff.rest_ms == MINUTE && clock.backoff.failures == 1,
	    "P2: nor a rest after failures");
	ok(clock.slowness.rest_ms == 2 * SECOND,
	    "P3: who had asked for a longer rest still is slowed");
	struct pv_saved_clock shorter = saved;
	shorter.rest_ms = 5 * SECOND;
	pv_host_clock_restore(
	    &clock, &plain, &shorter, (struct pv_time){60, WALL});
	ok(clock.backoff.rest_ms == MINUTE,
	    "P2: nor does one that rests for less make it shorter");
	ask(&clock, &plain, DAY, 0, &failed);
	pv_host_clock_restore(
	    &clock, &plain, &saved, (struct pv_time){DAY, WALL + DAY});
	ok(pv_host_clock_next(&clock, &plain).until >= DAY + 5 * SECOND,
	    "P2: nor does what is older than what the clock knows");
}

/* The same, of the host's own bucket. */
static void test_restore_window(void)
{
	static const struct pv_saved_clock full = {
	    .window_until_wall_ms = WALL + 50 * MINUTE, .window_count = 3};
	static const struct pv_saved_clock older = {
	    .window_until_wall_ms = WALL + 30 * MINUTE, .window_count = 1};
	const struct pv_time now = {0, WALL};
	struct pv_host_clock clock;
	struct pv_pace pace = plain;
	pace.max_rate = 3;
	pace.interval_ms = HOUR;
	pv_host_clock_init(&clock);
	pv_host_clock_restore(&clock, &pace, &full, now);
	pv_host_clock_restore(&clock, &pace, &older, now);
	ok(pv_host_clock_next(&clock, &pace).until == 50 * MINUTE,
	    "P1: of two intervals of a bucket the later one counts, with what "
	    "was asked in the fuller one");
}

static void test_save_probes(void)
{
	struct pv_host_clock clock;
	int64_t now = fail_five_times(&clock, &plain);
	struct pv_saved_clock saved =
	    pv_host_clock_save(&clock, &plain, (struct pv_time){now, WALL});
	ok(saved.failures == 5, "how often it failed in a row is saved");
	pv_host_clock_init(&clock);
	pv_host_clock_restore(
	    &clock, &plain, &saved, (struct pv_time){0, WALL});
	ok(pv_host_clock_release(&clock) == PV_TRIAL_PROBE,
	    "P3: a host that was to be probed is probed in the next run");
	pv_host_clock_start(&clock, &plain, 0, 0);
	struct pv_flight_times times = flight(0, 0, 0);
	times.trial = PV_TRIAL_PROBE;
	pv_host_clock_end(&clock, &plain, &failed, times);
	ok(pv_host_clock_next(&clock, &plain).until == 160 * SECOND,
	    "P3: and its rest grows on");
}

static void test_save_slowed(void)
{
	struct pv_host_clock clock;
	pv_host_clock_init(&clock);
	ask(&clock, &plain, 0, 0, &busy);
	ask(&clock, &plain, MINUTE, 0, &busy);
	ask(&clock, &plain, 3 * MINUTE, 0, &good);
	struct pv_saved_clock saved = pv_host_clock_save(
	    &clock, &plain, (struct pv_time){3 * MINUTE, WALL});
	ok(saved.left_ms == 4 * SECOND && saved.reason == PV_WAIT_SLOWED,
	    "the longer rest of a slowed host is saved");
	pv_host_clock_init(&clock);
	pv_host_clock_restore(
	    &clock, &plain, &saved, (struct pv_time){0, WALL + HOUR / 6});
	ok(pv_host_clock_next(&clock, &plain).until == 4 * SECOND,
	    "P3: waited for in the next run");
	ask(&clock, &plain, 4 * SECOND, 0, &good);
	ok(pv_host_clock_next(&clock, &plain).until == 8 * SECOND,
	    "P3: in which it still is slow");
}

/* What stands in a file may be anything. */
static void test_restore_nonsense(void)
{
	static const int64_t numbers[] = {
	    INT64_MIN, INT64_MIN + 1, -1, 1, WALL, INT64_MAX - 1, INT64_MAX};
	bool is_sane = true;
	for (size_t i = 0; i < 7; i++) {
		int64_t n = numbers[i];
		const struct pv_saved_clock saved = {
		    n, n, n, PV_WAIT_SLOWED, n, n, n, n, n, n, n, n, n};
		struct pv_host_clock clock;
		pv_host_clock_init(&clock);
		pv_host_clock_restore(
		    &clock, &plain, &saved, (struct pv_time){50, WALL});
		int64_t next = pv_host_clock_next(&clock, &plain).until;
		is_sane = is_sane && next <= 50 + 3650 * DAY;
		ask(&clock, &plain, next, 0, &busy);
		is_sane = is_sane && pv_host_clock_next(&clock, &plain).until >=
					 next + MINUTE;
	}
	ok(is_sane, "P5: numbers that nobody wrote overflow nothing");
}

int main(void)
{
	test_ends();
	test_jitter();
	test_between_starts();
	test_fast_errors();
	test_adaptive();
	test_hints();
	test_slowed();
	test_probes();
	test_probe_alone();
	test_trial();
	test_slow_pages();
	test_held();
	test_errors_at_random();
	test_bucket();
	test_save();
	test_save_idle();
	test_save_parts();
	test_save_open();
	test_save_failures();
	test_raised();
	test_restore_shared();
	test_restore_window();
	test_save_probes();
	test_save_slowed();
	test_restore_nonsense();
	return tap_done();
}
