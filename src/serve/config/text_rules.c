#include "serve/config/text_rules.h"

#include "base/ascii.h"
#include "policy/values/host_pattern.h"
#include "policy/values/text_part.h"
#include "serve/config/listen_form.h"
#include "serve/config/webhook_secrets.h"
#include "url/url.h"

#define PATH_BYTES_MAX 1000
#define URL_BYTES_MAX 2000

static const char *read_directory(struct pv_str text, struct pv_buf *kept)
{
	if (!text.len || text.len > PATH_BYTES_MAX ||
	    pv_str_find(text, '\0') != PV_NOT_FOUND)
		return "";
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_directory = {
    "the name of a directory", read_directory, "^.{1,1000}$"};

static const char *read_listen(struct pv_str text, struct pv_buf *kept)
{
	struct pv_listen_form form;
	return pv_listen_form_read(text, &form) ? pv_text_keep(text, kept) : "";
}

const struct pv_text_rule pv_rule_listen = {
    "an IP address with a port, such as \"127.0.0.1:7117\" or "
    "\"[::1]:7117\", or \"unix:PATH\"",
    read_listen,
    "^(unix:.+|[0-9]+(\\.[0-9]+){3}:[0-9]{1,5}|\\[[0-9A-Fa-f:.]+\\]:"
    "[0-9]{1,5})$"};

/* Why that is not one host; NULL if it is. */
static const char *fault_of(const struct pv_host_pattern *pattern)
{
	if (pattern->kind == PV_HOST_BELOW)
		return "each name of the service is written out, without *";
	if (pattern->kind == PV_HOST_NETWORK &&
	    pattern->network.prefix < pattern->network.address.bits)
		return "an address range is not a host";
	return NULL;
}

/* What stands in the Host of requests, where an IPv6 address has brackets. */
static const char *read_own_host(struct pv_str text, struct pv_buf *kept)
{
	struct pv_host_pattern pattern = {.kind = PV_HOST_EXACT};
	struct pv_buf canonical;
	pv_buf_init(&canonical, 512);
	const char *fault = pv_host_pattern_read(text, &pattern, &canonical);
	if (!fault)
		fault = fault_of(&pattern);
	bool is_v6 = pattern.kind == PV_HOST_NETWORK &&
		     pattern.network.address.bits == 128;
	if (!fault) {
		pv_buf_append_text(kept, is_v6 ? "[" : "");
		pv_buf_append(kept, pv_buf_str(&canonical));
		pv_buf_append_text(kept, is_v6 ? "]" : "");
	}
	pv_buf_finish(&canonical);
	return fault;
}

const struct pv_text_rule pv_rule_own_host = {
    "a host without its port, such as crawls.example.org", read_own_host,
    "^([^*:/ ]+|\\[?[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*\\]?)$"};

static const char *read_trusted_proxy(struct pv_str text, struct pv_buf *kept)
{
	struct pv_network network;
	bool is_exact = true;
	if (!pv_network_read(text, &network, &is_exact))
		return "";
	if (!is_exact)
		return "this range has bits beyond its prefix";
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_trusted_proxy = {
    "an IP address or a range of them, such as \"10.0.0.0/8\"",
    read_trusted_proxy, "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$"};

static bool is_profile_byte(int byte)
{
	return pv_is_digit(byte) || (byte >= 'a' && byte <= 'z') ||
	       byte == '_' || byte == '-';
}

static const char *read_profile_name(struct pv_str text, struct pv_buf *kept)
{
	if (!text.len || text.len > 64 ||
	    !pv_text_is_all(text, is_profile_byte))
		return "";
	return pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_profile_name = {
    "a name of at most 64 small letters, digits, - and _, such as news",
    read_profile_name, "^[a-z0-9_-]{1,64}$"};

static const char *fault_of_url(const struct pv_url *url)
{
	if (pv_url_has_credentials(url))
		return "the address of a webhook has no login: deliveries are "
		       "signed";
	if (url->parts.fragment < url->text.len)
		return "no server is told what stands behind #";
	return NULL;
}

/* It is kept as it is sent. */
static const char *read_webhook_url(struct pv_str text, struct pv_buf *kept)
{
	struct pv_url url;
	pv_url_init(&url, URL_BYTES_MAX);
	bool is_read = pv_url_parse(&url, text) == PV_URL_OK;
	const char *fault = is_read ? fault_of_url(&url) : "";
	if (!fault)
		pv_buf_append(kept, pv_url_text(&url));
	pv_url_finish(&url);
	return fault;
}

const struct pv_text_rule pv_rule_webhook_url = {
    "an address such as \"https://example.org/pavane\"", read_webhook_url,
    "^[Hh][Tt][Tt][Pp][Ss]?:.+"};

static const char *read_webhook_secret(struct pv_str text, struct pv_buf *kept)
{
	struct pv_buf bytes;
	pv_buf_init(&bytes, text.len);
	const char *fault = pv_webhook_secret_read(text, &bytes);
	pv_buf_finish(&bytes);
	return fault ? fault : pv_text_keep(text, kept);
}

const struct pv_text_rule pv_rule_webhook_secret = {
    "a secret: whsec_ and 24 to 64 bytes in base 64", read_webhook_secret,
    "^whsec_[A-Za-z0-9+/]{32,88}={0,2}$"};
