#include "http/w3c_date.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "http/civil_date.h"

#define MINUTE_MS 60000

/* Takes "-07" or ":20": whether it is a well formed number that follows. */
static bool take_part(struct pv_reader *reader, char mark, unsigned *number)
{
	return pv_reader_accept(reader, mark) &&
	       pv_civil_date_take_digits(reader, 2, number);
}

/* ".45", of which only thousandths count. */
static bool take_fraction(struct pv_reader *reader, unsigned *ms)
{
	if (!pv_reader_accept(reader, '.'))
		return true;
	struct pv_str digits = pv_reader_take_while(reader, pv_is_digit);
	unsigned worth = 100;
	for (size_t i = 0; i < digits.len && worth; i++, worth /= 10)
		*ms += worth * (unsigned)(digits.ptr[i] - '0');
	return digits.len > 0;
}

/* "Z", "+01:00", or nothing; many leave out the colon. */
static bool take_zone(struct pv_reader *reader, int *minutes)
{
	unsigned hour, minute;
	if (pv_reader_is_end(reader) || pv_reader_accept(reader, 'Z') ||
	    pv_reader_accept(reader, 'z'))
		return true;
	int sign = pv_reader_next(reader);
	if ((sign != '+' && sign != '-') ||
	    !pv_civil_date_take_digits(reader, 2, &hour))
		return false;
	pv_reader_accept(reader, ':');
	if (!pv_civil_date_take_digits(reader, 2, &minute) || hour > 23 ||
	    minute > 59)
		return false;
	*minutes = (int)(hour * 60 + minute) * (sign == '-' ? -1 : 1);
	return true;
}

struct time {
	struct pv_civil_date date;
	unsigned ms;
	int zone_minutes;
};

static bool take_time(struct pv_reader *reader, struct time *time)
{
	if (!pv_civil_date_take_digits(reader, 2, &time->date.hour) ||
	    !take_part(reader, ':', &time->date.minute))
		return false;
	if (pv_reader_peek(reader) == ':' &&
	    (!take_part(reader, ':', &time->date.second) ||
		!take_fraction(reader, &time->ms)))
		return false;
	return take_zone(reader, &time->zone_minutes);
}

static bool take(struct pv_reader *reader, struct time *time)
{
	if (!pv_civil_date_take_digits(reader, 4, &time->date.year))
		return false;
	if (pv_reader_is_end(reader))
		return true;
	if (!take_part(reader, '-', &time->date.month))
		return false;
	if (pv_reader_is_end(reader))
		return true;
	if (!take_part(reader, '-', &time->date.day))
		return false;
	if (pv_reader_is_end(reader))
		return true;
	int mark = pv_reader_next(reader);
	return (mark == 'T' || mark == 't' || mark == ' ') &&
	       take_time(reader, time);
}

bool pv_w3c_date_read(struct pv_str text, int64_t *time_ms)
{
	struct pv_reader reader = pv_reader_of(pv_str_trim(text));
	struct time time = {.date = {.month = 1, .day = 1}};
	if (!take(&reader, &time) || !pv_reader_is_end(&reader) ||
	    !pv_civil_date_is_possible(&time.date))
		return false;
	*time_ms = pv_civil_date_to_ms(&time.date) + time.ms -
		   (int64_t)time.zone_minutes * MINUTE_MS;
	return true;
}
