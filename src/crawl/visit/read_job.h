#ifndef PAVANE_CRAWL_VISIT_READ_JOB_H
#define PAVANE_CRAWL_VISIT_READ_JOB_H

#include <stddef.h>

#include "loop/pool.h"
#include "policy/policy.h"

/* An answer is read in the pool: decoded, parsed, its links joined and judged,
 * its page kept. It is pure work on an open visit that nobody else touches
 * meanwhile; what a thread needs over and over stands on a desk of its own. */
struct pv_crawl;
struct pv_open;
struct pv_reader_desk;

struct pv_readers {
	struct pv_pool *pool;
	struct pv_reader_desk *desks; /* one for each of its threads */
	size_t count;
};

struct pv_reader_desk *pv_reader_desks_create(
    const struct pv_policy *policy, size_t count);
void pv_reader_desks_destroy(struct pv_reader_desk *desks, size_t count);

/* Gives the open visit to the pool, which goes on to settling. */
void pv_read_job_begin(struct pv_open *open);

#endif
