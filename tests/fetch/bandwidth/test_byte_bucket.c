#include "fetch/bandwidth/byte_bucket.h"

#include "tap.h"

#define KB INT64_C(1000)
#define LONG_AGO INT64_C(1000000)

/* What it gives at once after having been idle for an hour. */
static const struct {
	const char *claim;
	int64_t limit;
	int64_t credit;
} credits[] = {
    {"an eighth of a second's worth comes at once", 800 * KB, 100 * KB},
    {"and never less than a buffer", 1024, 16384},
    {"where they meet it is the same", 131072, 16384},
    {"the highest limit there is has one too", INT64_C(1) << 50,
	INT64_C(1) << 47},
};

static void test_credit(void)
{
	for (size_t i = 0; i < sizeof(credits) / sizeof(*credits); i++) {
		struct pv_byte_bucket bucket;
		int64_t credit = credits[i].credit;
		pv_byte_bucket_init(&bucket, credits[i].limit, 0);
		ok(pv_byte_bucket_take(&bucket, credit, 0) &&
			!pv_byte_bucket_take(&bucket, 1, 0),
		    "%s, from the beginning", credits[i].claim);
		ok(pv_byte_bucket_take(&bucket, credit, LONG_AGO) &&
			!pv_byte_bucket_take(&bucket, 1, LONG_AGO),
		    "and an idle hour earns no more (P2)");
	}
}

/* From an empty bucket. */
static const struct {
	const char *claim;
	int64_t limit;
	int64_t bytes;
	int64_t wait_ms;
} waits[] = {
    {"nothing can be taken at once", 1024, 0, 0},
    {"a byte at the lowest limit takes a millisecond", 1024, 1, 1},
    {"a buffer takes as long as it must", 1024, 16384, 16000},
    {"and what has a fraction is rounded up", 100 * KB, 16384, 164},
    {"what it never holds waits until it is full", 1024, 100000, 16000},
    {"at a high limit it is one millisecond", INT64_C(1) << 50, 16384, 1},
};

static void test_waits(void)
{
	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		struct pv_byte_bucket bucket;
		int64_t bytes = waits[i].bytes;
		pv_byte_bucket_init(&bucket, waits[i].limit, 0);
		pv_byte_bucket_take(&bucket, pv_byte_bucket_credit(&bucket), 0);
		int64_t wait_ms = pv_byte_bucket_wait(&bucket, bytes, 0);
		ok(wait_ms == waits[i].wait_ms, "%s", waits[i].claim);
		ok((wait_ms == 0 ||
		       !pv_byte_bucket_take(&bucket, bytes, wait_ms - 1)) &&
			pv_byte_bucket_take(&bucket, bytes, wait_ms),
		    "then they can be taken, and no sooner");
	}
}

static void test_debt(void)
{
	struct pv_byte_bucket bucket;
	pv_byte_bucket_init(&bucket, 100 * KB, 0);
	pv_byte_bucket_charge(&bucket, 16384 + 10 * KB, 0);
	ok(!pv_byte_bucket_take(&bucket, 1, 100) &&
		pv_byte_bucket_take(&bucket, 1, 101),
	    "what came unasked is paid off before anything is taken");
	pv_byte_bucket_init(&bucket, 100 * KB, 0);
	ok(pv_byte_bucket_take(&bucket, 16384 + 10 * KB, 0) &&
		!pv_byte_bucket_take(&bucket, 1, 100) &&
		pv_byte_bucket_take(&bucket, 1, 101),
	    "and so is what is taken beyond all that it holds");
}

static void test_give_back(void)
{
	struct pv_byte_bucket bucket;
	pv_byte_bucket_init(&bucket, 100 * KB, 0);
	pv_byte_bucket_take(&bucket, 10000, 0);
	pv_byte_bucket_give_back(&bucket, 4000);
	ok(!pv_byte_bucket_take(&bucket, 10385, 0) &&
		pv_byte_bucket_take(&bucket, 10384, 0),
	    "what did not come may be taken by others");
	pv_byte_bucket_give_back(&bucket, 1000000);
	ok(pv_byte_bucket_take(&bucket, 16384, 0) &&
		!pv_byte_bucket_take(&bucket, 1, 0),
	    "but a full bucket has no room for it");
}

static void test_full(void)
{
	struct pv_byte_bucket bucket;
	pv_byte_bucket_init(&bucket, 100 * KB, 0);
	pv_byte_bucket_take(&bucket, 1000, 0);
	ok(!pv_byte_bucket_is_full(&bucket, 9) &&
		pv_byte_bucket_is_full(&bucket, 10),
	    "it is full when what was taken has come back");
}

static void test_set_limit(void)
{
	struct pv_byte_bucket bucket;
	pv_byte_bucket_init(&bucket, 1000 * KB, 0);
	pv_byte_bucket_set_limit(&bucket, 100 * KB, 0);
	ok(pv_byte_bucket_take(&bucket, 16384, 0) &&
		!pv_byte_bucket_take(&bucket, 1, 0),
	    "a lower limit leaves no more than its own credit");
	pv_byte_bucket_set_limit(&bucket, 1000 * KB, 100);
	ok(pv_byte_bucket_wait(&bucket, 11000, 100) == 1,
	    "and what a time brought is by the limit that it had then");
}

/* Any sequence of requests */

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % below;
}

#define STEPS 600

struct course {
	int64_t at[STEPS];
	int64_t taken[STEPS];
};

/* Whether in no span more was taken than the credit and what it brings. */
static bool is_within(
    const struct course *course, int64_t limit, int64_t credit)
{
	for (size_t first = 0; first < STEPS; first++) {
		int64_t sum = 0;
		for (size_t last = first; last < STEPS; last++) {
			int64_t span_ms = course->at[last] - course->at[first];
			sum += course->taken[last];
			if (sum * 1000 > credit * 1000 + limit * span_ms)
				return false;
		}
	}
	return true;
}

static void test_any_span(void)
{
	static const int64_t limits[] = {1024, 20 * KB, 131072, 5000 * KB};
	static const uint32_t pauses_ms[] = {3, 50, 3000};
	uint64_t state = 54;
	for (size_t i = 0; i < 12; i++) {
		struct course course;
		struct pv_byte_bucket bucket;
		int64_t limit = limits[i / 3];
		int64_t now = 0;
		pv_byte_bucket_init(&bucket, limit, now);
		for (size_t step = 0; step < STEPS; step++) {
			int64_t bytes = 1 + draw(&state, 16384);
			now += draw(&state, pauses_ms[i % 3]);
			course.at[step] = now;
			course.taken[step] =
			    pv_byte_bucket_take(&bucket, bytes, now) ? bytes
								     : 0;
		}
		ok(is_within(&course, limit, pv_byte_bucket_credit(&bucket)),
		    "at %lld B/s, asked about each %u ms, no span has more "
		    "than its credit and its share (P1)",
		    (long long)limit, (unsigned)pauses_ms[i % 3] / 2);
	}
}

/* Who always comes when he is told gets all that there is. */
static void test_demand(void)
{
	static const int64_t limits[] = {1024, 20 * KB, 131072, 5000 * KB};
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct pv_byte_bucket bucket;
		int64_t now = 0;
		int64_t taken = 0;
		pv_byte_bucket_init(&bucket, limits[i], now);
		while (now < 1000 * 1000) {
			now += pv_byte_bucket_wait(&bucket, 16384, now);
			if (pv_byte_bucket_take(&bucket, 16384, now))
				taken += 16384;
		}
		ok(taken >= limits[i] * 1000,
		    "at %lld B/s who takes whenever he may gets all of it",
		    (long long)limits[i]);
	}
}

int main(void)
{
	test_credit();
	test_waits();
	test_debt();
	test_give_back();
	test_full();
	test_set_limit();
	test_any_span();
	test_demand();
	return tap_done();
}
