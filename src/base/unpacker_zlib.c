#include "base/unpacker.h"

#include <limits.h>
#include <stdlib.h>

#define ZLIB_CONST
#include <zlib.h>

#include "base/alloc.h"

/* The largest window, with what inflateInit2 adds to it for each format. */
#define GZIP_ONLY (MAX_WBITS + 16)
#define ZLIB_ONLY MAX_WBITS
#define RAW (-MAX_WBITS)

static void *create(int window_bits)
{
	z_stream *stream = pv_alloc(sizeof(*stream));
	if (inflateInit2(stream, window_bits) != Z_OK)
		pv_alloc_fail(1, sizeof(*stream));
	return stream;
}

static void restart(void *unpacker)
{
	inflateReset(unpacker);
}

static void destroy(void *unpacker)
{
	inflateEnd(unpacker);
	free(unpacker);
}

static enum pv_unpack step(
    void *unpacker, struct pv_str *input, struct pv_unpack_room *room)
{
	z_stream *stream = unpacker;
	uInt len = input->len < UINT_MAX ? (uInt)input->len : UINT_MAX;
	stream->next_in = (const Bytef *)pv_str_bytes(*input);
	stream->avail_in = len;
	stream->next_out = (Bytef *)room->ptr;
	stream->avail_out = (uInt)room->size;
	int result = inflate(stream, Z_NO_FLUSH);
	*input = pv_str_from(*input, len - stream->avail_in);
	room->used = room->size - stream->avail_out;
	switch (result) {
	case Z_OK:
	case Z_BUF_ERROR: /* there was nothing to do */
		return PV_UNPACK_MORE;
	case Z_STREAM_END:
		return PV_UNPACK_END;
	case Z_MEM_ERROR:
		pv_alloc_fail(1, sizeof(*stream));
	default:
		return PV_UNPACK_BROKEN;
	}
}

/* gzip (RFC 1952, 2.3.1): two bytes of its own, and the one method that there
 * is. Members may follow one another. */
static bool is_gzip_mark(struct pv_str start)
{
	return pv_str_starts(PV_STR("\x1f\x8b\x08"), start);
}

static void *create_gzip(struct pv_str start)
{
	(void)start;
	return create(GZIP_ONLY);
}

const struct pv_unpacker_kind pv_unpacker_gzip = {
    .name = "gzip",
    .alias = "x-gzip",
    .start_len = 3,
    .is_mark = is_gzip_mark,
    .create = create_gzip,
    .restart = restart,
    .step = step,
    .destroy = destroy,
};

/* RFC 9110, 8.4.1.2, says that "deflate" is the zlib format, and that some send
 * it without. The first two bytes of zlib's (RFC 1950, 2.2) are such that no
 * compressor begins its raw data with them: they would be a stored block with
 * something in its padding. */
static bool is_zlib_header(struct pv_str start)
{
	if (start.len < 2)
		return false;
	unsigned method = (unsigned char)start.ptr[0];
	unsigned flags = (unsigned char)start.ptr[1];
	return (method & 0x0f) == 8 && method >> 4 <= 7 &&
	       (method << 8 | flags) % 31 == 0;
}

static void *create_deflate(struct pv_str start)
{
	return create(is_zlib_header(start) ? ZLIB_ONLY : RAW);
}

const struct pv_unpacker_kind pv_unpacker_deflate = {
    .name = "deflate",
    .start_len = PV_UNPACKER_START_MAX,
    .create = create_deflate,
    .step = step,
    .destroy = destroy,
};
