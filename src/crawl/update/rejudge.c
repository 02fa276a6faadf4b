#include "crawl/update/rejudge.h"

#include "crawl/conductor.h"
#include "crawl/control/added_seeds.h"
#include "reading/judge.h"
#include "reading/program/program.h"
#include "traps/traps.h"

void pv_rejudge_init(struct pv_rejudge *rejudge, struct pv_crawl *crawl)
{
	*rejudge = (struct pv_rejudge){
	    .crawl = crawl,
	    .wall_ms = crawl ? crawl->now.wall_ms : 0,
	    .is_divided = crawl && crawl->reading.shard.count,
	};
}

static bool is_of(struct pv_str key, const char *section)
{
	struct pv_str above = pv_str_of(section);
	return pv_str_starts(key, above) &&
	       (key.len == above.len || key.ptr[above.len] == '.');
}

/* Whether it is one of the keys, of which NULL is the last, or below one. */
static bool is_of_any(struct pv_str key, const char *const *keys)
{
	while (*keys && !is_of(key, *keys))
		keys++;
	return *keys;
}

/* Which hosts share a clock decides whose shard they are of. */
static bool may_divide_otherwise(
    const struct pv_rejudge *rejudge, struct pv_str key)
{
	return rejudge->is_divided && is_of(key, "domains");
}

void pv_rejudge_note(struct pv_rejudge *rejudge, struct pv_str key)
{
	static const char *const scope_keys[] = {PV_SCOPE_KEYS, NULL};
	rejudge->has_other_seeds |= is_of(key, "seeds");
	rejudge->has_other_traps |= is_of(key, "scope.traps");
	rejudge->has_other_scope |=
	    is_of_any(key, scope_keys) || may_divide_otherwise(rejudge, key);
	for (unsigned i = 0; i < PV_REASON_COUNT; i++)
		rejudge->is_open[i] |= is_of_any(key, pv_reason_get(i)->keys);
}

void pv_rejudge_note_wider(struct pv_rejudge *rejudge)
{
	rejudge->is_open[PV_REASON_HOST] = true;
	rejudge->is_open[PV_REASON_BELOW] = true;
	rejudge->is_open[PV_REASON_OTHER_PORT] = true;
	rejudge->is_open[PV_REASON_HOPS] = true;
}

void pv_rejudge_note_all(struct pv_rejudge *rejudge)
{
	rejudge->has_other_scope = true;
	rejudge->has_other_seeds = true;
	rejudge->has_other_traps = true;
	for (unsigned i = 0; i < PV_REASON_COUNT; i++)
		rejudge->is_open[i] = pv_reason_get(i)->keys[0];
}

bool pv_rejudge_is_due(const struct pv_rejudge *rejudge)
{
	for (size_t i = 0; i < PV_REASON_COUNT; i++) {
		if (rejudge->is_open[i])
			return true;
	}
	return false;
}

static uint32_t depth_of(const struct pv_policy *policy)
{
	int64_t depth = policy->scope.depth;
	return depth == PV_NONE || depth > PV_DEPTH_MAX ? PV_DEPTH_MAX
							: (uint32_t)depth;
}

struct pv_rejudging pv_rejudge_plan(
    struct pv_rejudge *rejudge, const struct pv_policy *before)
{
	return (struct pv_rejudging){
	    .judge = pv_rejudge_judge,
	    .ctx = rejudge,
	    .is_open = rejudge->is_open,
	    .is_of_all = rejudge->has_other_scope,
	    .depth_before = depth_of(before),
	    .depth_now = depth_of(rejudge->crawl->policy),
	};
}

/* Judging */

/* As what it may be asked for: a page or a resource, or both. Neither, if
 * nothing that may be followed has led there. What robots.txt or its host
 * refused stands as it was admitted. */
static unsigned kinds_of(
    const struct pv_policy *policy, const struct pv_standing *standing)
{
	unsigned followed = PV_FOUND_AS_PAGE;
	if (standing->use == PV_PAGE)
		return PV_FOUND_AS_PAGE;
	if (standing->use == PV_RESOURCE)
		return PV_FOUND_AS_RESOURCE;
	if (!policy->robots.nofollow)
		followed |= PV_FOUND_AS_NOFOLLOW;
	if (!policy->robots.meta)
		followed |= PV_FOUND_AS_CLOSED;
	return (standing->found_as & followed ? PV_FOUND_AS_PAGE : 0u) |
	       (standing->found_as & PV_FOUND_AS_RESOURCE);
}

/* What a limit of its own decides. How deep pages lie is none for the parts of
 * one. */
static bool is_beyond(const struct pv_policy *policy,
    const struct pv_known *known, const struct pv_standing *standing)
{
	if (known->reason == PV_REASON_DEPTH)
		return !known->has_common_depth &&
		       (standing->found_as & PV_FOUND_AS_PAGE);
	return known->reason == PV_REASON_REDIRECTS &&
	       standing->redirects > policy->fetch.redirects;
}

static uint32_t chain_of(const struct pv_standing *standing)
{
	return standing->depth_left < PV_SCOPE_CHAIN_MAX
		   ? PV_SCOPE_CHAIN_MAX - standing->depth_left
		   : 0;
}

/* Of the page that led there: where it was found first, or by what is known of
 * the nearest. */
static uint32_t hops_before(
    const struct pv_known *known, const struct pv_standing *standing)
{
	bool is_off = standing->use != PV_REFUSED && standing->hops > 0;
	if (is_off && standing->hops - 1 < known->via_hops)
		return standing->hops - 1;
	return known->via_hops;
}

static bool is_root(
    const struct pv_known *known, const struct pv_standing *standing)
{
	return !known->was_found && !standing->depth;
}

static struct pv_scope_verdict ask_scope(const struct pv_rejudge *rejudge,
    const struct pv_known *known, const struct pv_standing *standing,
    const struct pv_scope_link *asked)
{
	const struct pv_crawl *crawl = rejudge->crawl;
	struct pv_scope_link link = *asked;
	bool is_seed = is_root(known, standing);
	link.is_seed = is_seed && (!rejudge->has_other_seeds ||
				      pv_added_seeds_have(crawl, known->url));
	link.is_redirect = standing->redirects > 0;
	link.is_sitemap = standing->listing != PV_LISTS_NOTHING && !is_seed;
	link.depth = standing->depth;
	link.hops = hops_before(known, standing);
	if (link.kind == PV_LINK_RESOURCE)
		link.chain = chain_of(standing);
	link.seed = crawl->reading.deepest;
	link.wall_ms = rejudge->wall_ms;
	return pv_scope_judge(crawl->reading.scope, &link);
}

/* What was refused may be one of too many; what waits has been counted. */
static struct pv_verdict ask_traps(const struct pv_crawl *crawl,
    const struct pv_known *known, const struct pv_scope_link *asked)
{
	const struct pv_trap_link link = {
	    .url = asked->url,
	    .is_page = asked->kind == PV_LINK_PAGE,
	};
	return (struct pv_verdict){
	    .reason = known->state == PV_STATE_REFUSED
			  ? pv_traps_ask(crawl->reading.traps, &link)
			  : PV_REASON_NONE};
}

static struct pv_verdict ask_program(const struct pv_rejudge *rejudge,
    const struct pv_known *known, const struct pv_standing *standing,
    struct pv_verdict verdict)
{
	const struct pv_program_link link = {
	    .address = known->url,
	    .page = PV_STR(""),
	    .place = PAVANE_AGAIN,
	    .depth = standing->depth,
	};
	return pv_program_ask(rejudge->crawl->reading.program, &link, verdict);
}

/* Whether it is admitted as that. */
static bool decide(const struct pv_rejudge *rejudge,
    const struct pv_known *known, const struct pv_scope_link *asked,
    struct pv_standing *standing)
{
	struct pv_scope_verdict scoped =
	    ask_scope(rejudge, known, standing, asked);
	struct pv_verdict verdict = {
	    .reason = scoped.reason, .line = scoped.number};
	bool is_page = asked->kind == PV_LINK_PAGE;
	if (verdict.reason == PV_REASON_NONE)
		verdict = ask_traps(rejudge->crawl, known, asked);
	if (!is_root(known, standing) &&
	    pv_program_wants_links(rejudge->crawl->reading.program))
		verdict = ask_program(rejudge, known, standing, verdict);
	standing->verdict = verdict;
	standing->hops = scoped.hops;
	standing->use = is_page ? PV_PAGE : PV_RESOURCE;
	if (verdict.reason != PV_REASON_NONE) {
		standing->use = PV_REFUSED;
		standing->found_as |=
		    is_page ? PV_FOUND_AS_PAGE : PV_FOUND_AS_RESOURCE;
	} else {
		pv_judge_divide(&rejudge->crawl->reading, asked->url, standing);
	}
	return verdict.reason == PV_REASON_NONE;
}

/* As a page, or if that may not be, as a part of one. Where it is known as
 * both, its numbers are those of a page. */
static void decide_kind(const struct pv_rejudge *rejudge,
    const struct pv_known *known, const struct pv_url *url,
    struct pv_standing *standing)
{
	unsigned kinds = kinds_of(rejudge->crawl->policy, standing);
	struct pv_scope_link link = {.url = url};
	struct pv_standing part = *standing;
	link.kind = PV_LINK_PAGE;
	if ((kinds & PV_FOUND_AS_PAGE) &&
	    decide(rejudge, known, &link, standing))
		return;
	if (!(kinds & PV_FOUND_AS_RESOURCE))
		return;
	link.kind = PV_LINK_RESOURCE;
	if (kinds & PV_FOUND_AS_PAGE)
		part.depth_left = PV_SCOPE_CHAIN_MAX;
	if (decide(rejudge, known, &link, &part) || !(kinds & PV_FOUND_AS_PAGE))
		*standing = part;
}

/* Where there are other seeds, what a person had named is judged as a link:
 * seeds are walked through at each start, and what stands there stands again
 * then. Not so what a program has added, which no policy has. */
bool pv_rejudge_judge(
    void *ctx, const struct pv_known *known, struct pv_standing *standing)
{
	const struct pv_rejudge *rejudge = ctx;
	const struct pv_crawl *crawl = rejudge->crawl;
	struct pv_url url;
	bool is_refused = known->state == PV_STATE_REFUSED;
	if (is_refused ? !rejudge->is_open[known->reason]
		       : !rejudge->has_other_scope)
		return false;
	if (!kinds_of(crawl->policy, standing) ||
	    is_beyond(crawl->policy, known, standing))
		return false;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	bool is_read = pv_url_parse(&url, known->url) == PV_URL_OK;
	if (is_read)
		decide_kind(rejudge, known, &url, standing);
	pv_url_finish(&url);
	return is_read;
}
