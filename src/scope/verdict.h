#ifndef PAVANE_SCOPE_VERDICT_H
#define PAVANE_SCOPE_VERDICT_H

#include "policy/policy.h"
#include "record/verdict.h"

/* Whether a link may be ours, and why: which step decided, for which reason, in
 * one sentence, and by which line of the policy. */

/* What is asked of a link, one step after the other, until one decides. */
enum pv_scope_step {
	PV_STEP_NEVER,
	PV_STEP_MAX_URL,
	PV_STEP_PORT,
	PV_STEP_CREDENTIALS,
	PV_STEP_CHAIN,
	PV_STEP_SEGMENTS,
	PV_STEP_REPEATS,
	PV_STEP_PARAMETERS,
	PV_STEP_SAME_PARAMETER,
	PV_STEP_ESCAPED,
	PV_STEP_NESTED,
	PV_STEP_AHEAD,
	PV_STEP_BACK,
	PV_STEP_TYPE,
	PV_STEP_RULES, /* admits or refuses; those above only refuse, */
	PV_STEP_SEED,  /* and these three only admit */
	PV_STEP_SITEMAP,
	PV_STEP_REQUISITES,
	PV_STEP_HOSTS,
	PV_STEP_BELOW,
	PV_STEP_DEPTH,
	PV_STEP_INSIDE, /* admits what is not off scope */
	PV_STEP_HOPS,   /* admits or refuses what is */
	PV_STEPS,
};

/* What it points to lives as long as the policy. */
struct pv_scope_verdict {
	enum pv_scope_step step; /* that decided */
	enum pv_reason reason;   /* PV_REASON_NONE: it is admitted */
	struct pv_origin origin; /* of what decided */

	/* How many pages off scope this is: what the links on it are asked
	 * with. */
	uint32_t hops;

	/* The first of its rule to be given up: to be reported to the author of
	 * the pattern. */
	bool is_news;

	/* For the sentence: what was found, against which limit; and of
	 * never.txt the line, or of a rule its number from 1 and itself; or
	 * which type the name tells. */
	int64_t found;
	int64_t limit;
	uint32_t number;
	const struct pv_rule *rule;
	const char *type;
	enum pv_scope_hosts hosts;
};

static inline bool pv_scope_is_admitted(const struct pv_scope_verdict *verdict)
{
	return verdict->reason == PV_REASON_NONE;
}

/* Appends the reason for a person, such as "2345 bytes long, and max_url is
 * 2000"; nothing of the address is in it. */
void pv_scope_verdict_write(
    const struct pv_scope_verdict *verdict, struct pv_buf *buf);

#endif
