#include "serve/jobs/job_run.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "serve/jobs/job_cause.h"

#define PROGRESS_MS 500
#define LOOK_MS 1000
#define PATIENCE_MS (INT64_C(60) * 1000)
#define PROGRESS_BYTES_MAX ((size_t)256 << 10)
#define WHY_BYTES_MAX ((size_t)16 << 10)

struct pv_job_run {
	struct pv_job_run_plan plan;
	struct pv_buf id;
	struct pv_buf owner;
	struct pv_buf directory;
	struct pv_run_figures *figures; /* NULL */
	struct pv_buf *opening; /* gets errors while it is opened; or NULL */

	pthread_mutex_t mutex; /* of what follows */
	pthread_cond_t is_free;
	size_t holders;
	struct pavane_crawl *crawl; /* NULL: it was closed */
	struct pv_buf progress;
	struct pv_waiting_hosts hosts;
	uint64_t told;           /* how often it told its progress ... */
	enum pavane_phase phase; /* ... and what it said last */
	struct pv_pulse pulse;
	bool has_ended;
	struct pv_job_end end;
};

static void append(void *ctx, const char *text, size_t len)
{
	pv_buf_append(ctx, (struct pv_str){text, len});
}

/* Called by the crawl, on its thread */

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	struct pv_job_run *run = ctx;
	struct pv_buf json;
	pv_buf_init(&json, PROGRESS_BYTES_MAX);
	pavane_progress_write_json(progress, append, &json);
	while (json.len && json.ptr[json.len - 1] == '\n')
		pv_buf_cut(&json, json.len - 1);
	pv_figures_hear(run->figures, progress);
	pthread_mutex_lock(&run->mutex);
	struct pv_buf before = run->progress;
	run->progress = json;
	run->told++;
	run->phase = progress->phase;
	pthread_mutex_unlock(&run->mutex);
	pv_buf_finish(&before);
	run->plan.on_news(run->plan.ctx, pv_buf_str(&run->id));
}

static void on_host(
    void *ctx, const char *name, const struct pavane_host_look *look)
{
	struct pv_job_run *run = ctx;
	pthread_mutex_lock(&run->mutex);
	pv_waiting_hosts_hear(&run->hosts, pv_str_of(name), look,
	    run->plan.now_ms(run->plan.ctx));
	pthread_mutex_unlock(&run->mutex);
}

static void on_end(void *ctx, enum pavane_end end, const char *reason)
{
	struct pv_job_run *run = ctx;
	pthread_mutex_lock(&run->mutex);
	run->has_ended = true;
	run->end.end = end;
	snprintf(run->end.reason, sizeof(run->end.reason), "%s", reason);
	pthread_mutex_unlock(&run->mutex);
	run->plan.on_end(run->plan.ctx);
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	struct pv_job_run *run = ctx;
	if (run->opening && level == PAVANE_ERROR) {
		if (run->opening->len)
			pv_buf_append_text(run->opening, "; ");
		pv_buf_append_text(run->opening, line);
	}
	run->plan.on_line(run->plan.ctx, pv_buf_str(&run->id), level, line);
}

/* Starting and ending */

static bool open_crawl(struct pv_job_run *run)
{
	static const struct pavane_events events = {
	    .size = sizeof(events), .on_end = on_end, .on_host = on_host};
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	options.directory = run->plan.directory;
	options.level = PAVANE_WARNING;
	options.on_line = on_line;
	options.on_progress = on_progress;
	options.progress_ms = PROGRESS_MS;
	options.ctx = run;
	options.state_dir = run->plan.state_dir;
	options.events = &events;
	options.runtime = run->plan.runtime;
	options.stays_open = run->plan.is_standing;
	options.follows_no_links = run->plan.is_standing;
	options.leaves_out_seeds = run->plan.is_standing;
	options.journal_turn_ms = run->plan.journal_turn_ms;
	run->crawl = pavane_crawl_open(run->plan.policy, &options);
	run->opening = NULL; /* from now on lines come on another thread */
	return run->crawl && pavane_crawl_spawn(run->crawl);
}

struct pv_job_run *pv_job_run_start(
    const struct pv_job_run_plan *plan, struct pv_buf *why)
{
	struct pv_job_run *run = pv_alloc(sizeof(*run));
	run->plan = *plan;
	run->opening = why;
	pthread_mutex_init(&run->mutex, NULL);
	pthread_cond_init(&run->is_free, NULL);
	pv_buf_init(&run->id, SIZE_MAX);
	pv_buf_append(&run->id, plan->id);
	pv_buf_init(&run->owner, SIZE_MAX);
	pv_buf_append(&run->owner, plan->owner);
	pv_buf_init(&run->directory, SIZE_MAX);
	pv_buf_append_text(&run->directory, plan->directory);
	run->plan.directory = pv_buf_text(&run->directory);
	run->figures = pv_figures_begin(plan->figures, plan->id, plan->owner);
	pv_waiting_hosts_init(&run->hosts, plan->key);
	pv_buf_init(&run->progress, PROGRESS_BYTES_MAX);
	if (open_crawl(run))
		return run;
	if (!why->len)
		pv_buf_append_text(why, "the crawl cannot be started");
	pavane_crawl_close(run->crawl);
	run->crawl = NULL;
	pv_job_run_destroy(run);
	return NULL;
}

struct pv_str pv_job_run_id(const struct pv_job_run *run)
{
	return pv_buf_str(&run->id);
}

struct pv_str pv_job_run_owner(const struct pv_job_run *run)
{
	return pv_buf_str(&run->owner);
}

void pv_job_run_stop(struct pv_job_run *run)
{
	pthread_mutex_lock(&run->mutex);
	if (run->crawl)
		pavane_crawl_stop(run->crawl);
	pthread_mutex_unlock(&run->mutex);
}

bool pv_job_run_has_ended(struct pv_job_run *run)
{
	pthread_mutex_lock(&run->mutex);
	bool has_ended = run->has_ended;
	pthread_mutex_unlock(&run->mutex);
	return has_ended;
}

/* Whoever holds it asks for nothing that takes long; the mutex is held. */
static void wait_until_free(struct pv_job_run *run)
{
	while (run->holders)
		pthread_cond_wait(&run->is_free, &run->mutex);
}

void pv_job_run_hold(struct pv_job_run *run)
{
	pthread_mutex_lock(&run->mutex);
	run->holders++;
	pthread_mutex_unlock(&run->mutex);
}

void pv_job_run_let_go(struct pv_job_run *run)
{
	pthread_mutex_lock(&run->mutex);
	if (--run->holders == 0)
		pthread_cond_broadcast(&run->is_free);
	pthread_mutex_unlock(&run->mutex);
}

bool pv_job_run_is_alive(struct pv_job_run *run, int64_t now_ms)
{
	pthread_mutex_lock(&run->mutex);
	bool is_alive =
	    !run->told || run->has_ended || run->phase >= PAVANE_CLOSING ||
	    pv_pulse_beats(&run->pulse, run->told, now_ms, PATIENCE_MS);
	pthread_mutex_unlock(&run->mutex);
	return is_alive;
}

void pv_job_run_end(struct pv_job_run *run, struct pv_job_end *end)
{
	struct pavane_crawl *crawl = run->crawl;
	pavane_crawl_join(crawl);
	pthread_mutex_lock(&run->mutex);
	run->crawl = NULL;
	*end = run->end;
	wait_until_free(run);
	pthread_mutex_unlock(&run->mutex);
	end->has_changed = pavane_crawl_has_changed(crawl);
	pavane_crawl_close(crawl);
	if (end->end == PAVANE_NOT_BEGUN)
		pv_job_cause_add(run->plan.directory, end);
}

void pv_job_run_destroy(struct pv_job_run *run)
{
	struct pv_job_end end;
	if (!run)
		return;
	if (run->crawl)
		pv_job_run_end(run, &end);
	pthread_mutex_lock(&run->mutex);
	wait_until_free(run);
	pthread_mutex_unlock(&run->mutex);
	pv_figures_end(run->figures);
	pavane_policy_destroy(run->plan.policy);
	pthread_cond_destroy(&run->is_free);
	pthread_mutex_destroy(&run->mutex);
	pv_buf_finish(&run->progress);
	pv_waiting_hosts_finish(&run->hosts);
	pv_buf_finish(&run->directory);
	pv_buf_finish(&run->owner);
	pv_buf_finish(&run->id);
	free(run);
}

bool pv_job_run_look_host(
    struct pv_job_run *run, const char *host, struct pavane_host_look *look)
{
	struct pavane_asking asking = PAVANE_INIT(struct pavane_asking);
	asking.wait_ms = LOOK_MS;
	pthread_mutex_lock(&run->mutex);
	struct pavane_crawl *crawl = run->crawl;
	pthread_mutex_unlock(&run->mutex);
	return crawl &&
	       pavane_crawl_look_host(crawl, host, look, &asking) == PAVANE_YES;
}

enum pavane_answer pv_job_run_ask(struct pv_job_run *run, const char *address,
    const struct pavane_asking *asking)
{
	return pavane_crawl_ask(run->crawl, address, NULL, asking);
}

const struct pavane_policy *pv_job_run_policy(const struct pv_job_run *run)
{
	return run->plan.policy;
}

void pv_job_run_write_progress(struct pv_job_run *run, struct pv_buf *json)
{
	pthread_mutex_lock(&run->mutex);
	pv_buf_append(json, pv_buf_str(&run->progress));
	pthread_mutex_unlock(&run->mutex);
}

int64_t pv_job_run_waits_since(struct pv_job_run *run, const char *host)
{
	pthread_mutex_lock(&run->mutex);
	int64_t since_ms = pv_waiting_hosts_since(&run->hosts, pv_str_of(host));
	pthread_mutex_unlock(&run->mutex);
	return since_ms;
}

void pv_job_run_each_host(
    struct pv_job_run *run, pv_waiting_host_fn fn, void *ctx)
{
	pthread_mutex_lock(&run->mutex);
	for (size_t i = 0; i < run->hosts.count; i++) {
		if (!fn(ctx, run->hosts.items[i]))
			break;
	}
	pthread_mutex_unlock(&run->mutex);
}
