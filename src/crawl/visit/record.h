#ifndef PAVANE_CRAWL_VISIT_RECORD_H
#define PAVANE_CRAWL_VISIT_RECORD_H

#include "frontier/frontier.h"
#include "record/page.h"
#include "store/tables/robots_table.h"

/* What is to be recorded of a visit: the page, as the sinks have it, and the
 * report, as the frontier has it, which become true in one transaction. It is
 * prepared in the pool, completed by commit.h, and the writer's from then until
 * both have come back. */
struct pv_findings;
struct pv_sinks;

struct pv_record {
	struct pv_page page;
	struct pv_report report;
	struct pv_job append; /* the page to the sinks, behind the report */
	unsigned parts;       /* that have not come back */
	uint64_t given_ns;    /* when they were given, by the clock's ticks */
	const struct pv_sinks *sinks;

	/* for those that write into the state */
	const struct pv_findings *findings;
	const struct pv_frontier *frontier; /* for fingerprints */
	uint64_t number;   /* of the page (crawl/consumers/untold.h); 0 for
			    none */
	struct pv_str url; /* by which the address is known */
	struct pv_saved_robots robots;  /* what is kept of a robots.txt ... */
	struct pv_str robots_authority; /* ... of this authority */
	bool is_in_update;              /* as the visit was begun */
};

#endif
