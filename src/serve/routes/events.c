#include <stdlib.h>

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/system.h"
#include "serve/routes/answer.h"
#include "serve/routes/event_stream.h"
#include "serve/routes/job_view.h"

/* What happens to jobs, as it happens: "job" for each that comes to another state,
 * "progress" once a second at most for each that runs, and "gap" where more has
 * happened than is remembered, so that the reader looks anew. */

#define PROGRESS_MS 1000

struct events {
	struct pv_jobs *jobs;
	struct pv_buf owner;
	bool has_owner;
	uint64_t last; /* of the changes that were told */
	int64_t progress_at;
};

static void write_event(
    struct pv_buf *events, const char *name, uint64_t id, struct pv_json *data)
{
	pv_buf_append_format(events, "event: %s\n", name);
	if (id)
		pv_buf_append_format(
		    events, "id: %llu\n", (unsigned long long)id);
	pv_buf_append_text(events, "data: ");
	pv_json_write(data, false, events);
	pv_buf_append_text(events, "\n\n");
	pv_json_destroy(data);
}

static const struct pv_str *owner_of(
    const struct events *source, struct pv_str *owner)
{
	*owner = pv_buf_str(&source->owner);
	return source->has_owner ? owner : NULL;
}

/* Of one that was removed meanwhile there is nothing to be seen. */
static void tell_change(struct events *source,
    const struct pv_job_change *change, struct pv_buf *events)
{
	struct pv_str owner;
	struct pv_arena arena;
	struct pv_job_record job;
	pv_arena_init(&arena);
	if (pv_jobs_get(source->jobs, owner_of(source, &owner),
		pv_str_of(change->id), &arena, &job) == PV_JOBS_DONE) {
		job.state = change->state;
		write_event(
		    events, "job", change->number, pv_job_view_brief(&job));
	}
	pv_arena_finish(&arena);
}

static void tell_changes(struct events *source, struct pv_buf *events)
{
	struct pv_job_change change;
	enum pv_job_news_next next;
	while ((next = pv_jobs_next_change(
		    source->jobs, source->last, &change)) != PV_JOB_NEWS_NONE) {
		source->last = change.number;
		if (next == PV_JOB_NEWS_GAP)
			write_event(
			    events, "gap", change.number, pv_json_object());
		else
			tell_change(source, &change, events);
	}
}

static void add_progress(void *ctx, struct pv_str id, struct pv_str progress)
{
	struct pv_json *views = ctx;
	struct pv_json *said = pv_json_read(progress);
	if (!said)
		return;
	struct pv_json *view = pv_json_object();
	pv_json_set(view, "id", pv_json_text(id));
	pv_json_set(view, "progress", said);
	pv_json_add(views, view);
}

static void tell_progress(struct events *source, struct pv_buf *events)
{
	struct pv_str owner;
	struct pv_json *data = pv_json_object();
	struct pv_json *views = pv_json_array();
	pv_jobs_each_progress(
	    source->jobs, owner_of(source, &owner), add_progress, views);
	pv_json_set(data, "jobs", views);
	write_event(events, "progress", 0, data);
}

static bool fill(void *ctx, struct pv_buf *events)
{
	struct events *source = ctx;
	int64_t now = pv_time_now().monotonic_ms;
	tell_changes(source, events);
	if (now >= source->progress_at) {
		source->progress_at = now + PROGRESS_MS;
		tell_progress(source, events);
	}
	return true;
}

static void close_events(void *ctx)
{
	struct events *source = ctx;
	pv_buf_finish(&source->owner);
	free(source);
}

void pv_route_events(struct pv_request *request, struct pv_reply *reply)
{
	struct events *source = pv_alloc(sizeof(*source));
	const struct pv_event_source plan = {
	    .fill = fill, .close = close_events, .ctx = source};
	source->jobs = request->service->jobs;
	source->last = pv_jobs_last_change(source->jobs);
	pv_buf_init(&source->owner, SIZE_MAX);
	source->has_owner = request->owner != NULL;
	if (request->owner)
		pv_buf_append(&source->owner, *request->owner);
	pv_event_stream_begin(request, &plan, reply);
}
