#include "server/stream.h"

#include <inttypes.h>

#include "server/body.h"
#include "server/coding.h"
#include "server/head.h"

#define CEILING (256u << 20)
/* What is larger goes plain, whatever is said. */
#define CODED_MAX (UINT64_C(16) << 30)

/* The check and the length at the end of gzip. */
#define CHECK_LEN 8

#define CHUNK_SIZE 4096
#define EXTRA_SIZE 16

/* What an idle stream keeps of a buffer. */
#define IDLE_MAX 16384

void stream_init(struct stream *stream)
{
	*stream = (struct stream){.place = STREAM_OVER};
	pv_buf_init(&stream->head, CEILING);
	pv_buf_init(&stream->extra, CEILING);
	pv_buf_init(&stream->body, CEILING);
	pv_buf_init(&stream->coded, CEILING);
	pv_buf_init(&stream->end, CEILING);
	pv_buf_init(&stream->own_body, CEILING);
	pv_buf_init(&stream->own_headers, CEILING);
}

void stream_finish(struct stream *stream)
{
	pv_buf_finish(&stream->head);
	pv_buf_finish(&stream->extra);
	pv_buf_finish(&stream->body);
	pv_buf_finish(&stream->coded);
	pv_buf_finish(&stream->end);
	pv_buf_finish(&stream->own_body);
	pv_buf_finish(&stream->own_headers);
}

static void clear(struct pv_buf *buf)
{
	if (buf->size > IDLE_MAX)
		pv_buf_finish(buf);
	pv_buf_clear(buf);
}

void stream_clear(struct stream *stream)
{
	clear(&stream->head);
	clear(&stream->extra);
	clear(&stream->body);
	clear(&stream->coded);
	clear(&stream->end);
	clear(&stream->own_body);
	clear(&stream->own_headers);
	stream->place = STREAM_OVER;
}

static struct stream_part once(struct pv_str text)
{
	return (struct stream_part){.unit = text, .len = text.len};
}

static struct stream_part repeated(struct pv_str unit, uint64_t count)
{
	if (count >= SERVER_ENDLESS / (unit.len + 1))
		return (struct stream_part){unit, SERVER_ENDLESS, 0};
	return (struct stream_part){unit, count * unit.len, 0};
}

static void begin_head(struct stream *stream, const struct head_body *body)
{
	const struct server_answer *answer = &stream->answer;
	int interim = answer->interim_status ? answer->interim_status : 103;
	if (answer->interims)
		pv_buf_append_format(
		    &stream->head, "HTTP/1.1 %d Interim\r\n\r\n", interim);
	size_t interim_len = stream->head.len;
	head_write(answer, body, &stream->head);
	struct pv_str text = pv_buf_str(&stream->head);
	stream->parts[STREAM_INTERIMS] =
	    repeated(pv_str_head(text, interim_len), answer->interims);
	stream->parts[STREAM_HEAD] = once(pv_str_from(text, interim_len));
	stream->parts[STREAM_HEAD_END] = once(PV_STR("\r\n"));
}

static void begin_extra(struct stream *stream)
{
	const struct server_answer *answer = &stream->answer;
	size_t size = answer->extra_size ? answer->extra_size : EXTRA_SIZE;
	if (!answer->extra_count)
		return;
	pv_buf_append_text(&stream->extra, "X-Extra: ");
	for (size_t i = 0; i < size; i++)
		pv_buf_append_char(&stream->extra, 'x');
	pv_buf_append_text(&stream->extra, "\r\n");
	stream->parts[STREAM_EXTRA] =
	    repeated(pv_buf_str(&stream->extra), answer->extra_count);
}

static void begin_body(struct stream *stream, struct body body)
{
	const struct server_chunks *chunks = &stream->answer.chunks;
	stream->parts[STREAM_BODY] =
	    (struct stream_part){body.unit, body.len, 0};
	if (stream->answer.framing != SERVER_CHUNKED || chunks->has_no_end)
		return;
	pv_buf_append_text(&stream->end, "0\r\n");
	if (chunks->trailers)
		pv_buf_append_text(&stream->end, chunks->trailers);
	pv_buf_append_text(&stream->end, "\r\n");
	stream->parts[STREAM_BODY_END] = once(pv_buf_str(&stream->end));
}

static bool is_bodiless(const struct server_answer *answer)
{
	return !answer->has_body_anyway &&
	       (answer->status == 204 || answer->status == 304);
}

/* As it is sent. */
static struct body coded_body(struct stream *stream)
{
	const struct server_answer *answer = &stream->answer;
	struct pv_buf *coded = &stream->coded;
	struct body body = body_of(answer, &stream->body);
	if (answer->coding == SERVER_PLAIN || body.len > CODED_MAX)
		return body;
	coding_write(answer->coding, body, coded);
	if (answer->coded_cut < coded->len)
		pv_buf_cut(coded, coded->len - answer->coded_cut);
	if (answer->is_corrupt && coded->len >= CHECK_LEN)
		coded->ptr[coded->len - CHECK_LEN] ^= 1;
	return (struct body){pv_buf_str(coded), coded->len};
}

static void begin_answer(struct stream *stream, bool is_head)
{
	const struct server_answer *answer = &stream->answer;
	struct body body = coded_body(stream);
	struct head_body said = {
	    .len = body.len,
	    .coding = coding_name(answer->coding),
	    .is_none = is_bodiless(answer),
	};
	begin_head(stream, &said);
	begin_extra(stream);
	if (!said.is_none && (!is_head || answer->has_body_anyway))
		begin_body(stream, body);
	stream->parts[STREAM_AFTER] = once(answer->after);
}

void stream_begin(
    struct stream *stream, const struct server_answer *answer, bool is_head)
{
	stream->answer = *answer;
	memset(stream->parts, 0, sizeof(stream->parts));
	stream->place = STREAM_INTERIMS;
	stream->has_head_begun = false;
	stream->has_body_begun = false;
	stream->has_chunk_begun = false;
	stream->head_given = 0;
	stream->body_given = 0;
	stream->chunk_left = 0;
	stream->piece_given = 0;
	if (answer->raw.ptr)
		stream->parts[STREAM_HEAD] = once(answer->raw);
	else
		begin_answer(stream, is_head);
}

/* How far the fault is, in bytes of what is given now; 0 if it is here. */
static uint64_t fault_distance(const struct stream *stream)
{
	const struct server_fault *fault = &stream->answer.fault;
	if (fault->kind == SERVER_WHOLE)
		return UINT64_MAX;
	switch (fault->place) {
	case SERVER_BEFORE:
		return 0;
	case SERVER_IN_HEAD:
		if (stream->place <= STREAM_HEAD_END &&
		    stream->head_given < fault->after)
			return fault->after - stream->head_given;
		return 0;
	case SERVER_IN_BODY:
		if (stream->place <= STREAM_HEAD_END)
			return UINT64_MAX;
		if (stream->place == STREAM_BODY &&
		    stream->body_given < fault->after)
			return fault->after - stream->body_given;
		return 0;
	case SERVER_BEFORE_END:
		return stream->place <= STREAM_BODY ? UINT64_MAX : 0;
	}
	return 0;
}

static void give_plain(
    struct stream_part *part, struct pv_buf *out, uint64_t len)
{
	while (len) {
		size_t from = (size_t)(part->at % part->unit.len);
		struct pv_str rest = pv_str_from(part->unit, from);
		if (rest.len > len)
			rest.len = (size_t)len;
		pv_buf_append(out, rest);
		part->at += rest.len;
		len -= rest.len;
	}
}

/* So many bytes of the body, with the lines before and after its chunks. */
static void give_chunked(struct stream *stream, struct pv_buf *out, size_t len)
{
	const struct server_chunks *chunks = &stream->answer.chunks;
	struct stream_part *part = &stream->parts[STREAM_BODY];
	size_t size = chunks->size ? chunks->size : CHUNK_SIZE;
	while (len) {
		uint64_t left = part->len - part->at;
		if (!stream->chunk_left) {
			stream->chunk_left = left < size ? left : size;
			if (chunks->line && !stream->has_chunk_begun)
				pv_buf_append_text(out, chunks->line);
			else
				pv_buf_append_format(
				    out, "%" PRIx64, stream->chunk_left);
			pv_buf_append_text(out, "\r\n");
			stream->has_chunk_begun = true;
		}
		uint64_t now =
		    len < stream->chunk_left ? len : stream->chunk_left;
		give_plain(part, out, now);
		stream->chunk_left -= now;
		len -= (size_t)now;
		if (!stream->chunk_left)
			pv_buf_append_text(out, "\r\n");
	}
}

static size_t give(struct stream *stream, struct pv_buf *out, uint64_t most)
{
	struct stream_part *part = &stream->parts[stream->place];
	uint64_t left = part->len - part->at;
	size_t len = (size_t)(left < most ? left : most);
	if (stream->place == STREAM_BODY &&
	    stream->answer.framing == SERVER_CHUNKED)
		give_chunked(stream, out, len);
	else
		give_plain(part, out, len);
	if (stream->place <= STREAM_HEAD_END)
		stream->head_given += len;
	else
		stream->body_given += len;
	stream->piece_given += len;
	return len;
}

static bool is_given(const struct stream *stream)
{
	const struct stream_part *part = &stream->parts[stream->place];
	return part->len != SERVER_ENDLESS && part->at == part->len;
}

static void go_on(struct stream *stream)
{
	while (stream->place < STREAM_OVER && is_given(stream))
		stream->place++;
}

/* The pause before the head or the body; 0 for none. */
static uint32_t first_delay(struct stream *stream)
{
	if (!stream->has_head_begun) {
		stream->has_head_begun = true;
		return stream->answer.head_pace.delay_ms;
	}
	if (stream->place < STREAM_BODY || stream->place == STREAM_OVER ||
	    stream->has_body_begun)
		return 0;
	stream->has_body_begun = true;
	stream->piece_given = 0;
	return stream->answer.body_pace.delay_ms;
}

static const struct server_pace *pace_of(const struct stream *stream)
{
	if (stream->place <= STREAM_HEAD_END)
		return &stream->answer.head_pace;
	return &stream->answer.body_pace;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many bytes may be given before something else is to be done. */
static uint64_t room_for(
    const struct stream *stream, uint64_t room, uint64_t distance)
{
	uint32_t piece = pace_of(stream)->piece;
	if (piece)
		room = least(room, piece - stream->piece_given);
	return least(room, distance);
}

static bool is_piece_given(const struct stream *stream)
{
	uint32_t piece = pace_of(stream)->piece;
	return piece && stream->piece_given >= piece;
}

enum stream_next stream_fill(
    struct stream *stream, struct pv_buf *out, size_t max, uint32_t *pause_ms)
{
	size_t given = 0;
	for (;;) {
		go_on(stream);
		*pause_ms = first_delay(stream);
		if (*pause_ms)
			return STREAM_PAUSE;
		uint64_t distance = fault_distance(stream);
		if (!distance)
			return STREAM_BREAK;
		if (stream->place == STREAM_OVER)
			return STREAM_END;
		if (is_piece_given(stream)) {
			stream->piece_given = 0;
			*pause_ms = pace_of(stream)->pause_ms;
			return STREAM_PAUSE;
		}
		if (given >= max)
			return STREAM_MORE;
		given +=
		    give(stream, out, room_for(stream, max - given, distance));
	}
}
