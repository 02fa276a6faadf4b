#include "reading/handed.h"

#include "reading/judge.h"

bool pv_handed_widens(const struct pv_handed *handed)
{
	return pv_standing_is_seed(&handed->standing);
}

/* How deep any seed of this policy leads. */
static int64_t depth_most(const struct pv_reading_context *context)
{
	return context->deepest ? context->deepest->depth
				: context->policy->scope.depth;
}

/* A number that is too large counts as the largest: no page lies deeper than
 * from here a link could lead. */
static void bound(
    const struct pv_reading_context *context, struct pv_standing *standing)
{
	int64_t most = depth_most(context);
	int64_t left = standing->depth_left;
	if (standing->use == PV_RESOURCE && left > PV_SCOPE_CHAIN_MAX)
		left = PV_SCOPE_CHAIN_MAX;
	if (standing->use == PV_PAGE && most != PV_NONE &&
	    left > most - standing->depth)
		left = most > standing->depth ? most - standing->depth : 0;
	standing->depth_left = (uint32_t)left;
	pv_standing_bound(standing);
}

/* Of the page that led there: a redirect is none. */
static uint32_t hops_before(const struct pv_standing *standing)
{
	return standing->hops && !standing->redirects ? standing->hops - 1
						      : standing->hops;
}

static struct pv_scope_verdict ask_scope(
    const struct pv_reading_context *context, const struct pv_handed *handed,
    const struct pv_standing *standing)
{
	bool is_part = standing->use == PV_RESOURCE;
	const struct pv_scope_link link = {
	    .url = handed->url,
	    .kind = is_part ? PV_LINK_RESOURCE : PV_LINK_PAGE,
	    .is_redirect = standing->redirects > 0,
	    .is_sitemap = standing->listing != PV_LISTS_NOTHING,
	    .depth = standing->depth,
	    .hops = hops_before(standing),
	    .chain = is_part ? PV_SCOPE_CHAIN_MAX - standing->depth_left : 0,
	    .seed = context->deepest,
	    .wall_ms = handed->wall_ms,
	};
	return pv_scope_judge(context->scope, &link);
}

static struct pv_verdict ask_traps(
    const struct pv_reading_context *context, const struct pv_handed *handed)
{
	const struct pv_trap_link link = {
	    .url = handed->url,
	    .is_page = handed->standing.use == PV_PAGE,
	    .is_named = pv_standing_is_seed(&handed->standing),
	};
	return (struct pv_verdict){
	    .reason = context->traps ? pv_traps_ask(context->traps, &link)
				     : PV_REASON_NONE};
}

static struct pv_verdict decide(const struct pv_reading_context *context,
    const struct pv_handed *handed, struct pv_standing *standing)
{
	struct pv_scope_verdict scoped = ask_scope(context, handed, standing);
	standing->hops = scoped.hops;
	if (scoped.reason != PV_REASON_NONE)
		return (struct pv_verdict){scoped.reason, scoped.number};
	if (standing->redirects > context->policy->fetch.redirects)
		return (struct pv_verdict){.reason = PV_REASON_REDIRECTS};
	return ask_traps(context, handed);
}

static void refuse(struct pv_standing *standing, struct pv_verdict verdict)
{
	standing->found_as =
	    standing->use == PV_PAGE ? PV_FOUND_AS_PAGE : PV_FOUND_AS_RESOURCE;
	standing->use = PV_REFUSED;
	standing->verdict = verdict;
}

bool pv_handed_add(const struct pv_reading_context *context,
    const struct pv_handed *handed, struct pv_link_list *links)
{
	struct pv_link link = {
	    .standing = handed->standing,
	    .tag = handed->tag,
	    .carry = handed->carry,
	    .lastmod_wall_ms = handed->lastmod_wall_ms,
	};
	pv_crawl_identity_apply(&context->sameness.identity, handed->url);
	bound(context, &link.standing);
	struct pv_verdict verdict = decide(context, handed, &link.standing);
	if (context->policy->pages.count && link.standing.use == PV_PAGE)
		link.matched =
		    (uint8_t)pv_scope_page_kind(context->scope, handed->url);
	if (verdict.reason != PV_REASON_NONE) {
		refuse(&link.standing, verdict);
		pv_standing_bound(&link.standing);
	} else {
		pv_judge_divide(context, handed->url, &link.standing);
	}
	pv_judge_name(context, handed->url, &link);
	return pv_link_list_add(links, &link);
}
