#include "parse/sitemap_giving.h"

/* As the protocol has it ("Sitemap file location"), but for the scheme: nearly
 * every site that moved to https has sitemaps that never did. */
static bool is_elsewhere(const struct pv_url *url, const struct pv_url *address)
{
	if (!pv_str_equal(pv_url_host(url), pv_url_host(address)))
		return true;
	if (!pv_url_has_port(url) && !pv_url_has_port(address))
		return false;
	return pv_url_port(url) != pv_url_port(address);
}

bool pv_sitemap_give(struct pv_sitemap_giving *giving,
    struct pv_sitemap_entry entry, const struct pv_url *url)
{
	struct pv_sitemap_result *result = &giving->result;
	if (result->count + result->skipped == PV_SITEMAP_ENTRIES_MAX) {
		result->end = PV_SITEMAP_MANY;
		return false;
	}
	if (!url->text.len) {
		result->skipped++;
		return true;
	}
	result->count++;
	entry.url = url;
	entry.is_elsewhere = is_elsewhere(url, giving->address);
	giving->on_entry(giving->ctx, &entry);
	return true;
}
