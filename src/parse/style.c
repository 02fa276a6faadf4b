#include "parse/style.h"

/* A character beyond ASCII, which in no encoding begins another one. */
#define BEYOND ((char)0xff)

/* A byte for each character: what stands there itself, or what of ASCII a
 * reference means. */
static void read_references(struct pv_buf *text, struct pv_str value)
{
	struct pv_value_cursor cursor = pv_value_cursor_of(value);
	for (; cursor.character >= 0 && !text->is_full;
	     pv_value_next(&cursor)) {
		bool is_itself = *cursor.at != '&';
		pv_buf_append_char(text, is_itself || cursor.character < 0x80
					     ? (char)cursor.character
					     : BEYOND);
	}
}

void pv_style_init(struct pv_style *style, struct pv_str value,
    const struct pv_encoding *encoding, struct pv_buf *scratch)
{
	struct pv_str text = value;
	*style = (struct pv_style){
	    .is_page = pv_str_find(value, '&') == PV_NOT_FOUND};
	if (!style->is_page) {
		pv_buf_clear(scratch);
		read_references(scratch, value);
		if (!scratch->is_full)
			text = pv_buf_str(scratch);
		else
			text.len = 0;
		style->cursor = pv_value_cursor_of(value);
	}
	style->text = text.ptr;
	pv_css_init(&style->css, text, encoding);
}

/* The place in the page of one in the text, which is not before the last. */
static const char *find(struct pv_style *style, const char *place)
{
	size_t wanted = (size_t)(place - style->text);
	for (; style->at < wanted; style->at++)
		pv_value_next(&style->cursor);
	return style->cursor.at;
}

bool pv_style_next(struct pv_style *style, struct pv_str *address)
{
	struct pv_str found;
	if (!pv_css_next(&style->css, &found))
		return false;
	if (!style->is_page) {
		const char *end = found.ptr + found.len;
		found.ptr = find(style, found.ptr);
		found.len = (size_t)(find(style, end) - found.ptr);
	}
	*address = found;
	return true;
}
