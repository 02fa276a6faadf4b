#include "url/reference.h"

#include "base/ascii.h"
#include "base/reader.h"

static bool has_breaks(struct pv_str text)
{
	return pv_str_find(text, '\n') != PV_NOT_FOUND ||
	       pv_str_find(text, '\t') != PV_NOT_FOUND ||
	       pv_str_find(text, '\r') != PV_NOT_FOUND;
}

static bool is_unbroken(int byte)
{
	return byte != '\n' && byte != '\t' && byte != '\r';
}

struct pv_str pv_reference_clean(struct pv_str text, struct pv_buf *scratch)
{
	while (text.len && (unsigned char)text.ptr[0] <= ' ')
		text = pv_str_from(text, 1);
	while (text.len && (unsigned char)text.ptr[text.len - 1] <= ' ')
		text.len--;
	if (!has_breaks(text))
		return text;
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader)) {
		struct pv_str run = pv_reader_take_while(&reader, is_unbroken);
		if (!pv_buf_append(scratch, run))
			break;
		pv_reader_next(&reader);
	}
	return pv_buf_str(scratch);
}

/* Cuts off what follows the mark; NULL if the mark is not there. */
static struct pv_str cut_off(struct pv_str *text, char mark)
{
	size_t at = pv_str_find(*text, mark);
	if (at == PV_NOT_FOUND)
		return (struct pv_str){NULL, 0};
	struct pv_str rest = pv_str_from(*text, at + 1);
	*text = pv_str_head(*text, at);
	return rest;
}

static bool is_scheme_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '+' || byte == '-' || byte == '.';
}

/* Takes "scheme:" from the front, if it begins so. */
static enum pv_scheme take_scheme(struct pv_str *front)
{
	size_t colon = pv_str_find(*front, ':');
	if (colon == PV_NOT_FOUND || !pv_is_alpha(front->ptr[0]))
		return PV_SCHEME_NONE;
	struct pv_reader reader = pv_reader_of(*front);
	struct pv_str name = pv_reader_take_while(&reader, is_scheme_byte);
	if (name.len != colon)
		return PV_SCHEME_NONE;
	*front = pv_str_from(*front, colon + 1);
	if (pv_str_equal_nocase(name, PV_STR("https")))
		return PV_SCHEME_HTTPS;
	if (pv_str_equal_nocase(name, PV_STR("http")))
		return PV_SCHEME_HTTP;
	return PV_SCHEME_FOREIGN;
}

struct pv_reference pv_reference_cut(struct pv_str text)
{
	struct pv_reference reference;
	reference.fragment = cut_off(&text, '#');
	reference.query = cut_off(&text, '?');
	reference.scheme = take_scheme(&text);
	reference.front = text;
	return reference;
}
