#include "robots/robots_rules.h"

#include <stdlib.h>

#include "base/alloc.h"

struct pv_robots_rules *pv_robots_rules_of(
    const struct pv_robots *robots, struct pv_str agent)
{
	struct pv_robots_rules *rules = pv_alloc(sizeof(*rules));
	rules->matcher = pv_robots_matcher_create(robots, agent);
	atomic_init(&rules->owners, 1);
	return rules;
}

struct pv_robots_rules *pv_robots_rules_create(
    struct pv_str text, bool is_cut, struct pv_str agent, struct pv_why *why)
{
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots *robots =
	    pv_robots_create(text, is_cut, &ceilings, why);
	struct pv_robots_rules *rules = pv_robots_rules_of(robots, agent);
	pv_robots_destroy(robots);
	return rules;
}

struct pv_robots_rules *pv_robots_rules_share(struct pv_robots_rules *rules)
{
	if (rules)
		atomic_fetch_add_explicit(
		    &rules->owners, 1, memory_order_relaxed);
	return rules;
}

void pv_robots_rules_release(struct pv_robots_rules *rules)
{
	if (!rules || atomic_fetch_sub_explicit(
			  &rules->owners, 1, memory_order_acq_rel) > 1)
		return;
	pv_robots_matcher_destroy(rules->matcher);
	free(rules);
}
