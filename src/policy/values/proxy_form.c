#include "policy/values/proxy_form.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/reader.h"
#include "policy/values/text_part.h"
#include "url/percent.h"
#include "url/url.h"

#define ADDRESS_MAX ((size_t)16384)

static const struct {
	struct pv_str word;
	enum pv_proxy_scheme scheme;
	uint16_t port; /* where none is written, as curl has it */
} schemes[] = {
    {PV_STR("http://"), PV_PROXY_HTTP, 1080},
    {PV_STR("https://"), PV_PROXY_HTTPS, 443},
    {PV_STR("socks5://"), PV_PROXY_SOCKS, 1080},
    {PV_STR("socks5h://"), PV_PROXY_SOCKS, 1080},
};

/* What follows the login is read as that of a page. */
static bool read_place(
    struct pv_str place, struct pv_proxy_form *form, struct pv_buf *host)
{
	struct pv_url url;
	struct pv_buf page;
	pv_url_init(&url, ADDRESS_MAX);
	pv_buf_init(&page, ADDRESS_MAX);
	pv_buf_append_text(&page, "http://");
	pv_buf_append(&page, place);
	bool is_right = place.len &&
			pv_text_is_all(place, pv_is_visible_byte) &&
			pv_url_parse(&url, pv_buf_str(&page)) == PV_URL_OK &&
			pv_url_target(&url).len == 1;
	if (is_right) {
		struct pv_reader reader = pv_reader_of(place);
		bool is_v6 = pv_reader_accept(&reader, '[');
		if (is_v6)
			pv_reader_take_until(&reader, ']');
		pv_reader_take_until(&reader, ':');
		if (!pv_reader_is_end(&reader))
			form->port = pv_url_port(&url);
		pv_buf_append(host, pv_url_host(&url));
	}
	pv_buf_finish(&page);
	pv_url_finish(&url);
	return is_right;
}

bool pv_proxy_form_read(
    struct pv_str text, struct pv_proxy_form *form, struct pv_buf *host)
{
	*form = (struct pv_proxy_form){.login = {"", 0}};
	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
		if (!pv_str_starts(text, schemes[i].word))
			continue;
		struct pv_str rest = pv_str_from(text, schemes[i].word.len);
		size_t at = pv_str_find_last(rest, '@');
		form->scheme = schemes[i].scheme;
		form->port = schemes[i].port;
		if (at != PV_NOT_FOUND) {
			form->login = pv_str_head(rest, at);
			rest = pv_str_from(rest, at + 1);
		}
		return pv_text_is_all(form->login, pv_is_visible_byte) &&
		       read_place(rest, form, host);
	}
	return false;
}

/* The next variable of a login, with what stands before it; false if there is
 * none. */
static bool take_variable(
    struct pv_reader *reader, struct pv_str *before, struct pv_str *name)
{
	const char *start = reader->at;
	while (!pv_reader_is_end(reader)) {
		const char *at = reader->at;
		if (!pv_reader_accept_str(reader, PV_STR("${"))) {
			pv_reader_next(reader);
			continue;
		}
		*before = (struct pv_str){start, (size_t)(at - start)};
		*name = pv_reader_take_until(reader, '}');
		if (pv_reader_accept(reader, '}') && name->len)
			return true;
	}
	*before = (struct pv_str){start, (size_t)(reader->end - start)};
	return false;
}

bool pv_proxy_form_is_secret(const struct pv_proxy_form *form)
{
	struct pv_reader reader = pv_reader_of(form->login);
	struct pv_str before, name;
	return form->login.len && !take_variable(&reader, &before, &name);
}

static const char *value_of(struct pv_str name)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_append(&text, name);
	const char *value = getenv(pv_buf_text(&text));
	pv_buf_finish(&text);
	return value && value[0] ? value : NULL;
}

static void append_encoded(struct pv_str text, struct pv_buf *buf)
{
	for (size_t i = 0; i < text.len; i++) {
		char byte = text.ptr[i];
		if (pv_is_alnum((unsigned char)byte))
			pv_buf_append_char(buf, byte);
		else
			pv_percent_append_byte(buf, byte);
	}
}

/* One alone is a name and a password; a colon in any other belongs to it. */
static void append_value(
    struct pv_str value, bool is_alone, struct pv_buf *buf)
{
	size_t colon = is_alone ? pv_str_find(value, ':') : PV_NOT_FOUND;
	if (colon != PV_NOT_FOUND) {
		append_encoded(pv_str_head(value, colon), buf);
		pv_buf_append_char(buf, ':');
		value = pv_str_from(value, colon + 1);
	}
	append_encoded(value, buf);
}

static bool write_login(
    struct pv_str login, struct pv_buf *buf, struct pv_str *unset)
{
	struct pv_reader reader = pv_reader_of(login);
	struct pv_str before, name;
	while (take_variable(&reader, &before, &name)) {
		const char *value = value_of(name);
		bool is_alone = name.len + strlen("${}") == login.len;
		*unset = name;
		if (!value)
			return false;
		pv_buf_append(buf, before);
		append_value(pv_str_of(value), is_alone, buf);
	}
	pv_buf_append(buf, before);
	if (login.len)
		pv_buf_append_char(buf, '@');
	return true;
}

static const char *scheme_of(const struct pv_proxy_form *form)
{
	static const char *const words[] = {
	    [PV_PROXY_HTTP] = "http",
	    [PV_PROXY_HTTPS] = "https",
	    [PV_PROXY_SOCKS] = "socks5h",
	};
	return words[form->scheme];
}

bool pv_proxy_form_write(const struct pv_proxy_form *form, struct pv_str host,
    struct pv_buf *buf, struct pv_str *unset)
{
	pv_buf_append_format(buf, "%s://", scheme_of(form));
	bool is_set = write_login(form->login, buf, unset);
	pv_buf_append_format(
	    buf, "%.*s:%u", PV_STR_ARG(host), (unsigned)form->port);
	return is_set;
}

void pv_proxy_form_write_open(const struct pv_proxy_form *form,
    struct pv_str host, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "%s://%.*s:%u", scheme_of(form),
	    PV_STR_ARG(host), (unsigned)form->port);
}
