#include "schedule/backoff.h"

#include "tap.h"

#define MINUTE 60000

static const struct pv_backoff_plan plan = {5000, 2, 40000, 30 * MINUTE};
static const struct pv_backoff_plan overload = {60000, 2, 600000, 30 * MINUTE};

static void test_growth(void)
{
	struct pv_backoff backoff = {0};
	int64_t now = 0;
	static const int64_t rests[] = {5000, 10000, 20000, 40000, 40000};
	for (size_t i = 0; i < 5; i++) {
		pv_backoff_fail(&backoff, &plan, now, now);
		ok(backoff.until - now == rests[i],
		    "P2: failure %zu in a row rests %lld ms", i + 1,
		    (long long)rests[i]);
		now = backoff.until;
	}
	pv_backoff_succeed(&backoff, now);
	pv_backoff_fail(&backoff, &plan, now, now);
	ok(backoff.until - now == 40000,
	    "P2: a good answer in between is no reason to begin small again");
	now = backoff.until + 30 * MINUTE - 1;
	pv_backoff_fail(&backoff, &plan, now, now);
	ok(backoff.until - now == 40000,
	    "P2: nothing is forgiven too early, counted from the rest's end");
	now = backoff.until + 30 * MINUTE;
	pv_backoff_fail(&backoff, &plan, now, now);
	ok(backoff.until - now == 5000, "what is long past is forgiven");
}

static void test_success(void)
{
	struct pv_backoff backoff = {0};
	pv_backoff_fail(&backoff, &plan, 0, 0);
	pv_backoff_succeed(&backoff, 5000);
	pv_backoff_fail(&backoff, &plan, 6000, 6000);
	ok(backoff.rest_ms == 5000,
	    "failures that do not follow each other do not add up");
	pv_backoff_fail(&backoff, &plan, 11000, 11000);
	ok(backoff.rest_ms == 10000, "those that do, do");
}

/* Several connections that break at once are one failure. */
static void test_together(void)
{
	struct pv_backoff backoff = {0};
	pv_backoff_fail(&backoff, &plan, 1000, 2000);
	pv_backoff_fail(&backoff, &plan, 1500, 2100);
	ok(backoff.rest_ms == 5000 && backoff.until == 7100,
	    "P2: what was under way lengthens no rest, but begins it anew");
	pv_backoff_succeed(&backoff, 1900);
	pv_backoff_fail(&backoff, &plan, 7100, 7200);
	ok(backoff.rest_ms == 10000,
	    "an answer that was under way does not show that it is over");
}

static void test_kinds(void)
{
	struct pv_backoff backoff = {0};
	pv_backoff_fail(&backoff, &plan, 0, 0);
	pv_backoff_fail(&backoff, &overload, 5000, 5000);
	ok(backoff.rest_ms == 60000, "overload begins at its own length");
	pv_backoff_fail(&backoff, &overload, 65000, 65000);
	ok(backoff.rest_ms == 120000, "and grows from there");
	pv_backoff_fail(&backoff, &plan, 185000, 185000);
	ok(backoff.rest_ms >= 40000 && backoff.until >= 225000,
	    "P2: a failure after overload rests as long as failures may");
}

int main(void)
{
	test_growth();
	test_success();
	test_together();
	test_kinds();
	return tap_done();
}
