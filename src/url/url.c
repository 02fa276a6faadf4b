#include "url/url.h"

#include "base/reader.h"
#include "url/encoder.h"
#include "url/host.h"
#include "url/path.h"
#include "url/percent.h"
#include "url/reference.h"

void pv_url_init(struct pv_url *url, size_t ceiling)
{
	*url = (struct pv_url){.parts = {.host = 0}};
	pv_buf_init(&url->text, ceiling);
	pv_buf_init(&url->scratch, ceiling);
}

static void clear(struct pv_url *url)
{
	pv_buf_clear(&url->text);
	pv_buf_clear(&url->scratch);
	url->parts = (struct pv_url_parts){.host = 0};
}

void pv_url_finish(struct pv_url *url)
{
	clear(url);
	pv_buf_finish(&url->text);
	pv_buf_finish(&url->scratch);
}

static uint16_t default_port(bool is_secure)
{
	return is_secure ? 443 : 80;
}

/* An empty user name and an empty password leave nothing behind. */
static void append_credentials(struct pv_url *url, struct pv_str credentials)
{
	struct pv_buf *text = &url->text;
	struct pv_reader reader = pv_reader_of(credentials);
	struct pv_str username = pv_reader_take_until(&reader, ':');
	pv_reader_next(&reader);
	struct pv_str password = pv_reader_rest(&reader);
	pv_percent_append(text, username, PV_PERCENT_USERINFO);
	url->parts.username_end = text->len;
	if (password.len) {
		pv_buf_append_char(text, ':');
		pv_percent_append(text, password, PV_PERCENT_USERINFO);
	}
	if (username.len || password.len)
		pv_buf_append_char(text, '@');
}

/* Cuts ":port" off the end; the colons of an IPv6 address are within its
 * brackets. */
static struct pv_str cut_port(struct pv_str *host)
{
	size_t skipped = 0;
	if (host->len && host->ptr[0] == '[') {
		skipped = pv_str_find(*host, ']');
		if (skipped == PV_NOT_FOUND)
			return PV_STR("");
	}
	size_t colon = pv_str_find(pv_str_from(*host, skipped), ':');
	if (colon == PV_NOT_FOUND)
		return PV_STR("");
	struct pv_str port = pv_str_from(*host, skipped + colon + 1);
	*host = pv_str_head(*host, skipped + colon);
	return port;
}

static void write_port(struct pv_url *url, unsigned number)
{
	char digits[5];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	pv_buf_append_char(&url->text, ':');
	pv_buf_append(
	    &url->text, (struct pv_str){digits + at, sizeof(digits) - at});
}

/* Only a port that is not the scheme's own is written. */
static bool append_port(struct pv_url *url, struct pv_str port)
{
	struct pv_reader reader = pv_reader_of(port);
	uint64_t number = default_port(url->parts.is_secure);
	if (port.len && !pv_reader_take_number(&reader, UINT16_MAX, &number))
		return false;
	if (!pv_reader_is_end(&reader))
		return false;
	url->parts.port = (uint16_t)number;
	if (number != default_port(url->parts.is_secure))
		write_port(url, (unsigned)number);
	return true;
}

/* Appends what stands between "//" and the path. */
static bool append_authority(struct pv_url *url, struct pv_str authority)
{
	struct pv_str host = authority;
	size_t at = pv_str_find_last(authority, '@');
	url->parts.username_end = url->text.len;
	if (at != PV_NOT_FOUND) {
		append_credentials(url, pv_str_head(authority, at));
		host = pv_str_from(authority, at + 1);
	}
	url->parts.host = url->text.len;
	struct pv_str port = cut_port(&host);
	if (!pv_host_read(host, &url->text, &url->parts.address))
		return false;
	url->parts.host_end = url->text.len;
	return append_port(url, port);
}

/* What comes after a slash that ends the text. */
static void continue_path(struct pv_url *url, struct pv_str path)
{
	pv_path_append(&url->text, url->parts.path, path);
	url->parts.query = url->text.len;
}

/* A path from its root on, with or without its first slash. */
static void append_path(struct pv_url *url, struct pv_str path)
{
	bool has_slash = path.len && pv_path_is_slash(path.ptr[0]);
	url->parts.path = url->text.len;
	pv_buf_append_char(&url->text, '/');
	continue_path(url, has_slash ? pv_str_from(path, 1) : path);
}

/* Reads what follows a scheme and any number of slashes. */
static bool read_absolute(
    struct pv_url *url, bool is_secure, struct pv_str front)
{
	while (front.len && pv_path_is_slash(front.ptr[0]))
		front = pv_str_from(front, 1);
	size_t end = 0;
	while (end < front.len && !pv_path_is_slash(front.ptr[end]))
		end++;
	url->parts.is_secure = is_secure;
	pv_buf_append_text(&url->text, is_secure ? "https://" : "http://");
	if (!append_authority(url, pv_str_head(front, end)))
		return false;
	append_path(url, pv_str_from(front, end));
	return true;
}

static void copy_base(struct pv_url *url, const struct pv_url *base, size_t len)
{
	url->parts = base->parts;
	pv_buf_append(&url->text, pv_url_between(base, 0, len));
}

/* Reads a reference that keeps the base's authority. */
static void read_relative(struct pv_url *url, const struct pv_url *base,
    const struct pv_reference *reference)
{
	struct pv_str front = reference->front;
	if (front.len && pv_path_is_slash(front.ptr[0])) {
		copy_base(url, base, base->parts.path);
		append_path(url, front);
	} else if (front.len) {
		size_t slash = pv_str_find_last(pv_url_path(base), '/');
		copy_base(url, base, base->parts.path + slash + 1);
		continue_path(url, front);
	} else if (reference->query.ptr) {
		copy_base(url, base, base->parts.query);
	} else {
		copy_base(url, base, base->parts.fragment);
	}
}

static bool has_authority(struct pv_str front)
{
	return front.len >= 2 && pv_path_is_slash(front.ptr[0]) &&
	       pv_path_is_slash(front.ptr[1]);
}

/* The short way for the many links that name their own site in full: what is
 * written as the base's authority is written, canonical already, needs no
 * second look. False if that is not so. */
static bool read_same_authority(
    struct pv_url *url, const struct pv_url *base, struct pv_str front)
{
	size_t slashes = base->parts.is_secure ? 6 : 5;
	struct pv_str same = pv_url_between(base, slashes, base->parts.path);
	if (!pv_str_starts(front, same))
		return false;
	struct pv_str path = pv_str_from(front, same.len);
	if (path.len && !pv_path_is_slash(path.ptr[0]))
		return false;
	copy_base(url, base, base->parts.path);
	append_path(url, path);
	return true;
}

/* Reads all that comes before the query. */
static enum pv_url_result read_front(struct pv_url *url,
    const struct pv_url *base, const struct pv_reference *reference)
{
	bool has_scheme = reference->scheme != PV_SCHEME_NONE;
	if (reference->scheme == PV_SCHEME_FOREIGN)
		return PV_URL_FOREIGN_SCHEME;
	if (!has_scheme && !base)
		return PV_URL_INVALID;
	bool is_secure = has_scheme ? reference->scheme == PV_SCHEME_HTTPS
				    : base->parts.is_secure;
	if (base && base->parts.is_secure == is_secure) {
		if (!has_authority(reference->front)) {
			read_relative(url, base, reference);
			return PV_URL_OK;
		}
		if (read_same_authority(url, base, reference->front))
			return PV_URL_OK;
	}
	bool is_read = read_absolute(url, is_secure, reference->front);
	return is_read ? PV_URL_OK : PV_URL_INVALID;
}

static void append_query(
    struct pv_url *url, struct pv_str query, struct pv_encoder *encoder)
{
	pv_buf_append_char(&url->text, '?');
	if (encoder)
		pv_encoder_append(encoder, &url->text, query);
	else
		pv_percent_append(&url->text, query, PV_PERCENT_QUERY);
}

static void append_fragment(struct pv_url *url, struct pv_str fragment)
{
	pv_buf_append_char(&url->text, '#');
	pv_percent_append(&url->text, fragment, PV_PERCENT_FRAGMENT);
}

static enum pv_url_result read_reference(struct pv_url *url,
    const struct pv_url *base, const struct pv_reference *reference,
    struct pv_encoder *encoder)
{
	enum pv_url_result result = read_front(url, base, reference);
	if (result != PV_URL_FOREIGN_SCHEME &&
	    (url->text.is_full || url->scratch.is_full))
		return PV_URL_TOO_LONG;
	if (result != PV_URL_OK)
		return result;
	if (reference->query.ptr)
		append_query(url, reference->query, encoder);
	url->parts.fragment = url->text.len;
	if (reference->fragment.ptr)
		append_fragment(url, reference->fragment);
	return url->text.is_full ? PV_URL_TOO_LONG : PV_URL_OK;
}

/* Where a reference that is nothing but a path goes on from: behind the base's
 * authority or its last slash; 0 if it is anything else. */
static size_t plain_start(const struct pv_url *base, struct pv_str text)
{
	if (!text.len || !pv_path_is_plain(text))
		return 0;
	if (text.ptr[0] != '/')
		return pv_str_find(text, ':') != PV_NOT_FOUND
			   ? 0
			   : base->parts.path + 1 +
				 pv_str_find_last(pv_url_path(base), '/');
	return has_authority(text) ? 0 : base->parts.path;
}

/* The short way for most links of a page. False if it is none of them. */
static bool join_plain(
    struct pv_url *url, const struct pv_url *base, struct pv_str text)
{
	size_t start = plain_start(base, text);
	if (!start ||
	    !pv_buf_append(&url->text, pv_url_between(base, 0, start)) ||
	    !pv_buf_append(&url->text, text)) {
		pv_buf_clear(&url->text);
		return false;
	}
	url->parts = base->parts;
	url->parts.query = url->parts.fragment = url->text.len;
	return true;
}

enum pv_url_result pv_url_join(struct pv_url *url, const struct pv_url *base,
    struct pv_str text, struct pv_encoder *encoder)
{
	clear(url);
	if (base && base->text.len && join_plain(url, base, text))
		return PV_URL_OK;
	struct pv_str clean = pv_reference_clean(text, &url->scratch);
	struct pv_reference reference = pv_reference_cut(clean);
	if (base && !base->text.len)
		base = NULL;
	enum pv_url_result result =
	    read_reference(url, base, &reference, encoder);
	if (result != PV_URL_OK)
		clear(url);
	return result;
}

enum pv_url_result pv_url_parse(struct pv_url *url, struct pv_str text)
{
	return pv_url_join(url, NULL, text, NULL);
}

void pv_url_drop_credentials(struct pv_url *url)
{
	struct pv_url_parts *parts = &url->parts;
	struct pv_buf *buf = &url->text;
	size_t start = pv_url_scheme(url).len + strlen("://");
	size_t shorter = parts->host - start;
	if (!pv_url_has_credentials(url))
		return;
	memmove(
	    buf->ptr + start, buf->ptr + parts->host, buf->len - parts->host);
	pv_buf_cut(buf, buf->len - shorter);
	parts->username_end = parts->host = start;
	parts->host_end -= shorter;
	parts->path -= shorter;
	parts->query -= shorter;
	parts->fragment -= shorter;
}

void pv_url_write_open(
    const struct pv_url *url, struct pv_str text, struct pv_buf *buf)
{
	size_t start = pv_url_scheme(url).len + strlen("://");
	size_t before = buf->len;
	if (!pv_buf_append(buf, pv_str_head(text, start)) ||
	    !pv_buf_append(buf, pv_str_from(text, url->parts.host)))
		pv_buf_cut(buf, before);
}

struct pv_str pv_url_username(const struct pv_url *url)
{
	size_t start = url->parts.is_secure ? 8 : 7;
	if (!pv_url_has_credentials(url))
		return PV_STR("");
	return pv_url_between(url, start, url->parts.username_end);
}

struct pv_str pv_url_password(const struct pv_url *url)
{
	size_t start = url->parts.username_end + 1;
	if (start >= url->parts.host)
		return PV_STR("");
	return pv_url_between(url, start, url->parts.host - 1);
}

struct pv_str pv_url_query(const struct pv_url *url)
{
	if (!pv_url_has_query(url))
		return PV_STR("");
	return pv_url_between(url, url->parts.query + 1, url->parts.fragment);
}

struct pv_str pv_url_fragment(const struct pv_url *url)
{
	if (!pv_url_has_fragment(url))
		return PV_STR("");
	return pv_str_from(pv_url_text(url), url->parts.fragment + 1);
}

bool pv_url_write_authority(const struct pv_url *url, struct pv_buf *buf)
{
	return pv_buf_append(buf, pv_url_scheme(url)) &&
	       pv_buf_append(buf, PV_STR("://")) &&
	       pv_buf_append(buf, pv_url_host_and_port(url));
}
