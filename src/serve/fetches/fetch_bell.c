#include "serve/fetches/fetch_bell.h"

#include "base/system.h"
#include "serve/fetches/fetches_state.h"

void pv_fetch_bell_init(struct pv_fetch_bell *bell)
{
	pthread_condattr_t by_monotonic;
	pthread_mutex_init(&bell->mutex, NULL);
	pthread_condattr_init(&by_monotonic);
	pthread_condattr_setclock(&by_monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&bell->rung, &by_monotonic);
	pthread_condattr_destroy(&by_monotonic);
}

void pv_fetch_bell_finish(struct pv_fetch_bell *bell)
{
	pthread_cond_destroy(&bell->rung);
	pthread_mutex_destroy(&bell->mutex);
}

void pv_fetch_bell_ring(struct pv_fetch_bell *bell)
{
	pthread_mutex_lock(&bell->mutex);
	bell->has_news = true;
	pthread_cond_signal(&bell->rung);
	pthread_mutex_unlock(&bell->mutex);
}

void pv_fetch_bell_reply(
    struct pv_fetch_bell *bell, struct pv_fetch_reply *reply)
{
	pthread_mutex_lock(&bell->mutex);
	reply->next = bell->replies;
	bell->replies = reply;
	bell->has_news = true;
	pthread_cond_signal(&bell->rung);
	pthread_mutex_unlock(&bell->mutex);
}

struct pv_fetch_reply *pv_fetch_bell_take(struct pv_fetch_bell *bell)
{
	pthread_mutex_lock(&bell->mutex);
	struct pv_fetch_reply *replies = bell->replies;
	bell->replies = NULL;
	bell->has_news = false;
	pthread_mutex_unlock(&bell->mutex);
	return replies;
}

void pv_fetch_bell_wait(struct pv_fetch_bell *bell, int64_t most_ms)
{
	int64_t until_ms = pv_time_now().monotonic_ms + most_ms;
	const struct timespec until = {
	    .tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000};
	int fault = 0;
	pthread_mutex_lock(&bell->mutex);
	while (!bell->has_news && !fault) {
		if (most_ms == PV_FETCH_BELL_FOR_EVER)
			pthread_cond_wait(&bell->rung, &bell->mutex);
		else
			fault = pthread_cond_timedwait(
			    &bell->rung, &bell->mutex, &until);
	}
	pthread_mutex_unlock(&bell->mutex);
}
