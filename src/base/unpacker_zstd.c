#include "base/unpacker.h"

#include <zstd.h>
#include <zstd_errors.h>

#include "base/alloc.h"

/* 8 MiB: what everybody must be able to read (RFC 8878, 3.1.1.1.2), and the
 * most that may be sent as a content coding (RFC 9659). */
#define WINDOW_LOG_MAX 23

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
	ZSTD_DCtx *context = ZSTD_createDCtx();
	if (!context)
		pv_alloc_fail(1, ZSTD_DStreamInSize());
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	return context;
}

static void restart(void *unpacker)
{
	ZSTD_DCtx_reset(unpacker, ZSTD_reset_session_only);
}

static void destroy(void *unpacker)
{
	ZSTD_freeDCtx(unpacker);
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

static enum pv_unpack step(
    void *unpacker, struct pv_str *input, struct pv_unpack_room *room)
{
	ZSTD_inBuffer in = {pv_str_bytes(*input), input->len, 0};
	ZSTD_outBuffer out = {room->ptr, room->size, 0};
	size_t result = ZSTD_decompressStream(unpacker, &out, &in);
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
