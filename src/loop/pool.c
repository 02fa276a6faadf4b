#include "loop/pool.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/system.h"

#define TELL_AT 16

struct line {
	struct pv_work_item *first;
	struct pv_work_item **end;
};

struct worker {
	struct pv_workers *workers;
	size_t number;
	pthread_t thread;
};

struct pv_workers {
	pthread_mutex_t mutex; /* of their pools, too */
	pthread_cond_t is_ready;
	struct pv_pool *first; /* of the pools that have work */
	struct pv_pool **end;
	size_t idle;
	bool is_closed;
	size_t count; /* of threads that were started */
	struct worker *items;
};

struct pv_pool {
	struct pv_workers *workers;
	size_t open;       /* the sender's: given and not received */
	struct line given; /* ...: not handed on yet */
	struct line there;
	struct line back;
	size_t busy; /* threads that are at it */
	pthread_cond_t is_done;
	struct pv_pool *next; /* that has work */
	bool is_in_line;
	size_t untold; /* that are back since the receiver was woken */
	bool is_told;
	pv_pool_wake_fn wake;
	void *ctx;
};

static void line_init(struct line *line)
{
	line->first = NULL;
	line->end = &line->first;
}

static void line_push(struct line *line, struct pv_work_item *item)
{
	item->next = NULL;
	*line->end = item;
	line->end = &item->next;
}

static struct pv_work_item *line_pop(struct line *line)
{
	struct pv_work_item *item = line->first;
	if (!item)
		return NULL;
	line->first = item->next;
	if (!line->first)
		line->end = &line->first;
	return item;
}

/* Behind the others, if it has work. The mutex is held. */
static void stand_in_line(struct pv_pool *pool)
{
	struct pv_workers *workers = pool->workers;
	if (pool->is_in_line || !pool->there.first)
		return;
	pool->is_in_line = true;
	pool->next = NULL;
	*workers->end = pool;
	workers->end = &pool->next;
}

/* The pool whose turn it is, or NULL when there will be none any more. The
 * mutex is held. */
static struct pv_pool *wait_for_pool(struct pv_workers *workers)
{
	while (!workers->first && !workers->is_closed) {
		workers->idle++;
		pthread_cond_wait(&workers->is_ready, &workers->mutex);
		workers->idle--;
	}
	struct pv_pool *pool = workers->first;
	if (!pool)
		return NULL;
	workers->first = pool->next;
	if (!workers->first)
		workers->end = &workers->first;
	pool->is_in_line = false;
	return pool;
}

/* The receiver is woken when nothing is left to do, or for a batch of this
 * size: where threads share a processor, it takes turns with them no more often
 * than that. The mutex is held. */
static bool must_tell(struct pv_pool *pool)
{
	pool->untold++;
	if (pool->is_told || (pool->there.first && pool->untold < TELL_AT))
		return false;
	pool->is_told = true;
	return true;
}

/* Does an item of the pool. The mutex is held, but for the work. */
static void work_for(struct pv_pool *pool, size_t number)
{
	pthread_mutex_t *mutex = &pool->workers->mutex;
	struct pv_work_item *item = line_pop(&pool->there);
	stand_in_line(pool);
	pool->busy++;
	pthread_mutex_unlock(mutex);
	item->run(item, number);
	pthread_mutex_lock(mutex);
	line_push(&pool->back, item);
	if (must_tell(pool)) {
		pthread_mutex_unlock(mutex);
		pool->wake(pool->ctx);
		pthread_mutex_lock(mutex);
	}
	pool->busy--;
	if (!pool->busy && !pool->there.first)
		pthread_cond_signal(&pool->is_done);
}

static void *work(void *ctx)
{
	struct worker *worker = ctx;
	struct pv_workers *workers = worker->workers;
	struct pv_pool *pool;
	pthread_mutex_lock(&workers->mutex);
	while ((pool = wait_for_pool(workers)))
		work_for(pool, worker->number);
	pthread_mutex_unlock(&workers->mutex);
	return NULL;
}

static void start_workers(struct pv_workers *workers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct worker *worker = &workers->items[i];
		*worker = (struct worker){.workers = workers, .number = i};
		if (!pv_thread_start(
			&worker->thread, "pavane-pool", work, worker))
			break;
		workers->count++;
	}
}

struct pv_workers *pv_workers_create(size_t count)
{
	struct pv_workers *workers = pv_alloc(sizeof(*workers));
	pthread_mutex_init(&workers->mutex, NULL);
	pthread_cond_init(&workers->is_ready, NULL);
	workers->end = &workers->first;
	workers->items = pv_alloc_array(count, sizeof(*workers->items));
	start_workers(workers, count);
	if (workers->count == count)
		return workers;
	pv_workers_destroy(workers);
	return NULL;
}

size_t pv_workers_count(const struct pv_workers *workers)
{
	return workers->count;
}

bool pv_workers_has_this_thread(const struct pv_workers *workers)
{
	for (size_t i = 0; i < workers->count; i++) {
		if (pthread_equal(workers->items[i].thread, pthread_self()))
			return true;
	}
	return false;
}

void pv_workers_destroy(struct pv_workers *workers)
{
	if (!workers)
		return;
	pthread_mutex_lock(&workers->mutex);
	workers->is_closed = true;
	pthread_cond_broadcast(&workers->is_ready);
	pthread_mutex_unlock(&workers->mutex);
	for (size_t i = 0; i < workers->count; i++)
		pthread_join(workers->items[i].thread, NULL);
	pthread_cond_destroy(&workers->is_ready);
	pthread_mutex_destroy(&workers->mutex);
	free(workers->items);
	free(workers);
}

struct pv_pool *pv_pool_create(
    struct pv_workers *workers, pv_pool_wake_fn wake, void *ctx)
{
	struct pv_pool *pool = pv_alloc(sizeof(*pool));
	pool->workers = workers;
	pool->wake = wake;
	pool->ctx = ctx;
	pthread_cond_init(&pool->is_done, NULL);
	line_init(&pool->given);
	line_init(&pool->there);
	line_init(&pool->back);
	return pool;
}

void pv_pool_destroy(struct pv_pool *pool)
{
	if (!pool)
		return;
	pv_pool_hand_on(pool);
	pthread_mutex_lock(&pool->workers->mutex);
	while (pool->there.first || pool->busy)
		pthread_cond_wait(&pool->is_done, &pool->workers->mutex);
	pthread_mutex_unlock(&pool->workers->mutex);
	pv_pool_receive(pool);
	pthread_cond_destroy(&pool->is_done);
	free(pool);
}

void pv_pool_give(struct pv_pool *pool, struct pv_work_item *item)
{
	pool->open++;
	line_push(&pool->given, item);
}

bool pv_pool_is_idle(const struct pv_pool *pool)
{
	return !pool->open;
}

void pv_pool_hand_on(struct pv_pool *pool)
{
	if (!pool->given.first)
		return;
	struct pv_workers *workers = pool->workers;
	bool has_several = pool->given.first->next != NULL;
	pthread_mutex_lock(&workers->mutex);
	*pool->there.end = pool->given.first;
	pool->there.end = pool->given.end;
	stand_in_line(pool);
	size_t idle = workers->idle;
	pthread_mutex_unlock(&workers->mutex);
	line_init(&pool->given);
	if (idle > 1 && has_several)
		pthread_cond_broadcast(&workers->is_ready);
	else if (idle)
		pthread_cond_signal(&workers->is_ready);
}

size_t pv_pool_receive(struct pv_pool *pool)
{
	size_t count = 0;
	pthread_mutex_lock(&pool->workers->mutex);
	struct pv_work_item *item = pool->back.first;
	line_init(&pool->back);
	pool->untold = 0;
	pool->is_told = false;
	pthread_mutex_unlock(&pool->workers->mutex);
	while (item) {
		struct pv_work_item *next = item->next;
		pool->open--;
		item->done(item);
		item = next;
		count++;
	}
	return count;
}
