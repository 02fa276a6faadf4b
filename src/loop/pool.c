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
	struct pv_pool *pool;
	size_t number;
	pthread_t thread;
};

struct pv_pool {
	pthread_mutex_t mutex;
	pthread_cond_t is_ready;
	size_t open;       /* the sender's: given and not received */
	struct line given; /* ...: not handed on yet */
	struct line there;
	struct line back;
	bool is_closed;
	size_t idle;
	size_t untold; /* that are back since the receiver was woken */
	bool is_told;
	pv_pool_wake_fn wake;
	void *ctx;
	size_t count; /* of threads that were started */
	struct worker *workers;
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

/* The next item, or NULL when there will be none any more. The mutex is
 * held. */
static struct pv_work_item *wait_for_item(struct pv_pool *pool)
{
	while (!pool->there.first && !pool->is_closed) {
		pool->idle++;
		pthread_cond_wait(&pool->is_ready, &pool->mutex);
		pool->idle--;
	}
	return line_pop(&pool->there);
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

static void *work(void *ctx)
{
	struct worker *worker = ctx;
	struct pv_pool *pool = worker->pool;
	struct pv_work_item *item;
	pthread_mutex_lock(&pool->mutex);
	while ((item = wait_for_item(pool))) {
		pthread_mutex_unlock(&pool->mutex);
		item->run(item, worker->number);
		pthread_mutex_lock(&pool->mutex);
		line_push(&pool->back, item);
		if (!must_tell(pool))
			continue;
		pthread_mutex_unlock(&pool->mutex);
		pool->wake(pool->ctx);
		pthread_mutex_lock(&pool->mutex);
	}
	pthread_mutex_unlock(&pool->mutex);
	return NULL;
}

static void start_workers(struct pv_pool *pool, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct worker *worker = &pool->workers[i];
		*worker = (struct worker){.pool = pool, .number = i};
		if (!pv_thread_start(
			&worker->thread, "pavane-pool", work, worker))
			break;
		pool->count++;
	}
}

struct pv_pool *pv_pool_create(size_t count, pv_pool_wake_fn wake, void *ctx)
{
	struct pv_pool *pool = pv_alloc(sizeof(*pool));
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->is_ready, NULL);
	line_init(&pool->given);
	line_init(&pool->there);
	line_init(&pool->back);
	pool->wake = wake;
	pool->ctx = ctx;
	pool->workers = pv_alloc_array(count, sizeof(*pool->workers));
	start_workers(pool, count);
	if (pool->count == count)
		return pool;
	pv_pool_destroy(pool);
	return NULL;
}

void pv_pool_destroy(struct pv_pool *pool)
{
	if (!pool)
		return;
	pv_pool_hand_on(pool);
	pthread_mutex_lock(&pool->mutex);
	pool->is_closed = true;
	pthread_cond_broadcast(&pool->is_ready);
	pthread_mutex_unlock(&pool->mutex);
	for (size_t i = 0; i < pool->count; i++)
		pthread_join(pool->workers[i].thread, NULL);
	pv_pool_receive(pool);
	pthread_cond_destroy(&pool->is_ready);
	pthread_mutex_destroy(&pool->mutex);
	free(pool->workers);
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
	bool has_several = pool->given.first->next != NULL;
	pthread_mutex_lock(&pool->mutex);
	*pool->there.end = pool->given.first;
	pool->there.end = pool->given.end;
	size_t idle = pool->idle;
	pthread_mutex_unlock(&pool->mutex);
	line_init(&pool->given);
	if (idle > 1 && has_several)
		pthread_cond_broadcast(&pool->is_ready);
	else if (idle)
		pthread_cond_signal(&pool->is_ready);
}

size_t pv_pool_receive(struct pv_pool *pool)
{
	size_t count = 0;
	pthread_mutex_lock(&pool->mutex);
	struct pv_work_item *item = pool->back.first;
	line_init(&pool->back);
	pool->untold = 0;
	pool->is_told = false;
	pthread_mutex_unlock(&pool->mutex);
	while (item) {
		struct pv_work_item *next = item->next;
		pool->open--;
		item->done(item);
		item = next;
		count++;
	}
	return count;
}
