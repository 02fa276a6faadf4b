#include "server/coding.h"

#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

#include "server/br.h"

#define BLOCK (1u << 20)

struct coding_row {
	const char *name;
	void (*write)(struct body body, struct pv_buf *buf);
};

/* The unit so many times that it fills a block, or once. The caller's. */
static struct pv_buf block_of(struct body body)
{
	struct pv_buf block;
	pv_buf_init(&block, BLOCK + body.unit.len);
	do
		pv_buf_append(&block, body.unit);
	while (body.unit.len && block.len < body.len &&
	       block.len + body.unit.len <= BLOCK);
	return block;
}

/* Deflate. Each block is flushed so that the same bytes come out for it each
 * time, whatever stood before: so one is coded, and repeated. */

/* What RFC 1950 and RFC 1952 want around the same bytes. */
struct wrapping {
	const char *start;
	size_t start_len;
	uLong (*check)(uLong check, const Bytef *bytes, uInt len);
	uLong (*combine)(uLong first, uLong second, z_off_t second_len);
	bool is_gzip;
};

static void deflate_piece(struct pv_str text, int flush, struct pv_buf *buf)
{
	z_stream stream = {.zalloc = NULL};
	deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
	size_t bound = deflateBound(&stream, (uLong)text.len) + 64;
	char *room = pv_buf_reserve(buf, bound);
	if (room) {
		stream.next_in = (Bytef *)(uintptr_t)pv_str_bytes(text);
		stream.avail_in = (uInt)text.len;
		stream.next_out = (Bytef *)room;
		stream.avail_out = (uInt)bound;
		deflate(&stream, flush);
		buf->len += stream.total_out;
	}
	deflateEnd(&stream);
}

static void append_number(struct pv_buf *buf, uint32_t number, bool is_big)
{
	for (int i = 0; i < 4; i++)
		pv_buf_append_char(
		    buf, (char)(number >> 8 * (is_big ? 3 - i : i)));
}

static uLong check_of(const struct wrapping *wrapping, struct pv_str text)
{
	uLong check = wrapping->check(0, NULL, 0);
	return wrapping->check(
	    check, (const Bytef *)pv_str_bytes(text), (uInt)text.len);
}

static void wrap(
    const struct wrapping *wrapping, struct body body, struct pv_buf *buf)
{
	struct pv_buf block = block_of(body);
	struct pv_buf coded;
	uint64_t count = block.len ? body.len / block.len : 0;
	struct pv_str rest = pv_str_head(
	    pv_buf_str(&block), (size_t)(body.len - count * block.len));
	uLong block_check = check_of(wrapping, pv_buf_str(&block));
	uLong check = wrapping->check(0, NULL, 0);
	pv_buf_init(&coded, 4 * BLOCK + 2 * block.len);
	pv_buf_append(
	    buf, (struct pv_str){wrapping->start, wrapping->start_len});
	if (count)
		deflate_piece(pv_buf_str(&block), Z_FULL_FLUSH, &coded);
	for (uint64_t i = 0; i < count; i++) {
		pv_buf_append(buf, pv_buf_str(&coded));
		check =
		    wrapping->combine(check, block_check, (z_off_t)block.len);
	}
	deflate_piece(rest, Z_FINISH, buf);
	check = wrapping->combine(
	    check, check_of(wrapping, rest), (z_off_t)rest.len);
	append_number(buf, (uint32_t)check, !wrapping->is_gzip);
	if (wrapping->is_gzip)
		append_number(buf, (uint32_t)body.len, false);
	pv_buf_finish(&coded);
	pv_buf_finish(&block);
}

static void write_gzip(struct body body, struct pv_buf *buf)
{
	static const char start[10] = {'\x1f', '\x8b', 8, 0, 0, 0, 0, 0, 2, 3};
	static const struct wrapping gzip = {
	    start, sizeof(start), crc32, crc32_combine, true};
	wrap(&gzip, body, buf);
}

static const struct wrapping zlib = {
    "\x78\xda", 2, adler32, adler32_combine, false};

static void write_deflate(struct body body, struct pv_buf *buf)
{
	wrap(&zlib, body, buf);
}

static void write_raw_deflate(struct body body, struct pv_buf *buf)
{
	size_t start = buf->len;
	wrap(&zlib, body, buf);
	if (buf->len < start + 6)
		return;
	memmove(buf->ptr + start, buf->ptr + start + 2, buf->len - start - 6);
	pv_buf_cut(buf, buf->len - 6);
}

/* Zstandard */

static void feed(
    ZSTD_CCtx *ctx, struct pv_str text, bool is_last, struct pv_buf *buf)
{
	char bytes[16384];
	ZSTD_inBuffer in = {text.ptr, text.len, 0};
	size_t left;
	do {
		ZSTD_outBuffer out = {bytes, sizeof(bytes), 0};
		left = ZSTD_compressStream2(
		    ctx, &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
		pv_buf_append(buf, (struct pv_str){bytes, out.pos});
	} while (
	    !ZSTD_isError(left) && (in.pos < in.size || (is_last && left)));
}

static void write_zstd(struct body body, struct pv_buf *buf)
{
	ZSTD_CCtx *ctx = ZSTD_createCCtx();
	struct pv_buf block = block_of(body);
	uint64_t left = body.len;
	while (left > block.len) {
		feed(ctx, pv_buf_str(&block), false, buf);
		left -= block.len;
	}
	feed(ctx, pv_str_head(pv_buf_str(&block), (size_t)left), true, buf);
	pv_buf_finish(&block);
	ZSTD_freeCCtx(ctx);
}

static const struct coding_row codings[] = {
    [SERVER_GZIP] = {"gzip", write_gzip},
    [SERVER_DEFLATE] = {"deflate", write_deflate},
    [SERVER_RAW_DEFLATE] = {"deflate", write_raw_deflate},
    [SERVER_BR] = {"br", br_write},
    [SERVER_ZSTD] = {"zstd", write_zstd},
};

const char *coding_name(enum server_coding coding)
{
	return codings[coding].name;
}

void coding_write(
    enum server_coding coding, struct body body, struct pv_buf *buf)
{
	if (codings[coding].write)
		codings[coding].write(body, buf);
}
