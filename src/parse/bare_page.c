#include "parse/bare_page.h"

#include "base/ascii.h"
#include "base/reader.h"

/* So many characters are more than a word of waiting. */
#define SHOWN_MIN 40

struct scan {
	struct pv_reader reader;
	size_t shown; /* characters */
	bool has_script;
	bool has_more; /* something that shows by itself */
};

static bool is_name(int byte)
{
	return pv_is_alnum(byte) || byte == '-';
}

static bool is_one_of(struct pv_str name, const char *const *names)
{
	while (*names && !pv_str_equal_nocase(name, pv_str_of(*names)))
		names++;
	return *names != NULL;
}

static void count_text(struct scan *scan)
{
	struct pv_str text = pv_reader_take_until(&scan->reader, '<');
	for (size_t i = 0; i < text.len && scan->shown < SHOWN_MIN; i++)
		scan->shown += (unsigned char)text.ptr[i] > ' ';
}

/* To the end of a tag, whatever its quotes hold. */
static void skip_tag(struct pv_reader *reader)
{
	int byte;
	while ((byte = pv_reader_next(reader)) >= 0 && byte != '>') {
		if (byte != '"' && byte != '\'')
			continue;
		pv_reader_take_until(reader, (char)byte);
		pv_reader_next(reader);
	}
}

static void skip_comment(struct pv_reader *reader)
{
	while (!pv_reader_is_end(reader) &&
	       !pv_reader_accept_str(reader, PV_STR("-->"))) {
		pv_reader_next(reader);
		pv_reader_take_until(reader, '-');
	}
}

/* To the end tag of that name. */
static void skip_content(struct pv_reader *reader, struct pv_str name)
{
	while (!pv_reader_is_end(reader)) {
		pv_reader_take_until(reader, '<');
		pv_reader_next(reader);
		struct pv_reader ahead = *reader;
		if (!pv_reader_accept(&ahead, '/') ||
		    !pv_str_equal_nocase(
			pv_reader_take(&ahead, name.len), name))
			continue;
		*reader = ahead;
		skip_tag(reader);
		return;
	}
}

static void look_at_tag(struct scan *scan)
{
	static const char *const hidden[] = {
	    "script", "style", "noscript", "template", "title", NULL};
	static const char *const shown[] = {"a", "audio", "embed", "form",
	    "frame", "iframe", "image", "img", "input", "object", "svg",
	    "table", "video", NULL};
	struct pv_str name = pv_reader_take_while(&scan->reader, is_name);
	skip_tag(&scan->reader);
	if (pv_str_equal_nocase(name, PV_STR("script")))
		scan->has_script = true;
	if (is_one_of(name, hidden))
		skip_content(&scan->reader, name);
	else if (is_one_of(name, shown))
		scan->has_more = true;
}

bool pv_page_is_bare(struct pv_str page)
{
	struct scan scan = {.reader = pv_reader_of(page)};
	while (!pv_reader_is_end(&scan.reader) && !scan.has_more &&
	       scan.shown < SHOWN_MIN) {
		count_text(&scan);
		if (pv_reader_accept_str(&scan.reader, PV_STR("<!--")))
			skip_comment(&scan.reader);
		else if (pv_reader_accept(&scan.reader, '<'))
			look_at_tag(&scan);
	}
	return scan.has_script && !scan.has_more && scan.shown < SHOWN_MIN;
}
