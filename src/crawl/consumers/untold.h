#ifndef PAVANE_CRAWL_CONSUMERS_UNTOLD_H
#define PAVANE_CRAWL_CONSUMERS_UNTOLD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What the program that runs the crawl hears of commits (on_committed).
 *
 * Each page gets the next number in the transaction that records it, and a row
 * that says that the program has not heard of it. Once it has, the row goes with
 * the next commit. So a page of which it had not heard when the process ended is
 * in the state, and the next start tells it first, by the same number. */
struct pv_crawl;
struct pv_database;
struct pv_program;
struct pv_record;

struct pv_untold {
	struct pv_program *program; /* NULL, or one that wants to hear: set
				       before the sinks are opened */
	uint64_t last;              /* the writer's: the newest page's number */
	uint64_t kept;              /* ...: as the state has it */
	uint64_t forgotten;         /* ...: up to there no row is left */
	atomic_ullong told;         /* the loop's: up to there it has heard */
};

/* Before the writer is started: reads where an earlier run has ended. */
void pv_untold_open(struct pv_crawl *crawl);

/* The same, when all is ready to run: tells what is left of earlier runs. */
void pv_untold_tell_left(struct pv_crawl *crawl);

/* On the loop: what the record is of is on the disk. */
void pv_untold_tell(struct pv_crawl *crawl, const struct pv_record *record);

/* When the writer has been stopped. */
void pv_untold_close(struct pv_crawl *crawl);

#endif
