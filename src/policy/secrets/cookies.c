#include "policy/secrets/cookies.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/file.h"
#include "base/reader.h"
#include "url/host.h"

#define FILE_BYTES_MAX ((size_t)16 << 20)

/* Years that end beyond this are written by some browsers for "never". */
#define EXPIRES_MAX_S ((int64_t)253402300799)

enum { DOMAIN, BELOW, PATH, SECURE, EXPIRES, NAME, VALUE, FIELDS };

void pv_cookies_init(struct pv_cookies *cookies)
{
	*cookies = (struct pv_cookies){.count = 0};
	pv_arena_init(&cookies->arena);
}

void pv_cookies_finish(struct pv_cookies *cookies)
{
	free(cookies->items);
	pv_arena_finish(&cookies->arena);
}

/* Tabs between fields; the value may be missing, if it is empty. */
static size_t split(struct pv_str line, struct pv_str fields[FIELDS])
{
	struct pv_reader reader = pv_reader_of(line);
	size_t count = 0;
	fields[VALUE] = PV_STR("");
	while (count < FIELDS) {
		fields[count++] = pv_reader_take_until(&reader, '\t');
		if (!pv_reader_accept(&reader, '\t'))
			break;
	}
	return pv_reader_is_end(&reader) ? count : FIELDS + 1;
}

static bool read_bool(struct pv_str word, bool *value)
{
	*value = pv_str_equal_nocase(word, PV_STR("TRUE"));
	return *value || pv_str_equal_nocase(word, PV_STR("FALSE"));
}

/* Whole seconds; some browsers write a fraction, and -1 for a session. */
static bool read_expires(struct pv_str word, int64_t *seconds)
{
	struct pv_reader reader = pv_reader_of(word);
	bool is_below = pv_reader_accept(&reader, '-');
	struct pv_str digits = pv_reader_take_while(&reader, pv_is_digit);
	*seconds = 0;
	for (size_t i = 0; i < digits.len && *seconds < EXPIRES_MAX_S; i++)
		*seconds = *seconds * 10 + (digits.ptr[i] - '0');
	if (is_below)
		*seconds = 0;
	if (*seconds > EXPIRES_MAX_S)
		*seconds = EXPIRES_MAX_S;
	if (pv_reader_accept(&reader, '.'))
		pv_reader_take_while(&reader, pv_is_digit);
	return digits.len && pv_reader_is_end(&reader);
}

static bool has_control(struct pv_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (pv_is_control((unsigned char)text.ptr[i]))
			return true;
	}
	return false;
}

/* As hosts are written, without the dot that old files put before it. A second
 * dot, which the URL Standard allows, would be taken for that one. */
static bool read_domain(struct pv_str text, struct pv_buf *domain)
{
	struct pv_address address;
	if (text.len && text.ptr[0] == '.')
		text = pv_str_from(text, 1);
	return pv_host_read(text, domain, &address) &&
	       !pv_str_starts(pv_buf_str(domain), PV_STR("."));
}

/* What is wrong with a line; NULL if nothing is. */
static const char *read_line(
    struct pv_str line, struct pv_cookie *cookie, struct pv_buf *domain)
{
	struct pv_str fields[FIELDS];
	size_t count = split(line, fields);
	if (count != FIELDS && count != FIELDS - 1)
		return "a cookie has seven fields with tabs between them: "
		       "domain, TRUE or FALSE, path, TRUE or FALSE, expiry, "
		       "name, value";
	if (!read_domain(fields[DOMAIN], domain))
		return "the first field is no domain";
	if (!read_bool(fields[BELOW], &cookie->is_below))
		return "the second field, whether hosts below the domain get "
		       "it, is neither TRUE nor FALSE";
	if (!fields[PATH].len || fields[PATH].ptr[0] != '/')
		return "the third field is no path: it begins with /";
	if (!read_bool(fields[SECURE], &cookie->is_secure))
		return "the fourth field, whether only https gets it, is "
		       "neither TRUE nor FALSE";
	if (!read_expires(fields[EXPIRES], &cookie->expires_s))
		return "the fifth field is no time in seconds since 1970";
	if (has_control(fields[PATH]) || has_control(fields[NAME]) ||
	    has_control(fields[VALUE]))
		return "a cookie holds a control character";
	if (!fields[NAME].len || pv_str_find(fields[NAME], '=') != PV_NOT_FOUND)
		return "the sixth field is no name of a cookie";
	if (fields[NAME].len + fields[VALUE].len > PV_COOKIE_BYTES_MAX)
		return "name and value have over 4,096 bytes together, more "
		       "than browsers keep";
	cookie->path = fields[PATH];
	cookie->name = fields[NAME];
	cookie->value = fields[VALUE];
	return NULL;
}

/* The text of a line that has a cookie; empty where it has none. */
static struct pv_str cookie_of(struct pv_str line)
{
	const struct pv_str http_only = PV_STR("#HttpOnly_");
	if (pv_str_starts(line, http_only))
		return pv_str_from(line, http_only.len);
	bool is_comment = pv_str_starts(line, PV_STR("#"));
	return is_comment || !pv_str_trim(line).len ? PV_STR("") : line;
}

static void add(
    struct pv_cookies *cookies, struct pv_cookie cookie, struct pv_str domain)
{
	struct pv_arena *arena = &cookies->arena;
	cookie.domain = pv_arena_copy(arena, domain);
	cookie.path = pv_arena_copy(arena, cookie.path);
	cookie.name = pv_arena_copy(arena, cookie.name);
	cookie.value = pv_arena_copy(arena, cookie.value);
	*PV_ARRAY_PUSH(cookies->items, cookies->count, cookies->size) = cookie;
}

void pv_cookies_read(struct pv_cookies *cookies, struct pv_str text,
    const char *path, struct pv_why *why)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_place place = {.file = path};
	struct pv_buf domain;
	pv_buf_init(&domain, 512);
	pv_reader_accept_str(&reader, PV_STR("\xef\xbb\xbf"));
	while (!pv_reader_is_end(&reader)) {
		struct pv_cookie cookie = {.expires_s = 0};
		struct pv_str line = cookie_of(pv_reader_take_line(&reader));
		const char *fault = NULL;
		place.line++;
		pv_buf_clear(&domain);
		if (line.len)
			fault = read_line(line, &cookie, &domain);
		if (line.len && !fault && cookies->count == PV_COOKIES_MAX)
			fault = "more than 2,000 cookies: leave only those of "
				"the hosts to be crawled";
		if (fault)
			pv_why_add(why, place, PV_STR(""), "%s", fault);
		else if (line.len)
			add(cookies, cookie, pv_buf_str(&domain));
		if (fault && cookies->count == PV_COOKIES_MAX)
			break;
	}
	pv_buf_finish(&domain);
}

bool pv_cookies_read_file(
    struct pv_cookies *cookies, const char *path, struct pv_why *why)
{
	struct pv_buf text;
	size_t before = why->problems.count;
	struct pv_place place = {.file = path};
	pv_buf_init(&text, FILE_BYTES_MAX);
	switch (pv_file_read(path, &text)) {
	case PV_FILE_READ:
		pv_cookies_read(cookies, pv_buf_str(&text), path, why);
		break;
	case PV_FILE_TOO_LARGE:
		pv_why_add(why, place, PV_STR(""),
		    "larger than %zu MiB, so it is no file of cookies",
		    FILE_BYTES_MAX >> 20);
		break;
	case PV_FILE_FAILED:
		pv_why_add(why, place, PV_STR(""), "cannot be read: %s",
		    pv_file_fault(errno));
		break;
	}
	pv_buf_finish(&text);
	return why->problems.count == before;
}

void pv_cookie_write(const struct pv_cookie *cookie, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "%s%.*s\t%s\t%.*s\t%s\t%lld\t%.*s\t%.*s",
	    cookie->is_below ? "." : "", PV_STR_ARG(cookie->domain),
	    cookie->is_below ? "TRUE" : "FALSE", PV_STR_ARG(cookie->path),
	    cookie->is_secure ? "TRUE" : "FALSE", (long long)cookie->expires_s,
	    PV_STR_ARG(cookie->name), PV_STR_ARG(cookie->value));
}
