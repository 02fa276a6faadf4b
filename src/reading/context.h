#ifndef PAVANE_READING_CONTEXT_H
#define PAVANE_READING_CONTEXT_H

#include "fields/readers.h"
#include "frontier/frontier.h"
#include "policy/sameness.h"
#include "policy/shard.h"
#include "scope/scope.h"
#include "traps/traps.h"

/* What reading asks of the whole crawl.
 *
 * Every thread of the pool reads it. The policy, the identity of addresses and
 * the rules of the scope do not change while they run; traps, vouchers, what
 * the frontier knows and the scope's ground, which grow, guard themselves.
 */
struct pv_program;
struct pv_vouchers;

struct pv_reading_context {
	const struct pv_policy *policy;
	struct pv_scope *scope;
	struct pv_sameness sameness;
	const struct pv_frontier *frontier; /* fingerprints, what is known */
	const struct pv_seed *deepest;      /* pv_judge_deepest */
	struct pv_field_readers fields;     /* of kinds of pages */
	struct pv_traps *traps;             /* NULL: none are counted */
	struct pv_program *program;   /* that runs the crawl; NULL: none has a
				       say */
	struct pv_vouchers *vouchers; /* of hosts for sitemaps elsewhere */
	bool follows_no_links;        /* but redirects */
	struct pv_shard shard;        /* of a crawl that is divided */
};

#endif
