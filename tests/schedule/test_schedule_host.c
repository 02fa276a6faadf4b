#include "schedule/schedule_host.h"

#include "base/address.h"
#include "policy/policy.h"
#include "policy/values/value.h"
#include "schedule/scheduler.h"
#include "schedule/shared_places.h"
#include "schedule/shared_rate.h"
#include "tap.h"

/* Hosts that share a clock or an address: whatever one of them does, none of the
 * others is asked sooner than its own manners and its server allow (P1, P2). */

#define SECOND 1000
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)

static const struct pv_manners quick = {
    .delay_ms = 1 * SECOND,
    .delay_from = PV_DELAY_FROM_END,
    .max_delay_ms = 30 * SECOND,
    .connections = 1,
    .max_rate = PV_NONE,
    .interval_ms = 1 * SECOND,
    .backoff = {5 * SECOND, 60 * SECOND, 2, 24 * HOUR, 30 * MINUTE},
    .timezone = "UTC",
};

static const struct pv_visit_end good = {
    .status = 200, .retry_after_ms = PV_NONE};

/* A schedule with two hosts, of a clock and an address each, or one. */
static struct pair {
	struct pv_schedule *schedule;
	struct pv_schedule_host *hosts[2];
} pair;

static struct pv_manners with_delay(int64_t delay_ms)
{
	struct pv_manners manners = quick;
	manners.delay_ms = delay_ms;
	return manners;
}

static struct pv_manners with_ip_delay(int64_t delay_ms)
{
	struct pv_manners manners = quick;
	manners.delay_ms = 0;
	manners.ip_delay_ms = delay_ms;
	return manners;
}

static struct pv_time time_of(int64_t now)
{
	return (struct pv_time){now, now};
}

static void add(size_t which, const char *clock, const char *address,
    const struct pv_manners *manners)
{
	struct pv_address bytes;
	pv_address_read(pv_str_of(address), &bytes);
	const struct pv_host_plan plan = {
	    pv_str_of(clock), &bytes, manners, NULL};
	pair.hosts[which] = pv_schedule_host_add(pair.schedule, &plan, 0);
}

static void open_pair(void)
{
	static const struct pv_rate wide = {
	    1000, 1 * SECOND, 1000, 1000, PV_NONE};
	const struct pv_schedule_plan plan = {.rate = &wide, .seed = 1};
	pair = (struct pair){.schedule = pv_schedule_create(&plan, 0)};
}

static void close_pair(void)
{
	pv_schedule_destroy(pair.schedule);
}

static void move(size_t which, const char *address,
    const struct pv_manners *manners, int64_t now)
{
	struct pv_address bytes;
	pv_address_read(pv_str_of(address), &bytes);
	pv_schedule_host_move(pair.schedule, pair.hosts[which],
	    &(struct pv_host_plan){.address = &bytes, .manners = manners}, now);
}

static void push(size_t which, int64_t now)
{
	uint64_t visit = 1;
	pv_schedule_push(pair.schedule, pair.hosts[which],
	    &(struct pv_visit_batch){&visit, 1}, now);
}

/* The host is asked once, whose answer comes at once. */
static void ask(size_t which, const struct pv_visit_end *end, int64_t now)
{
	struct pv_release release;
	push(which, now);
	size_t count =
	    pv_scheduler_wake(pair.schedule, time_of(now), &release, 1);
	if (!ok(count == 1, "a host may be asked"))
		return;
	if (!end->is_unreachable)
		pv_schedule_sent(pair.schedule, release.flight, now);
	pv_schedule_ended(pair.schedule, release.flight, end, now);
}

/* From when it may be asked again. */
static int64_t ready_at(size_t which, int64_t now)
{
	return pv_schedule_host_ready_at(pair.hosts[which], time_of(now));
}

/* Clocks */

static void test_join(void)
{
	struct pv_manners slow = with_delay(7 * SECOND);
	open_pair();
	add(0, "*.x", "192.0.2.1", &slow);
	add(1, "*.x", "192.0.2.2", &quick);
	ask(1, &good, 0);
	ok(ready_at(0, 0) == 7 * SECOND && ready_at(1, 0) == 7 * SECOND,
	    "P1: who joins a clock that others use does not loosen it");
	close_pair();
	open_pair();
	add(0, "*.x", "192.0.2.1", &quick);
	add(1, "*.x", "192.0.2.2", &slow);
	ask(0, &good, 0);
	ok(ready_at(0, 0) == 7 * SECOND && ready_at(1, 0) == 7 * SECOND,
	    "P1: but makes it stricter");
	close_pair();
}

static void test_move(void)
{
	struct pv_manners slow = with_delay(7 * SECOND);
	open_pair();
	add(0, "*.x", "192.0.2.1", &slow);
	add(1, "*.x", "192.0.2.2", &slow);
	move(1, "192.0.2.3", &quick, 0);
	ask(1, &good, 0);
	ok(ready_at(0, 0) == 7 * SECOND && ready_at(1, 0) == 7 * SECOND,
	    "P1: a host that moves, and could be asked sooner there, does not "
	    "loosen a clock that others use");
	close_pair();
	open_pair();
	add(0, "*.x", "192.0.2.1", &quick);
	add(1, "*.x", "192.0.2.2", &quick);
	move(1, "192.0.2.3", &slow, 0);
	ask(0, &good, 0);
	ok(ready_at(0, 0) == 7 * SECOND,
	    "P1: one that has to be treated better there makes it stricter");
	close_pair();
	open_pair();
	add(0, "x", "192.0.2.1", &slow);
	move(0, "192.0.2.3", &quick, 0);
	ask(0, &good, 0);
	ok(ready_at(0, 0) == 1 * SECOND,
	    "a clock of its own is treated as the host is there");
	move(0, "192.0.2.1", &slow, 0);
	ok(ready_at(0, 0) == 7 * SECOND,
	    "P1: which counts for the request before, too");
	close_pair();
}

static void test_leave(void)
{
	struct pv_manners slow = with_delay(7 * SECOND);
	open_pair();
	add(0, "*.x", "192.0.2.1", &slow);
	add(1, "*.x", "192.0.2.2", &quick);
	ask(0, &good, 0);
	pv_schedule_host_remove(pair.schedule, pair.hosts[0]);
	ok(ready_at(1, 0) == 7 * SECOND,
	    "P1: a host that is forgotten leaves its rest to those that share "
	    "its clock");
	close_pair();
}

static void test_crawl_delay(void)
{
	open_pair();
	add(0, "*.x", "192.0.2.1", &quick);
	add(1, "*.x", "192.0.2.2", &quick);
	pv_schedule_host_crawl_delay(pair.schedule, pair.hosts[0], 9 * SECOND);
	pv_schedule_host_crawl_delay(pair.schedule, pair.hosts[1], 2 * SECOND);
	ask(1, &good, 0);
	ok(ready_at(0, 0) == 9 * SECOND && ready_at(1, 0) == 9 * SECOND,
	    "P1: of two Crawl-delays at one clock the longer one counts");
	pv_schedule_host_crawl_delay(pair.schedule, pair.hosts[0], 0);
	ok(ready_at(0, 0) == 9 * SECOND,
	    "P1: and is not given up by who has none any more");
	close_pair();
	open_pair();
	add(0, "x", "192.0.2.1", &quick);
	pv_schedule_host_crawl_delay(pair.schedule, pair.hosts[0], 9 * SECOND);
	pv_schedule_host_crawl_delay(pair.schedule, pair.hosts[0], 2 * SECOND);
	ask(0, &good, 0);
	ok(ready_at(0, 0) == 2 * SECOND,
	    "a host alone has what its robots.txt asks for now");
	close_pair();
}

/* Addresses */

static void test_address(void)
{
	struct pv_manners slow = with_ip_delay(7 * SECOND);
	struct pv_manners fast = with_ip_delay(1 * SECOND);
	open_pair();
	add(0, "a", "192.0.2.1", &slow);
	add(1, "b", "192.0.2.1", &fast);
	ask(1, &good, 0);
	ok(ready_at(0, 0) == 7 * SECOND && ready_at(1, 0) == 7 * SECOND,
	    "P1: of two ip_delays at one address the longer one counts");
	close_pair();
	open_pair();
	add(0, "a", "192.0.2.1", &fast);
	add(1, "b", "192.0.2.2", &slow);
	move(1, "192.0.2.1", &slow, 0);
	ask(0, &good, 0);
	ok(ready_at(0, 0) == 7 * SECOND,
	    "P1: also that of one that has moved there");
	close_pair();
	open_pair();
	add(0, "a", "192.0.2.1", &slow);
	add(1, "b", "192.0.2.1", &slow);
	ask(0, &good, 0);
	move(1, "192.0.2.2", &slow, 0);
	ok(ready_at(1, 0) == 0, "who moves away need not wait for it");
	move(1, "192.0.2.1", &slow, 0);
	ok(ready_at(1, 0) == 7 * SECOND, "P1: and who comes back does");
	close_pair();
}

static void test_rest(void)
{
	struct pv_manners manners = with_ip_delay(3 * SECOND);
	open_pair();
	add(0, "a", "192.0.2.1", &manners);
	add(1, "b", "192.0.2.1", &manners);
	pv_schedule_host_rest(pair.schedule, pair.hosts[0], 0);
	ok(ready_at(0, 0) == 3 * SECOND && ready_at(1, 0) == 3 * SECOND,
	    "P1: after an unclean end a host's address rests as well");
	close_pair();
	open_pair();
	add(0, "*.x", "192.0.2.1", &quick);
	add(1, "*.x", "192.0.2.2", &quick);
	pv_schedule_host_rest(pair.schedule, pair.hosts[0], 0);
	ok(ready_at(1, 0) == 1 * SECOND, "P1: and all that share its clock");
	close_pair();
	open_pair();
	add(0, "a", "192.0.2.1", &manners);
	ask(0, &good, 0);
	add(1, "b", "192.0.2.1", &manners);
	pv_schedule_host_rest(pair.schedule, pair.hosts[1], 2 * SECOND);
	ok(ready_at(0, 2 * SECOND) == 3 * SECOND &&
		ready_at(1, 2 * SECOND) == 3 * SECOND,
	    "P5: an address of which it is known when it was asked does not "
	    "rest anew for each host that comes");
	close_pair();
	open_pair();
	add(0, "*.x", "192.0.2.1", &quick);
	pv_schedule_host_rest(pair.schedule, pair.hosts[0], 2 * SECOND);
	add(1, "*.x", "192.0.2.2", &quick);
	pv_schedule_host_rest(pair.schedule, pair.hosts[1], 1 * SECOND);
	ok(ready_at(1, 2 * SECOND) == 3 * SECOND,
	    "nor a clock for what came before");
	close_pair();
}

/* What a run leaves to the next */

static void test_saved(void)
{
	struct pv_manners manners = with_ip_delay(3 * SECOND);
	manners.delay_ms = 1 * SECOND;
	open_pair();
	add(0, "a", "192.0.2.1", &manners);
	ask(0, &good, 0);
	struct pv_saved_clock saved =
	    pv_schedule_host_save(pair.hosts[0], time_of(0));
	close_pair();
	open_pair();
	add(0, "a", "192.0.2.1", &manners);
	add(1, "b", "192.0.2.1", &manners);
	pv_schedule_host_restore(
	    pair.schedule, pair.hosts[0], &saved, time_of(0));
	ok(ready_at(0, 0) == 3 * SECOND && ready_at(1, 0) == 3 * SECOND,
	    "P1: the next run knows the rest of an address");
	close_pair();
	open_pair();
	add(0, "*.x", "192.0.2.1", &quick);
	ask(0, &good, 0);
	saved = pv_schedule_host_save(pair.hosts[0], time_of(0));
	close_pair();
	open_pair();
	add(0, "*.x", "192.0.2.1", &quick);
	add(1, "*.x", "192.0.2.2", &quick);
	pv_schedule_host_restore(
	    pair.schedule, pair.hosts[0], &saved, time_of(0));
	ok(ready_at(0, 0) == 1 * SECOND && ready_at(1, 0) == 1 * SECOND,
	    "P1: and that of a clock");
	close_pair();
}

/* Other crawls */

static void test_others(void)
{
	open_pair();
	add(0, "*.x", "192.0.2.1", &quick);
	add(1, "*.x", "192.0.2.1", &quick);
	pv_schedule_host_defer_clock(pair.schedule, pair.hosts[0], 500, 100);
	pv_schedule_host_defer_clock(pair.schedule, pair.hosts[0], 900, 500);
	struct pv_host_dues dues = pv_schedule_host_dues(pair.hosts[1]);
	ok(ready_at(1, 100) == 900 && dues.refused_since == 100,
	    "P1: what other crawls refuse holds for all of a clock, and since "
	    "when is remembered");
	pv_schedule_host_defer_address(pair.schedule, pair.hosts[1], 1200, 600);
	pv_schedule_host_defer_address(pair.schedule, pair.hosts[1], 1500, 700);
	dues = pv_schedule_host_dues(pair.hosts[0]);
	ok(ready_at(0, 600) == 1500 && dues.address_refused_since == 600,
	    "P1: and so does what they refuse at an address");
	pv_schedule_host_grant(pair.hosts[1]);
	dues = pv_schedule_host_dues(pair.hosts[0]);
	ok(!dues.refused_since && !dues.address_refused_since,
	    "once they have granted it, it waits anew");
	close_pair();
}

/* What this crawl tells others */
static void test_dues(void)
{
	struct pv_manners manners = with_ip_delay(3 * SECOND);
	manners.delay_ms = 2 * SECOND;
	manners.connections = 4;
	struct pv_visit_end busy = {.status = 503, .retry_after_ms = HOUR};
	struct pv_visit_end dead = {
	    .is_unreachable = true, .retry_after_ms = PV_NONE};
	open_pair();
	add(0, "a", "192.0.2.1", &manners);
	struct pv_host_dues dues = pv_schedule_host_dues(pair.hosts[0]);
	ok(dues.clock_rest_ms == 2 * SECOND &&
		dues.address_rest_ms == 3 * SECOND && dues.connections == 4 &&
		dues.is_rest_from_end && !dues.is_in_doubt,
	    "other crawls are told how long a host and its address rest");
	ask(0, &busy, 0);
	dues = pv_schedule_host_dues(pair.hosts[0]);
	ok(dues.clock_until == HOUR && dues.connections == 1 &&
		dues.is_in_doubt,
	    "P2: what the server has asked for, and that it is to be asked for "
	    "one thing at a time");
	ok(dues.address_until == 3 * SECOND,
	    "P1: and until when its address rests");
	close_pair();
	open_pair();
	add(0, "a", "192.0.2.1", &manners);
	ask(0, &dead, 0);
	dues = pv_schedule_host_dues(pair.hosts[0]);
	ok(dues.address_until >= 5 * SECOND,
	    "P2: also that it could not be reached");
	close_pair();
}

/* Why it waits */

static void test_concurrency(void)
{
	static const struct pv_rate one = {1000, 1 * SECOND, 1000, 1, PV_NONE};
	const struct pv_schedule_plan plan = {.rate = &one, .seed = 1};
	open_pair();
	pv_schedule_destroy(pair.schedule);
	pair.schedule = pv_schedule_create(&plan, 0);
	add(0, "a", "192.0.2.1", &quick);
	add(1, "b", "192.0.2.2", &quick);
	struct pv_release release;
	const uint64_t visit = 1;
	for (int i = 0; i < 2; i++)
		pv_schedule_push(pair.schedule, pair.hosts[i],
		    &(struct pv_visit_batch){&visit, 1}, 0);
	pv_scheduler_wake(pair.schedule, time_of(0), &release, 1);
	struct pv_wait wait = pv_schedule_host_wait(pair.schedule,
	    pair.hosts[release.host == pair.hosts[0]], time_of(0));
	ok(wait.reason == PV_WAIT_CONCURRENCY && wait.until == PV_NEVER,
	    "where as many requests as may be are in flight, the next host "
	    "waits for a place");
	close_pair();
}

static void no_wake(void *ctx)
{
	(void)ctx;
}

static void open_shared_pair(
    struct pv_shared_places *places, struct pv_shared_rate *rate)
{
	static const struct pv_rate own = {
	    1000, 1 * SECOND, 1000, 1000, PV_NONE};
	const struct pv_schedule_plan plan = {
	    .rate = &own,
	    .seed = 1,
	    .places = places,
	    .all_crawls = rate,
	    .wake = no_wake,
	};
	const uint64_t visit = 1;
	open_pair();
	pv_schedule_destroy(pair.schedule);
	pair.schedule = pv_schedule_create(&plan, 0);
	add(0, "a", "192.0.2.1", &quick);
	add(1, "b", "192.0.2.2", &quick);
	for (int i = 0; i < 2; i++)
		pv_schedule_push(pair.schedule, pair.hosts[i],
		    &(struct pv_visit_batch){&visit, 1}, 0);
}

static size_t count_released(int64_t now, struct pv_release *releases)
{
	return pv_scheduler_wake(pair.schedule, time_of(now), releases, 2);
}

static void test_all_crawls(void)
{
	struct pv_shared_rate *rate = pv_shared_rate_create();
	const struct pv_visit_end given_up = {.is_given_up = true};
	struct pv_release releases[2];
	pv_shared_rate_change(rate, 1, 400);
	open_shared_pair(NULL, rate);
	ok(count_released(0, releases) == 1,
	    "P1: no more is released than all crawls may start");
	struct pv_wait wait = pv_schedule_host_wait(pair.schedule,
	    pair.hosts[releases[0].host == pair.hosts[0]], time_of(0));
	ok(wait.reason == PV_WAIT_ALL_CRAWLS && wait.until == 400,
	    "P4: the next host waits for that");
	ok(pv_scheduler_next_wake(pair.schedule, 0) == 400,
	    "the loop turns when there is a token again");
	ok(!count_released(399, releases + 1) &&
		count_released(400, releases + 1) == 1,
	    "and then it is released");
	pv_schedule_ended(pair.schedule, releases[1].flight, &given_up, 500);
	struct pv_rate_share other;
	pv_rate_share_join(&other, rate, no_wake, NULL);
	ok(pv_rate_share_take(&other, 500) && !pv_rate_share_take(&other, 500),
	    "what was given up before it was sent leaves its token to others");
	pv_rate_share_leave(&other);
	ok(pv_scheduler_next_wake(pair.schedule, 500) == PV_NEVER,
	    "who has nothing to request waits for none");
	close_pair();
	pv_shared_rate_destroy(rate);
}

/* A crawl that may start a request but has no place for it. */
static void test_place_and_token(void)
{
	struct pv_shared_places *places = pv_shared_places_create(1);
	struct pv_shared_rate *rate = pv_shared_rate_create();
	struct pv_release releases[2];
	struct pv_rate_share other;
	pv_shared_rate_change(rate, 2, 400);
	open_shared_pair(places, rate);
	count_released(0, releases);
	struct pv_wait wait = pv_schedule_host_wait(pair.schedule,
	    pair.hosts[releases[0].host == pair.hosts[0]], time_of(0));
	ok(wait.reason == PV_WAIT_CONCURRENCY,
	    "a crawl waits for a place that others have");
	pv_rate_share_join(&other, rate, no_wake, NULL);
	ok(pv_rate_share_take(&other, 0),
	    "and keeps no token from others meanwhile");
	pv_rate_share_leave(&other);
	close_pair();
	pv_shared_places_destroy(places);
	pv_shared_rate_destroy(rate);
}

/* Pauses */

static size_t wake(int64_t now)
{
	struct pv_release release;
	return pv_scheduler_wake(pair.schedule, time_of(now), &release, 1);
}

static void pause_first(bool is_paused, int64_t now)
{
	pv_schedule_host_pause(pair.schedule, pair.hosts[0], is_paused, now);
}

static enum pv_wait_reason reason_of(size_t which, int64_t now)
{
	return pv_schedule_host_wait(
	    pair.schedule, pair.hosts[which], time_of(now))
	    .reason;
}

static void test_pause(void)
{
	open_pair();
	add(0, "*.x", "192.0.2.1", &quick);
	add(1, "*.x", "192.0.2.2", &quick);
	ask(0, &good, 0);
	push(0, 0);
	pause_first(true, 100);
	ok(wake(1 * HOUR) == 0 &&
		pv_scheduler_next_wake(pair.schedule, 1 * HOUR) == PV_NEVER &&
		reason_of(0, 1 * HOUR) == PV_WAIT_PAUSED,
	    "P4: a host that is paused waits, and its wait has that reason");
	ask(1, &good, 1 * HOUR);
	ok(reason_of(1, 1 * HOUR) != PV_WAIT_PAUSED,
	    "and keeps no other from the clock that both share");
	pv_schedule_host_park(pair.schedule, pair.hosts[0], 0, 1 * HOUR);
	push(0, 1 * HOUR);
	ok(wake(2 * HOUR) == 0, "whatever else happens to it");
	ask(1, &good, 3 * HOUR);
	pause_first(false, 3 * HOUR + 200);
	ok(wake(3 * HOUR + 999) == 0,
	    "P1: resumed, it waits for what is left of its delay");
	ok(wake(3 * HOUR + 1000) == 1 && wake(3 * HOUR + 2500) == 0,
	    "P2: and the pause has saved up no second request");
	close_pair();
}

static void test_pause_parked(void)
{
	open_pair();
	add(0, "a", "192.0.2.1", &quick);
	add(1, "b", "192.0.2.2", &quick);
	push(0, 0);
	pv_schedule_host_park(pair.schedule, pair.hosts[0], 1 * HOUR, 0);
	pause_first(true, 0);
	pause_first(true, 1);
	pause_first(false, 2);
	ok(wake(1 * HOUR - 1) == 0 && wake(1 * HOUR) == 1,
	    "P1: a host that was parked is so after a pause");
	close_pair();
}

int main(void)
{
	test_join();
	test_move();
	test_leave();
	test_crawl_delay();
	test_address();
	test_rest();
	test_saved();
	test_others();
	test_dues();
	test_concurrency();
	test_all_crawls();
	test_place_and_token();
	test_pause();
	test_pause_parked();
	return tap_done();
}
