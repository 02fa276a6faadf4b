#include "scope/steps.h"

#include "base/day.h"
#include "http/file_type.h"
#include "http/media_type.h"
#include "policy/option.h"
#include "traps/calendar.h"
#include "traps/shapes.h"

struct pv_scope_case pv_scope_open_case(
    const struct pv_scope *scope, const struct pv_scope_link *link)
{
	return (struct pv_scope_case){
	    .scope = scope,
	    .link = link,
	    .verdict = {.hosts = scope->policy->scope.hosts.kind},
	};
}

static const struct pv_scope_policy *options_of(
    const struct pv_scope_case *judged)
{
	return &judged->scope->policy->scope;
}

/* Ends the case, for a reason or none; true, for a step to return. */
static bool decide_at(struct pv_scope_case *judged, enum pv_scope_step step,
    enum pv_reason reason, const struct pv_origin *origin)
{
	judged->verdict.step = step;
	judged->verdict.reason = reason;
	if (origin)
		judged->verdict.origin = *origin;
	return true;
}

/* By the step's own option. */
static bool decide(struct pv_scope_case *judged, enum pv_scope_step step,
    enum pv_reason reason)
{
	return decide_at(judged, step, reason, judged->scope->origins[step]);
}

/* Ends it if a number is over its limit. */
static bool limit(struct pv_scope_case *judged, enum pv_scope_step step,
    enum pv_reason reason, int64_t found, int64_t most)
{
	if (most == PV_NONE || found <= most)
		return false;
	judged->verdict.found = found;
	judged->verdict.limit = most;
	return decide(judged, step, reason);
}

static bool step_never(struct pv_scope_case *judged)
{
	const struct pv_never *never = &judged->scope->policy->never;
	const struct pv_url *url = judged->link->url;
	uint32_t line =
	    pv_never_find(never, pv_url_host(url), pv_url_address(url));
	if (!line)
		return false;
	struct pv_origin origin = {.place = {never->path, line, 0}};
	judged->verdict.number = line;
	return decide_at(judged, PV_STEP_NEVER, PV_REASON_NEVER, &origin);
}

static bool step_max_url(struct pv_scope_case *judged)
{
	size_t len = pv_url_page(judged->link->url).len;
	return limit(judged, PV_STEP_MAX_URL, PV_REASON_TOO_LONG, (int64_t)len,
	    options_of(judged)->max_url);
}

static bool step_port(struct pv_scope_case *judged)
{
	const struct pv_scope_link *link = judged->link;
	if (link->is_seed ||
	    !pv_scope_ports_refuse(&judged->scope->ports, link->url))
		return false;
	judged->verdict.found = pv_url_port(link->url);
	return decide(judged, PV_STEP_PORT, PV_REASON_PORT);
}

static bool step_credentials(struct pv_scope_case *judged)
{
	const struct pv_scope_link *link = judged->link;
	if (!pv_url_has_credentials(link->url) || link->is_seed ||
	    pv_ground_has_login(judged->scope->ground, link->url))
		return false;
	return decide(judged, PV_STEP_CREDENTIALS, PV_REASON_CREDENTIALS);
}

static bool step_chain(struct pv_scope_case *judged)
{
	return judged->link->kind == PV_LINK_RESOURCE &&
	       limit(judged, PV_STEP_CHAIN, PV_REASON_CHAINED,
		   judged->link->chain, PV_SCOPE_CHAIN_MAX);
}

static bool step_segments(struct pv_scope_case *judged)
{
	int64_t most = options_of(judged)->traps.segments;
	if (most == PV_NONE || judged->link->is_seed)
		return false;
	size_t found = pv_path_traps_segments(pv_url_path(judged->link->url));
	return limit(
	    judged, PV_STEP_SEGMENTS, PV_REASON_SEGMENTS, (int64_t)found, most);
}

static bool step_repeats(struct pv_scope_case *judged)
{
	int64_t most = options_of(judged)->traps.repeats;
	if (most == PV_NONE || judged->link->is_seed)
		return false;
	size_t found =
	    pv_path_traps_repeats(pv_url_path(judged->link->url), (size_t)most);
	return limit(
	    judged, PV_STEP_REPEATS, PV_REASON_REPEATS, (int64_t)found, most);
}

static bool step_parameters(struct pv_scope_case *judged)
{
	const struct pv_url *url = judged->link->url;
	int64_t most = options_of(judged)->traps.parameters;
	if (judged->link->is_seed)
		return false;
	judged->signs = pv_signs_of(pv_url_target(url));
	if (most == PV_NONE || judged->signs.ampersands < most)
		return false;
	size_t found = pv_query_traps_parameters(pv_url_query(url));
	return limit(
	    judged, PV_STEP_PARAMETERS, PV_REASON_QUERY, (int64_t)found, most);
}

/* The signs tell whether a query has to be looked through. */

static bool step_same_parameter(struct pv_scope_case *judged)
{
	int64_t most = options_of(judged)->traps.repeats;
	if (most == PV_NONE || judged->signs.ampersands < most)
		return false;
	size_t found = pv_query_traps_repeats(
	    pv_url_query(judged->link->url), (size_t)most);
	return limit(judged, PV_STEP_SAME_PARAMETER, PV_REASON_QUERY,
	    (int64_t)found, most);
}

static bool step_escaped(struct pv_scope_case *judged)
{
	int64_t most = options_of(judged)->traps.repeats;
	const struct pv_url *url = judged->link->url;
	const struct pv_signs *signs = &judged->signs;
	if (most == PV_NONE || !(signs->has_percent || signs->marks > most))
		return false;
	size_t found =
	    pv_query_traps_escapes(pv_url_target(url), pv_url_query(url));
	return limit(
	    judged, PV_STEP_ESCAPED, PV_REASON_QUERY, (int64_t)found, most);
}

static bool step_nested(struct pv_scope_case *judged)
{
	int64_t most = options_of(judged)->traps.repeats;
	if (most == PV_NONE || judged->signs.marks <= most)
		return false;
	size_t found = pv_query_traps_nesting(
	    pv_url_query(judged->link->url), (size_t)most);
	return limit(
	    judged, PV_STEP_NESTED, PV_REASON_QUERY, (int64_t)found, most);
}

/* A date beyond its limit; the limit is printed as it is written in the policy.
 */
static bool limit_days(
    struct pv_scope_case *judged, enum pv_scope_step step, int64_t most_ms)
{
	int64_t days = judged->days;
	judged->verdict.found = days < 0 ? -days : days;
	judged->verdict.limit = most_ms;
	return decide(judged, step, PV_REASON_CALENDAR);
}

static bool step_ahead(struct pv_scope_case *judged)
{
	const struct pv_scope_link *link = judged->link;
	const struct pv_calendar calendar = {
	    .today = pv_day_of_ms(link->wall_ms),
	    .ahead_ms = options_of(judged)->traps.calendar.ahead_ms,
	    .back_ms = options_of(judged)->traps.calendar.back_ms,
	};
	if (!link->wall_ms ||
	    !(judged->signs.has_year || judged->signs.has_number))
		return false;
	judged->days = pv_calendar_find(
	    &calendar, pv_url_path(link->url), pv_url_query(link->url));
	return judged->days > 0 &&
	       limit_days(judged, PV_STEP_AHEAD, calendar.ahead_ms);
}

/* What was found before it. */
static bool step_back(struct pv_scope_case *judged)
{
	return judged->days < 0 &&
	       limit_days(judged, PV_STEP_BACK,
		   options_of(judged)->traps.calendar.back_ms);
}

/* Whatever a server does not know it gives as octet-stream. */
static bool may_accept(const struct pv_texts *accept, const char *const *types)
{
	bool is_any = pv_media_type_is_among(
	    PV_STR("application/octet-stream"), accept->items, accept->count);
	for (; *types && !is_any; types++)
		is_any = pv_media_type_is_among(
		    pv_str_of(*types), accept->items, accept->count);
	return is_any;
}

/* Only parts of pages: a page may be called File:x.png, and where a redirect
 * leads is asked as what led there was. */
static bool step_type(struct pv_scope_case *judged)
{
	const struct pv_texts *accept = &judged->scope->policy->fetch.accept;
	const struct pv_scope_link *link = judged->link;
	if (!accept->count || link->kind != PV_LINK_RESOURCE ||
	    link->is_redirect)
		return false;
	const char *const *types = pv_file_types(pv_url_path(link->url));
	if (!types || may_accept(accept, types))
		return false;
	judged->verdict.type = types[0];
	return decide(judged, PV_STEP_TYPE, PV_REASON_TYPE);
}

static bool step_rules(struct pv_scope_case *judged)
{
	size_t count = options_of(judged)->rules.count;
	for (size_t i = 0; i < count; i++) {
		const struct pv_rule_match *match = &judged->scope->rules[i];
		enum pv_rule_part part =
		    pv_rule_match_find(match, judged->link->url);
		if (part != PV_RULE_ALL && part != PV_RULE_GAVE_UP)
			continue;
		judged->verdict.number = (uint32_t)i + 1;
		judged->verdict.rule = match->rule;
		return decide_at(judged, PV_STEP_RULES,
		    part == PV_RULE_GAVE_UP ? PV_REASON_RULE_GAVE_UP
		    : match->rule->is_allow ? PV_REASON_NONE
					    : PV_REASON_RULE,
		    &match->rule->origin);
	}
	return false;
}

static bool step_seed(struct pv_scope_case *judged)
{
	const struct pv_seed *seed = judged->link->seed;
	return judged->link->is_seed &&
	       decide_at(judged, PV_STEP_SEED, PV_REASON_NONE,
		   seed ? &seed->origin : NULL);
}

static bool step_sitemap(struct pv_scope_case *judged)
{
	return judged->link->is_sitemap &&
	       decide(judged, PV_STEP_SITEMAP, PV_REASON_NONE);
}

static bool step_requisites(struct pv_scope_case *judged)
{
	const struct pv_scope_link *link = judged->link;
	return options_of(judged)->requisites &&
	       link->kind == PV_LINK_RESOURCE && link->hops == 0 &&
	       decide(judged, PV_STEP_REQUISITES, PV_REASON_NONE);
}

static bool is_listed(const struct pv_scope *scope, const struct pv_url *url)
{
	uint32_t numbers[PV_HOST_MATCHES_MAX];
	return pv_host_index_find(&scope->listed, pv_url_host(url),
		   pv_url_address(url), numbers) > 0;
}

bool pv_scope_is_on_host(const struct pv_scope *scope, const struct pv_url *url)
{
	switch (scope->policy->scope.hosts.kind) {
	case PV_HOSTS_SAME:
		return pv_ground_has_host(scope->ground, url);
	case PV_HOSTS_SITE:
		return pv_ground_has_site(scope->ground, url);
	case PV_HOSTS_LISTED:
		return is_listed(scope, url);
	default:
		return true;
	}
}

/* Off scope: hops is asked later, if there are any for such a link. */
static bool leave(struct pv_scope_case *judged, enum pv_scope_step step,
    enum pv_reason reason)
{
	judged->is_off = true;
	decide(judged, step, reason);
	return judged->link->kind != PV_LINK_PAGE ||
	       options_of(judged)->hops == 0;
}

static bool step_hosts(struct pv_scope_case *judged)
{
	return !pv_scope_is_on_host(judged->scope, judged->link->url) &&
	       leave(judged, PV_STEP_HOSTS, PV_REASON_HOST);
}

static bool step_below(struct pv_scope_case *judged)
{
	struct pv_ground *ground = judged->scope->ground;
	const struct pv_url *url = judged->link->url;
	if (judged->is_off || !options_of(judged)->below ||
	    pv_ground_has_above(ground, url))
		return false;
	return leave(judged, PV_STEP_BELOW,
	    pv_ground_has_other_port(ground, url) ? PV_REASON_OTHER_PORT
						  : PV_REASON_BELOW);
}

int64_t pv_scope_depth(
    const struct pv_scope_case *judged, const struct pv_origin **origin)
{
	const struct pv_seed *seed = judged->link->seed;
	if (seed && seed->depth != PV_NONE) {
		*origin = &seed->origin;
		return seed->depth;
	}
	*origin = judged->scope->origins[PV_STEP_DEPTH];
	return options_of(judged)->depth;
}

static bool step_depth(struct pv_scope_case *judged)
{
	const struct pv_origin *origin;
	int64_t most = pv_scope_depth(judged, &origin);
	if (!limit(judged, PV_STEP_DEPTH, PV_REASON_DEPTH, judged->link->depth,
		most))
		return false;
	judged->verdict.origin = *origin;
	return true;
}

static uint32_t hops_of(const struct pv_scope_link *link)
{
	return link->is_redirect && link->hops ? link->hops : link->hops + 1;
}

static bool step_inside(struct pv_scope_case *judged)
{
	return !judged->is_off &&
	       decide_at(judged, PV_STEP_INSIDE, PV_REASON_NONE,
		   judged->scope->origins[PV_STEP_HOSTS]);
}

static bool step_hops(struct pv_scope_case *judged)
{
	uint32_t hops = hops_of(judged->link);
	if (limit(judged, PV_STEP_HOPS, PV_REASON_HOPS, hops,
		options_of(judged)->hops))
		return true;
	judged->verdict.hops = hops;
	judged->verdict.found = hops;
	judged->verdict.limit = options_of(judged)->hops;
	return decide(judged, PV_STEP_HOPS, PV_REASON_NONE);
}

static const struct {
	bool (*take)(struct pv_scope_case *judged);
	const char *key;    /* what it is called */
	const char *option; /* that it goes by; NULL: none */
} steps[PV_STEPS] = {
    [PV_STEP_NEVER] = {step_never, "never.txt", NULL},
    [PV_STEP_MAX_URL] = {step_max_url, "max_url", "scope.max_url"},
    [PV_STEP_PORT] = {step_port, "port", NULL},
    [PV_STEP_CREDENTIALS] = {step_credentials, "credentials", NULL},
    [PV_STEP_CHAIN] = {step_chain, "chain", NULL},
    [PV_STEP_SEGMENTS] = {step_segments, "traps.segments",
	"scope.traps.segments"},
    [PV_STEP_REPEATS] = {step_repeats, "traps.repeats", "scope.traps.repeats"},
    [PV_STEP_PARAMETERS] = {step_parameters, "traps.parameters",
	"scope.traps.parameters"},
    [PV_STEP_SAME_PARAMETER] = {step_same_parameter, "traps.repeats",
	"scope.traps.repeats"},
    [PV_STEP_ESCAPED] = {step_escaped, "traps.repeats", "scope.traps.repeats"},
    [PV_STEP_NESTED] = {step_nested, "traps.repeats", "scope.traps.repeats"},
    [PV_STEP_AHEAD] = {step_ahead, "traps.calendar",
	"scope.traps.calendar.ahead"},
    [PV_STEP_BACK] = {step_back, "traps.calendar", "scope.traps.calendar.back"},
    [PV_STEP_TYPE] = {step_type, "accept", "fetch.accept"},
    [PV_STEP_RULES] = {step_rules, "rules", "scope.rules"},
    [PV_STEP_SEED] = {step_seed, "seeds", NULL},
    [PV_STEP_SITEMAP] = {step_sitemap, "sitemaps", "scope.sitemaps"},
    [PV_STEP_REQUISITES] = {step_requisites, "requisites", "scope.requisites"},
    [PV_STEP_HOSTS] = {step_hosts, "hosts", "scope.hosts"},
    [PV_STEP_BELOW] = {step_below, "below", "scope.below"},
    [PV_STEP_DEPTH] = {step_depth, "depth", "scope.depth"},
    [PV_STEP_INSIDE] = {step_inside, "scope", NULL},
    [PV_STEP_HOPS] = {step_hops, "hops", "scope.hops"},
};

bool pv_scope_take_step(enum pv_scope_step step, struct pv_scope_case *judged)
{
	return steps[step].take(judged);
}

const char *pv_scope_step_key(enum pv_scope_step step)
{
	return steps[step].key;
}

void pv_scope_find_origins(struct pv_scope *scope)
{
	for (size_t i = 0; i < PV_STEPS; i++) {
		const char *path = steps[i].option;
		const struct pv_option *option =
		    path ? pv_option_get(pv_str_of(path), &pv_names_of_policy)
			 : NULL;
		if (option)
			scope->origins[i] =
			    &scope->policy
				 ->origins[option - pv_names_of_policy.options];
	}
}
