#include "mirror/files/file_name.h"

#include "base/ascii.h"
#include "base/digest.h"
#include "base/reader.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "mirror/files/extension.h"

#define HEAD_LEN 140
#define HASH_DIGITS 32
#define DEPTH_MAX 32
#define DIRECTORIES_MAX 2000

#define MARK "^"
#define ASKED_INDEX_MARK "^^"
#define DOT_MARK "^^"
#define EMPTY_QUERY_MARK "^^q"
#define HASH_MARK "^^h"

/* Writing one component at a time, before it is known how long it gets. */
struct writer {
	struct pv_buf component;
	struct pv_buf portable; /* the same, where that is asked for */
	struct pv_buf *name;
	bool is_portable;
};

/* Percent signs */

/* Takes "%XX" in capitals; -1, with nothing taken, if it is not next. */
static int take_escape(struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	if (!pv_reader_accept(&ahead, '%'))
		return -1;
	int high = pv_reader_next(&ahead);
	int low = pv_reader_next(&ahead);
	if (pv_is_lower(high) || pv_is_lower(low) || pv_hex_value(high) < 0 ||
	    pv_hex_value(low) < 0)
		return -1;
	*reader = ahead;
	return pv_hex_value(high) << 4 | pv_hex_value(low);
}

/* Takes the escapes of one character beyond ASCII, and says how many bytes it
 * has in UTF-8; 0, with nothing taken, if they are none. */
static size_t take_character(struct pv_reader *reader, char bytes[4])
{
	struct pv_reader ahead = *reader;
	size_t len = 0;
	int byte = 0;
	while (len < 4 && (byte = take_escape(&ahead)) >= 0x80) {
		bytes[len++] = (char)byte;
		struct pv_reader decoded =
		    pv_reader_of((struct pv_str){bytes, len});
		if (pv_utf8_next(&decoded) < 0)
			continue;
		*reader = ahead;
		return len;
	}
	return 0;
}

/* Whether a terminal shows it as it is; then it is appended. */
static bool append_if_visible(struct pv_buf *buf, struct pv_str character)
{
	size_t start = buf->len;
	pv_visible_append(buf, character);
	if (buf->len - start == character.len)
		return true;
	pv_buf_cut(buf, start);
	return false;
}

/* What begins with a percent sign; `is_first` of its text. */
static void append_escaped(
    struct pv_buf *buf, struct pv_reader *reader, bool is_first)
{
	char bytes[4];
	struct pv_reader ahead = *reader;
	bool is_space = take_escape(&ahead) == ' ' && !is_first &&
			!pv_reader_is_end(&ahead);
	if (is_space) {
		pv_buf_append_char(buf, ' ');
		*reader = ahead;
		return;
	}
	ahead = *reader;
	size_t len = take_character(&ahead, bytes);
	if (len && append_if_visible(buf, (struct pv_str){bytes, len})) {
		*reader = ahead;
		return;
	}
	pv_buf_append_char(buf, (char)pv_reader_next(reader));
}

static bool is_plain(int byte)
{
	return byte != '%' && byte != '/' && byte != '\\' && byte != '^';
}

/* A segment of a path, or a query. */
static void append_text(struct pv_buf *buf, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader)) {
		pv_buf_append(buf, pv_reader_take_while(&reader, is_plain));
		int next = pv_reader_peek(&reader);
		if (next == '%')
			append_escaped(buf, &reader, reader.at == text.ptr);
		else if (next >= 0)
			pv_buf_append_format(buf, MARK "%02X",
			    (unsigned)pv_reader_next(&reader));
	}
}

/* Components */

static void begin(struct writer *writer)
{
	pv_buf_clear(&writer->component);
}

static void append_segment(struct writer *writer, struct pv_str segment)
{
	if (segment.len && segment.ptr[0] == '.')
		pv_buf_append_text(&writer->component, DOT_MARK);
	append_text(&writer->component, segment);
}

static void append_hash(struct pv_buf *name, struct pv_str text)
{
	uint8_t digest[PV_DIGEST_SIZE];
	pv_digest(text, digest);
	pv_buf_append_text(name, HASH_MARK);
	size_t start = name->len;
	if (pv_digest_write(digest, name))
		pv_buf_cut(name, start + HASH_DIGITS);
}

/* Portable components */

static bool is_portable_byte(int byte)
{
	static const struct pv_str forbidden = PV_STR("<>:\"|?*\\");
	return byte > 0x20 && byte < 0x7f &&
	       pv_str_find(forbidden, (char)byte) == PV_NOT_FOUND;
}

/* A space or a dot may not be the last of a name. */
static void append_portable_bytes(
    struct pv_buf *buf, struct pv_str text, bool is_end)
{
	for (size_t i = 0; i < text.len; i++) {
		int byte = (unsigned char)text.ptr[i];
		bool is_last = is_end && i + 1 == text.len;
		bool is_plain = is_portable_byte(byte) || byte == ' ';
		if (is_plain && !(is_last && (byte == ' ' || byte == '.')))
			pv_buf_append_char(buf, (char)byte);
		else
			pv_buf_append_format(buf, MARK "%02X", (unsigned)byte);
	}
}

/* Whatever follows the first dot, or the blanks before it. */
static bool is_device(struct pv_str text)
{
	static const char *const devices[] = {
	    "con", "prn", "aux", "nul", "conin$", "conout$"};
	static const char *const ports[] = {"com", "lpt"};
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str base = pv_str_trim(pv_reader_take_until(&reader, '.'));
	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
		if (pv_str_equal_nocase(base, pv_str_of(devices[i])))
			return true;
	}
	return base.len == 4 && pv_is_digit((unsigned char)base.ptr[3]) &&
	       (pv_str_equal_nocase(
		    pv_str_head(base, 3), pv_str_of(ports[0])) ||
		   pv_str_equal_nocase(
		       pv_str_head(base, 3), pv_str_of(ports[1])));
}

/* A digit of the mask for each four letters, the first letter the least, up to
 * the last capital. */
static void append_mask(struct pv_buf *buf, struct pv_str text)
{
	size_t start = buf->len;
	size_t used = 0;
	size_t letters = 0;
	unsigned digit = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (!pv_is_alpha((unsigned char)text.ptr[i]))
			continue;
		bool is_capital = pv_is_upper((unsigned char)text.ptr[i]);
		digit |= (unsigned)is_capital << letters++ % 4;
		if (letters % 4 == 0 || is_capital) {
			pv_buf_cut(buf, start + (letters - 1) / 4);
			pv_buf_append_format(buf, "%x", digit);
		}
		if (is_capital)
			used = (letters - 1) / 4 + 1;
		if (letters % 4 == 0)
			digit = 0;
	}
	pv_buf_cut(buf, start + used);
}

/* The component, to be followed by that extension. */
static struct pv_str make_portable(
    struct writer *writer, struct pv_str extension)
{
	struct pv_buf *buf = &writer->portable;
	struct pv_str text = pv_buf_str(&writer->component);
	struct pv_buf mask;
	pv_buf_init(&mask, SIZE_MAX);
	pv_buf_clear(buf);
	if (is_device(text))
		pv_buf_append_text(buf, "^^w");
	append_portable_bytes(buf, text, !extension.len);
	pv_buf_append(&mask, text);
	pv_buf_append(&mask, extension);
	size_t len = mask.len;
	append_mask(&mask, pv_str_head(pv_buf_str(&mask), len));
	if (mask.len > len) {
		pv_buf_append_text(buf, "^^c");
		pv_buf_append(buf, pv_str_from(pv_buf_str(&mask), len));
	}
	pv_buf_finish(&mask);
	return pv_buf_str(buf);
}

/* Appends the component to the name, with an extension or "". */
static void end(struct writer *writer, struct pv_str extension)
{
	struct pv_str text = pv_buf_str(&writer->component);
	if (writer->is_portable)
		text = make_portable(writer, extension);
	if (text.len + extension.len + 1 > PV_FILE_COMPONENT_MAX) {
		pv_buf_append(writer->name, pv_utf8_head(text, HEAD_LEN));
		append_hash(writer->name, text);
	} else {
		pv_buf_append(writer->name, text);
	}
	if (extension.len) {
		pv_buf_append_char(writer->name, '.');
		pv_buf_append(writer->name, extension);
	}
}

/* What follows the last dot, if it is known; else empty. */
static struct pv_str extension_of(struct pv_str segment)
{
	size_t dot = pv_str_find_last(segment, '.');
	if (dot == PV_NOT_FOUND)
		return PV_STR("");
	struct pv_str extension = pv_str_from(segment, dot + 1);
	return pv_extension_is_known(extension) ? extension : PV_STR("");
}

/* The host's own directory */

/* A host in brackets is written without them: its colons tell it apart. */
static void append_host(struct writer *writer, const struct pv_url *url)
{
	struct pv_str host = pv_url_host(url);
	if (host.len && host.ptr[0] == '[')
		host = (struct pv_str){host.ptr + 1, host.len - 2};
	append_segment(writer, host);
}

static void append_authority(struct writer *writer, const struct pv_url *url)
{
	unsigned port = pv_url_port(url);
	begin(writer);
	append_host(writer, url);
	if (!url->parts.is_secure)
		pv_buf_append_format(&writer->component, MARK "%u", port);
	else if (pv_url_has_port(url))
		pv_buf_append_format(&writer->component, MARK "https%u", port);
	if (pv_url_has_credentials(url))
		pv_buf_append_text(&writer->component, MARK "auth");
	end(writer, PV_STR(""));
}

/* Directories below it */

static void append_directory(struct writer *writer, struct pv_str segment)
{
	begin(writer);
	append_segment(writer, segment);
	if (!segment.len || extension_of(segment).len)
		pv_buf_append_text(&writer->component, MARK);
	pv_buf_append_char(writer->name, '/');
	end(writer, PV_STR(""));
}

/* All from the path's root to its last slash. */
static void append_directories(struct writer *writer, struct pv_str directories)
{
	struct pv_reader reader = pv_reader_of(directories);
	size_t start = writer->name->len;
	for (unsigned depth = 0; !pv_reader_is_end(&reader); depth++) {
		size_t len = writer->name->len;
		struct pv_str rest = pv_reader_rest(&reader);
		append_directory(writer, pv_reader_take_until(&reader, '/'));
		pv_reader_next(&reader);
		if (depth < DEPTH_MAX &&
		    writer->name->len - start <= DIRECTORIES_MAX)
			continue;
		pv_buf_cut(writer->name, len);
		pv_buf_append_char(writer->name, '/');
		append_hash(writer->name, rest);
		return;
	}
}

/* The file */

static bool is_index(struct pv_str segment, struct pv_str extension)
{
	size_t base_len = segment.len - extension.len - 1;
	return extension.len &&
	       pv_str_equal(pv_str_head(segment, base_len), PV_STR("index"));
}

static void append_query(struct writer *writer, struct pv_str query)
{
	struct pv_buf *component = &writer->component;
	if (!query.len) {
		pv_buf_append_text(component, EMPTY_QUERY_MARK);
		return;
	}
	pv_buf_append_text(component, MARK);
	append_text(component, query);
}

static void append_file(struct writer *writer, const struct pv_url *url,
    struct pv_str segment, struct pv_str content_type)
{
	struct pv_buf *component = &writer->component;
	struct pv_str extension = extension_of(segment);
	bool is_kept =
	    extension.len && pv_extension_suits(extension, content_type);
	if (!is_kept)
		extension = pv_str_of(pv_extension_for(content_type));
	begin(writer);
	append_segment(writer, segment);
	if (pv_url_has_query(url)) {
		append_query(writer, pv_url_query(url));
	} else if (!segment.len) {
		pv_buf_append_text(component, "index");
	} else if (!is_kept) {
		pv_buf_append_text(component, MARK);
	} else {
		pv_buf_cut(component, component->len - extension.len - 1);
		if (is_index(segment, extension))
			pv_buf_append_text(component, ASKED_INDEX_MARK);
	}
	pv_buf_append_char(writer->name, '/');
	end(writer, extension);
}

bool pv_file_name_write(const struct pv_url *url,
    const struct pv_file_naming *naming, struct pv_buf *name)
{
	struct writer writer = {
	    .name = name, .is_portable = naming->is_portable};
	struct pv_str path = pv_str_from(pv_url_path(url), 1);
	size_t slash = pv_str_find_last(path, '/');
	size_t file = slash == PV_NOT_FOUND ? 0 : slash + 1;
	size_t start = name->len;
	bool was_full = name->is_full;
	pv_buf_init(&writer.component, SIZE_MAX);
	pv_buf_init(&writer.portable, SIZE_MAX);
	name->is_full = false;
	pv_buf_append_text(name, "site/");
	append_authority(&writer, url);
	append_directories(&writer, pv_str_head(path, file));
	append_file(
	    &writer, url, pv_str_from(path, file), naming->content_type);
	pv_buf_finish(&writer.component);
	pv_buf_finish(&writer.portable);
	bool is_written = !name->is_full;
	if (!is_written)
		pv_buf_cut(name, start);
	name->is_full = was_full || !is_written;
	return is_written;
}
