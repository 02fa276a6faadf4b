#ifndef PAVANE_CRAWL_VISIT_READ_JOB_H
#define PAVANE_CRAWL_VISIT_READ_JOB_H

#include <stdatomic.h>

#include "loop/clock.h"
#include "loop/pool.h"
#include "reading/answer.h"
#include "reading/context.h"
#include "record/page.h"
#include "record/result.h"

/* The work of the pool on one answer: its parts are put together, its coding is
 * undone, it is read, its page is stored.
 *
 * All that a thread of the pool may touch stands here: the papers of one visit,
 * which nobody else touches meanwhile, and what all threads may read of the
 * crawl. The conductor is not among it.
 */
struct pv_findings;
struct pv_linking;
struct pv_reader_desk;
struct pv_resumption;
struct pv_sinks;

/* What the readers have of the crawl. */
struct pv_readers {
	struct pv_pool *pool;
	struct pv_reader_desk *desks; /* one for each of its threads */
	size_t count;
	const struct pv_reading_context *context;
	const struct pv_sinks *sinks;
	struct pv_linking *linking;     /* of a mirror's pages */
	const char *directory;          /* the crawl's */
	const atomic_bool *is_dropping; /* what is under way is not wanted any
					   more */
	const struct pv_clock_kind *clock_kind; /* for a stopwatch */
	struct pv_clock *clock;
};

struct pv_read_job {
	struct pv_work_item work; /* the first, so that it is found by it */
	const struct pv_readers *readers;

	/* the papers */
	struct pv_response *response; /* until it is an answer */
	struct pv_body *decoded;      /* for what is decoded, empty */
	struct pv_resumption *part;
	struct pv_answer answer;
	struct pv_findings *findings;
	struct pv_page *page;
	struct pv_result result; /* what is to be recorded of the answer */
	bool is_out_of_tries;    /* which is worth a word */
	bool is_probe;           /* it is enough that it was answered */

	/* how it went */
	bool is_abandoned; /* it could not be kept: it is pending again */
	bool is_dropped;   /* it was not read */
	bool is_shown;     /* to the program, which may have had rows for it */
	uint64_t given_us;
	int64_t waited_us; /* for a thread */
};

/* Gives the job to the pool; `done` is called on the loop. */
void pv_read_job_give(
    struct pv_read_job *job, void (*done)(struct pv_work_item *item));

#endif
