#include "parse/plain_value.h"

/* A character beyond ASCII, which in no encoding begins another one. */
#define BEYOND ((char)0xff)

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

static void rewind_cursor(struct pv_plain_value *plain)
{
	plain->cursor = pv_value_cursor_of(plain->value);
	plain->at = 0;
}

void pv_plain_value_init(
    struct pv_plain_value *plain, struct pv_str value, struct pv_buf *scratch)
{
	*plain = (struct pv_plain_value){
	    .text = value,
	    .value = value,
	    .is_value = pv_str_find(value, '&') == PV_NOT_FOUND,
	};
	if (plain->is_value)
		return;
	pv_buf_clear(scratch);
	read_references(scratch, value);
	plain->text = scratch->is_full ? PV_STR("") : pv_buf_str(scratch);
	rewind_cursor(plain);
}

static const char *find(struct pv_plain_value *plain, const char *place)
{
	size_t wanted = (size_t)(place - plain->text.ptr);
	if (wanted < plain->at)
		rewind_cursor(plain);
	for (; plain->at < wanted; plain->at++)
		pv_value_next(&plain->cursor);
	return plain->cursor.at;
}

struct pv_str pv_plain_value_place(
    struct pv_plain_value *plain, struct pv_str piece)
{
	if (plain->is_value)
		return piece;
	const char *start = find(plain, piece.ptr);
	const char *end = find(plain, piece.ptr + piece.len);
	return (struct pv_str){start, (size_t)(end - start)};
}
