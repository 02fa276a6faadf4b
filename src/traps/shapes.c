#include "traps/shapes.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/reader.h"

/* Parts that are equal fall into one bucket. */
#define BUCKETS 64

static unsigned bucket_of(struct pv_str part)
{
	if (!part.len)
		return 0;
	unsigned char first = (unsigned char)part.ptr[0];
	unsigned char last = (unsigned char)part.ptr[part.len - 1];
	return ((unsigned)part.len * 37 + first * 5U + last) % BUCKETS;
}

/* Whether any part may stand more often than the limit: if not, as of nearly
 * every text, none need be compared. */
static bool may_recur(struct pv_str text, pv_part_fn take, size_t limit)
{
	struct pv_reader rest = pv_reader_of(text);
	struct pv_str part;
	uint32_t counts[BUCKETS] = {0};
	while (take(&rest, &part)) {
		if (++counts[bucket_of(part)] > limit)
			return true;
	}
	return false;
}

static int compare(const void *a, const void *b)
{
	return pv_str_compare(
	    *(const struct pv_str *)a, *(const struct pv_str *)b);
}

static size_t longest_run(const struct pv_str *parts, size_t count)
{
	size_t longest = 0, run = 0;
	for (size_t i = 0; i < count; i++) {
		bool is_same = i && pv_str_equal(parts[i - 1], parts[i]);
		run = is_same ? run + 1 : 1;
		longest = run > longest ? run : longest;
	}
	return longest;
}

size_t pv_recurrence_find(struct pv_str text, pv_part_fn take, size_t limit)
{
	struct pv_str *parts = NULL, part;
	size_t count = 0, size = 0;
	if (!may_recur(text, take, limit))
		return 0;
	struct pv_reader rest = pv_reader_of(text);
	while (take(&rest, &part))
		*PV_ARRAY_PUSH(parts, count, size) = part;
	qsort(parts, count, sizeof(*parts), compare);
	size_t longest = longest_run(parts, count);
	free(parts);
	return longest > limit ? longest : 0;
}

static size_t count_byte(struct pv_str text, char byte)
{
	size_t count = 0;
	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == byte;
	return count;
}

size_t pv_query_traps_parameters(struct pv_str query)
{
	return query.len ? count_byte(query, '&') + 1 : 0;
}

/* The next one that is not empty. */
static bool take_parameter(struct pv_reader *query, struct pv_str *parameter)
{
	while (pv_reader_accept(query, '&'))
		;
	*parameter = pv_reader_take_until(query, '&');
	return parameter->len > 0;
}

size_t pv_query_traps_repeats(struct pv_str query, size_t limit)
{
	return pv_recurrence_find(query, take_parameter, limit);
}

/* Takes a byte as it is, or escaped however often: '=', "%3D", "%253d". */
static bool accept_escaped(struct pv_reader *reader, char byte)
{
	struct pv_reader at = *reader;
	if (pv_reader_accept(reader, byte))
		return true;
	if (!pv_reader_accept(&at, '%'))
		return false;
	while (pv_reader_accept_str(&at, PV_STR("25")))
		;
	int high = pv_hex_value(pv_reader_next(&at));
	int low = pv_hex_value(pv_reader_next(&at));
	if (high < 0 || low < 0 || high * 16 + low != byte)
		return false;
	*reader = at;
	return true;
}

/* How deep what begins with this '%' is escaped. */
static size_t depth_of_escape(struct pv_reader *reader)
{
	size_t depth = 0;
	pv_reader_next(reader);
	while (pv_reader_accept_str(reader, PV_STR("25")))
		depth++;
	struct pv_reader digits = *reader;
	int high = pv_hex_value(pv_reader_next(&digits));
	int low = pv_hex_value(pv_reader_next(&digits));
	return high < 0 || low < 0 ? depth : depth + 1;
}

static size_t depth_of_escapes(struct pv_str target)
{
	struct pv_reader rest = pv_reader_of(target);
	size_t deepest = 0;
	for (;;) {
		pv_reader_take_until(&rest, '%');
		if (pv_reader_is_end(&rest))
			return deepest;
		size_t depth = depth_of_escape(&rest);
		deepest = depth > deepest ? depth : deepest;
	}
}

/* How often an ampersand in front of this name was written as "&amp;". */
static size_t depth_of_references(struct pv_str parameter)
{
	struct pv_reader rest = pv_reader_of(parameter);
	size_t depth = 0;
	while (pv_reader_accept_str(&rest, PV_STR("amp")) &&
	       accept_escaped(&rest, ';'))
		depth++;
	return depth;
}

size_t pv_query_traps_escapes(struct pv_str target, struct pv_str query)
{
	size_t deepest = depth_of_escapes(target);
	struct pv_reader rest = pv_reader_of(query);
	struct pv_str parameter;
	while (take_parameter(&rest, &parameter)) {
		size_t depth = depth_of_references(parameter);
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

static bool is_of_name(int byte)
{
	return pv_is_alnum(byte) || byte == '_' || byte == '-' || byte == '.';
}

/* The name of the next query: it begins behind a question mark or an equals
 * sign, or the value begins with it, and an equals sign follows. What was taken
 * before ends with one. */
static bool take_name(struct pv_reader *value, struct pv_str *name)
{
	while (!pv_reader_is_end(value)) {
		*name = pv_reader_take_while(value, is_of_name);
		if (accept_escaped(value, '=')) {
			if (name->len)
				return true;
			continue;
		}
		while (!pv_reader_is_end(value) &&
		       !accept_escaped(value, '?') &&
		       !accept_escaped(value, '='))
			pv_reader_next(value);
	}
	return false;
}

/* A text without that many signs, as nearly each, has no need of a look. */
static bool may_nest(struct pv_str text, size_t limit)
{
	size_t signs = 0;
	for (size_t i = 0; i < text.len; i++)
		signs += text.ptr[i] == '=' || text.ptr[i] == '%';
	return signs > limit;
}

size_t pv_query_traps_nesting(struct pv_str query, size_t limit)
{
	struct pv_reader rest = pv_reader_of(query);
	struct pv_str parameter;
	size_t most = 0;
	while (take_parameter(&rest, &parameter)) {
		struct pv_reader value = pv_reader_of(parameter);
		pv_reader_take_until(&value, '=');
		pv_reader_accept(&value, '=');
		struct pv_str text = pv_reader_rest(&value);
		if (!may_nest(text, limit))
			continue;
		size_t count = pv_recurrence_find(text, take_name, limit);
		most = count > most ? count : most;
	}
	return most;
}

size_t pv_path_traps_segments(struct pv_str path)
{
	size_t slashes = 0;
	for (size_t i = 0; i < path.len; i++)
		slashes += path.ptr[i] == '/';
	return slashes - (path.ptr[path.len - 1] == '/');
}

static bool take_segment(struct pv_reader *path, struct pv_str *segment)
{
	pv_reader_accept(path, '/');
	if (pv_reader_is_end(path))
		return false;
	*segment = pv_reader_take_until(path, '/');
	return true;
}

size_t pv_path_traps_repeats(struct pv_str path, size_t limit)
{
	if (pv_path_traps_segments(path) <= limit)
		return 0;
	return pv_recurrence_find(path, take_segment, limit);
}

/* What is worth a stop; all else is passed over at once. */
static const bool stops[256] = {
    ['0'] = true,
    ['1'] = true,
    ['2'] = true,
    ['3'] = true,
    ['4'] = true,
    ['5'] = true,
    ['6'] = true,
    ['7'] = true,
    ['8'] = true,
    ['9'] = true,
    ['%'] = true,
    ['&'] = true,
    [';'] = true,
    ['='] = true,
};

static bool is_opening(struct pv_str target, size_t at)
{
	return target.ptr[at] == '/' || target.ptr[at] == '=';
}

/* Looks at the digits from here on, and returns where the last one is. */
static size_t look_at_digits(
    struct pv_signs *signs, struct pv_str target, size_t first)
{
	size_t end = first + 1;
	while (end < target.len && pv_is_digit(target.ptr[end]))
		end++;
	bool is_minus = first > 1 && target.ptr[first - 1] == '-' &&
			is_opening(target, first - 2);
	bool is_number = first && is_opening(target, first - 1);
	if (end - first >= 4)
		signs->has_year = true;
	if (is_minus || (is_number && end - first >= 2))
		signs->has_number = true;
	return end - 1;
}

struct pv_signs pv_signs_of(struct pv_str target)
{
	struct pv_signs signs = {.ampersands = 0};
	bool has_value = false;
	for (size_t i = 0; i < target.len; i++) {
		char byte = target.ptr[i];
		if (!stops[(unsigned char)byte])
			continue;
		if (byte == '&') {
			signs.ampersands++;
			has_value = false;
		} else if (byte == '=') {
			signs.marks += has_value;
			has_value = true;
		} else if (byte == '%' || byte == ';') {
			signs.marks++;
			signs.has_percent = signs.has_percent || byte == '%';
		} else {
			i = look_at_digits(&signs, target, i);
		}
	}
	return signs;
}
