#ifndef PAVANE_SCOPE_VERDICT_H
#define PAVANE_SCOPE_VERDICT_H

#include "policy/policy.h"

/* Whether a link may be ours, and why: one reason, one sentence, and the line
 * of the policy that decided. */
enum pv_scope_reason {
	/* Admitted, */
	PV_SCOPE_SEED,      /* because a person asked for just this */
	PV_SCOPE_ALLOWED,   /* by a rule */
	PV_SCOPE_SITEMAP,   /* because a host in scope names it */
	PV_SCOPE_REQUISITE, /* as part of a page in scope */
	PV_SCOPE_INSIDE,    /* by hosts, below and depth */
	PV_SCOPE_HOP,       /* though off scope: hops leads there */

	/* Refused, */
	PV_SCOPE_NEVER,       /* because its owner asked us away */
	PV_SCOPE_TOO_LONG,    /* over max_url */
	PV_SCOPE_PORT,        /* at a port of another protocol */
	PV_SCOPE_CREDENTIALS, /* because it carries somebody's */
	PV_SCOPE_CHAINED,     /* as a resource of a resource of a resource... */
	PV_SCOPE_SEGMENTS,    /* as a trap by its shape: too many segments */
	PV_SCOPE_REPEATS,    /* as a trap by its shape: one segment too often */
	PV_SCOPE_PARAMETERS, /* as a trap: too many parameters */
	PV_SCOPE_SAME_PARAMETER, /* as a trap: one parameter too often */
	PV_SCOPE_ESCAPED,        /* as a trap: escaped too often over */
	PV_SCOPE_NESTED,         /* as a trap: a query too deep within itself */
	PV_SCOPE_AHEAD,          /* as a calendar's that never ends */
	PV_SCOPE_BACK,           /* as one's that never began */
	PV_SCOPE_TYPE,           /* by fetch.accept, as its name tells a type */
	PV_SCOPE_DENIED,         /* by a rule */
	PV_SCOPE_GAVE_UP,    /* because a rule's pattern reached its limit */
	PV_SCOPE_OTHER_HOST, /* by hosts */
	PV_SCOPE_NOT_BELOW,  /* by below */
	PV_SCOPE_TOO_DEEP,   /* by depth */
	PV_SCOPE_TOO_FAR,    /* by hops */

	PV_SCOPE_REASONS, /* how many there are, for who counts them */
};

/* What it points to lives as long as the policy. */
struct pv_scope_verdict {
	enum pv_scope_reason reason;
	struct pv_origin origin; /* of what decided */

	/* How many pages off scope this is: what the links on it are asked
	 * with. */
	uint32_t hops;

	/* The first of its rule to be given up: to be told to whoever wrote
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
	return verdict->reason < PV_SCOPE_NEVER;
}

/* For machines: one word, such as "max_url". */
const char *pv_scope_reason_name(enum pv_scope_reason reason);

/* Appends the reason for a person, such as "2345 bytes long, and max_url is
 * 2000"; nothing of the address is in it. */
void pv_scope_verdict_write(
    const struct pv_scope_verdict *verdict, struct pv_buf *buf);

#endif
