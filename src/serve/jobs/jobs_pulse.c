#include "serve/jobs/jobs_state.h"

/* A look wakes the keeper, which then goes round. It may take its time: opening a
 * crawl whose policy was changed, or removing a million files, is work. */
#define KEEPER_PATIENCE_MS (INT64_C(3600) * 1000)

static bool is_keeper_alive(struct pv_jobs *jobs, int64_t now_ms)
{
	bool has_ended = jobs->is_over && !jobs->open_count;
	pv_jobs_ring(jobs);
	return has_ended || pv_pulse_beats(&jobs->keeper_pulse, jobs->rounds,
				now_ms, KEEPER_PATIENCE_MS);
}

bool pv_jobs_are_alive(struct pv_jobs *jobs, int64_t now_ms)
{
	pthread_mutex_lock(&jobs->mutex);
	bool are_alive = is_keeper_alive(jobs, now_ms);
	for (size_t i = 0; i < jobs->open_count; i++)
		are_alive =
		    pv_job_run_is_alive(jobs->open[i].run, now_ms) && are_alive;
	pthread_mutex_unlock(&jobs->mutex);
	return are_alive;
}
