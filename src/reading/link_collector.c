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
	if (collector->context->follows_no_links && !found.is_redirect)
		return;
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

/* Rows need no images and styles. */
static bool wants_no_parts(const struct pv_policy *policy)
{
	return policy->pages.count && !policy->output.has_mirror &&
	       !policy->scope.requisites;
}

static void close_by_kind(
    const struct pv_page_kind *kind, struct pv_found *found)
{
	found->nofollow = PV_REASON_FOLLOW;
	found->line = (uint32_t)kind->origin.place.line;
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
	else if (!is_page && wants_no_parts(collector->context->policy))
		found.nofollow = PV_REASON_REQUISITES;
	else if (is_page && collector->leads_only)
		close_by_kind(collector->leads_only, &found);
	collector->has_links = true;
	pv_link_collector_add(collector, found);
}
