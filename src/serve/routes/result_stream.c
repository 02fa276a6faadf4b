#include "serve/routes/result_stream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/system.h"
#include "store/state_look.h"
#include "store/tables/length.h"

#define PIECE_BYTES ((size_t)64 << 10)
#define LINE_BYTES_MAX ((size_t)64 << 20)

/* Without news a comment is sent, so that proxies keep the connection. */
#define QUIET_MS 15000
#define WAIT_MS 1000

struct stream {
	struct pv_jobs *jobs;
	const struct pv_exchange *exchange;
	struct pv_buf id;
	struct pv_buf of;
	struct pv_buf path;
	struct pv_buf directory;
	struct pv_buf file;
	uint64_t offset;
	struct pv_buf pending; /* events that are being sent */
	size_t sent;
	uint64_t seen;   /* the last news of jobs before they were looked at */
	int64_t sent_at; /* anything, by the monotonic clock */
	bool has_looked; /* and there was nothing to be sent */
	bool is_ended;
};

uint64_t pv_result_length(const char *directory, const char *file)
{
	struct pv_why why;
	uint64_t length = 0;
	pv_why_init(&why);
	struct pv_database *database = pv_state_look(directory, &why);
	if (database)
		length = pv_length_get(database, pv_str_of(file));
	pv_database_close(database);
	pv_why_finish(&why);
	return length;
}

static bool has_ended(struct stream *stream)
{
	struct pv_arena arena;
	struct pv_job_record job;
	pv_arena_init(&arena);
	bool is_there = pv_jobs_get(stream->jobs, NULL, pv_buf_str(&stream->id),
			    &arena, &job) == PV_JOBS_DONE;
	bool is_over = !is_there || pv_job_state_is_end(job.state);
	pv_arena_finish(&arena);
	return is_over;
}

static void write_event(struct stream *stream, struct pv_str line)
{
	stream->offset += line.len + 1;
	pv_buf_append_format(&stream->pending,
	    "id: %s:0:%llu\ndata: ", pv_buf_text(&stream->of),
	    (unsigned long long)stream->offset);
	pv_buf_append(&stream->pending, line);
	pv_buf_append_text(&stream->pending, "\n\n");
}

/* Whole lines of what is committed; of one that is longer than a piece, all. */
static void read_lines(struct stream *stream, uint64_t length)
{
	uint64_t left = length - stream->offset;
	size_t size = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
	struct pv_buf text;
	int file =
	    open(pv_buf_text(&stream->path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	pv_buf_init(&text, LINE_BYTES_MAX);
	while (file >= 0) {
		char *room = pv_buf_reserve(&text, size - text.len);
		ssize_t got = room ? pread(file, room, size - text.len,
					 (off_t)(stream->offset + text.len))
				   : -1;
		if (got <= 0)
			break;
		text.len += (size_t)got;
		if (memchr(text.ptr, '\n', text.len) || size == left)
			break;
		size = size * 2 < left ? size * 2 : (size_t)left;
	}
	if (file >= 0)
		close(file);
	struct pv_str rest = pv_buf_str(&text);
	size_t end;
	while ((end = pv_str_find(rest, '\n')) != PV_NOT_FOUND) {
		write_event(stream, pv_str_head(rest, end));
		rest = pv_str_from(rest, end + 1);
	}
	pv_buf_finish(&text);
}

/* Whether there is something to be sent, or no more will be. */
static void fill(struct stream *stream)
{
	int64_t now = pv_time_now().monotonic_ms;
	bool is_over = has_ended(stream); /* before the length is looked at */
	uint64_t length = pv_result_length(
	    pv_buf_text(&stream->directory), pv_buf_text(&stream->file));
	pv_buf_clear(&stream->pending);
	stream->sent = 0;
	if (length > stream->offset)
		read_lines(stream, length);
	if (!stream->pending.len && is_over) {
		stream->is_ended = true;
		pv_buf_append_text(
		    &stream->pending, "event: end\ndata: {}\n\n");
	} else if (!stream->pending.len && now - stream->sent_at >= QUIET_MS) {
		pv_buf_append_text(&stream->pending, ":\n\n");
	}
	stream->has_looked = !stream->pending.len;
	if (stream->pending.len)
		stream->sent_at = now;
}

static ssize_t read_stream(void *ctx, char *bytes, size_t size)
{
	struct stream *stream = ctx;
	while (stream->sent == stream->pending.len) {
		if (stream->is_ended || pv_exchange_is_over(stream->exchange))
			return 0;
		if (stream->has_looked)
			stream->seen =
			    pv_jobs_wait(stream->jobs, stream->seen, WAIT_MS);
		fill(stream);
	}
	size_t left = stream->pending.len - stream->sent;
	size_t len = size < left ? size : left;
	memcpy(bytes, stream->pending.ptr + stream->sent, len);
	stream->sent += len;
	return (ssize_t)len;
}

static void close_stream(void *ctx)
{
	struct stream *stream = ctx;
	struct pv_buf *bufs[] = {&stream->id, &stream->of, &stream->path,
	    &stream->directory, &stream->file, &stream->pending};
	for (size_t i = 0; i < sizeof(bufs) / sizeof(*bufs); i++)
		pv_buf_finish(bufs[i]);
	free(stream);
}

static void copy(struct pv_buf *buf, struct pv_str text)
{
	pv_buf_init(buf, SIZE_MAX);
	pv_buf_append(buf, text);
}

void pv_result_stream_begin(struct pv_request *request,
    const struct pv_result_place *place, struct pv_reply *reply)
{
	struct stream *stream = pv_alloc(sizeof(*stream));
	stream->jobs = request->service->jobs;
	stream->exchange = request->exchange;
	stream->offset = place->offset;
	stream->sent_at = pv_time_now().monotonic_ms;
	copy(&stream->id, place->id);
	copy(&stream->of, pv_str_of(place->of));
	copy(&stream->directory, pv_str_of(place->directory));
	copy(&stream->file, pv_str_of(place->file));
	pv_buf_init(&stream->path, SIZE_MAX);
	pv_buf_append_format(
	    &stream->path, "%s/%s", place->directory, place->file);
	pv_buf_init(&stream->pending, 2 * LINE_BYTES_MAX);
	reply->type = "text/event-stream";
	reply->stream = (struct pv_reply_stream){
	    .read = read_stream, .close = close_stream, .ctx = stream};
}
