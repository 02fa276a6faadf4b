#include "traps/query_traps.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "traps/recurrence.h"

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
