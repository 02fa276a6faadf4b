#include "http/feed_date.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "http/date.h"

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

/* A zone that nobody knows is UTC (RFC 5322, 4.3). */
static const struct {
	struct pv_str name;
	int hours;
} zones[] = {
    {PV_STR("EST"), -5},
    {PV_STR("EDT"), -4},
    {PV_STR("CST"), -6},
    {PV_STR("CDT"), -5},
    {PV_STR("MST"), -7},
    {PV_STR("MDT"), -6},
    {PV_STR("PST"), -8},
    {PV_STR("PDT"), -7},
};

/* White space; whether there was any. */
static bool take_space(struct pv_reader *reader)
{
	return pv_reader_take_while(reader, pv_is_blank).len > 0;
}

/* Takes a number of `least` to `most` digits; how many there were, 0 if it is
 * none. */
static size_t take_digits(
    struct pv_reader *reader, size_t least, size_t most, unsigned *number)
{
	struct pv_str digits = pv_reader_take_while(reader, pv_is_digit);
	struct pv_reader within = pv_reader_of(digits);
	if (digits.len < least || digits.len > most ||
	    !pv_civil_date_take_digits(&within, digits.len, number))
		return 0;
	return digits.len;
}

/* "Sat, ", which says nothing that the date does not. */
static bool take_day_name(struct pv_reader *reader)
{
	if (!pv_is_alpha(pv_reader_peek(reader)))
		return true;
	pv_reader_take_while(reader, pv_is_alpha);
	if (!pv_reader_accept(reader, ','))
		return false;
	take_space(reader);
	return true;
}

static bool take_date(struct pv_reader *reader, struct pv_civil_date *date)
{
	if (!take_digits(reader, 1, 2, &date->day) || !take_space(reader) ||
	    !pv_civil_date_take_month(reader, &date->month) ||
	    !take_space(reader))
		return false;
	size_t digits = take_digits(reader, 2, 4, &date->year);
	if (digits == 2)
		date->year += date->year < 50 ? 2000 : 1900;
	else if (digits == 3)
		date->year += 1900;
	return digits > 0;
}

static bool take_mail_time(struct pv_reader *reader, struct pv_civil_date *date)
{
	if (!take_space(reader) || !take_digits(reader, 1, 2, &date->hour) ||
	    !pv_reader_accept(reader, ':') ||
	    !take_digits(reader, 2, 2, &date->minute))
		return false;
	return !pv_reader_accept(reader, ':') ||
	       take_digits(reader, 2, 2, &date->second);
}

/* "+0200" or a name. */
static bool take_mail_zone(struct pv_reader *reader, int *minutes)
{
	unsigned number;
	take_space(reader);
	int sign = pv_reader_peek(reader);
	if (sign == '+' || sign == '-') {
		pv_reader_next(reader);
		if (!take_digits(reader, 4, 4, &number) || number % 100 > 59)
			return false;
		*minutes = (int)(number / 100 * 60 + number % 100) *
			   (sign == '-' ? -1 : 1);
		return true;
	}
	struct pv_str name = pv_reader_take_while(reader, pv_is_alpha);
	for (size_t i = 0; i < sizeof(zones) / sizeof(*zones); i++) {
		if (pv_str_equal_nocase(zones[i].name, name))
			*minutes = zones[i].hours * 60;
	}
	return true;
}

bool pv_mail_date_take(struct pv_str text, struct pv_mail_date *mail)
{
	struct pv_reader reader = pv_reader_of(pv_str_trim(text));
	*mail = (struct pv_mail_date){.zone_minutes = 0};
	if (!take_day_name(&reader) || !take_date(&reader, &mail->date) ||
	    !take_mail_time(&reader, &mail->date))
		return false;
	mail->has_zone = !pv_reader_is_end(&reader);
	return take_mail_zone(&reader, &mail->zone_minutes) &&
	       pv_reader_is_end(&reader) &&
	       pv_civil_date_is_possible(&mail->date);
}

bool pv_mail_date_read(struct pv_str text, int64_t *time_ms)
{
	struct pv_mail_date mail;
	if (!pv_mail_date_take(text, &mail))
		return false;
	*time_ms = pv_civil_date_to_ms(&mail.date) -
		   (int64_t)mail.zone_minutes * MINUTE_MS;
	return true;
}
