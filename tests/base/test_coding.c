#include "base/coding.h"

#include <stdio.h>
#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

#include "base/buf.h"
#include "tap.h"

#define BYTES_MAX ((size_t)64 * 1024 * 1024)
#define RATIO_MAX 1000

/* The page that is coded: so many lines. */
#define LINES 40

/* It by brotli, which we cannot write. */
static const unsigned char br_page[] = {0x1b, 0x15, 0x03, 0x20, 0x8c, 0xc4,
    0x38, 0x16, 0xf2, 0xc4, 0x99, 0x50, 0x46, 0xa8, 0x74, 0x15, 0x0f, 0x7d,
    0x42, 0x03, 0x6c, 0x5e, 0x4f, 0x99, 0xbd, 0x11, 0x2e, 0xce, 0xb9, 0x7b,
    0x1c, 0x5a, 0x1a, 0x59, 0xa4, 0x2b, 0xcb, 0x2a, 0x17, 0x15, 0xce, 0xe2,
    0xff, 0xfa, 0x7d, 0x21, 0xef, 0x55, 0x00, 0x84, 0x60, 0x04, 0x8d, 0xc1,
    0xe2, 0x2a, 0x0e, 0x1a, 0x88, 0x92, 0xac, 0xa8, 0x35, 0x5a, 0x5c, 0x62,
    0x09, 0xa2, 0x24, 0x2b, 0x6a, 0x8d, 0x16, 0x97, 0x54, 0x82, 0x28, 0xc9,
    0x8a, 0x5a, 0xa3, 0x9d, 0x07};

/* 32 MiB of zeros. */
static const unsigned char br_zeros[] = {0xcb, 0xff, 0xff, 0x3f, 0xf8, 0x27,
    0x00, 0xe2, 0xb1, 0x40, 0x20, 0xf7, 0xfe, 0x8f, 0xff, 0xff, 0x7f, 0xf0,
    0x4f, 0x00, 0xc4, 0x61, 0x11, 0x80, 0xee, 0xfd, 0x1f, 0xff, 0xff, 0xff,
    0xe0, 0x9f, 0x00, 0x88, 0xc3, 0x02, 0x00, 0xdd, 0xfb, 0xbf, 0xfc, 0xff,
    0xff, 0xc3, 0x3f, 0x01, 0x10, 0x87, 0x05, 0x00, 0xba, 0xf7, 0x7f};

/* "hello, hello, hello" with a window of 256 MiB, which "br" does not have. */
static const unsigned char br_large_window[] = {0x11, 0x5c, 0x48, 0x00, 0xe0,
    0x37, 0x52, 0xba, 0x79, 0x13, 0x25, 0x48, 0x19, 0x5a, 0xb2, 0xb1, 0xbc,
    0x45, 0x3c, 0x91, 0x80, 0x8e, 0x03};

static struct pv_str page(void)
{
	static char text[LINES * 32];
	size_t len = 0;
	for (int i = 0; i < LINES; i++)
		len += (size_t)snprintf(
		    text + len, sizeof(text) - len, "line %d of the page\n", i);
	return (struct pv_str){text, len};
}

/* Coding */

enum { GZIP = 31, ZLIB = 15, RAW = -15 };

static void write_zlib(struct pv_buf *buf, struct pv_str text, int bits)
{
	z_stream stream = {0};
	deflateInit2(&stream, 9, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY);
	size_t most = deflateBound(&stream, text.len);
	stream.next_in = (Bytef *)(uintptr_t)text.ptr;
	stream.avail_in = (uInt)text.len;
	stream.next_out = (Bytef *)pv_buf_reserve(buf, most);
	stream.avail_out = (uInt)most;
	deflate(&stream, Z_FINISH);
	buf->len += most - stream.avail_out;
	deflateEnd(&stream);
}

static void write_zstd(struct pv_buf *buf, struct pv_str text, int window_log)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
	if (window_log)
		ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
	size_t most = ZSTD_compressBound(text.len);
	ZSTD_inBuffer in = {text.ptr, text.len, 0};
	ZSTD_outBuffer out = {pv_buf_reserve(buf, most), most, 0};
	ZSTD_compressStream2(context, &out, &in, ZSTD_e_continue);
	ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
	buf->len += out.pos;
	ZSTD_freeCCtx(context);
}

static void write_coded(struct pv_buf *buf, const char *how)
{
	if (strcmp(how, "gzip") == 0)
		write_zlib(buf, page(), GZIP);
	else if (strcmp(how, "zlib") == 0)
		write_zlib(buf, page(), ZLIB);
	else if (strcmp(how, "raw") == 0)
		write_zlib(buf, page(), RAW);
	else if (strcmp(how, "zstd") == 0)
		write_zstd(buf, page(), 0);
	else if (strcmp(how, "br") == 0)
		pv_buf_append(buf,
		    (struct pv_str){(const char *)br_page, sizeof(br_page)});
	else
		pv_buf_append(buf, page());
}

static struct pv_buf coded_page(const char *how)
{
	struct pv_buf buf;
	pv_buf_init(&buf, BYTES_MAX);
	write_coded(&buf, how);
	return buf;
}

static struct pv_str zeros(size_t len)
{
	static char *bytes;
	static size_t size;
	if (len > size) {
		free(bytes);
		bytes = calloc(len, 1);
		size = len;
	}
	return (struct pv_str){bytes, len};
}

/* Decoding */

struct taker {
	struct pv_buf text;
	size_t stop_after; /* bytes; 0: never */
};

static bool take(void *ctx, struct pv_str bytes)
{
	struct taker *taker = ctx;
	pv_buf_append(&taker->text, bytes);
	return !taker->stop_after || taker->text.len < taker->stop_after;
}

struct decoded {
	enum pv_coding_result result;
	struct taker taker;
};

static struct decoded decode_within(struct pv_str names, struct pv_str bytes,
    size_t step, struct pv_coding_plan plan)
{
	struct decoded decoded = {.result = PV_CODING_WHOLE};
	pv_buf_init(&decoded.taker.text, SIZE_MAX);
	plan.give = take;
	plan.ctx = &decoded.taker;
	struct pv_coding *coding = pv_coding_create(names, &plan);
	while (bytes.len) {
		size_t len = bytes.len < step ? bytes.len : step;
		pv_coding_append(coding, pv_str_head(bytes, len));
		bytes = pv_str_from(bytes, len);
	}
	decoded.result = pv_coding_end(coding);
	pv_coding_destroy(coding);
	return decoded;
}

static struct decoded decode(const char *names, struct pv_str bytes)
{
	struct pv_coding_plan plan = {
	    .bytes_max = BYTES_MAX, .ratio_max = RATIO_MAX};
	return decode_within(pv_str_of(names), bytes, SIZE_MAX, plan);
}

static void finish(struct decoded *decoded)
{
	pv_buf_finish(&decoded->taker.text);
}

static struct pv_str text_of(const struct decoded *decoded)
{
	return pv_buf_str(&decoded->taker.text);
}

static bool is_page(const struct decoded *decoded)
{
	return decoded->result == PV_CODING_WHOLE &&
	       pv_str_equal(text_of(decoded), page());
}

/* What servers call what they send, and how it is taken. */
static const struct good {
	const char *names;
	const char *how;
} good[] = {
    {"gzip", "gzip"},
    {"x-gzip", "gzip"},
    {"GZip", "gzip"},
    {" gzip\t", "gzip"},
    {"deflate", "zlib"},
    {"deflate", "raw"},
    {"br", "br"},
    {"zstd", "zstd"},
    {"identity", "plain"},
    {"", "plain"},
    {"identity, gzip, identity", "gzip"},
    {", gzip ,,", "gzip"},
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void test_good(void)
{
	static const size_t steps[] = {1, 3, 7, SIZE_MAX};
	struct pv_coding_plan plan = {
	    .bytes_max = BYTES_MAX, .ratio_max = RATIO_MAX};
	for (size_t i = 0; i < COUNT(good); i++) {
		struct pv_buf coded = coded_page(good[i].how);
		bool is_good = true;
		for (size_t k = 0; k < COUNT(steps); k++) {
			struct decoded decoded =
			    decode_within(pv_str_of(good[i].names),
				pv_buf_str(&coded), steps[k], plan);
			is_good = is_good && is_page(&decoded);
			finish(&decoded);
		}
		ok(is_good,
		    "\"%s\", sent as %s, is undone in steps of any "
		    "size",
		    good[i].names, good[i].how);
		pv_buf_finish(&coded);
	}
}

static void test_empty(void)
{
	static const char *const names[] = {
	    "gzip", "deflate", "br", "zstd", "", "gzip, br"};
	for (size_t i = 0; i < COUNT(names); i++) {
		struct decoded decoded = decode(names[i], PV_STR(""));
		ok(decoded.result == PV_CODING_WHOLE && !text_of(&decoded).len,
		    "no bytes at all in \"%s\" are an empty page", names[i]);
		finish(&decoded);
	}
}

static void test_unknown(void)
{
	static const char *const names[] = {"compress", "x-compress", "none",
	    "utf-8", "gzip;q=1", "gzip deflate", "zip, gzip",
	    "gzip, br, gzip, br", "exi", "aws-chunked"};
	struct pv_buf coded = coded_page("gzip");
	for (size_t i = 0; i < COUNT(names); i++) {
		struct decoded decoded = decode(names[i], pv_buf_str(&coded));
		ok(decoded.result == PV_CODING_UNKNOWN &&
			!text_of(&decoded).len,
		    "\"%s\" is none that we undo, and nothing is given",
		    names[i]);
		finish(&decoded);
	}
	pv_buf_finish(&coded);
}

/* Lists */

static struct pv_buf coded_twice(int inner, int outer)
{
	struct pv_buf once, twice;
	pv_buf_init(&once, BYTES_MAX);
	pv_buf_init(&twice, BYTES_MAX);
	write_zlib(&once, page(), inner);
	write_zlib(&twice, pv_buf_str(&once), outer);
	pv_buf_finish(&once);
	return twice;
}

static void test_lists(void)
{
	struct pv_buf coded = coded_twice(ZLIB, GZIP);
	struct decoded decoded = decode("deflate, gzip", pv_buf_str(&coded));
	ok(is_page(&decoded), "a list is undone from its end");
	finish(&decoded);
	decoded = decode("gzip, deflate", pv_buf_str(&coded));
	ok(decoded.result == PV_CODING_BROKEN, "and not from its beginning");
	finish(&decoded);
	struct pv_buf thrice;
	pv_buf_init(&thrice, BYTES_MAX);
	write_zstd(&thrice, pv_buf_str(&coded), 0);
	decoded = decode("deflate,gzip,zstd", pv_buf_str(&thrice));
	ok(is_page(&decoded), "three codings are undone");
	finish(&decoded);
	pv_buf_finish(&thrice);
	pv_buf_finish(&coded);
	coded = coded_page("gzip");
	decoded = decode("gzip, gzip", pv_buf_str(&coded));
	ok(is_page(&decoded), "gzip named twice and applied once is undone");
	finish(&decoded);
	decoded = decode("br, zstd, gzip", pv_buf_str(&coded));
	ok(decoded.result == PV_CODING_BROKEN,
	    "other codings that are not there are not guessed");
	finish(&decoded);
	pv_buf_finish(&coded);
	pv_buf_init(&coded, BYTES_MAX);
	write_zlib(&coded, PV_STR("\x1f"), GZIP);
	decoded = decode("gzip, gzip", pv_buf_str(&coded));
	ok(decoded.result == PV_CODING_CUT,
	    "a coding within another that ends in its mark is cut");
	finish(&decoded);
	pv_buf_clear(&coded);
	write_zlib(&coded, PV_STR("a"), GZIP);
	decoded = decode("gzip, gzip", pv_buf_str(&coded));
	ok(decoded.result == PV_CODING_WHOLE, "a page may be one byte long");
	is_text(text_of(&decoded), "a", "and is that byte");
	finish(&decoded);
	pv_buf_finish(&coded);
}

/* Members, and what follows them */

static void test_members(void)
{
	static const char *const hows[] = {"gzip", "zstd"};
	for (size_t i = 0; i < COUNT(hows); i++) {
		struct pv_buf coded = coded_page(hows[i]);
		write_coded(&coded, hows[i]);
		write_coded(&coded, hows[i]);
		struct decoded decoded = decode(hows[i], pv_buf_str(&coded));
		ok(decoded.result == PV_CODING_WHOLE &&
			text_of(&decoded).len == 3 * page().len,
		    "%s: several members follow one another", hows[i]);
		finish(&decoded);
		pv_buf_cut(&coded, coded.len - 5);
		decoded = decode(hows[i], pv_buf_str(&coded));
		ok(decoded.result == PV_CODING_CUT,
		    "%s: the last of them may be cut", hows[i]);
		finish(&decoded);
		pv_buf_finish(&coded);
	}
}

static const struct trailer {
	const char *name;
	struct pv_str bytes;
} trailers[] = {
    {"a NUL", PV_STR("\0")},
    {"NULs", PV_STR("\0\0\0\0\0\0\0\0")},
    {"a line end", PV_STR("\r\n")},
    {"a comment", PV_STR("<!-- served in 3 ms -->")},
    {"half a mark", PV_STR("\x1f")},
};

static void test_trailers(void)
{
	for (size_t i = 0; i < COUNT(good); i++) {
		if (strcmp(good[i].how, "plain") == 0)
			continue;
		for (size_t k = 0; k < COUNT(trailers); k++) {
			struct pv_buf coded = coded_page(good[i].how);
			pv_buf_append(&coded, trailers[k].bytes);
			struct decoded decoded =
			    decode(good[i].names, pv_buf_str(&coded));
			ok(is_page(&decoded),
			    "%s behind what is sent as %s (\"%s\") is ignored",
			    trailers[k].name, good[i].how, good[i].names);
			finish(&decoded);
			pv_buf_finish(&coded);
		}
	}
}

/* Plain bytes under a coding's name */

static const struct pv_str plain[] = {
    PV_STR("<!doctype html><title>Plain</title><p>Not coded at all."),
    PV_STR("<html>"),
    PV_STR("a"),
    PV_STR(";this begins with a whole and empty brotli stream"),
    PV_STR("{\"key\": \"value\", \"list\": [1, 2, 3]}\n"),
    PV_STR("\xef\xbb\xbf<p>with a byte order mark"),
    PV_STR("<p>Gr\xc3\xbc\xc3\x9f"
	   "e</p>"),
    PV_STR("User-agent: *\r\nDisallow: /\r\n"),
    PV_STR("KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKK"),
    PV_STR("\n\n\n\n"),
};

static void test_plain(void)
{
	static const char *const names[] = {"gzip", "deflate", "br", "zstd"};
	for (size_t i = 0; i < COUNT(names); i++) {
		unsigned found = 0;
		for (size_t k = 0; k < COUNT(plain); k++) {
			struct decoded decoded = decode(names[i], plain[k]);
			found += decoded.result == PV_CODING_PLAIN;
			if (decoded.result != PV_CODING_PLAIN)
				printf("# text %zu: %d\n", k, decoded.result);
			finish(&decoded);
		}
		ok(found == COUNT(plain),
		    "text that is said to be %s and is not is recognised",
		    names[i]);
	}
	struct pv_str image = PV_STR("\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
	struct decoded decoded = decode("gzip", image);
	ok(decoded.result == PV_CODING_PLAIN && !text_of(&decoded).len,
	    "an image that is said to be gzip is recognised by its lack of "
	    "a mark");
	finish(&decoded);
}

/* Damage */

static const char *const damaged[] = {"gzip", "deflate", "br", "zstd"};

static const char *how_of(const char *name)
{
	return strcmp(name, "deflate") == 0 ? "zlib" : name;
}

/* Of fewer bytes, none may be a control: they could be those of a text. */
#define CUT_MIN 8

static void test_cut(void)
{
	for (size_t i = 0; i < COUNT(damaged); i++) {
		struct pv_buf coded = coded_page(how_of(damaged[i]));
		size_t cut = 0, last = 0;
		bool is_beginning = true;
		for (size_t len = CUT_MIN; len < coded.len; len++) {
			struct decoded decoded = decode(
			    damaged[i], pv_str_head(pv_buf_str(&coded), len));
			struct pv_str text = text_of(&decoded);
			cut += decoded.result == PV_CODING_CUT;
			is_beginning =
			    is_beginning && pv_str_starts(page(), text);
			last = text.len;
			finish(&decoded);
		}
		ok(cut == coded.len - CUT_MIN,
		    "%s: wherever it is cut, that is told", damaged[i]);
		ok(is_beginning && last > 0,
		    "%s: and what came before the cut is given", damaged[i]);
		pv_buf_finish(&coded);
	}
}

/* Formats with a check sum never pass off other text as the page. */
static void test_flipped(void)
{
	for (size_t i = 0; i < COUNT(damaged); i++) {
		struct pv_buf coded = coded_page(how_of(damaged[i]));
		bool has_sum = strcmp(damaged[i], "br") != 0;
		unsigned wrong = 0, found = 0;
		for (size_t bit = 0; bit < coded.len * 8; bit++) {
			coded.ptr[bit / 8] ^= (char)(1 << bit % 8);
			struct decoded decoded =
			    decode(damaged[i], pv_buf_str(&coded));
			bool is_same = pv_str_equal(text_of(&decoded), page());
			wrong += decoded.result == PV_CODING_WHOLE && !is_same;
			found += decoded.result != PV_CODING_WHOLE;
			finish(&decoded);
			coded.ptr[bit / 8] ^= (char)(1 << bit % 8);
		}
		ok(found > 0 && (!wrong || !has_sum),
		    "%s: no bit that is turned %s", damaged[i],
		    has_sum ? "makes another page" : "does harm");
		pv_buf_finish(&coded);
	}
}

static void test_check_sums(void)
{
	static const struct {
		const char *name;
		size_t from_end;
		const char *what;
	} sums[] = {
	    {"gzip", 8, "CRC"},
	    {"gzip", 1, "length"},
	    {"deflate", 1, "Adler sum"},
	    {"zstd", 1, "check sum"},
	};
	for (size_t i = 0; i < COUNT(sums); i++) {
		struct pv_buf coded = coded_page(how_of(sums[i].name));
		coded.ptr[coded.len - sums[i].from_end] ^= 1;
		struct decoded decoded =
		    decode(sums[i].name, pv_buf_str(&coded));
		ok(decoded.result == PV_CODING_BROKEN, "%s: a wrong %s is told",
		    sums[i].name, sums[i].what);
		finish(&decoded);
		pv_buf_finish(&coded);
	}
}

/* Ceilings */

static void test_bytes_max(void)
{
	struct pv_buf coded = coded_page("gzip");
	struct pv_coding_plan plan = {.bytes_max = page().len};
	struct decoded decoded =
	    decode_within(PV_STR("gzip"), pv_buf_str(&coded), SIZE_MAX, plan);
	ok(is_page(&decoded), "a page may be as large as the ceiling");
	finish(&decoded);
	plan.bytes_max--;
	decoded =
	    decode_within(PV_STR("gzip"), pv_buf_str(&coded), SIZE_MAX, plan);
	ok(decoded.result == PV_CODING_TOO_LARGE &&
		text_of(&decoded).len <= plan.bytes_max,
	    "P5: and no larger");
	finish(&decoded);
	decoded = decode_within(PV_STR(""), page(), 100, plan);
	ok(decoded.result == PV_CODING_TOO_LARGE,
	    "P5: without a coding as well");
	finish(&decoded);
	pv_buf_finish(&coded);
}

static void test_bombs(void)
{
	struct pv_str nothing = zeros((size_t)32 * 1024 * 1024);
	struct pv_str br = {(const char *)br_zeros, sizeof(br_zeros)};
	struct pv_buf coded;
	pv_buf_init(&coded, BYTES_MAX);
	struct decoded decoded = decode("br", br);
	ok(decoded.result == PV_CODING_TOO_STEEP &&
		text_of(&decoded).len < (size_t)2 * 1024 * 1024,
	    "P5: 53 bytes of br that stand for 32 MiB are left after the "
	    "first MiB");
	finish(&decoded);
	write_zstd(&coded, nothing, 0);
	decoded = decode("zstd", pv_buf_str(&coded));
	ok(decoded.result == PV_CODING_TOO_STEEP, "P5: so is zstd");
	finish(&decoded);
	pv_buf_clear(&coded);
	write_zlib(&coded, nothing, GZIP);
	decoded = decode("gzip", pv_buf_str(&coded));
	ok(decoded.result == PV_CODING_TOO_STEEP, "P5: and gzip");
	finish(&decoded);
	struct pv_coding_plan plan = {.bytes_max = BYTES_MAX};
	decoded = decode_within(PV_STR("br"), br, SIZE_MAX, plan);
	ok(decoded.result == PV_CODING_WHOLE &&
		pv_str_equal(text_of(&decoded), nothing),
	    "where no ratio is set, all of it comes");
	finish(&decoded);
	pv_buf_finish(&coded);
}

/* A bomb within a coding, of which nothing comes out. */
static void test_hidden_bomb(void)
{
	struct pv_buf inner, outer;
	pv_buf_init(&inner, BYTES_MAX);
	pv_buf_init(&outer, BYTES_MAX);
	write_zlib(&inner, page(), GZIP);
	pv_buf_append(&inner, zeros((size_t)16 * 1024 * 1024));
	write_zlib(&outer, pv_buf_str(&inner), GZIP);
	struct decoded decoded = decode("gzip, gzip", pv_buf_str(&outer));
	ok(decoded.result == PV_CODING_TOO_STEEP,
	    "P5: what one coding gives another counts too");
	finish(&decoded);
	pv_buf_finish(&inner);
	pv_buf_finish(&outer);
}

static void test_ratio_of_small(void)
{
	struct pv_buf coded;
	pv_buf_init(&coded, BYTES_MAX);
	write_zlib(&coded, zeros((size_t)1024 * 1024), GZIP);
	struct pv_coding_plan plan = {.bytes_max = BYTES_MAX, .ratio_max = 10};
	struct decoded decoded =
	    decode_within(PV_STR("gzip"), pv_buf_str(&coded), SIZE_MAX, plan);
	ok(decoded.result == PV_CODING_WHOLE,
	    "up to a MiB, nobody asks how steep it is");
	finish(&decoded);
	pv_buf_finish(&coded);
}

static void test_windows(void)
{
	struct pv_str large = {
	    (const char *)br_large_window, sizeof(br_large_window)};
	struct decoded decoded = decode("br", large);
	ok(decoded.result == PV_CODING_BROKEN,
	    "P5: br with a large window is none");
	finish(&decoded);
	struct pv_buf coded;
	pv_buf_init(&coded, BYTES_MAX);
	write_zstd(&coded, page(), 23);
	decoded = decode("zstd", pv_buf_str(&coded));
	ok(is_page(&decoded), "zstd with a window of 8 MiB is undone");
	finish(&decoded);
	pv_buf_clear(&coded);
	write_zstd(&coded, zeros(100000), 24);
	decoded = decode("zstd", pv_buf_str(&coded));
	ok(decoded.result == PV_CODING_TOO_LARGE,
	    "P5: and with a larger one it is too large");
	finish(&decoded);
	pv_buf_finish(&coded);
}

/* A damaged frame whose fifth byte begins what could be a frame to be skipped. */
static void test_false_marks(void)
{
	static const struct pv_str frame =
	    PV_STR("\x28\xb5\x2f\xfd\x51\x2a\x4d\x18\x03\0\0\0abc");
	struct decoded decoded = decode("zstd", frame);
	ok(decoded.result == PV_CODING_BROKEN,
	    "zstd: the middle of a frame is not taken for another's beginning");
	finish(&decoded);
}

static void test_stopped(void)
{
	struct pv_buf coded;
	struct decoded decoded = {.taker.stop_after = 1};
	struct pv_coding_plan plan = {
	    .bytes_max = BYTES_MAX, .give = take, .ctx = &decoded.taker};
	pv_buf_init(&coded, BYTES_MAX);
	pv_buf_init(&decoded.taker.text, SIZE_MAX);
	write_zlib(&coded, zeros((size_t)1024 * 1024), GZIP);
	decoded.result =
	    pv_coding_undo(PV_STR("gzip"), pv_buf_str(&coded), &plan);
	ok(decoded.result == PV_CODING_STOPPED &&
		text_of(&decoded).len < (size_t)1024 * 1024,
	    "who takes the bytes may say that it is enough");
	finish(&decoded);
	pv_buf_finish(&coded);
}

static void test_texts(void)
{
	bool has_all = true;
	for (unsigned i = 0; i < PV_CODING_COUNT; i++)
		has_all =
		    has_all && pv_coding_result_text((enum pv_coding_result)i);
	ok(has_all, "each result is said in words");
	is_text(pv_str_of(pv_coding_result_text(PV_CODING_WHOLE)), "",
	    "and nothing is said of what is whole");
	pv_coding_destroy(NULL);
}

int main(void)
{
	test_good();
	test_empty();
	test_unknown();
	test_lists();
	test_members();
	test_trailers();
	test_plain();
	test_cut();
	test_flipped();
	test_check_sums();
	test_bytes_max();
	test_bombs();
	test_hidden_bomb();
	test_ratio_of_small();
	test_windows();
	test_false_marks();
	test_stopped();
	test_texts();
	free((char *)(uintptr_t)zeros(0).ptr);
	return tap_done();
}
