#include "crawl/reading/findings.h"

#include "crawl/visit/open_visit.h"

void pv_findings_tell_cut(struct pv_findings *findings)
{
	findings->open->has_more_links = true;
	pv_open_remark(findings->open,
	    "too many links on one page: not all of them are followed");
}

void pv_findings_add(struct pv_findings *findings, struct pv_found found)
{
	struct pv_open *open = findings->open;
	const struct pv_crawl *crawl = open->crawl;
	const struct pv_judge judge = {crawl->policy, crawl->reading.scope,
	    &crawl->reading.sameness.identity, crawl->frontier,
	    crawl->reading.deepest, crawl->reading.traps};
	bool is_added;
	found.url = &findings->desk->url;
	found.wall_ms = open->page.wall_ms;
	found.rules = open->rules;
	found.rules_authority = open->authority_text;
	if (pv_judge_is_known(&judge, &found))
		return;
	struct pv_scope_verdict verdict =
	    pv_judge_add(&judge, &found, &open->report.links, &is_added);
	if (!is_added)
		pv_findings_tell_cut(findings);
	if (verdict.is_news)
		open->gave_up_rule = verdict.number;
}

void pv_findings_add_link(
    struct pv_findings *findings, bool is_page, bool is_nofollow)
{
	const struct pv_robots_policy *policy =
	    &findings->open->crawl->policy->robots;
	if (is_page && !findings->is_page) {
		findings->is_left_out = true;
		return;
	}
	struct pv_found found = {
	    .kind = is_page ? PV_LINK_PAGE : PV_LINK_RESOURCE,
	    .from = &findings->open->task->visit,
	};
	if (is_page && findings->closed)
		found.nofollow = findings->closed;
	else if (is_page && is_nofollow && policy->nofollow)
		found.nofollow = PV_REASON_NOFOLLOW;
	findings->has_links = true;
	pv_findings_add(findings, found);
}
