#include "schedule/gates.h"

#include "base/address.h"
#include "policy/policy.h"
#include "policy/values/value.h"
#include "schedule/schedule.h"
#include "schedule/schedule_host.h"
#include "schedule/scheduler.h"
#include "tap.h"

#define SECOND 1000
#define HOSTS 5
#define ROUNDS 6

static const struct pv_manners manners = {
    .delay_ms = 1 * SECOND,
    .delay_from = PV_DELAY_FROM_END,
    .max_delay_ms = 30 * SECOND,
    .connections = 1,
    .max_rate = PV_NONE,
    .interval_ms = 1 * SECOND,
    .ip_delay_ms = 1 * SECOND,
    .backoff = {5 * SECOND, 60 * SECOND, 2, 600 * SECOND, 60 * SECOND},
    .timezone = "UTC",
};

static const struct pv_visit_end good = {
    .status = 200, .retry_after_ms = PV_NONE};

static const struct pv_rate wide = {1000, 1 * SECOND, 1000, 1000, PV_NONE};

static struct pv_schedule_host *add_with(struct pv_schedule *schedule,
    char name, uint64_t visits, const struct pv_manners *with)
{
	struct pv_address address;
	pv_address_read(PV_STR("192.0.2.1"), &address);
	const struct pv_host_plan plan = {{&name, 1}, &address, with, NULL};
	struct pv_schedule_host *host =
	    pv_schedule_host_add(schedule, &plan, 0);
	for (uint64_t i = 1; i <= visits; i++)
		pv_schedule_push(
		    schedule, host, &(struct pv_visit_batch){&i, 1}, 0);
	return host;
}

static struct pv_schedule_host *add(
    struct pv_schedule *schedule, char name, uint64_t visits)
{
	return add_with(schedule, name, visits, &manners);
}

/* Asks whoever may be; NULL if nobody. */
static const struct pv_schedule_host *ask(
    struct pv_schedule *schedule, int64_t now)
{
	struct pv_release release;
	if (!pv_scheduler_wake(
		schedule, (struct pv_time){now, now}, &release, 1))
		return NULL;
	pv_schedule_sent(schedule, release.flight, now);
	pv_schedule_ended(schedule, release.flight, &good, now);
	return release.host;
}

/* A host is due again as soon as its address is: it comes last then. */
static void test_turns(void)
{
	const struct pv_schedule_plan plan = {.rate = &wide, .seed = 1};
	struct pv_schedule *schedule = pv_schedule_create(&plan, 0);
	const struct pv_schedule_host *asked[HOSTS * ROUNDS];
	unsigned starts = 0, in_turn = 0;
	for (int i = 0; i < HOSTS; i++)
		add(schedule, (char)('a' + i), ROUNDS);
	for (int64_t now = 0; now < 2 * HOSTS * ROUNDS * SECOND;
	     now += SECOND / 4) {
		const struct pv_schedule_host *host = ask(schedule, now);
		if (!host)
			continue;
		asked[starts] = host;
		in_turn += starts >= HOSTS && host == asked[starts - HOSTS];
		starts++;
	}
	ok(starts == HOSTS * ROUNDS && in_turn == starts - HOSTS,
	    "hosts at one address are asked in turn (%u of %u)", in_turn,
	    starts);
	pv_schedule_destroy(schedule);
}

/* The host that was there first is next, also where both are looked at late. */
static void test_late(void)
{
	const struct pv_schedule_plan plan = {.rate = &wide, .seed = 1};
	struct pv_schedule *schedule = pv_schedule_create(&plan, 0);
	struct pv_manners quick = manners;
	quick.delay_ms = SECOND / 2;
	const struct pv_schedule_host *first =
	    add_with(schedule, 'a', 9, &quick);
	const struct pv_schedule_host *second = add(schedule, 'b', 9);
	const struct pv_schedule_host *asked = ask(schedule, 0);
	const struct pv_schedule_host *waiting =
	    asked == first ? second : first;
	ok(ask(schedule, 0) == NULL && ask(schedule, 3 * SECOND) == waiting,
	    "who waits for an address goes before who comes to it later");
	pv_schedule_destroy(schedule);
}

/* What is left over */

static const struct pv_visit_end failed = {
    .status = 500, .retry_after_ms = PV_NONE};

static const struct pv_visit_end refused = {
    .is_unreachable = true, .retry_after_ms = PV_NONE};

#define AT_MOST 3
#define MANY 10

/* Asks a host that leaves at once. */
static void visit(struct pv_schedule *schedule, char name, int64_t now,
    const struct pv_visit_end *end)
{
	struct pv_release release;
	struct pv_schedule_host *host = add(schedule, name, 1);
	if (pv_scheduler_wake(
		schedule, (struct pv_time){now, now}, &release, 1)) {
		pv_schedule_sent(schedule, release.flight, now);
		pv_schedule_ended(schedule, release.flight, end, now);
	}
	pv_schedule_host_remove(schedule, host);
	pv_gate_forget(schedule, now);
}

static struct pv_schedule *create(size_t left_over_max)
{
	const struct pv_schedule_plan plan = {.rate = &wide, .seed = 1};
	struct pv_schedule *schedule = pv_schedule_create(&plan, 0);
	schedule->left_over_max = left_over_max;
	return schedule;
}

static void test_ceiling(void)
{
	const struct pv_schedule_plan plan = {.rate = &wide, .seed = 1};
	struct pv_schedule *schedule = pv_schedule_create(&plan, 0);
	size_t most = 0;
	ok(schedule->left_over_max == PV_LEFT_OVER_MAX,
	    "P5: what nobody uses has a ceiling");
	schedule->left_over_max = AT_MOST;
	for (int i = 0; i < MANY; i++) {
		visit(schedule, (char)('a' + i), i * SECOND, &failed);
		if (most < schedule->left_over.count)
			most = schedule->left_over.count;
	}
	ok(most == AT_MOST &&
		schedule->clocks.count + schedule->addresses.count == most,
	    "P5: so many are kept at most (%zu)", most);
	pv_schedule_destroy(schedule);
}

/* When a host may be asked that has come back, or has just come. */
static struct pv_wait wait_of(struct pv_schedule *schedule, char name)
{
	struct pv_schedule_host *host = add(schedule, name, 1);
	struct pv_wait wait = pv_schedule_host_wait(
	    schedule, host, (struct pv_time){SECOND, SECOND});
	pv_schedule_host_remove(schedule, host);
	return wait;
}

static void test_return(void)
{
	struct pv_schedule *kept = create(PV_LEFT_OVER_MAX);
	struct pv_schedule *schedule = create(0);
	visit(kept, 'a', 0, &good);
	visit(schedule, 'a', 0, &good);
	ok(!schedule->clocks.count && !schedule->addresses.count &&
		wait_of(schedule, 'a').until == wait_of(kept, 'a').until,
	    "P1: a host whose clock was forgotten waits as long as by it");
	pv_schedule_destroy(kept);
	pv_schedule_destroy(schedule);
}

static void test_failure(void)
{
	struct pv_schedule *schedule = create(0);
	visit(schedule, 'a', 0, &refused);
	struct pv_wait wait = wait_of(schedule, 'a');
	ok(wait.until >= manners.backoff.forgive_ms + 5 * SECOND,
	    "P2: and one that failed until that would be forgiven");
	ok(wait.reason == PV_WAIT_FORGOTTEN, "P4: and it says why");
	ok(wait_of(schedule, 'b').until == wait.until,
	    "P1: and so does another at its address");
	pv_schedule_destroy(schedule);
}

static void test_order(void)
{
	struct pv_schedule *schedule = create(1);
	visit(schedule, 'a', 0, &failed);
	visit(schedule, 'b', 2 * SECOND, &good);
	ok(schedule->left_over.count == 1 &&
		pv_named_get(&schedule->clocks, PV_STR("a")),
	    "P5: what matters for the longest time is kept");
	pv_schedule_destroy(schedule);
}

int main(void)
{
	test_ceiling();
	test_return();
	test_failure();
	test_order();
	test_late();
	test_turns();
	return tap_done();
}
