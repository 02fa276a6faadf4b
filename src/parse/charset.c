#include "parse/charset.h"

#include "base/ascii.h"
#include "base/reader.h"

#define PRESCAN_LEN 1024

static bool is_space(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\f' ||
	       byte == '\r';
}

static bool is_space_or_slash(int byte)
{
	return is_space(byte) || byte == '/';
}

static bool is_within_label(int byte)
{
	return byte >= 0 && !is_space(byte) && byte != ';';
}

/* Takes the text, in letters of any size, if it stands there. */
static bool accept_nocase(struct pv_reader *reader, struct pv_str text)
{
	struct pv_reader ahead = *reader;
	if (!pv_str_equal_nocase(pv_reader_take(&ahead, text.len), text))
		return false;
	*reader = ahead;
	return true;
}

/* What stands behind "charset=": in quotes that are closed, or up to white
 * space or a semicolon. */
static struct pv_str take_label(struct pv_reader *reader)
{
	int quote = pv_reader_peek(reader);
	if (quote != '"' && quote != '\'')
		return pv_reader_take_while(reader, is_within_label);
	pv_reader_next(reader);
	struct pv_str label = pv_reader_take_until(reader, (char)quote);
	if (pv_reader_is_end(reader))
		label.len = 0;
	return label;
}

/* https://html.spec.whatwg.org/#algorithm-for-extracting-a-character-encoding
 * -from-a-meta-element */
struct pv_str pv_charset_label(struct pv_str content_type)
{
	struct pv_reader reader = pv_reader_of(content_type);
	while (!pv_reader_is_end(&reader)) {
		if (!accept_nocase(&reader, PV_STR("charset"))) {
			pv_reader_next(&reader);
			continue;
		}
		pv_reader_take_while(&reader, is_space);
		if (!pv_reader_accept(&reader, '='))
			continue;
		pv_reader_take_while(&reader, is_space);
		return take_label(&reader);
	}
	return PV_STR("");
}

const struct pv_encoding *pv_charset_of_meta(struct pv_str label)
{
	const struct pv_encoding *encoding = pv_encoding_find(label);
	if (!encoding)
		return NULL;
	if (strncmp(encoding->name, "utf-16", 6) == 0)
		return pv_encoding_find(PV_STR("utf-8"));
	if (strcmp(encoding->name, "x-user-defined") == 0)
		return pv_encoding_find(PV_STR("windows-1252"));
	return encoding;
}

struct attribute {
	struct pv_str name;
	struct pv_str value;
};

static bool is_within_name(int byte)
{
	return byte >= 0 && !is_space_or_slash(byte) && byte != '>' &&
	       byte != '=';
}

static bool is_within_value(int byte)
{
	return byte >= 0 && !is_space(byte) && byte != '>';
}

/* https://html.spec.whatwg.org/#concept-get-attributes-when-sniffing: false
 * at the end of the tag, whose ">" stays. */
static bool take_attribute(
    struct pv_reader *reader, struct attribute *attribute)
{
	pv_reader_take_while(reader, is_space_or_slash);
	int first = pv_reader_peek(reader);
	if (first < 0 || first == '>')
		return false;
	const char *name = reader->at;
	pv_reader_next(reader);
	pv_reader_take_while(reader, is_within_name);
	attribute->name = (struct pv_str){name, (size_t)(reader->at - name)};
	attribute->value = PV_STR("");
	pv_reader_take_while(reader, is_space);
	if (!pv_reader_accept(reader, '='))
		return true;
	pv_reader_take_while(reader, is_space);
	int quote = pv_reader_peek(reader);
	if (quote != '"' && quote != '\'') {
		attribute->value =
		    pv_reader_take_while(reader, is_within_value);
		return true;
	}
	pv_reader_next(reader);
	attribute->value = pv_reader_take_until(reader, (char)quote);
	return pv_reader_next(reader) >= 0;
}

/* What a meta tag says of the encoding. Of each attribute the first counts. */
struct meta {
	struct pv_str charset, content, http_equiv;
};

static void note(struct pv_str *kept, struct pv_str value)
{
	if (!kept->ptr)
		*kept = (struct pv_str){pv_str_bytes(value), value.len};
}

static void read_attribute(struct meta *meta, const struct attribute *attribute)
{
	if (pv_str_equal_nocase(attribute->name, PV_STR("charset")))
		note(&meta->charset, attribute->value);
	else if (pv_str_equal_nocase(attribute->name, PV_STR("content")))
		note(&meta->content, attribute->value);
	else if (pv_str_equal_nocase(attribute->name, PV_STR("http-equiv")))
		note(&meta->http_equiv, attribute->value);
}

static const struct pv_encoding *encoding_of(const struct meta *meta)
{
	if (meta->charset.ptr)
		return pv_charset_of_meta(meta->charset);
	if (!pv_str_equal_nocase(meta->http_equiv, PV_STR("content-type")))
		return NULL;
	return pv_charset_of_meta(pv_charset_label(meta->content));
}

static const struct pv_encoding *take_meta(struct pv_reader *reader)
{
	struct meta meta = {.charset = {NULL, 0}};
	struct attribute attribute;
	while (take_attribute(reader, &attribute))
		read_attribute(&meta, &attribute);
	return pv_reader_is_end(reader) ? NULL : encoding_of(&meta);
}

/* Behind "<!--", whose dashes may also end it. */
static void skip_comment(struct pv_reader *reader)
{
	unsigned dashes = 2;
	for (int byte; (byte = pv_reader_next(reader)) >= 0;) {
		if (byte == '>' && dashes >= 2)
			return;
		dashes = byte == '-' ? dashes + 1 : 0;
	}
}

static void skip_tag(struct pv_reader *reader)
{
	struct attribute skipped;
	pv_reader_take_while(reader, is_within_value);
	while (take_attribute(reader, &skipped))
		continue;
}

/* At a "<": takes what it begins. */
static const struct pv_encoding *take_markup(struct pv_reader *reader)
{
	if (pv_reader_accept_str(reader, PV_STR("<!--"))) {
		skip_comment(reader);
		return NULL;
	}
	struct pv_reader ahead = *reader;
	if (accept_nocase(&ahead, PV_STR("<meta")) &&
	    is_space_or_slash(pv_reader_peek(&ahead))) {
		*reader = ahead;
		return take_meta(reader);
	}
	pv_reader_next(reader);
	int next = pv_reader_peek(reader);
	bool is_end = pv_reader_accept(reader, '/');
	if (pv_is_alpha(pv_reader_peek(reader)))
		skip_tag(reader);
	else if (is_end || next == '!' || next == '?')
		pv_reader_take_until(reader, '>');
	return NULL;
}

struct pv_str pv_charset_declared(struct pv_str file)
{
	struct pv_reader reader = pv_reader_of(file);
	struct pv_str none = {NULL, 0};
	if (!pv_reader_accept_str(&reader, PV_STR("<?xml")))
		return none;
	reader = pv_reader_of(pv_reader_take_until(&reader, '>'));
	while (!pv_reader_is_end(&reader)) {
		if (pv_reader_accept_str(&reader, PV_STR("encoding")))
			break;
		pv_reader_next(&reader);
	}
	pv_reader_take_while(&reader, is_space);
	pv_reader_accept(&reader, '=');
	pv_reader_take_while(&reader, is_space);
	int quote = pv_reader_next(&reader);
	if (quote != '"' && quote != '\'')
		return none;
	return pv_reader_take_until(&reader, (char)quote);
}

/* The declaration of an XML file, which old XHTML pages begin with. */
static const struct pv_encoding *find_in_declaration(struct pv_str head)
{
	struct pv_str label = pv_charset_declared(head);
	return label.ptr ? pv_charset_of_meta(label) : NULL;
}

/* By how a "<" begins it. */
static const struct pv_encoding *find_wide(struct pv_str file)
{
	if (pv_str_starts(file, (struct pv_str){"<\0", 2}))
		return pv_encoding_find(PV_STR("utf-16le"));
	if (pv_str_starts(file, (struct pv_str){"\0<", 2}))
		return pv_encoding_find(PV_STR("utf-16be"));
	return NULL;
}

/* https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding
 */
static const struct pv_encoding *find_within(struct pv_str page)
{
	size_t len = page.len < PRESCAN_LEN ? page.len : PRESCAN_LEN;
	struct pv_str head = pv_str_head(page, len);
	if (pv_str_starts(head, (struct pv_str){"<\0?\0x\0", 6}))
		return pv_encoding_find(PV_STR("utf-16le"));
	if (pv_str_starts(head, (struct pv_str){"\0<\0?\0x", 6}))
		return pv_encoding_find(PV_STR("utf-16be"));
	struct pv_reader reader = pv_reader_of(head);
	while (!pv_reader_is_end(&reader)) {
		pv_reader_take_until(&reader, '<');
		const struct pv_encoding *found = take_markup(&reader);
		if (found)
			return found;
	}
	return find_in_declaration(head);
}

static const struct pv_encoding *find_mark(struct pv_str page)
{
	if (pv_str_starts(page, PV_STR("\xef\xbb\xbf")))
		return pv_encoding_find(PV_STR("utf-8"));
	if (pv_str_starts(page, PV_STR("\xfe\xff")))
		return pv_encoding_find(PV_STR("utf-16be"));
	if (pv_str_starts(page, PV_STR("\xff\xfe")))
		return pv_encoding_find(PV_STR("utf-16le"));
	return NULL;
}

/* By what stands before the text and what came with it, if they tell. */
static struct pv_charset find_outside(struct pv_str text, struct pv_str label)
{
	struct pv_charset charset = {find_mark(text), PV_CHARSET_MARK};
	if (charset.encoding)
		return charset;
	charset.encoding = pv_encoding_find(label);
	charset.source =
	    charset.encoding ? PV_CHARSET_HEADER : PV_CHARSET_UNKNOWN;
	return charset;
}

struct pv_charset pv_charset_find(struct pv_str page, struct pv_str label)
{
	struct pv_charset charset = find_outside(page, label);
	if (charset.encoding)
		return charset;
	charset.encoding = find_within(page);
	charset.source =
	    charset.encoding ? PV_CHARSET_META : PV_CHARSET_UNKNOWN;
	return charset;
}

/* It is no rule, but these very bytes. */
static const struct pv_encoding *find_rule(struct pv_str sheet)
{
	size_t len = sheet.len < PRESCAN_LEN ? sheet.len : PRESCAN_LEN;
	struct pv_reader reader = pv_reader_of(pv_str_head(sheet, len));
	if (!pv_reader_accept_str(&reader, PV_STR("@charset \"")))
		return NULL;
	struct pv_str label = pv_reader_take_until(&reader, '"');
	if (!pv_reader_accept_str(&reader, PV_STR("\";")))
		return NULL;
	const struct pv_encoding *encoding = pv_encoding_find(label);
	bool is_wide = encoding && strncmp(encoding->name, "utf-16", 6) == 0;
	return is_wide ? pv_encoding_find(PV_STR("utf-8")) : encoding;
}

struct pv_charset pv_charset_find_of_sheet(
    struct pv_str sheet, struct pv_str label)
{
	struct pv_charset charset = find_outside(sheet, label);
	if (charset.encoding)
		return charset;
	charset = (struct pv_charset){find_rule(sheet), PV_CHARSET_META};
	if (!charset.encoding)
		charset = (struct pv_charset){
		    pv_encoding_find(PV_STR("utf-8")), PV_CHARSET_USUAL};
	return charset;
}

struct pv_charset pv_charset_find_of_xml(
    struct pv_str file, struct pv_str label)
{
	struct pv_charset charset = find_outside(file, label);
	struct pv_reader reader = pv_reader_of(file);
	if (charset.encoding)
		return charset;
	charset.source = PV_CHARSET_META;
	charset.encoding = find_wide(file);
	pv_reader_take_while(&reader, is_space);
	if (!charset.encoding)
		charset.encoding =
		    find_in_declaration(pv_reader_take(&reader, PRESCAN_LEN));
	if (!charset.encoding)
		charset = (struct pv_charset){
		    pv_encoding_find(PV_STR("utf-8")), PV_CHARSET_USUAL};
	return charset;
}
