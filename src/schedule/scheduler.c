#include "schedule/scheduler.h"

#include "policy/policy.h"
#include "schedule/gates.h"
#include "schedule/next_host.h"

/* Who waits for an hour of the day is looked at again so often, in case that
 * the wall clock is set, or that the machine has slept and the monotonic clock
 * with it. */
#define LOOK_AGAIN_MS (15 * 60 * 1000)

/* Who looks so long after being wanted was away: stopped, asleep, or kept from
 * the processor. */
#define AWAY_MS 50

void pv_scheduler_init(
    struct pv_scheduler *scheduler, const struct pv_rate *rate, int64_t now)
{
	*scheduler = (struct pv_scheduler){
	    .interval_ms = rate->interval_ms,
	    .max_rate = rate->max_rate,
	    .burst = rate->burst,
	    .last_tick = now,
	    .tokens = rate->max_rate,
	    .woke_at = now,
	    .wakes_at = PV_NEVER,
	};
}

/* The tick */

static void add_tokens(struct pv_scheduler *scheduler, int64_t now)
{
	if (!scheduler->max_rate || now < pv_scheduler_next_tick(scheduler))
		return;
	int64_t ticks = (now - scheduler->last_tick) / scheduler->interval_ms;
	int64_t room = scheduler->burst - scheduler->tokens;
	scheduler->overspent = 0;
	scheduler->last_tick += ticks * scheduler->interval_ms;
	scheduler->tokens =
	    ticks > room / scheduler->max_rate
		? scheduler->burst
		: scheduler->tokens + ticks * scheduler->max_rate;
}

/* The ticks go on as they were, unless they are others. */
void pv_scheduler_set_part(struct pv_scheduler *scheduler,
    const struct pv_schedule_part *part, int64_t now)
{
	bool had_none = !scheduler->max_rate;
	add_tokens(scheduler, now);
	if (had_none || part->interval_ms != scheduler->interval_ms)
		scheduler->last_tick = now;
	scheduler->max_rate = part->max_rate;
	scheduler->interval_ms = part->interval_ms;
	scheduler->burst = part->burst;
	if (scheduler->tokens > part->max_rate)
		scheduler->tokens = part->max_rate;
	if (had_none)
		scheduler->tokens = 0;
}

static void leave_room_for_unsent(struct pv_scheduler *scheduler)
{
	int64_t room = scheduler->burst - scheduler->unsent;
	if (scheduler->tokens > room)
		scheduler->tokens = room > 0 ? room : 0;
}

void pv_scheduler_go_on(struct pv_scheduler *scheduler,
    const struct pv_scheduler *before, int64_t now)
{
	struct pv_scheduler last = *before;
	add_tokens(&last, now);
	int64_t spent = last.max_rate - last.tokens + last.overspent;
	scheduler->last_tick = last.last_tick;
	if (spent > 0)
		scheduler->tokens -= spent;
	if (scheduler->tokens < 0) {
		scheduler->overspent = -scheduler->tokens;
		scheduler->tokens = 0;
	}
}

void pv_scheduler_tick(struct pv_scheduler *scheduler, int64_t now)
{
	add_tokens(scheduler, now);
	if (now - AWAY_MS > scheduler->wakes_at)
		leave_room_for_unsent(scheduler);
	scheduler->unsent -= scheduler->sent;
	scheduler->sent = 0;
	scheduler->wakes_at = PV_NEVER;
}

void pv_scheduler_spend(struct pv_scheduler *scheduler)
{
	scheduler->tokens--;
	scheduler->unsent++;
}

void pv_scheduler_sent(struct pv_scheduler *scheduler)
{
	scheduler->sent++;
}

void pv_scheduler_give_back(struct pv_scheduler *scheduler, int64_t spent_at)
{
	if (spent_at < scheduler->last_tick)
		return;
	if (scheduler->overspent)
		scheduler->overspent--;
	else if (scheduler->tokens < scheduler->burst)
		scheduler->tokens++;
}

/* Releases */

static struct pv_wait due_of(const struct pv_schedule_host *host)
{
	const struct pv_schedule_clock *clock = host->clock;
	struct pv_wait wait = pv_host_clock_next(&clock->clock, clock->pace);
	struct pv_wait other = pv_address_clock_next(&host->address->clock);
	pv_wait_for(&wait, other.until, other.reason);
	return wait;
}

/* A token of all crawls and a place in the executor; NULL if one of them is not
 * to be had. Who waits for one of them keeps nobody from the other. */
static struct pv_executor_place *take_shared(
    struct pv_schedule *schedule, int64_t now, uint32_t *flight)
{
	struct pv_rate_share *all_crawls = &schedule->all_crawls;
	struct pv_executor_place *place = NULL;
	bool has_token = pv_rate_share_take(all_crawls, now);
	if (has_token)
		place = pv_executor_take(&schedule->executor, flight);
	else
		pv_place_share_want_none(&schedule->executor.share);
	if (has_token && !place) {
		pv_rate_share_give_back(all_crawls, now, now);
		pv_rate_share_want_none(all_crawls, now);
	}
	return place;
}

/* A token and a place for the host's next visit; false if crawls share them, and
 * others have them all. */
static bool release_host(struct pv_schedule *schedule,
    struct pv_schedule_host *host, int64_t now, struct pv_release *release)
{
	struct pv_schedule_clock *clock = host->clock;
	struct pv_executor_place *place =
	    take_shared(schedule, now, &release->flight);
	if (!place)
		return false;
	release->host = host;
	release->visit = pv_visit_head_pop(&host->visits);
	release->due = due_of(host);
	release->late_ms = now > clock->due.at ? now - clock->due.at : 0;
	release->trial = pv_host_clock_release(&clock->clock);
	*place = (struct pv_executor_place){
	    .host = host,
	    .address = host->address,
	    .released_at = now,
	    .sent_at = -1,
	    .trial = release->trial,
	};
	pv_scheduler_spend(&schedule->scheduler);
	host->address->users++;
	pv_address_clock_release(&host->address->clock);
	pv_gate_leave(schedule, host); /* and come last, behind who shares */
	pv_gate_host(schedule, host, now);
	pv_gate_address(schedule, host->address);
	return true;
}

static bool has_place(const struct pv_schedule *schedule)
{
	return schedule->scheduler.held == PV_WAIT_NOT &&
	       schedule->scheduler.max_rate &&
	       pv_executor_has_place(&schedule->executor);
}

size_t pv_scheduler_wake(struct pv_schedule *schedule, struct pv_time now,
    struct pv_release *releases, size_t size)
{
	struct pv_scheduler *scheduler = &schedule->scheduler;
	size_t count = 0;
	scheduler->woke_at = now.monotonic_ms;
	pv_gate_forget(schedule, now.monotonic_ms);
	pv_scheduler_tick(scheduler, now.monotonic_ms);
	pv_next_host_heed_wall(schedule, now);
	bool is_denied = false;
	while (count < size && scheduler->tokens && has_place(schedule) &&
	       !is_denied) {
		struct pv_schedule_host *host =
		    pv_next_host_find(schedule, now);
		if (!host)
			break;
		is_denied = !release_host(
		    schedule, host, now.monotonic_ms, &releases[count]);
		count += !is_denied;
	}
	if (!is_denied)
		pv_place_share_want_none(&schedule->executor.share);
	if (!is_denied && count < size)
		pv_rate_share_want_none(
		    &schedule->all_crawls, now.monotonic_ms);
	return count;
}

/* When somebody could be released, as far as is known. */
static int64_t next_release(struct pv_schedule *schedule)
{
	const struct pv_scheduler *scheduler = &schedule->scheduler;
	const struct pv_deadline *first = pv_deadline_first(&schedule->heap);
	if (!first || !has_place(schedule) ||
	    pv_executor_is_denied(&schedule->executor))
		return PV_NEVER;
	int64_t wake = first->at;
	int64_t tick = pv_scheduler_next_tick(scheduler);
	int64_t look_again = scheduler->woke_at + LOOK_AGAIN_MS;
	if (!scheduler->tokens && wake < tick)
		wake = tick;
	int64_t turn = pv_rate_share_next(&schedule->all_crawls);
	if (wake < turn)
		wake = turn;
	if (schedule->waiting_for_hours.first && wake > look_again)
		wake = look_again;
	return wake;
}

int64_t pv_scheduler_next_wake(struct pv_schedule *schedule, int64_t now)
{
	struct pv_scheduler *scheduler = &schedule->scheduler;
	pv_scheduler_tick(scheduler, now);
	int64_t wake = next_release(schedule);
	scheduler->wakes_at = wake > now ? wake : now;
	return wake;
}

void pv_scheduler_hold(struct pv_schedule *schedule, enum pv_wait_reason reason)
{
	schedule->scheduler.held = reason;
}

void pv_scheduler_wait(
    const struct pv_schedule *schedule, int64_t now, struct pv_wait *wait)
{
	struct pv_scheduler scheduler = schedule->scheduler;
	add_tokens(&scheduler, now);
	if (scheduler.held != PV_WAIT_NOT)
		pv_wait_for(wait, PV_NEVER, scheduler.held);
	if (!pv_executor_has_place(&schedule->executor) ||
	    pv_executor_is_denied(&schedule->executor))
		pv_wait_for(wait, PV_NEVER, PV_WAIT_CONCURRENCY);
	if (!scheduler.tokens)
		pv_wait_for(wait,
		    scheduler.max_rate ? pv_scheduler_next_tick(&scheduler)
				       : PV_NEVER,
		    PV_WAIT_RATE);
	pv_wait_for(wait, pv_rate_share_look(&schedule->all_crawls),
	    PV_WAIT_ALL_CRAWLS);
}
