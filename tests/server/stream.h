#ifndef PAVANE_TESTS_SERVER_STREAM_H
#define PAVANE_TESTS_SERVER_STREAM_H

#include "server/server.h"

/* An answer as a row of bytes, given out a piece at a time, with the pauses
 * and the break that the answer asks for.
 *
 * Each part is a text that is repeated until so many bytes are given: so what
 * is endless costs no memory. It neither waits nor sends.
 */
struct stream_part {
	struct pv_str unit;
	uint64_t len; /* SERVER_ENDLESS for no end */
	uint64_t at;
};

enum stream_place {
	STREAM_INTERIMS,
	STREAM_HEAD,
	STREAM_EXTRA,
	STREAM_HEAD_END,
	STREAM_BODY,
	STREAM_BODY_END,
	STREAM_AFTER,
	STREAM_OVER,
};

struct stream {
	struct server_answer answer;
	struct stream_part parts[STREAM_OVER];
	enum stream_place place;
	bool has_head_begun; /* its delay is over */
	bool has_body_begun;
	bool has_chunk_begun; /* any */
	uint64_t head_given;
	uint64_t body_given;
	uint64_t chunk_left;
	uint64_t piece_given; /* since the last pause */
	struct pv_buf head;   /* interim response and head */
	struct pv_buf extra;  /* one header */
	struct pv_buf body;   /* made for this answer */
	struct pv_buf coded;
	struct pv_buf end; /* last chunk */
	struct pv_buf own_body;
	struct pv_buf own_headers;
};

enum stream_next {
	STREAM_MORE,
	STREAM_PAUSE, /* then more */
	STREAM_BREAK, /* as the answer's fault says */
	STREAM_END,
};

void stream_init(struct stream *stream);
void stream_finish(struct stream *stream);

/* Room for an answer: set its own_body and own_headers to those of the stream,
 * which are empty then. */
void stream_clear(struct stream *stream);

/* Begins with an answer; `is_head` where only its head was asked for. */
void stream_begin(
    struct stream *stream, const struct server_answer *answer, bool is_head);

/* Appends at most `max` bytes, and says what is to be done when they have been
 * sent; `pause_ms` is set where that is to pause. */
enum stream_next stream_fill(
    struct stream *stream, struct pv_buf *out, size_t max, uint32_t *pause_ms);

#endif
