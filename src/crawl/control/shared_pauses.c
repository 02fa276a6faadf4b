#include "crawl/control/shared_pauses.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"

struct pv_shared_pauses {
	atomic_uint_least64_t version;
	pthread_mutex_t mutex; /* of what follows */
	struct pv_orders orders;
};

struct pv_shared_pauses *pv_shared_pauses_create(void)
{
	struct pv_shared_pauses *shared = pv_alloc(sizeof(*shared));
	pthread_mutex_init(&shared->mutex, NULL);
	pv_orders_init(&shared->orders);
	return shared;
}

void pv_shared_pauses_destroy(struct pv_shared_pauses *shared)
{
	pv_orders_finish(&shared->orders);
	pthread_mutex_destroy(&shared->mutex);
	free(shared);
}

static bool put(struct pv_orders *orders, const struct pv_pause *pause)
{
	struct pv_str host = pv_str_of(pause->host);
	if (!pv_orders_pause(
		orders, host, pause->since_wall_ms, pause->until_wall_ms))
		return false;
	pv_orders_say_why(orders, host, pv_str_of(pause->why));
	return true;
}

bool pv_shared_pauses_set(
    struct pv_shared_pauses *shared, const struct pv_pause *pause)
{
	pthread_mutex_lock(&shared->mutex);
	pv_orders_tidy(&shared->orders, pause->since_wall_ms);
	bool is_set = put(&shared->orders, pause);
	atomic_fetch_add(&shared->version, 1);
	pthread_mutex_unlock(&shared->mutex);
	return is_set;
}

bool pv_shared_pauses_lift(struct pv_shared_pauses *shared, struct pv_str host)
{
	pthread_mutex_lock(&shared->mutex);
	bool was_paused = pv_orders_resume(&shared->orders, host);
	atomic_fetch_add(&shared->version, 1);
	pthread_mutex_unlock(&shared->mutex);
	return was_paused;
}

bool pv_shared_pauses_read(struct pv_shared_pauses *shared, uint64_t *version,
    struct pv_orders *orders)
{
	if (atomic_load(&shared->version) == *version)
		return false;
	pv_orders_finish(orders);
	pv_orders_init(orders);
	pthread_mutex_lock(&shared->mutex);
	*version = atomic_load(&shared->version);
	for (size_t i = 0; i < shared->orders.count; i++)
		put(orders, &shared->orders.pauses[i]);
	pthread_mutex_unlock(&shared->mutex);
	return true;
}
