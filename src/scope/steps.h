#ifndef PAVANE_SCOPE_STEPS_H
#define PAVANE_SCOPE_STEPS_H

#include "policy/sameness.h"
#include "policy/values/host_index.h"
#include "scope/ground.h"
#include "scope/page_kind.h"
#include "scope/ports.h"
#include "scope/rule_match.h"
#include "scope/scope.h"
#include "traps/shapes.h"

/* How each step decides, and what a scope is made of; for the files of this
 * room only. */
struct pv_scope {
	const struct pv_policy *policy;
	struct pv_sameness
	    sameness; /* of seeds; links come as they are asked */
	struct pv_ground *ground;
	struct pv_scope_ports ports;
	struct pv_host_index listed; /* the hosts that the policy lists */
	struct pv_rule_match *rules; /* as many as the policy has */
	struct pv_page_kinds kinds;  /* of the policy */
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

/* What a step is called: "max_url", "traps.repeats". */
const char *pv_scope_step_key(enum pv_scope_step step);

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
