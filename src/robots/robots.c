#include "robots/robots.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"

struct reading {
	struct pv_robots *robots;
	bool is_naming; /* the last core line was a User-agent */
	bool is_in_run; /* the last line of any kind was */
	struct pv_why *why;
};

static void note(const struct reading *reading,
    const struct pv_robots_line *line, const char *sentence)
{
	if (reading->why)
		pv_why_note(reading->why,
		    (struct pv_place){"robots.txt", line->number, 0},
		    PV_STR(""), "%s: %.*s", sentence, PV_STR_ARG(line->text));
}

static void note_file(struct pv_why *why, const char *sentence)
{
	if (why)
		pv_why_note(why, (struct pv_place){"robots.txt", 0, 0},
		    PV_STR(""), "%s", sentence);
}

static bool is_token_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '-' || byte == '_' || byte == '.';
}

/* RFC 9309, 2.2.1 has letters, "-" and "_"; a name with digits is compared with
 * them, and what follows after a slash or blank is left out. */
struct pv_str pv_robots_token(struct pv_str agent)
{
	struct pv_reader reader = pv_reader_of(pv_str_trim(agent));
	return pv_reader_take_while(&reader, is_token_byte);
}

/* "*", alone or before a blank, or a token. */
static struct pv_str token_of_line(struct pv_str value)
{
	struct pv_reader reader = pv_reader_of(value);
	if (pv_reader_accept(&reader, '*') &&
	    (pv_reader_is_end(&reader) || pv_is_blank(pv_reader_peek(&reader))))
		return pv_str_head(value, 1);
	return pv_robots_token(value);
}

/* Of the nearest run of User-agent lines above; not before the first of
 * them. */
static struct pv_robots_timing *last_timing(const struct reading *reading)
{
	const struct pv_robots *robots = reading->robots;
	return &robots->timings[robots->timing_count - 1];
}

/* A User-agent line after a rule begins a group; one after another, whatever
 * else lies between, joins it (2.2, 2.2.4). A run is ended by any line. */
static void begin_group(struct reading *reading)
{
	struct pv_robots *robots = reading->robots;
	if (!reading->is_naming)
		robots->group_count++;
	if (!reading->is_in_run)
		*PV_ARRAY_PUSH(robots->timings, robots->timing_count,
		    robots->timing_size) = (struct pv_robots_timing){0};
	reading->is_naming = true;
}

static void add_agent(
    struct reading *reading, const struct pv_robots_line *line)
{
	struct pv_robots *robots = reading->robots;
	struct pv_str token = token_of_line(line->value);
	if (line->is_cut)
		return;
	begin_group(reading);
	if (!token.len) {
		note(reading, line, "names no user agent");
		return;
	}
	*PV_ARRAY_PUSH(robots->agents, robots->agent_count,
	    robots->agent_size) = (struct pv_robots_agent){
	    .token = pv_arena_copy(&robots->arena, token),
	    .number = line->number,
	    .group = (uint32_t)(robots->group_count - 1),
	    .run = (uint32_t)(robots->timing_count - 1),
	};
}

static void add_rule(struct reading *reading, const struct pv_robots_line *line)
{
	struct pv_robots *robots = reading->robots;
	struct pv_robots_rule rule;
	reading->is_naming = false;
	switch (pv_robots_rule_read(line, &robots->arena, &rule)) {
	case PV_ROBOTS_RULE_READ:
		break;
	case PV_ROBOTS_RULE_EMPTY:
		return;
	case PV_ROBOTS_RULE_CUT:
		note(reading, line, "is too long, and is ignored");
		return;
	case PV_ROBOTS_RULE_NO_SLASH:
		note(reading, line, "does not begin with a slash");
		return;
	}
	if (line->is_cut)
		note(reading, line,
		    "is too long: every path with this beginning is forbidden");
	rule.group = (uint32_t)(robots->group_count - 1);
	*PV_ARRAY_PUSH(robots->rules, robots->rule_count, robots->rule_size) =
	    rule;
}

static void add_delay(
    struct reading *reading, const struct pv_robots_line *line)
{
	struct pv_robots_timing *timing = last_timing(reading);
	int64_t delay_ms;
	bool is_read = line->kind == PV_ROBOTS_CRAWL_DELAY
			   ? pv_robots_read_delay(line->value, &delay_ms)
			   : pv_robots_read_rate(line->value, &delay_ms);
	if (!is_read) {
		note(reading, line, "has no valid delay");
	} else if (delay_ms > timing->delay_ms) {
		timing->delay_ms = delay_ms;
		timing->delay_number = line->number;
	}
}

static void add_hours(
    struct reading *reading, const struct pv_robots_line *line)
{
	struct pv_robots_timing *timing = last_timing(reading);
	struct pv_robots_hours hours;
	if (!pv_robots_read_hours(line->value, &hours)) {
		note(reading, line, "names no hours");
	} else if (timing->hours_count == PV_ROBOTS_HOURS_MAX) {
		note(
		    reading, line, "exceeds the number of hours that are read");
	} else {
		if (!timing->hours_count)
			timing->hours_number = line->number;
		timing->hours[timing->hours_count++] = hours;
	}
}

static bool is_no_blank(int byte)
{
	return byte >= 0 && !pv_is_blank(byte);
}

/* A path may stand before it, with the meaning that it has in a rule; none is
 * that of all there is (draft-ietf-aipref-attach). */
static void add_preference(
    struct reading *reading, const struct pv_robots_line *line)
{
	struct pv_robots *robots = reading->robots;
	struct pv_robots_preference preference = {
	    .kind = line->kind,
	    .number = line->number,
	    .group = (uint32_t)(robots->group_count - 1),
	    .value = pv_arena_copy(&robots->arena, line->value),
	};
	struct pv_reader reader = pv_reader_of(preference.value);
	struct pv_robots_line path = {
	    .kind = PV_ROBOTS_ALLOW,
	    .value = PV_STR("/"),
	    .number = line->number,
	};
	if (pv_reader_peek(&reader) == '/')
		path.value = pv_reader_take_while(&reader, is_no_blank);
	preference.terms = pv_str_trim(pv_reader_rest(&reader));
	pv_robots_rule_read(&path, &robots->arena, &preference.rule);
	*PV_ARRAY_PUSH(robots->preferences, robots->preference_count,
	    robots->preference_size) = preference;
}

static void add_sitemap(
    struct reading *reading, const struct pv_robots_line *line)
{
	struct pv_robots *robots = reading->robots;
	if (line->is_cut)
		return;
	switch (pv_robots_sitemaps_add(
	    &robots->sitemaps, &robots->arena, line->value)) {
	case PV_ROBOTS_SITEMAP_NO_ADDRESS:
		note(reading, line, "is not an absolute web address");
		return;
	case PV_ROBOTS_SITEMAP_TOO_MANY:
		note(reading, line,
		    "exceeds the number of sitemaps that are read");
		return;
	case PV_ROBOTS_SITEMAP_ADDED:
	case PV_ROBOTS_SITEMAP_KNOWN:
		return;
	}
}

/* What belongs to a group. What is cut may have been meant otherwise. */
static void add_to_group(
    struct reading *reading, const struct pv_robots_line *line)
{
	if (!reading->robots->group_count) {
		note(reading, line,
		    "is before the first user-agent, and is ignored");
		return;
	}
	if (line->kind == PV_ROBOTS_ALLOW || line->kind == PV_ROBOTS_DISALLOW)
		add_rule(reading, line);
	else if (line->is_cut)
		note(reading, line, "is cut");
	else if (line->kind == PV_ROBOTS_CRAWL_DELAY ||
		 line->kind == PV_ROBOTS_REQUEST_RATE)
		add_delay(reading, line);
	else if (line->kind == PV_ROBOTS_VISIT_TIME)
		add_hours(reading, line);
	else
		add_preference(reading, line);
}

static void read_lines(struct reading *reading, struct pv_str text, bool is_cut)
{
	struct pv_robots_lines lines = pv_robots_lines_of(text, is_cut);
	struct pv_robots_line line;
	while (pv_robots_lines_next(&lines, &line)) {
		if (line.kind == PV_ROBOTS_AGENT)
			add_agent(reading, &line);
		else if (line.kind == PV_ROBOTS_SITEMAP)
			add_sitemap(reading, &line);
		else if (line.kind != PV_ROBOTS_UNKNOWN)
			add_to_group(reading, &line);
		reading->is_in_run = line.kind == PV_ROBOTS_AGENT;
	}
}

/* Rules count wherever they stand, but many servers send a page for what is not
 * there. */
static void read_markup(
    struct reading *reading, struct pv_str text, bool is_cut)
{
	const struct pv_robots *robots = reading->robots;
	read_lines(reading, text, is_cut);
	if (!robots->agent_count && !robots->sitemaps.count)
		note_file(reading->why, "is an HTML page and has no rules");
}

/* The end of a text that is longer may lie between a line and its end. */
static struct pv_str cut(struct pv_str text, size_t bytes, bool *is_cut)
{
	if (text.len <= bytes)
		return text;
	char next = text.ptr[bytes];
	if (next != '\n' && next != '\r')
		*is_cut = true;
	return pv_str_head(text, bytes);
}

struct pv_robots *pv_robots_create(struct pv_str text, bool is_cut,
    const struct pv_robots_ceilings *ceilings, struct pv_why *why)
{
	struct pv_robots *robots = pv_alloc(sizeof(*robots));
	struct reading reading = {.robots = robots, .why = why};
	robots->ceilings = *ceilings;
	pv_arena_init(&robots->arena);
	pv_robots_sitemaps_init(&robots->sitemaps, ceilings->sitemaps);
	if (text.len > ceilings->bytes)
		note_file(why, "is longer than the part that is read");
	text = cut(text, ceilings->bytes, &is_cut);
	switch (pv_robots_form(text)) {
	case PV_ROBOTS_TEXT:
		read_lines(&reading, text, is_cut);
		break;
	case PV_ROBOTS_MARKUP:
		read_markup(&reading, text, is_cut);
		break;
	case PV_ROBOTS_UTF16:
		note_file(why, "is not UTF-8, and has no rules");
		break;
	}
	return robots;
}

void pv_robots_destroy(struct pv_robots *robots)
{
	if (!robots)
		return;
	pv_arena_finish(&robots->arena);
	pv_robots_sitemaps_finish(&robots->sitemaps);
	free(robots->timings);
	free(robots->agents);
	free(robots->rules);
	free(robots->preferences);
	free(robots);
}
