#ifndef PAVANE_FRONTIER_PLANS_H
#define PAVANE_FRONTIER_PLANS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "record/standing.h"
#include "record/state.h"
#include "record/verdict.h"

/* What a frontier is asked to do with all that is known, whatever its engine:
 * to begin a round, and to have everything judged by another policy. */

/* What is due in a round: what was heard of so long ago, or before that time
 * where there is no copy to tell. */
struct pv_round_plan {
	int64_t now_wall_ms;
	int64_t after_ms;
	int64_t finished_wall_ms; /* of the round before */
};

/* How what is known stands by a policy that has changed: each address is asked
 * about once more, and what waits may be refused, what was refused may wait,
 * and what was answered may be left out of later rounds. */

/* An address as it stood. */
struct pv_known {
	enum pv_address_state state;
	enum pv_reason reason; /* of what is refused */
	struct pv_str url;
	bool was_found;    /* on a page or in a list: a seed was not */
	uint32_t via_hops; /* of where it was found */

	/* It lies as deep as scope.depth let it, and not a seed's own. */
	bool has_common_depth;
};

struct pv_rejudging {
	/* Says in `standing` how it stands now: refused, with the verdict, or
	 * admitted, as what, and from how far. False if nothing has changed
	 * that decides about it. */
	bool (*judge)(void *ctx, const struct pv_known *known,
	    struct pv_standing *standing);
	void *ctx;

	/* What it is asked about: what was refused for one of these reasons
	 * (PV_REASON_COUNT of them, borrowed), or all that is known. */
	const bool *is_open;
	bool is_of_all;

	/* scope.depth, as it was and as it is; PV_DEPTH_MAX for none. What is
	 * left of it at each address is reckoned anew. */
	uint32_t depth_before;
	uint32_t depth_now;

	/* The answer: how many of them ... */
	uint64_t refused;  /* waited, and do not any more */
	uint64_t admitted; /* were refused, and wait now */
	uint64_t left_out; /* were answered, and are out of scope now */
};

#endif
