#include "parse/decoder.h"

#include <errno.h>

#include "base/ascii.h"
#include "base/reader.h"
#include "base/utf8.h"

/* So much is converted at once; no character takes more than 8 bytes, the
 * escape sequences before it included. */
#define CHUNK_LEN 512
#define CHARACTER_LEN_MAX 8

#define REPLACEMENT 0xfffd

static bool is_one_of(const char *const *names, const char *name)
{
	for (; *names; names++) {
		if (strcmp(*names, name) == 0)
			return true;
	}
	return false;
}

/* In which a byte is not simply a character. */
static const char *const multibyte[] = {"utf-8", "gbk", "gb18030", "big5",
    "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "replacement", "utf-16be",
    "utf-16le", NULL};

/* In which the bytes of ASCII are not always ASCII. "replacement" is what the
 * standard reads as nothing at all, since it has only been used to hide
 * something. */
static const char *const unlike_ascii[] = {
    "iso-2022-jp", "replacement", "utf-16be", "utf-16le", NULL};

static bool is_named(const struct pv_encoding *encoding, const char *name)
{
	return encoding && strcmp(encoding->name, name) == 0;
}

static bool is_wide(const struct pv_encoding *encoding)
{
	return is_named(encoding, "utf-16le") || is_named(encoding, "utf-16be");
}

bool pv_decoder_must_come_first(const struct pv_encoding *encoding)
{
	return encoding && is_one_of(unlike_ascii, encoding->name);
}

void pv_decoder_init(
    struct pv_decoder *decoder, const struct pv_encoding *encoding)
{
	*decoder = (struct pv_decoder){
	    .encoding = encoding, .is_wide = is_wide(encoding)};
}

void pv_decoder_finish(struct pv_decoder *decoder)
{
	if (decoder->is_open)
		iconv_close(decoder->converter);
	*decoder = (struct pv_decoder){.encoding = NULL};
}

static bool is_plain(struct pv_str text)
{
	bool is_plain = true;
	for (size_t i = 0; i < text.len; i++)
		is_plain &= (signed char)text.ptr[i] > 0;
	return is_plain;
}

bool pv_decoder_changes(const struct pv_decoder *decoder, struct pv_str text)
{
	if (is_plain(text))
		return decoder->is_wide;
	if (is_named(decoder->encoding, "utf-8"))
		return pv_utf8_find_invalid(text) != PV_NOT_FOUND ||
		       pv_str_find(text, '\0') != PV_NOT_FOUND;
	return decoder->encoding || pv_str_find(text, '\0') != PV_NOT_FOUND;
}

static const char *iconv_name(const struct pv_encoding *encoding)
{
	if (is_wide(encoding))
		return is_named(encoding, "utf-16le") ? "UTF-16LE" : "UTF-16BE";
	return encoding->iconv;
}

/* Bytes that mean something else to the standard than to iconv. */
static const struct exception {
	const char *encoding;
	int byte;
	uint32_t character;
} exceptions[] = {
    {"gb18030", 0x80, 0x20ac},
    {"gbk", 0x80, 0x20ac},
    {"koi8-u", 0xae, 0x045e},
    {"koi8-u", 0xbe, 0x040e},
    {"macintosh", 0xc6, 0x2206},
    {"macintosh", 0xf0, 0xf8ff},
    {"shift_jis", 0x80, 0x80},
    {"windows-1255", 0xca, 0x05ba},
    {"x-mac-cyrillic", 0xff, 0x20ac},
};

/* 0 if there is none. */
static uint32_t find_exception(const struct pv_encoding *encoding, int byte)
{
	size_t count = sizeof(exceptions) / sizeof(*exceptions);
	for (size_t i = 0; i < count; i++) {
		if (exceptions[i].byte == byte &&
		    is_named(encoding, exceptions[i].encoding))
			return exceptions[i].character;
	}
	return 0;
}

/* An encoding that this machine's iconv has not got counts as unknown. */
static bool open_converter(struct pv_decoder *decoder)
{
	const char *name = iconv_name(decoder->encoding);
	if (decoder->is_open || !name)
		return decoder->is_open;
	iconv_t converter = iconv_open("UTF-8", name);
	decoder->is_open = converter != (iconv_t)-1;
	if (decoder->is_open)
		decoder->converter = converter;
	return decoder->is_open;
}

/* Bytes that are ASCII, or better than nothing. */
static void append_as_is(struct pv_buf *buf, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader) && !buf->is_full) {
		pv_buf_append(buf, pv_reader_take_until(&reader, '\0'));
		if (pv_reader_accept(&reader, '\0'))
			pv_utf8_append(buf, REPLACEMENT);
	}
}

static void append_utf8(struct pv_buf *buf, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader) && !buf->is_full) {
		struct pv_str rest = pv_reader_rest(&reader);
		size_t invalid = pv_utf8_find_invalid(rest);
		size_t len = invalid == PV_NOT_FOUND ? rest.len : invalid;
		append_as_is(buf, pv_reader_take(&reader, len));
		if (pv_reader_next(&reader) >= 0)
			pv_utf8_append(buf, REPLACEMENT);
	}
}

/* Appends what iconv makes of the beginning of the text and takes that from
 * the reader; whether there was a fault behind it. */
static bool convert(struct pv_decoder *decoder, struct pv_buf *buf,
    struct pv_reader *reader, size_t len_max)
{
	char bytes[CHUNK_LEN], converted[CHUNK_LEN * 4];
	struct pv_reader ahead = *reader;
	struct pv_str chunk = pv_reader_take(&ahead, len_max);
	memcpy(bytes, chunk.ptr, chunk.len);
	char *from = bytes, *to = converted;
	size_t from_len = chunk.len, room = sizeof(converted);
	errno = 0;
	iconv(decoder->converter, &from, &from_len, &to, &room);
	bool is_cut = errno == EINVAL && !pv_reader_is_end(&ahead);
	bool is_wrong = from_len && !is_cut && errno != E2BIG;
	pv_reader_take(reader, chunk.len - from_len);
	struct pv_str text = {converted, sizeof(converted) - room};
	append_as_is(buf, text);
	return is_wrong;
}

/* Forgets a shift state, or a letter that waits for its accent. */
static void flush(struct pv_decoder *decoder, struct pv_buf *buf)
{
	char bytes[CHARACTER_LEN_MAX];
	char *to = bytes;
	size_t room = sizeof(bytes);
	iconv(decoder->converter, NULL, NULL, &to, &room);
	struct pv_str text = {bytes, sizeof(bytes) - room};
	pv_buf_append(buf, text);
}

/* Whether a byte may be the first half of a character. */
static bool is_first_half(const struct pv_encoding *encoding, int byte)
{
	if (is_named(encoding, "shift_jis"))
		return (byte > 0x80 && byte < 0xa0) ||
		       (byte >= 0xe0 && byte <= 0xfc);
	if (is_named(encoding, "euc-jp"))
		return byte == 0x8e || byte == 0x8f ||
		       (byte > 0xa0 && byte < 0xff);
	return byte > 0x80 && byte < 0xff;
}

/* Behind a first half: whether a digit, such a half and a digit follow, which
 * are one character of gb18030. */
static bool is_at_quarters(struct pv_reader ahead)
{
	return pv_is_digit(pv_reader_next(&ahead)) &&
	       pv_reader_next(&ahead) > 0x80 &&
	       pv_is_digit(pv_reader_next(&ahead));
}

/* How many more bytes belong to a fault behind its first. What is of ASCII
 * stands for itself, so that no markup is lost. */
static size_t rest_of_fault(const struct pv_encoding *encoding, int first,
    const struct pv_reader *reader)
{
	bool is_chinese =
	    is_named(encoding, "gb18030") || is_named(encoding, "gbk");
	if (is_wide(encoding))
		return 1;
	if (is_named(encoding, "iso-2022-jp") ||
	    !is_first_half(encoding, first))
		return 0;
	if (is_chinese && is_at_quarters(*reader))
		return 3;
	return pv_reader_peek(reader) >= 0x80;
}

/* Takes what iconv could make nothing of; what it means. */
static uint32_t take_fault(
    const struct pv_encoding *encoding, struct pv_reader *reader)
{
	int first = pv_reader_next(reader);
	uint32_t exception = find_exception(encoding, first);
	if (exception)
		return exception;
	pv_reader_take(reader, rest_of_fault(encoding, first, reader));
	return REPLACEMENT;
}

static void append_multibyte(
    struct pv_decoder *decoder, struct pv_buf *buf, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader) && !buf->is_full) {
		if (convert(decoder, buf, &reader, CHUNK_LEN))
			pv_utf8_append(
			    buf, take_fault(decoder->encoding, &reader));
	}
	flush(decoder, buf);
}

/* Browsers know nothing of iconv's combining of letters and accents, so each
 * byte is converted alone. One of 0x80 to 0x9f that means nothing is a control
 * character to them. */
static void append_single(
    struct pv_decoder *decoder, struct pv_buf *buf, struct pv_reader *reader)
{
	int byte = pv_reader_peek(reader);
	bool is_user_defined = is_named(decoder->encoding, "x-user-defined");
	uint32_t exception = find_exception(decoder->encoding, byte);
	if (byte > 0 && byte < 0x80) {
		pv_buf_append_char(buf, (char)pv_reader_next(reader));
	} else if (exception) {
		pv_reader_next(reader);
		pv_utf8_append(buf, exception);
	} else if (!byte || is_user_defined) {
		pv_reader_next(reader);
		uint32_t character = 0xf780 + (uint32_t)byte - 0x80;
		pv_utf8_append(buf, byte ? character : REPLACEMENT);
	} else if (convert(decoder, buf, reader, 1)) {
		pv_reader_next(reader);
		pv_utf8_append(buf, byte < 0xa0 ? (uint32_t)byte : REPLACEMENT);
	} else {
		flush(decoder, buf);
	}
}

void pv_decoder_append(
    struct pv_decoder *decoder, struct pv_buf *buf, struct pv_str text)
{
	const struct pv_encoding *encoding = decoder->encoding;
	struct pv_reader reader = pv_reader_of(text);
	if (is_named(encoding, "utf-8")) {
		append_utf8(buf, text);
	} else if (is_named(encoding, "replacement")) {
		if (text.len)
			pv_utf8_append(buf, REPLACEMENT);
	} else if (!encoding || (!open_converter(decoder) &&
				    !is_named(encoding, "x-user-defined"))) {
		append_as_is(buf, text);
	} else if (is_one_of(multibyte, encoding->name)) {
		append_multibyte(decoder, buf, text);
	} else {
		while (!pv_reader_is_end(&reader) && !buf->is_full)
			append_single(decoder, buf, &reader);
	}
}
