#include "parse/xml_bound.h"

#include "base/ascii.h"
#include "base/reader.h"

static bool is_space(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* What may stand between the things that are looked at in a tag. */
static bool is_nothing(int byte)
{
	return byte >= 0 && byte != '<' && byte != '>' && byte != '=';
}

/* Behind an equals sign: takes a value in quotes, which holds no "<". Where it
 * is none, or is not closed, nothing is compared with it either. */
static bool take_value(struct pv_reader *reader)
{
	pv_reader_take_while(reader, is_space);
	int quote = pv_reader_peek(reader);
	if (quote != '"' && quote != '\'')
		return false;
	pv_reader_next(reader);
	while (!pv_reader_is_end(reader)) {
		int byte = pv_reader_peek(reader);
		if (byte == '<')
			return false;
		pv_reader_next(reader);
		if (byte == quote)
			return true;
	}
	return false;
}

/* Behind a "<", which may begin a tag, a comment or anything: how many
 * attributes it has if it begins a tag. Takes all that belongs to it, and no
 * "<": since none stands within a tag, each of them is a new beginning, and no
 * tag that libxml2 sees is missed, whatever was before it. */
static size_t take_tag(struct pv_reader *reader)
{
	size_t count = 0;
	while (count <= PV_XML_ATTRIBUTES_MAX) {
		pv_reader_take_while(reader, is_nothing);
		if (!pv_reader_accept(reader, '='))
			break;
		count += take_value(reader);
	}
	return count;
}

size_t pv_xml_find_crowded(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	const char *start = reader.at;
	while (!pv_reader_is_end(&reader)) {
		pv_reader_take_until(&reader, '<');
		size_t tag = (size_t)(reader.at - start);
		pv_reader_next(&reader);
		if (take_tag(&reader) > PV_XML_ATTRIBUTES_MAX)
			return tag;
	}
	return PV_NOT_FOUND;
}
