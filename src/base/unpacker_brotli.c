#include "base/unpacker.h"

#include <brotli/decode.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"

/* Its window has at most 16 MiB: larger ones are only for who asks for them,
 * and RFC 7932, which HTTP means by "br", does not know them. */

static void *allocate(void *ctx, size_t size)
{
	(void)ctx;
	return pv_realloc_array(NULL, size, 1);
}

static void release(void *ctx, void *ptr)
{
	(void)ctx;
	free(ptr);
}

static void *create(struct pv_str start)
{
	(void)start;
	return BrotliDecoderCreateInstance(allocate, release, NULL);
}

static void destroy(void *unpacker)
{
	BrotliDecoderDestroyInstance(unpacker);
}

static enum pv_unpack step(
    void *unpacker, struct pv_str *input, struct pv_unpack_room *room)
{
	size_t left = input->len;
	const uint8_t *next = (const uint8_t *)pv_str_bytes(*input);
	size_t room_left = room->size;
	uint8_t *room_next = (uint8_t *)room->ptr;
	BrotliDecoderResult result = BrotliDecoderDecompressStream(
	    unpacker, &left, &next, &room_left, &room_next, NULL);
	*input = pv_str_from(*input, input->len - left);
	room->used = room->size - room_left;
	if (result == BROTLI_DECODER_RESULT_SUCCESS)
		return PV_UNPACK_END;
	return result == BROTLI_DECODER_RESULT_ERROR ? PV_UNPACK_BROKEN
						     : PV_UNPACK_MORE;
}

const struct pv_unpacker_kind pv_unpacker_brotli = {
    .name = "br",
    .start_len = PV_UNPACKER_START_MAX,
    .create = create,
    .step = step,
    .destroy = destroy,
};
