#include "policy/proxies.h"

#include "policy/domain_entry.h"
#include "policy/policy.h"
#include "policy/values/proxy_form.h"

static void each_of(const struct pv_texts *proxies,
    const struct pv_origin *origin, pv_proxy_fn each, void *ctx)
{
	for (size_t i = 0; i < proxies->count; i++)
		each(ctx, proxies->items[i], &origin->place);
}

void pv_proxies_each(
    const struct pv_policy *policy, pv_proxy_fn each, void *ctx)
{
	const struct pv_option *option =
	    pv_option_get(PV_STR("proxy"), &pv_names_of_domain);
	each_of(&policy->manners.proxies,
	    &policy->origins[option - pv_names_of_policy.options], each, ctx);
	for (size_t i = 0; i < policy->domains.count; i++) {
		const struct pv_domain_setting *setting =
		    pv_domain_entry_get(&policy->domains.entries[i], option);
		struct pv_texts proxies;
		if (!setting)
			continue;
		memcpy(&proxies, &setting->value, sizeof(proxies));
		each_of(&proxies, &setting->origin, each, ctx);
	}
}

struct check {
	struct pv_why *why;
	bool has_any;
};

static void check_proxy(
    void *ctx, const char *proxy, const struct pv_place *place)
{
	struct check *check = ctx;
	struct pv_proxy_form form;
	struct pv_buf host, address;
	struct pv_str unset;
	pv_buf_init(&host, SIZE_MAX);
	pv_buf_init(&address, SIZE_MAX);
	pv_proxy_form_read(pv_str_of(proxy), &form, &host);
	if (!pv_proxy_form_write(&form, pv_buf_str(&host), &address, &unset))
		pv_why_note(check->why, *place, PV_STR("fetch.proxy"),
		    "the environment variable %.*s is not set here; without "
		    "it a crawl does not start",
		    PV_STR_ARG(unset));
	if (!check->has_any)
		pv_why_note(check->why, *place, PV_STR("fetch.proxy"),
		    "a proxy looks up host names itself, so names that lead to "
		    "a private network are not found out; addresses are. "
		    "ip_delay is kept for the proxy");
	check->has_any = true;
	pv_buf_finish(&address);
	pv_buf_finish(&host);
}

void pv_proxies_check(const struct pv_policy *policy, struct pv_why *why)
{
	struct check check = {.why = why};
	pv_proxies_each(policy, check_proxy, &check);
}
