#ifndef PAVANE_EXPLAIN_SAME_H
#define PAVANE_EXPLAIN_SAME_H

#include "policy/sameness.h"
#include "scope/explain.h"

/* Which address another one stands for, and which keys of the policy make the
 * two the same, each with its place. */
struct pv_explain_same {
	struct pv_str given; /* as it was asked about, without its fragment */
	unsigned changes;    /* what made it into the other; 0: nothing */

	/* of the host that is asked */
	const struct pv_host_manners *manners;
	pv_scope_line_fn on_line;
	void *ctx;
};

/* Says nothing where nothing was changed. */
void pv_explain_same_tell(const struct pv_explain_same *explanation);

#endif
