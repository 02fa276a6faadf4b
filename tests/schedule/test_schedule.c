#include "schedule/schedule.h"

#include <stdio.h>

#include "base/address.h"
#include "policy/policy.h"
#include "policy/values/value.h"
#include "schedule/gates.h"
#include "schedule/hours.h"
#include "schedule/schedule_host.h"
#include "schedule/scheduler.h"
#include "tap.h"

#define SECOND 1000
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define RELEASES 64

/* 21 November 2026, midnight in UTC, when the crawl's clock stands at 0. */
#define WALL INT64_C(1795219200000)

static const struct pv_manners plain = {
    .delay_ms = 1 * SECOND,
    .delay_from = PV_DELAY_FROM_END,
    .delay_factor = 1,
    .max_delay_ms = 30 * SECOND,
    .connections = 1,
    .max_rate = PV_NONE,
    .interval_ms = 1 * SECOND,
    .ip_delay_ms = 250,
    .backoff = {5 * SECOND, 60 * SECOND, 2, DAY, 30 * MINUTE},
    .timezone = "UTC",
};

static const struct pv_rate wide = {1000, 1 * SECOND, 1000, 1000, PV_NONE};
static const struct pv_visit_end good = {
    .status = 200, .retry_after_ms = PV_NONE};

static struct pv_schedule *schedule_of(const struct pv_rate *rate)
{
	const struct pv_schedule_plan plan = {.rate = rate, .seed = 1};
	return pv_schedule_create(&plan, 0);
}

static struct pv_schedule_host *add(struct pv_schedule *schedule,
    const char *name, const char *address, const struct pv_manners *manners)
{
	struct pv_address bytes;
	pv_address_read(pv_str_of(address), &bytes);
	const struct pv_host_plan plan = {
	    pv_str_of(name), &bytes, manners, NULL};
	return pv_schedule_host_add(schedule, &plan, 0);
}

static void push(struct pv_schedule *schedule, struct pv_schedule_host *host,
    size_t count, int64_t now)
{
	for (uint64_t i = 1; i <= count; i++)
		pv_schedule_push(
		    schedule, host, &(struct pv_visit_batch){&i, 1}, now);
}

/* Which have been released at a time. */
static struct {
	struct pv_release items[RELEASES];
	size_t count;
} out;

static size_t release(struct pv_schedule *schedule, int64_t now)
{
	const struct pv_time time = {now, WALL + now};
	out.count = pv_scheduler_wake(schedule, time, out.items, RELEASES);
	return out.count;
}

/* Asks once, with the bytes gone out at once, and an answer that takes so
 * long. */
static bool ask(struct pv_schedule *schedule, int64_t now, int64_t took_ms,
    const struct pv_visit_end *end)
{
	if (release(schedule, now) != 1)
		return false;
	uint32_t flight = out.items[0].flight;
	pv_schedule_sent(schedule, flight, now);
	pv_schedule_ended(schedule, flight, end, now + took_ms);
	return true;
}

/* A rest after a failure is drawn up to a tenth longer. */
static bool is_rest(int64_t until, int64_t from, int64_t rest_ms)
{
	return until >= from + rest_ms && until <= from + rest_ms * 11 / 10;
}

static void test_one_host(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	ok(pv_scheduler_next_wake(schedule, 0) == PV_NEVER,
	    "nobody is woken for a host without visits");
	push(schedule, host, 5, 0);
	ok(ask(schedule, 0, 100, &good), "P1: a new host may start at once");
	ok(pv_scheduler_next_wake(schedule, 100) == 1100,
	    "P1: and next, its delay after the answer");
	ok(release(schedule, 1099) == 0, "P1: not a millisecond before");
	ok(ask(schedule, HOUR, 3000, &good), "then it does");
	ok(release(schedule, HOUR + 3000) == 0,
	    "P2: an idle hour earns no credit");
	ok(pv_scheduler_next_wake(schedule, HOUR + 3000) == HOUR + 6000,
	    "P1: an answer that took 3 s is followed by 3 s of rest");
	pv_schedule_destroy(schedule);
}

/* From its release until its bytes go out, a request holds its host. */
static void test_connecting(void)
{
	struct pv_manners manners = plain;
	struct pv_schedule *schedule = schedule_of(&wide);
	manners.delay_from = PV_DELAY_FROM_START;
	manners.connections = 2;
	struct pv_schedule_host *host =
	    add(schedule, "a", "192.0.2.1", &manners);
	push(schedule, host, 5, 0);
	release(schedule, 0);
	uint32_t first = out.items[0].flight;
	ok(release(schedule, 9 * SECOND) == 0,
	    "P1: nothing more is released while a connection is made");
	pv_schedule_sent(schedule, first, 9 * SECOND);
	ok(release(schedule, 9999) == 0 && release(schedule, 10000) == 1,
	    "P1: the delay counts from when the bytes went out");
	uint32_t second = out.items[0].flight;
	pv_schedule_sent(schedule, second, 10000);
	ok(release(schedule, 20000) == 0, "connections caps the overlap");
	ok(pv_schedule_host_wait(
	       schedule, host, (struct pv_time){20000, WALL + 20000})
		    .reason == PV_WAIT_CONNECTIONS,
	    "P4: and says so");
	pv_schedule_ended(schedule, first, &good, 20000);
	ok(pv_scheduler_next_wake(schedule, 20000) == 21000,
	    "P1: between starts, the long answer counts from the last start");
	pv_schedule_destroy(schedule);
}

static void test_given_up(void)
{
	struct pv_rate narrow = {1, 1 * SECOND, 1, 5, PV_NONE};
	struct pv_schedule *schedule = schedule_of(&narrow);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	struct pv_visit_end given_up = {.is_given_up = true};
	push(schedule, host, 2, 0);
	release(schedule, 0);
	pv_schedule_ended(schedule, out.items[0].flight, &given_up, 0);
	ok(release(schedule, 0) == 1,
	    "a request of which nothing went out costs no token and no rest");
	pv_schedule_ended(schedule, out.items[0].flight,
	    &(struct pv_visit_end){.is_unreachable = true}, 300);
	push(schedule, host, 1, 300);
	ok(is_rest(pv_scheduler_next_wake(schedule, 300), 300, 5 * SECOND),
	    "P2: a failure to connect rests as failures do");
	pv_schedule_destroy(schedule);
}

/* Ten hosts, each with an address of its own and a visit. */
static void add_ten(struct pv_schedule *schedule)
{
	for (int i = 0; i < 10; i++) {
		char name[16];
		char address[24];
		snprintf(name, sizeof(name), "%d", i);
		snprintf(address, sizeof(address), "192.0.2.%d", i);
		push(schedule, add(schedule, name, address, &plain), 1, 0);
	}
}

static void test_crawl_rate(void)
{
	struct pv_rate rate = {2, 1 * SECOND, 3, 4, PV_NONE};
	struct pv_schedule *schedule = schedule_of(&rate);
	add_ten(schedule);
	ok(release(schedule, 0) == 2, "P1: max_rate are released at first");
	struct pv_release first = out.items[0];
	ok(pv_scheduler_next_wake(schedule, 1) == 1000,
	    "with no token left, the next tick is waited for");
	ok(pv_schedule_host_wait(schedule, first.host, (struct pv_time){1, 1})
		    .reason == PV_WAIT_NO_VISITS,
	    "P4: a host with nothing to ask says so");
	ok(release(schedule, 1000) == 2, "P1: and max_rate at the tick");
	ok(release(schedule, 3000) == 0 &&
		pv_scheduler_next_wake(schedule, 3000) == PV_NEVER,
	    "with no place free, nobody is woken, and tokens stay");
	pv_schedule_sent(schedule, first.flight, 3000);
	pv_schedule_ended(schedule, first.flight, &good, 3100);
	ok(release(schedule, 3100) == 1,
	    "a free place is used at once, between ticks");
	pv_scheduler_hold(schedule, PV_WAIT_HELD);
	ok(pv_scheduler_next_wake(schedule, 9000) == PV_NEVER &&
		release(schedule, 9000) == 0,
	    "while held, nothing is released");
	pv_schedule_destroy(schedule);
}

/* A tick has released two, and one of them has started, when we are away for
 * some ticks; how many may start then. */
static size_t released_after_absence(int64_t back_at)
{
	struct pv_rate rate = {2, 1 * SECOND, 4, 8, PV_NONE};
	struct pv_schedule *schedule = schedule_of(&rate);
	add_ten(schedule);
	release(schedule, 0);
	pv_schedule_sent(schedule, out.items[0].flight, 0);
	pv_scheduler_next_wake(schedule, 0);
	size_t count = release(schedule, back_at);
	pv_schedule_destroy(schedule);
	return count;
}

static void test_absence(void)
{
	ok(released_after_absence(1000) == 2 &&
		released_after_absence(1040) == 2,
	    "who looks at the tick releases what it brought");
	ok(released_after_absence(9000) == 3,
	    "P1: who was away leaves room for what starts only now (%zu)",
	    released_after_absence(9000));
}

static void test_one_address(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *a = add(schedule, "a", "192.0.2.1", &plain);
	struct pv_schedule_host *b = add(schedule, "b", "192.0.2.1", &plain);
	ok(!pv_schedule_first_host(schedule), "without visits no host is due");
	push(schedule, a, 1, 0);
	push(schedule, b, 1, 0);
	ok(pv_schedule_first_host(schedule) == a,
	    "who has waited longest is due first");
	ok(release(schedule, 0) == 1 && out.items[0].host == a,
	    "P1: of two hosts at one address one starts");
	pv_schedule_sent(schedule, out.items[0].flight, 40);
	ok(pv_schedule_first_host(schedule) == b,
	    "then the other is, at the address");
	ok(pv_scheduler_next_wake(schedule, 40) == 290,
	    "P1: and the other ip_delay after its bytes went out");
	struct pv_wait wait =
	    pv_schedule_host_wait(schedule, b, (struct pv_time){40, WALL});
	ok(wait.reason == PV_WAIT_ADDRESS && wait.until == 290,
	    "P4: and knows why");
	pv_schedule_ended(schedule, out.items[0].flight,
	    &(struct pv_visit_end){.status = 503, .retry_after_ms = HOUR}, 100);
	ok(release(schedule, 290) == 1 && out.items[0].host == b,
	    "Retry-After stays with its host");
	pv_schedule_ended(schedule, out.items[0].flight,
	    &(struct pv_visit_end){.is_unreachable = true}, 400);
	struct pv_schedule_host *c = add(schedule, "c", "192.0.2.1", &plain);
	push(schedule, c, 1, 400);
	ok(pv_scheduler_next_wake(schedule, 400) == 400 &&
		release(schedule, 400) == 0 &&
		is_rest(pv_scheduler_next_wake(schedule, 400), 400, 5 * SECOND),
	    "P2: a failure to connect counts for the address");
	struct pv_address other;
	pv_address_read(PV_STR("192.0.2.2"), &other);
	pv_schedule_host_move(schedule, c,
	    &(struct pv_host_plan){.address = &other, .manners = &plain}, 400);
	ok(release(schedule, 400) == 1 && out.items[0].host == c,
	    "at another address it need not wait");
	pv_schedule_destroy(schedule);
}

static void test_shared_clock(void)
{
	struct pv_manners slow = plain;
	struct pv_schedule *schedule = schedule_of(&wide);
	slow.delay_ms = 7 * SECOND;
	struct pv_schedule_host *a = add(schedule, "*.x", "192.0.2.1", &plain);
	struct pv_schedule_host *b = add(schedule, "*.x", "192.0.2.2", &slow);
	push(schedule, a, 3, 0);
	push(schedule, b, 3, 0);
	ok(ask(schedule, 0, 0, &good) && out.items[0].host == a,
	    "P1: hosts that share a clock do not start together");
	ok(release(schedule, 6999) == 0,
	    "P1: of two delays the longer one counts");
	ok(ask(schedule, 7000, 0, &good) && out.items[0].host == b,
	    "and they take turns");
	ok(ask(schedule, 14000, 0, &good) && out.items[0].host == a,
	    "again and again");
	pv_schedule_host_park(schedule, b, PV_NEVER, 14000);
	ok(ask(schedule, 21000, 0, &good) && out.items[0].host == a,
	    "who is parked keeps nobody from the clock");
	pv_schedule_destroy(schedule);
}

/* Of two hosts that share a clock, one lives at an address that another host
 * has found dead. */
static void test_shared_with_dead(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_visit_end dead = {.is_unreachable = true};
	struct pv_schedule_host *c = add(schedule, "c", "192.0.2.1", &plain);
	push(schedule, c, 1, 0);
	release(schedule, 0);
	uint32_t flight = out.items[0].flight;
	struct pv_schedule_host *a = add(schedule, "*.x", "192.0.2.1", &plain);
	push(schedule, a, 1, 0);
	pv_schedule_ended(schedule, flight, &dead, 0);
	ok(release(schedule, 0) == 0, "nobody asks at a dead address");
	struct pv_schedule_host *b = add(schedule, "*.x", "192.0.2.2", &plain);
	push(schedule, b, 1, 10);
	ok(ask(schedule, 10, 0, &good) && out.items[0].host == b,
	    "which keeps nobody from a clock that is shared");
	ok(release(schedule, 4999) == 0 && ask(schedule, 5500, 0, &good) &&
		out.items[0].host == a,
	    "until it may be tried again");
	pv_schedule_destroy(schedule);
}

static void test_kept_clock(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	struct pv_visit_end busy = {.status = 429, .retry_after_ms = PV_NONE};
	push(schedule, host, 1, 0);
	ask(schedule, 0, 10, &busy);
	pv_schedule_host_remove(schedule, host);
	release(schedule, 30 * SECOND);
	host = add(schedule, "a", "192.0.2.1", &plain);
	push(schedule, host, 1, 30 * SECOND);
	int64_t until = pv_scheduler_next_wake(schedule, 30 * SECOND);
	ok(is_rest(until, 10, 60 * SECOND),
	    "P1: a host that went and came again finds its clock");
	pv_schedule_host_remove(schedule, host);
	ok(pv_scheduler_next_wake(schedule, 0) == PV_NEVER,
	    "nobody is woken for a clock that is left over");
	release(schedule, until + 30 * MINUTE - 1);
	ok(schedule->clocks.count == 1,
	    "P2: it stays until its failure would be forgiven");
	release(schedule, until + 30 * MINUTE);
	ok(!schedule->clocks.count && !schedule->addresses.count,
	    "P5: what has nothing more to say is forgotten");
	pv_schedule_destroy(schedule);
}

static void test_parking(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	push(schedule, host, 9, 0);
	pv_schedule_host_park(schedule, host, 5000, 0);
	ok(pv_scheduler_next_wake(schedule, 0) == 5000 &&
		release(schedule, 4999) == 0,
	    "a parked host waits until then");
	ok(ask(schedule, 5000, 0, &good), "and goes on by itself");
	pv_schedule_host_park(schedule, host, PV_NEVER, 6000);
	ok(pv_scheduler_next_wake(schedule, 6000) == PV_NEVER &&
		pv_schedule_host_wait(schedule, host, (struct pv_time){6000, 0})
			.reason == PV_WAIT_PARKED,
	    "P4: or waits until it is told");
	pv_schedule_host_park(schedule, host, 0, 7000);
	ok(release(schedule, 7000) == 1, "and goes on when it is told");
	pv_schedule_destroy(schedule);
}

static void test_robots_wishes(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	struct pv_hours morning;
	push(schedule, host, 9, 0);
	pv_schedule_host_crawl_delay(schedule, host, 10 * SECOND);
	ask(schedule, 0, 0, &good);
	ok(pv_scheduler_next_wake(schedule, 0) == 10 * SECOND,
	    "P1: a longer Crawl-delay counts");
	pv_schedule_host_crawl_delay(schedule, host, 0);
	ok(pv_scheduler_next_wake(schedule, 0) == 1 * SECOND,
	    "and no more when robots.txt has dropped it");
	pv_hours_init(&morning, NULL);
	pv_hours_add(&morning, 6 * 60, 8 * 60);
	pv_schedule_host_visit_time(schedule, host, &morning, 0);
	ok(release(schedule, 1000) == 0 && release(schedule, 6 * HOUR - 1) == 0,
	    "P4: outside of Visit-time nothing is asked");
	struct pv_wait wait = pv_schedule_host_wait(
	    schedule, host, (struct pv_time){1000, WALL + 1000});
	ok(wait.reason == PV_WAIT_VISIT_TIME && wait.until == 6 * HOUR,
	    "P4: and it is known until when");
	ok(ask(schedule, 6 * HOUR, 0, &good), "within it is");
	ok(release(schedule, 8 * HOUR) == 0, "until it is over");
	pv_schedule_host_visit_time(schedule, host, NULL, 8 * HOUR);
	ok(release(schedule, 8 * HOUR) == 1, "or no longer asked for");
	pv_schedule_destroy(schedule);
}

/* The machine sleeps, and only the wall clock goes on. */
static void test_hours(void)
{
	static const char *night[] = {"22:00-06:00"};
	struct pv_manners manners = plain;
	struct pv_schedule *schedule = schedule_of(&wide);
	manners.allowed_hours.items = night;
	manners.allowed_hours.count = 1;
	struct pv_schedule_host *host =
	    add(schedule, "a", "192.0.2.1", &manners);
	push(schedule, host, 9, 0);
	ok(ask(schedule, 5 * HOUR, 0, &good), "by night it is asked");
	ok(release(schedule, 6 * HOUR) == 0, "by day it is not");
	ok(pv_scheduler_next_wake(schedule, 6 * HOUR) <= 6 * HOUR + 15 * MINUTE,
	    "the wall clock is looked at again");
	ok(pv_schedule_first_due(schedule) == 22 * HOUR,
	    "though it is known when the night begins");
	ok(pv_schedule_first_host(schedule) == host, "and whose night that is");
	struct pv_time early = {7 * HOUR, WALL + 7 * HOUR};
	ok(pv_scheduler_wake(schedule, early, out.items, 9) == 0,
	    "where it has not been set, nothing changes");
	struct pv_time slept = {7 * HOUR, WALL + 23 * HOUR};
	ok(pv_scheduler_wake(schedule, slept, out.items, 9) == 1,
	    "where it has, the new hour counts");
	pv_schedule_destroy(schedule);
}

/* Hours that were over begin again. */
static void test_set_back(void)
{
	static const char *morning[] = {"08:00-09:00"};
	struct pv_manners manners = plain;
	struct pv_schedule *schedule = schedule_of(&wide);
	manners.allowed_hours.items = morning;
	manners.allowed_hours.count = 1;
	push(schedule, add(schedule, "a", "192.0.2.1", &manners), 1, 0);
	const struct pv_time noon = {0, WALL + 12 * HOUR};
	ok(pv_scheduler_wake(schedule, noon, out.items, 9) == 0,
	    "behind its hours a host waits for the next day");
	const struct pv_time morning_again = {
	    SECOND, WALL + 8 * HOUR + HOUR / 2};
	ok(pv_scheduler_wake(schedule, morning_again, out.items, 9) == 1,
	    "and no longer than until the clock is set back to them");
	pv_schedule_destroy(schedule);
}

static void test_hold(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	push(schedule, add(schedule, "a", "192.0.2.1", &plain), 1, 0);
	pv_scheduler_hold(schedule, PV_WAIT_HELD);
	ok(release(schedule, 0) == 0 &&
		pv_scheduler_next_wake(schedule, 0) == PV_NEVER,
	    "P6: a schedule that is held releases nothing");
	pv_scheduler_hold(schedule, PV_WAIT_NOT);
	ok(release(schedule, 0) == 1, "until it is let go");
	pv_schedule_destroy(schedule);
}

/* A part of the rate, which changes while it runs. */
static void test_part(void)
{
	const struct pv_schedule_part none = {0, SECOND, 0, 0};
	const struct pv_schedule_part some = {2, SECOND, 2, 1};
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *first =
	    add(schedule, "a", "192.0.2.1", &plain);
	push(schedule, first, 1, 0);
	push(schedule, add(schedule, "b", "192.0.2.2", &plain), 1, 0);
	push(schedule, add(schedule, "c", "192.0.2.3", &plain), 1, 0);
	pv_schedule_set_part(schedule, &none, 0);
	struct pv_wait wait = pv_schedule_host_wait(
	    schedule, first, (struct pv_time){5 * SECOND, WALL});
	ok(release(schedule, 5 * SECOND) == 0 &&
		pv_scheduler_next_wake(schedule, 5 * SECOND) == PV_NEVER,
	    "P1: who has no part of the rate releases nothing, and wakes for "
	    "nothing");
	ok(wait.until == PV_NEVER && wait.reason == PV_WAIT_CONCURRENCY,
	    "P4: for which its hosts wait");
	pv_schedule_set_part(schedule, &some, 5 * SECOND);
	ok(release(schedule, 6 * SECOND - 1) == 0 &&
		pv_scheduler_next_wake(schedule, 5 * SECOND) == 6 * SECOND,
	    "P1: a larger part begins with the next tick");
	ok(release(schedule, 6 * SECOND) == 1,
	    "and has no more places than are its own");
	pv_schedule_destroy(schedule);
}

/* A request that never was sent is no start that others must make room for. */
static void test_unsent(void)
{
	static const struct pv_rate slow = {1, 1 * SECOND, 1, 10, PV_NONE};
	const struct pv_visit_end dead = {
	    .is_unreachable = true, .retry_after_ms = PV_NONE};
	struct pv_schedule *schedule = schedule_of(&slow);
	push(schedule, add(schedule, "a", "192.0.2.1", &plain), 1, 0);
	push(schedule, add(schedule, "b", "192.0.2.2", &plain), 1, 0);
	release(schedule, 0);
	pv_schedule_ended(schedule, out.items[0].flight, &dead, 100);
	pv_scheduler_next_wake(schedule, 100);
	ok(release(schedule, 5 * SECOND) == 1,
	    "behind an absence the crawl's rate counts what was sent");
	pv_schedule_destroy(schedule);
}

/* The wall clock jumps to and fro by years. */
static void test_wall_jumps(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	int64_t last = -SECOND;
	bool is_even = true;
	for (int64_t now = 0; now < 100 * SECOND; now += 10) {
		push(schedule, host, 1, now);
		struct pv_time time = {now, now % 7 * 365 * DAY};
		if (!pv_scheduler_wake(schedule, time, out.items, 1))
			continue;
		is_even = is_even && now - last == SECOND;
		last = now;
		pv_schedule_sent(schedule, out.items[0].flight, now);
		pv_schedule_ended(schedule, out.items[0].flight, &good, now);
	}
	ok(is_even && last == 99 * SECOND,
	    "P8: a clock that jumps on the wall changes nothing");
	pv_schedule_destroy(schedule);
}

static void test_head(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	uint64_t visits[100] = {0};
	for (uint64_t i = 0; i < 100; i++)
		visits[i] = i;
	struct pv_visit_batch batch = {visits, 100};
	size_t taken = pv_schedule_push(schedule, host, &batch, 0);
	ok(taken == PV_VISIT_HEAD_MAX,
	    "P5: of a giant host only a head is kept in memory");
	ok(!pv_schedule_push_first(schedule, host, 7, 0),
	    "P5: also before all others");
	int64_t now = 0;
	bool is_in_order = true;
	uint64_t next = 0;
	for (; next < PV_VISIT_HEAD_MAX / 2; now += SECOND)
		is_in_order = is_in_order && ask(schedule, now, 0, &good) &&
			      out.items[0].visit == next++;
	ok(is_in_order, "visits are released as they were handed over");
	ok(pv_schedule_host_visits(host) == PV_VISIT_HEAD_MAX - next,
	    "how many are left is known");
	pv_schedule_push_first(schedule, host, 7, now);
	ok(ask(schedule, now, 0, &good) && out.items[0].visit == 7,
	    "what is pushed before all others comes first");
	pv_schedule_destroy(schedule);
}

static void test_restart(void)
{
	struct pv_visit_end later = {.status = 503, .retry_after_ms = HOUR};
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	push(schedule, host, 1, 0);
	ask(schedule, 0, 100, &later);
	struct pv_saved_clock saved =
	    pv_schedule_host_save(host, (struct pv_time){10 * MINUTE, WALL});
	pv_schedule_destroy(schedule);
	schedule = schedule_of(&wide);
	host = add(schedule, "a", "192.0.2.1", &plain);
	push(schedule, host, 1, 0);
	pv_schedule_host_restore(
	    schedule, host, &saved, (struct pv_time){0, WALL + 10 * MINUTE});
	ok(pv_scheduler_next_wake(schedule, 0) == 40 * MINUTE + 101,
	    "P3: a Retry-After goes on in the next run, rounded up");
	ok(pv_schedule_host_wait(schedule, host, (struct pv_time){0, WALL})
		    .reason == PV_WAIT_RETRY_AFTER,
	    "P4: and is still the reason");
	pv_schedule_host_rest(schedule, host, 0);
	pv_schedule_destroy(schedule);

	schedule = schedule_of(&wide);
	host = add(schedule, "b", "192.0.2.1", &plain);
	push(schedule, host, 1, 50);
	pv_schedule_host_rest(schedule, host, 50);
	ok(pv_scheduler_next_wake(schedule, 50) == 1050,
	    "P3: after an unclean end a host waits its full delay");
	struct pv_schedule_host *other =
	    add(schedule, "c", "192.0.2.1", &plain);
	push(schedule, other, 1, 50);
	ok(release(schedule, 299) == 0 && release(schedule, 300) == 1 &&
		out.items[0].host == other,
	    "P3: and so does its address");
	pv_schedule_destroy(schedule);
}

/* Sends all that may start, and lets it fail or not. */
static size_t ask_all(
    struct pv_schedule *schedule, int64_t now, const struct pv_visit_end *end)
{
	size_t count = release(schedule, now);
	for (size_t i = 0; i < count; i++)
		pv_schedule_sent(schedule, out.items[i].flight, now);
	for (size_t i = 0; i < count; i++)
		pv_schedule_ended(schedule, out.items[i].flight, end, now + 1);
	return count;
}

static const struct pv_visit_end failed = {
    .status = 500, .retry_after_ms = PV_NONE};

/* When the fifth failure in a row has had its rest. */
static int64_t fail_five_times(struct pv_schedule *schedule)
{
	int64_t now = 0;
	for (int i = 0; i < 5; i++) {
		ask_all(schedule, now, &failed);
		now = pv_scheduler_next_wake(schedule, now + 1);
	}
	return now;
}

static void test_probes(void)
{
	struct pv_manners manners = plain;
	struct pv_schedule *schedule = schedule_of(&wide);
	manners.connections = 4;
	manners.delay_from = PV_DELAY_FROM_START;
	manners.delay_ms = 0;
	manners.delay_factor = 0;
	manners.ip_delay_ms = 0;
	struct pv_schedule_host *host =
	    add(schedule, "a", "192.0.2.1", &manners);
	push(schedule, host, 20, 0);
	int64_t now = fail_five_times(schedule);
	ok(is_rest(now, 0, 155 * SECOND), "P2: five failures rest longer each");
	ok(release(schedule, now - 1) == 0 && release(schedule, now) == 1 &&
		out.items[0].trial == PV_TRIAL_PROBE,
	    "P2: then the host is probed, with one request");
	uint32_t probe = out.items[0].flight;
	pv_schedule_sent(schedule, probe, now);
	ok(release(schedule, now + HOUR) == 0 &&
		pv_scheduler_next_wake(schedule, now + HOUR) == PV_NEVER,
	    "P2: beside which nothing is released, whatever may overlap");
	struct pv_wait wait = pv_schedule_host_wait(
	    schedule, host, (struct pv_time){now, WALL + now});
	ok(wait.reason == PV_WAIT_PROBE, "P4: and it says so");
	pv_schedule_ended(
	    schedule, probe, &(struct pv_visit_end){.is_given_up = true}, now);
	ok(release(schedule, now) == 1 && out.items[0].trial == PV_TRIAL_PROBE,
	    "a probe that was given up is sent again");
	probe = out.items[0].flight;
	pv_schedule_sent(schedule, probe, now);
	pv_schedule_ended(schedule, probe, &failed, now);
	int64_t next = pv_scheduler_next_wake(schedule, now);
	ok(is_rest(next, now, 160 * SECOND),
	    "P2: where it fails, the rest grows on");
	ok(release(schedule, next) == 1 && out.items[0].trial == PV_TRIAL_PROBE,
	    "and the host is probed again");
	pv_schedule_sent(schedule, out.items[0].flight, next);
	pv_schedule_ended(schedule, out.items[0].flight, &good, next);
	ok(release(schedule, next) == 4 && out.items[0].trial == PV_TRIAL_NOT,
	    "where it is answered, all goes on as before");
	pv_schedule_destroy(schedule);
}

/* What other crawls on this machine are told of a host that has failed. */
static void test_doubt(void)
{
	struct pv_manners manners = plain;
	struct pv_schedule *schedule = schedule_of(&wide);
	manners.connections = 4;
	struct pv_schedule_host *host =
	    add(schedule, "a", "192.0.2.1", &manners);
	push(schedule, host, 9, 0);
	ok(pv_schedule_host_dues(host).connections == 4,
	    "other crawls hear how many requests may overlap");
	ask(schedule, 0, 0, &failed);
	int64_t now = pv_scheduler_next_wake(schedule, 0);
	struct pv_host_dues dues = pv_schedule_host_dues(host);
	ok(dues.connections == 1 && dues.is_in_doubt,
	    "P2: and after a failure, that the next is to be alone");
	ask(schedule, now, 0, &good);
	dues = pv_schedule_host_dues(host);
	ok(dues.connections == 4 && !dues.is_in_doubt,
	    "until it was answered well");
	pv_schedule_destroy(schedule);
}

/* Thirty pages that always fail on a host that is well: each five of them cost
 * a probe. */
static void test_thirty(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	struct pv_visit_end again = failed;
	int broken = 0, probes = 0, repeats = 0;
	int64_t now = 0;
	again.is_repeat = true;
	while (repeats < 90) {
		push(schedule, host, 1, now);
		if (release(schedule, now) != 1) {
			now = pv_scheduler_next_wake(schedule, now);
			continue;
		}
		bool is_probe = out.items[0].trial == PV_TRIAL_PROBE;
		const struct pv_visit_end *end = is_probe      ? &good
						 : broken < 30 ? &failed
							       : &again;
		probes += is_probe;
		repeats += !is_probe && broken == 30;
		broken += !is_probe && broken < 30;
		pv_schedule_sent(schedule, out.items[0].flight, now);
		pv_schedule_ended(schedule, out.items[0].flight, end, now);
	}
	ok(probes == 6, "thirty broken pages cost six probes");
	ok(now < 6 * 171 * SECOND + 90 * 6 * SECOND,
	    "and with three retries each less than half an hour");
	pv_schedule_destroy(schedule);
}

/* Of two hosts that share a clock, one has only broken pages. */
static void test_shared_probe(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *a = add(schedule, "*.x", "192.0.2.1", &plain);
	struct pv_schedule_host *b = add(schedule, "*.x", "192.0.2.2", &plain);
	push(schedule, a, 10, 0);
	int64_t now = fail_five_times(schedule);
	push(schedule, b, 10, now);
	ok(release(schedule, now) == 1 &&
		out.items[0].trial == PV_TRIAL_PROBE && out.items[0].host == a,
	    "who stands first in line for a clock sends its probe");
	pv_schedule_ended(schedule, out.items[0].flight, &failed, now);
	now = pv_scheduler_next_wake(schedule, now);
	ok(release(schedule, now) == 1 &&
		out.items[0].trial == PV_TRIAL_PROBE && out.items[0].host == b,
	    "and then the next, so that a broken one keeps nobody from it");
	pv_schedule_sent(schedule, out.items[0].flight, now);
	pv_schedule_ended(schedule, out.items[0].flight, &good, now);
	now = pv_scheduler_next_wake(schedule, now);
	ok(release(schedule, now) == 1 && out.items[0].trial == PV_TRIAL_NOT,
	    "if that one is well, the failures were the other's own");
	pv_schedule_destroy(schedule);
}

/* A server that says that it has too much to do, and one that tells how much is
 * left. */
static void test_slowed(void)
{
	static const struct pv_visit_end busy = {
	    .status = 429, .retry_after_ms = PV_NONE};
	static const struct pv_visit_end hint = {
	    .status = 200, .retry_after_ms = PV_NONE, .hint_ms = 20 * SECOND};
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	push(schedule, host, 9, 0);
	ask(schedule, 0, 0, &busy);
	int64_t now = pv_scheduler_next_wake(schedule, 0);
	ask(schedule, now, 0, &good);
	ok(pv_scheduler_next_wake(schedule, now) == now + 2 * SECOND,
	    "P1: after a 429 the host gets more than its delay");
	struct pv_time time = {now, WALL + now};
	ok(pv_schedule_host_wait(schedule, host, time).reason == PV_WAIT_SLOWED,
	    "P4: and says so");
	now += 2 * SECOND;
	ask(schedule, now, 0, &hint);
	time = (struct pv_time){now, WALL + now};
	struct pv_wait wait = pv_schedule_host_wait(schedule, host, time);
	ok(wait.until == now + 20 * SECOND && wait.reason == PV_WAIT_HINT,
	    "P1, P4: what RateLimit headers suggest is waited for");
	pv_schedule_destroy(schedule);
}

/* Retry-After with each status that may carry it. */
static void test_retry_after(void)
{
	static const int statuses[] = {429, 503, 301, 302, 307, 308, 413, 200};
	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++) {
		struct pv_schedule *schedule = schedule_of(&wide);
		struct pv_schedule_host *host =
		    add(schedule, "a", "192.0.2.1", &plain);
		struct pv_visit_end end = {
		    .status = statuses[i], .retry_after_ms = HOUR};
		push(schedule, host, 9, 0);
		ask(schedule, 0, 0, &end);
		ok(pv_scheduler_next_wake(schedule, 0) == HOUR,
		    "P1: Retry-After parks the host with %d", statuses[i]);
		struct pv_time jump = {MINUTE, WALL + 100 * (int64_t)DAY};
		ok(pv_scheduler_wake(schedule, jump, out.items, 9) == 0,
		    "P8: and a wall clock that jumps ahead changes nothing");
		jump = (struct pv_time){HOUR, WALL - 100 * (int64_t)DAY};
		ok(pv_scheduler_wake(schedule, jump, out.items, 9) == 1,
		    "P8: nor does one that jumps back");
		pv_schedule_destroy(schedule);
	}
}

/* A bucket of the host's own, beside its delay. */
static void test_host_bucket(void)
{
	struct pv_manners manners = plain;
	struct pv_schedule *schedule = schedule_of(&wide);
	manners.max_rate = 3;
	manners.interval_ms = MINUTE;
	struct pv_schedule_host *host =
	    add(schedule, "a", "192.0.2.1", &manners);
	push(schedule, host, 20, 0);
	bool is_right = true;
	for (int64_t i = 0; i < 9; i++)
		is_right =
		    is_right &&
		    ask(schedule, i / 3 * MINUTE + i % 3 * SECOND, 0, &good) &&
		    release(schedule,
			i / 3 * MINUTE + i % 3 * SECOND + SECOND - 1) == 0;
	ok(is_right, "P1: both hold, the delay and the host's own bucket");
	ok(pv_scheduler_next_wake(schedule, 2 * MINUTE + 3000) == 3 * MINUTE,
	    "and it is known when the next interval begins");
	struct pv_time time = {2 * MINUTE + 3000, WALL};
	ok(pv_schedule_host_wait(schedule, host, time).reason ==
		PV_WAIT_HOST_RATE,
	    "P4: and why it waits");
	pv_schedule_destroy(schedule);
}

/* Ten thousand names at one address are one queue before it. */
static void test_many_at_one_address(void)
{
	struct pv_schedule *schedule = schedule_of(&wide);
	for (int i = 0; i < 10000; i++) {
		char name[16];
		snprintf(name, sizeof(name), "%d", i);
		push(schedule, add(schedule, name, "192.0.2.1", &plain), 1, 0);
	}
	unsigned starts = 0;
	bool is_spaced = true;
	for (int64_t now = 0; now < 10000 * 250;) {
		size_t count = ask_all(schedule, now, &good);
		is_spaced = is_spaced && count <= 1 && now % 250 == 0;
		starts += (unsigned)count;
		int64_t wake = pv_scheduler_next_wake(schedule, now);
		now = wake > now ? wake : now;
		if (wake == PV_NEVER)
			break;
	}
	ok(is_spaced && starts == 10000,
	    "P1: ten thousand names at one address are asked one after the "
	    "other");
	pv_schedule_destroy(schedule);
}

/* Released at 10, sent and over at 10.9: that is by 11. */
static void ask_by_11(struct pv_schedule *schedule)
{
	if (release(schedule, 10) != 1)
		return;
	pv_schedule_sent(schedule, out.items[0].flight, 11);
	pv_schedule_ended(schedule, out.items[0].flight, &good, 11);
}

static void test_rounded_up(void)
{
	struct pv_manners none = plain;
	none.delay_ms = 0;
	none.delay_factor = 0;
	none.ip_delay_ms = 0;
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *host = add(schedule, "a", "192.0.2.1", &plain);
	push(schedule, host, 2, 10);
	ask_by_11(schedule);
	ok(pv_scheduler_next_wake(schedule, 10) == 1011,
	    "P1: a rest of 1000 that begins at 10.9 ends at 1011");
	pv_schedule_destroy(schedule);
	schedule = schedule_of(&wide);
	host = add(schedule, "a", "192.0.2.1", &none);
	push(schedule, host, 3, 10);
	ask_by_11(schedule);
	ok(pv_scheduler_next_wake(schedule, 10) <= 10,
	    "a host that needs no rest goes on in the same millisecond");
	struct pv_saved_clock saved =
	    pv_schedule_host_save(host, (struct pv_time){10, WALL});
	ok(!saved.left_ms && !saved.address_left_ms && !saved.wait_ms &&
		!saved.address_wait_ms,
	    "and has nothing to wait for in the next run");
	pv_schedule_host_crawl_delay(schedule, host, SECOND);
	ok(pv_scheduler_next_wake(schedule, 10) == 1011,
	    "P1: but a Crawl-delay that it learns of then counts from 11");
	pv_schedule_destroy(schedule);
	schedule = schedule_of(&wide);
	host = add(schedule, "a", "192.0.2.1", &none);
	push(schedule, host, 1, 10);
	ask_by_11(schedule);
	push(schedule, add(schedule, "b", "192.0.2.1", &plain), 1, 10);
	ok(release(schedule, 10) == 0 &&
		pv_scheduler_next_wake(schedule, 10) == 261,
	    "P1: and so does the ip_delay of another host at its address");
	pv_schedule_destroy(schedule);
}

/* What hosts that share a clock or an address have written down. */
static void test_restart_shared(void)
{
	struct pv_visit_end later = {.status = 503, .retry_after_ms = HOUR};
	struct pv_visit_end dead = {.is_unreachable = true};
	struct pv_schedule *schedule = schedule_of(&wide);
	struct pv_schedule_host *a = add(schedule, "*.x", "192.0.2.1", &plain);
	struct pv_schedule_host *c = add(schedule, "c", "192.0.2.2", &plain);
	push(schedule, a, 1, 0);
	ask(schedule, 0, 0, &later);
	push(schedule, c, 1, 0);
	release(schedule, 0);
	pv_schedule_ended(schedule, out.items[0].flight, &dead, 0);
	struct pv_saved_clock saved_a =
	    pv_schedule_host_save(a, (struct pv_time){0, WALL});
	struct pv_saved_clock saved_c =
	    pv_schedule_host_save(c, (struct pv_time){0, WALL});
	pv_schedule_destroy(schedule);

	static const struct pv_saved_clock nothing = {.left_ms = 0};
	schedule = schedule_of(&wide);
	a = add(schedule, "*.x", "192.0.2.1", &plain);
	struct pv_schedule_host *b = add(schedule, "*.x", "192.0.2.3", &plain);
	c = add(schedule, "c", "192.0.2.2", &plain);
	struct pv_schedule_host *d = add(schedule, "d", "192.0.2.2", &plain);
	pv_schedule_host_restore(
	    schedule, a, &saved_a, (struct pv_time){0, WALL});
	pv_schedule_host_restore(
	    schedule, b, &nothing, (struct pv_time){0, WALL});
	pv_schedule_host_restore(
	    schedule, c, &saved_c, (struct pv_time){0, WALL});
	pv_schedule_host_restore(
	    schedule, d, &nothing, (struct pv_time){0, WALL});
	push(schedule, b, 1, 0);
	ok(pv_scheduler_next_wake(schedule, 0) == HOUR,
	    "P1: a host that knows nothing takes nothing from its clock");
	push(schedule, d, 1, 0);
	release(schedule, 0);
	ok(is_rest(pv_scheduler_next_wake(schedule, 0), 0, 5 * SECOND),
	    "P3: that an address could not be reached is known in the next "
	    "run, by all who live there");
	struct pv_wait wait =
	    pv_schedule_host_wait(schedule, d, (struct pv_time){0, WALL});
	ok(wait.reason == PV_WAIT_ADDRESS_FAILURE, "P4: and is the reason");
	pv_schedule_destroy(schedule);
}

int main(void)
{
	test_one_host();
	test_connecting();
	test_given_up();
	test_crawl_rate();
	test_absence();
	test_one_address();
	test_shared_clock();
	test_shared_with_dead();
	test_kept_clock();
	test_parking();
	test_robots_wishes();
	test_hours();
	test_set_back();
	test_hold();
	test_part();
	test_unsent();
	test_wall_jumps();
	test_head();
	test_restart();
	test_probes();
	test_thirty();
	test_shared_probe();
	test_doubt();
	test_slowed();
	test_retry_after();
	test_host_bucket();
	test_many_at_one_address();
	test_rounded_up();
	test_restart_shared();
	return tap_done();
}
