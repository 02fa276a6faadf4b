#include "traps/session.h"

#include "base/ascii.h"
#include "base/reader.h"

#define LEAST 8
#define LEAST_OF_WEAK 16

/* A name that goes on with anything ends with a star; a weak one is in use for
 * other things as well. */
struct name {
	const char *text;
	bool is_weak;
};

static const struct name names[] = {
    {"asp.net_sessionid", false},
    {"aspsessionid*", false},
    {"cfid", false},
    {"cftoken", false},
    {"jsessionid", false},
    {"mscsid", false},
    {"oscsid", false},
    {"phpsessid", false},
    {"phpsessionid", false},
    {"s", true},
    {"sessid", false},
    {"session", true},
    {"session_id", false},
    {"sessionid", false},
    {"sid", true},
    {"zenid", false},
};

static bool is_named(const struct name *name, struct pv_str text)
{
	struct pv_str whole = pv_str_of(name->text);
	if (!pv_str_ends(whole, PV_STR("*")))
		return pv_str_equal_nocase(whole, text);
	whole.len--;
	return text.len >= whole.len &&
	       pv_str_equal_nocase(whole, pv_str_head(text, whole.len));
}

static const struct name *find_name(struct pv_str text)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (is_named(&names[i], text))
			return &names[i];
	}
	return NULL;
}

static bool is_sign(int byte)
{
	return byte == '_' || byte == '-' || byte == '.' || byte == ',';
}

static bool is_identifier(struct pv_str value, bool is_weak)
{
	size_t digits = 0, letters = 0;
	for (size_t i = 0; i < value.len; i++) {
		int byte = (unsigned char)value.ptr[i];
		digits += pv_is_digit(byte);
		letters += pv_is_alpha(byte);
		if (!pv_is_alnum(byte) && (is_weak || !is_sign(byte)))
			return false;
	}
	if (is_weak)
		return value.len >= LEAST_OF_WEAK && digits && letters;
	return value.len >= LEAST && digits;
}

static void keep(
    struct pv_str name, struct pv_str value, struct pv_buf *identifier)
{
	for (size_t i = 0; i < name.len; i++)
		pv_buf_append_char(identifier, pv_lower(name.ptr[i]));
	pv_buf_append_char(identifier, '=');
	pv_buf_append(identifier, value);
	pv_buf_append_char(identifier, ';');
}

/* "name=value"; most values are too short for a name to be looked up. */
static bool take_parameter(struct pv_str parameter, struct pv_buf *identifier)
{
	struct pv_reader rest = pv_reader_of(parameter);
	struct pv_str text = pv_reader_take_until(&rest, '=');
	if (!pv_reader_accept(&rest, '=') || pv_reader_left(&rest) < LEAST)
		return false;
	const struct name *name = find_name(text);
	if (!name || !is_identifier(pv_reader_rest(&rest), name->is_weak))
		return false;
	keep(text, pv_reader_rest(&rest), identifier);
	return true;
}

static bool find_in_query(struct pv_str query, struct pv_buf *identifier)
{
	struct pv_reader rest = pv_reader_of(query);
	bool is_found = false;
	while (!pv_reader_is_end(&rest)) {
		is_found |= take_parameter(
		    pv_reader_take_until(&rest, '&'), identifier);
		pv_reader_accept(&rest, '&');
	}
	return is_found;
}

/* "(S(value))", where others may stand beside it: "(X(1)S(value))". */
static bool take_bracketed(struct pv_str segment, struct pv_buf *identifier)
{
	struct pv_reader rest = pv_reader_of(segment);
	bool is_found = false;
	if (!pv_reader_accept(&rest, '(') ||
	    !pv_str_ends(segment, PV_STR("))")))
		return false;
	while (!pv_reader_is_end(&rest)) {
		struct pv_str name = pv_reader_take_until(&rest, '(');
		pv_reader_accept(&rest, '(');
		struct pv_str value = pv_reader_take_until(&rest, ')');
		pv_reader_accept(&rest, ')');
		if (!pv_str_equal_nocase(name, PV_STR("s")) ||
		    !is_identifier(value, false))
			continue;
		keep(name, value, identifier);
		is_found = true;
	}
	return is_found;
}

static bool find_in_segment(struct pv_str segment, struct pv_buf *identifier)
{
	struct pv_reader rest = pv_reader_of(segment);
	bool is_found =
	    take_bracketed(pv_reader_take_until(&rest, ';'), identifier);
	while (pv_reader_accept(&rest, ';'))
		is_found |= take_parameter(
		    pv_reader_take_until(&rest, ';'), identifier);
	return is_found;
}

static bool find_in_path(struct pv_str path, struct pv_buf *identifier)
{
	struct pv_reader rest = pv_reader_of(path);
	bool is_found = false;
	if (pv_str_find(path, ';') == PV_NOT_FOUND &&
	    pv_str_find(path, '(') == PV_NOT_FOUND)
		return false;
	while (pv_reader_accept(&rest, '/'))
		is_found |= find_in_segment(
		    pv_reader_take_until(&rest, '/'), identifier);
	return is_found;
}

bool pv_session_find(const struct pv_url *url, struct pv_buf *identifier)
{
	bool is_in_path = find_in_path(pv_url_path(url), identifier);
	bool is_in_query = find_in_query(pv_url_query(url), identifier);
	return is_in_path || is_in_query;
}
