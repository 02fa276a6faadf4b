#include "base/ascii.h"
#include "base/reader.h"
#include "policy/values/host_pattern.h"
#include "policy/values/proxy_form.h"
#include "policy/values/resolve_table.h"
#include "policy/values/text_part.h"
#include "policy/values/text_rule.h"
#include "policy/values/user_form.h"
#include "url/url.h"

#define ADDRESS_MAX ((size_t)8192)

/* Hosts. */

static const char *read_domain(struct pv_str text, struct pv_buf *kept)
{
	struct pv_host_pattern pattern;
	return pv_host_pattern_read(text, &pattern, kept);
}

static const char *read_host(struct pv_str text, struct pv_buf *kept)
{
	struct pv_host_pattern pattern;
	const char *fault = pv_host_pattern_read(text, &pattern, kept);
	if (fault)
		return fault;
	if (pattern.kind == PV_HOST_NETWORK &&
	    pattern.network.prefix < pattern.network.address.bits)
		return "an address range is not a host";
	return NULL;
}

/* A host in a rule, in which stars stand anywhere: names are compared in lower
 * case. */
static bool is_host_glob_byte(int byte)
{
	return pv_is_alnum(byte) || byte >= 0x80 ||
	       (byte > 0 && strchr("*-._[]:", byte));
}

static const char *read_host_glob(struct pv_str text, struct pv_buf *kept)
{
	if (!text.len || text.len > 253 ||
	    !pv_text_is_all(text, is_host_glob_byte))
		return "";
	if (pv_str_find(text, '*') == PV_NOT_FOUND)
		return read_host(text, kept);
	for (size_t i = 0; i < text.len; i++) {
		if ((unsigned char)text.ptr[i] >= 0x80)
			return "write the rest of a name with a star in ASCII "
			       "(xn--...)";
		pv_buf_append_char(kept, pv_lower(text.ptr[i]));
	}
	return NULL;
}

const struct pv_text_rule pv_rule_host_glob = {
    "a host in which * stands for anything, such as \"*.example.com\"",
    read_host_glob, "^[^/ ]{1,253}$"};

#define HOST_SCHEMA "[^*:/ ]+|\\[?[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*\\]?"

const struct pv_text_rule pv_rule_host = {
    "a host such as docs.example.org or \"*.example.com\"", read_host,
    "^((\\*\\.)?" HOST_SCHEMA ")$"};

/* Names only: what is asked at an address goes by that address. */
static const char *read_host_name(struct pv_str text, struct pv_buf *kept)
{
	struct pv_host_pattern pattern;
	const char *fault = pv_host_pattern_read(text, &pattern, kept);
	if (fault)
		return fault;
	if (pattern.kind == PV_HOST_NETWORK)
		return "an alias is a host name, not an IP address";
	if (pattern.kind == PV_HOST_BELOW)
		return "a star is allowed alone, or at the end of an alias: "
		       "\"www.*\"";
	return NULL;
}

static const char *read_alias(struct pv_str text, struct pv_buf *kept)
{
	bool is_beginning = pv_str_ends(text, PV_STR(".*"));
	if (is_beginning)
		text.len -= 2;
	const char *fault = read_host_name(text, kept);
	if (!fault && is_beginning)
		pv_buf_append_text(kept, ".*");
	return fault;
}

const struct pv_text_rule pv_rule_alias = {
    "a host such as www.example.org or \"www.*\"", read_alias,
    "^[^*:/ ]+(\\.\\*)?$"};

static const char *read_alias_target(struct pv_str text, struct pv_buf *kept)
{
	if (pv_str_equal(text, PV_STR("*")))
		return pv_text_keep(text, kept);
	return read_host_name(text, kept);
}

const struct pv_text_rule pv_rule_alias_target = {
    "a host such as example.org, or \"*\"", read_alias_target,
    "^(\\*|[^*:/ ]+)$"};

const struct pv_text_rule pv_rule_domain = {
    "a host such as docs.example.org, \"*.example.com\" or an address range "
    "such as \"10.0.0.0/8\"",
    read_domain,
    "^((\\*\\.)?" HOST_SCHEMA "|[0-9]+(\\.[0-9]+){3}/([0-9]|[12][0-9]|3[0-2])|"
    "[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*/([0-9]{1,2}|1[01][0-9]|12[0-8]))$"};

static const char *read_socket(struct pv_str text, struct pv_buf *kept)
{
	struct pv_socket socket;
	return pv_socket_read(text, &socket) ? pv_text_keep(text, kept) : "";
}

const struct pv_text_rule pv_rule_socket = {
    "an IP address with a port or without, such as \"127.0.0.1:8080\"",
    read_socket,
    "^([0-9]+(\\.[0-9]+){3}(:[0-9]+)?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*|"
    "\\[[0-9A-Fa-f:.]+\\](:[0-9]+)?)$"};

static const char *read_proxy(struct pv_str text, struct pv_buf *kept)
{
	struct pv_proxy_form form;
	struct pv_buf host;
	pv_buf_init(&host, ADDRESS_MAX);
	bool is_right = pv_proxy_form_read(text, &form, &host);
	pv_buf_finish(&host);
	return is_right ? pv_text_keep(text, kept) : "";
}

const struct pv_text_rule pv_rule_proxy = {
    "a proxy such as http://127.0.0.1:3128 or socks5h://127.0.0.1:1080",
    read_proxy, "^(https?|socks5h?)://[^ ]+$"};

/* What is wrong is never quoted: it may be a password. */
static const char *read_user(struct pv_str text, struct pv_buf *kept)
{
	struct pv_user_form form;
	const char *fault = pv_user_form_read(text, &form);
	return fault ? fault : pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_user = {
    "a user such as \"anna:${PASSWORD}\", \"bearer ${TOKEN}\" or netrc",
    read_user, "^(netrc|(basic|bearer) .*[/$].*|netrc .*/.*|[^:]+:.+)$"};

/* Headers and media types (RFC 9110, 5.1, 5.5, 12.5.1). */

/* Headers that we write ourselves, from what other keys say. */
static const struct {
	const char *name;
	const char *fault;
} own_headers[] = {
    {"User-Agent", "this header is made from identity.agent and "
		   "identity.contact: set them instead"},
    {"From", "this header is made from identity.from: set that instead"},
    {"Host", "this header is made from the requested address"},
    {"Connection", "this header belongs to the connection, not to a policy"},
    {"Transfer-Encoding",
	"this header belongs to the connection, not to a policy"},
    {"Keep-Alive", "this header belongs to the connection, not to a policy"},
    {"Proxy-Connection",
	"this header belongs to the connection, not to a policy"},
    {"TE", "this header belongs to the connection, not to a policy"},
    {"Trailer", "this header belongs to the connection, not to a policy"},
    {"Upgrade", "this header belongs to the connection, not to a policy"},
    {"HTTP2-Settings",
	"this header belongs to the connection, not to a policy"},
    {"Expect", "requests have no body"},
    {"Content-Length", "requests have no body"},
    {"Accept-Encoding", "this header lists the content codings that Pavane "
			"can decode"},
    {"Range", "Pavane sets this header itself"},
    {"If-None-Match", "Pavane sets this header itself, from the stored copy"},
    {"If-Modified-Since", "Pavane sets this header itself, from the stored "
			  "copy"},
};

static const char *read_header_name(struct pv_str text, struct pv_buf *kept)
{
	if (!text.len || text.len > 64 || !pv_text_is_all(text, pv_is_token))
		return "";
	for (size_t i = 0; i < sizeof(own_headers) / sizeof(*own_headers);
	     i++) {
		if (pv_str_equal_nocase(text, pv_str_of(own_headers[i].name)))
			return own_headers[i].fault;
	}
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_header_name = {
    "the name of a header such as Accept-Language", read_header_name,
    "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$"};

static const char *read_header_value(struct pv_str text, struct pv_buf *kept)
{
	for (size_t i = 0; i < text.len; i++) {
		char byte = text.ptr[i];
		if (byte == '\r' || byte == '\n')
			return "the value of a header contains a line break, "
			       "which would begin another header";
		if (pv_is_control((unsigned char)byte) && byte != '\t')
			return "the value of a header contains a control "
			       "character";
	}
	if (pv_str_trim(text).len != text.len)
		return "the value of a header begins or ends with a blank";
	return text.len <= 2000 ? pv_text_keep(text, kept) : "";
}

const struct pv_text_rule pv_rule_header_value = {
    "the value of a header such as en", read_header_value,
    "^[^\\x00-\\x08\\x0A-\\x1F\\x7F]*$"};

static const char *read_media(struct pv_str text, struct pv_buf *kept)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str type = pv_reader_take_while(&reader, pv_is_token);
	bool has_slash = pv_reader_accept(&reader, '/');
	struct pv_str subtype = pv_reader_take_while(&reader, pv_is_token);
	bool has_star =
	    pv_str_find(type, '*') != PV_NOT_FOUND ||
	    (pv_str_find(subtype, '*') != PV_NOT_FOUND && subtype.len > 1);
	if (!type.len || !has_slash || !subtype.len || has_star ||
	    !pv_reader_is_end(&reader) || text.len > 128)
		return "";
	for (size_t i = 0; i < text.len; i++)
		pv_buf_append_char(kept, pv_lower(text.ptr[i]));
	return NULL;
}

const struct pv_text_rule pv_rule_media = {
    "a media type such as text/html or \"image/*\"", read_media,
    "^[!#$%&'+.^_`|~0-9A-Za-z-]+/(\\*|[!#$%&'+.^_`|~0-9A-Za-z-]+)$"};
