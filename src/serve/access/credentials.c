#include "serve/access/credentials.h"

#include <inttypes.h>

#include "base/ascii.h"
#include "base/reader.h"

#define SESSION_NAME "pavane_session"

static bool is_space(int c)
{
	return c == ' ';
}

/* RFC 6750, 2.1: b64token, of which the "=" stand at the end; there is no harm
 * in one that stands elsewhere. */
static bool is_of_token(int c)
{
	return pv_is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~' ||
	       c == '+' || c == '/' || c == '=';
}

struct pv_str pv_bearer_read(struct pv_str authorization)
{
	struct pv_reader reader = pv_reader_of(authorization);
	struct pv_str scheme = pv_reader_take_while(&reader, pv_is_token);
	struct pv_str spaces = pv_reader_take_while(&reader, is_space);
	struct pv_str token = pv_reader_take_while(&reader, is_of_token);
	bool is_bearer = pv_str_equal_nocase(scheme, PV_STR("Bearer")) &&
			 spaces.len && pv_reader_is_end(&reader);
	return is_bearer ? token : (struct pv_str){0};
}

static bool is_hex(int c)
{
	return pv_is_digit(c) || (c >= 'a' && c <= 'f');
}

static bool is_session(struct pv_str value)
{
	struct pv_reader reader = pv_reader_of(value);
	pv_reader_take_while(&reader, is_hex);
	return value.len == 64 && pv_reader_is_end(&reader);
}

struct pv_str pv_session_read(struct pv_str cookie)
{
	struct pv_reader reader = pv_reader_of(cookie);
	while (!pv_reader_is_end(&reader)) {
		struct pv_reader pair = pv_reader_of(
		    pv_str_trim(pv_reader_take_until(&reader, ';')));
		pv_reader_accept(&reader, ';');
		if (pv_reader_accept_str(&pair, PV_STR(SESSION_NAME "=")) &&
		    is_session(pv_reader_rest(&pair)))
			return pv_reader_rest(&pair);
	}
	return (struct pv_str){0};
}

void pv_session_write(struct pv_str id, int64_t seconds, struct pv_buf *buf)
{
	pv_buf_append_format(buf,
	    SESSION_NAME "=%.*s; Max-Age=%" PRId64
			 "; Path=/; HttpOnly; SameSite=Strict",
	    PV_STR_ARG(id), seconds);
}

static bool is_of_name(int c)
{
	return pv_is_alnum(c) || c == '-' || c == '.' || c == '_';
}

static bool is_of_six(int c)
{
	return pv_hex_value(c) >= 0 || c == ':' || c == '.';
}

/* "[::1]", with its brackets. */
static bool take_six(struct pv_reader *reader)
{
	return pv_reader_accept(reader, '[') &&
	       pv_reader_take_while(reader, is_of_six).len &&
	       pv_reader_accept(reader, ']');
}

struct pv_str pv_host_name_read(struct pv_str authority)
{
	struct pv_reader reader = pv_reader_of(authority);
	uint64_t port;
	bool is_good = pv_reader_peek(&reader) == '['
			   ? take_six(&reader)
			   : pv_reader_take_while(&reader, is_of_name).len > 0;
	struct pv_str host =
	    pv_str_head(authority, authority.len - pv_reader_left(&reader));
	if (pv_reader_accept(&reader, ':'))
		is_good = is_good &&
			  pv_reader_take_number(&reader, UINT16_MAX, &port);
	return is_good && pv_reader_is_end(&reader) ? host : (struct pv_str){0};
}

struct pv_str pv_origin_read(struct pv_str origin)
{
	struct pv_reader reader = pv_reader_of(origin);
	if (!pv_reader_accept_str(&reader, PV_STR("http://")) &&
	    !pv_reader_accept_str(&reader, PV_STR("https://")))
		return (struct pv_str){0};
	struct pv_str authority = pv_reader_rest(&reader);
	return pv_host_name_read(authority).len ? authority
						: (struct pv_str){0};
}
