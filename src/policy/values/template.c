#include "policy/values/template.h"

#include "base/ascii.h"
#include "base/reader.h"

/* A part is text alone, or a place: a range or a list. Its texts lie in one
 * copy of the whole. */
struct pv_template_part {
	struct pv_str text;
	struct pv_str *words; /* a list */
	int64_t count;        /* how many forms it has */
	int64_t first;        /* a range */
	int64_t step;
	int width; /* digits, with zeros in front; 0 for as many as needed */
	bool is_letter;
};

#define NUMBER_MAX UINT64_C(1000000000000000)

/* A bound of a range: a number, whose leading zeros tell its width, or a
 * letter. */
static bool take_bound(
    struct pv_reader *reader, int64_t *bound, int *width, bool *is_letter)
{
	const char *start = reader->at;
	uint64_t number;
	*is_letter = pv_is_alpha(pv_reader_peek(reader));
	if (*is_letter) {
		*bound = pv_reader_next(reader);
		return true;
	}
	bool has_zero = pv_reader_peek(reader) == '0';
	if (!pv_reader_take_number(reader, NUMBER_MAX, &number))
		return false;
	int digits = (int)(reader->at - start);
	*bound = (int64_t)number;
	*width = has_zero && digits > 1 && digits <= 20 ? digits : 0;
	return digits <= 20;
}

static const char not_a_range[] =
    "a range is written {1..500}, {001..500}, {0..100..10} or {a..z}";

/* What stands between the bounds, and before the step. */
struct marks {
	struct pv_str to;
	struct pv_str by;
};

static const char *read_range(struct pv_str text, const struct marks *marks,
    struct pv_template_part *part)
{
	struct pv_reader reader = pv_reader_of(text);
	int64_t last;
	int width;
	bool is_letter;
	uint64_t step = 1;
	if (!take_bound(
		&reader, &part->first, &part->width, &part->is_letter) ||
	    !pv_reader_accept_str(&reader, marks->to) ||
	    !take_bound(&reader, &last, &width, &is_letter) ||
	    is_letter != part->is_letter ||
	    (is_letter &&
		pv_is_upper((int)last) != pv_is_upper((int)part->first)))
		return not_a_range;
	if (pv_reader_accept_str(&reader, marks->by) &&
	    !pv_reader_take_number(&reader, NUMBER_MAX, &step))
		return not_a_range;
	if (!pv_reader_is_end(&reader))
		return not_a_range;
	if (!step)
		return "the step of a range is at least 1";
	int64_t span = last - part->first;
	part->step = span < 0 ? -(int64_t)step : (int64_t)step;
	part->count = span / part->step + 1;
	return NULL;
}

static const char *read_list(
    struct pv_str text, struct pv_arena *arena, struct pv_template_part *part)
{
	struct pv_reader reader = pv_reader_of(text);
	for (size_t i = 0; i < text.len; i++)
		part->count += text.ptr[i] == ',';
	part->count++;
	part->words = pv_arena_give_array(
	    arena, (size_t)part->count, sizeof(*part->words));
	for (int64_t i = 0; i < part->count; i++) {
		part->words[i] = pv_reader_take_until(&reader, ',');
		pv_reader_accept(&reader, ',');
	}
	return NULL;
}

static bool has_dots(struct pv_str text)
{
	for (size_t i = 0; i + 1 < text.len; i++) {
		if (text.ptr[i] == '.' && text.ptr[i + 1] == '.')
			return true;
	}
	return false;
}

static const char *read_place(
    struct pv_str text, struct pv_arena *arena, struct pv_template_part *part)
{
	if (pv_str_find(text, '{') != PV_NOT_FOUND)
		return "braces within braces are not expanded";
	if (pv_str_find(text, ',') != PV_NOT_FOUND)
		return read_list(text, arena, part);
	if (has_dots(text)) {
		const struct marks dots = {PV_STR(".."), PV_STR("..")};
		return read_range(text, &dots, part);
	}
	return "braces contain a range {1..500} or a list {a,b}: to mean a "
	       "brace, write %7B or %7D";
}

static bool is_no_mark(int byte)
{
	return byte != '{' && byte != '}' && byte != '[';
}

static bool looks_like_range(struct pv_str text)
{
	size_t dash = pv_str_find(text, '-');
	return dash != PV_NOT_FOUND && dash > 0 && dash + 1 < text.len &&
	       pv_is_alnum(text.ptr[dash - 1]) &&
	       pv_is_alnum(text.ptr[dash + 1]);
}

/* Takes [1-500]; false, with nothing taken, if these are brackets alone. A step
 * of 0 is a fault of a range. */
static bool take_brackets(struct pv_reader *reader,
    struct pv_template_part *part, const char **fault)
{
	const struct marks marks = {PV_STR("-"), PV_STR(":")};
	struct pv_reader ahead = *reader;
	if (!pv_reader_accept(&ahead, '['))
		return false;
	struct pv_str place = pv_reader_take_until(&ahead, ']');
	if (!pv_reader_accept(&ahead, ']') || !looks_like_range(place))
		return false;
	*fault = read_range(place, &marks, part);
	if (*fault == not_a_range) {
		*part = (struct pv_template_part){.count = 0};
		*fault = NULL;
		return false;
	}
	*reader = ahead;
	return true;
}

/* Takes the next part, text or place. */
static const char *take_part(struct pv_reader *reader, struct pv_arena *arena,
    struct pv_template_part *part)
{
	const char *fault = NULL;
	if (take_brackets(reader, part, &fault))
		return fault;
	const char *start = reader->at;
	pv_reader_accept(reader, '[');
	pv_reader_take_while(reader, is_no_mark);
	part->text = (struct pv_str){start, (size_t)(reader->at - start)};
	if (part->text.len) {
		part->count = 1;
		return NULL;
	}
	if (pv_reader_accept(reader, '}'))
		return "a closing brace without an opening one: to mean a "
		       "brace, write %7D";
	pv_reader_accept(reader, '{');
	struct pv_str place = pv_reader_take_until(reader, '}');
	if (!pv_reader_accept(reader, '}'))
		return "an opening brace is never closed: to mean a brace, "
		       "write %7B";
	return read_place(place, arena, part);
}

const char *pv_template_read(
    struct pv_str text, struct pv_arena *arena, struct pv_template *template)
{
	struct pv_reader reader = pv_reader_of(pv_arena_copy(arena, text));
	struct pv_template read = {.count = 1};
	size_t places = 0, varying = 0;
	for (size_t i = 0; i < text.len; i++)
		places += text.ptr[i] == '{' || text.ptr[i] == '[';
	read.parts =
	    pv_arena_give_array(arena, places * 2 + 1, sizeof(*read.parts));
	while (!pv_reader_is_end(&reader)) {
		struct pv_template_part *part = &read.parts[read.part_count++];
		const char *fault = take_part(&reader, arena, part);
		if (fault)
			return fault;
		varying += !part->text.len;
		if (varying > PV_TEMPLATE_PLACES_MAX)
			return "at most 16 ranges and lists are allowed";
		if (part->count > PV_TEMPLATE_COUNT_MAX / read.count)
			return "this expands to more than 1000000000 addresses";
		read.count *= part->count;
	}
	*template = read;
	return NULL;
}

static void part_write(
    const struct pv_template_part *part, int64_t number, struct pv_buf *buf)
{
	int64_t value = part->first + number * part->step;
	if (part->text.len)
		pv_buf_append(buf, part->text);
	else if (part->words)
		pv_buf_append(buf, part->words[number]);
	else if (part->is_letter)
		pv_buf_append_char(buf, (char)value);
	else
		pv_buf_append_format(
		    buf, "%0*lld", part->width, (long long)value);
}

void pv_template_write(
    const struct pv_template *template, int64_t number, struct pv_buf *buf)
{
	int64_t left = template->count;
	for (size_t i = 0; i < template->part_count; i++) {
		const struct pv_template_part *part = &template->parts[i];
		left /= part->count;
		part_write(part, number / left % part->count, buf);
	}
}
