#ifndef PAVANE_LOOP_POOL_H
#define PAVANE_LOOP_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Threads for what burns CPU or touches many files: pure work on papers that
 * the caller owns.
 *
 * The threads may have several pools, one for each that gives them work; pools
 * with work take turns, an item each, so that none waits for all that another
 * has given. A pool's work is done in the order in which it was given, by
 * whichever thread is free, and comes back in the order in which it was done.
 * What is given and received is one thread's; nothing is bounded here, since
 * the caller counts what is open.
 */
struct pv_work_item {
	struct pv_work_item *next;
	/* In any thread; `worker` is its number, under their count. */
	void (*run)(struct pv_work_item *item, size_t worker);
	/* In the thread that receives. */
	void (*done)(struct pv_work_item *item);
};

/* Called in any thread when there is something to receive: soon, or when there
 * is more. */
typedef void (*pv_pool_wake_fn)(void *ctx);

struct pv_workers;

/* NULL if so many threads cannot be created. */
struct pv_workers *pv_workers_create(size_t count);
size_t pv_workers_count(const struct pv_workers *workers);

/* Whether one of them asks. */
bool pv_workers_has_this_thread(const struct pv_workers *workers);

/* When they have no pool any more. */
void pv_workers_destroy(struct pv_workers *workers);

struct pv_pool;

struct pv_pool *pv_pool_create(
    struct pv_workers *workers, pv_pool_wake_fn wake, void *ctx);

/* Finishes what was given; what has not come back yet is received. */
void pv_pool_destroy(struct pv_pool *pool);

/* What is given is handed on together by pv_pool_hand_on, so that a thread is
 * not woken for each. */
void pv_pool_give(struct pv_pool *pool, struct pv_work_item *item);
void pv_pool_hand_on(struct pv_pool *pool);

/* Whether all that was given has been received. */
bool pv_pool_is_idle(const struct pv_pool *pool);

/* Calls `done` for all that has come back; how many. */
size_t pv_pool_receive(struct pv_pool *pool);

#endif
