#include "url/encoder.h"

#include "base/utf8.h"
#include "url/encoding.h"
#include "url/percent.h"

/* One character in any encoding, with the escape sequences before it. */
#define BYTES_MAX 16

#define REPLACEMENT 0xfffd
#define REPLACEMENT_UTF8 PV_STR("\xef\xbf\xbd")

void pv_encoder_init(struct pv_encoder *encoder, struct pv_str label)
{
	const struct pv_encoding *encoding = pv_encoding_find(label);
	*encoder = (struct pv_encoder){.encoding = NULL};
	if (encoding && encoding->iconv)
		encoder->encoding = encoding;
}

void pv_encoder_finish(struct pv_encoder *encoder)
{
	if (encoder->is_open)
		iconv_close(encoder->converter);
	*encoder = (struct pv_encoder){.encoding = NULL};
}

/* An encoding that this machine's iconv has not got counts as UTF-8. */
static bool open_converter(struct pv_encoder *encoder)
{
	if (!encoder->encoding || encoder->is_open)
		return encoder->is_open;
	iconv_t converter = iconv_open(encoder->encoding->iconv, "UTF-8");
	encoder->is_open = converter != (iconv_t)-1;
	if (encoder->is_open)
		encoder->converter = converter;
	else
		encoder->encoding = NULL;
	return encoder->is_open;
}

static bool is_named(const struct pv_encoder *encoder, const char *name)
{
	return strcmp(encoder->encoding->name, name) == 0;
}

/* Where the standard's encoders write something else than iconv; under the
 * name "japanese" for all three of these. */
static const struct exception {
	const char *encoding;
	int32_t character;
	const char *bytes; /* "": it has not got the character */
} exceptions[] = {
    {"big5", 0xa2, ""},
    {"big5", 0xa3, ""},
    {"big5", 0xa5, ""},
    {"big5", 0xaf, "\xa1\xc2"},
    {"big5", 0xca, ""},
    {"big5", 0xea, ""},
    {"big5", 0x2cd, "\xa1\xc5"},
    {"big5", 0x2022, ""},
    {"big5", 0x2027, "\xa1\x45"},
    {"big5", 0x203e, ""},
    {"big5", 0x20ac, "\xa3\xe1"},
    {"big5", 0x2641, ""},
    {"big5", 0xff5e, "\xa1\xe3"},
    {"big5", 0xff64, ""},
    {"big5", 0xffe0, "\xa2\x46"},
    {"big5", 0xffe1, "\xa2\x47"},
    {"big5", 0xffe5, "\xa2\x44"},
    {"gbk", 0x20ac, "\x80"},
    {"gbk", 0xe5e5, ""},
    {"gb18030", 0xe5e5, ""},
    {"iso-2022-jp", 0x0e, ""},
    {"iso-2022-jp", 0x0f, ""},
    {"iso-2022-jp", 0x1b, ""},
    {"japanese", 0xa2, ""},
    {"japanese", 0xa3, ""},
    {"japanese", 0xac, ""},
    {"japanese", 0x2014, ""},
    {"japanese", 0x2016, ""},
    {"japanese", 0x301c, ""},
    {"macintosh", 0xf8ff, "\xf0"},
    {"x-mac-cyrillic", 0xa4, ""},
    {"x-mac-cyrillic", 0x20ac, "\xff"},
};

static bool is_japanese(const struct pv_encoder *encoder)
{
	return is_named(encoder, "shift_jis") || is_named(encoder, "euc-jp") ||
	       is_named(encoder, "iso-2022-jp");
}

static bool is_meant(
    const struct pv_encoder *encoder, const struct exception *exception)
{
	return is_named(encoder, exception->encoding) ||
	       (strcmp(exception->encoding, "japanese") == 0 &&
		   is_japanese(encoder));
}

static const struct exception *find_exception(
    const struct pv_encoder *encoder, int32_t character)
{
	size_t count = sizeof(exceptions) / sizeof(*exceptions);
	for (size_t i = 0; i < count; i++) {
		if (exceptions[i].character == character &&
		    is_meant(encoder, &exceptions[i]))
			return &exceptions[i];
	}
	return NULL;
}

/* What iconv writes and the standard does not: characters of their users' own,
 * and of Hong Kong, a letter and its accent apart, and what takes more than two
 * bytes. */
static bool is_unwritten(
    const struct pv_encoder *encoder, const char *bytes, size_t len)
{
	int first = (unsigned char)bytes[0];
	if (is_named(encoder, "windows-1258"))
		return len > 1;
	if (is_named(encoder, "big5"))
		return first > 0x80 && first < 0xa1;
	if (is_named(encoder, "shift_jis"))
		return first >= 0xf0 && first <= 0xf9;
	if (is_named(encoder, "euc-jp"))
		return len > 2 || first >= 0xf5;
	return len > 2 && is_named(encoder, "gbk");
}

/* Writes one character, given in UTF-8, as iconv does; its length, or 0 if the
 * encoding has not got it. */
static size_t convert(
    struct pv_encoder *encoder, struct pv_str character, char bytes[BYTES_MAX])
{
	char utf8[4];
	char *from = utf8, *to = bytes;
	size_t from_len = character.len, room = BYTES_MAX;
	memcpy(utf8, character.ptr, character.len);
	size_t result = iconv(encoder->converter, &from, &from_len, &to, &room);
	size_t len = BYTES_MAX - room;
	if (result == (size_t)-1 || is_unwritten(encoder, bytes, len))
		return 0;
	return len;
}

/* Back to the state in which ASCII is ASCII. */
static void append_reset(struct pv_encoder *encoder, struct pv_buf *buf)
{
	char bytes[BYTES_MAX];
	char *to = bytes;
	size_t room = BYTES_MAX;
	iconv(encoder->converter, NULL, NULL, &to, &room);
	struct pv_str reset = {bytes, BYTES_MAX - room};
	pv_percent_append(buf, reset, PV_PERCENT_QUERY);
}

/* "&#NNNN;". A control character that may not be written is shown as
 * U+FFFD. */
static void append_reference(
    struct pv_encoder *encoder, struct pv_buf *buf, int32_t character)
{
	int32_t shown = character < 0x20 ? REPLACEMENT : character;
	append_reset(encoder, buf);
	pv_buf_append_format(buf, "%%26%%23%d%%3B", (int)shown);
}

static void append_character(
    struct pv_encoder *encoder, struct pv_buf *buf, struct pv_reader *reader)
{
	char bytes[BYTES_MAX];
	struct pv_str rest = pv_reader_rest(reader);
	int32_t character = pv_utf8_next(reader);
	size_t taken = rest.len - pv_reader_left(reader);
	struct pv_str utf8 = pv_str_head(rest, taken);
	if (character == PV_UTF8_INVALID) {
		character = REPLACEMENT;
		utf8 = REPLACEMENT_UTF8;
	}
	struct pv_str encoded = {bytes, 0};
	const struct exception *exception = find_exception(encoder, character);
	if (exception)
		encoded = pv_str_of(exception->bytes);
	else
		encoded.len = convert(encoder, utf8, bytes);
	if (encoded.len)
		pv_percent_append(buf, encoded, PV_PERCENT_QUERY);
	else
		append_reference(encoder, buf, character);
}

static bool is_printable(struct pv_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] < 0x20 || text.ptr[i] > 0x7e)
			return false;
	}
	return true;
}

void pv_encoder_append(
    struct pv_encoder *encoder, struct pv_buf *buf, struct pv_str query)
{
	if (is_printable(query) || !open_converter(encoder)) {
		pv_percent_append(buf, query, PV_PERCENT_QUERY);
		return;
	}
	struct pv_reader reader = pv_reader_of(query);
	while (!pv_reader_is_end(&reader) && !buf->is_full)
		append_character(encoder, buf, &reader);
	append_reset(encoder, buf);
}
