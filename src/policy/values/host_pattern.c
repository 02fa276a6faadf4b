#include "policy/values/host_pattern.h"

#include "base/ascii.h"
#include "url/host.h"
#include "url/url.h"

#define WRITTEN_MAX ((size_t)4096)

struct pv_str pv_host_name_trim(struct pv_str host)
{
	if (host.len > 1 && host.ptr[host.len - 1] == '.')
		host.len--;
	return host;
}

bool pv_host_name_canonical(struct pv_str written, struct pv_buf *name)
{
	struct pv_url url;
	struct pv_buf address;
	size_t odd = strcspn(pv_str_bytes(written), "/?#@\\");
	pv_url_init(&url, WRITTEN_MAX);
	pv_buf_init(&address, SIZE_MAX);
	pv_buf_append_text(&address, "http://");
	pv_buf_append(&address, written);
	pv_buf_append_char(&address, '/');
	bool is_read = odd >= written.len &&
		       pv_url_parse(&url, pv_buf_str(&address)) == PV_URL_OK;
	if (is_read)
		pv_buf_append(name, pv_host_name_trim(pv_url_host(&url)));
	pv_buf_finish(&address);
	pv_url_finish(&url);
	return is_read;
}

bool pv_host_name_is_local(struct pv_str host)
{
	host = pv_host_name_trim(host);
	return pv_str_equal(host, PV_STR("localhost")) ||
	       pv_str_ends(host, PV_STR(".localhost"));
}

static const char *read_network(struct pv_str text,
    struct pv_host_pattern *pattern, struct pv_buf *canonical)
{
	bool is_exact;
	if (!pv_network_read(text, &pattern->network, &is_exact))
		return "";
	if (!is_exact)
		return "the address has bits after its prefix: write the "
		       "first address of the range";
	pattern->kind = PV_HOST_NETWORK;
	if (pattern->network.prefix == pattern->network.address.bits)
		pv_address_write(&pattern->network.address, canonical);
	else
		pv_network_write(&pattern->network, canonical);
	return NULL;
}

/* What the host reader would take but a person should not have meant. */
static const char *fault_of_name(struct pv_str text)
{
	if (pv_str_find(text, '*') != PV_NOT_FOUND)
		return "a star is allowed only at the beginning, before a "
		       "dot: *.example.com";
	if (pv_str_find(text, ':') != PV_NOT_FOUND)
		return "write the host without its port";
	if (pv_str_find(text, ' ') != PV_NOT_FOUND ||
	    pv_str_find(text, '%') != PV_NOT_FOUND)
		return "";
	return NULL;
}

/* Bytes of a name that never need quotes or escapes (and all that a resolver
 * takes). */
static bool is_name(struct pv_str name)
{
	for (size_t i = 0; i < name.len; i++) {
		bool is_label_empty =
		    name.ptr[i] == '.' && (!i || name.ptr[i - 1] == '.');
		char byte = name.ptr[i];
		if (is_label_empty || (!pv_is_alnum((unsigned char)byte) &&
					  (!byte || !strchr("-._~", byte))))
			return false;
	}
	return name.len <= 253 && name.len > 0;
}

static const char *read_name(struct pv_str text,
    struct pv_host_pattern *pattern, struct pv_buf *canonical)
{
	struct pv_address address;
	size_t start = canonical->len;
	const char *fault = fault_of_name(text);
	if (fault)
		return fault;
	if (!pv_host_read(pv_host_name_trim(text), canonical, &address))
		return "";
	if (address.bits) { /* written in one of the looser forms */
		if (pattern->kind == PV_HOST_BELOW)
			return "";
		pattern->kind = PV_HOST_NETWORK;
		pattern->network = pv_network_of(&address, address.bits);
		return NULL;
	}
	pattern->name = pv_str_from(pv_buf_str(canonical), start);
	return is_name(pattern->name) ? NULL : "";
}

const char *pv_host_pattern_read(struct pv_str text,
    struct pv_host_pattern *pattern, struct pv_buf *canonical)
{
	struct pv_address address;
	if (pv_str_equal(text, PV_STR("*")))
		return "a star alone means every host: write keys for every "
		       "host under politeness";
	for (size_t i = 0; i + 2 < text.len; i++) {
		if (memcmp(text.ptr + i, "://", 3) == 0)
			return "write the host without https:// and path";
	}
	if (text.len > 2 && text.ptr[0] == '[' && text.ptr[text.len - 1] == ']')
		text = (struct pv_str){text.ptr + 1, text.len - 2};
	if (pv_str_find(text, '/') != PV_NOT_FOUND ||
	    pv_address_read(text, &address))
		return read_network(text, pattern, canonical);
	pattern->kind = PV_HOST_EXACT;
	if (pv_str_starts(text, PV_STR("*."))) {
		pattern->kind = PV_HOST_BELOW;
		text = pv_str_from(text, 2);
		pv_buf_append_text(canonical, "*.");
	}
	return read_name(text, pattern, canonical);
}
