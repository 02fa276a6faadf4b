#include "tree/bounds.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "base/utf8.h"
#include "tree/nodes/node.h"

struct scan {
	struct pv_reader reader;
	struct pv_buf *buf;
	const char *kept; /* what is before it is in the buffer, or left out */
	bool has_dropped;
};

static bool is_name_byte(int byte)
{
	return byte >= 0 && !pv_is_html_space(byte) && byte != '>' &&
	       byte != '/' && byte != '=';
}

static bool is_between(int byte)
{
	return pv_is_html_space(byte) || byte == '/';
}

static bool is_unquoted(int byte)
{
	return byte >= 0 && !pv_is_html_space(byte) && byte != '>';
}

/* Takes all to the end of the text that is sought; all there is if it is
 * nowhere. */
static void take_past(struct pv_reader *reader, struct pv_str end)
{
	struct pv_str rest = pv_reader_rest(reader);
	const char *at =
	    rest.len ? memmem(rest.ptr, rest.len, end.ptr, end.len) : NULL;
	reader->at = at ? at + end.len : reader->end;
}

static void take_attribute(struct pv_reader *reader)
{
	const char *start = reader->at;
	pv_reader_take_while(reader, is_name_byte);
	pv_reader_take_while(reader, pv_is_html_space);
	if (!pv_reader_accept(reader, '=')) {
		if (reader->at == start)
			pv_reader_next(reader);
		return;
	}
	pv_reader_take_while(reader, pv_is_html_space);
	int quote = pv_reader_peek(reader);
	if (quote != '"' && quote != '\'') {
		pv_reader_take_while(reader, is_unquoted);
		return;
	}
	pv_reader_next(reader);
	pv_reader_take_until(reader, (char)quote);
	pv_reader_next(reader);
}

/* All up to there is kept, and what follows, as far as the reader is, not. */
static void drop_from(struct scan *scan, const char *from)
{
	pv_buf_append(scan->buf,
	    (struct pv_str){scan->kept, (size_t)(from - scan->kept)});
	scan->kept = scan->reader.at;
	scan->has_dropped = true;
}

/* Behind a tag's name, to its end. */
static void take_attributes(struct scan *scan)
{
	struct pv_reader *reader = &scan->reader;
	const char *crowded = NULL;
	size_t count = 0;
	for (;;) {
		pv_reader_take_while(reader, is_between);
		if (pv_reader_is_end(reader) || pv_reader_peek(reader) == '>')
			break;
		if (count++ == PV_ATTRIBUTES_MAX)
			crowded = reader->at;
		take_attribute(reader);
	}
	if (crowded)
		drop_from(scan, crowded);
	pv_reader_next(reader);
}

/* Behind the start of a script or a style: to where its end tag is. */
static void take_raw(struct pv_reader *reader, struct pv_str name)
{
	while (!pv_reader_is_end(reader)) {
		take_past(reader, PV_STR("</"));
		struct pv_reader ahead = *reader;
		if (pv_str_equal_nocase(pv_reader_take(&ahead, name.len), name))
			break;
	}
}

static bool is_tag_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '-' || byte == ':' || byte == '_';
}

/* Behind "<" and before a letter. */
static void take_tag(struct scan *scan)
{
	struct pv_reader *reader = &scan->reader;
	struct pv_str name = pv_reader_take_while(reader, is_tag_byte);
	take_attributes(scan);
	if (pv_str_equal_nocase(name, PV_STR("script")))
		take_raw(reader, PV_STR("script"));
	else if (pv_str_equal_nocase(name, PV_STR("style")))
		take_raw(reader, PV_STR("style"));
}

/* Behind "<". */
static void take_markup(struct scan *scan)
{
	struct pv_reader *reader = &scan->reader;
	int byte = pv_reader_peek(reader);
	if (pv_is_alpha(byte))
		take_tag(scan);
	else if (pv_reader_accept_str(reader, PV_STR("!--")))
		take_past(reader, PV_STR("-->"));
	else if (byte == '!' || byte == '?' || byte == '/')
		take_past(reader, PV_STR(">"));
}

static struct pv_str bounded(
    struct pv_str html, struct pv_buf *buf, bool *has_dropped)
{
	struct scan scan = {
	    .reader = pv_reader_of(html),
	    .buf = buf,
	    .kept = pv_str_bytes(html),
	};
	while (!pv_reader_is_end(&scan.reader)) {
		pv_reader_take_until(&scan.reader, '<');
		if (pv_reader_accept(&scan.reader, '<'))
			take_markup(&scan);
	}
	*has_dropped = scan.has_dropped;
	if (!scan.has_dropped)
		return html;
	pv_buf_append(buf,
	    (struct pv_str){scan.kept, (size_t)(scan.reader.end - scan.kept)});
	return pv_buf_str(buf);
}

/* Up to the next byte that is a NUL, or no UTF-8. */
static size_t sound_len(struct pv_str text)
{
	size_t invalid = pv_utf8_find_invalid(text);
	struct pv_str valid =
	    invalid == PV_NOT_FOUND ? text : pv_str_head(text, invalid);
	size_t nul = pv_str_find(valid, '\0');
	return nul == PV_NOT_FOUND ? valid.len : nul;
}

static void append_sound(struct pv_buf *buf, struct pv_str text)
{
	while (text.len) {
		size_t invalid = pv_utf8_find_invalid(text);
		if (invalid == PV_NOT_FOUND)
			invalid = text.len;
		struct pv_reader valid =
		    pv_reader_of(pv_str_head(text, invalid));
		while (!pv_reader_is_end(&valid)) {
			pv_buf_append(buf, pv_reader_take_until(&valid, '\0'));
			pv_reader_next(&valid);
		}
		if (invalid < text.len) {
			pv_buf_append_text(buf, "\xef\xbf\xbd");
			invalid++;
		}
		text = pv_str_from(text, invalid);
	}
}

struct pv_str pv_bounds_apply(
    struct pv_str html, struct pv_buf *buf, bool *has_dropped)
{
	struct pv_buf sound;
	if (sound_len(html) == html.len)
		return bounded(html, buf, has_dropped);
	pv_buf_init(&sound, 3 * html.len + 4);
	append_sound(&sound, html);
	struct pv_str text = bounded(pv_buf_str(&sound), buf, has_dropped);
	if (!*has_dropped)
		pv_buf_append(buf, text);
	pv_buf_finish(&sound);
	return pv_buf_str(buf);
}
