#include "schedule/backoff.h"

#include "tap.h"

#define MINUTE 60000

static const struct pv_backoff_plan plan = {
    5000, 2, 40000, 30 * MINUTE, .jitter = 0};
static const struct pv_backoff_plan overload = {
    60000, 2, 600000, 30 * MINUTE, .jitter = 0};

/* A request that began then fails now, at an address that is new. */
static bool fail(struct pv_backoff *backoff, const struct pv_backoff_plan *how,
    int64_t began_at, int64_t now)
{
	return pv_backoff_fail(backoff, how,
	    &(struct pv_failure){.began_at = began_at, .failed_at = now});
}

static bool fail_again(struct pv_backoff *backoff, int64_t now)
{
	return pv_backoff_fail(backoff, &plan,
	    &(struct pv_failure){
		.began_at = now, .failed_at = now, .is_repeat = true});
}

static void fail_probe(struct pv_backoff *backoff, int64_t now)
{
	pv_backoff_fail(backoff, &plan,
	    &(struct pv_failure){.began_at = now,
		.failed_at = now,
		.is_repeat = true,
		.is_probe = true});
}

static void succeed(
    struct pv_backoff *backoff, enum pv_asked asked, int64_t began_at)
{
	pv_backoff_succeed(backoff, &plan,
	    &(struct pv_success){.began_at = began_at, .asked = asked});
}

static void succeed_probe(
    struct pv_backoff *backoff, enum pv_asked asked, int64_t began_at)
{
	pv_backoff_succeed(backoff, &plan,
	    &(struct pv_success){
		.began_at = began_at, .asked = asked, .is_probe = true});
}

static void test_growth(void)

{
	struct pv_backoff backoff = {0};
	int64_t now = 0;
	static const int64_t rests[] = {5000, 10000, 20000, 40000, 40000};
	for (size_t i = 0; i < 5; i++) {
		fail(&backoff, &plan, now, now);
		ok(backoff.until - now == rests[i],
		    "P2: failure %zu in a row rests %lld ms", i + 1,
		    (long long)rests[i]);
		now = backoff.until;
	}
	succeed(&backoff, PV_ASKED_PAGE, now);
	fail(&backoff, &plan, now, now);
	ok(backoff.until - now == 40000,
	    "P2: a good answer in between is no reason to begin small again");
	now = backoff.until + 30 * MINUTE - 1;
	fail(&backoff, &plan, now, now);
	ok(backoff.until - now == 40000,
	    "P2: nothing is forgiven too early, counted from the rest's end");
	now = backoff.until + 30 * MINUTE;
	fail(&backoff, &plan, now, now);
	ok(backoff.until - now == 5000 && backoff.failures == 1,
	    "what is long past is forgiven");
}

static void test_success(void)
{
	struct pv_backoff backoff = {0};
	fail(&backoff, &plan, 0, 0);
	succeed(&backoff, PV_ASKED_PAGE, 5000);
	fail(&backoff, &plan, 6000, 6000);
	ok(backoff.rest_ms == 5000,
	    "failures that do not follow each other do not add up");
	fail(&backoff, &plan, 11000, 11000);
	ok(backoff.rest_ms == 10000, "those that do, do");
	succeed(&backoff, PV_ASKED_PAGE, 21000);
	fail(&backoff, &plan, 22000, 22000);
	fail(&backoff, &plan, 32000, 32000);
	ok(backoff.rest_ms == 10000,
	    "P2: two in a row cost no more than the last time that there were "
	    "two");
	fail(&backoff, &plan, 42000, 42000);
	ok(backoff.rest_ms == 20000, "P2: and three cost more");
}

/* Several connections that break at once are one failure. */
static void test_together(void)
{
	struct pv_backoff backoff = {0};
	bool is_first = fail(&backoff, &plan, 1000, 2000);
	bool is_second = fail(&backoff, &plan, 1500, 2100);
	ok(is_first && !is_second && backoff.rest_ms == 5000 &&
		backoff.until == 7100 && backoff.failures == 1,
	    "P2: what was under way lengthens no rest, but begins it anew");
	succeed(&backoff, PV_ASKED_PAGE, 1900);
	fail(&backoff, &plan, 7100, 7200);
	ok(backoff.rest_ms == 10000 && backoff.failures == 2,
	    "an answer that was under way does not show that it is over");
}

static void test_kinds(void)
{
	struct pv_backoff backoff = {0};
	fail(&backoff, &plan, 0, 0);
	fail(&backoff, &overload, 5000, 5000);
	ok(backoff.rest_ms == 60000, "overload begins at its own length");
	fail(&backoff, &overload, 65000, 65000);
	ok(backoff.rest_ms == 120000, "and grows from there");
	fail(&backoff, &plan, 185000, 185000);
	ok(backoff.rest_ms >= 40000 && backoff.until >= 225000,
	    "P2: a failure after overload rests as long as failures may");
}

/* The same pages, again and again. */
static void test_repeats(void)
{
	struct pv_backoff backoff = {0};
	ok(!fail_again(&backoff, 0) && backoff.until == 5000 &&
		!backoff.failures && !backoff.rest_ms,
	    "P2: what has failed before costs the first rest");
	fail(&backoff, &plan, 5000, 5000);
	fail(&backoff, &plan, 10000, 10000);
	ok(backoff.failures == 2 && backoff.until == 20000,
	    "P2: and two that have not are two in a row");
	for (int64_t i = 0; i < 30; i++)
		fail_again(&backoff, 20000 + i * 5000);
	ok(backoff.failures == 2 && backoff.until == 170000,
	    "thirty of the others neither count nor make the rest longer");
	fail(&backoff, &plan, 170000, 170000);
	ok(backoff.failures == 3 && backoff.rest_ms == 20000,
	    "P2: nor do they end the row");
	fail_again(&backoff, 171000);
	ok(backoff.until == 190000, "P2: and none makes a rest shorter");
}

static void test_probes(void)
{
	struct pv_backoff backoff = {0};
	for (int64_t i = 0; i < 4; i++)
		fail(&backoff, &plan, i * 100000, i * 100000);
	ok(!pv_backoff_wants_probe(&backoff), "after four nobody is probed");
	fail(&backoff, &plan, 400000, 400000);
	ok(pv_backoff_wants_probe(&backoff), "after five in a row it is");
	fail_probe(&backoff, 500000);
	ok(backoff.failures == 6 && backoff.until == 540000,
	    "P2: a probe that fails counts, whatever it asked for");
	succeed_probe(&backoff, PV_ASKED_PAGE, 499999);
	ok(backoff.rest_ms, "what began before says nothing");
	succeed_probe(&backoff, PV_ASKED_PAGE, 540000);
	ok(!backoff.rest_ms && !backoff.failures && backoff.until == 540000,
	    "a probe that is answered well lets all be forgotten");
	fail(&backoff, &plan, 541000, 541000);
	ok(backoff.until == 546000 && backoff.failures == 1,
	    "and what fails then begins small");
}

/* Whoever limits the rate of pages often lets robots.txt through. */
static void test_kinds_of_answers(void)
{
	struct pv_backoff backoff = {0};
	int64_t now = 0;
	for (int i = 0; i < 8; i++) {
		fail(&backoff, &plan, now, now);
		now = backoff.until;
		succeed_probe(&backoff, PV_ASKED_ROBOTS, now);
		succeed(&backoff, PV_ASKED_RESOURCE, now);
	}
	ok(backoff.failures == 8 && backoff.rest_ms == 40000 &&
		backoff.is_in_doubt,
	    "P2: neither a robots.txt nor a resource forgives what pages have "
	    "earned");
	succeed(&backoff, PV_ASKED_ROBOTS, now + 30 * MINUTE);
	ok(!backoff.failures && !backoff.rest_ms && !backoff.is_in_doubt,
	    "but `forgive` without a failure does");
	backoff = (struct pv_backoff){0};
	pv_backoff_fail(
	    &backoff, &plan, &(struct pv_failure){.asked = PV_ASKED_ROBOTS});
	succeed(&backoff, PV_ASKED_ROBOTS, 5000);
	ok(!backoff.failures && !backoff.is_in_doubt && backoff.rest_ms,
	    "what a robots.txt has earned, a robots.txt ends");
	pv_backoff_fail(&backoff, &plan,
	    &(struct pv_failure){.began_at = 5000,
		.failed_at = 5000,
		.asked = PV_ASKED_RESOURCE});
	succeed(&backoff, PV_ASKED_ROBOTS, 10000);
	ok(backoff.failures == 1, "P2: and what a resource has, it does not");
	succeed(&backoff, PV_ASKED_PAGE, 10000);
	ok(!backoff.failures, "while a page ends all");
	for (int i = 0; i < 5; i++) {
		now = backoff.until;
		pv_backoff_fail(&backoff, &plan,
		    &(struct pv_failure){.began_at = now,
			.failed_at = now,
			.asked = PV_ASKED_RESOURCE});
	}
	succeed_probe(&backoff, PV_ASKED_RESOURCE, backoff.until);
	ok(!backoff.failures && !backoff.rest_ms,
	    "after which resources are tried by a resource");
}

static void test_doubt(void)
{
	struct pv_backoff backoff = {0};
	ok(pv_backoff_trial(&backoff) == PV_TRIAL_NOT, "a new host is well");
	fail_again(&backoff, 1000);
	ok(pv_backoff_trial(&backoff) == PV_TRIAL_ONE,
	    "P2: after any failure one request is a trial");
	succeed(&backoff, PV_ASKED_PAGE, 999);
	ok(pv_backoff_trial(&backoff) == PV_TRIAL_ONE,
	    "P2: what was under way then is none");
	succeed(&backoff, PV_ASKED_PAGE, 6000);
	ok(pv_backoff_trial(&backoff) == PV_TRIAL_NOT,
	    "and one that is answered well ends it");
}

static void test_jitter(void)
{
	struct pv_backoff_plan jittered = plan;
	struct pv_backoff backoff = {0};
	struct pv_failure failure = {.draw = UINT32_MAX};
	jittered.jitter = 0.1;
	pv_backoff_fail(&backoff, &jittered, &failure);
	ok(backoff.until > 5490 && backoff.until <= 5500,
	    "a rest is drawn up to a tenth longer");
	ok(backoff.rest_ms == 5000, "which does not make it grow");
	backoff = (struct pv_backoff){0};
	failure.draw = 0;
	pv_backoff_fail(&backoff, &jittered, &failure);
	ok(backoff.until == 5000, "P2: and never shorter");
	backoff = (struct pv_backoff){.rest_ms = 40000, .row_ms = 40000};
	failure.draw = UINT32_MAX;
	pv_backoff_fail(&backoff, &jittered, &failure);
	ok(backoff.until == 40000, "but not beyond its greatest length");
}

/* What thirty broken pages cost a host that answers all others. */
static void test_thirty(void)
{
	static const struct pv_backoff_plan usual = {
	    5000, 2, 86400000, 30 * MINUTE, .jitter = 0};
	struct pv_backoff backoff = {0};
	int64_t now = 0;
	for (int i = 0; i < 30; i++) {
		if (pv_backoff_wants_probe(&backoff))
			succeed_probe(&backoff, PV_ASKED_PAGE, now);
		fail(&backoff, &usual, now, now);
		now = backoff.until;
	}
	ok(now == 6 * (5000 + 10000 + 20000 + 40000 + 80000),
	    "thirty in a row cost six times five, where probes are answered");
	for (int i = 0; i < 90; i++) {
		fail_again(&backoff, now);
		now = backoff.until;
	}
	ok(now == 930000 + 90 * 5000,
	    "and the first rest each for trying them three times more");
}

int main(void)
{
	test_growth();
	test_success();
	test_together();
	test_kinds();
	test_repeats();
	test_probes();
	test_kinds_of_answers();
	test_doubt();
	test_jitter();
	test_thirty();
	return tap_done();
}
