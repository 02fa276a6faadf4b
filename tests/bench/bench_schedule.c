#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/address.h"
#include "base/alloc.h"
#include "policy/policy.h"
#include "policy/values/value.h"
#include "schedule/schedule_host.h"
#include "schedule/scheduler.h"

/* What a request costs the schedule: its release, its start and its end, with
 * all hosts waiting for their delay; and what memory a host takes. */

#define REQUESTS 1000000
#define BATCH 64

static const struct pv_manners manners = {
    .delay_ms = 1000,
    .connections = 1,
    .delay_factor = 1,
    .max_delay_ms = 30000,
    .max_rate = PV_NONE,
    .interval_ms = 1000,
    .ip_delay_ms = 250,
    .backoff = {5000, 60000, 2, 86400000, 1800000},
};

static double now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void push(
    struct pv_schedule *schedule, struct pv_schedule_host *host, int64_t now)
{
	uint64_t visits[4] = {1, 2, 3, 4};
	pv_schedule_push(
	    schedule, host, &(struct pv_visit_batch){visits, 4}, now);
}

static void add_hosts(struct pv_schedule *schedule, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		char name[32];
		struct pv_address address = {.bits = 32};
		memcpy(address.bytes, &i, sizeof(i));
		int len = snprintf(name, sizeof(name), "www.host-%u.test", i);
		struct pv_host_plan plan = {
		    {name, (size_t)len}, &address, &manners, NULL};
		push(schedule, pv_schedule_host_add(schedule, &plan, 0), 0);
	}
}

/* Answers come at once, so that nothing but the schedule is measured. */
static double run(struct pv_schedule *schedule, double *longest)
{
	static const struct pv_visit_end good = {
	    .status = 200, .retry_after_ms = PV_NONE};
	struct pv_release releases[BATCH];
	double start = now_ns();
	int64_t now = 0;
	for (uint32_t done = 0; done < REQUESTS;) {
		double before = now_ns();
		size_t count = pv_scheduler_wake(
		    schedule, (struct pv_time){now, now}, releases, BATCH);
		double took = now_ns() - before;
		*longest = took > *longest ? took : *longest;
		for (size_t i = 0; i < count; i++) {
			pv_schedule_sent(schedule, releases[i].flight, now);
			pv_schedule_ended(
			    schedule, releases[i].flight, &good, now);
			if (!pv_schedule_host_visits(releases[i].host))
				push(schedule, releases[i].host, now);
		}
		done += (uint32_t)count;
		int64_t wake = pv_scheduler_next_wake(schedule, now);
		now = wake > now ? wake : now;
	}
	return (now_ns() - start) / REQUESTS;
}

static double measure(uint32_t hosts)
{
	const struct pv_rate rate = {1000000, 1, 1000000, 100000, PV_NONE};
	const struct pv_schedule_plan plan = {.rate = &rate, .seed = 1};
	double longest = 0;
	size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
	struct pv_schedule *schedule = pv_schedule_create(&plan, 0);
	add_hosts(schedule, hosts);
	size_t bytes = mallinfo2().uordblks + mallinfo2().hblkhd - before;
	double cost = run(schedule, &longest);
	printf("schedule: %u hosts: %.0f ns a request, %zu bytes a host, the "
	       "longest call %.1f ms\n",
	    hosts, cost, bytes / hosts, longest / 1e6);
	pv_schedule_destroy(schedule);
	return cost;
}

/* All hosts of a provider at one address, all of them due at once. */
static void measure_one_address(uint32_t hosts)
{
	const struct pv_rate rate = {1000, 1, 1000, 1000, PV_NONE};
	const struct pv_schedule_plan plan = {.rate = &rate, .seed = 1};
	struct pv_schedule *schedule = pv_schedule_create(&plan, 0);
	struct pv_address address = {.bits = 32};
	for (uint32_t i = 0; i < hosts; i++) {
		char name[32];
		int len = snprintf(name, sizeof(name), "%u.test", i);
		struct pv_host_plan host = {
		    {name, (size_t)len}, &address, &manners, NULL};
		push(schedule, pv_schedule_host_add(schedule, &host, 0), 0);
	}
	struct pv_release releases[BATCH];
	double start = now_ns();
	pv_scheduler_wake(schedule, (struct pv_time){0, 0}, releases, BATCH);
	printf("schedule: %u hosts line up at one address: %.1f ms\n", hosts,
	    (now_ns() - start) / 1e6);
	pv_schedule_destroy(schedule);
}

int main(void)
{
	double few = measure(1000);
	measure(10000);
	double many = measure(100000);
	printf("schedule: a request with 100000 hosts against 1000: %.1f "
	       "times\n",
	    many / few);
	measure_one_address(100000);
	return 0;
}
