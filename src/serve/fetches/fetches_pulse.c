#include "serve/fetches/fetches_state.h"

/* A look wakes the keeper, which then goes round. Opening a crawl, and reading what
 * it has written for days, is work. */
#define KEEPER_PATIENCE_MS (INT64_C(3600) * 1000)

bool pv_fetches_are_alive(struct pv_fetches *fetches, int64_t now_ms)
{
	pv_fetch_bell_ring(&fetches->bell);
	pthread_mutex_lock(&fetches->mutex);
	bool has_ended = fetches->is_over && !fetches->standing_count;
	bool are_alive =
	    has_ended || pv_pulse_beats(&fetches->keeper_pulse, fetches->rounds,
			     now_ms, KEEPER_PATIENCE_MS);
	for (size_t i = 0; i < fetches->standing_count; i++)
		are_alive =
		    pv_job_run_is_alive(fetches->standing[i]->run, now_ms) &&
		    are_alive;
	pthread_mutex_unlock(&fetches->mutex);
	return are_alive;
}
