#include "crawl/judge.h"

#include "policy/host_pattern.h"

enum pv_reason pv_judge_reason(enum pv_scope_reason reason)
{
	static const enum pv_reason reasons[PV_SCOPE_REASONS] = {
	    [PV_SCOPE_NEVER] = PV_REASON_NEVER,
	    [PV_SCOPE_TOO_LONG] = PV_REASON_TOO_LONG,
	    [PV_SCOPE_CREDENTIALS] = PV_REASON_CREDENTIALS,
	    [PV_SCOPE_CHAINED] = PV_REASON_CHAINED,
	    [PV_SCOPE_SEGMENTS] = PV_REASON_SEGMENTS,
	    [PV_SCOPE_REPEATS] = PV_REASON_REPEATS,
	    [PV_SCOPE_DENIED] = PV_REASON_RULE,
	    [PV_SCOPE_GAVE_UP] = PV_REASON_RULE_GAVE_UP,
	    [PV_SCOPE_OTHER_HOST] = PV_REASON_HOST,
	    [PV_SCOPE_NOT_BELOW] = PV_REASON_BELOW,
	    [PV_SCOPE_TOO_DEEP] = PV_REASON_DEPTH,
	    [PV_SCOPE_TOO_FAR] = PV_REASON_HOPS,
	};
	return reasons[reason];
}

/* How far from its seed the address lies, if it is admitted. */
static struct pv_standing stand(const struct pv_found *found)
{
	const struct pv_visit *from = found->from;
	struct pv_standing standing = {
	    .use = found->kind == PV_LINK_PAGE ? PV_PAGE : PV_RESOURCE,
	    .depth_left = PV_DEPTH_MAX,
	};
	if (!from) {
		if (found->seed && found->seed->depth != PV_NONE)
			standing.depth_left = (uint32_t)found->seed->depth;
		return standing;
	}
	standing.depth = from->standing.depth;
	standing.depth_left = from->standing.depth_left;
	if (found->is_redirect) {
		standing.redirects = from->standing.redirects + 1;
	} else if (found->kind == PV_LINK_PAGE) {
		standing.depth++;
		if (standing.depth_left && standing.depth_left < PV_DEPTH_MAX)
			standing.depth_left--;
	}
	return standing;
}

/* What the page it was found on, and its host, have asked of us. */
static struct pv_verdict consider(const struct pv_judge *judge,
    const struct pv_found *found, const struct pv_scope_verdict *scoped)
{
	const struct pv_visit *from = found->from;
	bool is_link = from && !found->is_redirect;
	if (found->is_redirect && from &&
	    (int64_t)from->standing.redirects + 1 >
		judge->policy->fetch.redirects)
		return (struct pv_verdict){.reason = PV_REASON_REDIRECTS};
	if (is_link && found->kind == PV_LINK_PAGE &&
	    !from->standing.depth_left && scoped->reason != PV_SCOPE_ALLOWED)
		return (struct pv_verdict){.reason = PV_REASON_DEPTH};
	if (is_link && found->is_nofollow)
		return (struct pv_verdict){.reason = PV_REASON_NOFOLLOW};
	return (struct pv_verdict){.reason = PV_REASON_NONE};
}

/* Begins with the authority, and goes on with a path. */
static bool is_of_authority(const struct pv_url *url, struct pv_str authority)
{
	struct pv_str text = pv_url_page(url);
	return url->parts.path == authority.len &&
	       pv_str_starts(text, authority);
}

static struct pv_verdict ask_rules(const struct pv_found *found)
{
	if (!found->rules ||
	    !is_of_authority(found->url, found->rules_authority))
		return (struct pv_verdict){.reason = PV_REASON_NONE};
	struct pv_robots_decision decision =
	    pv_robots_decide(found->rules->matcher, pv_url_target(found->url));
	return decision.is_allowed
		   ? (struct pv_verdict){.reason = PV_REASON_NONE}
		   : (struct pv_verdict){PV_REASON_ROBOTS, decision.number};
}

static struct pv_scope_verdict ask_scope(
    const struct pv_judge *judge, const struct pv_found *found, uint32_t depth)
{
	struct pv_scope_link link = {
	    .url = found->url,
	    .kind = found->kind,
	    .is_seed = !found->from,
	    .is_redirect = found->is_redirect,
	    .depth = depth,
	    .hops = found->from ? found->from->standing.hops : 0,
	    .seed = found->seed,
	};
	return pv_scope_judge(judge->scope, &link);
}

/* A link that is refused, or leads off scope, says less than one that is not. */
bool pv_judge_is_known(
    const struct pv_judge *judge, const struct pv_found *found)
{
	pv_crawl_identity_apply(judge->identity, found->url);
	struct pv_standing best = stand(found);
	pv_standing_bound(&best);
	return pv_frontier_is_known(judge->frontier,
	    pv_frontier_fingerprint(judge->frontier, pv_url_page(found->url)),
	    &best);
}

struct pv_scope_verdict pv_judge_add(const struct pv_judge *judge,
    const struct pv_found *found, struct pv_link_list *links, bool *is_added)
{
	pv_crawl_identity_apply(judge->identity, found->url);
	struct pv_str url = pv_url_page(found->url);
	struct pv_link link = {
	    .fingerprint = pv_frontier_fingerprint(judge->frontier, url),
	    .via = found->from ? found->from->id : 0,
	    .standing = stand(found),
	    .url = url,
	    .host = pv_host_name_trim(pv_url_host(found->url)),
	};
	if (found->from)
		link.tag = found->from->tag;
	else if (found->seed && found->seed->tag)
		link.tag = pv_str_of(found->seed->tag);
	struct pv_scope_verdict scoped =
	    ask_scope(judge, found, link.standing.depth);
	struct pv_verdict verdict = {
	    .reason = pv_judge_reason(scoped.reason), .line = scoped.number};
	if (verdict.reason == PV_REASON_NONE)
		verdict = consider(judge, found, &scoped);
	if (verdict.reason == PV_REASON_NONE)
		verdict = ask_rules(found);
	link.standing.hops = scoped.hops;
	if (verdict.reason != PV_REASON_NONE) {
		link.standing.use = PV_REFUSED;
		link.standing.verdict = verdict;
	}
	pv_standing_bound(&link.standing);
	*is_added = pv_link_list_add(links, &link);
	return scoped;
}
