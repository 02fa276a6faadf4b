#include "serve/routes/event_stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/system.h"
#include "serve/http/problem.h"

#define EVENTS_BYTES_MAX ((size_t)128 << 20)

/* Without news a comment is sent, so that proxies keep the connection. */
#define QUIET_MS 15000
#define WAIT_MS 1000

struct stream {
	struct pv_service *service;
	struct pv_jobs *jobs;
	const struct pv_exchange *exchange;
	struct pv_event_source source;
	struct pv_buf pending; /* events that are being sent */
	size_t sent;
	uint64_t seen;   /* the last news before the source was asked */
	int64_t sent_at; /* anything, by the monotonic clock */
	bool has_asked;  /* and there was nothing to be sent */
	bool is_ended;
};

static void fill(struct stream *stream)
{
	int64_t now = pv_time_now().monotonic_ms;
	pv_buf_clear(&stream->pending);
	stream->sent = 0;
	stream->is_ended =
	    !stream->source.fill(stream->source.ctx, &stream->pending);
	if (!stream->pending.len && !stream->is_ended &&
	    now - stream->sent_at >= QUIET_MS)
		pv_buf_append_text(&stream->pending, ":\n\n");
	stream->has_asked = !stream->pending.len;
	if (stream->pending.len)
		stream->sent_at = now;
}

static void wait_for_news(struct stream *stream)
{
	if (stream->source.wait)
		stream->source.wait(stream->source.ctx, WAIT_MS);
	else
		stream->seen =
		    pv_jobs_wait(stream->jobs, stream->seen, WAIT_MS);
}

static ssize_t read_stream(void *ctx, char *bytes, size_t size)
{
	struct stream *stream = ctx;
	while (stream->sent == stream->pending.len) {
		if (stream->is_ended || pv_exchange_is_over(stream->exchange))
			return 0;
		if (stream->has_asked)
			wait_for_news(stream);
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
	stream->source.close(stream->source.ctx);
	atomic_fetch_sub(&stream->service->streams, 1);
	pv_buf_finish(&stream->pending);
	free(stream);
}

/* Whether there may be one more, which then counts. */
static bool take_place(struct pv_service *service, struct pv_reply *reply)
{
	if (atomic_fetch_add(&service->streams, 1) < PV_STREAMS_MAX)
		return true;
	atomic_fetch_sub(&service->streams, 1);
	pv_reply_header(reply, "Retry-After", "10");
	pv_problem_reply(reply, 503,
	    "as many streams are read as may be (%d): try again later, or ask "
	    "now and then for what is new",
	    PV_STREAMS_MAX);
	return false;
}

void pv_event_stream_begin(struct pv_request *request,
    const struct pv_event_source *source, struct pv_reply *reply)
{
	if (!take_place(request->service, reply)) {
		source->close(source->ctx);
		return;
	}
	struct stream *stream = pv_alloc(sizeof(*stream));
	stream->service = request->service;
	stream->jobs = request->service->jobs;
	stream->exchange = request->exchange;
	stream->source = *source;
	stream->sent_at = pv_time_now().monotonic_ms;
	pv_buf_init(&stream->pending, EVENTS_BYTES_MAX);
	reply->type = "text/event-stream";
	reply->stream = (struct pv_reply_stream){
	    .read = read_stream, .close = close_stream, .ctx = stream};
}
