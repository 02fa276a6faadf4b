#include "schedule/schedule.h"

#include <stdlib.h>

#include "base/array.h"
#include "policy/policy.h"
#include "schedule/gates.h"
#include "schedule/schedule_host.h"

/* SplitMix64 (Steele, Lea, Flood): enough for drawing delays. */
static uint64_t draw(struct pv_schedule *schedule)
{
	uint64_t word = schedule->random += 0x9e3779b97f4a7c15;
	word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
	word = (word ^ word >> 27) * 0x94d049bb133111eb;
	return word ^ word >> 31;
}

struct pv_schedule *pv_schedule_create(
    const struct pv_schedule_plan *plan, int64_t now)
{
	struct pv_schedule *schedule = pv_alloc(sizeof(*schedule));
	pv_scheduler_init(&schedule->scheduler, plan->rate, now);
	pv_executor_init(&schedule->executor, plan->rate->concurrency);
	pv_place_share_join(
	    &schedule->executor.share, plan->places, plan->wake, plan->ctx);
	pv_rate_share_join(
	    &schedule->all_crawls, plan->all_crawls, plan->wake, plan->ctx);
	schedule->random = plan->seed;
	struct pv_hash_key key = {{draw(schedule), draw(schedule)}};
	pv_paces_init(&schedule->paces, plan->environment);
	pv_deadline_heap_init(&schedule->heap);
	pv_deadline_heap_init(&schedule->left_over);
	schedule->left_over_max = PV_LEFT_OVER_MAX;
	pv_forgotten_init(&schedule->forgotten, key);
	pv_named_table_init(&schedule->clocks, key);
	pv_named_table_init(&schedule->addresses, key);
	return schedule;
}

void pv_schedule_destroy(struct pv_schedule *schedule)
{
	if (!schedule)
		return;
	while (schedule->host_count)
		pv_schedule_host_remove(schedule, schedule->hosts[0]);
	pv_gate_finish(schedule);
	pv_paces_finish(&schedule->paces);
	free(schedule->hosts);
	pv_executor_finish(&schedule->executor);
	pv_rate_share_leave(&schedule->all_crawls);
	free(schedule);
}

/* Requests */

void pv_schedule_sent(
    struct pv_schedule *schedule, uint32_t flight, int64_t now)
{
	struct pv_executor_place *sent = &schedule->executor.places[flight];
	struct pv_schedule_clock *clock = sent->host->clock;
	sent->sent_at = now;
	pv_scheduler_sent(&schedule->scheduler);
	pv_host_clock_start(
	    &clock->clock, clock->pace, (uint32_t)(draw(schedule) >> 32), now);
	pv_address_clock_start(&sent->address->clock, now);
	pv_gate_clock(schedule, clock);
	pv_gate_address(schedule, sent->address);
}

void pv_schedule_ended(struct pv_schedule *schedule, uint32_t flight,
    const struct pv_visit_end *end, int64_t now)
{
	const struct pv_executor_place *ended =
	    &schedule->executor.places[flight];
	struct pv_schedule_clock *clock = ended->host->clock;
	struct pv_schedule_address *address = ended->address;
	struct pv_flight_times times = {
	    .released_at = ended->released_at,
	    .started_at = ended->sent_at,
	    .ended_at = now,
	    .draw = (uint32_t)(draw(schedule) >> 32),
	    .trial = ended->trial,
	};
	pv_host_clock_end(&clock->clock, clock->pace, end, times);
	address->pace = ended->host->pace;
	pv_address_clock_end(&address->clock, address->pace, end, times);
	if (times.started_at < 0)
		pv_scheduler_sent(&schedule->scheduler);
	if (times.started_at < 0 && end->is_given_up) {
		pv_scheduler_give_back(&schedule->scheduler, times.released_at);
		pv_rate_share_give_back(
		    &schedule->all_crawls, times.released_at, now);
	}
	pv_executor_give(&schedule->executor, flight);
	address->users--;
	pv_gate_clock(schedule, clock);
	pv_gate_address(schedule, address);
}

void pv_schedule_set_part(struct pv_schedule *schedule,
    const struct pv_schedule_part *part, int64_t now)
{
	pv_scheduler_set_part(&schedule->scheduler, part, now);
	schedule->executor.concurrency = part->concurrency;
}

size_t pv_schedule_in_flight(const struct pv_schedule *schedule)
{
	return schedule->executor.in_flight;
}

int64_t pv_schedule_first_due(const struct pv_schedule *schedule)
{
	const struct pv_deadline *first = pv_deadline_first(&schedule->heap);
	return first ? first->at : PV_NEVER;
}
