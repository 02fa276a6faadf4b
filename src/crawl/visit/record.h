#ifndef PAVANE_CRAWL_VISIT_RECORD_H
#define PAVANE_CRAWL_VISIT_RECORD_H

#include "frontier/frontier.h"
#include "record/page.h"

/* What is to be recorded of a visit: the page, as the sinks have it, and the
 * report, as the frontier has it, which become true in one transaction. It is
 * prepared in the pool, completed by commit.h, and the writer's from then until
 * both have come back. */
struct pv_record {
	struct pv_page page;
	struct pv_report report;
	struct pv_job line; /* of the sinks, behind the report */
	unsigned parts;     /* that have not come back */
	bool is_in_update;  /* as it was begun */
};

#endif
