#ifndef PAVANE_EXPLAIN_EXPLANATION_H
#define PAVANE_EXPLAIN_EXPLANATION_H

#include "base/system.h"
#include "explain/state_view.h"
#include "policy/policy.h"
#include "policy/sameness.h"
#include "robots/matcher.h"
#include "scope/explain.h"

/* What `pavane explain` tells of an address beyond scope and robots.txt: what
 * is known of it, which limits it meets, and which clock holds its host, from
 * where, until when. Nothing here decides anything: it says what the crawl
 * would find.
 */
struct pv_explanation {
	const struct pv_policy *policy;
	const struct pv_url *url;
	const struct pv_host_manners *manners;    /* that its host is owed */
	const struct pv_robots_matcher *matcher;  /* NULL where there are no
						    rules, or none known */
	const struct pv_state_view_answer *known; /* NULL without a crawl */
	struct pv_time now;

	pv_scope_line_fn on_line; /* gets the explanation, line by line */
	void *ctx;
	struct pv_buf line; /* that is being written */
};

/* Whatever else is known, the caller puts in. */
void pv_explanation_init(struct pv_explanation *explanation,
    const struct pv_policy *policy, const struct pv_url *url,
    struct pv_time now);
void pv_explanation_finish(struct pv_explanation *explanation);

/* Each tells its part, and returns whether it leaves the address to be fetched;
 * where it does not, it appends why. */
bool pv_explanation_known(
    struct pv_explanation *explanation, struct pv_buf *reason);
bool pv_explanation_limits(
    struct pv_explanation *explanation, struct pv_buf *reason);

/* Appends why an address was refused: "denied by a rule of the policy (rule,
 * rule 2)". */
void pv_explanation_write_verdict(
    struct pv_verdict verdict, struct pv_buf *text);

/* For who tells parts: tells the line under that key, with where it comes from
 * (NULL: nowhere), and begins another. */
void pv_explanation_tell(struct pv_explanation *explanation, const char *key,
    const struct pv_origin *origin);

/* Appends a time as people read it: "Sun, 06 Nov 1994 08:49:37 GMT", and what
 * lies between now and then. */
void pv_explanation_write_time(const struct pv_explanation *explanation,
    int64_t wall_ms, struct pv_buf *text);

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
