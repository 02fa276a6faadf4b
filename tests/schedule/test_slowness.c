#include "schedule/slowness.h"

#include "tap.h"

#define MINUTE INT64_C(60000)

static const struct pv_pace plain = {
    .delay_ms = 1000,
    .max_delay_ms = 10000,
    .overload = {60000, 2, 86400000, 30 * MINUTE, .jitter = 0},
};

static void test_doubling(void)
{
	static const int64_t rests[] = {2000, 4000, 8000, 10000, 10000};
	struct pv_slowness slowness = {0};
	for (size_t i = 0; i < 5; i++) {
		pv_slowness_double(&slowness, &plain);
		ok(slowness.rest_ms == rests[i],
		    "P1: after %zu overloads the rest is %lld ms", i + 1,
		    (long long)rests[i]);
	}
	slowness.since = MINUTE;
	ok(pv_slowness_ends(&slowness, &plain) == MINUTE + 4 * 30 * MINUTE,
	    "it is known when nothing is left of it");
	pv_slowness_forgive(&slowness, &plain, 31 * MINUTE - 1);
	ok(slowness.rest_ms == 10000, "P2: nothing is forgiven too early");
	pv_slowness_forgive(&slowness, &plain, 31 * MINUTE);
	ok(slowness.rest_ms == 5000, "after a while it is halved");
	pv_slowness_forgive(&slowness, &plain, 91 * MINUTE);
	ok(slowness.rest_ms == 1250, "for each such while");
	pv_slowness_forgive(&slowness, &plain, 121 * MINUTE);
	ok(!slowness.rest_ms && !pv_slowness_ends(&slowness, &plain),
	    "until the delay is all that is left");
}

static void test_bounds(void)
{
	struct pv_pace pace = plain;
	struct pv_slowness slowness = {0};
	pace.delay_ms = 20000;
	pv_slowness_double(&slowness, &pace);
	ok(!slowness.rest_ms, "who has a longer delay than max_delay keeps it");
	pace.delay_ms = 0;
	pv_slowness_double(&slowness, &pace);
	ok(!slowness.rest_ms, "twice no delay is none");
	pace.max_delay_ms = 0;
	pv_slowness_restore(&slowness, &pace, INT64_C(1) << 60, 0);
	ok(!slowness.rest_ms, "also in another run");
}

static void test_restore(void)
{
	struct pv_slowness slowness = {0};
	pv_slowness_restore(&slowness, &plain, 59999, 5);
	ok(!slowness.rest_ms, "a rest that no overload had slows nobody");
	pv_slowness_restore(&slowness, &plain, 60000, 5);
	ok(slowness.rest_ms == 2000 && slowness.since == 5,
	    "P3: that of one overload is that of one");
	pv_slowness_restore(&slowness, &plain, 240000, 5);
	ok(slowness.rest_ms == 8000, "P3: and that of three is that of three");
	pv_slowness_restore(&slowness, &plain, 60000, 5);
	ok(slowness.rest_ms == 8000, "P1: nothing is made faster by it");
	struct pv_pace even = plain;
	even.overload.factor = 1;
	slowness = (struct pv_slowness){0};
	pv_slowness_restore(&slowness, &even, INT64_C(1) << 60, 5);
	ok(slowness.rest_ms == 2000,
	    "where rests do not grow, one overload is all that can be told");
}

int main(void)
{
	test_doubling();
	test_bounds();
	test_restore();
	return tap_done();
}
