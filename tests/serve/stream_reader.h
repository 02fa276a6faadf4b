#ifndef PAVANE_TESTS_SERVE_STREAM_READER_H
#define PAVANE_TESTS_SERVE_STREAM_READER_H

#include <errno.h>
#include <poll.h>

#include "base/buf.h"
#include "base/reader.h"
#include "serve/http/asking.h"

/* Who reads the results of a job as server-sent events, over all ends of the
 * service: each time from behind the last event that came whole. */
struct stream_reader {
	int fd; /* -1: not connected */
	char id[80];
	struct pv_buf coming; /* the head, then what is no whole event yet */
	bool has_head;
	char cursor[200]; /* of the last event; "" */
	struct pv_buf lines;
	bool has_ended;   /* it was told that nothing more comes */
	unsigned refused; /* answers that were no stream */
};

static inline void stream_reader_init(struct stream_reader *reader)
{
	*reader = (struct stream_reader){.fd = -1};
	pv_buf_init(&reader->coming, SIZE_MAX);
	pv_buf_init(&reader->lines, SIZE_MAX);
}

static inline void stream_reader_drop(struct stream_reader *reader)
{
	if (reader->fd >= 0)
		close(reader->fd);
	reader->fd = -1;
}

static inline void stream_reader_finish(struct stream_reader *reader)
{
	stream_reader_drop(reader);
	pv_buf_finish(&reader->coming);
	pv_buf_finish(&reader->lines);
}

/* As HTTP/1.0, so that what comes stands in no chunks. */
static inline bool stream_reader_connect(
    struct stream_reader *reader, uint16_t port)
{
	struct pv_buf request;
	pv_buf_init(&request, 2000);
	pv_buf_clear(&reader->coming);
	reader->has_head = false;
	pv_buf_append_format(&request,
	    "GET /v1/jobs/%s/results HTTP/1.0\r\nHost: 127.0.0.1:%u\r\n"
	    "Accept: text/event-stream\r\n",
	    reader->id, (unsigned)port);
	if (*reader->cursor)
		pv_buf_append_format(
		    &request, "Last-Event-ID: %s\r\n", reader->cursor);
	pv_buf_append_text(&request, "\r\n");
	reader->fd = asking_connect(port);
	bool is_sent =
	    reader->fd >= 0 && asking_send(reader->fd, pv_buf_str(&request));
	pv_buf_finish(&request);
	if (!is_sent)
		stream_reader_drop(reader);
	return is_sent;
}

static inline void stream_reader_note_event(
    struct stream_reader *reader, struct pv_str event)
{
	struct pv_reader lines = pv_reader_of(event);
	while (!pv_reader_is_end(&lines)) {
		struct pv_str line = pv_reader_take_line(&lines);
		if (pv_str_starts(line, PV_STR("id: "))) {
			snprintf(reader->cursor, sizeof(reader->cursor), "%.*s",
			    PV_STR_ARG(pv_str_from(line, 4)));
		} else if (pv_str_equal(line, PV_STR("event: end"))) {
			reader->has_ended = true;
			return;
		} else if (pv_str_starts(line, PV_STR("data: "))) {
			pv_buf_append(&reader->lines, pv_str_from(line, 6));
			pv_buf_append_char(&reader->lines, '\n');
		}
	}
}

static inline void stream_reader_note_all(struct stream_reader *reader)
{
	struct pv_str rest = pv_buf_str(&reader->coming);
	const char *end = NULL;
	if (!reader->has_head &&
	    (end = memmem(rest.ptr, rest.len, "\r\n\r\n", 4))) {
		reader->has_head = true;
		if (!pv_str_starts(rest, PV_STR("HTTP/1.1 200")) &&
		    !pv_str_starts(rest, PV_STR("HTTP/1.0 200"))) {
			printf("# %.*s\n", PV_STR_ARG(rest));
			reader->refused++;
		}
		rest = pv_str_from(rest, (size_t)(end - rest.ptr) + 4);
	}
	while (reader->has_head && rest.len &&
	       (end = memmem(rest.ptr, rest.len, "\n\n", 2))) {
		stream_reader_note_event(
		    reader, pv_str_head(rest, (size_t)(end - rest.ptr)));
		rest = pv_str_from(rest, (size_t)(end - rest.ptr) + 2);
	}
	struct pv_buf left;
	pv_buf_init(&left, SIZE_MAX);
	pv_buf_append(&left, rest);
	pv_buf_finish(&reader->coming);
	reader->coming = left;
}

/* Takes what has come, without waiting. */
static inline void stream_reader_take(struct stream_reader *reader)
{
	char bytes[65536];
	ssize_t len = recv(reader->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (len <= 0) {
		stream_reader_drop(reader);
		return;
	}
	pv_buf_append(&reader->coming, (struct pv_str){bytes, (size_t)len});
	stream_reader_note_all(reader);
}

/* Takes what comes to any of them, within so many milliseconds. */
static inline void stream_readers_wait(
    struct stream_reader *readers, size_t count, int ms)
{
	struct pollfd ends[256];
	size_t open = 0, places[256];
	for (size_t i = 0; i < count && open < 256; i++) {
		if (readers[i].fd < 0)
			continue;
		ends[open] =
		    (struct pollfd){.fd = readers[i].fd, .events = POLLIN};
		places[open++] = i;
	}
	if (poll(ends, open, ms) <= 0)
		return;
	for (size_t i = 0; i < open; i++) {
		if (ends[i].revents)
			stream_reader_take(&readers[places[i]]);
	}
}

#endif
