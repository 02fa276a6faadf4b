#ifndef PAVANE_EXPLAIN_ACCESS_H
#define PAVANE_EXPLAIN_ACCESS_H

#include "explain/inquiry.h"
#include "explain/state_view.h"
#include "record/verdict.h"
#include "robots/matcher.h"
#include "scope/explain.h"

/* What a host's robots.txt says of an address, for `pavane explain`: where it
 * was had from, which groups are for us, which line decides, and what else it
 * asks. It comes from a file, from a crawl's state, or from the host itself; or
 * it is left open.
 */
struct pv_url;

/* The texts are their owners'. */
struct pv_access_sources {
	const struct pv_policy *policy;
	const char *file_name; /* NULL for no file */
	struct pv_str file;    /* what it holds */
	bool is_file_cut;
	const struct pv_state_view_answer *known; /* NULL without a crawl */
	struct pv_inquiry *inquiry;               /* NULL: nobody is asked */
	int64_t wall_ms;                          /* now */

	pv_scope_line_fn on_line;
	void *ctx;
};

struct pv_access {
	struct pv_robots_matcher *matcher; /* NULL where no rules are known */
	struct pv_verdict verdict; /* the crawl's, if it may not be asked for
				      and the crawl has a word for that */
};

/* Tells all that, and returns whether the address may be asked for, as far as
 * that is known; where not, it appends why. */
bool pv_access_tell(struct pv_access *access,
    const struct pv_access_sources *sources, const struct pv_url *url,
    struct pv_buf *reason);
void pv_access_finish(struct pv_access *access);

#endif
