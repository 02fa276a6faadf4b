#ifndef PAVANE_CRAWL_ROWS_ROWS_ANEW_H
#define PAVANE_CRAWL_ROWS_ROWS_ANEW_H

#include <stdint.h>

#include "base/why.h"

/* Writes all rows of a crawl anew from the pages that its mirror keeps, where
 * no crawl runs: as after its policy describes other fields. Nobody is asked
 * for anything. The old rows are there until the new ones take their place, all
 * at once (crawl/rows/new_rows.h); an update goes on from these.
 *
 * A page is of the kind that the policy's `match` or the links that the crawl
 * found give it; kinds that links have named are known by their names. */
struct pv_policy;

struct pv_rows_anew {
	const char *directory;
	const struct pv_policy
	    *policy;                  /* whose pages and output.fields count */
	bool (*is_enough)(void *ctx); /* whether to give up; asked for each
					   page; NULL: no */
	void *ctx;
};

struct pv_rows_anew_result {
	uint64_t pages;   /* that were read */
	uint64_t rows;    /* that they gave */
	uint64_t missing; /* pages that are not kept, and have no rows */
	uint64_t unread;  /* pages whose files could not be read, the same */
	uint64_t headers; /* fields that are read from headers */
	bool has_unasked; /* the policy follows links to pages that the crawl
			     has not asked for */
	bool is_cut;      /* is_enough said so: the old rows stay */
};

/* False, with the reason, if it cannot be done: somebody crawls there, nothing
 * is kept, the program that ran the crawl gave rows of its own, which no page has,
 * or the disk is in the way. Then the old rows stay. */
bool pv_rows_anew_run(const struct pv_rows_anew *anew,
    struct pv_rows_anew_result *result, struct pv_why *why);

#endif
