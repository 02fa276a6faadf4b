#include "base/unpacker.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/alloc.h"

/* 8 MiB: what everybody must be able to read (RFC 8878, 3.1.1.1.2), and the
 * most that may be sent as a content coding (RFC 9659). */
#define WINDOW_LOG_MAX 23

/* The longest header of a frame, with its mark (RFC 8878, 3.1.1.1). */
#define HEADER_MAX 18

struct frames {
	ZSTD_DCtx *context;
	size_t taken; /* of the header's bytes */
};

static bool is_mark(struct pv_str start)
{
	static const char data[] = "\x28\xb5\x2f\xfd";
	static const char skipped[] = "\x2a\x4d\x18"; /* after 0x50 to 0x5f */
	if (start.len && (start.ptr[0] & 0xf0) == 0x50)
		return pv_str_starts(
		    (struct pv_str){skipped, 3}, pv_str_from(start, 1));
	return pv_str_starts((struct pv_str){data, 4}, start);
}

static void *create(struct pv_str start)
{
	(void)start;
	struct frames *frames = pv_alloc(sizeof(*frames));
	frames->context = ZSTD_createDCtx();
	if (!frames->context)
		pv_alloc_fail(1, ZSTD_DStreamInSize());
	ZSTD_DCtx_setParameter(
	    frames->context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return frames;
}

static void restart(void *unpacker)
{
	struct frames *frames = unpacker;
	frames->taken = 0;
	ZSTD_DCtx_reset(frames->context, ZSTD_reset_session_only);
}

static void destroy(void *unpacker)
{
	struct frames *frames = unpacker;
	ZSTD_freeDCtx(frames->context);
	free(frames);
}

static enum pv_unpack fault(size_t result)
{
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
		pv_alloc_fail(1, ZSTD_DStreamOutSize());
	case ZSTD_error_frameParameter_windowTooLarge:
		return PV_UNPACK_TOO_LARGE;
	default:
		return PV_UNPACK_BROKEN;
	}
}

/* Where a header came in pieces, libzstd (1.5.4) looks for a whole frame in the
 * piece that ends it, and a damaged frame can pretend one. So a header is given
 * byte by byte: no frame is so short. */
static enum pv_unpack step(
    void *unpacker, struct pv_str *input, struct pv_unpack_room *room)
{
	struct frames *frames = unpacker;
	bool is_header = frames->taken < HEADER_MAX && input->len > 0;
	ZSTD_inBuffer in = {
	    pv_str_bytes(*input), is_header ? 1 : input->len, 0};
	ZSTD_outBuffer out = {room->ptr, room->size, 0};
	size_t result = ZSTD_decompressStream(frames->context, &out, &in);
	frames->taken += is_header ? in.pos : 0;
	*input = pv_str_from(*input, in.pos);
	room->used = out.pos;
	if (ZSTD_isError(result))
		return fault(result);
	return result == 0 ? PV_UNPACK_END : PV_UNPACK_MORE;
}

const struct pv_unpacker_kind pv_unpacker_zstd = {
    .name = "zstd",
    .start_len = 4,
    .is_mark = is_mark,
    .create = create,
    .restart = restart,
    .step = step,
    .destroy = destroy,
};
