#include "policy/identity.h"

#include "policy/policy.h"
#include "url/url.h"

struct pv_str pv_identity_product(const struct pv_identity *identity)
{
	struct pv_str agent = pv_str_of(identity->agent);
	size_t slash = pv_str_find(agent, '/');
	return slash == PV_NOT_FOUND ? agent : pv_str_head(agent, slash);
}

void pv_identity_write_agent(
    const struct pv_identity *identity, struct pv_buf *buf)
{
	pv_buf_append_text(buf, identity->agent);
	if (identity->contact)
		pv_buf_append_format(buf, " (+%s)", identity->contact);
}

static bool is_example_host(struct pv_str host)
{
	static const struct pv_str domains[] = {{"example", 7},
	    {"example.com", 11}, {"example.net", 11}, {"example.org", 11},
	    {"invalid", 7}};
	for (size_t i = 0; i < sizeof(domains) / sizeof(*domains); i++) {
		size_t len = domains[i].len;
		if (pv_str_equal_nocase(host, domains[i]))
			return true;
		if (host.len > len + 1 && host.ptr[host.len - len - 1] == '.' &&
		    pv_str_equal_nocase(
			pv_str_from(host, host.len - len), domains[i]))
			return true;
	}
	return false;
}

bool pv_contact_is_example(const char *contact)
{
	struct pv_str text = pv_str_of(contact);
	struct pv_url url;
	pv_url_init(&url, 8192);
	struct pv_str host =
	    pv_str_from(text, pv_str_find_last(text, '@') == PV_NOT_FOUND
				  ? text.len
				  : pv_str_find_last(text, '@') + 1);
	if (pv_url_parse(&url, text) == PV_URL_OK)
		host = pv_url_host(&url);
	bool is_example = is_example_host(host);
	pv_url_finish(&url);
	return is_example;
}
