#include "robots/line.h"

#include "base/ascii.h"

static const struct {
	const char *name;
	enum pv_robots_kind kind;
} names[] = {
    {"user-agent", PV_ROBOTS_AGENT},
    {"useragent", PV_ROBOTS_AGENT},
    {"user agent", PV_ROBOTS_AGENT},
    {"allow", PV_ROBOTS_ALLOW},
    {"disallow", PV_ROBOTS_DISALLOW},
    {"dissallow", PV_ROBOTS_DISALLOW},
    {"dissalow", PV_ROBOTS_DISALLOW},
    {"disalow", PV_ROBOTS_DISALLOW},
    {"diasllow", PV_ROBOTS_DISALLOW},
    {"disallaw", PV_ROBOTS_DISALLOW},
    {"sitemap", PV_ROBOTS_SITEMAP},
    {"crawl-delay", PV_ROBOTS_CRAWL_DELAY},
    {"request-rate", PV_ROBOTS_REQUEST_RATE},
    {"visit-time", PV_ROBOTS_VISIT_TIME},
    {"content-usage", PV_ROBOTS_CONTENT_USAGE},
    {"content-signal", PV_ROBOTS_CONTENT_SIGNAL},
};

#define BYTE_ORDER_MARK PV_STR("\xef\xbb\xbf")

static struct pv_str without_mark(struct pv_str text)
{
	if (pv_str_starts(text, BYTE_ORDER_MARK))
		return pv_str_from(text, BYTE_ORDER_MARK.len);
	return text;
}

static bool is_white(int byte)
{
	return pv_is_blank(byte) || byte == '\n' || byte == '\r';
}

static bool starts_nocase(struct pv_str text, struct pv_str start)
{
	return text.len >= start.len &&
	       pv_str_equal_nocase(pv_str_head(text, start.len), start);
}

enum pv_robots_form pv_robots_form(struct pv_str text)
{
	static const struct pv_str starts[] = {PV_STR("<!doctype"),
	    PV_STR("<html"), PV_STR("<head"), PV_STR("<body"), PV_STR("<?xml")};
	if (pv_str_starts(text, PV_STR("\xff\xfe")) ||
	    pv_str_starts(text, PV_STR("\xfe\xff")) ||
	    pv_str_starts(text, PV_STR("\0\0\xfe\xff")))
		return PV_ROBOTS_UTF16;
	struct pv_reader reader = pv_reader_of(without_mark(text));
	pv_reader_take_while(&reader, is_white);
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (starts_nocase(pv_reader_rest(&reader), starts[i]))
			return PV_ROBOTS_MARKUP;
	}
	return PV_ROBOTS_TEXT;
}

struct pv_robots_lines pv_robots_lines_of(struct pv_str text, bool is_cut)
{
	return (struct pv_robots_lines){
	    .reader = pv_reader_of(without_mark(text)), .is_cut = is_cut};
}

static bool find_kind(struct pv_str name, enum pv_robots_kind *kind)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (pv_str_equal_nocase(name, pv_str_of(names[i].name))) {
			*kind = names[i].kind;
			return true;
		}
	}
	return false;
}

static bool read_with_colon(struct pv_str record, struct pv_robots_line *line)
{
	struct pv_reader reader = pv_reader_of(record);
	struct pv_str name = pv_reader_take_until(&reader, ':');
	if (!pv_reader_accept(&reader, ':'))
		return false;
	line->value = pv_str_trim(pv_reader_rest(&reader));
	return find_kind(pv_str_trim(name), &line->kind);
}

static bool is_word_byte(int byte)
{
	return !pv_is_blank(byte);
}

/* "Disallow /private": two words, and nothing more. */
static bool read_without_colon(
    struct pv_str record, struct pv_robots_line *line)
{
	struct pv_reader reader = pv_reader_of(record);
	struct pv_str name = pv_reader_take_while(&reader, is_word_byte);
	pv_reader_take_while(&reader, pv_is_blank);
	line->value = pv_reader_take_while(&reader, is_word_byte);
	return line->value.len && pv_reader_is_end(&reader) &&
	       find_kind(name, &line->kind);
}

/* Takes a line; *has_end says whether its end is there. */
static struct pv_str take_line(struct pv_reader *reader, bool *has_end)
{
	struct pv_str line = pv_reader_take_line(reader);
	*has_end = reader->at > line.ptr + line.len;
	return line;
}

bool pv_robots_lines_next(
    struct pv_robots_lines *lines, struct pv_robots_line *line)
{
	while (!pv_reader_is_end(&lines->reader)) {
		bool has_end;
		struct pv_str text = take_line(&lines->reader, &has_end);
		struct pv_reader reader = pv_reader_of(text);
		struct pv_str record = pv_reader_take_until(&reader, '#');
		bool is_whole = has_end || pv_reader_peek(&reader) == '#';
		*line = (struct pv_robots_line){
		    .text = pv_str_trim(text),
		    .number = ++lines->number,
		    .is_cut = lines->is_cut && !is_whole,
		};
		record = pv_str_trim(record);
		if (!record.len)
			continue;
		if (!read_with_colon(record, line) &&
		    !read_without_colon(record, line)) {
			line->kind = PV_ROBOTS_UNKNOWN;
			line->value = (struct pv_str){NULL, 0};
		}
		return true;
	}
	return false;
}
