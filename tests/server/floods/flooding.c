#include "server/floods/frames.h"
#include "server/floods/visit.h"

/* Prepared at a time, and sent at once. */
#define BLOCK_BYTES 65536
#define BLOCK_MAX (4 * BLOCK_BYTES)

static uint32_t stream_of(const struct visit *visit, enum flood_stream stream)
{
	switch (stream) {
	case FLOOD_ON_ASKED:
		return visit->asked;
	case FLOOD_ON_CLOSED:
		return visit->closed ? visit->closed : visit->asked;
	default:
		return 0;
	}
}

static void append_frame(const struct visit *visit,
    const struct flood_frame *frame, struct pv_buf *buf)
{
	frame_write(&(struct frame){frame->type, frame->flags,
			stream_of(visit, frame->stream), frame->payload},
	    buf);
}

/* What is sent again and again. */
static void append_unit(const struct visit *visit, struct pv_buf *buf)
{
	const struct flood *flood = visit->plan->flood;
	if (flood->way == FLOOD_HTTP2)
		append_frame(visit, &flood->unit_frame, buf);
	else
		pv_buf_append(buf, flood->unit);
}

static bool say_head(struct visit *visit)
{
	const struct flood *flood = visit->plan->flood;
	struct pv_buf head;
	bool is_said = true;
	pv_buf_init(&head, BLOCK_MAX);
	if (flood->head_frame.type)
		append_frame(visit, &flood->head_frame, &head);
	pv_buf_append(&head, flood->head);
	if (head.len)
		is_said = wire_say(&visit->wire, pv_buf_str(&head));
	pv_buf_finish(&head);
	return is_said;
}

/* As many of them as fit into so many bytes, and one at least. */
static void append_units(
    const struct visit *visit, size_t most, struct pv_buf *buf)
{
	size_t start = buf->len;
	append_unit(visit, buf);
	size_t len = buf->len - start;
	while (len && buf->len - start + len <= most)
		append_unit(visit, buf);
}

/* Ways to send a block's worth */

/* Without records, or in plain ones, of the handshake. */
static void write_plain(const struct visit *visit, struct pv_buf *out)
{
	struct pv_buf units;
	pv_buf_init(&units, BLOCK_MAX);
	bool is_record = visit->plan->flood->way == FLOOD_HANDSHAKE;
	append_units(visit, is_record ? RECORD_BYTES_MAX : BLOCK_BYTES, &units);
	if (is_record) {
		const char header[] = {RECORD_HANDSHAKE, 3, 3,
		    (char)(units.len >> 8), (char)units.len};
		pv_buf_append(out, (struct pv_str){header, sizeof(header)});
	}
	pv_buf_append(out, pv_buf_str(&units));
	pv_buf_finish(&units);
}

static void seal_records(
    struct visit *visit, struct pv_str units, struct pv_buf *out)
{
	const struct flood *flood = visit->plan->flood;
	uint8_t type = flood->record_type ? flood->record_type : RECORD_DATA;
	while (out->len < BLOCK_BYTES) {
		records_seal(&visit->wire.records, type, units, out);
		if (flood->updates_keys)
			records_update(&visit->wire.records);
	}
}

/* The same bytes over and over. */
static void pour_plain(struct visit *visit)
{
	struct pv_buf block;
	pv_buf_init(&block, BLOCK_MAX);
	while (block.len < BLOCK_BYTES)
		write_plain(visit, &block);
	while (wire_pour(&visit->wire, pv_buf_str(&block)))
		;
	pv_buf_finish(&block);
}

/* Sealed anew each time. */
static void pour_records(struct visit *visit)
{
	struct pv_buf units;
	struct pv_buf block;
	pv_buf_init(&units, BLOCK_MAX);
	pv_buf_init(&block, BLOCK_MAX);
	append_units(
	    visit, visit->plan->flood->is_alone ? 0 : RECORD_BYTES_MAX, &units);
	do {
		pv_buf_clear(&block);
		seal_records(visit, pv_buf_str(&units), &block);
	} while (wire_pour(&visit->wire, pv_buf_str(&block)));
	pv_buf_finish(&units);
	pv_buf_finish(&block);
}

void visit_flood(struct visit *visit)
{
	atomic_fetch_add(&visit->tally->floods, 1);
	if (!say_head(visit))
		return;
	if (visit->wire.ssl)
		pour_records(visit);
	else
		pour_plain(visit);
}
