#ifndef PAVANE_CRAWL_RUN_HALT_H
#define PAVANE_CRAWL_RUN_HALT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pavane/pavane.h"
#include "store/database.h"

/* Whether a crawl is ending, and why.
 *
 * Each part of the conductor notes here what is in the way of going on. That
 * holds at once: nothing new is released from then on. What follows from it is
 * done by stopping.h, which takes the crawl through the phases of its end.
 *
 * The loop owns it; the three flags may be set and read in any thread.
 */
struct pv_crawl;

struct pv_halt {
	atomic_int stop_asked;      /* how often */
	atomic_bool is_interrupted; /* to be opened again at once */
	atomic_bool is_dropping;    /* what is under way is not wanted any
				       more */
	bool is_ending;
	bool is_over; /* nothing is left for the loop to do */
	enum pavane_phase phase;
	enum pavane_end end;
	int64_t drain_until;
	char reason[320]; /* why it ends, in words */
};

/* Somebody asks to stop, or to interrupt the crawl; from any thread. */
void pv_halt_ask(struct pv_halt *halt);
void pv_halt_interrupt(struct pv_halt *halt);

/* The crawl is in another phase from now. */
void pv_halt_enter(struct pv_halt *halt, enum pavane_phase phase);

/* Begins the end, unless it has begun; `reason` is for people, and copied. */
void pv_halt_begin(
    struct pv_crawl *crawl, enum pavane_end end, const char *reason);

/* The crawl cannot go on, because of the disk. */
void pv_halt_fail(struct pv_crawl *crawl, const char *reason);

/* The same, for a page that could not be stored: what went wrong, in words, and
 * its errno. */
void pv_halt_fail_page(struct pv_crawl *crawl, const char *fault, int error);

/* Notes how a paper came back from the writer. */
void pv_halt_note_status(struct pv_crawl *crawl, enum pv_store_status status);

/* Whether somebody has removed the state file: then nothing of the crawl is
 * kept. */
bool pv_halt_is_state_removed(const struct pv_crawl *crawl);

/* When limits.time is reached, to which the time of pauses does not count;
 * PV_NEVER where there is none, or while the crawl is paused. */
int64_t pv_halt_limit_at(const struct pv_crawl *crawl);

/* By when the end is to be over, what comes behind the loop included: what is
 * not done by then is left to another run. PV_NEVER where all is done and no
 * limit is near. */
int64_t pv_halt_deadline(const struct pv_crawl *crawl);

#endif
