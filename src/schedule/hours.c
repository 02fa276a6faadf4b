#include "schedule/hours.h"

#include "base/reader.h"
#include "schedule/zone/time_zone.h"

#define DAY_MINUTES 1440
#define MINUTE_S 60
#define STEPS_MAX 8   /* past changes of the clock that leave out a span */
#define ROUNDS_MAX 60 /* a month of one span a day against one */

void pv_hours_init(struct pv_hours *hours, const struct pv_time_zone *zone)
{
	*hours = (struct pv_hours){.zone = zone};
}

bool pv_hours_add(struct pv_hours *hours, uint64_t from, uint64_t to)
{
	if (from > DAY_MINUTES || to > DAY_MINUTES ||
	    hours->count == PV_HOURS_MAX)
		return false;
	from %= DAY_MINUTES;
	if (from == to)
		return false;
	hours->spans[hours->count++] =
	    (struct pv_hours_span){(uint16_t)from, (uint16_t)to};
	return true;
}

static bool take_time(struct pv_reader *reader, uint64_t *minutes)
{
	uint64_t hour;
	uint64_t minute;
	if (!pv_reader_take_number(reader, 24, &hour) ||
	    !pv_reader_accept(reader, ':') ||
	    !pv_reader_take_number(reader, 59, &minute))
		return false;
	*minutes = hour * 60 + minute;
	return true;
}

bool pv_hours_add_text(struct pv_hours *hours, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	uint64_t from;
	uint64_t to;
	return take_time(&reader, &from) && pv_reader_accept(&reader, '-') &&
	       take_time(&reader, &to) && pv_reader_is_end(&reader) &&
	       pv_hours_add(hours, from, to);
}

static bool holds(const struct pv_hours_span *span, int64_t minute)
{
	if (span->from < span->to)
		return minute >= span->from && minute < span->to;
	return minute >= span->from || minute < span->to;
}

static bool is_allowed(const struct pv_hours *hours, int64_t minute)
{
	for (size_t i = 0; i < hours->count; i++) {
		if (holds(&hours->spans[i], minute))
			return true;
	}
	return false;
}

/* How many minutes after a minute the next span begins, which it always does
 * within a day. */
static int64_t until_next(const struct pv_hours *hours, int64_t minute)
{
	int64_t least = DAY_MINUTES;
	for (size_t i = 0; i < hours->count; i++) {
		int64_t left =
		    (hours->spans[i].from - minute + DAY_MINUTES) % DAY_MINUTES;
		if (left < least)
			least = left;
	}
	return least;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t local_minute(int64_t local_s)
{
	int64_t minutes = floor_divide(local_s, MINUTE_S);
	return minutes - floor_divide(minutes, DAY_MINUTES) * DAY_MINUTES;
}

/* As of a second: that second if it is allowed; else where the next span
 * begins or the clock is put, whichever comes first. */
static int64_t step(const struct pv_hours *hours, int64_t at_s, bool *is_there)
{
	int64_t change_s = INT64_MAX;
	int64_t offset_s = 0;
	if (hours->zone)
		offset_s = pv_time_zone_offset(hours->zone, at_s, &change_s);
	int64_t local_s = at_s + offset_s;
	int64_t minute = local_minute(local_s);
	*is_there = is_allowed(hours, minute);
	if (*is_there)
		return at_s;
	int64_t in_minute =
	    local_s - floor_divide(local_s, MINUTE_S) * MINUTE_S;
	int64_t next_s =
	    at_s - in_minute + until_next(hours, minute) * MINUTE_S;
	return next_s < change_s ? next_s : change_s;
}

int64_t pv_hours_next(const struct pv_hours *hours, int64_t wall_ms)
{
	int64_t at_s = floor_divide(wall_ms, 1000);
	bool is_there = !hours->count;
	/* A zone that is always changing only makes somebody look again. */
	for (int i = 0; i < STEPS_MAX && !is_there; i++)
		at_s = step(hours, at_s, &is_there);
	return at_s * 1000 > wall_ms ? at_s * 1000 : wall_ms;
}

int64_t pv_hours_next_both(
    const struct pv_hours *a, const struct pv_hours *b, int64_t wall_ms)
{
	for (int i = 0; i < ROUNDS_MAX; i++) {
		int64_t next_ms = a ? pv_hours_next(a, wall_ms) : wall_ms;
		if (b)
			next_ms = pv_hours_next(b, next_ms);
		if (next_ms == wall_ms)
			break;
		wall_ms = next_ms;
	}
	return wall_ms;
}
