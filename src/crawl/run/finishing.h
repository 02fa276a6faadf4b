#ifndef PAVANE_CRAWL_RUN_FINISHING_H
#define PAVANE_CRAWL_RUN_FINISHING_H

#include "frontier/frontier.h"

/* Whether a crawl has nothing left, and its last lines.
 *
 * The frontier is asked whether anything is pending, since links may be on
 * their way to it. If not, the journal gets a line for each address that was
 * refused: now it is known that nothing else came of it. What has been written
 * is noted with the lines, so that an end in the midst of it does no harm.
 */
struct pv_crawl;

struct pv_finishing {
	bool is_counting; /* the frontier is asked, or lines are written */
	bool has_nothing; /* left, when it was asked last, and nothing has
			     begun since */
	struct pv_count_request request;
	struct pv_counts counts; /* as of then */
	int64_t refusals_told;   /* up to which address */
	int64_t finished_at;     /* by an earlier run, as wall time; 0 */
};

/* Nothing is open and no host has anything left: goes on to the end, if the
 * frontier says so too. */
void pv_finishing_begin(struct pv_crawl *crawl);

/* Before the store is started: how far it was the last time. */
void pv_finishing_open(struct pv_crawl *crawl);

/* The same: it is complete no more. */
void pv_finishing_reopen(struct pv_crawl *crawl);

#endif
