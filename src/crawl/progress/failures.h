#ifndef PAVANE_CRAWL_PROGRESS_FAILURES_H
#define PAVANE_CRAWL_PROGRESS_FAILURES_H

#include <stddef.h>

#include "pavane/pavane.h"

/* The first addresses of a run that could not be fetched, and what came
 * instead, for its summary. A robots.txt or a sitemap that is not there is no
 * failure. */
struct pv_flight;

#define PV_FAILURE_ADDRESS_SIZE 512
#define PV_FAILURE_WHAT_SIZE 120

struct pv_failures {
	struct {
		char address[PV_FAILURE_ADDRESS_SIZE];
		char what[PV_FAILURE_WHAT_SIZE];
	} items[PAVANE_FAILURES_MAX];
	size_t count;
};

/* A visit has ended for good: it is noted, and counted, if it has failed. */
void pv_failures_note(struct pv_flight *flight);

/* Names them in the progress, whose texts are kept here. */
void pv_failures_fill(
    const struct pv_failures *failures, struct pavane_progress *progress);

#endif
