#ifndef PAVANE_SCOPE_STEPS_H
#define PAVANE_SCOPE_STEPS_H

#include "policy/host_index.h"
#include "policy/sameness.h"
#include "scope/ground.h"
#include "scope/ports.h"
#include "scope/rule_match.h"
#include "scope/scope.h"
#include "scope/signs.h"

/* What is asked of a link, one step after the other, and what a scope is made
 * of; for the files of this room only. */
enum pv_scope_step {
	PV_STEP_NEVER,
	PV_STEP_MAX_URL,
	PV_STEP_PORT,
	PV_STEP_CREDENTIALS,
	PV_STEP_CHAIN,
	PV_STEP_SEGMENTS,
	PV_STEP_REPEATS,
	PV_STEP_PARAMETERS,
	PV_STEP_QUERY,
	PV_STEP_AHEAD,
	PV_STEP_BACK,
	PV_STEP_TYPE,
	PV_STEP_RULES,
	PV_STEP_SEED,
	PV_STEP_SITEMAP,
	PV_STEP_REQUISITES,
	PV_STEP_HOSTS,
	PV_STEP_BELOW,
	PV_STEP_DEPTH,
	PV_STEP_INSIDE, /* decides if the link is not off scope */
	PV_STEP_HOPS,   /* decides if it is */
	PV_STEPS,
};

struct pv_scope {
	const struct pv_policy *policy;
	struct pv_sameness
	    sameness; /* of seeds; links come as they are asked */
	struct pv_ground *ground;
	struct pv_scope_ports ports;
	struct pv_host_index listed; /* the hosts that the policy lists */
	struct pv_rule_match *rules; /* as many as the policy has */
	atomic_bool *given_up;       /* whether a rule's pattern ever was */
	const struct pv_origin *origins[PV_STEPS]; /* NULL for no option */
	struct pv_arena arena;
};

/* A link before its judge. */
struct pv_scope_case {
	const struct pv_scope *scope;
	const struct pv_scope_link *link;
	struct pv_scope_verdict verdict;
	struct pv_signs signs; /* from the steps on that go by them */
	int64_t days; /* of a date beyond its limit: ahead, or negative */
	bool
	    is_off; /* off scope: the verdict says why, if hops does not help */
};

/* Where each option that a step goes by comes from. */
void pv_scope_find_origins(struct pv_scope *scope);

struct pv_scope_case pv_scope_open_case(
    const struct pv_scope *scope, const struct pv_scope_link *link);

/* Takes a step. True if it decides; the verdict is then complete. */
bool pv_scope_take_step(enum pv_scope_step step, struct pv_scope_case *judged);

/* Whether it is on a host that the policy means. */
bool pv_scope_is_on_host(
    const struct pv_scope *scope, const struct pv_url *url);

/* How deep pages may lie that come from the link's seed, or PV_NONE; and who
 * says so. */
int64_t pv_scope_depth(
    const struct pv_scope_case *judged, const struct pv_origin **origin);

#endif
