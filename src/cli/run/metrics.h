#ifndef PAVANE_CLI_RUN_METRICS_H
#define PAVANE_CLI_RUN_METRICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pavane/pavane.h"

/* The figures of a crawl for Prometheus, in a file that a collector of text
 * files reads (https://prometheus.io/docs/instrumenting/exposition_formats/).
 *
 * It is written anew every few seconds and at the end, beside itself and then
 * put in its place, so that nobody reads half of it. Labels are words of ours,
 * so that there are never more series for a larger crawl. Counters are those of
 * this run and begin anew with the next.
 */
struct pv_metrics {
	const char *file; /* NULL: nobody wants them */
	const char *directory;
	int64_t written_ms; /* of the run; negative: not yet */
	bool has_failed;    /* and has been told */
};

void pv_metrics_init(
    struct pv_metrics *metrics, const char *file, const char *directory);

/* Writes them if it is time, or the crawl has ended. False, by errno, the first
 * time that this fails. */
bool pv_metrics_take(
    struct pv_metrics *metrics, const struct pavane_progress *progress);

void pv_metrics_write(
    const struct pavane_progress *progress, const char *directory, FILE *file);

#endif
