#include "scope/scope.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "policy/seed_walk.h"
#include "scope/steps.h"

static void add_listed(struct pv_scope *scope, const struct pv_texts *listed)
{
	struct pv_buf canonical;
	pv_buf_init(&canonical, 512);
	for (uint32_t i = 0; i < listed->count; i++) {
		struct pv_host_pattern pattern;
		uint32_t number = i;
		pv_buf_clear(&canonical);
		if (pv_host_pattern_read(
			pv_str_of(listed->items[i]), &pattern, &canonical))
			continue;
		if (pattern.kind == PV_HOST_EXACT)
			pv_aliases_find(&scope->sameness.identity.aliases,
			    pattern.name, &pattern.name);
		pv_host_index_add(
		    &scope->listed, &scope->arena, &pattern, &number);
	}
	pv_buf_finish(&canonical);
}

static void add_rules(struct pv_scope *scope, const struct pv_rules *rules)
{
	scope->rules = pv_arena_give_array(
	    &scope->arena, rules->count, sizeof(*scope->rules));
	scope->given_up = pv_arena_give_array(
	    &scope->arena, rules->count, sizeof(*scope->given_up));
	for (size_t i = 0; i < rules->count; i++) {
		pv_rule_match_init(
		    &scope->rules[i], &rules->items[i], &scope->arena);
		atomic_init(&scope->given_up[i], false);
	}
}

struct pv_scope *pv_scope_create(const struct pv_policy *policy)
{
	struct pv_scope *scope = pv_alloc(sizeof(*scope));
	scope->policy = policy;
	pv_arena_init(&scope->arena);
	pv_host_index_init(&scope->listed);
	pv_sameness_init(&scope->sameness, policy);
	scope->ground = pv_arena_give(&scope->arena, sizeof(*scope->ground));
	pv_ground_init(scope->ground, &policy->scope);
	pv_scope_ports_init(&scope->ports, policy);
	pv_scope_find_origins(scope);
	add_listed(scope, &policy->scope.hosts.listed);
	add_rules(scope, &policy->scope.rules);
	pv_page_kinds_init(&scope->kinds, &policy->pages, &scope->arena);
	return scope;
}

void pv_scope_destroy(struct pv_scope *scope)
{
	if (!scope)
		return;
	pv_ground_finish(scope->ground);
	pv_scope_ports_finish(&scope->ports);
	pv_sameness_finish(&scope->sameness);
	pv_host_index_finish(&scope->listed);
	pv_arena_finish(&scope->arena);
	free(scope);
}

/* Whether all addresses of a template lie on the ground of its first, so that
 * a billion of them need not be looked at: scheme and host stand before the
 * first brace, and paths do not count. */
static bool is_one_place(
    const struct pv_scope_policy *policy, const struct pv_seed *seed)
{
	struct pv_reader text = pv_reader_of(pv_str_of(seed->text));
	if (policy->below || seed->kind == PV_SEED_FILE)
		return false;
	pv_reader_take_until(&text, ':');
	if (!pv_reader_accept_str(&text, PV_STR("://")))
		return false;
	struct pv_str host = pv_reader_take_until(&text, '/');
	return host.len && !pv_reader_is_end(&text) &&
	       pv_str_find(host, '{') == PV_NOT_FOUND;
}

static uint32_t reach_of(
    const struct pv_scope_policy *policy, const struct pv_seed *seed)
{
	int64_t depth = seed->depth == PV_NONE ? policy->depth : seed->depth;
	return depth == PV_NONE || depth > UINT32_MAX ? UINT32_MAX
						      : (uint32_t)depth;
}

static bool add_seed(
    struct pv_scope *scope, const struct pv_seed *seed, struct pv_url *url)
{
	struct pv_seed_walk walk;
	enum pv_seed_step step;
	bool is_open = pv_seed_walk_open(&walk, seed);
	bool is_enough = !is_open;
	while (!is_enough && (step = pv_seed_walk_next(&walk)) != PV_SEED_END) {
		if (step == PV_SEED_FAULT ||
		    pv_seed_parse(url, pv_buf_str(&walk.text)))
			continue;
		pv_crawl_identity_apply(&scope->sameness.identity, url);
		pv_ground_add_seed(
		    scope->ground, url, reach_of(&scope->policy->scope, seed));
		pv_scope_ports_add_seed(&scope->ports, url);
		is_enough = is_one_place(&scope->policy->scope, seed);
	}
	pv_seed_walk_close(&walk);
	return is_open;
}

const struct pv_seed *pv_scope_add_seeds(struct pv_scope *scope)
{
	const struct pv_seeds *seeds = &scope->policy->seeds;
	const struct pv_seed *closed = NULL;
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	for (size_t i = 0; i < seeds->count && !closed; i++) {
		if (!add_seed(scope, &seeds->items[i], &url))
			closed = &seeds->items[i];
	}
	pv_url_finish(&url);
	return closed;
}

void pv_scope_add_login(struct pv_scope *scope, const struct pv_url *url)
{
	pv_ground_add_login(scope->ground, url);
}

void pv_scope_add_redirect(struct pv_scope *scope, struct pv_url *url)
{
	pv_crawl_identity_apply(&scope->sameness.identity, url);
	pv_ground_add_redirect(scope->ground, url);
}

bool pv_scope_hear_redirect(struct pv_scope *scope, struct pv_url *url)
{
	pv_crawl_identity_apply(&scope->sameness.identity, url);
	return pv_ground_hear_redirect(scope->ground, url);
}

bool pv_scope_reads_sitemaps(const struct pv_scope *scope,
    const struct pv_url *authority, uint32_t *reach)
{
	*reach = pv_ground_reach(scope->ground, authority);
	return scope->policy->scope.sitemaps && *reach > 0 &&
	       pv_scope_is_on_host(scope, authority);
}

bool pv_scope_refuses_port(
    const struct pv_scope *scope, const struct pv_url *url)
{
	return pv_scope_ports_refuse(&scope->ports, url);
}

struct pv_scope_verdict pv_scope_judge(
    const struct pv_scope *scope, const struct pv_scope_link *link)
{
	struct pv_scope_case judged = pv_scope_open_case(scope, link);
	enum pv_scope_step step = 0;
	while (!pv_scope_take_step(step, &judged))
		step++;
	struct pv_scope_verdict *verdict = &judged.verdict;
	if (verdict->reason == PV_REASON_RULE_GAVE_UP)
		verdict->is_news = !atomic_exchange(
		    &scope->given_up[verdict->number - 1], true);
	return *verdict;
}

unsigned pv_scope_page_kind(
    const struct pv_scope *scope, const struct pv_url *url)
{
	return pv_page_kinds_match(&scope->kinds, url);
}
