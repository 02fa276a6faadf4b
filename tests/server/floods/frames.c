#include "server/floods/frames.h"

#include "base/reader.h"

#define HEADER_BYTES 9
#define PRIORITY_BYTES 5
#define PATH_IS_ROOT 4 /* in the table of RFC 7541, Appendix A */

void frame_write(const struct frame *frame, struct pv_buf *buf)
{
	size_t len = frame->payload.len;
	const char header[HEADER_BYTES] = {(char)(len >> 16), (char)(len >> 8),
	    (char)len, (char)frame->type, (char)frame->flags,
	    (char)(frame->stream >> 24), (char)(frame->stream >> 16),
	    (char)(frame->stream >> 8), (char)frame->stream};
	pv_buf_append(buf, (struct pv_str){header, sizeof(header)});
	pv_buf_append(buf, frame->payload);
}

static uint32_t take_number(struct pv_reader *reader, unsigned bytes)
{
	uint32_t number = 0;
	while (bytes--)
		number = number << 8 | (uint32_t)pv_reader_next(reader);
	return number;
}

bool frame_take(struct pv_str *text, struct frame *frame)
{
	struct pv_reader reader = pv_reader_of(*text);
	if (text->len < HEADER_BYTES)
		return false;
	size_t len = take_number(&reader, 3);
	frame->type = (uint8_t)take_number(&reader, 1);
	frame->flags = (uint8_t)take_number(&reader, 1);
	frame->stream = take_number(&reader, 4) & INT32_MAX;
	if (pv_reader_left(&reader) < len)
		return false;
	frame->payload = pv_reader_take(&reader, len);
	*text = pv_reader_rest(&reader);
	return true;
}

/* RFC 7541, 5.1: a number of which the first byte has so many bits. */
static uint32_t take_prefixed(struct pv_reader *reader, int bits)
{
	uint32_t most = (1u << bits) - 1;
	uint32_t number = (uint32_t)pv_reader_next(reader) & most;
	int shift = 0;
	int byte = 0x80;
	if (number < most)
		return number;
	while (shift < 28 && byte >= 0 && byte & 0x80) {
		byte = pv_reader_next(reader);
		number += byte < 0 ? 0 : ((uint32_t)byte & 0x7f) << shift;
		shift += 7;
	}
	return number;
}

static void pass_text(struct pv_reader *reader)
{
	pv_reader_take(reader, take_prefixed(reader, 7));
}

/* RFC 7541, 6.2 */
static void pass_literal(struct pv_reader *reader, int bits)
{
	if (take_prefixed(reader, bits) == 0)
		pass_text(reader);
	pass_text(reader);
}

bool frame_asks_for_root(const struct frame *frame)
{
	struct pv_reader reader = pv_reader_of(frame->payload);
	if (frame->flags & FRAME_HAS_PRIORITY)
		pv_reader_take(&reader, PRIORITY_BYTES);
	while (!pv_reader_is_end(&reader)) {
		int byte = pv_reader_peek(&reader);
		if (byte & 0x80) {
			if (take_prefixed(&reader, 7) == PATH_IS_ROOT)
				return true;
		} else if (byte & 0x40) {
			pass_literal(&reader, 6);
		} else if (byte & 0x20) {
			take_prefixed(&reader, 5);
		} else {
			pass_literal(&reader, 4);
		}
	}
	return false;
}
