#include "policy/policy.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "policy/option.h"

struct pv_policy *pv_policy_create(void)
{
	struct pv_policy *policy = pv_alloc(sizeof(*policy));
	pv_arena_init(&policy->arena);
	pv_domains_init(&policy->domains);
	pv_never_init(&policy->never);
	policy->origins = pv_arena_give_array(
	    &policy->arena, pv_names_of_policy.count, sizeof(*policy->origins));
	return policy;
}

void pv_policy_destroy(struct pv_policy *policy)
{
	if (!policy)
		return;
	if (policy->seed_input)
		fclose(policy->seed_input);
	pv_rules_finish(&policy->scope.rules);
	pv_pages_finish(&policy->pages);
	pv_domains_finish(&policy->domains);
	pv_never_finish(&policy->never);
	pv_arena_finish(&policy->arena);
	free(policy);
}

/* What rate.concurrency can be at most (option_table.c). */
#define CONCURRENCY_MAX 100000

void pv_rate_derive(struct pv_rate *rate)
{
	if (!rate->burst)
		rate->burst = rate->max_rate;
	if (!rate->concurrency)
		rate->concurrency = rate->max_rate < CONCURRENCY_MAX
					? rate->max_rate
					: CONCURRENCY_MAX;
}

void pv_policy_manners(const struct pv_policy *policy, struct pv_str host,
    const struct pv_address *address, struct pv_host_manners *manners)
{
	manners->policy = policy;
	manners->manners = policy->manners;
	pv_domains_answer(&policy->domains, host, address, manners);
}

bool pv_policy_is_given(const struct pv_policy *policy, const char *path)
{
	const struct pv_option *option =
	    pv_option_get(pv_str_of(path), &pv_names_of_policy);
	return !pv_origin_is_default(
	    &policy->origins[option - pv_names_of_policy.options]);
}

size_t pv_policy_address_max(const struct pv_policy *policy)
{
	return 2 * (size_t)policy->scope.max_url + PV_SEED_ADDRESS_MAX;
}
