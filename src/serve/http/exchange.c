#include "serve/http/exchange.h"

#include "base/ascii.h"
#include "base/reader.h"

#define NAME_MAX_BYTES 256

enum pv_http_method pv_http_method_of(struct pv_str name)
{
	static const struct {
		const char *name;
		enum pv_http_method method;
	} methods[] = {
	    {"GET", PV_GET},
	    {"HEAD", PV_HEAD},
	    {"POST", PV_POST},
	    {"DELETE", PV_DELETE},
	};
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		if (pv_str_equal(pv_str_of(methods[i].name), name))
			return methods[i].method;
	}
	return PV_OTHER_METHOD;
}

void pv_exchange_read_head(struct pv_exchange *exchange)
{
	struct pv_reader reader = pv_reader_of(exchange->head.target);
	exchange->method = pv_http_method_of(exchange->head.method);
	exchange->path = pv_reader_take_until(&reader, '?');
	exchange->query = (struct pv_str){0};
	if (pv_reader_accept(&reader, '?'))
		exchange->query = pv_reader_rest(&reader);
}

struct pv_str pv_exchange_header(
    const struct pv_exchange *exchange, const char *name)
{
	return pv_head_get(&exchange->head, pv_str_of(name));
}

static int next_decoded(struct pv_reader *reader)
{
	int c = pv_reader_next(reader);
	if (c == '+')
		return ' ';
	if (c != '%')
		return c;
	int high = pv_hex_value(pv_reader_next(reader));
	int low = pv_hex_value(pv_reader_next(reader));
	return high < 0 || low < 0 ? -1 : high * 16 + low;
}

static bool decode(struct pv_str text, struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader)) {
		int c = next_decoded(&reader);
		if (c < 0 || !pv_buf_append_char(buf, (char)c))
			return false;
	}
	return true;
}

static bool is_named(struct pv_str text, const char *name)
{
	struct pv_buf buf;
	pv_buf_init(&buf, NAME_MAX_BYTES);
	bool is_same = decode(text, &buf) &&
		       pv_str_equal(pv_buf_str(&buf), pv_str_of(name));
	pv_buf_finish(&buf);
	return is_same;
}

/* The first of that name, as it stands there; ptr is NULL if there is none. */
static struct pv_str find_argument(
    const struct pv_exchange *exchange, const char *name)
{
	struct pv_reader query = pv_reader_of(exchange->query);
	while (!pv_reader_is_end(&query)) {
		struct pv_str pair = pv_reader_take_until(&query, '&');
		struct pv_reader reader = pv_reader_of(pair);
		struct pv_str found = pv_reader_take_until(&reader, '=');
		pv_reader_accept(&reader, '=');
		if (is_named(found, name))
			return pv_reader_rest(&reader);
		pv_reader_accept(&query, '&');
	}
	return (struct pv_str){0};
}

bool pv_exchange_has_argument(
    const struct pv_exchange *exchange, const char *name)
{
	return find_argument(exchange, name).ptr;
}

bool pv_exchange_argument(
    const struct pv_exchange *exchange, const char *name, struct pv_buf *value)
{
	struct pv_str found = find_argument(exchange, name);
	size_t before = value->len;
	if (found.ptr && decode(found, value))
		return true;
	pv_buf_cut(value, before);
	return false;
}

bool pv_exchange_is_over(const struct pv_exchange *exchange)
{
	return exchange->is_over && exchange->is_over(exchange->ctx);
}
