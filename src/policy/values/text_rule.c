#include "policy/values/text_rule.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "policy/values/host_pattern.h"
#include "policy/values/text_part.h"
#include "policy/values/zone.h"
#include "url/url.h"

#define ADDRESS_MAX ((size_t)8192)

/* A name that is a directory's too. */

static bool is_name_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '-' || byte == '_' || byte == '.';
}

static const char *read_name(struct pv_str text, struct pv_buf *kept)
{
	if (!text.len || text.len > 64 || !pv_text_is_all(text, is_name_byte) ||
	    !pv_is_alnum((unsigned char)text.ptr[0]))
		return "";
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_name = {
    "a name of at most 64 letters, digits, dots, - and _, such as "
    "example-docs",
    read_name, "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"};

const struct pv_text_rule pv_rule_tag = {
    "a tag of at most 64 letters, digits, dots, - and _, such as shop",
    read_name, "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"};

/* Agent: product token and version. RFC 9309 (2.2.1) knows only letters, - and
 * _ in the token that robots.txt is matched with. */

static bool is_product_byte(int byte)
{
	return pv_is_alpha(byte) || byte == '-' || byte == '_';
}

static const char *read_agent(struct pv_str text, struct pv_buf *kept)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str product = pv_reader_take_while(&reader, is_product_byte);
	if (!product.len || text.len > 128)
		return "";
	if (pv_is_digit(pv_reader_peek(&reader)))
		return "the product name has a digit, which robots.txt does "
		       "not allow: use letters, - and _ only, then a slash "
		       "and the version";
	if (pv_str_equal_nocase(product, PV_STR("Mozilla")))
		return "this is the name of a browser: use the name of your "
		       "crawler, such as examplebot/1.2";
	if (pv_reader_accept(&reader, '/') &&
	    !pv_reader_take_while(&reader, pv_is_token).len)
		return "";
	return pv_reader_is_end(&reader) ? pv_text_keep(text, kept) : "";
}

const struct pv_text_rule pv_rule_agent = {
    "a name of letters, - and _ with a version behind a slash, such as "
    "examplebot/1.2",
    read_agent, "^(?![Mm]ozilla)[A-Za-z_-]+(/[!#$%&'*+.^_`|~0-9A-Za-z-]+)?$"};

/* Contact: a page or an e-mail address. */

static bool is_mail_byte(int byte)
{
	return pv_is_alnum(byte) ||
	       (byte > 0 && strchr("!#$%&'*+-/=?^_`{|}~.", byte));
}

static bool is_email(struct pv_str text)
{
	size_t at = pv_str_find_last(text, '@');
	if (at == PV_NOT_FOUND || at == 0 || text.len > 254)
		return false;
	struct pv_str host = pv_str_from(text, at + 1);
	struct pv_host_pattern pattern;
	struct pv_buf canonical;
	pv_buf_init(&canonical, 512);
	bool is_right = pv_text_is_all(pv_str_head(text, at), is_mail_byte) &&
			!pv_host_pattern_read(host, &pattern, &canonical) &&
			pattern.kind == PV_HOST_EXACT;
	pv_buf_finish(&canonical);
	return is_right;
}

static const char *read_email(struct pv_str text, struct pv_buf *kept)
{
	return is_email(text) ? pv_text_keep(text, kept) : "";
}

const struct pv_text_rule pv_rule_email = {
    "an e-mail address such as bot@example.org", read_email, "^[^@ ]+@[^@ ]+$"};

/* An address of ours, with a path or not, and no more blanks or controls than
 * a header can hold. */
static bool is_page(struct pv_str text)
{
	struct pv_url url;
	pv_url_init(&url, ADDRESS_MAX);
	bool is_right = pv_text_is_all(text, pv_is_visible_byte) &&
			pv_url_parse(&url, text) == PV_URL_OK &&
			!pv_url_has_credentials(&url);
	pv_url_finish(&url);
	return is_right;
}

static const char *read_contact(struct pv_str text, struct pv_buf *kept)
{
	struct pv_str mail = text;
	if (pv_str_starts(text, PV_STR("mailto:")))
		mail = pv_str_from(text, 7);
	if (is_email(mail))
		return pv_text_keep(mail, kept);
	if (pv_str_find(text, '(') != PV_NOT_FOUND ||
	    pv_str_find(text, ')') != PV_NOT_FOUND ||
	    pv_str_find(text, '\\') != PV_NOT_FOUND)
		return "parentheses and backslashes would end the comment of "
		       "the User-Agent: write them as %28, %29 and %5C";
	return text.len <= 1000 && is_page(text) ? pv_text_keep(text, kept)
						 : "";
}

const struct pv_text_rule pv_rule_contact = {
    "a page such as https://example.org/bot, or an e-mail address",
    read_contact,
    "^(https?://[^ ()\\\\]+|(mailto:)?[^@ ()\\\\]+@[^@ ()\\\\]+)$"};

/* Times of day. */

static bool take_time(struct pv_reader *reader, uint64_t *minutes)
{
	struct pv_str text = pv_reader_take(reader, 5);
	struct pv_reader time = pv_reader_of(text);
	uint64_t hour;
	uint64_t minute;
	if (text.len != 5 || !pv_reader_take_number(&time, 24, &hour) ||
	    !pv_reader_accept(&time, ':') || text.ptr[2] != ':' ||
	    !pv_reader_take_number(&time, 59, &minute) ||
	    !pv_reader_is_end(&time))
		return false;
	*minutes = hour * 60 + minute;
	return *minutes <= 24 * 60;
}

static const char *read_hours(struct pv_str text, struct pv_buf *kept)
{
	struct pv_reader reader = pv_reader_of(text);
	uint64_t from;
	uint64_t to;
	if (!take_time(&reader, &from) || !pv_reader_accept(&reader, '-') ||
	    !take_time(&reader, &to) || !pv_reader_is_end(&reader))
		return "";
	bool is_whole_day = from == 0 && to == 24 * 60;
	if (from % (24 * 60) == to % (24 * 60) && !is_whole_day)
		return "this span ends where it begins, so no hour is allowed";
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_hours = {
    "a span of hours such as \"22:00-06:00\"", read_hours,
    "^([01][0-9]|2[0-4]):[0-5][0-9]-([01][0-9]|2[0-4]):[0-5][0-9]$"};

static const char *read_zone(struct pv_str text, struct pv_buf *kept)
{
	const char *fault = pv_zone_fault(text);
	return fault ? fault : pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_zone = {
    "local, UTC, an offset such as +02:00 or a zone such as Europe/Berlin",
    read_zone, "^([+-][0-9]{2}:[0-9]{2}|[A-Za-z][A-Za-z0-9_+/-]*)$"};

/* Globs: a star stands for anything. */

static const char *read_glob(struct pv_str text, struct pv_buf *kept)
{
	if (!text.len || text.len > 256 ||
	    !pv_text_is_all(text, pv_is_visible_byte))
		return "";
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_glob = {
    "a name in which * stands for anything, such as \"utm_*\"", read_glob,
    "^[^ ]{1,256}$"};

static const char *read_path_glob(struct pv_str text, struct pv_buf *kept)
{
	if (!text.len || text.len > 2000 ||
	    !pv_text_is_all(text, pv_is_visible_byte))
		return "";
	if (text.ptr[0] != '/' && text.ptr[0] != '*')
		return "a path begins with / or *: this one cannot match "
		       "anything";
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_path_glob = {
    "a path in which * stands for anything, such as \"/logout*\"",
    read_path_glob, "^[/*][^ ]{0,1999}$"};

static bool is_extension_byte(int byte)
{
	return pv_is_alnum(byte) || (byte > 0 && strchr("-_+", byte));
}

static const char *read_extension(struct pv_str text, struct pv_buf *kept)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_reader_accept(&reader, '.');
	struct pv_str ending = pv_reader_rest(&reader);
	if (!ending.len || ending.len > 32)
		return "";
	for (size_t i = 0; i < ending.len; i++) {
		bool is_inner_dot =
		    ending.ptr[i] == '.' && i && i + 1 < ending.len;
		if (!is_extension_byte((unsigned char)ending.ptr[i]) &&
		    !is_inner_dot)
			return "";
		pv_buf_append_char(kept, pv_lower(ending.ptr[i]));
	}
	return NULL;
}

const struct pv_text_rule pv_rule_extension = {
    "the ending of a file's name such as pdf or tar.gz", read_extension,
    "^\\.?[A-Za-z0-9_+-]+(\\.[A-Za-z0-9_+-]+)*$"};

/* The last segment of a path. */

static bool is_document_byte(int byte)
{
	return pv_is_visible_byte(byte) && !strchr("/\\?#", byte);
}

static const char *read_document(struct pv_str text, struct pv_buf *kept)
{
	if (pv_str_find(text, '/') != PV_NOT_FOUND)
		return "write the name of a document without its directory";
	if (!text.len || text.len > 256 ||
	    !pv_text_is_all(text, is_document_byte) ||
	    pv_str_equal(text, PV_STR(".")) || pv_str_equal(text, PV_STR("..")))
		return "";
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_document = {
    "the name of a document such as index.html", read_document,
    "^(?!\\.\\.?$)[^ /?#\\\\]{1,256}$"};

/* A file's name; whether the file is there is for who knows the directory. */

static const char *read_file(struct pv_str text, struct pv_buf *kept)
{
	if (!text.len || text.len > 1000 ||
	    pv_str_find(text, '\0') != PV_NOT_FOUND)
		return "";
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_file = {
    "the name of a file", read_file, "^.{1,1000}$"};
