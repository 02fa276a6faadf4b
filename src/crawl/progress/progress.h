#ifndef PAVANE_CRAWL_PROGRESS_PROGRESS_H
#define PAVANE_CRAWL_PROGRESS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "crawl/progress/counters.h"
#include "crawl/progress/failures.h"
#include "crawl/progress/host_events.h"
#include "crawl/progress/moment.h"
#include "frontier/frontier.h"
#include "pavane/pavane.h"

/* How far a crawl is: passed to the caller's callback at the interval that it
 * asked for, and written into the state now and then for those who look from
 * outside (saved_progress.h). */
struct pv_crawl;

struct pv_progress {
	struct pavane_progress figures;
	struct pv_moment moment;
	struct pv_failures failures;
	struct pv_host_events host_events;
	char held[240];
	char status_words[PAVANE_TALLIES_MAX][8];
	struct pv_count_request request; /* what the frontier counts ... */
	bool is_looking;                 /* ... for this */
	bool has_forecast;               /* how long it will take was logged */
	uint64_t looked_at_reports; /* so many had been given then */
	uint64_t known;       /* addresses, and how many were done when ... */
	uint64_t grown_at;    /* ... they had last become more */
	int64_t beat_at;      /* the next one */
	int64_t sampled_at;   /* the pace */
	int64_t kept_at;      /* the state of things */
	uint64_t kept_pauses; /* that were kept: their version */
	uint64_t turned_at;   /* the loop, by the clock's ticks */
	uint64_t turned_idle;
	enum pv_holder holder; /* whom the loop waits for */
};

void pv_progress_begin(struct pv_crawl *crawl);

/* Each round of the loop: what it is held by, and how long it took. */
void pv_progress_turn(struct pv_crawl *crawl);

/* A step begins: the time since the last round was nobody's, and what the
 * processor did was not the crawl's. */
void pv_progress_return(struct pv_crawl *crawl);

/* Now and then; and without waiting for that, before what may take long. */
void pv_progress_beat(struct pv_crawl *crawl);
void pv_progress_tell(struct pv_crawl *crawl);

/* Writes down how it has ended, if it has done anything; and tells it. */
void pv_progress_keep_end(struct pv_crawl *crawl);
void pv_progress_end(struct pv_crawl *crawl);

/* What the frontier has counted; nothing is learnt from a count that failed. */
void pv_progress_hear_counts(struct pv_crawl *crawl,
    const struct pv_count_request *request, enum pv_store_status status);

/* Brings crawl->progress.figures up to date. */
void pv_progress_fill(struct pv_crawl *crawl);

#endif
