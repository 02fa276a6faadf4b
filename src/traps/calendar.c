#include "traps/calendar.h"

#include "base/ascii.h"
#include "base/day.h"
#include "policy/values/value.h"
#include "traps/date_text.h"

#define CENTURY 36525 /* days */

/* A part of a date, by the name of its parameter. */
enum part {
	PART_NONE,
	PART_YEAR,
	PART_MONTH,
	PART_WEEK,
	PART_DAY,
	PARTS,
};

static const struct {
	const char *name;
	enum part part;
	bool is_short; /* as likely something else */
} part_names[] = {
    {"year", PART_YEAR, false},
    {"yr", PART_YEAR, false},
    {"jahr", PART_YEAR, false},
    {"y", PART_YEAR, true},
    {"month", PART_MONTH, false},
    {"monat", PART_MONTH, false},
    {"m", PART_MONTH, true},
    {"week", PART_WEEK, false},
    {"day", PART_DAY, false},
    {"d", PART_DAY, true},
};

/* Parameters in which eight digits are a day, and not any number. */
static const char *const day_names[] = {
    "date", "datum", "day", "from", "to", "start", "end", "begin"};

/* What names calendars, as a segment, a parameter or its value. */
static const char *const calendar_words[] = {
    "calendar", "cal", "kalender", "events", "agenda", "archive"};

/* The numbers that were given for a part. */
struct given {
	unsigned least;
	unsigned most;
	unsigned count;
};

struct search {
	const struct pv_calendar *calendar;
	struct pv_str path;
	struct pv_str query;
	struct given parts[PARTS];
	bool is_sure_of_year; /* "year", not "y" */
	bool is_of_tiles;     /* has an "x", so that "y" is no year */
	bool is_owner_known;  /* is_calendars is */
	bool is_calendars;    /* a calendar's address, by its words */
	int64_t ahead;        /* the furthest beyond its limit; 0: none is */
	int64_t back;
};

/* So far is not beyond the limit, or beyond all likelihood. */
static bool is_beyond(int64_t days, int64_t limit_ms, bool is_sure)
{
	if (limit_ms == PV_NONE || days <= 0 || days * PV_DAY_MS <= limit_ms)
		return false;
	return is_sure || days - CENTURY <= limit_ms / PV_DAY_MS;
}

static void note(
    struct search *search, const struct pv_date_span *span, bool is_sure)
{
	const struct pv_calendar *calendar = search->calendar;
	int64_t ahead = span->first - calendar->today;
	int64_t back = calendar->today - span->last;
	if (ahead > search->ahead &&
	    is_beyond(ahead, calendar->ahead_ms, is_sure))
		search->ahead = ahead;
	if (back > search->back && is_beyond(back, calendar->back_ms, is_sure))
		search->back = back;
}

/* Whose address it is */

static bool is_among(
    struct pv_str text, const char *const words[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (pv_str_equal_nocase(text, pv_str_of(words[i])))
			return true;
	}
	return false;
}

static bool is_calendar_word(struct pv_str text)
{
	return is_among(text, calendar_words,
	    sizeof(calendar_words) / sizeof(*calendar_words));
}

/* The name without an extension. */
static struct pv_str stem_of(struct pv_str segment)
{
	size_t dot = pv_str_find(segment, '.');
	bool is_extension =
	    dot != PV_NOT_FOUND &&
	    pv_is_alpha(dot + 1 < segment.len ? segment.ptr[dot + 1] : -1);
	return is_extension ? pv_str_head(segment, dot) : segment;
}

static bool take_parameter(
    struct pv_reader *query, struct pv_str *name, struct pv_str *value)
{
	if (pv_reader_is_end(query))
		return false;
	struct pv_reader parameter =
	    pv_reader_of(pv_reader_take_until(query, '&'));
	pv_reader_accept(query, '&');
	*name = pv_reader_take_until(&parameter, '=');
	pv_reader_accept(&parameter, '=');
	*value = pv_reader_rest(&parameter);
	return true;
}

static bool has_calendar_word(const struct search *search)
{
	struct pv_reader path = pv_reader_of(search->path);
	struct pv_reader query = pv_reader_of(search->query);
	struct pv_str name, value;
	while (pv_reader_accept(&path, '/')) {
		if (is_calendar_word(stem_of(pv_reader_take_until(&path, '/'))))
			return true;
	}
	while (take_parameter(&query, &name, &value)) {
		if (is_calendar_word(name) || is_calendar_word(value))
			return true;
	}
	return false;
}

/* It is asked for few addresses, and looked for then: once, since each segment
 * may ask. */
static bool is_of_calendar(struct search *search)
{
	if (!search->is_owner_known)
		search->is_calendars = has_calendar_word(search);
	search->is_owner_known = true;
	return search->is_calendars;
}

/* Names with numbers */

static enum part part_of(struct pv_str name, bool *is_short)
{
	size_t count = sizeof(part_names) / sizeof(*part_names);
	for (size_t i = 0; i < count; i++) {
		if (!name.len ||
		    pv_lower(name.ptr[0]) != part_names[i].name[0] ||
		    !pv_str_equal_nocase(name, pv_str_of(part_names[i].name)))
			continue;
		*is_short = part_names[i].is_short;
		return part_names[i].part;
	}
	return PART_NONE;
}

/* Of which months, weeks and days a number may be, and how many days lie
 * between two of them. */
static const struct {
	unsigned most;
	unsigned days;
} counted[PARTS] = {
    [PART_MONTH] = {12, 30},
    [PART_WEEK] = {53, 7},
    [PART_DAY] = {31, 1},
};

/* "203105", "203120" */
static bool read_packed(
    enum part part, unsigned number, struct pv_date_span *span)
{
	unsigned within = number % 100;
	if (!within || within > counted[part].most)
		return false;
	if (part == PART_MONTH)
		return pv_date_make_span(number / 100, within, 0, span);
	if (part != PART_WEEK || !pv_date_make_span(number / 100, 0, 0, span))
		return false;
	span->first += (within - 1) * 7;
	span->last = span->first + 6;
	return true;
}

static void note_count(struct search *search, enum part part, int64_t number)
{
	int64_t days = number * counted[part].days;
	int64_t today = search->calendar->today;
	const struct pv_date_span span = {today + days, today + days};
	if (is_of_calendar(search))
		note(search, &span, false);
}

static void note_part(struct search *search, enum part part, unsigned number)
{
	struct given *given = &search->parts[part];
	if (!given->count++)
		given->least = given->most = number;
	if (number < given->least)
		given->least = number;
	if (number > given->most)
		given->most = number;
}

/* A number behind the name of a part; false if it is none. */
static bool look_at_part(
    struct search *search, enum part part, bool is_short, struct pv_str value)
{
	struct pv_reader rest = pv_reader_of(value);
	struct pv_date_span span;
	unsigned number;
	bool is_minus = pv_reader_accept(&rest, '-');
	if (!pv_date_take_digits(&rest, 1, 6, &number) ||
	    !pv_reader_is_end(&rest))
		return false;
	if (part == PART_YEAR) {
		search->is_sure_of_year = search->is_sure_of_year || !is_short;
		if (value.len == 4 && pv_date_make_span(number, 0, 0, &span))
			note_part(search, part, number);
	} else if (value.len == 6 && read_packed(part, number, &span)) {
		note(search, &span, false);
	} else if (is_minus || number > counted[part].most) {
		if (!is_short)
			note_count(
			    search, part, is_minus ? -(int64_t)number : number);
	} else if (number) {
		note_part(search, part, number);
	}
	return true;
}

/* Values */

static bool is_identifier(struct pv_str name)
{
	return name.len >= 2 &&
	       pv_str_equal_nocase(
		   pv_str_from(name, name.len - 2), PV_STR("id"));
}

static bool is_of_days(struct search *search, struct pv_str name)
{
	return is_among(
		   name, day_names, sizeof(day_names) / sizeof(*day_names)) ||
	       is_of_calendar(search);
}

static void look_at_value(
    struct search *search, struct pv_str name, struct pv_str value)
{
	struct pv_date_span span;
	struct pv_reader rest = pv_reader_of(value);
	if (pv_date_read_value(value, &span) ||
	    (pv_date_read_compact(value, &span) && is_of_days(search, name)))
		note(search, &span, false);
	while (pv_date_take_dashed(&rest, &span))
		note(search, &span, false);
}

static void look_at_query(struct search *search)
{
	struct pv_reader rest = pv_reader_of(search->query);
	struct pv_str name, value;
	while (take_parameter(&rest, &name, &value)) {
		bool is_short = false;
		enum part part = part_of(name, &is_short);
		search->is_of_tiles = search->is_of_tiles ||
				      pv_str_equal_nocase(name, PV_STR("x"));
		if (part && look_at_part(search, part, is_short, value))
			continue;
		if (!is_identifier(name))
			look_at_value(search, name, value);
	}
}

/* Paths */

static void look_at_segment(
    struct search *search, struct pv_str segment, struct pv_str rest)
{
	struct pv_reader words = pv_reader_of(segment);
	struct pv_reader digits = words;
	struct pv_date_span span;
	struct pv_str stem = stem_of(segment);
	unsigned year;
	if (!pv_date_take_digits(&digits, 4, 4, &year)) {
		if (pv_date_read_compact(stem, &span) && is_of_calendar(search))
			note(search, &span, false);
	} else if (pv_date_read_path(rest, false, &span) ||
		   (is_of_calendar(search) &&
		       (pv_date_read_path(rest, true, &span) ||
			   (stem.len == 4 &&
			       pv_date_make_span(year, 0, 0, &span))))) {
		note(search, &span, false);
	}
	while (pv_date_take_dashed(&words, &span))
		note(search, &span, false);
}

static void look_at_path(struct search *search)
{
	struct pv_reader rest = pv_reader_of(search->path);
	struct pv_str before = {0};
	while (pv_reader_accept(&rest, '/')) {
		struct pv_str from_here = pv_reader_rest(&rest);
		struct pv_str segment = pv_reader_take_until(&rest, '/');
		bool is_short = true;
		enum part part = part_of(before, &is_short);
		bool is_part = !is_short && look_at_part(search, part, false,
						stem_of(segment));
		if (!is_part)
			look_at_segment(search, segment, from_here);
		before = segment;
	}
}

/* All together */

/* A year with its month and day, where each was given once; where several were,
 * nobody can tell which belong together. */
static void note_parts(struct search *search)
{
	const struct given *year = &search->parts[PART_YEAR];
	const struct given *month = &search->parts[PART_MONTH];
	const struct given *day = &search->parts[PART_DAY];
	struct pv_date_span span;
	bool is_sure = search->is_sure_of_year;
	if (!year->count || (!is_sure && search->is_of_tiles))
		return;
	bool has_month = year->count == 1 && month->count == 1;
	bool has_day = has_month && day->count == 1;
	if ((has_day && pv_date_make_span(
			    year->least, month->least, day->least, &span)) ||
	    (has_month &&
		pv_date_make_span(year->least, month->least, 0, &span))) {
		note(search, &span, is_sure);
		return;
	}
	pv_date_make_span(year->least, 0, 0, &span);
	note(search, &span, is_sure);
	pv_date_make_span(year->most, 0, 0, &span);
	note(search, &span, is_sure);
}

int64_t pv_calendar_find(
    const struct pv_calendar *calendar, struct pv_str path, struct pv_str query)
{
	struct search search = {
	    .calendar = calendar, .path = path, .query = query};
	look_at_path(&search);
	look_at_query(&search);
	note_parts(&search);
	return search.ahead ? search.ahead : -search.back;
}
