#ifndef PAVANE_CRAWL_RUN_RUNNING_H
#define PAVANE_CRAWL_RUN_RUNNING_H

#include <stdbool.h>

#include "pavane/pavane.h"

/* A crawl that is open runs to its end: in one call, or by the loop of the
 * program that runs it, step by step.
 *
 * A step takes what is there and starts what is due, and never waits. Before the
 * next one the program waits for the descriptor to be readable, for as long as
 * the time-out says. What takes long at the end, linking a mirror's pages to one
 * another and folding in the log of the state, is then done by a thread of its
 * own (ending.h). All functions are one thread's, but for those that say
 * otherwise. */
struct pv_crawl;

enum pavane_end pv_crawl_run(struct pv_crawl *crawl);

/* False, with the reason logged, if it cannot be run. */
bool pv_crawl_start(struct pv_crawl *crawl);

/* Whether there is another step to come. */
bool pv_crawl_step(struct pv_crawl *crawl);

/* What to wait for, and for how long: -1 is without end. */
int pv_crawl_fd(const struct pv_crawl *crawl);
int pv_crawl_timeout_ms(const struct pv_crawl *crawl);

/* From any thread and from a signal handler. */
void pv_crawl_stop(struct pv_crawl *crawl);

/* The same, to be opened again; it counts for nothing else. */
void pv_crawl_interrupt(struct pv_crawl *crawl);

/* Whether this is a thread of the pool, or the writer's: the crawl waits for
 * those before it is closed. */
bool pv_crawl_is_own_thread(const struct pv_crawl *crawl);

/* As of now, from the thread that runs it. */
const struct pavane_progress *pv_crawl_progress(struct pv_crawl *crawl);

#endif
