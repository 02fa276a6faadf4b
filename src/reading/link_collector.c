#include "reading/link_collector.h"

void pv_link_collector_note_cut(struct pv_link_collector *collector)
{
	collector->findings->links.has_more = true;
	pv_findings_remark(collector->findings,
	    "too many links on one page: not all of them are followed");
}

void pv_link_collector_add(
    struct pv_link_collector *collector, struct pv_found found)
{
	const struct pv_answer *answer = collector->answer;
	struct pv_findings *findings = collector->findings;
	bool is_added;
	found.url = &collector->desk->url;
	found.wall_ms = answer->wall_ms;
	found.rules = answer->rules;
	found.rules_authority = answer->authority;
	if (pv_judge_is_known(collector->context, &found))
		return;
	struct pv_scope_verdict verdict = pv_judge_add(
	    collector->context, &found, &findings->links.list, &is_added);
	if (!is_added)
		pv_link_collector_note_cut(collector);
	if (verdict.is_news)
		findings->links.gave_up_rule = verdict.number;
}

void pv_link_collector_add_link(
    struct pv_link_collector *collector, bool is_page, bool is_nofollow)
{
	const struct pv_robots_policy *policy =
	    &collector->context->policy->robots;
	if (is_page && !collector->is_page) {
		collector->is_left_out = true;
		return;
	}
	struct pv_found found = {
	    .kind = is_page ? PV_LINK_PAGE : PV_LINK_RESOURCE,
	    .from = collector->answer->visit,
	};
	if (is_page && collector->closed)
		found.nofollow = collector->closed;
	else if (is_page && is_nofollow && policy->nofollow)
		found.nofollow = PV_REASON_NOFOLLOW;
	collector->has_links = true;
	pv_link_collector_add(collector, found);
}
