#ifndef PAVANE_FLEET_VISIT_VISITING_H
#define PAVANE_FLEET_VISIT_VISITING_H

#include "base/why.h"
#include "fleet/line/request.h"

/* What a visitor says to PostgreSQL, prepared at its connect, and how its files
 * ask. SELECT rights are enough for all but PV_VISIT_WISH and PV_VISIT_TELL. */
struct pv_fleet_visitor;

enum pv_visit_say {
	PV_VISIT_VERSION,
	PV_VISIT_CRAWL,     /* name */
	PV_VISIT_WORKERS,   /* name */
	PV_VISIT_TOTALS,    /* name */
	PV_VISIT_FIND_HOST, /* crawl, host */
	PV_VISIT_WISH,      /* crawl, wish's number before, wish */
	PV_VISIT_TELL,      /* channel, crawl */
	PV_VISIT_CLOCK,     /* crawl, name: owner (0: nobody), left, whether
			    somebody has owned it */
	PV_VISIT_HOST,      /* crawl, name: row */
	PV_VISIT_ADDRESS,   /* crawl, host, fingerprint: row */
	PV_VISIT_ROBOTS,    /* crawl, host, authority: row */
	PV_VISIT_LINK,      /* crawl, clock, host, beginning of a row: row */
	PV_VISIT_REFUSED, /* crawl, fingerprint: row of one that has refused it at
			       a host of others */
	PV_VISIT_COUNT,
};

extern const struct pv_fleet_statement pv_visiting_statements[PV_VISIT_COUNT];

/* Blocks until `hear` has been called with the answer. False, with the reason, if
 * there is none. */
bool pv_fleet_visitor_ask(struct pv_fleet_visitor *visitor,
    const struct pv_fleet_step *steps, size_t count,
    void (*hear)(void *ctx, const struct pv_fleet_results *results), void *ctx,
    struct pv_why *why);

/* Adds the sentence, with the database's URL; false. */
bool pv_fleet_visitor_fail(const struct pv_fleet_visitor *visitor,
    struct pv_why *why, const char *sentence);

#endif
