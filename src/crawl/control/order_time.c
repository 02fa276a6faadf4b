#include "crawl/control/order_time.h"

#include <time.h>

#include "base/day.h"
#include "base/reader.h"
#include "policy/values/units.h"

/* A time of the day or a date, on the clock of this machine. */
static int64_t wall_ms_of(const struct tm *parts)
{
	struct tm copy = *parts;
	copy.tm_sec = 0;
	copy.tm_isdst = -1;
	return (int64_t)mktime(&copy) * 1000;
}

static struct tm now_of(int64_t now_ms)
{
	time_t seconds = (time_t)(now_ms / 1000);
	struct tm parts = {0};
	localtime_r(&seconds, &parts);
	return parts;
}

/* "14:30": the next. */
static bool read_hour(struct pv_str text, int64_t now_ms, int64_t *until_ms)
{
	struct pv_reader reader = pv_reader_of(text);
	struct tm parts = now_of(now_ms);
	uint64_t hour, minute;
	if (!pv_reader_take_number(&reader, 23, &hour) ||
	    !pv_reader_accept(&reader, ':') || pv_reader_left(&reader) != 2 ||
	    !pv_reader_take_number(&reader, 59, &minute) ||
	    !pv_reader_is_end(&reader))
		return false;
	parts.tm_hour = (int)hour;
	parts.tm_min = (int)minute;
	*until_ms = wall_ms_of(&parts);
	parts.tm_mday++;
	if (*until_ms <= now_ms)
		*until_ms = wall_ms_of(&parts);
	return true;
}

/* "2026-11-27": when that day begins. */
static bool read_date(struct pv_str text, int64_t *until_ms)
{
	struct pv_reader reader = pv_reader_of(text);
	struct tm parts = {0};
	uint64_t year, month, day;
	if (text.len != 10 || text.ptr[4] != '-' || text.ptr[7] != '-' ||
	    !pv_reader_take_number(&reader, 9999, &year) ||
	    !pv_reader_accept(&reader, '-') ||
	    !pv_reader_take_number(&reader, 12, &month) ||
	    !pv_reader_accept(&reader, '-') ||
	    !pv_reader_take_number(&reader, 31, &day) || year < 1970 ||
	    !pv_day_is_date((unsigned)year, (unsigned)month, (unsigned)day))
		return false;
	parts.tm_year = (int)year - 1900;
	parts.tm_mon = (int)month - 1;
	parts.tm_mday = (int)day;
	*until_ms = wall_ms_of(&parts);
	return true;
}

static bool read_rest(struct pv_str text, int64_t now_ms, int64_t *until_ms)
{
	int64_t rest_ms;
	bool is_bare;
	if (pv_unit_read(PV_UNIT_TIME, text, &rest_ms, &is_bare) !=
		PV_UNIT_RIGHT ||
	    is_bare || rest_ms >= INT64_MAX - now_ms)
		return false;
	*until_ms = now_ms + rest_ms;
	return true;
}

bool pv_order_time_read(struct pv_str text, int64_t now_ms, int64_t *until_ms)
{
	return read_hour(text, now_ms, until_ms) || read_date(text, until_ms) ||
	       read_rest(text, now_ms, until_ms);
}
