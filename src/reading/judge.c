#include "reading/judge.h"

#include "policy/values/host_pattern.h"
#include "reading/program/program.h"

const struct pv_seed *pv_judge_deepest(const struct pv_policy *policy)
{
	const struct pv_seed *deepest = NULL;
	int64_t depth = policy->scope.depth;
	for (size_t i = 0; depth != PV_NONE && i < policy->seeds.count; i++) {
		const struct pv_seed *seed = &policy->seeds.items[i];
		if (seed->depth == PV_NONE || seed->depth <= depth)
			continue;
		depth = seed->depth;
		deepest = seed;
	}
	return deepest;
}

/* A seed's own depth stands in the place of the scope's. */
static uint32_t depth_of_seed(
    const struct pv_reading_context *context, const struct pv_seed *seed)
{
	int64_t depth = seed && seed->depth != PV_NONE
			    ? seed->depth
			    : context->policy->scope.depth;
	return depth == PV_NONE || depth > PV_DEPTH_MAX ? PV_DEPTH_MAX
							: (uint32_t)depth;
}

/* How many resources lie between a page and what was found: one more than
 * before the one that it was found in. */
static uint32_t chain_of(const struct pv_found *found)
{
	const struct pv_visit *from = found->from;
	uint32_t left = from->standing.depth_left;
	if (found->kind != PV_LINK_RESOURCE || from->standing.use == PV_PAGE)
		return 0;
	if (left > PV_SCOPE_CHAIN_MAX)
		left = PV_SCOPE_CHAIN_MAX;
	return PV_SCOPE_CHAIN_MAX - left + !found->is_redirect;
}

/* How many links may still be followed behind what was found. */
static uint32_t depth_left_of(const struct pv_found *found)
{
	uint32_t left = found->from->standing.depth_left;
	uint32_t chain = chain_of(found);
	if (found->is_listed)
		return left;
	if (found->kind == PV_LINK_RESOURCE)
		return chain < PV_SCOPE_CHAIN_MAX ? PV_SCOPE_CHAIN_MAX - chain
						  : 0;
	bool is_counted = !found->is_redirect && left < PV_DEPTH_MAX;
	return left && is_counted ? left - 1 : left;
}

/* A sitemap that robots.txt names lies as deep as a link of its host's seed,
 * and what it lists as deep as it does itself. */
static void stand_as_named(
    const struct pv_found *found, struct pv_standing *standing)
{
	standing->depth = 1;
	standing->depth_left = found->reach == UINT32_MAX || !found->reach
				   ? PV_DEPTH_MAX
				   : found->reach - 1;
}

static void stand_in_lists(
    const struct pv_found *found, struct pv_standing *standing)
{
	const struct pv_visit *from = found->from;
	bool is_seed_list =
	    !from && found->seed && found->seed->kind == PV_SEED_SITEMAP;
	standing->listing = is_seed_list ? PV_LISTS_ALL : found->listing;
	standing->is_only_list = standing->listing != PV_LISTS_NOTHING;
	if (from && found->is_redirect) {
		standing->listing = from->standing.listing;
		standing->is_only_list = from->standing.is_only_list;
		standing->is_entry = from->standing.is_entry;
	} else if (found->is_listed && !standing->listing) {
		standing->is_entry = !standing->depth;
	}
}

/* How far from its seed the address lies, if it is admitted. */
static struct pv_standing stand(
    const struct pv_reading_context *context, const struct pv_found *found)
{
	const struct pv_visit *from = found->from;
	struct pv_standing standing = {
	    .use = found->kind == PV_LINK_PAGE ? PV_PAGE : PV_RESOURCE,
	    .kind = (uint8_t)found->page_kind,
	};
	if (!from) {
		standing.depth_left = depth_of_seed(context, found->seed);
		if (found->listing)
			stand_as_named(found, &standing);
		stand_in_lists(found, &standing);
		return standing;
	}
	standing.depth = from->standing.depth;
	standing.depth_left = depth_left_of(found);
	if (found->is_redirect) {
		standing.redirects = from->standing.redirects + 1;
		standing.kind = from->standing.kind;
	} else if (found->is_listed) {
		standing.kind = from->standing.kind;
	} else if (found->kind == PV_LINK_PAGE) {
		standing.depth++;
	}
	stand_in_lists(found, &standing);
	return standing;
}

/* Whether it counts though the program that runs the crawl admits the link. */
static bool counts(enum pv_reason reason, bool is_admitted)
{
	return !is_admitted || !pv_reason_get(reason)->may_be_admitted;
}

/* What the page it was found on, and its host, have asked of us. */
static struct pv_verdict consider(const struct pv_reading_context *context,
    const struct pv_found *found, const struct pv_scope_verdict *scoped,
    bool is_admitted)
{
	const struct pv_visit *from = found->from;
	bool is_link = from && !found->is_redirect;
	bool has_depth = scoped->step == PV_STEP_RULES || is_admitted;
	if (found->is_redirect && from &&
	    (int64_t)from->standing.redirects + 1 >
		context->policy->fetch.redirects)
		return (struct pv_verdict){.reason = PV_REASON_REDIRECTS};
	if (found->is_not_vouched)
		return (struct pv_verdict){.reason = PV_REASON_NOT_VOUCHED};
	if (is_link && found->kind == PV_LINK_PAGE && !found->is_listed &&
	    !from->standing.depth_left && !has_depth)
		return (struct pv_verdict){.reason = PV_REASON_DEPTH};
	if (is_link && counts(found->nofollow, is_admitted))
		return (struct pv_verdict){
		    .reason = found->nofollow, .line = found->line};
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
	if (decision.is_allowed)
		return (struct pv_verdict){.reason = PV_REASON_NONE};
	return (struct pv_verdict){PV_REASON_ROBOTS, decision.number};
}

/* What a person wrote among the seeds, or a seed is redirected to, is none. */
static struct pv_verdict ask_traps(
    const struct pv_reading_context *context, const struct pv_found *found)
{
	const struct pv_visit *from = found->from;
	const struct pv_trap_link link = {
	    .url = found->url,
	    .is_page = found->kind == PV_LINK_PAGE,
	    .is_named = !from || (found->is_redirect &&
				     pv_standing_is_seed(&from->standing)),
	};
	return (struct pv_verdict){
	    .reason = context->traps ? pv_traps_ask(context->traps, &link)
				     : PV_REASON_NONE};
}

/* Which seed a link comes from is not known any more: how far that one leads,
 * what is left of its depth tells, and the scope, how far any does. */
static struct pv_scope_verdict ask_scope(
    const struct pv_reading_context *context, const struct pv_found *found,
    uint32_t depth)
{
	struct pv_scope_link link = {
	    .url = found->url,
	    .kind = found->kind,
	    .is_seed = !found->from && !found->listing,
	    .is_redirect = found->is_redirect,
	    .is_sitemap = found->listing != PV_LISTS_NOTHING,
	    .depth = depth,
	    .hops = found->from ? found->from->standing.hops : 0,
	    .chain = found->from ? chain_of(found) : 0,
	    .seed = found->from ? context->deepest : found->seed,
	    .wall_ms = found->wall_ms,
	};
	return pv_scope_judge(context->scope, &link);
}

/* A link that is refused, or leads off scope, says less than one that is
 * not. */
bool pv_judge_is_known(
    const struct pv_reading_context *context, const struct pv_found *found)
{
	pv_crawl_identity_apply(&context->sameness.identity, found->url);
	struct pv_standing best = stand(context, found);
	pv_standing_bound(&best);
	if (found->lastmod_wall_ms)
		return false;
	return pv_frontier_is_known(context->frontier,
	    pv_frontier_fingerprint(context->frontier, pv_url_page(found->url)),
	    &best);
}

/* Of what nobody is to follow as it was found nothing is said: so no policy has
 * it judged as something else. */
static unsigned found_as(const struct pv_found *found, enum pv_reason reason)
{
	if (found->is_not_vouched || reason == PV_REASON_CREDENTIALS)
		return 0;
	if (found->kind != PV_LINK_PAGE)
		return PV_FOUND_AS_RESOURCE;
	if (found->nofollow)
		return found->nofollow == PV_REASON_NOFOLLOW
			   ? PV_FOUND_AS_NOFOLLOW
			   : PV_FOUND_AS_CLOSED;
	return PV_FOUND_AS_PAGE;
}

void pv_judge_name(const struct pv_reading_context *context, struct pv_url *url,
    struct pv_link *link)
{
	pv_url_drop_credentials(url);
	link->url = pv_url_page(url);
	link->host = pv_host_name_trim(pv_url_host(url));
	link->fingerprint =
	    pv_frontier_fingerprint(context->frontier, link->url);
}

static struct pv_verdict decide(const struct pv_reading_context *context,
    const struct pv_found *found, const struct pv_scope_verdict *scoped,
    bool is_admitted)
{
	struct pv_verdict verdict = {.reason = PV_REASON_NONE};
	if (counts(scoped->reason, is_admitted))
		verdict = (struct pv_verdict){scoped->reason, scoped->number};
	if (verdict.reason == PV_REASON_NONE)
		verdict = consider(context, found, scoped, is_admitted);
	if (verdict.reason == PV_REASON_NONE)
		verdict = ask_rules(found);
	if (verdict.reason == PV_REASON_NONE)
		verdict = ask_traps(context, found);
	return verdict;
}

static enum pavane_place place_of(const struct pv_found *found)
{
	if (found->is_redirect)
		return PAVANE_REDIRECT;
	if (found->is_listed || found->listing)
		return PAVANE_SITEMAP;
	return found->kind == PV_LINK_PAGE ? PAVANE_LINK : PAVANE_RESOURCE;
}

/* Where the program admits what the scope refuses, all else is asked still. */
static struct pv_verdict ask_program(const struct pv_reading_context *context,
    const struct pv_found *found, const struct pv_scope_verdict *scoped,
    struct pv_verdict verdict)
{
	const struct pv_program_link link = {
	    .address = pv_url_page(found->url),
	    .page = found->from ? found->from->url : PV_STR(""),
	    .place = place_of(found),
	    .depth = stand(context, found).depth,
	};
	struct pv_verdict answer =
	    pv_program_ask(context->program, &link, verdict);
	if (answer.reason == PV_REASON_NONE && verdict.reason != PV_REASON_NONE)
		return decide(context, found, scoped, true);
	return answer;
}

void pv_judge_divide(const struct pv_reading_context *context,
    const struct pv_url *url, struct pv_standing *standing)
{
	uint32_t shard = pv_shard_elsewhere(
	    context->policy, &context->shard, pv_url_host(url));
	if (shard)
		standing->verdict = (struct pv_verdict){PV_REASON_SHARD, shard};
}

struct pv_scope_verdict pv_judge_add(const struct pv_reading_context *context,
    const struct pv_found *found, struct pv_link_list *links, bool *is_added)
{
	pv_crawl_identity_apply(&context->sameness.identity, found->url);
	struct pv_link link = {
	    .via = found->from ? found->from->id : 0,
	    .standing = stand(context, found),
	    .lastmod_wall_ms = found->lastmod_wall_ms,
	    .carry = found->is_redirect && found->from ? found->from->carry
						       : found->carry,
	};
	if (context->policy->pages.count && found->kind == PV_LINK_PAGE)
		link.matched =
		    (uint8_t)pv_scope_page_kind(context->scope, found->url);
	if (found->from)
		link.tag = found->from->tag;
	else if (found->seed && found->seed->tag)
		link.tag = pv_str_of(found->seed->tag);
	struct pv_scope_verdict scoped =
	    ask_scope(context, found, link.standing.depth);
	struct pv_verdict verdict = decide(context, found, &scoped, false);
	if (!found->seed && pv_program_wants_links(context->program))
		verdict = ask_program(context, found, &scoped, verdict);
	link.standing.hops = scoped.hops;
	if (verdict.reason != PV_REASON_NONE) {
		link.standing.use = PV_REFUSED;
		link.standing.verdict = verdict;
		link.standing.found_as = found_as(found, verdict.reason);
	} else {
		pv_judge_divide(context, found->url, &link.standing);
	}
	pv_standing_bound(&link.standing);
	pv_judge_name(context, found->url, &link);
	*is_added = pv_link_list_add(links, &link);
	return scoped;
}
