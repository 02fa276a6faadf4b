#ifndef PAVANE_FLEET_WIDENING_H
#define PAVANE_FLEET_WIDENING_H

#include "fleet/line/request.h"
#include "frontier/sqlite/engine.h"
#include "frontier/sqlite/readmission.h"

/* Where a seed is redirected to is in scope (crawl/run/seed_redirect.h), and only
 * the worker that has asked for the seed sees it. Here all others hear of it.
 *
 * The redirects of a crawl are numbered in PostgreSQL. Whoever looks for work sees
 * the last number, and asks for those that it has not heard of. They are in scope
 * at once; then what was refused before is judged again, beside the worker's other
 * work, and if that takes long, not often. Only who has done that, with all
 * redirects there are, is idle: so the crawl does not end before.
 *
 * A worker that starts hears all of them anew.
 */
struct pv_fleet;

struct pv_widening {
	int64_t last;   /* there is, as far as is known */
	int64_t heard;  /* and is in scope ... */
	int64_t heeded; /* ... and what was refused before is judged */
	bool is_asking;
	int64_t asked_for; /* as far as was known then */

	struct pv_buf urls; /* that make the scope wider, each on its line */
	bool is_due;        /* what was refused is to be judged */

	/* The judging that is under way. */
	bool is_judging;
	struct pv_readmission readmission;
	struct pv_buf covered_urls; /* that were heard before it began ... */
	int64_t covered;            /* ... up to which number */
	struct pv_tables_work work;
	bool is_working;
	bool has_more;
	bool is_settled;    /* no page is read by the scope of before */
	int64_t settles_at; /* by the loop's clock, as these: */
	int64_t step_at;
	int64_t step_began;
	int64_t spent_ms;
};

void pv_widening_init(struct pv_widening *widening);
void pv_widening_finish(struct pv_widening *widening);

/* The answer of PV_SAY_LOOK has come. */
void pv_widening_note(struct pv_fleet *fleet,
    const struct pv_fleet_results *results, size_t step);

/* Goes on, if it is time and nothing is under way. */
void pv_widening_step(struct pv_fleet *fleet);

/* Whether all redirects that are known of are heeded. */
bool pv_widening_is_done(const struct pv_widening *widening);

/* How what others have refused is judged as it is taken over; NULL where it is
 * taken over as it is. */
struct pv_rejudging *pv_widening_judge(const struct pv_fleet *fleet);

#endif
