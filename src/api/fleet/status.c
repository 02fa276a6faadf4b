#include <stdlib.h>
#include <string.h>

#include "api/fleet/visit.h"
#include "base/alloc.h"
#include "base/json/json.h"
#include "base/system.h"
#include "crawl/control/pause_text.h"
#include "pavane/fleet.h"
#include "store/orders.h"

#define LINE_MAX_BYTES ((size_t)16 << 20)

/* What a program gets, with all that it points to. */
struct shown {
	struct pavane_fleet_status status;
	struct pv_arena arena;
};

static struct pavane_fleet_worker worker_of(
    const struct pv_visited_worker *worker, struct pv_arena *arena)
{
	bool is_living = pv_visited_is_living(worker);
	bool is_measured =
	    is_living && worker->span_ms > 0 && worker->pages_in_span > 0;
	return (struct pavane_fleet_worker){
	    .number = worker->number,
	    .place = pv_arena_text(arena, pv_str_of(worker->place)),
	    .is_alive = worker->is_alive,
	    .is_silent =
		worker->is_alive && worker->seen_ms >= PV_FLEET_LATE_MS,
	    .clocks = worker->is_alive ? worker->clocks : 0,
	    .pages = worker->pages,
	    .bytes = worker->bytes,
	    .requests = worker->requests,
	    .pages_per_second = is_measured
				    ? 1000 * (double)worker->pages_in_span /
					  (double)worker->span_ms
				    : 0,
	    .unsent = worker->unsent,
	    .seen_ms = worker->seen_ms,
	};
}

static bool *flags_for(struct shown *shown, size_t count)
{
	return pv_arena_give_array(
	    &shown->arena, count ? count : 1, sizeof(bool));
}

static void take_workers(
    struct shown *shown, const struct pv_visited_crawl *crawl)
{
	size_t count = crawl->worker_count;
	struct pavane_fleet_worker *workers = pv_arena_give_array(
	    &shown->arena, count ? count : 1, sizeof(*workers));
	bool *are_idle = flags_for(shown, count);
	bool *were_reaped = flags_for(shown, count);
	for (size_t i = 0; i < count; i++) {
		const struct pv_visited_worker *worker = &crawl->workers[i];
		workers[i] = worker_of(worker, &shown->arena);
		are_idle[i] = pv_visited_is_living(worker) && worker->is_idle;
		were_reaped[i] = worker->was_reaped;
		shown->status.clocks += workers[i].clocks;
		shown->status.pages_per_second += workers[i].pages_per_second;
		shown->status.living += pv_visited_is_living(worker);
	}
	shown->status.workers = workers;
	shown->status.are_idle = are_idle;
	shown->status.were_reaped = were_reaped;
	shown->status.worker_count = count;
}

/* Orders that cannot be read are none. */
static void take_orders(
    struct shown *shown, const struct pv_visited_crawl *crawl)
{
	struct pv_orders orders;
	struct pv_buf pauses, settings;
	pv_orders_init(&orders);
	pv_buf_init(&pauses, LINE_MAX_BYTES);
	pv_buf_init(&settings, LINE_MAX_BYTES);
	if (crawl->wish[0])
		pv_orders_read(&orders, pv_str_of(crawl->wish));
	pv_pause_text_write(&orders, pv_time_now().wall_ms, "", &pauses);
	pv_orders_write_settings(&orders, &settings);
	shown->status.pauses =
	    pv_arena_text(&shown->arena, pv_buf_str(&pauses));
	shown->status.settings =
	    pv_arena_text(&shown->arena, pv_buf_str(&settings));
	pv_buf_finish(&pauses);
	pv_buf_finish(&settings);
	pv_orders_finish(&orders);
}

static struct shown *show(
    const char *name, const struct pv_visited_crawl *crawl)
{
	struct shown *shown = pv_alloc(sizeof(*shown));
	pv_arena_init(&shown->arena);
	shown->status = (struct pavane_fleet_status){
	    .size = sizeof(shown->status),
	    .name = pv_arena_text(&shown->arena, pv_str_of(name)),
	    .is_finished = crawl->is_finished,
	    .pages = crawl->pages,
	    .bytes = crawl->bytes,
	    .waiting = crawl->waiting,
	    .links = crawl->links,
	    .left = crawl->left,
	    .left_pages = crawl->left_pages,
	    .reaped = crawl->reaped,
	};
	take_orders(shown, crawl);
	take_workers(shown, crawl);
	return shown;
}

struct pavane_fleet_status *pavane_fleet_status_read(
    const char *fleet, const char *name, pavane_line_fn on_line, void *ctx)
{
	struct pv_fleet_visit visit = {.on_line = on_line, .ctx = ctx};
	struct shown *shown = NULL;
	if (pv_visit_open(&visit, fleet, name))
		shown = show(name, &visit.crawl);
	pv_visit_close(&visit);
	return shown ? &shown->status : NULL;
}

void pavane_fleet_status_destroy(struct pavane_fleet_status *status)
{
	struct shown *shown = (struct shown *)status;
	if (!shown)
		return;
	pv_arena_finish(&shown->arena);
	free(shown);
}

/* JSON */

static void set_number(struct pv_json *object, const char *name, int64_t number)
{
	pv_json_set(object, name, pv_json_integer(number));
}

static struct pv_json *json_of(
    const struct pavane_fleet_status *status, size_t number)
{
	const struct pavane_fleet_worker *worker = &status->workers[number];
	struct pv_json *object = pv_json_object();
	set_number(object, "worker", worker->number);
	pv_json_set_text(object, "place", worker->place);
	pv_json_set(object, "alive", pv_json_bool(worker->is_alive));
	pv_json_set(object, "silent", pv_json_bool(worker->is_silent));
	pv_json_set(object, "idle", pv_json_bool(status->are_idle[number]));
	pv_json_set(
	    object, "reaped", pv_json_bool(status->were_reaped[number]));
	set_number(object, "seen_ms", worker->seen_ms);
	set_number(object, "clocks", worker->clocks);
	set_number(object, "pages", worker->pages);
	set_number(object, "bytes", worker->bytes);
	set_number(object, "requests", worker->requests);
	pv_json_set(object, "pages_per_second",
	    pv_json_number(worker->pages_per_second));
	set_number(object, "unsent", worker->unsent);
	return object;
}

void pavane_fleet_status_write_json(
    const struct pavane_fleet_status *status, pavane_write_fn write, void *ctx)
{
	struct pv_json *object = pv_json_object();
	struct pv_json *workers = pv_json_array();
	struct pv_buf line;
	pv_buf_init(&line, LINE_MAX_BYTES);
	pv_json_set_text(object, "name", status->name);
	pv_json_set(object, "finished", pv_json_bool(status->is_finished));
	set_number(object, "living", (int64_t)status->living);
	set_number(object, "pages", status->pages);
	set_number(object, "bytes", status->bytes);
	pv_json_set(object, "pages_per_second",
	    pv_json_number(status->pages_per_second));
	set_number(object, "clocks", status->clocks);
	set_number(object, "waiting", status->waiting);
	set_number(object, "links", status->links);
	set_number(object, "left", status->left);
	set_number(object, "left_pages", status->left_pages);
	set_number(object, "reaped", status->reaped);
	pv_json_set_text(object, "pauses", status->pauses);
	pv_json_set_text(object, "settings", status->settings);
	for (size_t i = 0; i < status->worker_count; i++)
		pv_json_add(workers, json_of(status, i));
	pv_json_set(object, "workers", workers);
	pv_json_write(object, false, &line);
	pv_buf_append_char(&line, '\n');
	pv_json_destroy(object);
	write(ctx, pv_buf_text(&line), line.len);
	pv_buf_finish(&line);
}

/* Its policy */

char *pavane_fleet_policy(
    const char *fleet, const char *name, pavane_line_fn on_line, void *ctx)
{
	struct pv_fleet_visit visit = {.on_line = on_line, .ctx = ctx};
	char *policy = NULL;
	if (pv_visit_open(&visit, fleet, name)) {
		policy = strdup(visit.crawl.policy);
		if (!policy)
			pavane_out_of_memory(strlen(visit.crawl.policy));
	}
	pv_visit_close(&visit);
	return policy;
}
