#include "mirror/links/encoding_mark.h"

#include <stdio.h>

#include "base/ascii.h"
#include "base/reader.h"
#include "parse/raw_text.h"

#define ESCAPE 0x1b

/* Readers look no further for what a declaration says. */
#define DECLARATION_MAX ((size_t)900)

/* Such bytes are the same in every encoding; a NUL makes a document look like
 * UTF-16. */
static bool is_plain(int byte)
{
	return byte && byte < 0x80 && byte != ESCAPE;
}

static bool is_all_plain(struct pv_str document)
{
	struct pv_reader reader = pv_reader_of(document);
	pv_reader_take_while(&reader, is_plain);
	return pv_reader_is_end(&reader);
}

/* Most documents tell at their beginning. */
static bool needs_mark(struct pv_str document, enum pv_document_kind kind,
    const struct pv_charset *charset)
{
	if (charset->source != PV_CHARSET_HEADER)
		return false;
	struct pv_str none = PV_STR("");
	struct pv_charset without =
	    kind == PV_DOCUMENT_SHEET ? pv_charset_find_of_sheet(document, none)
	    : kind == PV_DOCUMENT_XML ? pv_charset_find_of_xml(document, none)
				      : pv_charset_find(document, none);
	return without.encoding != charset->encoding && !is_all_plain(document);
}

static bool is_space(int byte)
{
	return pv_is_blank(byte) || byte == '\n' || byte == '\r' ||
	       byte == '\f';
}

/* A comment, whole: who took it to end elsewhere than the reader of links does
 * would put the mark into one of those. */
static bool take_comment(struct pv_reader *reader)
{
	if (!pv_reader_accept_str(reader, PV_STR("<!--")))
		return false;
	pv_raw_text_skip_comment(reader);
	return true;
}

/* Behind the document type, without which a browser would take the page for one
 * of the past. */
static size_t behind_type(struct pv_str page)
{
	static const struct pv_str type = PV_STR("<!doctype");
	struct pv_reader reader = pv_reader_of(page);
	do
		pv_reader_take_while(&reader, is_space);
	while (take_comment(&reader));
	struct pv_str head = pv_reader_take(&reader, type.len);
	if (!pv_str_equal_nocase(head, type))
		return 0;
	pv_reader_take_until(&reader, '>');
	pv_reader_next(&reader);
	return (size_t)(reader.at - page.ptr);
}

/* How far a declaration goes, up to its "?>"; 0 if there is none, or none that
 * says nothing of an encoding. */
static size_t silent_declaration(struct pv_str document)
{
	static const struct pv_str word = PV_STR("encoding");
	struct pv_reader reader = pv_reader_of(document);
	if (!pv_reader_accept_str(&reader, PV_STR("<?xml")) ||
	    !is_space(pv_reader_peek(&reader)))
		return 0;
	size_t end = pv_str_find(document, '>');
	if (end == PV_NOT_FOUND || end > DECLARATION_MAX ||
	    document.ptr[end - 1] != '?' ||
	    memmem(document.ptr, end, word.ptr, word.len))
		return 0;
	return end - 1;
}

/* XML tells in its declaration, or is in UTF-8. */
static void mark_xml(
    struct pv_encoding_mark *mark, struct pv_str document, const char *name)
{
	struct pv_str label = pv_charset_declared(document);
	if (label.ptr) {
		mark->at = (size_t)(label.ptr - document.ptr);
		mark->end = mark->at + label.len;
		snprintf(mark->text, sizeof(mark->text), "%s", name);
		return;
	}
	mark->at = mark->end = silent_declaration(document);
	if (mark->at)
		snprintf(
		    mark->text, sizeof(mark->text), " encoding=\"%s\"", name);
	else
		snprintf(mark->text, sizeof(mark->text),
		    "<?xml version=\"1.0\" encoding=\"%s\"?>", name);
}

struct pv_encoding_mark pv_encoding_mark_for(struct pv_str document,
    enum pv_document_kind kind, const struct pv_charset *charset)
{
	struct pv_encoding_mark mark = {.at = 0};
	if (!needs_mark(document, kind, charset))
		return mark;
	const char *name = charset->encoding->name;
	if (strcmp(name, "utf-8") == 0) {
		snprintf(mark.text, sizeof(mark.text), "\xef\xbb\xbf");
	} else if (kind == PV_DOCUMENT_HTML) {
		mark.at = mark.end = behind_type(document);
		snprintf(mark.text, sizeof(mark.text), "<meta charset=\"%s\">",
		    name);
	} else if (kind == PV_DOCUMENT_SHEET) {
		snprintf(
		    mark.text, sizeof(mark.text), "@charset \"%s\";", name);
	} else {
		mark_xml(&mark, document, name);
	}
	return mark;
}
