#include "schedule/schedule.h"

#include <stdlib.h>

#include "base/array.h"
#include "policy/policy.h"
#include "schedule/gates.h"
#include "schedule/next_host.h"
#include "schedule/schedule_host.h"

/* Who waits for an hour of the day is looked at again so often, in case that
 * the wall clock is set, or that the machine has slept and the monotonic clock
 * with it. */
#define LOOK_AGAIN_MS (15 * 60 * 1000)

/* Who looks so long after being wanted was away: stopped, asleep, or kept from
 * the processor. */
#define AWAY_MS 50

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
	pv_bucket_init(&schedule->bucket, plan->rate, now);
	pv_executor_init(&schedule->executor, plan->rate->concurrency);
	schedule->random = plan->seed;
	schedule->looked_at = now;
	schedule->wanted_at = PV_NEVER;
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
	free(schedule);
}

/* Releases */

static struct pv_wait due_of(const struct pv_schedule_clock *clock,
    const struct pv_schedule_address *address)
{
	struct pv_wait wait = pv_host_clock_next(&clock->clock, clock->pace);
	struct pv_wait other = pv_address_clock_next(&address->clock);
	pv_wait_for(&wait, other.until, other.reason);
	return wait;
}

static void release_host(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t now, struct pv_release *release)
{
	struct pv_schedule_clock *clock = host->clock;
	struct pv_schedule_address *address = host->address;
	struct pv_executor_place *flight =
	    pv_executor_take(&schedule->executor, &release->flight);
	release->host = host;
	release->visit = pv_visit_head_pop(&host->visits);
	release->due = due_of(clock, address);
	release->late_ms = now > clock->due.at ? now - clock->due.at : 0;
	release->trial = pv_host_clock_release(&clock->clock);
	*flight = (struct pv_executor_place){
	    .host = host,
	    .address = address,
	    .released_at = now,
	    .sent_at = -1,
	    .trial = release->trial,
	};
	pv_bucket_take(&schedule->bucket);
	address->users++;
	pv_address_clock_release(&address->clock);
	pv_gate_leave(schedule, host); /* and come last, behind who shares */
	pv_gate_host(schedule, host, now);
	pv_gate_address(schedule, address);
}

static void fill_bucket(struct pv_schedule *schedule, int64_t now)
{
	pv_bucket_fill(&schedule->bucket, now);
	if (now - AWAY_MS > schedule->wanted_at)
		pv_bucket_spare_unstarted(&schedule->bucket);
	pv_bucket_settle(&schedule->bucket);
	schedule->wanted_at = PV_NEVER;
}

static bool has_place(const struct pv_schedule *schedule)
{
	return !schedule->is_held && pv_executor_has_place(&schedule->executor);
}

size_t pv_schedule_release(struct pv_schedule *schedule, struct pv_time now,
    struct pv_release *releases, size_t size)
{
	size_t count = 0;
	schedule->looked_at = now.monotonic_ms;
	pv_gate_forget(schedule, now.monotonic_ms);
	fill_bucket(schedule, now.monotonic_ms);
	pv_next_host_heed_wall(schedule, now);
	while (count < size && schedule->bucket.tokens && has_place(schedule)) {
		struct pv_schedule_host *host =
		    pv_next_host_find(schedule, now);
		if (!host)
			break;
		release_host(
		    schedule, host, now.monotonic_ms, &releases[count++]);
	}
	return count;
}

void pv_schedule_sent(
    struct pv_schedule *schedule, uint32_t flight, int64_t now)
{
	struct pv_executor_place *sent = &schedule->executor.places[flight];
	struct pv_schedule_clock *clock = sent->host->clock;
	sent->sent_at = now;
	pv_bucket_start(&schedule->bucket);
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
		pv_bucket_start(&schedule->bucket);
	if (times.started_at < 0 && end->is_given_up)
		pv_bucket_give_back(&schedule->bucket, times.released_at);
	pv_executor_give(&schedule->executor, flight);
	address->users--;
	pv_gate_clock(schedule, clock);
	pv_gate_address(schedule, address);
}

void pv_schedule_hold(struct pv_schedule *schedule, bool is_held)
{
	schedule->is_held = is_held;
}

/* When somebody could be released, as far as is known. */
static int64_t next_release(struct pv_schedule *schedule)
{
	const struct pv_deadline *first = pv_deadline_first(&schedule->heap);
	if (!first || !has_place(schedule))
		return PV_NEVER;
	int64_t wake = first->at;
	int64_t tick = pv_bucket_next_tick(&schedule->bucket);
	int64_t look_again = schedule->looked_at + LOOK_AGAIN_MS;
	if (!schedule->bucket.tokens && wake < tick)
		wake = tick;
	if (schedule->waiting_for_hours.first && wake > look_again)
		wake = look_again;
	return wake;
}

int64_t pv_schedule_next_wake(struct pv_schedule *schedule, int64_t now)
{
	fill_bucket(schedule, now);
	int64_t wake = next_release(schedule);
	schedule->wanted_at = wake > now ? wake : now;
	return wake;
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
