#include "traps/address_pattern.h"

#include "base/ascii.h"
#include "base/reader.h"

/* It stands in no path and no query. */
#define DIGITS '#'

static bool is_other(int byte)
{
	return byte >= 0 && !pv_is_digit(byte);
}

static void write(struct pv_str text, struct pv_buf *pattern)
{
	struct pv_reader rest = pv_reader_of(text);
	while (!pv_reader_is_end(&rest)) {
		pv_buf_append(pattern, pv_reader_take_while(&rest, is_other));
		if (pv_reader_take_while(&rest, pv_is_digit).len)
			pv_buf_append_char(pattern, DIGITS);
	}
}

static void write_names(struct pv_str query, struct pv_buf *pattern)
{
	struct pv_reader rest = pv_reader_of(query);
	char mark = '?';
	while (!pv_reader_is_end(&rest)) {
		struct pv_str parameter = pv_reader_take_until(&rest, '&');
		struct pv_reader inner = pv_reader_of(parameter);
		pv_reader_accept(&rest, '&');
		pv_buf_append_char(pattern, mark);
		write(pv_reader_take_until(&inner, '='), pattern);
		mark = '&';
	}
}

bool pv_address_pattern_write(const struct pv_url *url, struct pv_buf *pattern)
{
	struct pv_str path = pv_url_path(url);
	size_t last = pv_str_find_last(path, '/');
	pv_buf_append(pattern, pv_url_host(url));
	write(pv_str_head(path, last + 1), pattern);
	write_names(pv_url_query(url), pattern);
	return !pattern->is_full;
}
