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

/* Up to that comma, or to the end. */
static struct pv_str up_to_comma(struct pv_str text, int number)
{
	size_t len = 0;
	while (len < text.len && (text.ptr[len] != ',' || --number))
		len++;
	return pv_str_head(text, len);
}

/* What stands first in a list, of which dates have a comma of their own. */
static struct pv_str take_first(
    struct pv_str text, int64_t wall_ms, int64_t *longest_ms)
{
	struct pv_str first = up_to_comma(text, 2);
	int64_t wait_ms = 0;
	bool is_read = pv_retry_after_read(first, wall_ms, &wait_ms);
	if (!is_read) {
		first = up_to_comma(text, 1);
		is_read = pv_retry_after_read(first, wall_ms, &wait_ms);
	}
	if (is_read && wait_ms > *longest_ms)
		*longest_ms = wait_ms;
	return first.len < text.len ? pv_str_from(text, first.len + 1)
				    : (struct pv_str){"", 0};
}

bool pv_retry_after_of(
    const struct pv_headers *headers, int64_t wall_ms, int64_t *wait_ms)
{
	int64_t longest_ms = -1;
	struct pv_str value;
	size_t at = 0;
	while (pv_headers_next(headers, PV_STR("Retry-After"), &at, &value)) {
		while (value.len)
			value = take_first(value, wall_ms, &longest_ms);
	}
	if (longest_ms < 0)
		return false;
	*wait_ms = longest_ms;
	return true;
}
