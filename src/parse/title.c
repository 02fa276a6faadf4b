#include "parse/title.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "parse/charset.h"
#include "parse/tokenizer.h"
#include "parse/value.h"

/* Of a title so many bytes are read, before it is cut to what there is room
 * for. */
#define RAW_MAX 4096

#define ELLIPSIS "…"

/* As it stands in the page. */
static bool find(struct pv_str page, struct pv_str *content)
{
	struct pv_tokenizer tokenizer;
	struct pv_attribute attribute;
	enum pv_element element;
	pv_tokenizer_init(&tokenizer, page);
	while ((element = pv_tokenizer_next(&tokenizer))) {
		bool is_title = element == PV_ELEMENT_TITLE &&
				!pv_tokenizer_is_in_drawing(&tokenizer);
		if (!is_title)
			continue;
		while (pv_tokenizer_attribute(&tokenizer, &attribute))
			continue;
		*content = pv_str_head(tokenizer.content,
		    tokenizer.content.len < RAW_MAX ? tokenizer.content.len
						    : RAW_MAX);
		return true;
	}
	return false;
}

/* Whether a character is shown as itself. */
static bool is_harmless(struct pv_str bytes)
{
	struct pv_buf shown;
	pv_buf_init(&shown, 64);
	pv_visible_append(&shown, bytes);
	bool is_same = pv_str_equal(pv_buf_str(&shown), bytes);
	pv_buf_finish(&shown);
	return is_same;
}

/* Appends a character, and the space that stands before it. */
static bool append(struct pv_buf *title, struct pv_str bytes, bool has_space)
{
	size_t len = bytes.len + has_space;
	if (title->ceiling - title->len < len + sizeof(ELLIPSIS) - 1) {
		pv_buf_append_text(title, ELLIPSIS);
		return false;
	}
	if (has_space)
		pv_buf_append_char(title, ' ');
	return pv_buf_append(title, bytes);
}

static void append_line(struct pv_buf *title, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	size_t begin = title->len;
	bool has_space = false, has_room = true;
	while (!pv_reader_is_end(&reader) && has_room) {
		const char *start = reader.at;
		int32_t character = pv_utf8_next(&reader);
		struct pv_str bytes = {start, (size_t)(reader.at - start)};
		bool is_space = character == ' ' || character == 0xa0 ||
				(character < 0x80 ? pv_is_control(character)
						  : !is_harmless(bytes));
		if (is_space)
			has_space = title->len > begin;
		else
			has_room = append(title, bytes, has_space);
		has_space = is_space && has_space;
	}
}

/* From text that is in the encoding, or decoded already. */
static bool read_text(struct pv_str page, const struct pv_encoding *encoding,
    struct pv_buf *title)
{
	struct pv_decoder decoder;
	struct pv_buf scratch;
	struct pv_str content;
	size_t begin = title->len;
	if (!find(page, &content))
		return false;
	pv_decoder_init(&decoder, encoding);
	pv_buf_init(&scratch, RAW_MAX * 2);
	append_line(title, pv_value_read(content, &decoder, &scratch));
	pv_buf_finish(&scratch);
	pv_decoder_finish(&decoder);
	return title->len > begin;
}

bool pv_title_read(struct pv_str page, struct pv_buf *title)
{
	struct pv_decoder decoder;
	struct pv_buf text;
	const struct pv_encoding *encoding =
	    pv_charset_find(page, PV_STR("")).encoding;
	if (!encoding || !pv_decoder_must_come_first(encoding))
		return read_text(page, encoding, title);
	pv_buf_init(&text, page.len * 3);
	pv_decoder_init(&decoder, encoding);
	pv_decoder_append(&decoder, &text, page);
	pv_decoder_finish(&decoder);
	bool is_read = read_text(pv_buf_str(&text), NULL, title);
	pv_buf_finish(&text);
	return is_read;
}
