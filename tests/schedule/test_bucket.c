#include "schedule/bucket.h"

#include "policy/policy.h"
#include "random.h"
#include "tap.h"

static struct pv_bucket bucket_of(
    int64_t max_rate, int64_t interval_ms, int64_t burst)
{
	struct pv_bucket bucket;
	const struct pv_rate rate = {
	    .max_rate = max_rate, .interval_ms = interval_ms, .burst = burst};
	pv_bucket_init(&bucket, &rate, 1000);
	return bucket;
}

static int64_t after(struct pv_bucket bucket, int64_t taken, int64_t now)
{
	bucket.tokens -= taken;
	pv_bucket_fill(&bucket, now);
	return bucket.tokens;
}

static void test_ticks(void)
{
	static const struct {
		int64_t max_rate;
		int64_t burst;
		int64_t taken;
		int64_t now;
		int64_t tokens;
		const char *claim;
	} cases[] = {
	    {20, 20, 0, 1000, 20, "it begins with max_rate"},
	    {20, 60, 0, 1000, 20, "it begins with max_rate, not with burst"},
	    {20, 20, 20, 1999, 0, "nothing comes before the tick"},
	    {20, 20, 20, 2000, 20, "a tick brings max_rate"},
	    {20, 20, 5, 2000, 20, "a tick brings no more than burst holds"},
	    {20, 60, 5, 2000, 35, "with a larger burst tokens stay"},
	    {20, 60, 20, 4999, 60, "three ticks bring three times as much"},
	    {20, 60, 20, 99000, 60, "an idle hour brings no more than burst"},
	    {7, 20, 7, 3000, 14, "burst need not be a multiple"},
	    {7, 20, 7, 4000, 20, "and is reached all the same"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_bucket bucket =
		    bucket_of(cases[i].max_rate, 1000, cases[i].burst);
		ok(after(bucket, cases[i].taken, cases[i].now) ==
			cases[i].tokens,
		    "P1, tick: %s", cases[i].claim);
	}
}

static void test_late(void)
{
	struct pv_bucket bucket = bucket_of(1, 1000, 1);
	bucket.tokens = 0;
	pv_bucket_fill(&bucket, 2700);
	ok(bucket.tokens == 1 && pv_bucket_next_tick(&bucket) == 3000,
	    "who looks late does not move the next tick");
	bucket.tokens = 0;
	pv_bucket_fill(&bucket, 2000);
	ok(!bucket.tokens, "a look into the past brings nothing");
	pv_bucket_fill(&bucket, INT64_C(1) << 52);
	ok(bucket.tokens == 1, "a very long sleep overflows nothing");
	bucket.tokens = 0;
	pv_bucket_give_back(&bucket, bucket.last_tick - 1);
	ok(!bucket.tokens, "P1: what is of an earlier tick does not come back");
	pv_bucket_give_back(&bucket, bucket.last_tick);
	pv_bucket_give_back(&bucket, bucket.last_tick);
	ok(bucket.tokens == 1, "what is given back overflows nothing");
}

/* Requests start some time after their release, since connecting takes a while,
 * and once in a while we are stopped between the two. */

#define RUNS 100
#define STARTS 4000
#define CONNECTING 64
#define CONNECT_MS 200
#define STOPPED_MS 4000
#define STEP_MS 40

struct wire {
	struct pv_bucket bucket;
	int64_t now;
	int64_t starting_at[CONNECTING];
	size_t connecting;
	int64_t starts[STARTS];
	size_t started;
};

static void release_some(struct wire *wire, struct random *random)
{
	pv_bucket_fill(&wire->bucket, wire->now);
	while (wire->bucket.tokens && wire->connecting < CONNECTING &&
	       random_below(random, 4)) {
		pv_bucket_take(&wire->bucket);
		wire->starting_at[wire->connecting++] =
		    wire->now + (int64_t)random_below(random, CONNECT_MS);
	}
}

static void start_some(struct wire *wire)
{
	size_t kept = 0;
	for (size_t i = 0; i < wire->connecting; i++) {
		if (wire->starting_at[i] > wire->now) {
			wire->starting_at[kept++] = wire->starting_at[i];
			continue;
		}
		pv_bucket_start(&wire->bucket, wire->now);
		wire->starts[wire->started++] = wire->now;
	}
	wire->connecting = kept;
}

/* By how many requests a span has more than it may, at the most. */
static int64_t most_over(const struct wire *wire)
{
	int64_t worst = INT64_MIN;
	for (size_t i = 0; i < wire->started; i++) {
		for (size_t j = i; j < wire->started && j < i + 200; j++) {
			int64_t span = wire->starts[j] - wire->starts[i];
			int64_t ticks = span / wire->bucket.interval_ms + 1;
			int64_t over = (int64_t)(j - i + 1) -
				       wire->bucket.burst -
				       wire->bucket.max_rate * ticks;
			if (over > worst)
				worst = over;
		}
	}
	return worst;
}

static void test_late_starts(void)
{
	struct random random = random_of(7);
	int64_t worst = INT64_MIN;
	for (int run = 0; run < RUNS; run++) {
		int64_t max_rate = 1 + (int64_t)random_below(&random, 9);
		int64_t more = (int64_t)random_below(&random, 5);
		struct wire wire = {
		    .bucket =
			bucket_of(max_rate, 4 * CONNECT_MS, max_rate + more),
		    .now = 1000,
		};
		while (wire.started + CONNECTING < STARTS) {
			release_some(&wire, &random);
			start_some(&wire);
			size_t most_ms =
			    random_below(&random, 5000) ? STEP_MS : STOPPED_MS;
			wire.now += 1 + (int64_t)random_below(&random, most_ms);
		}
		int64_t over = most_over(&wire);
		if (over > worst)
			worst = over;
	}
	ok(worst <= 0,
	    "P1: what starts late is no burst with what a tick brings (%lld)",
	    (long long)worst);
}

int main(void)
{
	test_ticks();
	test_late();
	test_late_starts();
	return tap_done();
}
