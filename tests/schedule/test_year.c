#include "base/address.h"
#include "policy/policy.h"
#include "policy/values/value.h"
#include "schedule/schedule_host.h"
#include "schedule/scheduler.h"
#include "tap.h"

/* A year of politeness (P8): one host that may be asked by night on the
 * clock of Berlin, from the first of January 2027 on. */

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define YEAR (365 * DAY)
#define NEW_YEAR INT64_C(1798761600000)
#define FORWARD INT64_C(1806195600000) /* 28 March, 01:00 UTC */
#define BACK INT64_C(1824944400000)    /* 31 October, 01:00 UTC */
#define TOOK 20

static struct {
	uint32_t count;
	uint32_t by_day;
	uint32_t too_close;
	int64_t last;
} seen;

static void see(int64_t now)
{
	int64_t wall_ms = NEW_YEAR + now;
	bool is_summer = wall_ms >= FORWARD && wall_ms < BACK;
	int64_t hour = (wall_ms + (is_summer ? 2 : 1) * HOUR) / HOUR % 24;
	seen.by_day += hour >= 6 && hour < 22;
	seen.too_close += seen.count && now - seen.last < 10 * MINUTE;
	seen.last = now;
	seen.count++;
}

static void live(struct pv_schedule *schedule, struct pv_schedule_host *host)
{
	static const struct pv_visit_end good = {
	    .status = 200, .retry_after_ms = PV_NONE};
	const uint64_t visits[2] = {1, 2};
	int64_t now = 0;
	while (now < YEAR) {
		struct pv_release release;
		struct pv_time time = {now, NEW_YEAR + now};
		pv_schedule_push(
		    schedule, host, &(struct pv_visit_batch){visits, 2}, now);
		if (pv_scheduler_wake(schedule, time, &release, 1)) {
			see(now);
			pv_schedule_sent(schedule, release.flight, now);
			pv_schedule_ended(
			    schedule, release.flight, &good, now + TOOK);
		}
		int64_t wake = pv_scheduler_next_wake(schedule, now);
		now = wake > now ? wake : now + 1;
	}
}

int main(void)
{
	static const char *night[] = {"22:00-06:00"};
	static const struct pv_rate rate = {20, SECOND, 20, 20, PV_NONE};
	const struct pv_manners manners = {
	    .delay_ms = 10 * MINUTE,
	    .connections = 1,
	    .max_rate = PV_NONE,
	    .interval_ms = SECOND,
	    .ip_delay_ms = 250,
	    .backoff = {5 * SECOND, MINUTE, 2, DAY, 30 * MINUTE},
	    .allowed_hours = {night, 1},
	    .timezone = "local",
	};
	const struct pv_schedule_plan plan = {
	    .rate = &rate,
	    .seed = 1,
	    .environment = "CET-1CEST,M3.5.0,M10.5.0/3",
	};
	struct pv_address address = {.bits = 32};
	struct pv_schedule *schedule = pv_schedule_create(&plan, 0);
	struct pv_schedule_host *host = pv_schedule_host_add(schedule,
	    &(struct pv_host_plan){PV_STR("a"), &address, &manners, NULL}, 0);
	live(schedule, host);
	pv_schedule_destroy(schedule);
	ok(!seen.by_day, "no request by day, in summer and in winter");
	ok(!seen.too_close, "P1: none under 10 minutes after another");
	/* 365 nights of 8 hours; each loses at most one turn at its ends. */
	ok(seen.count <= 365 * 48 && seen.count >= 365 * 47,
	    "and else as many as fit: %u", seen.count);
	return tap_done();
}
