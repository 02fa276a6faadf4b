#ifndef PAVANE_TESTS_BELL_H
#define PAVANE_TESTS_BELL_H

#include <pthread.h>

/* One thread rings, another waits for it: each ring ends one wait. */
struct bell {
	pthread_mutex_t mutex;
	pthread_cond_t is_ringing;
	unsigned rings;
};

static inline void bell_init(struct bell *bell)
{
	pthread_mutex_init(&bell->mutex, NULL);
	pthread_cond_init(&bell->is_ringing, NULL);
	bell->rings = 0;
}

static inline void bell_finish(struct bell *bell)
{
	pthread_cond_destroy(&bell->is_ringing);
	pthread_mutex_destroy(&bell->mutex);
}

static inline void bell_ring(void *ctx)
{
	struct bell *bell = ctx;
	pthread_mutex_lock(&bell->mutex);
	bell->rings++;
	pthread_cond_signal(&bell->is_ringing);
	pthread_mutex_unlock(&bell->mutex);
}

static inline void bell_wait(struct bell *bell)
{
	pthread_mutex_lock(&bell->mutex);
	while (!bell->rings)
		pthread_cond_wait(&bell->is_ringing, &bell->mutex);
	bell->rings--;
	pthread_mutex_unlock(&bell->mutex);
}

#endif
