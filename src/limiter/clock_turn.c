#include "limiter/clock_turn.h"

#include "limiter/clock_file.h"

/* How late a crawl may come, at least and at most, before its turn lapses. */
#define LATE_MS 1000
#define LATE_MAX_MS 10000

static int64_t late_ms(const struct pv_clock_slot *slot)
{
	uint32_t rest_ms = slot->rest_ms;
	return rest_ms < LATE_MS       ? LATE_MS
	       : rest_ms > LATE_MAX_MS ? LATE_MAX_MS
				       : (int64_t)rest_ms;
}

/* Whether the turn is that of another crawl that can still take it. */
static bool is_held(const struct pv_clock_file *file,
    const struct pv_clock_slot *slot, int64_t now)
{
	uint32_t number = slot->turn_number;
	return number && number != file->number &&
	       now <= slot->turn_at + late_ms(slot) &&
	       pv_clock_file_has(file, number);
}

bool pv_clock_turn_is_others(const struct pv_clock_file *file,
    const struct pv_clock_slot *slot, int64_t since, int64_t now)
{
	return slot->turn_since <= since && is_held(file, slot, now);
}

void pv_clock_turn_wait(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, int64_t since, int64_t at, int64_t now)
{
	if (pv_clock_turn_is_others(file, slot, since, now))
		return;
	slot->turn_since = since;
	slot->turn_at = at;
	slot->turn_number = file->number;
}

void pv_clock_turn_end(
    const struct pv_clock_file *file, struct pv_clock_slot *slot)
{
	if (slot->turn_number == file->number)
		slot->turn_number = 0;
}
