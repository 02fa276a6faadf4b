#include "serve/webhooks/delivering.h"

#include <stdio.h>

#include "policy/values/value.h"
#include "serve/webhooks/event_body.h"
#include "serve/webhooks/fetch_deliveries.h"
#include "serve/webhooks/result_lines.h"
#include "serve/webhooks/retries.h"
#include "serve/webhooks/signature.h"

/* What cannot be read now may be later. */
#define UNREADABLE_MS 60000

#define ID_BYTES 16

/* While it has jobs, it is in the configuration. */
static const struct pv_webhook *webhook_of(
    const struct pv_webhooks *webhooks, uint32_t receiver)
{
	return webhooks->receivers.items[receiver].webhook;
}

static void log_job(struct pv_webhooks *webhooks,
    const struct pv_webhook_stream *stream, const char *why)
{
	char line[500];
	snprintf(line, sizeof(line),
	    "webhook %s: nothing more of %.*s is delivered: %s",
	    webhooks->receivers.items[stream->job->receiver].name,
	    PV_STR_ARG(stream->name), why);
	webhooks->plan.log(
	    webhooks->plan.ctx, PAVANE_WARNING, stream->job->record.id, line);
}

static void log_receiver(struct pv_webhooks *webhooks, uint32_t receiver,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

static void log_receiver(
    struct pv_webhooks *webhooks, uint32_t receiver, const char *format, ...)
{
	char about[100];
	char line[500];
	va_list list;
	va_start(list, format);
	vsnprintf(line, sizeof(line), format, list);
	va_end(list);
	snprintf(about, sizeof(about), "webhook %s",
	    webhooks->receivers.items[receiver].name);
	webhooks->plan.log(
	    webhooks->plan.ctx, PAVANE_WARNING, pv_str_of(about), line);
}

/* Making a delivery */

static void make_id(
    struct pv_webhooks *webhooks, char id[PV_WEBHOOK_ID_MAX + 1])
{
	uint8_t chance[ID_BYTES];
	size_t len = (size_t)snprintf(id, PV_WEBHOOK_ID_MAX + 1, "msg_");
	webhooks->plan.random(webhooks->plan.ctx, chance, sizeof(chance));
	for (size_t i = 0; i < ID_BYTES; i++)
		len += (size_t)snprintf(
		    id + len, PV_WEBHOOK_ID_MAX + 1 - len, "%02x", chance[i]);
}

static bool write_state(struct pv_webhooks *webhooks,
    struct pv_webhook_stream *stream, struct pv_buf *body)
{
	struct pv_arena arena;
	struct pv_webhook_event event;
	const struct pv_webhook_job_record *job = &stream->job->record;
	pv_arena_init(&arena);
	bool is_there = pv_webhook_store_next_event(
	    webhooks->store, job->id, stream->position, &arena, &event);
	if (is_there) {
		stream->until = event.number;
		pv_webhook_write_state(job, &event, body);
	}
	pv_arena_finish(&arena);
	return is_there;
}

/* "journal", and of "fields/news" what follows. */
static struct pv_str name_of_results(const struct pv_webhook_stream *stream)
{
	size_t slash = pv_str_find_last(stream->name, '/');
	return slash == PV_NOT_FOUND ? stream->name
				     : pv_str_from(stream->name, slash + 1);
}

static bool write_results(struct pv_webhooks *webhooks,
    struct pv_webhook_stream *stream, struct pv_buf *body)
{
	struct pv_buf path, lines;
	const struct pv_webhook_job_record *job = &stream->job->record;
	uint64_t length = stream->id[0] ? stream->until : stream->length;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_init(&lines, PV_WEBHOOK_LINE_MAX);
	pv_buf_append_format(&path, "%s/jobs/%.*s/%.*s.jsonl",
	    webhooks->plan.directory, PV_STR_ARG(job->id),
	    PV_STR_ARG(stream->name));
	bool is_read = pv_webhook_lines_read(pv_buf_text(&path),
	    stream->position, length, &lines, &stream->until);
	if (is_read) {
		const struct pv_webhook_results results = {
		    .of = name_of_results(stream),
		    .lines = pv_buf_str(&lines),
		    .until = stream->until,
		    .made_ms = stream->made_ms,
		};
		pv_webhook_write_results(job, &results, body);
	}
	pv_buf_finish(&lines);
	pv_buf_finish(&path);
	return is_read;
}

static bool write_fetch(struct pv_webhooks *webhooks,
    struct pv_webhook_stream *stream, struct pv_buf *body)
{
	stream->until = 1;
	return pv_fetch_deliveries_write(webhooks, stream->job, body);
}

static bool write_body(struct pv_webhooks *webhooks,
    struct pv_webhook_stream *stream, struct pv_buf *body)
{
	if (stream->job->is_fetch)
		return write_fetch(webhooks, stream, body);
	return pv_webhook_stream_is_states(stream)
		   ? write_state(webhooks, stream, body)
		   : write_results(webhooks, stream, body);
}

/* The next delivery of the stream, or the one that is under way once more; NULL
 * if what it is made of cannot be read. */
static struct pv_webhook_message *compose(
    struct pv_webhooks *webhooks, struct pv_webhook_stream *stream, int64_t now)
{
	struct pv_webhook_message *message = pv_webhook_message_create();
	bool is_new = !stream->id[0];
	if (is_new)
		stream->made_ms = now;
	if (!write_body(webhooks, stream, &message->body)) {
		pv_webhook_message_destroy(message);
		return NULL;
	}
	if (is_new)
		make_id(webhooks, stream->id);
	if (is_new || !stream->since_ms) {
		stream->since_ms = now;
		stream->is_unsaved = true;
	}
	pv_buf_append_text(&message->id, stream->id);
	message->tries = stream->tries;
	message->receiver = stream->job->receiver;
	return message;
}

/* Sending */

/* Whether what is kept of it can be read and written. */
static bool works(
    const struct pv_webhooks *webhooks, const struct pv_webhook_job *job)
{
	return job->is_fetch
		   ? pv_fetch_deliveries_work(webhooks)
		   : pv_webhook_store_status(webhooks->store) == PV_STORE_OK;
}

/* Whether it is on the disk; that there is no such job any more shows here. */
static bool save(struct pv_webhooks *webhooks, struct pv_webhook_stream *stream)
{
	const struct pv_webhook_position position =
	    pv_webhook_stream_position(stream);
	if (!stream->is_unsaved)
		return true;
	stream->is_unsaved =
	    stream->job->is_fetch
		? !pv_fetch_deliveries_put(webhooks, stream)
		: !pv_webhook_store_put(webhooks->store, &position);
	if (stream->is_unsaved && works(webhooks, stream->job))
		stream->job->is_gone = true;
	return !stream->is_unsaved;
}

static void look_whether_gone(
    struct pv_webhooks *webhooks, struct pv_webhook_job *job)
{
	struct pv_arena arena;
	struct pv_webhook_job_record record;
	pv_arena_init(&arena);
	bool is_there =
	    !job->is_fetch && pv_webhook_store_get_job(webhooks->store,
				  job->record.id, &arena, &record);
	if (!is_there && works(webhooks, job))
		job->is_gone = true;
	pv_arena_finish(&arena);
}

static void dispatch(struct pv_webhooks *webhooks,
    struct pv_webhook_stream *stream, struct pv_webhook_message *message,
    int64_t now)
{
	int64_t now_s = now / 1000;
	pv_buf_append_format(&message->timestamp, "%lld", (long long)now_s);
	pv_webhook_sign(&webhook_of(webhooks, message->receiver)->secrets,
	    pv_buf_str(&message->id), now_s, pv_buf_str(&message->body),
	    &message->signature);
	message->stream = stream;
	stream->flight = message;
	webhooks->receivers.items[message->receiver].in_flight++;
	webhooks->plan.send(webhooks->plan.ctx, message);
}

/* Where the clock was set back, no more is waited than ever. */
static void shorten_wait(struct pv_webhook_stream *stream, int64_t now)
{
	int64_t most = now + PV_WEBHOOK_RETRY_WAIT_MAX_MS;
	if (stream->next_ms > most)
		stream->next_ms = most;
}

int64_t pv_webhook_stream_advance(struct pv_webhooks *webhooks,
    struct pv_webhook_stream *stream, int64_t now, unsigned *sent)
{
	const struct pv_webhook_receiver *receiver =
	    &webhooks->receivers.items[stream->job->receiver];
	if (stream->flight)
		return -1;
	shorten_wait(stream, now);
	if (!pv_webhook_stream_waits(stream) || stream->next_ms > now ||
	    receiver->in_flight >= PV_WEBHOOK_IN_FLIGHT_MAX) {
		save(webhooks, stream);
		return pv_webhook_stream_waits(stream) && stream->next_ms > now
			   ? stream->next_ms - now
			   : -1;
	}
	struct pv_webhook_message *message = compose(webhooks, stream, now);
	if (!message) {
		look_whether_gone(webhooks, stream->job);
		stream->next_ms = now + UNREADABLE_MS;
		return UNREADABLE_MS;
	}
	if (!save(webhooks, stream)) {
		pv_webhook_message_destroy(message);
		return -1;
	}
	dispatch(webhooks, stream, message, now);
	++*sent;
	return -1;
}

/* Answers */

static void note_arrival(struct pv_webhook_stream *stream)
{
	stream->position = stream->until;
	stream->id[0] = '\0';
	stream->until = 0;
	stream->tries = 0;
	stream->next_ms = 0;
	stream->is_unsaved = true;
}

static void end_stream(struct pv_webhooks *webhooks,
    struct pv_webhook_stream *stream, const char *why)
{
	if (stream->ended[0])
		return;
	pv_webhook_stream_end(stream, why);
	webhooks->receivers.items[stream->job->receiver].ended++;
	log_job(webhooks, stream, why);
}

/* Whoever answers so wants nothing more of the job. */
static void end_job(struct pv_webhooks *webhooks, struct pv_webhook_job *job)
{
	for (size_t i = 0; i < job->stream_count; i++)
		end_stream(webhooks, job->streams[i],
		    "the receiver answered 410 (gone)");
	job->events = 0;
}

static void note_failure(struct pv_webhooks *webhooks,
    struct pv_webhook_stream *stream, const struct pv_webhook_answer *answer)
{
	char reason[300];
	int64_t now = webhooks->plan.now_ms(webhooks->plan.ctx);
	int64_t retry_for_ms =
	    webhook_of(webhooks, stream->job->receiver)->retry_for_ms;
	stream->tries++;
	stream->next_ms = now + pv_webhook_retry_wait_ms(
				    stream->tries, answer->retry_after_ms);
	stream->is_unsaved = true;
	if (retry_for_ms == PV_NONE ||
	    stream->next_ms - stream->since_ms <= retry_for_ms)
		return;
	snprintf(reason, sizeof(reason),
	    "it failed for as long as retry_for says (%u tries): %s",
	    stream->tries, answer->why);
	end_stream(webhooks, stream, reason);
}

/* It is told once, and once more when that is over. */
static void note_figures(struct pv_webhooks *webhooks, uint32_t number,
    const struct pv_webhook_answer *answer)
{
	struct pv_webhook_receiver *receiver =
	    &webhooks->receivers.items[number];
	bool is_good = pv_webhook_answer_is_good(answer);
	receiver->in_flight--;
	receiver->delivered += is_good;
	receiver->failed += !is_good;
	if (!is_good && !receiver->is_failing)
		log_receiver(webhooks, number,
		    "deliveries fail, and are tried again: %s", answer->why);
	else if (is_good && receiver->is_failing)
		log_receiver(webhooks, number, "deliveries arrive again");
	receiver->is_failing = !is_good;
}

void pv_webhook_note_answer(struct pv_webhooks *webhooks,
    struct pv_webhook_message *message, const struct pv_webhook_answer *answer)
{
	struct pv_webhook_stream *stream = message->stream;
	note_figures(webhooks, message->receiver, answer);
	pv_webhook_message_destroy(message);
	if (!stream)
		return;
	stream->flight = NULL;
	if (pv_webhook_answer_is_good(answer))
		note_arrival(stream);
	else if (answer->status == 410)
		end_job(webhooks, stream->job);
	else
		note_failure(webhooks, stream, answer);
}
