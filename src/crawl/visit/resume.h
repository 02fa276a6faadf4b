#ifndef PAVANE_CRAWL_VISIT_RESUME_H
#define PAVANE_CRAWL_VISIT_RESUME_H

#include <stdbool.h>

#include "record/part.h"

/* Large bodies that were broken off are continued where they were, instead of
 * from the beginning (record/part.h).
 *
 * What came is kept as a part when its visit is to be tried again, and the next
 * try asks for the rest. If that fits, the whole is put together and read as if
 * it had come in one answer; if it was broken off as well, the part has become
 * longer; if it does not fit, the part is thrown away, and the page is asked
 * for whole. Whatever else comes leaves the part as it is, until the visit is
 * done.
 *
 * A try that brought PV_PART_BYTES_MIN more does not count against
 * fetch.retries, up to a hundred times for an address: so a large file comes
 * through over a line that breaks again and again, while one that never gets
 * further is given up like any other.
 *
 * Each of these functions says nothing of a visit that is not about a large
 * body.
 */
struct pv_answer;
struct pv_findings;
struct pv_flight;
struct pv_request;

/* What to do with the part, once it is known what becomes of the visit. */
enum pv_part_plan {
	PV_PART_AS_IT_IS,
	PV_PART_DROP,
	PV_PART_BEGIN,
	PV_PART_LONGER,
	PV_PART_WHOLE,
};

/* How its file came out of the pool. */
enum pv_part_result {
	PV_PART_FINE,
	PV_PART_UNWRITTEN, /* it could not be kept: it is as good as none */
	PV_PART_DAMAGED,   /* what was kept of it is no use */
};

/* The part of a large body of one visit: the loop's until the answer has ended,
 * then the pool's, which sets what stands last, then the loop's again. */
struct pv_resumption {
	uint64_t address;
	struct pv_part part; /* as it is, or as it is to be kept */
	struct pv_buf texts;
	bool is_continuing;
	enum pv_part_plan plan;
	bool is_gain;       /* the try does not count */
	bool had_part;      /* before this visit ... */
	uint64_t had_bytes; /* ... of that size */

	enum pv_part_result result;
	bool is_kept;    /* the part, as it is to be reported */
	bool is_dropped; /* or that there is none any more */
	uint64_t came_bytes;
};

/* With room for its texts; memory is kept by clearing. */
void pv_resumption_init(struct pv_resumption *resumption);
void pv_resumption_clear(struct pv_resumption *resumption);
void pv_resumption_finish(struct pv_resumption *resumption);

/* Asks for the rest; false if there is no part that could be continued. */
bool pv_resume_ask(struct pv_flight *flight, struct pv_request *request);

/* Looks at what came, before anybody judges it: whether it is what it said. */
void pv_resume_look(struct pv_flight *flight);

/* Whether it got so much further that the try does not count. */
bool pv_resume_has_gained(const struct pv_flight *flight);

/* Decides what to do with the part; the visit's kind is known. */
void pv_resume_plan(struct pv_flight *flight);

/* In the pool, when that is done (crawl/visit/part_files.h): says so in the
 * journal's line. */
void pv_resume_remark(const struct pv_resumption *resumption,
    const struct pv_answer *answer, struct pv_findings *findings);

/* On the loop again: counts what there is now. */
void pv_resume_done(const struct pv_flight *flight);

/* What becomes of the visit then: what could not be kept counts as a try, and
 * what was damaged does not. */
enum pv_report_kind pv_resume_kind(const struct pv_flight *flight);

#endif
