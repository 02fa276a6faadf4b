#include "explain/named_seeds.h"

#include "policy/sameness.h"
#include "policy/seed_walk.h"
#include "url/url.h"

/* What is looked for, and room for what is read. */
struct search {
	const struct pv_url *url;
	struct pv_sameness sameness;
	struct pv_buf authority;
	struct pv_url seed;
	struct pv_buf text;
	struct pv_named_seeds found;
};

static void compare(struct search *search)
{
	pv_crawl_identity_apply(&search->sameness.identity, &search->seed);
	if (!pv_str_equal(pv_url_host(&search->seed), pv_url_host(search->url)))
		return;
	search->found.has_host = true;
	pv_buf_clear(&search->text);
	pv_url_write_authority(&search->seed, &search->text);
	if (pv_str_equal(
		pv_buf_str(&search->text), pv_buf_str(&search->authority)))
		search->found.has_authority = true;
}

static void look_through(struct search *search, const struct pv_seed *seed)
{
	struct pv_seed_walk walk;
	enum pv_seed_step step;
	if (pv_seed_walk_open(&walk, seed)) {
		while (!search->found.has_authority &&
		       (step = pv_seed_walk_next(&walk)) != PV_SEED_END) {
			if (step == PV_SEED_ADDRESS &&
			    !pv_seed_parse(
				&search->seed, pv_buf_str(&walk.text)))
				compare(search);
		}
	}
	pv_seed_walk_close(&walk);
}

struct pv_named_seeds pv_named_seeds_find(
    const struct pv_policy *policy, const struct pv_url *url)
{
	struct search search = {.url = url};
	pv_sameness_init(&search.sameness, policy);
	pv_buf_init(&search.authority, PV_SEED_ADDRESS_MAX);
	pv_buf_init(&search.text, PV_SEED_ADDRESS_MAX);
	pv_url_init(&search.seed, PV_SEED_ADDRESS_MAX);
	pv_url_write_authority(url, &search.authority);
	for (size_t i = 0;
	     i < policy->seeds.count && !search.found.has_authority; i++)
		look_through(&search, &policy->seeds.items[i]);
	pv_url_finish(&search.seed);
	pv_buf_finish(&search.text);
	pv_buf_finish(&search.authority);
	pv_sameness_finish(&search.sameness);
	return search.found;
}
