#ifndef PAVANE_TESTS_FRONTIER_SCENE_H
#define PAVANE_TESTS_FRONTIER_SCENE_H

#include <stdlib.h>

#include "base/alloc.h"
#include "bell.h"
#include "descriptors.h"
#include "frontier/sqlite/engine.h"
#include "scratch.h"
#include "tap.h"

struct scene;

/* Opens a frontier, of whatever engine, for the scene's store, which is not
 * started. What it needs beneath it, it enters in the scene. */
typedef struct pv_frontier *scene_open_fn(
    struct scene *scene, struct pv_why *why);

/* A frontier in a directory, whose papers are waited for: what a test asks has
 * been committed and answered when the call returns. */
struct scene {
	struct scratch scratch;
	struct pv_store *store;
	struct pv_frontier *frontier;
	struct bell bell;
	unsigned descriptors; /* open before */
	size_t recent_count;
	size_t count_ceiling;
	void (*before_start)(struct scene *); /* NULL for nothing to do */
	scene_open_fn *open_frontier;         /* NULL: the one of SQLite */
	void *beneath; /* what its engine stands on ... */
	bool (*settle)(
	    struct scene *); /* ... how that comes to rest, and whether
					   it does; NULL: with the writer */
	bool (*close)(
	    struct scene *); /* ... and how it ends, and whether it had
					   the same addresses; NULL */
	int64_t now;
	enum pv_store_status status; /* of the last paper */
	unsigned woken;              /* hosts, as on_work told */
	uint64_t last_woken;
	unsigned waiting;    /* how often it told of hosts that wait */
	bool gives_nameless; /* hosts that never had a clock */
};

static inline void scene_work(
    void *ctx, const uint64_t *host_ids, size_t count, bool has_waiting_hosts)
{
	struct scene *scene = ctx;
	scene->woken += (unsigned)count;
	if (count)
		scene->last_woken = host_ids[count - 1];
	scene->waiting += has_waiting_hosts;
}

static inline struct pv_frontier *scene_open_sqlite(
    struct scene *scene, struct pv_why *why)
{
	struct pv_frontier *frontier =
	    pv_sqlite_frontier_open(scene->store, scene->recent_count, why);
	if (frontier) {
		frontier->on_work = scene_work;
		frontier->work_ctx = scene;
	}
	return frontier;
}

static inline bool scene_open(struct scene *scene)
{
	struct pv_why why;
	struct pv_store_options options = {
	    .directory = scene->scratch.path,
	    .cache_bytes = 4 << 20,
	    .count_ceiling = scene->count_ceiling,
	    .bytes_ceiling = 16 << 20,
	    .random = {{1, 2}},
	    .wake = bell_ring,
	    .wake_ctx = &scene->bell,
	};
	scene_open_fn *open =
	    scene->open_frontier ? scene->open_frontier : scene_open_sqlite;
	pv_why_init(&why);
	bell_init(&scene->bell);
	scene->frontier = NULL;
	scene->store = pv_store_open(&options, &why);
	if (scene->store)
		scene->frontier = open(scene, &why);
	pv_why_finish(&why);
	if (!scene->frontier)
		return false;
	if (scene->before_start)
		scene->before_start(scene);
	if (!pv_writer_start(&scene->store->writer))
		return false;
	return !scene->settle || scene->settle(scene);
}

static inline bool scene_init_engine(
    struct scene *scene, scene_open_fn *open_frontier, size_t recent_count)
{
	*scene = (struct scene){.open_frontier = open_frontier,
	    .recent_count = recent_count,
	    .count_ceiling = 1000,
	    .now = 1000,
	    .descriptors = descriptors_count()};
	return scratch_make(&scene->scratch) && scene_open(scene);
}

static inline bool scene_init(struct scene *scene, size_t recent_count)
{
	return scene_init_engine(scene, NULL, recent_count);
}

/* As if the process had been killed, but that all is committed. */
static inline void scene_close(struct scene *scene)
{
	pv_writer_stop(&scene->store->writer);
	if (scene->close)
		ok(scene->close(scene),
		    "P3: what the engine stands on has each address once, as it "
		    "has it itself");
	pv_frontier_close(scene->frontier);
	pv_store_close(scene->store);
	bell_finish(&scene->bell);
}

static inline void scene_finish(struct scene *scene)
{
	scene_close(scene);
	scratch_remove(&scene->scratch);
	descriptors_claim(scene->descriptors);
}

/* Until all papers have come back. */
static inline void scene_settle(struct scene *scene)
{
	struct pv_writer *writer = &scene->store->writer;
	if (scene->settle) {
		if (!scene->settle(scene))
			ok(false, "all that is under way comes to an end");
		return;
	}
	pv_writer_flush(writer);
	while (writer->count) {
		bell_wait(&scene->bell);
		pv_writer_receive(writer);
	}
}

/* The number that SQL gives, of what is committed. */
static inline int64_t scene_number(struct scene *scene, const char *sql)
{
	struct pv_database *other =
	    pv_database_open(scratch_file(&scene->scratch, "state.db"));
	int64_t number = pv_database_number(other, sql);
	if (pv_database_status(other) != PV_STORE_OK)
		printf("# %s: %s\n", sql, pv_database_fault(other));
	pv_database_close(other);
	return number;
}

/* Papers */

static inline void scene_end_report(
    struct pv_report *report, enum pv_store_status status)
{
	struct scene *scene = report->ctx;
	scene->status = status;
	pv_link_list_finish(&report->links);
	free(report);
}

static inline struct pv_report *scene_report(
    struct scene *scene, enum pv_report_kind kind)
{
	struct pv_report *report = pv_alloc(sizeof(*report));
	report->kind = kind;
	report->done = scene_end_report;
	report->ctx = scene;
	pv_link_list_init(&report->links, 1 << 20);
	return report;
}

static inline bool scene_send(struct scene *scene, struct pv_report *report)
{
	return pv_frontier_report(scene->frontier, report, scene->now);
}

/* The host is what stands between "https://" and the next slash. */
static inline void scene_link(struct scene *scene, struct pv_report *report,
    const char *url, struct pv_standing standing)
{
	struct pv_str text = pv_str_of(url);
	struct pv_str host = pv_str_from(text, strlen("https://"));
	struct pv_link link = {
	    .fingerprint = pv_frontier_fingerprint(scene->frontier, text),
	    .via = report->visit.id,
	    .standing = standing,
	    .url = text,
	    .host = pv_str_head(host, pv_str_find(host, '/')),
	};
	pv_link_list_add(&report->links, &link);
}

static inline void scene_add(
    struct scene *scene, const char *url, struct pv_standing standing)
{
	struct pv_report *report = scene_report(scene, PV_REPORT_LINKS);
	scene_link(scene, report, url, standing);
	scene_send(scene, report);
	scene_settle(scene);
}

static inline void scene_add_page(
    struct scene *scene, const char *url, uint32_t depth)
{
	scene_add(
	    scene, url, (struct pv_standing){.use = PV_PAGE, .depth = depth});
}

static inline void scene_end_visit(
    struct scene *scene, const struct pv_visit *visit, struct pv_result answer)
{
	struct pv_report *report = scene_report(scene, PV_REPORT_DONE);
	report->visit = *visit;
	report->result = answer;
	scene_send(scene, report);
	scene_settle(scene);
}

static inline void scene_end_hosts(
    struct pv_host_request *request, enum pv_store_status status)
{
	struct scene *scene = request->ctx;
	scene->status = status;
}

static inline struct pv_host_list scene_take_hosts(
    struct scene *scene, size_t max)
{
	struct pv_host_request request = {
	    .max = max, .done = scene_end_hosts, .ctx = scene};
	pv_host_list_init(&request.hosts, 1 << 20);
	pv_frontier_take_hosts(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.hosts;
}

/* The one host that waits; 0 if none does. */
static inline uint64_t scene_take_host(struct scene *scene)
{
	struct pv_host_list hosts = scene_take_hosts(scene, 1);
	uint64_t id = hosts.count ? pv_host_list_get(&hosts, 0).id : 0;
	pv_host_list_finish(&hosts);
	return id;
}

static inline void scene_end_visits(
    struct pv_visit_request *request, enum pv_store_status status)
{
	struct scene *scene = request->ctx;
	scene->status = status;
}

static inline struct pv_visit_list scene_take_visits(
    struct scene *scene, uint64_t host_id, size_t max)
{
	struct pv_visit_request request = {.host_id = host_id,
	    .max = max,
	    .done = scene_end_visits,
	    .ctx = scene};
	pv_visit_list_init(&request.visits, 1 << 20);
	pv_frontier_take_visits(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.visits;
}

/* Claims which addresses the host's next visits ask for, "a b c" of
 * https://x.example/a and so on. */
static inline void scene_are_next(struct scene *scene, uint64_t host_id,
    size_t max, const char *wanted, const char *claim)
{
	struct pv_visit_list visits = scene_take_visits(scene, host_id, max);
	struct pv_buf found;
	pv_buf_init(&found, 1000);
	for (size_t i = 0; i < visits.count; i++) {
		struct pv_str url = pv_visit_list_get(&visits, i).url;
		size_t slash = pv_str_find_last(url, '/');
		if (i)
			pv_buf_append_char(&found, ' ');
		pv_buf_append(&found, pv_str_from(url, slash + 1));
	}
	is_text(pv_buf_str(&found), wanted, "%s", claim);
	pv_buf_finish(&found);
	pv_visit_list_finish(&visits);
}

/* The next visit of the host, whose texts are not kept; its number is 0 if
 * there is none. */
static inline struct pv_visit scene_take_visit(
    struct scene *scene, uint64_t host_id)
{
	struct pv_visit_list visits = scene_take_visits(scene, host_id, 1);
	struct pv_visit visit = {.id = 0};
	if (visits.count)
		visit = pv_visit_list_get(&visits, 0);
	pv_visit_list_finish(&visits);
	visit.url = visit.via = visit.tag = visit.copy = PV_STR("");
	return visit;
}

/* Reports the visit as one that is to be made once more. */
static inline void scene_try_again(
    struct scene *scene, enum pv_report_kind kind, struct pv_visit visit)
{
	struct pv_report *report = scene_report(scene, kind);
	report->visit = visit;
	report->visit.not_before_wall_ms = 4711;
	scene_send(scene, report);
	scene_settle(scene);
}

/* The next visit of the host, once it has been put off, and tried, and is to
 * rest. */
static inline struct pv_visit scene_take_tried(
    struct scene *scene, uint64_t host_id)
{
	scene_try_again(
	    scene, PV_REPORT_PUT_OFF, scene_take_visit(scene, host_id));
	scene_try_again(
	    scene, PV_REPORT_AGAIN, scene_take_visit(scene, host_id));
	return scene_take_visit(scene, host_id);
}

/* How many addresses were put off, or tried, or are to rest. */
static inline int64_t scene_tried(struct scene *scene)
{
	return scene_number(scene,
	    "SELECT count(*) FROM addresses WHERE waits OR attempt OR "
	    "not_before_wall_ms");
}

static inline void scene_end_giving(
    struct pv_host_return *giving, enum pv_store_status status)
{
	struct scene *scene = giving->ctx;
	scene->status = status;
}

static inline void scene_give_host(
    struct scene *scene, uint64_t host_id, struct pv_host_state state)
{
	struct pv_host_return giving = {.host_id = host_id,
	    .has_clock = !scene->gives_nameless,
	    .state = state,
	    .done = scene_end_giving,
	    .ctx = scene};
	pv_frontier_give_host(scene->frontier, &giving, scene->now);
	scene_settle(scene);
}

static inline void scene_end_count(
    struct pv_count_request *request, enum pv_store_status status)
{
	struct scene *scene = request->ctx;
	scene->status = status;
}

static inline struct pv_counts scene_count(struct scene *scene)
{
	struct pv_count_request request = {
	    .done = scene_end_count, .ctx = scene};
	pv_frontier_count(scene->frontier, &request, scene->now);
	scene_settle(scene);
	return request.counts;
}

#endif
