#include "schedule/scheduler.h"

#include "policy/policy.h"
#include "tap.h"

static struct pv_scheduler scheduler_of(
    int64_t max_rate, int64_t interval_ms, int64_t burst)
{
	struct pv_scheduler scheduler;
	const struct pv_rate rate = {
	    .max_rate = max_rate, .interval_ms = interval_ms, .burst = burst};
	pv_scheduler_init(&scheduler, &rate, 1000);
	return scheduler;
}

static int64_t after(struct pv_scheduler scheduler, int64_t taken, int64_t now)
{
	scheduler.tokens -= taken;
	pv_scheduler_tick(&scheduler, now);
	return scheduler.tokens;
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
		struct pv_scheduler scheduler =
		    scheduler_of(cases[i].max_rate, 1000, cases[i].burst);
		ok(after(scheduler, cases[i].taken, cases[i].now) ==
			cases[i].tokens,
		    "P1, tick: %s", cases[i].claim);
	}
}

static void test_late(void)
{
	struct pv_scheduler scheduler = scheduler_of(1, 1000, 1);
	scheduler.tokens = 0;
	pv_scheduler_tick(&scheduler, 2700);
	ok(scheduler.tokens == 1 && pv_scheduler_next_tick(&scheduler) == 3000,
	    "who looks late does not move the next tick");
	scheduler.tokens = 0;
	pv_scheduler_tick(&scheduler, 2000);
	ok(!scheduler.tokens, "a look into the past brings nothing");
	pv_scheduler_tick(&scheduler, INT64_C(1) << 52);
	ok(scheduler.tokens == 1, "a very long sleep overflows nothing");
	scheduler.tokens = 0;
	pv_scheduler_give_back(&scheduler, scheduler.last_tick - 1);
	ok(!scheduler.tokens,
	    "P1: what is of an earlier tick does not come back");
	pv_scheduler_give_back(&scheduler, scheduler.last_tick);
	pv_scheduler_give_back(&scheduler, scheduler.last_tick);
	ok(scheduler.tokens == 1, "what is given back overflows nothing");
}

/* Of eight that were released, so many have started when somebody looks again
 * who was away for many ticks. */
static int64_t tokens_after_absence(int started_before, int started_on_return)
{
	struct pv_scheduler scheduler = scheduler_of(8, 500, 16);
	for (int i = 0; i < 8; i++)
		pv_scheduler_spend(&scheduler);
	for (int i = 0; i < started_before; i++)
		pv_scheduler_sent(&scheduler);
	pv_scheduler_tick(&scheduler, 1000);
	scheduler.wakes_at = 1500;
	for (int i = 0; i < started_on_return; i++)
		pv_scheduler_sent(&scheduler);
	pv_scheduler_tick(&scheduler, 100 * 500);
	return scheduler.tokens;
}

/* Eight are released and not sent, and it wakes so late. */
static int64_t tokens_on_time(int64_t late_ms)
{
	struct pv_scheduler scheduler = scheduler_of(8, 500, 16);
	for (int i = 0; i < 8; i++)
		pv_scheduler_spend(&scheduler);
	scheduler.wakes_at = 9000;
	pv_scheduler_tick(&scheduler, 9000 + late_ms);
	return scheduler.tokens;
}

static void after_absence(struct pv_scheduler *scheduler, int64_t now)
{
	scheduler->wakes_at = 0;
	pv_scheduler_tick(scheduler, now);
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
	ok(tokens_on_time(50) == 16, "a wake that is late by a little is none");
	ok(tokens_on_time(51) == 8, "P1: one that is later is an absence");
}

static void test_unsent(void)
{
	struct pv_scheduler scheduler = scheduler_of(2, 1000, 2);
	pv_scheduler_spend(&scheduler);
	pv_scheduler_spend(&scheduler);
	after_absence(&scheduler, 1000);
	ok(scheduler.tokens == 0, "never less than none");
	scheduler.tokens = 1;
	pv_scheduler_spend(&scheduler);
	after_absence(&scheduler, 2000);
	ok(scheduler.tokens == 0,
	    "nor where more have not been sent than the bucket holds");
	pv_scheduler_sent(&scheduler);
	pv_scheduler_tick(&scheduler, 2000);
	pv_scheduler_tick(&scheduler, 2000);
	ok(scheduler.unsent == 2, "what is sent is counted once");
}

/* Another that goes on after so many tokens were taken at 1000; how many there
 * are then. */
static int64_t gone_on(
    struct pv_scheduler after, int64_t taken, int64_t opened_at, int64_t now)
{
	struct pv_scheduler before = scheduler_of(20, 1000, 20);
	before.tokens -= taken;
	after.last_tick = opened_at;
	pv_scheduler_go_on(&after, &before, opened_at);
	pv_scheduler_tick(&after, now);
	return after.tokens;
}

static void test_going_on(void)
{
	struct pv_scheduler same = scheduler_of(20, 1000, 20);
	ok(gone_on(same, 20, 1500, 1999) == 0 &&
		gone_on(same, 15, 1500, 1999) == 5,
	    "P1: who goes on has no more tokens than were left");
	ok(gone_on(same, 20, 1500, 2000) == 20,
	    "and gets others when the next tick was to be");
	ok(gone_on(scheduler_of(7, 1000, 7), 5, 1500, 1999) == 2 &&
		gone_on(scheduler_of(3, 1000, 3), 5, 1500, 1999) == 0,
	    "P1: a lower rate counts what was spent");
	ok(gone_on(scheduler_of(90, 1000, 90), 20, 1500, 1999) == 70 &&
		gone_on(scheduler_of(90, 1000, 90), 20, 1500, 2000) == 90,
	    "and so does a higher one");
	struct pv_scheduler low = scheduler_of(1, 1000, 1);
	struct pv_scheduler high = scheduler_of(20, 1000, 20);
	struct pv_scheduler began = scheduler_of(20, 1000, 20);
	began.tokens = 2;
	pv_scheduler_go_on(&low, &began, 1300);
	pv_scheduler_go_on(&high, &low, 1400);
	ok(high.tokens == 2,
	    "P1: a rate that was lower for a moment brings nothing back");
	pv_scheduler_give_back(&low, 1200);
	ok(!low.tokens && low.overspent == 16,
	    "nor does a token that served nothing, while too many were spent");
	pv_scheduler_tick(&low, 2000);
	ok(low.tokens == 1 && !low.overspent, "at the next tick all is even");
	struct pv_scheduler full = scheduler_of(20, 1000, 60);
	full.tokens = 50;
	pv_scheduler_go_on(&same, &full, 1500);
	ok(same.tokens == 20, "what was saved up is no debt");
	same = scheduler_of(20, 1000, 20);
	ok(gone_on(scheduler_of(20, 60000, 20), 20, 1500, 60999) == 0 &&
		gone_on(scheduler_of(20, 60000, 20), 20, 1500, 61000) == 20,
	    "P1: a longer interval holds at once");
	ok(gone_on(same, 20, 9500, 9999) == 20,
	    "after a long pause all are there");
}

/* How many start in a time in which the part changes at random moments. */
static void test_parts(void)
{
	const struct pv_schedule_part parts[] = {
	    {3, 1000, 3, 9}, {0, 1000, 0, 0}, {7, 1000, 7, 9}};
	struct pv_scheduler scheduler = scheduler_of(7, 1000, 7);
	int64_t started = 0;
	for (int64_t now = 1000; now < 101000; now += 50) {
		pv_scheduler_tick(&scheduler, now);
		started += scheduler.tokens;
		scheduler.tokens = 0;
		if (now / 50 % 7 == 0)
			pv_scheduler_set_part(
			    &scheduler, &parts[now / 350 % 3], now);
	}
	ok(started > 0 && started <= 7 * 101,
	    "P1: however a part changes, no more start than by the largest "
	    "(%lld)",
	    (long long)started);
	pv_scheduler_set_part(&scheduler, &parts[2], 101000);
	pv_scheduler_tick(&scheduler, 103000);
	pv_scheduler_set_part(&scheduler, &parts[0], 103000);
	ok(scheduler.tokens == 3, "P1: a smaller part holds at once");
}

int main(void)
{
	test_ticks();
	test_late();
	test_absence();
	test_unsent();
	test_going_on();
	test_parts();
	return tap_done();
}
