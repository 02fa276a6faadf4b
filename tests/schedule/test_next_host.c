#include "schedule/next_host.h"

#include "base/address.h"
#include "policy/policy.h"
#include "policy/values/value.h"
#include "schedule/gates.h"
#include "schedule/hours.h"
#include "schedule/schedule_host.h"
#include "tap.h"

#define MINUTE INT64_C(60000)
#define HOUR (60 * MINUTE)

/* Midnight, UTC. */
#define WALL_BEGINS (INT64_C(20000) * 24 * HOUR)

static const struct pv_manners manners = {
    .delay_ms = 1000,
    .max_delay_ms = 30000,
    .connections = 1,
    .max_rate = PV_NONE,
    .interval_ms = 1000,
    .backoff = {5000, 60000, 2, 600000, 60000},
    .timezone = "UTC",
};

static struct pv_schedule *create(void)
{
	static const struct pv_rate rate = {1, 1000, 1, 1, PV_NONE};
	const struct pv_schedule_plan plan = {.rate = &rate, .seed = 1};
	return pv_schedule_create(&plan, 0);
}

static struct pv_schedule_host *add(
    struct pv_schedule *schedule, char name, int64_t now)
{
	static const uint64_t visit = 1;
	struct pv_address address = {.bits = 32, .bytes = {(uint8_t)name}};
	const struct pv_host_plan plan = {{&name, 1}, &address, &manners, NULL};
	struct pv_schedule_host *host =
	    pv_schedule_host_add(schedule, &plan, now);
	pv_schedule_push(
	    schedule, host, &(struct pv_visit_batch){&visit, 1}, now);
	return host;
}

static struct pv_schedule_host *find(struct pv_schedule *schedule, int64_t now)
{
	return pv_next_host_find(
	    schedule, (struct pv_time){now, WALL_BEGINS + now});
}

static void test_first(void)
{
	struct pv_schedule *schedule = create();
	ok(!find(schedule, 0), "where there is no host none is next");
	struct pv_schedule_host *second = add(schedule, 'b', 20);
	struct pv_schedule_host *first = add(schedule, 'a', 10);
	ok(!find(schedule, 9), "nor is one before it may be asked");
	ok(find(schedule, 30) == first,
	    "of those that may be asked the one that waited longest is next");
	pv_schedule_host_park(schedule, first, 40, 30);
	ok(find(schedule, 39) == second, "what is parked is passed over");
	pv_schedule_host_clear(
	    schedule, second, (uint64_t[PV_VISIT_HEAD_MAX]){0});
	ok(!find(schedule, 39), "as is a host without visits");
	ok(find(schedule, 40) == first, "and comes when its wait is over");
	pv_schedule_destroy(schedule);
}

static void test_hours(void)
{
	struct pv_schedule *schedule = create();
	struct pv_schedule_host *host = add(schedule, 'a', 0);
	struct pv_schedule_host *other = add(schedule, 'b', 1);
	struct pv_hours hours;
	pv_hours_init(&hours, NULL);
	pv_hours_add(&hours, 6 * 60, 7 * 60);
	pv_schedule_host_visit_time(schedule, host, &hours, 0);
	ok(find(schedule, HOUR) == other,
	    "a host out of its hours keeps nobody else waiting");
	pv_schedule_host_clear(
	    schedule, other, (uint64_t[PV_VISIT_HEAD_MAX]){0});
	ok(!find(schedule, 6 * HOUR - 1) && find(schedule, 6 * HOUR) == host,
	    "and is next when they begin");
	pv_schedule_destroy(schedule);
}

/* By ten hours. */
static void test_wall(void)
{
	struct pv_schedule *schedule = create();
	struct pv_schedule_host *host = add(schedule, 'a', 0);
	struct pv_hours hours;
	pv_hours_init(&hours, NULL);
	pv_hours_add(&hours, 6 * 60, 24 * 60);
	pv_schedule_host_visit_time(schedule, host, &hours, 0);
	struct pv_time now = {MINUTE, WALL_BEGINS + MINUTE};
	ok(!find(schedule, MINUTE), "a host waits for its hours");
	now.wall_ms += 500;
	pv_next_host_heed_wall(schedule, now);
	ok(schedule->waiting_for_hours.first != NULL,
	    "P8: a wall clock that is corrected changes nothing");
	now.wall_ms += 10 * HOUR;
	pv_next_host_heed_wall(schedule, now);
	ok(pv_next_host_find(schedule, now) == host,
	    "P8: when it is set the hours are looked at again");
	pv_schedule_destroy(schedule);
}

int main(void)
{
	test_first();
	test_hours();
	test_wall();
	return tap_done();
}
