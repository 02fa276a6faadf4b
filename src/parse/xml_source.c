#include "parse/xml_source.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "base/utf8.h"
#include "parse/charset.h"
#include "parse/decoder.h"
#include "parse/xml.h"

/* A byte that no XML may have, so that it is found damaged just where it is.
 * It is as long as what it stands for: nothing grows. */
#define DAMAGE '\x01'

/* Copies UTF-8 in which some bytes are none, or are NUL, where libxml2 would
 * see the end. */
static void mark_damage(struct pv_buf *buf, struct pv_str text)
{
	size_t at = 0;
	pv_buf_append(buf, text);
	while (at < buf->len) {
		struct pv_str rest = pv_str_from(pv_buf_str(buf), at);
		size_t invalid = pv_utf8_find_invalid(rest);
		if (invalid == PV_NOT_FOUND)
			break;
		at += invalid;
		buf->ptr[at++] = DAMAGE;
	}
	for (size_t i = 0; i < buf->len; i++) {
		if (!buf->ptr[i])
			buf->ptr[i] = DAMAGE;
	}
}

static void convert(struct pv_xml_source *source, struct pv_decoder *decoder)
{
	struct pv_str text = source->text;
	if (!pv_decoder_changes(decoder, text))
		return;
	if (strcmp(decoder->encoding->name, "utf-8") == 0) {
		mark_damage(&source->converted, text);
	} else {
		pv_decoder_append(decoder, &source->converted, text);
		source->is_cut = source->is_cut || source->converted.is_full;
	}
	source->text = pv_buf_str(&source->converted);
}

static bool is_space(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

struct pv_str pv_xml_without_start(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	do
		pv_reader_take_while(&reader, is_space);
	while (pv_reader_accept_str(&reader, PV_STR("\xef\xbb\xbf")));
	return pv_reader_rest(&reader);
}

void pv_xml_source_init(
    struct pv_xml_source *source, struct pv_str file, struct pv_str charset)
{
	struct pv_decoder decoder;
	*source = (struct pv_xml_source){.text = file};
	source->is_cut = file.len > PV_XML_BYTES_MAX;
	if (source->is_cut)
		source->text = pv_str_head(file, PV_XML_BYTES_MAX);
	pv_buf_init(&source->converted, PV_XML_BYTES_MAX);
	pv_decoder_init(
	    &decoder, pv_charset_find_of_xml(source->text, charset).encoding);
	convert(source, &decoder);
	pv_decoder_finish(&decoder);
	source->text = pv_xml_without_start(source->text);
}

void pv_xml_source_finish(struct pv_xml_source *source)
{
	pv_buf_finish(&source->converted);
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
