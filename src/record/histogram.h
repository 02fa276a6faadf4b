#ifndef PAVANE_RECORD_HISTOGRAM_H
#define PAVANE_RECORD_HISTOGRAM_H

#include <stdint.h>

#include "base/buf.h"

/* How long something took, many times: counted in steps that grow with the
 * time, each a thirty-second part of its power of two, so that a percentile is
 * right to about three in a hundred, in memory that does not grow. As text it
 * takes room only for the steps that count something. */
#define PV_HISTOGRAM_STEPS 1280

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

/* Appends "step:count" for each step that counts something, with spaces
 * between them. */
void pv_histogram_write(
    const struct pv_histogram *histogram, struct pv_buf *buf);

/* Adds what such a text counts; false, at the first word that makes no sense,
 * with those before it added. */
bool pv_histogram_read(struct pv_histogram *histogram, struct pv_str text);

#endif
