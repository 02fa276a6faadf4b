#ifndef PAVANE_CRAWL_RUN_SEEDING_H
#define PAVANE_CRAWL_RUN_SEEDING_H

#include "frontier/frontier.h"
#include "policy/seed_walk.h"
#include "url/url.h"

/* The way of the seeds into the frontier: a batch at a time, each sent when
 * the one before has been written, so that neither a billion of them nor a
 * file without end costs memory. They are walked through at each start, since
 * the policy may have got more of them; what is known stays as it is.
 *
 * A seed that stands for very many lets the others go first: what is left of it
 * comes when all have had their turn. */
struct pv_crawl;

struct pv_seeding {
	size_t number; /* of the seed that is walked through */
	struct pv_seed_walk walk;
	bool is_walking;
	uint64_t walked;        /* addresses and faults of it */
	uint64_t walked_faults; /* those of them */
	uint64_t walked_unkept;
	bool *has_rest; /* which seeds have let others go first */
	bool has_any_rest;
	bool is_second; /* turn: only those */
	bool is_done;
	bool is_reporting;
	uint64_t count;  /* addresses so far */
	uint64_t faults; /* lines that are none */
	uint64_t unkept; /* logins that there is no room for */
	struct pv_report report;
	struct pv_url url;
};

void pv_seeding_init(struct pv_crawl *crawl);
void pv_seeding_finish(struct pv_crawl *crawl);

/* Goes on, if the last batch is written. */
void pv_seeding_step(struct pv_crawl *crawl);

/* Whether enough of them are known for a first visit: those of a large file
 * come while the crawl runs. */
bool pv_seeding_has_begun(const struct pv_crawl *crawl);

#endif
