#ifndef PAVANE_CRAWL_RUN_ENDING_H
#define PAVANE_CRAWL_RUN_ENDING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/log.h"

/* What comes behind a crawl's loop, when all is committed: its mirror's pages
 * are linked to one another, its start page is written, and the log of the
 * state is folded in. Each of them may take long.
 *
 * Where the crawl is stepped, a thread of its own does it. The crawl is that
 * thread's until it is over; only requests to stop reach it. Lines that it logs
 * are kept for the next step, since they go out on the stepping thread. */
struct pv_crawl;

struct pv_ending {
	pthread_t thread;
	pthread_t stepping;
	bool is_begun;
	bool has_thread;
	bool has_entry_page; /* index.html was written */
	atomic_bool is_over;
	pthread_mutex_t mutex;
	struct pv_buf lines; /* a level and a text each, that ends with NUL */
};

/* On the thread that calls. */
void pv_ending_run(struct pv_crawl *crawl);

/* On a thread of its own; here if there can be none. The loop is woken when
 * it is over. */
void pv_ending_begin(struct pv_crawl *crawl);

/* Passes on what was logged; whether it is over. */
bool pv_ending_look(struct pv_crawl *crawl);

/* Waits until it is over, if it has begun. */
void pv_ending_finish(struct pv_crawl *crawl);

/* The crawl is closed: what is not done yet is left to the next run. */
void pv_ending_give_up(struct pv_crawl *crawl);

/* Keeps a line that is logged by another thread than the one that steps; false
 * for that one, which passes it on itself. */
bool pv_ending_keep_line(
    struct pv_ending *ending, enum pv_log_level level, struct pv_str line);

#endif
