#include "serve/jobs/jobs_state.h"

#include <stdio.h>

#include "policy/values/value.h"
#include "serve/jobs/disk_watch.h"
#include "serve/jobs/job_files.h"

struct pv_figures *pv_jobs_figures(const struct pv_jobs *jobs)
{
	return jobs->figures;
}

int64_t pv_jobs_now(const struct pv_jobs *jobs)
{
	return jobs->plan.now_ms(jobs->plan.ctx);
}

void pv_jobs_log(struct pv_jobs *jobs, enum pavane_level level,
    struct pv_str id, const char *line)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_append_format(&text, "%.*s: %s", PV_STR_ARG(id), line);
	pthread_mutex_lock(&jobs->line_mutex);
	jobs->plan.on_line(jobs->plan.line_ctx, level, pv_buf_text(&text));
	pthread_mutex_unlock(&jobs->line_mutex);
	pv_buf_finish(&text);
}

void pv_jobs_set_rate(struct pv_jobs *jobs)
{
	int64_t max_rate = jobs->plan.max_rate;
	if (max_rate == PV_NONE)
		max_rate = 0;
	pavane_runtime_set_rate(jobs->runtime, (unsigned)max_rate,
	    (unsigned)jobs->plan.interval_ms);
}

void pv_jobs_change(struct pv_jobs *jobs, const struct pv_jobs_plan *plan)
{
	pthread_mutex_lock(&jobs->mutex);
	jobs->plan.running = plan->running;
	jobs->plan.queued = plan->queued;
	jobs->plan.per_token = plan->per_token;
	jobs->plan.keep_ms = plan->keep_ms;
	jobs->plan.disk = plan->disk;
	jobs->plan.max_rate = plan->max_rate;
	jobs->plan.interval_ms = plan->interval_ms;
	pv_jobs_set_rate(jobs);
	pv_disk_watch_ring(jobs);
	pv_jobs_ring(jobs);
	pthread_mutex_unlock(&jobs->mutex);
}

void pv_jobs_ring(struct pv_jobs *jobs)
{
	jobs->has_news = true;
	pthread_cond_signal(&jobs->news);
}

bool pv_jobs_has_store(struct pv_jobs *jobs)
{
	struct pv_why why;
	if (jobs->store && pv_job_store_status(jobs->store) == PV_STORE_OK)
		return true;
	pv_why_init(&why);
	pv_job_store_close(jobs->store);
	jobs->store = pv_job_store_open(jobs->plan.directory, &why);
	if (!jobs->store)
		snprintf(jobs->fault, sizeof(jobs->fault), "jobs.db: %s",
		    why.problems.kept[0].text);
	pv_why_finish(&why);
	return jobs->store;
}

struct pv_open_job *pv_jobs_find_open(
    const struct pv_jobs *jobs, struct pv_str id)
{
	for (size_t i = 0; i < jobs->open_count; i++) {
		if (pv_str_equal(pv_job_run_id(jobs->open[i].run), id))
			return &jobs->open[i];
	}
	return NULL;
}

bool pv_jobs_is_busy(const struct pv_jobs *jobs, struct pv_str id)
{
	return pv_jobs_find_open(jobs, id) || pv_str_equal(jobs->opening, id);
}

void pv_jobs_tell_state(struct pv_jobs *jobs)
{
	if (jobs->plan.on_state)
		jobs->plan.on_state(jobs->plan.ctx);
}

bool pv_jobs_set_state(struct pv_jobs *jobs, struct pv_str id,
    enum pv_job_state state, struct pv_str reason)
{
	if (pv_job_state_is_end(state))
		pv_figures_settle(jobs->figures, id);
	bool is_set =
	    pv_jobs_has_store(jobs) && pv_job_store_set_state(jobs->store, id,
					   state, reason, pv_jobs_now(jobs));
	if (is_set) {
		pv_job_news_tell_change(&jobs->changes, id, state);
		pv_job_watches_tell(&jobs->watches, id, true);
		pv_jobs_tell_state(jobs);
	} else if (!jobs->is_broken) {
		pv_jobs_log(jobs, PAVANE_ERROR, id,
		    "jobs.db cannot be written: it is tried again until it can "
		    "be, and no job is begun meanwhile");
	}
	jobs->is_broken = !is_set;
	return is_set;
}

bool pv_jobs_forget(struct pv_jobs *jobs, struct pv_str id)
{
	pv_figures_forget(jobs->figures, id);
	pv_job_files_set_aside(jobs->plan.directory, id);
	return pv_job_store_remove(jobs->store, id);
}
