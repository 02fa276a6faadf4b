#include "http/retry_after.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "http/date.h"

#define SECONDS_MAX (PV_RETRY_AFTER_MAX_MS / 1000)

static int64_t until(int64_t time_ms, int64_t wall_ms)
{
	if (time_ms <= wall_ms)
		return 0;
	if (wall_ms < time_ms - PV_RETRY_AFTER_MAX_MS)
		return PV_RETRY_AFTER_MAX_MS;
	return time_ms - wall_ms;
}

bool pv_retry_after_read(struct pv_str text, int64_t wall_ms, int64_t *wait_ms)
{
	text = pv_str_trim(text);
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str digits = pv_reader_take_while(&reader, pv_is_digit);
	int64_t time_ms;
	if (!digits.len || !pv_reader_is_end(&reader)) {
		if (!pv_date_read(text, wall_ms, &time_ms))
			return false;
		*wait_ms = until(time_ms, wall_ms);
		return true;
	}
	uint64_t seconds = SECONDS_MAX;
	reader = pv_reader_of(digits);
	pv_reader_take_number(&reader, SECONDS_MAX, &seconds);
	*wait_ms = (int64_t)seconds * 1000;
	return true;
}
