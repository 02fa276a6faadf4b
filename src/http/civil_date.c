#include "http/civil_date.h"

#include "base/ascii.h"
#include "base/day.h"

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool pv_civil_date_is_possible(const struct pv_civil_date *date)
{
	return pv_day_is_date(date->year, date->month, date->day) &&
	       date->hour <= 23 && date->minute <= 59 && date->second <= 60;
}

int64_t pv_civil_date_to_ms(const struct pv_civil_date *date)
{
	int64_t day = pv_day_of_date(date->year, date->month, date->day);
	int64_t second =
	    (int64_t)date->hour * 3600 + date->minute * 60 + date->second;
	return day * PV_DAY_MS + second * 1000;
}

bool pv_civil_date_take_digits(
    struct pv_reader *reader, size_t count, unsigned *number)
{
	struct pv_reader digits = pv_reader_of(pv_reader_take(reader, count));
	uint64_t value;
	if (pv_reader_left(&digits) != count ||
	    !pv_reader_take_number(&digits, 9999, &value) ||
	    !pv_reader_is_end(&digits))
		return false;
	*number = (unsigned)value;
	return true;
}

bool pv_civil_date_take_name(struct pv_reader *reader,
    const char *const names[], unsigned count, unsigned *which)
{
	struct pv_str word = pv_reader_take_while(reader, pv_is_alpha);
	for (*which = 0; *which < count; ++*which) {
		if (pv_str_equal_nocase(word, pv_str_of(names[*which])))
			return true;
	}
	return false;
}

bool pv_civil_date_take_month(struct pv_reader *reader, unsigned *month)
{
	unsigned which;
	if (!pv_civil_date_take_name(reader, months, 12, &which))
		return false;
	*month = which + 1;
	return true;
}

const char *pv_civil_date_month_name(unsigned month)
{
	return months[month - 1];
}
