#ifndef PAVANE_CRAWL_RUN_REFUSALS_H
#define PAVANE_CRAWL_RUN_REFUSALS_H

#include "base/system.h"
#include "crawl/run/sinks.h"

/* The lines of the journal for addresses that are refused.
 *
 * Each has one in the commit that refuses it, so that the journal of a crawl
 * that is cut short tells of all that its state counts; and one that is final
 * when the crawl is complete (finishing.h), since only then it is certain that
 * nothing else comes of the address. Used on the writer's thread, or before
 * that is started; only the time is set from the loop's thread.
 */
struct pv_program;
struct pv_refusals;

/* The sinks must outlive it. */
struct pv_refusals *pv_refusals_create(
    const struct pv_sinks *sinks, struct pv_program *program);
void pv_refusals_destroy(struct pv_refusals *refusals);

/* What time it is. In any thread. */
void pv_refusals_tick(struct pv_refusals *refusals, int64_t wall_ms);

/* Appends the line of an address that is refused by its standing. What goes
 * wrong is left in the database. */
void pv_refusals_append(struct pv_refusals *refusals,
    const struct pv_visit *visit, bool is_final, struct pv_database *database);

#endif
