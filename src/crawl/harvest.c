#include "crawl/harvest.h"

#include "crawl/open_visit.h"

void pv_harvest_tell_cut(struct pv_harvest *harvest)
{
	harvest->open->has_more_links = true;
	pv_open_remark(
	    harvest->open, "it has more links than are taken from a page");
}

void pv_harvest_add(struct pv_harvest *harvest, struct pv_found found)
{
	struct pv_open *open = harvest->open;
	const struct pv_crawl *crawl = open->crawl;
	const struct pv_judge judge = {crawl->policy, crawl->scope,
	    &crawl->sameness.identity, crawl->frontier, crawl->deepest,
	    crawl->traps};
	bool is_added;
	found.url = &harvest->desk->url;
	found.wall_ms = open->page.wall_ms;
	found.rules = open->rules;
	found.rules_authority = open->authority_text;
	if (pv_judge_is_known(&judge, &found))
		return;
	struct pv_scope_verdict verdict =
	    pv_judge_add(&judge, &found, &open->report.links, &is_added);
	if (!is_added)
		pv_harvest_tell_cut(harvest);
	if (verdict.is_news)
		open->gave_up_rule = verdict.number;
}

void pv_harvest_add_link(
    struct pv_harvest *harvest, bool is_page, bool is_nofollow)
{
	const struct pv_robots_policy *policy =
	    &harvest->open->crawl->policy->robots;
	if (is_page && !harvest->is_page) {
		harvest->is_left_out = true;
		return;
	}
	struct pv_found found = {
	    .kind = is_page ? PV_LINK_PAGE : PV_LINK_RESOURCE,
	    .from = &harvest->open->errand->visit,
	};
	if (is_page && harvest->closed)
		found.nofollow = harvest->closed;
	else if (is_page && is_nofollow && policy->nofollow)
		found.nofollow = PV_REASON_NOFOLLOW;
	harvest->has_links = true;
	pv_harvest_add(harvest, found);
}
