#include "serve/webhooks/webhooks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "serve/webhooks/delivering.h"
#include "serve/webhooks/fetch_deliveries.h"
#include "serve/webhooks/webhooks_state.h"

/* Lines of a job that runs are looked for so often, and so wait no longer than
 * that for others to be delivered with them. */
#define LOOK_MS 1000

/* Those of one that does not run come seldom, if at all: after its last news its
 * crawl may still end what is in flight. */
#define LOOK_MS_MAX (INT64_C(3600) * 1000)

/* Between two tries to open a database that has failed. */
#define REOPEN_MS 5000

/* Jobs in memory */

static struct pv_webhook_job *find_job(
    const struct pv_webhooks *webhooks, struct pv_str id)
{
	struct pv_named *named = pv_named_get(&webhooks->jobs, id);
	return named ? pv_webhook_job_of(named) : NULL;
}

/* A job whose webhook is not in the configuration stays as it is on the disk,
 * until it is there again. */
static struct pv_webhook_job *add_job(
    struct pv_webhooks *webhooks, const struct pv_webhook_job_record *record)
{
	uint32_t receiver;
	if (!record->is_outstanding ||
	    !pv_webhook_receivers_find(
		&webhooks->receivers, record->webhook, &receiver))
		return NULL;
	struct pv_webhook_job *job =
	    pv_webhook_job_create(record, webhooks->store);
	job->receiver = receiver;
	job->events = webhooks->receivers.items[receiver].webhook->events;
	job->look_wait_ms = LOOK_MS;
	pv_named_add(&webhooks->jobs, &job->named);
	return job;
}

static void drop_job(struct pv_webhooks *webhooks, struct pv_webhook_job *job)
{
	if (job->is_fetch)
		webhooks->receivers.items[job->receiver].fetch_count--;
	pv_named_remove(&webhooks->jobs, &job->named);
	pv_webhook_job_destroy(job);
}

static bool load_job(void *ctx, const struct pv_webhook_job_record *record)
{
	struct pv_webhooks *webhooks = ctx;
	if (!find_job(webhooks, record->id))
		add_job(webhooks, record);
	return true;
}

/* What was written before is seen in the jobs themselves. */
static void load_jobs(struct pv_webhooks *webhooks)
{
	webhooks->last_event = pv_webhook_store_last_event(webhooks->store);
	pv_webhook_store_each_job(webhooks->store, load_job, webhooks);
}

/* Webhooks */

static void look_soon(struct pv_webhook_job *job)
{
	job->look_ms = 0;
	job->look_wait_ms = LOOK_MS;
}

/* Of a job that is held, what is to be delivered may have become more. One whose
 * receiver is gone (410) stays so. */
static bool keep_job(struct pv_webhooks *webhooks, struct pv_webhook_job *job)
{
	const struct pv_webhook *webhook =
	    webhooks->receivers.items[job->receiver].webhook;
	if (webhook && job->events)
		job->events = job->is_fetch
				  ? webhook->events & PV_WEBHOOK_FETCHES
				  : webhook->events;
	look_soon(job);
	return webhook;
}

void pv_webhooks_change(
    struct pv_webhooks *webhooks, const struct pv_webhook_table *table)
{
	pthread_mutex_lock(&webhooks->mutex);
	pv_webhook_receivers_change(&webhooks->receivers, table);
	for (size_t i = webhooks->jobs.count; i-- > 0;) {
		struct pv_webhook_job *job =
		    pv_webhook_job_of(webhooks->jobs.items[i]);
		if (!keep_job(webhooks, job))
			drop_job(webhooks, job);
	}
	pv_fetch_deliveries_forget(webhooks);
	webhooks->has_others = true;
	pthread_mutex_unlock(&webhooks->mutex);
}

/* Opening and closing */

struct pv_webhooks *pv_webhooks_open(
    const struct pv_webhooks_plan *plan, struct pv_why *why)
{
	struct pv_webhook_store *store =
	    pv_webhook_store_open(plan->directory, why);
	if (!store)
		return NULL;
	struct pv_webhooks *webhooks = pv_alloc(sizeof(*webhooks));
	webhooks->plan = *plan;
	webhooks->store = store;
	pv_webhook_receivers_change(&webhooks->receivers, plan->table);
	pthread_mutex_init(&webhooks->mutex, NULL);
	pv_named_table_init(&webhooks->jobs, plan->key);
	load_jobs(webhooks);
	return webhooks;
}

void pv_webhooks_close(struct pv_webhooks *webhooks)
{
	if (!webhooks)
		return;
	while (webhooks->jobs.count)
		drop_job(webhooks, pv_webhook_job_of(webhooks->jobs.items[0]));
	pv_named_table_finish(&webhooks->jobs);
	pv_webhook_store_close(webhooks->store);
	pv_fetch_delivery_store_close(webhooks->fetches);
	pthread_mutex_destroy(&webhooks->mutex);
	pv_webhook_receivers_finish(&webhooks->receivers);
	free(webhooks);
}

/* After a fault, such as a disk that was full, the file is opened anew. */
static bool has_store(struct pv_webhooks *webhooks, int64_t now)
{
	struct pv_why why;
	if (webhooks->store &&
	    pv_webhook_store_status(webhooks->store) == PV_STORE_OK) {
		webhooks->is_broken = false;
		return true;
	}
	if (now - webhooks->opened_ms < REOPEN_MS)
		return false;
	if (webhooks->store && !webhooks->is_broken)
		webhooks->plan.log(webhooks->plan.ctx, PAVANE_ERROR,
		    PV_STR("webhooks"),
		    pv_webhook_store_fault(webhooks->store));
	webhooks->is_broken = true;
	webhooks->opened_ms = now;
	pv_why_init(&why);
	pv_webhook_store_close(webhooks->store);
	webhooks->store = pv_webhook_store_open(webhooks->plan.directory, &why);
	pv_why_finish(&why);
	return webhooks->store;
}

/* A turn */

static struct pv_webhook_job *take_job(
    struct pv_webhooks *webhooks, struct pv_str id)
{
	struct pv_arena arena;
	struct pv_webhook_job_record record;
	struct pv_webhook_job *job = find_job(webhooks, id);
	if (job)
		return job;
	pv_arena_init(&arena);
	if (pv_webhook_store_get_job(webhooks->store, id, &arena, &record))
		job = add_job(webhooks, &record);
	pv_arena_finish(&arena);
	return job;
}

static bool hear_event(void *ctx, const struct pv_webhook_event *event)
{
	struct pv_webhooks *webhooks = ctx;
	struct pv_webhook_job *job = take_job(webhooks, event->job);
	webhooks->last_event = event->number;
	if (!job)
		return true;
	job->record.state = event->state;
	look_soon(job);
	return true;
}

static bool is_at_work(const struct pv_webhook_job *job)
{
	return job->record.state == PV_JOB_RUNNING ||
	       job->record.state == PV_JOB_STOPPING;
}

static void look(
    struct pv_webhooks *webhooks, struct pv_webhook_job *job, int64_t now)
{
	if (job->is_fetch)
		return;
	bool was_set_back = job->look_ms - now > job->look_wait_ms;
	if (job->look_ms > now && !was_set_back)
		return;
	pv_webhook_job_look(job, webhooks->store, webhooks->plan.directory);
	job->look_ms = now + job->look_wait_ms;
	if (!is_at_work(job) && job->look_wait_ms < LOOK_MS_MAX)
		job->look_wait_ms *= 2;
}

static int64_t sooner(int64_t wait, int64_t other)
{
	if (wait < 0 || other < 0)
		return wait < 0 ? other : wait;
	return wait < other ? wait : other;
}

/* One that was refused is done as soon as that is on the disk. */
static bool is_done(const struct pv_webhook_job *job)
{
	bool is_refused = !job->events;
	for (size_t i = 0; i < job->stream_count; i++)
		is_refused = is_refused && !job->streams[i]->flight &&
			     !job->streams[i]->is_unsaved;
	return is_refused || pv_webhook_job_is_done(job);
}

/* Whether nothing more is owed, on the disk. */
static bool settle(
    struct pv_webhooks *webhooks, const struct pv_webhook_job *job)
{
	if (job->is_fetch)
		return pv_fetch_deliveries_settle(webhooks, job);
	return pv_webhook_store_settle(webhooks->store, job->record.id) ||
	       pv_webhook_store_status(webhooks->store) == PV_STORE_OK;
}

static int64_t tend(struct pv_webhooks *webhooks, struct pv_webhook_job *job,
    int64_t now, unsigned *sent)
{
	if (job->is_fetch && !pv_fetch_deliveries_work(webhooks))
		return REOPEN_MS;
	look(webhooks, job, now);
	int64_t wait = job->is_fetch ? -1 : job->look_ms - now;
	for (size_t i = 0; i < job->stream_count && !job->is_gone; i++)
		wait = sooner(wait, pv_webhook_stream_advance(
					webhooks, job->streams[i], now, sent));
	if (!job->is_gone && is_done(job) && settle(webhooks, job))
		job->is_gone = true;
	return wait;
}

static void drop_gone(struct pv_webhooks *webhooks)
{
	for (size_t i = webhooks->jobs.count; i-- > 0;) {
		struct pv_webhook_job *job =
		    pv_webhook_job_of(webhooks->jobs.items[i]);
		if (job->is_gone)
			drop_job(webhooks, job);
	}
}

/* Jobs have their turns one after the other, each time from the one behind the
 * last that had something to send. */
static int64_t tend_all(struct pv_webhooks *webhooks, int64_t now)
{
	size_t count = webhooks->jobs.count;
	size_t first = webhooks->first;
	int64_t wait = -1;
	bool is_any_gone = false;
	for (size_t i = 0; i < count; i++) {
		size_t place = (first + i) % count;
		struct pv_webhook_job *job =
		    pv_webhook_job_of(webhooks->jobs.items[place]);
		unsigned sent = 0;
		int64_t own = tend(webhooks, job, now, &sent);
		is_any_gone = is_any_gone || job->is_gone;
		if (!job->is_gone)
			wait = sooner(wait, own);
		if (sent)
			webhooks->first = place + 1;
	}
	if (is_any_gone)
		drop_gone(webhooks);
	return wait;
}

int64_t pv_webhooks_turn(struct pv_webhooks *webhooks)
{
	pthread_mutex_lock(&webhooks->mutex);
	int64_t now = webhooks->plan.now_ms(webhooks->plan.ctx);
	int64_t wait = REOPEN_MS;
	bool has_fetches = pv_fetch_deliveries_load(webhooks, now);
	if (has_store(webhooks, now)) {
		if (webhooks->has_others)
			pv_webhook_store_each_job(
			    webhooks->store, load_job, webhooks);
		webhooks->has_others = false;
		pv_webhook_store_each_event(webhooks->store,
		    webhooks->last_event, hear_event, webhooks);
		wait = tend_all(webhooks, now);
		size_t count = webhooks->jobs.count;
		has_fetches = pv_fetch_deliveries_load(webhooks, now);
		if (webhooks->jobs.count > count)
			wait = 0;
	}
	if (!has_fetches)
		wait = sooner(wait, REOPEN_MS);
	if (!webhooks->store ||
	    pv_webhook_store_status(webhooks->store) != PV_STORE_OK)
		wait = REOPEN_MS;
	pthread_mutex_unlock(&webhooks->mutex);
	return wait;
}

void pv_webhooks_on_answer(struct pv_webhooks *webhooks,
    struct pv_webhook_message *message, const struct pv_webhook_answer *answer)
{
	pthread_mutex_lock(&webhooks->mutex);
	pv_webhook_note_answer(webhooks, message, answer);
	pthread_mutex_unlock(&webhooks->mutex);
}

/* Requests */

static enum pv_webhooks_wish begin_again(
    struct pv_webhooks *webhooks, struct pv_str id, bool is_from_start)
{
	struct pv_arena arena;
	struct pv_webhook_job_record record;
	struct pv_webhook_job *job = find_job(webhooks, id);
	uint32_t receiver;
	pv_arena_init(&arena);
	enum pv_webhooks_wish wish =
	    pv_webhook_store_get_job(webhooks->store, id, &arena, &record) &&
		    pv_webhook_receivers_find(
			&webhooks->receivers, record.webhook, &receiver)
		? PV_WEBHOOKS_DONE
		: PV_WEBHOOKS_NONE;
	if (wish == PV_WEBHOOKS_DONE &&
	    pv_webhook_store_begin_again(webhooks->store, id, is_from_start)) {
		if (job)
			drop_job(webhooks, job);
		record.is_outstanding = true;
		add_job(webhooks, &record);
	}
	if (pv_webhook_store_status(webhooks->store) != PV_STORE_OK)
		wish = PV_WEBHOOKS_FAULT;
	pv_arena_finish(&arena);
	return wish;
}

enum pv_webhooks_wish pv_webhooks_redeliver(
    struct pv_webhooks *webhooks, struct pv_str job, bool is_from_start)
{
	pthread_mutex_lock(&webhooks->mutex);
	int64_t now = webhooks->plan.now_ms(webhooks->plan.ctx);
	enum pv_webhooks_wish wish =
	    has_store(webhooks, now) ? begin_again(webhooks, job, is_from_start)
				     : PV_WEBHOOKS_FAULT;
	pthread_mutex_unlock(&webhooks->mutex);
	return wish;
}

void pv_webhooks_each_position(struct pv_webhooks *webhooks, struct pv_str job,
    pv_webhook_position_fn fn, void *ctx)
{
	pthread_mutex_lock(&webhooks->mutex);
	if (webhooks->store)
		pv_webhook_store_each_position(webhooks->store, job, fn, ctx);
	pthread_mutex_unlock(&webhooks->mutex);
}

static void count_waiting(
    const struct pv_webhook_job *job, struct pv_webhook_figures *figures)
{
	for (size_t i = 0; i < job->stream_count && !job->is_fetch; i++)
		figures->waiting += pv_webhook_stream_waits(job->streams[i]);
}

/* The names stay, whatever becomes of the configuration. */
void pv_webhooks_each_figures(
    struct pv_webhooks *webhooks, pv_webhook_figures_fn fn, void *ctx)
{
	pthread_mutex_lock(&webhooks->mutex);
	size_t count = webhooks->receivers.count;
	struct pv_webhook_figures *figures =
	    pv_alloc_array(count + 1, sizeof(*figures));
	for (size_t i = 0; i < webhooks->jobs.count; i++) {
		const struct pv_webhook_job *job =
		    pv_webhook_job_of(webhooks->jobs.items[i]);
		count_waiting(job, &figures[job->receiver]);
	}
	for (size_t i = 0; i < count; i++) {
		const struct pv_webhook_receiver *receiver =
		    &webhooks->receivers.items[i];
		figures[i].name = receiver->webhook ? receiver->name : NULL;
		figures[i].waiting +=
		    pv_fetch_deliveries_count(webhooks, receiver->name);
		figures[i].delivered = receiver->delivered;
		figures[i].failed = receiver->failed;
		figures[i].ended = receiver->ended;
	}
	pthread_mutex_unlock(&webhooks->mutex);
	for (size_t i = 0; i < count; i++) {
		if (figures[i].name)
			fn(ctx, &figures[i]);
	}
	free(figures);
}
