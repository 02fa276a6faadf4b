#include "robots/timing.h"

#include "base/ascii.h"
#include "base/reader.h"

#define MINUTE_MS 60000
#define SECONDS_MAX (PV_ROBOTS_DELAY_MAX_MS / 1000)

/* Takes a whole number; larger values are reported as the maximum. */
static bool take_whole(struct pv_reader *reader, int64_t most, int64_t *number)
{
	struct pv_str digits = pv_reader_take_while(reader, pv_is_digit);
	struct pv_reader inner = pv_reader_of(digits);
	uint64_t value = (uint64_t)most;
	pv_reader_take_number(&inner, (uint64_t)most, &value);
	*number = (int64_t)value;
	return digits.len > 0;
}

/* The first three digits after a point, and 1 more for any that follow. */
static int64_t thousandths(struct pv_str digits)
{
	int64_t sum = 0;
	for (size_t i = 0; i < 3; i++)
		sum = sum * 10 + (i < digits.len ? digits.ptr[i] - '0' : 0);
	for (size_t i = 3; i < digits.len; i++) {
		if (digits.ptr[i] != '0')
			return sum + 1;
	}
	return sum;
}

bool pv_robots_read_delay(struct pv_str text, int64_t *delay_ms)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str fraction = {NULL, 0};
	int64_t seconds;
	bool has_digits = take_whole(&reader, SECONDS_MAX, &seconds);
	if (pv_reader_accept(&reader, '.'))
		fraction = pv_reader_take_while(&reader, pv_is_digit);
	if (!pv_reader_is_end(&reader) || (!has_digits && !fraction.len))
		return false;
	if (!has_digits)
		seconds = 0;
	int64_t wait_ms = seconds * 1000 + thousandths(fraction);
	*delay_ms =
	    wait_ms < PV_ROBOTS_DELAY_MAX_MS ? wait_ms : PV_ROBOTS_DELAY_MAX_MS;
	return true;
}

/* Takes "s", "m", "h", "d" or nothing. */
static int64_t take_unit_ms(struct pv_reader *reader)
{
	static const struct {
		char letter;
		int64_t ms;
	} units[] = {
	    {'s', 1000}, {'m', 60000}, {'h', 3600000}, {'d', 86400000}};
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		int byte = pv_reader_peek(reader);
		if (byte >= 0 && pv_lower((char)byte) == units[i].letter) {
			pv_reader_next(reader);
			return units[i].ms;
		}
	}
	return 1000;
}

bool pv_robots_read_rate(struct pv_str text, int64_t *delay_ms)
{
	struct pv_reader reader = pv_reader_of(text);
	int64_t documents, time;
	if (!take_whole(&reader, INT32_MAX, &documents) || !documents ||
	    !pv_reader_accept(&reader, '/') ||
	    !take_whole(&reader, SECONDS_MAX, &time))
		return false;
	int64_t unit_ms = take_unit_ms(&reader);
	if (!pv_reader_is_end(&reader) && !pv_is_blank(pv_reader_peek(&reader)))
		return false;
	if (time > PV_ROBOTS_DELAY_MAX_MS / unit_ms)
		time = PV_ROBOTS_DELAY_MAX_MS / unit_ms;
	*delay_ms = (time * unit_ms + documents - 1) / documents;
	return true;
}

/* Takes "hhmm", to as much as 2400. */
static bool take_minute(struct pv_reader *reader, uint16_t *minute)
{
	struct pv_str text = pv_reader_take_while(reader, pv_is_digit);
	struct pv_reader digits = pv_reader_of(text);
	uint64_t number;
	if (text.len != 4 || !pv_reader_take_number(&digits, 2400, &number) ||
	    number % 100 > 59)
		return false;
	*minute = (uint16_t)(number / 100 * 60 + number % 100);
	return true;
}

bool pv_robots_read_hours(struct pv_str text, struct pv_robots_hours *hours)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_robots_hours found;
	if (!take_minute(&reader, &found.start) ||
	    !pv_reader_accept(&reader, '-') ||
	    !take_minute(&reader, &found.end) || !pv_reader_is_end(&reader) ||
	    found.start == found.end)
		return false;
	*hours = found;
	return true;
}

static int64_t wait_for(const struct pv_robots_hours *hours, int64_t now_ms)
{
	int64_t start_ms =
	    (int64_t)(hours->start % PV_ROBOTS_DAY_MINUTES) * MINUTE_MS;
	int64_t end_ms = (int64_t)hours->end * MINUTE_MS;
	bool is_now = start_ms < end_ms ? now_ms >= start_ms && now_ms < end_ms
					: now_ms >= start_ms || now_ms < end_ms;
	if (is_now)
		return 0;
	return start_ms >= now_ms
		   ? start_ms - now_ms
		   : start_ms - now_ms +
			 (int64_t)PV_ROBOTS_DAY_MINUTES * MINUTE_MS;
}

int64_t pv_robots_hours_wait(
    const struct pv_robots_hours *hours, size_t count, int64_t wall_ms)
{
	int64_t day_ms = (int64_t)PV_ROBOTS_DAY_MINUTES * MINUTE_MS;
	int64_t now_ms = (wall_ms % day_ms + day_ms) % day_ms;
	int64_t least = count ? day_ms : 0;
	for (size_t i = 0; i < count; i++) {
		int64_t wait_ms = wait_for(&hours[i], now_ms);
		if (wait_ms < least)
			least = wait_ms;
	}
	return least;
}

void pv_robots_hours_shut(const struct pv_robots_hours *hours, size_t count,
    struct pv_robots_day *day)
{
	for (size_t minute = 0; count && minute < PV_ROBOTS_DAY_MINUTES;
	     minute++) {
		int64_t time_ms = (int64_t)minute * MINUTE_MS;
		if (pv_robots_hours_wait(hours, count, time_ms) > 0)
			day->is_shut[minute] = true;
	}
}
