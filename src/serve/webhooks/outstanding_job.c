#include "serve/webhooks/outstanding_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "store/service/fetch_delivery_store.h"
#include "store/state_look.h"
#include "store/tables/length.h"

#define ENDING PV_STR(".jsonl")

static struct pv_webhook_stream *add_stream(
    struct pv_webhook_job *job, struct pv_str name)
{
	struct pv_webhook_stream *stream = pv_alloc(sizeof(*stream));
	stream->job = job;
	stream->name = pv_arena_copy(&job->arena, name);
	stream->ended = "";
	*PV_ARRAY_PUSH(job->streams, job->stream_count, job->streams_size) =
	    stream;
	return stream;
}

static struct pv_webhook_stream *take_stream(
    struct pv_webhook_job *job, struct pv_str name)
{
	for (size_t i = 0; i < job->stream_count; i++) {
		if (pv_str_equal(job->streams[i]->name, name))
			return job->streams[i];
	}
	return add_stream(job, name);
}

static bool load_position(void *ctx, const struct pv_webhook_position *position)
{
	struct pv_webhook_job *job = ctx;
	struct pv_webhook_stream *stream = add_stream(job, position->stream);
	stream->position = position->position;
	stream->until = position->until;
	stream->made_ms = position->made_ms;
	stream->since_ms = position->since_ms;
	stream->tries = position->tries;
	stream->next_ms = position->next_ms;
	stream->ended = pv_arena_text(&job->arena, position->ended);
	snprintf(
	    stream->id, sizeof(stream->id), "%.*s", PV_STR_ARG(position->id));
	return true;
}

struct pv_webhook_job *pv_webhook_job_create(
    const struct pv_webhook_job_record *record, struct pv_webhook_store *store)
{
	struct pv_webhook_job *job = pv_alloc(sizeof(*job));
	pv_arena_init(&job->arena);
	job->record = *record;
	job->record.id = pv_arena_copy(&job->arena, record->id);
	job->record.webhook = pv_arena_copy(&job->arena, record->webhook);
	job->record.labels = pv_arena_copy(&job->arena, record->labels);
	job->named.name = job->record.id;
	pv_webhook_store_each_position(
	    store, job->record.id, load_position, job);
	return job;
}

/* It has one delivery, of which the position says whether it has arrived. Fetches
 * have other ids than jobs. */
struct pv_webhook_job *pv_webhook_job_of_fetch(
    const struct pv_fetch_delivery *delivery)
{
	struct pv_webhook_job *job = pv_alloc(sizeof(*job));
	pv_arena_init(&job->arena);
	job->is_fetch = job->has_looked = true;
	job->record = (struct pv_webhook_job_record){
	    .number = delivery->number,
	    .id = pv_arena_copy(&job->arena, delivery->fetch),
	    .state = PV_JOB_FINISHED,
	    .is_outstanding = true,
	};
	job->named.name = job->record.id;
	struct pv_webhook_stream *stream =
	    add_stream(job, PV_STR(PV_WEBHOOK_FETCH_NAME));
	stream->length = 1;
	stream->made_ms = delivery->made_ms;
	stream->since_ms = delivery->since_ms;
	stream->tries = delivery->tries;
	stream->next_ms = delivery->next_ms;
	snprintf(
	    stream->id, sizeof(stream->id), "%.*s", PV_STR_ARG(delivery->id));
	if (stream->id[0])
		stream->until = 1;
	return job;
}

void pv_webhook_job_destroy(struct pv_webhook_job *job)
{
	for (size_t i = 0; i < job->stream_count; i++) {
		struct pv_webhook_stream *stream = job->streams[i];
		if (stream->flight)
			stream->flight->stream = NULL;
		free(stream);
	}
	free(job->streams);
	pv_arena_finish(&job->arena);
	free(job);
}

/* Looking */

static bool is_wanted(const struct pv_webhook_job *job, struct pv_str name)
{
	if (pv_str_equal(name, PV_STR("journal")))
		return job->events & PV_WEBHOOK_JOURNAL;
	return (job->events & PV_WEBHOOK_ROWS) &&
	       pv_str_starts(name, PV_STR("fields/"));
}

static bool note_length(void *ctx, struct pv_str file, uint64_t length)
{
	struct pv_webhook_job *job = ctx;
	if (!pv_str_ends(file, ENDING))
		return true;
	struct pv_str name = pv_str_head(file, file.len - ENDING.len);
	if (length && is_wanted(job, name))
		take_stream(job, name)->length = length;
	return true;
}

/* Whether they are known then; a job that was never begun has none. */
static bool look_at_files(struct pv_webhook_job *job, const char *directory)
{
	struct pv_buf path;
	struct pv_why why;
	pv_why_init(&why);
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(
	    &path, "%s/jobs/%.*s", directory, PV_STR_ARG(job->record.id));
	struct pv_database *database = pv_state_look(pv_buf_text(&path), &why);
	bool is_known = database != NULL;
	if (database) {
		pv_lengths_each(database, PV_STR(""), note_length, job);
		is_known = pv_database_status(database) == PV_STORE_OK;
	} else {
		pv_buf_append_text(&path, "/state.db");
		is_known = access(pv_buf_text(&path), F_OK) != 0;
	}
	pv_database_close(database);
	pv_buf_finish(&path);
	pv_why_finish(&why);
	return is_known;
}

void pv_webhook_job_look(struct pv_webhook_job *job,
    struct pv_webhook_store *store, const char *directory)
{
	if (job->events & PV_WEBHOOK_STATES)
		take_stream(job, PV_STR(PV_WEBHOOK_STATES_NAME))->length =
		    pv_webhook_store_last_event_of(store, job->record.id);
	job->has_looked =
	    !(job->events & (PV_WEBHOOK_JOURNAL | PV_WEBHOOK_ROWS)) ||
	    look_at_files(job, directory);
}

/* Streams */

bool pv_webhook_stream_is_states(const struct pv_webhook_stream *stream)
{
	return pv_str_equal(stream->name, PV_STR(PV_WEBHOOK_STATES_NAME));
}

bool pv_webhook_stream_waits(const struct pv_webhook_stream *stream)
{
	return !stream->ended[0] &&
	       (stream->id[0] || stream->position < stream->length);
}

bool pv_webhook_job_is_done(const struct pv_webhook_job *job)
{
	bool is_done =
	    job->has_looked && pv_job_state_is_end(job->record.state);
	for (size_t i = 0; i < job->stream_count && is_done; i++) {
		const struct pv_webhook_stream *stream = job->streams[i];
		is_done = !stream->flight && !stream->is_unsaved &&
			  !pv_webhook_stream_waits(stream);
	}
	return is_done;
}

void pv_webhook_stream_end(struct pv_webhook_stream *stream, const char *why)
{
	stream->ended = pv_arena_text(&stream->job->arena, pv_str_of(why));
	stream->is_unsaved = true;
}

struct pv_webhook_position pv_webhook_stream_position(
    const struct pv_webhook_stream *stream)
{
	return (struct pv_webhook_position){
	    .job = stream->job->record.id,
	    .stream = stream->name,
	    .position = stream->position,
	    .id = pv_str_of(stream->id),
	    .until = stream->until,
	    .made_ms = stream->made_ms,
	    .since_ms = stream->since_ms,
	    .tries = stream->tries,
	    .next_ms = stream->next_ms,
	    .ended = pv_str_of(stream->ended),
	};
}
