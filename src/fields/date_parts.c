#include "fields/date_parts.h"

#include "base/ascii.h"

bool pv_date_parts_take_zone(
    struct pv_reader *reader, struct pv_date_parts *parts)
{
	unsigned hour, minute = 0;
	parts->has_zone = true;
	if (pv_is_alpha(pv_reader_peek(reader))) {
		struct pv_str name = pv_reader_take_while(reader, pv_is_alpha);
		return pv_str_equal_nocase(name, PV_STR("Z")) ||
		       pv_str_equal_nocase(name, PV_STR("UTC")) ||
		       pv_str_equal_nocase(name, PV_STR("GMT"));
	}
	int sign = pv_reader_next(reader);
	if ((sign != '+' && sign != '-') ||
	    !pv_civil_date_take_digits(reader, 2, &hour))
		return false;
	bool has_minute = pv_reader_accept(reader, ':') ||
			  pv_is_digit(pv_reader_peek(reader));
	if (has_minute && !pv_civil_date_take_digits(reader, 2, &minute))
		return false;
	parts->zone_minutes =
	    (int)(hour * 60 + minute) * (sign == '-' ? -1 : 1);
	return hour <= 23 && minute <= 59;
}

static bool take_iso_date(struct pv_reader *reader, struct pv_civil_date *date)
{
	if (!pv_civil_date_take_digits(reader, 4, &date->year))
		return false;
	bool has_marks = pv_reader_accept(reader, '-');
	return pv_civil_date_take_digits(reader, 2, &date->month) &&
	       pv_reader_accept(reader, '-') == has_marks &&
	       pv_civil_date_take_digits(reader, 2, &date->day);
}

static bool take_iso_time(struct pv_reader *reader, struct pv_date_parts *parts)
{
	struct pv_civil_date *date = &parts->date;
	parts->has_time = true;
	if (!pv_civil_date_take_digits(reader, 2, &date->hour))
		return false;
	bool has_marks = pv_reader_accept(reader, ':');
	if (!pv_civil_date_take_digits(reader, 2, &date->minute))
		return false;
	if (has_marks ? !pv_reader_accept(reader, ':')
		      : !pv_is_digit(pv_reader_peek(reader)))
		return true;
	if (!pv_civil_date_take_digits(reader, 2, &date->second))
		return false;
	if (!pv_reader_accept(reader, '.') && !pv_reader_accept(reader, ','))
		return true;
	parts->fraction = pv_reader_take_while(reader, pv_is_digit);
	return parts->fraction.len > 0;
}

bool pv_date_parts_read_iso(struct pv_str text, struct pv_date_parts *parts)
{
	struct pv_reader reader = pv_reader_of(text);
	*parts = (struct pv_date_parts){.has_time = false};
	if (!take_iso_date(&reader, &parts->date))
		return false;
	if (pv_reader_is_end(&reader))
		return true;
	if (!pv_reader_accept(&reader, 'T') &&
	    !pv_reader_accept(&reader, 't') && !pv_reader_accept(&reader, ' '))
		return false;
	if (!take_iso_time(&reader, parts))
		return false;
	if (pv_reader_is_end(&reader))
		return true;
	pv_reader_accept(&reader, ' ');
	return pv_date_parts_take_zone(&reader, parts) &&
	       pv_reader_is_end(&reader);
}
