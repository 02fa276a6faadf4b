#include "server/br.h"

#define STORED_MAX 65536
#define COPIED_MAX (1u << 24)

/* The shortest copy of the last copy length code, to which 24 bits add. */
#define COPY_MIN 2118

/* Bits, the lowest of each byte first. */
struct bits {
	struct pv_buf *buf;
	uint64_t held;
	unsigned count;
};

static void put(struct bits *bits, unsigned count, uint64_t value)
{
	bits->held |= value << bits->count;
	bits->count += count;
	while (bits->count >= 8) {
		pv_buf_append_char(bits->buf, (char)bits->held);
		bits->held >>= 8;
		bits->count -= 8;
	}
}

static void fill_byte(struct bits *bits)
{
	if (bits->count)
		put(bits, 8 - bits->count, 0);
}

/* What begins a meta-block (9.2), up to ISUNCOMPRESSED. */
static void put_start(struct bits *bits, uint32_t len, bool is_stored)
{
	unsigned nibbles = len <= 1u << 16 ? 4 : len <= 1u << 20 ? 5 : 6;
	put(bits, 1, 0); /* ISLAST */
	put(bits, 2, nibbles - 4);
	put(bits, 4 * nibbles, len - 1);
	put(bits, 1, is_stored);
}

/* A prefix code with one symbol (3.4), which then takes no bits. */
static void put_symbol(
    struct bits *bits, unsigned alphabet_bits, unsigned symbol)
{
	put(bits, 2, 1); /* simple */
	put(bits, 2, 0); /* NSYM - 1 */
	put(bits, alphabet_bits, symbol);
}

/* A zero, and a copy of the byte before as often as it takes. */
static void put_zeros(struct bits *bits, uint32_t len)
{
	put_start(bits, len, false);
	put(bits, 3, 0); /* one block type for each of three categories */
	put(bits, 6, 0); /* NPOSTFIX, NDIRECT */
	put(bits, 2, 0); /* context mode */
	put(bits, 2, 0); /* NTREESL, NTREESD: one each */
	put_symbol(bits, 8, 0);
	put_symbol(bits, 10, 384 + 8 + 7); /* insert code 1, copy code 23 */
	put_symbol(bits, 6, 16);           /* a distance of 1 or 2 */
	put(bits, 24, len - 1 - COPY_MIN);
	put(bits, 1, 0); /* of 1 */
}

static void put_stored(struct bits *bits, struct pv_str text)
{
	put_start(bits, (uint32_t)text.len, true);
	fill_byte(bits);
	pv_buf_append(bits->buf, text);
}

static bool is_zeros(struct pv_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i])
			return false;
	}
	return true;
}

static void put_text(struct bits *bits, struct body body)
{
	uint64_t at = 0;
	while (at < body.len) {
		struct pv_str piece =
		    pv_str_from(body.unit, (size_t)(at % body.unit.len));
		if (piece.len > body.len - at)
			piece.len = (size_t)(body.len - at);
		if (piece.len > STORED_MAX)
			piece.len = STORED_MAX;
		put_stored(bits, piece);
		at += piece.len;
	}
}

void br_write(struct body body, struct pv_buf *buf)
{
	struct bits bits = {.buf = buf};
	put(&bits, 1, 0); /* a window of 64 KiB */
	while (body.len > COPY_MIN && is_zeros(body.unit)) {
		uint64_t len = body.len < COPIED_MAX ? body.len : COPIED_MAX;
		put_zeros(&bits, (uint32_t)len);
		body.len -= len;
	}
	put_text(&bits, body);
	put(&bits, 2, 3); /* ISLAST, ISLASTEMPTY */
	fill_byte(&bits);
}
