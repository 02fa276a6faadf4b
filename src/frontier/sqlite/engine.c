#include "frontier/sqlite/engine.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "frontier/sqlite/kind_numbers.h"
#include "frontier/sqlite/recent.h"
#include "frontier/sqlite/tables.h"
#include "store/schema.h"
#include "store/tables/state_figures.h"

struct sqlite_frontier {
	struct pv_frontier frontier;
	struct pv_store *store;
	struct pv_recent recent; /* the sender's */
	struct pv_tables tables; /* the writer's, as is what follows */
	struct task *last;       /* of the group, that waits for its commit */
};

/* So many links of a page may go ahead of it, in a commit of their own: a page
 * that links to 100,000 addresses changes as many rows, and nearly as many
 * pages of the file. They change about PV_WAL_JOB_PAGES at most
 * (frontier/sqlite/link_pages.h). */
#define LINKS_AT_ONCE 250

/* A paper with the job that carries it. */
struct task {
	struct pv_job job;
	struct sqlite_frontier *owner;
	void *paper;
	size_t first_link; /* of a report's */
	size_t end_link;
	struct pv_work work; /* of the whole group, on the last one of it */
};

static struct sqlite_frontier *sqlite_of(struct pv_frontier *frontier)
{
	return (struct sqlite_frontier *)frontier;
}

static struct task *task_of(struct pv_job *job)
{
	return (struct task *)job;
}

static struct task *make_task(
    struct pv_frontier *frontier, const struct pv_job *job, void *paper)
{
	struct task *task = pv_alloc(sizeof(*task));
	*task = (struct task){
	    .job = *job, .owner = sqlite_of(frontier), .paper = paper};
	return task;
}

static bool send(struct pv_frontier *frontier, const struct pv_job *job,
    void *paper, int64_t now)
{
	struct task *task = make_task(frontier, job, paper);
	bool is_sent =
	    pv_writer_send(&task->owner->store->writer, &task->job, now);
	if (!is_sent)
		free(task);
	return is_sent;
}

/* Tells what the group has brought, and gives the paper to who is to get
 * it. */
static void *end_task(struct pv_job *job, enum pv_store_status status)
{
	struct task *task = task_of(job);
	struct pv_frontier *frontier = &task->owner->frontier;
	struct pv_work *work = &task->work;
	void *paper = task->paper;
	if (status == PV_STORE_OK && frontier->on_work &&
	    (work->woken_count || work->has_waiting_hosts))
		frontier->on_work(frontier->work_ctx, work->woken,
		    work->woken_count, work->has_waiting_hosts);
	free(work->woken);
	free(task);
	return paper;
}

static void before_commit(void *ctx, struct pv_database *database)
{
	struct sqlite_frontier *sqlite = ctx;
	struct pv_work work;
	(void)database;
	pv_tables_settle(&sqlite->tables, &work);
	if (sqlite->last)
		sqlite->last->work = work;
	else
		free(work.woken);
	sqlite->last = NULL;
}

/* Reports */

static void run_links(struct pv_job *job, struct pv_database *database)
{
	struct task *task = task_of(job);
	const struct pv_report *report = task->paper;
	(void)database;
	job->pages = pv_tables_add_links(&task->owner->tables, &report->links,
	    task->first_link, task->end_link);
	task->owner->last = task;
}

static void end_links(struct pv_job *job, enum pv_store_status status)
{
	end_task(job, status);
}

static void run_report(struct pv_job *job, struct pv_database *database)
{
	struct task *task = task_of(job);
	run_links(job, database);
	pv_tables_report(&task->owner->tables, task->paper);
}

static void end_report(struct pv_job *job, enum pv_store_status status)
{
	struct pv_report *report = end_task(job, status);
	report->done(report, status);
}

static bool is_news(void *ctx, const struct pv_link *link)
{
	return pv_recent_is_news(ctx, link);
}

static bool report_fits(const struct pv_writer *writer,
    const struct pv_report *report, size_t bytes)
{
	size_t count = 1 + report->links.count / LINKS_AT_ONCE;
	for (const struct pv_job *job = report->with; job; job = job->next) {
		count++;
		bytes += job->bytes;
	}
	return pv_writer_has_room(writer, count, bytes);
}

/* Links that go ahead of their report, and then the report: one chain. */
static struct pv_job *make_report(struct pv_frontier *frontier,
    const struct pv_job *job, struct pv_report *report)
{
	struct task *last = make_task(frontier, job, report);
	struct pv_job *chain = NULL, **end = &chain;
	size_t link = 0, count = report->links.count;
	for (; count - link > LINKS_AT_ONCE; link += LINKS_AT_ONCE) {
		struct pv_job ahead = {
		    .run = run_links,
		    .done = end_links,
		    .rows = LINKS_AT_ONCE,
		    .may_be_parted = true,
		};
		struct task *task = make_task(frontier, &ahead, report);
		task->first_link = link;
		task->end_link = link + LINKS_AT_ONCE;
		*end = &task->job;
		end = &task->job.next;
	}
	last->first_link = link;
	last->end_link = count;
	last->job.rows = 1 + count - link;
	*end = &last->job;
	return chain;
}

/* What the memory of links calls known must have been sent: so first it is made
 * sure that this will be. */
static bool give_report(
    struct pv_frontier *frontier, struct pv_report *report, int64_t now)
{
	struct sqlite_frontier *sqlite = sqlite_of(frontier);
	struct pv_job job = {
	    .next = report->with,
	    .run = run_report,
	    .done = end_report,
	    .bytes = sizeof(struct task) + sizeof(*report) +
		     pv_link_list_bytes(&report->links),
	};
	if (!report_fits(&sqlite->store->writer, report, job.bytes))
		return false;
	for (size_t i = 0; i < report->links.count; i++)
		pv_recent_expect(&sqlite->recent,
		    pv_link_list_get(&report->links, i).fingerprint);
	pv_link_list_keep(&report->links, is_news, &sqlite->recent);
	return pv_writer_send(
	    &sqlite->store->writer, make_report(frontier, &job, report), now);
}

static bool is_known(const struct pv_frontier *frontier,
    struct pv_fingerprint fingerprint, const struct pv_standing *standing)
{
	const struct sqlite_frontier *sqlite =
	    (const struct sqlite_frontier *)frontier;
	return pv_recent_is_known(&sqlite->recent, fingerprint, standing);
}

static void limit_memory(struct pv_frontier *frontier, size_t bytes)
{
	pv_recent_limit(&sqlite_of(frontier)->recent, bytes);
}

/* Hosts and visits */

static void run_take_hosts(struct pv_job *job, struct pv_database *database)
{
	struct task *task = task_of(job);
	(void)database;
	pv_tables_take_hosts(&task->owner->tables, task->paper);
	task->owner->last = task;
}

static void end_take_hosts(struct pv_job *job, enum pv_store_status status)
{
	struct pv_host_request *request = end_task(job, status);
	request->done(request, status);
}

static bool take_hosts(
    struct pv_frontier *frontier, struct pv_host_request *request, int64_t now)
{
	struct pv_job job = {
	    .run = run_take_hosts,
	    .done = end_take_hosts,
	    .rows = request->max,
	    .bytes = request->hosts.names.ceiling +
		     request->max * sizeof(struct pv_host),
	};
	request->now_ms = now;
	return send(frontier, &job, request, now);
}

static void run_take_visits(struct pv_job *job, struct pv_database *database)
{
	struct task *task = task_of(job);
	(void)database;
	pv_tables_take_visits(&task->owner->tables, task->paper);
}

static void end_take_visits(struct pv_job *job, enum pv_store_status status)
{
	struct pv_visit_request *request = end_task(job, status);
	request->done(request, status);
}

static bool take_visits(
    struct pv_frontier *frontier, struct pv_visit_request *request, int64_t now)
{
	struct pv_job job = {
	    .run = run_take_visits,
	    .done = end_take_visits,
	    .rows = request->max,
	    .bytes = request->visits.texts.ceiling +
		     request->max * sizeof(struct pv_visit),
	    .is_answered_at_once = true,
	};
	return send(frontier, &job, request, now);
}

static void run_give_host(struct pv_job *job, struct pv_database *database)
{
	struct task *task = task_of(job);
	(void)database;
	job->rows += pv_tables_give_host(&task->owner->tables, task->paper);
	task->owner->last = task;
}

static void end_give_host(struct pv_job *job, enum pv_store_status status)
{
	struct pv_host_return *giving = end_task(job, status);
	giving->done(giving, status);
}

static bool give_host(
    struct pv_frontier *frontier, struct pv_host_return *giving, int64_t now)
{
	struct pv_job job = {
	    .run = run_give_host,
	    .done = end_give_host,
	    .rows = 1,
	    .bytes = sizeof(struct task) + sizeof(*giving),
	};
	return send(frontier, &job, giving, now);
}

static void run_give_all_hosts(struct pv_job *job, struct pv_database *database)
{
	struct task *task = task_of(job);
	(void)database;
	pv_tables_give_all_hosts(&task->owner->tables, task->paper);
	task->owner->last = task;
}

static void end_give_all_hosts(struct pv_job *job, enum pv_store_status status)
{
	struct pv_host_returns *giving = end_task(job, status);
	giving->done(giving, status);
}

static bool give_all_hosts(
    struct pv_frontier *frontier, struct pv_host_returns *giving, int64_t now)
{
	struct pv_job job = {
	    .run = run_give_all_hosts,
	    .done = end_give_all_hosts,
	    .rows = 1,
	    .bytes = sizeof(struct task) + sizeof(*giving),
	};
	giving->now_ms = now;
	return send(frontier, &job, giving, now);
}

/* Counts */

static void run_count(struct pv_job *job, struct pv_database *database)
{
	struct task *task = task_of(job);
	(void)database;
	pv_tables_count(&task->owner->tables, task->paper);
}

static void end_count(struct pv_job *job, enum pv_store_status status)
{
	struct pv_count_request *request = end_task(job, status);
	request->done(request, status);
}

static bool count(
    struct pv_frontier *frontier, struct pv_count_request *request, int64_t now)
{
	struct pv_job job = {
	    .run = run_count,
	    .done = end_count,
	    .bytes = sizeof(struct task) + sizeof(*request),
	    .is_answered_at_once = true,
	};
	return send(frontier, &job, request, now);
}

/* Refused addresses */

static void run_take_refused(struct pv_job *job, struct pv_database *database)
{
	struct task *task = task_of(job);
	(void)database;
	pv_tables_take_refused(&task->owner->tables, task->paper);
}

static void end_take_refused(struct pv_job *job, enum pv_store_status status)
{
	struct pv_refused_request *request = end_task(job, status);
	request->done(request, status);
}

static bool take_refused(struct pv_frontier *frontier,
    struct pv_refused_request *request, int64_t now)
{
	struct pv_job job = {
	    .run = run_take_refused,
	    .done = end_take_refused,
	    .bytes = request->visits.texts.ceiling +
		     request->max * sizeof(struct pv_visit),
	    .is_answered_at_once = true,
	};
	return send(frontier, &job, request, now);
}

/* Pages that were answered well */

static void run_find_page(struct pv_job *job, struct pv_database *database)
{
	pv_host_table_find_page(database, task_of(job)->paper);
}

static void end_find_page(struct pv_job *job, enum pv_store_status status)
{
	struct pv_page_request *request = end_task(job, status);
	request->done(request, status);
}

static bool find_page(
    struct pv_frontier *frontier, struct pv_page_request *request, int64_t now)
{
	struct pv_job job = {
	    .run = run_find_page,
	    .done = end_find_page,
	    .bytes = sizeof(struct task) + sizeof(*request),
	    .is_answered_at_once = true,
	};
	return send(frontier, &job, request, now);
}

/* What other papers do not do */

static void run_work(struct pv_job *job, struct pv_database *database)
{
	struct task *task = task_of(job);
	struct pv_tables_work *work = task->paper;
	(void)database;
	work->run(work, &task->owner->tables);
	task->owner->last = task;
}

static void end_work(struct pv_job *job, enum pv_store_status status)
{
	struct pv_tables_work *work = end_task(job, status);
	work->done(work, status);
}

bool pv_sqlite_frontier_work(
    struct pv_frontier *frontier, struct pv_tables_work *work, int64_t now)
{
	struct pv_job job = {
	    .run = run_work,
	    .done = end_work,
	    .rows = work->rows,
	    .bytes = sizeof(struct task) + work->bytes,
	};
	return send(frontier, &job, work, now);
}

struct pv_tables *pv_sqlite_frontier_tables(struct pv_frontier *frontier)
{
	return &sqlite_of(frontier)->tables;
}

/* Rounds, and other policies */

static bool begin_round(
    struct pv_frontier *frontier, const struct pv_round_plan *plan)
{
	struct sqlite_frontier *sqlite = sqlite_of(frontier);
	struct pv_writer *writer = &sqlite->store->writer;
	pv_writer_begin(writer);
	bool has_begun = pv_tables_begin_round(&sqlite->tables, plan);
	pv_writer_commit(writer);
	frontier->round = sqlite->tables.round.round;
	if (has_begun)
		frontier->totals = (struct pv_totals){.pages = 0};
	return has_begun;
}

static bool is_round_open(const struct pv_frontier *frontier)
{
	const struct sqlite_frontier *sqlite =
	    (const struct sqlite_frontier *)frontier;
	return pv_round_is_open(sqlite->store->database);
}

static void end_round(struct pv_frontier *frontier, int64_t wall_ms)
{
	pv_round_table_end(sqlite_of(frontier)->store->database, wall_ms);
}

static void rejudge(
    struct pv_frontier *frontier, struct pv_rejudging *rejudging)
{
	pv_tables_rejudge(&sqlite_of(frontier)->tables, rejudging);
}

static void finish_rejudging(struct pv_frontier *frontier)
{
	pv_tables_finish_rejudging(&sqlite_of(frontier)->tables);
}

static void map_kinds(
    struct pv_frontier *frontier, const unsigned char *numbers)
{
	pv_kind_numbers_map(sqlite_of(frontier)->store->database, numbers);
}

static uint64_t set_ceilings(struct pv_frontier *frontier,
    const struct pv_link_ceilings *ceilings, bool forgets_traps)
{
	return pv_tables_set_ceilings(
	    &sqlite_of(frontier)->tables, ceilings, forgets_traps);
}

/* Opening and closing */

static void close_frontier(struct pv_frontier *frontier)
{
	struct sqlite_frontier *sqlite = sqlite_of(frontier);
	pv_tables_finish(&sqlite->tables);
	pv_recent_finish(&sqlite->recent);
	free(sqlite);
}

static const struct pv_frontier_engine engine = {
    .name = "sqlite",
    .report = give_report,
    .take_hosts = take_hosts,
    .take_visits = take_visits,
    .give_host = give_host,
    .give_all_hosts = give_all_hosts,
    .count = count,
    .take_refused = take_refused,
    .find_page = find_page,
    .begin_round = begin_round,
    .is_round_open = is_round_open,
    .end_round = end_round,
    .rejudge = rejudge,
    .finish_rejudging = finish_rejudging,
    .map_kinds = map_kinds,
    .set_ceilings = set_ceilings,
    .is_known = is_known,
    .limit_memory = limit_memory,
    .close = close_frontier,
};

struct pv_frontier *pv_sqlite_frontier_open(
    struct pv_store *store, size_t recent_count, struct pv_why *why)
{
	struct pv_database *database = store->database;
	struct sqlite_frontier *sqlite = pv_alloc(sizeof(*sqlite));
	sqlite->frontier.engine = &engine;
	sqlite->frontier.key = store->key;
	sqlite->store = store;
	pv_recent_init(&sqlite->recent, recent_count);
	pv_tables_init(&sqlite->tables, database, &store->writer);
	sqlite->tables.frontier = &sqlite->frontier;
	sqlite->tables.batch.frontier = &sqlite->frontier;
	sqlite->frontier.round = sqlite->tables.round.round;
	pv_writer_begin(&store->writer);
	sqlite->frontier.recovered = pv_tables_recover(&sqlite->tables);
	pv_writer_commit(&store->writer);
	struct pv_state_sums sums = pv_state_figures_sums(database);
	sqlite->frontier.totals =
	    (struct pv_totals){.pages = sums.pages, .bytes = sums.bytes};
	sqlite->frontier.left = pv_state_figures_left(database);
	pv_store_tell(store, why);
	if (pv_database_status(database) == PV_STORE_OK) {
		pv_writer_before_commit(&store->writer, before_commit, sqlite);
		return &sqlite->frontier;
	}
	close_frontier(&sqlite->frontier);
	return NULL;
}
