#include "server/coding.h"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include "tap.h"

/* Each coding, read by its own library. */

#define PIECE 65536

/* Decodes to the end and tells how much there was, and whether each byte is as
 * the body has it. */
struct reading {
	struct body body;
	uint64_t at;
	bool is_same;
	bool is_ended;
};

static void compare(struct reading *reading, const char *bytes, size_t len)
{
	struct pv_str unit = reading->body.unit;
	for (size_t i = 0; i < len; i++, reading->at++)
		reading->is_same = reading->is_same &&
				   bytes[i] == unit.ptr[reading->at % unit.len];
}

static void read_zlib(
    struct reading *reading, struct pv_str coded, int window_bits)
{
	char bytes[PIECE];
	z_stream stream = {.zalloc = NULL};
	int status = Z_OK;
	inflateInit2(&stream, window_bits);
	stream.next_in = (Bytef *)(uintptr_t)coded.ptr;
	stream.avail_in = (uInt)coded.len;
	while (status == Z_OK) {
		stream.next_out = (Bytef *)bytes;
		stream.avail_out = PIECE;
		status = inflate(&stream, Z_NO_FLUSH);
		compare(reading, bytes, PIECE - stream.avail_out);
	}
	reading->is_ended = status == Z_STREAM_END && !stream.avail_in;
	inflateEnd(&stream);
}

static void read_br(struct reading *reading, struct pv_str coded)
{
	char bytes[PIECE];
	const uint8_t *in = (const uint8_t *)coded.ptr;
	size_t in_len = coded.len;
	BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
	BrotliDecoderState *state =
	    BrotliDecoderCreateInstance(NULL, NULL, NULL);
	while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) {
		size_t room = PIECE;
		uint8_t *out = (uint8_t *)bytes;
		result = BrotliDecoderDecompressStream(
		    state, &in_len, &in, &room, &out, NULL);
		compare(reading, bytes, PIECE - room);
	}
	reading->is_ended = result == BROTLI_DECODER_RESULT_SUCCESS && !in_len;
	BrotliDecoderDestroyInstance(state);
}

static void read_zstd(struct reading *reading, struct pv_str coded)
{
	char bytes[PIECE];
	ZSTD_inBuffer in = {coded.ptr, coded.len, 0};
	ZSTD_DCtx *ctx = ZSTD_createDCtx();
	size_t left = 1;
	size_t given = 1;
	while (left && !ZSTD_isError(left) && (in.pos < in.size || given)) {
		ZSTD_outBuffer out = {bytes, PIECE, 0};
		left = ZSTD_decompressStream(ctx, &out, &in);
		given = out.pos;
		compare(reading, bytes, out.pos);
	}
	reading->is_ended = !left && in.pos == in.size;
	ZSTD_freeDCtx(ctx);
}

static void read_coded(
    struct reading *reading, enum server_coding coding, struct pv_str coded)
{
	switch (coding) {
	case SERVER_PLAIN:
		break;
	case SERVER_GZIP:
		read_zlib(reading, coded, 15 + 16);
		break;
	case SERVER_DEFLATE:
		read_zlib(reading, coded, 15);
		break;
	case SERVER_RAW_DEFLATE:
		read_zlib(reading, coded, -15);
		break;
	case SERVER_BR:
		read_br(reading, coded);
		break;
	case SERVER_ZSTD:
		read_zstd(reading, coded);
		break;
	}
}

static void test_coding(
    enum server_coding coding, struct body body, const char *what)
{
	struct pv_buf coded;
	struct reading reading = {.body = body, .is_same = true};
	pv_buf_init(&coded, 1 << 28);
	coding_write(coding, body, &coded);
	read_coded(&reading, coding, pv_buf_str(&coded));
	ok(reading.is_same && reading.is_ended && reading.at == body.len,
	    "%s of coding %d is read again", what, coding);
	pv_buf_finish(&coded);
}

static void test_bomb(enum server_coding coding, size_t most)
{
	struct pv_buf none;
	struct pv_buf coded;
	pv_buf_init(&none, 1);
	pv_buf_init(&coded, 1 << 28);
	struct body body = body_of(&(struct server_answer){.kind = SERVER_ZEROS,
				       .size = UINT64_C(1) << 30},
	    &none);
	coding_write(coding, body, &coded);
	ok(coded.len < most && coded.len > 100,
	    "a gigabyte of zeros takes %zu bytes of coding %d", coded.len,
	    coding);
	pv_buf_finish(&coded);
}

int main(void)
{
	static const char *const names[] = {
	    NULL, "gzip", "deflate", "deflate", "br", "zstd"};
	struct pv_buf none;
	pv_buf_init(&none, 1);
	struct server_answer zeros = {.kind = SERVER_ZEROS, .size = 40000000};
	struct server_answer pattern = {
	    .kind = SERVER_PATTERN, .size = 3333333};
	struct server_answer text = {.body = "hello, coded world"};
	struct server_answer empty = {.body = ""};
	ok(!coding_name(SERVER_PLAIN), "what is plain has no coding");
	for (enum server_coding i = SERVER_GZIP; i <= SERVER_ZSTD; i++) {
		is_text(pv_str_of(coding_name(i)), names[i],
		    "coding %d has its name", i);
		test_coding(i, body_of(&text, &none), "a text");
		test_coding(i, body_of(&empty, &none), "nothing");
		test_coding(i, body_of(&pattern, &none), "a large body");
		test_coding(i, body_of(&zeros, &none), "a row of zeros");
	}
	test_bomb(SERVER_GZIP, 1100000);
	test_bomb(SERVER_BR, 2000);
	test_bomb(SERVER_ZSTD, 100000);
	return tap_done();
}
