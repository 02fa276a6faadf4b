#include "http/parameter.h"

#include "base/ascii.h"

static bool is_name_byte(int byte)
{
	return !pv_is_blank(byte) && byte != '=' && byte != ';' && byte != ',';
}

static bool is_value_byte(int byte)
{
	return byte != ';' && byte != ',';
}

static bool is_plain_byte(int byte)
{
	return byte != '"' && byte != '\\';
}

/* Takes what stands up to a closing quote, and the quote; without one, all
 * that is left. */
static struct pv_str take_quoted(struct pv_reader *reader)
{
	struct pv_str rest = pv_reader_rest(reader);
	for (;;) {
		pv_reader_take_while(reader, is_plain_byte);
		size_t len = rest.len - pv_reader_left(reader);
		int byte = pv_reader_next(reader);
		if (byte == '\\')
			pv_reader_next(reader);
		else
			return pv_str_head(rest, len);
	}
}

static void take_value(struct pv_reader *reader, struct pv_parameter *parameter)
{
	pv_reader_take_while(reader, pv_is_blank);
	parameter->is_quoted = pv_reader_accept(reader, '"');
	if (parameter->is_quoted)
		parameter->value = take_quoted(reader);
	struct pv_str rest = pv_reader_take_while(reader, is_value_byte);
	if (!parameter->is_quoted)
		parameter->value = pv_str_trim(rest);
}

static bool is_between(int byte)
{
	return pv_is_blank(byte) || byte == ';';
}

bool pv_parameter_next(struct pv_reader *reader, struct pv_parameter *parameter)
{
	*parameter = (struct pv_parameter){.is_quoted = false};
	do {
		struct pv_str before = pv_reader_rest(reader);
		pv_reader_take_while(reader, is_between);
		parameter->name = pv_reader_take_while(reader, is_name_byte);
		pv_reader_take_while(reader, pv_is_blank);
		if (pv_reader_accept(reader, '='))
			take_value(reader, parameter);
		if (pv_reader_left(reader) == before.len)
			return false;
	} while (!parameter->name.len);
	return true;
}

bool pv_parameter_find(
    struct pv_reader reader, struct pv_str name, struct pv_parameter *parameter)
{
	while (pv_parameter_next(&reader, parameter)) {
		if (pv_str_equal_nocase(parameter->name, name))
			return true;
	}
	return false;
}

bool pv_parameter_write(
    const struct pv_parameter *parameter, struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(parameter->value);
	if (!parameter->is_quoted)
		return pv_buf_append(buf, parameter->value);
	size_t start = buf->len;
	while (!pv_reader_is_end(&reader)) {
		pv_buf_append(
		    buf, pv_reader_take_while(&reader, is_plain_byte));
		if (pv_reader_accept(&reader, '\\') &&
		    pv_reader_is_end(&reader))
			break;
		if (!pv_reader_is_end(&reader))
			pv_buf_append_char(buf, (char)pv_reader_next(&reader));
	}
	if (buf->is_full)
		pv_buf_cut(buf, start);
	return !buf->is_full;
}
