#include "limiter/clock_slot.h"

#include "base/least.h"
#include "limiter/clock_file.h"
#include "schedule/wait.h"

/* A clock that has been quiet for so long may be given up. */
#define QUIET_MS 10000

/* Before any request that anybody remembers. */
#define LONG_AGO (INT64_MIN / 4)

/* Nobody waits longer than that (schedule/host_clock.c); and what was written
 * down as just now lies no more than a millisecond ahead, but for a loop that
 * was held up. What is beyond is damage. */
#define WAIT_MAX_MS (INT64_C(3651) * 24 * 3600 * 1000)
#define AHEAD_MAX_MS 60000

void pv_clock_slot_raise(_Atomic int64_t *time, int64_t value)
{
	int64_t found = *time;
	while (
	    found < value && !atomic_compare_exchange_weak(time, &found, value))
		;
}

int64_t pv_clock_slot_last(const struct pv_clock_slot *slot)
{
	return pv_larger(slot->last_start, slot->last_end);
}

/* What a crawl left open that is over: it may have ended only now, which is by
 * the end of this millisecond. */
static void bury(
    struct pv_clock_slot *slot, struct pv_clock_holder *holder, int64_t now)
{
	pv_clock_slot_raise(&slot->last_start, now + 1);
	pv_clock_slot_raise(&slot->last_end, now + 1);
	pv_clock_slot_raise(&slot->next, pv_rest_end(now + 1, slot->rest_ms));
	holder->number = 0;
	holder->connecting = 0;
	holder->open = 0;
}

static void bury_all(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, bool is_after_boot, int64_t now)
{
	for (int i = 0; i < PV_CLOCK_HOLDERS; i++) {
		struct pv_clock_holder *holder = &slot->holders[i];
		if (holder->open &&
		    (is_after_boot || !pv_clock_file_has(file, holder->number)))
			bury(slot, holder, now);
	}
}

/* How long ago something was by the wall clock, which may have been set in
 * between, as a time of this boot. What lies between both clocks is one
 * millisecond more or less from look to look (schedule/saved_clock.h): no wait
 * is to end too soon by that. */
static int64_t translated(int64_t time, int64_t to_wall_ms, struct pv_time now)
{
	int64_t ago_ms = now.wall_ms - (time + to_wall_ms + 1);
	return time == LONG_AGO ? LONG_AGO
				: now.monotonic_ms - pv_larger(0, ago_ms);
}

static void translate(struct pv_clock_slot *slot, struct pv_time now)
{
	int64_t wait_ms = slot->next - pv_clock_slot_last(slot);
	int64_t left_ms = slot->next + slot->to_wall_ms + 1 - now.wall_ms;
	int64_t to_wall_ms = slot->to_wall_ms;
	slot->last_start = translated(slot->last_start, to_wall_ms, now);
	slot->last_end = translated(slot->last_end, to_wall_ms, now);
	slot->next =
	    now.monotonic_ms + pv_larger(0, pv_smaller(left_ms, wait_ms));
	slot->turn_number = 0;
}

static bool is_far(int64_t time)
{
	return time < LONG_AGO || time > -LONG_AGO;
}

/* What nobody would write. */
static bool is_damaged(const struct pv_clock_slot *slot)
{
	return is_far(slot->last_start) || is_far(slot->last_end) ||
	       is_far(slot->next) || is_far(slot->to_wall_ms) ||
	       is_far(slot->turn_since) || is_far(slot->turn_at) ||
	       slot->next - pv_clock_slot_last(slot) > WAIT_MAX_MS;
}

/* As if it had been asked just now. */
static void repair(struct pv_clock_slot *slot, int64_t now)
{
	slot->last_start = now;
	slot->last_end = now;
	slot->rest_ms = (uint32_t)pv_smaller(slot->rest_ms, QUIET_MS);
	slot->next = now + slot->rest_ms;
	slot->turn_number = 0;
	slot->turn_since = now;
	slot->turn_at = now;
}

/* Makes what a slot says true of this boot and of the crawls that are there. */
void pv_clock_slot_refresh(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, struct pv_time now)
{
	bool is_after_boot = slot->boot != file->boot;
	if (is_damaged(slot))
		repair(slot, now.monotonic_ms);
	else if (is_after_boot)
		translate(slot, now);
	else if (pv_clock_slot_last(slot) > now.monotonic_ms + AHEAD_MAX_MS)
		repair(slot, now.monotonic_ms);
	bury_all(file, slot, is_after_boot, now.monotonic_ms);
	slot->to_wall_ms = now.wall_ms - now.monotonic_ms;
	slot->boot = file->boot;
}

static bool is_held(const struct pv_clock_slot *slot)
{
	for (int i = 0; i < PV_CLOCK_HOLDERS; i++) {
		if (slot->holders[i].open)
			return true;
	}
	return false;
}

bool pv_clock_slot_is_quiet(const struct pv_clock_slot *slot, int64_t now)
{
	return !is_held(slot) && slot->next <= now &&
	       pv_clock_slot_last(slot) + pv_larger(slot->rest_ms, QUIET_MS) <=
		   now;
}

void pv_clock_slot_start_anew(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, struct pv_time now)
{
	bury_all(file, slot, false, now.monotonic_ms);
	slot->is_shared = false;
	slot->turn_number = 0;
	slot->next = LONG_AGO;
	slot->last_start = LONG_AGO;
	slot->last_end = LONG_AGO;
	slot->rest_ms = 0;
	slot->to_wall_ms = now.wall_ms - now.monotonic_ms;
	slot->boot = file->boot;
}
