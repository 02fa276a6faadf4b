#include "schedule/bucket.h"

#include "policy/policy.h"
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

/* Of eight that were released, so many have started when somebody looks again
 * who was away for many ticks. */
static int64_t tokens_after_absence(int started_before, int started_on_return)
{
	struct pv_bucket bucket = bucket_of(8, 500, 16);
	for (int i = 0; i < 8; i++)
		pv_bucket_take(&bucket);
	for (int i = 0; i < started_before; i++)
		pv_bucket_start(&bucket);
	pv_bucket_settle(&bucket);
	for (int i = 0; i < started_on_return; i++)
		pv_bucket_start(&bucket);
	pv_bucket_fill(&bucket, 100 * 500);
	pv_bucket_spare_unstarted(&bucket);
	return bucket.tokens;
}

static void test_absence(void)
{
	ok(tokens_after_absence(8, 0) == 16,
	    "who was away finds a full bucket when all had started");
	ok(tokens_after_absence(0, 0) == 8,
	    "P1: and room for those who start only now when none had");
	ok(tokens_after_absence(0, 8) == 8,
	    "P1: also when these have started just before the look");
	ok(tokens_after_absence(3, 2) == 11, "P1: and one for one between");
	struct pv_bucket bucket = bucket_of(2, 1000, 2);
	pv_bucket_take(&bucket);
	pv_bucket_take(&bucket);
	pv_bucket_spare_unstarted(&bucket);
	ok(bucket.tokens == 0, "never less than none");
	pv_bucket_fill(&bucket, 1000);
	pv_bucket_take(&bucket);
	pv_bucket_fill(&bucket, 2000);
	pv_bucket_spare_unstarted(&bucket);
	ok(bucket.tokens == 0,
	    "nor where more have not started than the bucket holds");
	pv_bucket_start(&bucket);
	pv_bucket_settle(&bucket);
	pv_bucket_settle(&bucket);
	ok(bucket.unstarted == 2, "a start is counted once");
}

int main(void)
{
	test_ticks();
	test_late();
	test_absence();
	return tap_done();
}
