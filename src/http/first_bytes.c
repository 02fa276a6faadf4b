#include "http/first_bytes.h"

#include "base/ascii.h"
#include "base/reader.h"

/* A root that stands further back is not looked for. */
#define MARKUP_LEN 8192

/* So many bytes tell whether it is text (5.2). */
#define TEXT_LEN 1445

/* What no text begins with; a dot is for any byte. */
static const struct {
	struct pv_str pattern;
	struct pv_str type;
} signatures[] = {
    {PV_STR("\x89PNG\r\n\x1a\n"), PV_STR("image/png")},
    {PV_STR("\xff\xd8\xff"), PV_STR("image/jpeg")},
    {PV_STR("GIF87a"), PV_STR("image/gif")},
    {PV_STR("GIF89a"), PV_STR("image/gif")},
    {PV_STR("RIFF....WEBPVP"), PV_STR("image/webp")},
    {PV_STR("....ftypavif"), PV_STR("image/avif")},
    {PV_STR("BM....\0\0\0\0"), PV_STR("image/bmp")},
    {PV_STR("\0\0\1\0"), PV_STR("image/x-icon")},
    {PV_STR("\0\0\2\0"), PV_STR("image/x-icon")},
    {PV_STR("wOFF"), PV_STR("font/woff")},
    {PV_STR("wOF2"), PV_STR("font/woff2")},
    {PV_STR("OTTO\0"), PV_STR("font/otf")},
    {PV_STR("\0\1\0\0\0"), PV_STR("font/ttf")},
    {PV_STR("ID3\2"), PV_STR("audio/mpeg")},
    {PV_STR("ID3\3"), PV_STR("audio/mpeg")},
    {PV_STR("ID3\4"), PV_STR("audio/mpeg")},
    {PV_STR("RIFF....WAVE"), PV_STR("audio/wav")},
    {PV_STR("RIFF....AVI "), PV_STR("video/x-msvideo")},
    {PV_STR("....ftypisom"), PV_STR("video/mp4")},
    {PV_STR("....ftypmp4"), PV_STR("video/mp4")},
    {PV_STR("%PDF-"), PV_STR("application/pdf")},
    {PV_STR("\x1f\x8b\x08"), PV_STR("application/gzip")},
    {PV_STR("PK\3\4"), PV_STR("application/zip")},
    {PV_STR("Rar!\x1a\x07"), PV_STR("application/vnd.rar")},
};

static bool matches(struct pv_str body, struct pv_str pattern)
{
	size_t i = 0;
	if (body.len < pattern.len)
		return false;
	while (i < pattern.len &&
	       (pattern.ptr[i] == '.' || pattern.ptr[i] == body.ptr[i]))
		i++;
	return i == pattern.len;
}

struct pv_str pv_first_bytes_signature(struct pv_str body)
{
	for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++) {
		if (matches(body, signatures[i].pattern))
			return signatures[i].type;
	}
	return PV_STR("");
}

/* Markup */

static bool is_space(int byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r' && byte != '\v');
}

static bool is_name(int byte)
{
	return pv_is_alnum(byte) || byte == ':';
}

/* Takes all up to that end, and the end; false if it is nowhere. */
static bool pass(struct pv_reader *reader, struct pv_str end)
{
	while (!pv_reader_is_end(reader)) {
		if (pv_reader_accept_str(reader, end))
			return true;
		pv_reader_next(reader);
	}
	return false;
}

/* Takes comments and instructions; false if one has no end. */
static bool pass_prolog(struct pv_reader *reader)
{
	while (!pv_reader_is_end(reader)) {
		pv_reader_take_while(reader, is_space);
		if (pv_reader_accept_str(reader, PV_STR("<!--"))) {
			if (!pass(reader, PV_STR("-->")))
				return false;
		} else if (pv_reader_accept_str(reader, PV_STR("<?"))) {
			if (!pass(reader, PV_STR("?>")))
				return false;
		} else {
			return true;
		}
	}
	return true;
}

/* The name of a DOCTYPE, or of a tag; empty if neither is next. */
static struct pv_str take_root(struct pv_reader *reader)
{
	struct pv_reader end;
	if (!pv_reader_accept(reader, '<'))
		return PV_STR("");
	bool is_doctype = pv_reader_accept(reader, '!');
	struct pv_str name = pv_reader_take_while(reader, is_name);
	if (is_doctype) {
		if (!pv_str_equal_nocase(name, PV_STR("doctype")))
			return PV_STR("");
		pv_reader_take_while(reader, is_space);
		name = pv_reader_take_while(reader, is_name);
	}
	end = *reader;
	int next = pv_reader_next(&end);
	return is_space(next) || next == '>' ? name : PV_STR("");
}

/* The tags that HTML begins with (7.1). */
static bool is_html(struct pv_str name)
{
	static const char *const names[] = {"html", "head", "script", "iframe",
	    "h1", "div", "font", "table", "a", "style", "title", "b", "body",
	    "br", "p"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (pv_str_equal_nocase(name, pv_str_of(names[i])))
			return true;
	}
	return false;
}

static struct pv_str type_of_root(struct pv_str root, bool is_xml)
{
	if (pv_str_equal(root, PV_STR("svg")) ||
	    pv_str_equal(root, PV_STR("svg:svg")))
		return PV_STR("image/svg+xml");
	if (is_xml)
		return pv_str_equal(root, PV_STR("html"))
			   ? PV_STR("application/xhtml+xml")
			   : PV_STR("text/xml");
	return is_html(root) ? PV_STR("text/html") : PV_STR("");
}

static struct pv_str markup_type(struct pv_reader reader)
{
	struct pv_reader ahead = reader;
	bool is_xml = pv_reader_accept_str(&ahead, PV_STR("<?xml")) &&
		      is_space(pv_reader_peek(&ahead));
	struct pv_str root = PV_STR("");
	if (pass_prolog(&reader))
		root = take_root(&reader);
	return type_of_root(root, is_xml);
}

/* Text */

/* Of control characters text has its lines, and an escape (3). */
static bool is_text_byte(int byte)
{
	return byte >= 0x20 || is_space(byte) || byte == 0x1b;
}

static bool is_text(struct pv_str body)
{
	struct pv_reader reader = pv_reader_of(body);
	if (pv_str_starts(body, PV_STR("\xfe\xff")) ||
	    pv_str_starts(body, PV_STR("\xff\xfe")))
		return true;
	pv_reader_take_while(&reader, is_text_byte);
	return pv_reader_is_end(&reader);
}

static struct pv_str beginning(struct pv_str body, size_t len)
{
	return pv_str_head(body, body.len < len ? body.len : len);
}

struct pv_str pv_first_bytes_type(struct pv_str body)
{
	struct pv_str type = pv_first_bytes_signature(body);
	struct pv_reader reader = pv_reader_of(beginning(body, MARKUP_LEN));
	if (type.len)
		return type;
	pv_reader_accept_str(&reader, PV_STR("\xef\xbb\xbf"));
	pv_reader_take_while(&reader, is_space);
	if (pv_reader_peek(&reader) == '<')
		return markup_type(reader);
	return is_text(beginning(body, TEXT_LEN))
		   ? PV_STR("text/plain")
		   : PV_STR("application/octet-stream");
}
