#include "serve/fetches/fetch_hosts.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "serve/fetches/fetches_state.h"

struct waiting_walk {
	struct pv_str id;
	pv_job_host_fn fn;
	void *ctx;
};

static bool give_host(void *ctx, const struct pv_waiting_host *host)
{
	struct waiting_walk *walk = ctx;
	return walk->fn(walk->ctx, walk->id, host);
}

void pv_fetches_each_host(
    struct pv_fetches *fetches, pv_job_host_fn fn, void *ctx)
{
	struct waiting_walk walk = {.fn = fn, .ctx = ctx};
	pthread_mutex_lock(&fetches->mutex);
	for (size_t i = 0; i < fetches->standing_count; i++) {
		struct pv_job_run *run = fetches->standing[i]->run;
		walk.id = pv_job_run_id(run);
		pv_job_run_each_host(run, give_host, &walk);
	}
	pthread_mutex_unlock(&fetches->mutex);
}

struct held_run {
	struct pv_job_run *run;
	struct pv_buf directory;
};

/* Crawls are asked without the mutex. */
static struct held_run *hold_runs(struct pv_fetches *fetches, size_t *count)
{
	pthread_mutex_lock(&fetches->mutex);
	*count = fetches->standing_count;
	struct held_run *held = pv_alloc_array(*count + 1, sizeof(*held));
	for (size_t i = 0; i < *count; i++) {
		const struct pv_standing *standing = fetches->standing[i];
		held[i].run = standing->run;
		pv_buf_init(&held[i].directory, SIZE_MAX);
		pv_buf_append(
		    &held[i].directory, pv_buf_str(&standing->directory));
		pv_job_run_hold(standing->run);
	}
	pthread_mutex_unlock(&fetches->mutex);
	return held;
}

void pv_fetches_look_host(
    struct pv_fetches *fetches, const char *name, pv_job_look_fn fn, void *ctx)
{
	size_t count;
	struct held_run *held = hold_runs(fetches, &count);
	for (size_t i = 0; i < count; i++) {
		struct pavane_host_look look =
		    PAVANE_INIT(struct pavane_host_look);
		const struct pv_job_host host = {
		    .id = pv_job_run_id(held[i].run),
		    .look = &look,
		    .since_ms = pv_job_run_waits_since(held[i].run, name),
		    .policy = pv_job_run_policy(held[i].run),
		    .directory = pv_buf_text(&held[i].directory),
		};
		if (pv_job_run_look_host(held[i].run, name, &look))
			fn(ctx, &host);
		pv_job_run_let_go(held[i].run);
		pv_buf_finish(&held[i].directory);
	}
	free(held);
}
