#ifndef PAVANE_CRAWL_HISTOGRAM_H
#define PAVANE_CRAWL_HISTOGRAM_H

#include <stdint.h>

/* How long something took, many times: counted in steps that grow with the
 * time, each an eighth of its power of two, so that a percentile is right to
 * about a tenth, in memory that does not grow. */
#define PV_HISTOGRAM_STEPS 320

struct pv_histogram {
	uint64_t counts[PV_HISTOGRAM_STEPS];
	uint64_t count;
};

/* In microseconds; what is negative did not happen. */
void pv_histogram_add(struct pv_histogram *histogram, int64_t time_us);

/* What so many in a hundred stayed under, in milliseconds; negative where
 * nothing was counted. */
double pv_histogram_percentile(
    const struct pv_histogram *histogram, double percent);

#endif
