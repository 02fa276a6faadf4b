#include "parse/xml.h"

#include <pthread.h>

#include "base/buf.h"
#include "parse/xml_source.h"
#include "tap.h"

/* What is heard, on one line: "<name" with the attribute a, "!" where a tag is
 * damaged, and at the end of "t" its text, "!" where that is. */
struct hearing {
	struct pv_buf heard;
	unsigned stop_at; /* the depth of a tag; 0: nowhere */
};

static enum pv_xml_wish on_start(void *ctx, const struct pv_xml_tag *tag)
{
	struct hearing *hearing = ctx;
	struct pv_str value = pv_xml_get(tag, PV_SPACE_NONE, PV_STR("a"));
	pv_buf_append_format(&hearing->heard, "<%.*s", PV_STR_ARG(tag->name));
	if (value.ptr)
		pv_buf_append_format(
		    &hearing->heard, "=%.*s", PV_STR_ARG(value));
	pv_buf_append_text(&hearing->heard, tag->is_damaged ? "! " : " ");
	if (tag->depth == hearing->stop_at)
		return PV_XML_STOP;
	return pv_str_equal(tag->name, PV_STR("t")) ? PV_XML_WANT_TEXT
						    : PV_XML_GO_ON;
}

static bool on_end(void *ctx, unsigned depth, const struct pv_xml_text *text)
{
	struct hearing *hearing = ctx;
	if (text)
		pv_buf_append_format(&hearing->heard, "[%.*s]%s",
		    PV_STR_ARG(text->str), text->is_whole ? "" : "!");
	pv_buf_append_format(&hearing->heard, "%u> ", depth);
	return true;
}

static const struct {
	const char *claim;
	struct pv_str file;
	const char *heard;
	enum pv_xml_end end;
} files[] = {
    {"elements begin and end", PV_STR("<r><e/><t>x</t></r>"),
	"<r <e 2> <t [x]2> 1> ", PV_XML_WHOLE},
    {"text is whole, without white space around it",
	PV_STR("<t>\r\n a&lt;<![CDATA[b&]]> <!-- x -->&#x63;\t</t>"),
	"<t [a<b& c]1> ", PV_XML_WHOLE},
    {"attributes have their references read",
	PV_STR("<r a='&amp;&#38;&lt;&quot;x'/>"), "<r=&&<\"x 1> ",
	PV_XML_WHOLE},
    {"those of other namespaces are others",
	PV_STR("<r xmlns:b='b' b:a='1'><e c:a='2'/></r>"), "<r <e 2> 1> ",
	PV_XML_WHOLE},
    {"a damaged tag is told, and what follows is heard",
	PV_STR("<r><e a='x&y'/><e a='1'/></r>"), "<r <e=x! 2> <e=1 2> 1> ",
	PV_XML_BROKEN},
    {"a damaged text is told", PV_STR("<r><t>a&b=1</t><t>c</t></r>"),
	"<r <t [a=1]!2> <t [c]2> 1> ", PV_XML_BROKEN},
    {"so is one with elements within", PV_STR("<r><t>a<e/>b</t></r>"),
	"<r <t <e 3> [ab]!2> 1> ", PV_XML_WHOLE},
    {"an element that breaks off has no end", PV_STR("<r><t>a"), "<r <t ",
	PV_XML_BROKEN},
    {"a DOCTYPE is the end", PV_STR("<!DOCTYPE r SYSTEM 'r.dtd'><r/>"), "",
	PV_XML_DOCTYPE},
    {"text is no XML", PV_STR("text"), "", PV_XML_BROKEN},
    {"nothing neither", PV_STR(""), "", PV_XML_BROKEN},
    {"a declaration of an encoding that nobody knows is nothing",
	PV_STR("<?xml version='1.0' encoding='x'?><t>\xc3\xa9</t>"),
	"<t [\xc3\xa9]1> ", PV_XML_WHOLE},
};

static enum pv_xml_end hear(struct hearing *hearing, struct pv_str file)
{
	const struct pv_xml_hearer hearer = {on_start, on_end, hearing};
	pv_buf_clear(&hearing->heard);
	return pv_xml_read(file, PV_STR(""), &hearer);
}

static void check_files(struct hearing *hearing)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		enum pv_xml_end end = hear(hearing, files[i].file);
		is_text(pv_buf_str(&hearing->heard), files[i].heard, "%s",
		    files[i].claim);
		ok(end == files[i].end, "and how it ends");
	}
}

static void check_stop(struct hearing *hearing)
{
	hearing->stop_at = 2;
	enum pv_xml_end end = hear(hearing, PV_STR("<r><e/><e/></r>"));
	is_text(pv_buf_str(&hearing->heard), "<r <e ",
	    "who wants no more hears no more");
	ok(end == PV_XML_STOPPED, "and it is said that it was stopped");
	hearing->stop_at = 0;
}

static void repeat(
    struct pv_buf *file, const char *start, const char *format, unsigned times)
{
	pv_buf_clear(file);
	pv_buf_append_text(file, start);
	for (unsigned i = 0; i < times; i++) {
		pv_buf_append_format(file, "%s%u", format, i);
		pv_buf_append_text(file, "=''");
	}
	pv_buf_append_text(file, "/>");
}

static void check_attributes(struct hearing *hearing, struct pv_buf *file)
{
	repeat(file, "<r><e", " b", PV_XML_ATTRIBUTES_MAX);
	ok(pv_xml_find_crowded(pv_buf_str(file)) == PV_NOT_FOUND,
	    "256 attributes are read");
	hear(hearing, pv_buf_str(file));
	is_text(pv_buf_str(&hearing->heard), "<r <e 2> ", "all of them");
	repeat(file, "<r><e", " b", PV_XML_ATTRIBUTES_MAX + 1);
	ok(pv_xml_find_crowded(pv_buf_str(file)) == 3,
	    "a tag with more is found");
	ok(hear(hearing, pv_buf_str(file)) == PV_XML_BROKEN, "and is the end");
	is_text(
	    pv_buf_str(&hearing->heard), "<r ", "so that it is never heard of");
	repeat(file, "<!-- ' <r <![CDATA[ \" <e a='>'", " b",
	    PV_XML_ATTRIBUTES_MAX);
	ok(pv_xml_find_crowded(pv_buf_str(file)) == 22,
	    "whatever seems to stand around it");
	repeat(file, "<!-- x='--><e", " b", PV_XML_ATTRIBUTES_MAX + 1);
	ok(pv_xml_find_crowded(pv_buf_str(file)) == 11,
	    "no value in quotes hides one");
	repeat(file, "<r>", " b", PV_XML_ATTRIBUTES_MAX + 1);
	ok(pv_xml_find_crowded(pv_buf_str(file)) == PV_NOT_FOUND,
	    "text is no tag");
}

static void check_spaces(struct hearing *hearing, struct pv_buf *file)
{
	repeat(file, "<r><e", " xmlns:b", PV_XML_SPACES_MAX + 1);
	ok(hear(hearing, pv_buf_str(file)) == PV_XML_BROKEN,
	    "so many namespaces around an element are the end");
	pv_buf_clear(file);
	pv_buf_append_text(file, "<r>");
	for (unsigned i = 0; i < PV_XML_SPACES_MAX * 2; i++)
		pv_buf_append_text(file, "<e xmlns='x'/>");
	pv_buf_append_text(file, "</r>");
	ok(hear(hearing, pv_buf_str(file)) == PV_XML_WHOLE,
	    "one after another they are not");
}

/* Reads the same again and again; the hearing, or NULL where it was not the
 * same each time. */
static void *hear_often(void *ctx)
{
	struct pv_str file = PV_STR("<r><t>a&amp;b&c</t><e a='x&y'/></r>");
	struct hearing *hearing = ctx;
	bool is_same = true;
	pv_buf_init(&hearing->heard, 4096);
	for (unsigned i = 0; i < 500; i++)
		is_same = is_same && hear(hearing, file) == PV_XML_BROKEN &&
			  pv_str_equal(pv_buf_str(&hearing->heard),
			      PV_STR("<r <t [a&b]!2> <e=x! 2> 1> "));
	pv_buf_finish(&hearing->heard);
	return is_same ? hearing : NULL;
}

static void check_threads(void)
{
	pthread_t threads[4];
	struct hearing hearings[4] = {{.stop_at = 0}};
	bool is_same = true;
	for (size_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, hear_often, &hearings[i]);
	for (size_t i = 0; i < 4; i++) {
		void *result;
		pthread_join(threads[i], &result);
		is_same = is_same && result;
	}
	ok(is_same, "several threads read at once, damage and all");
}

int main(void)
{
	struct hearing hearing = {.stop_at = 0};
	struct pv_buf file;
	pv_buf_init(&hearing.heard, (size_t)1 << 20);
	pv_buf_init(&file, (size_t)1 << 20);
	check_threads(); /* before anything is set up */
	check_files(&hearing);
	check_stop(&hearing);
	check_attributes(&hearing, &file);
	check_spaces(&hearing, &file);
	pv_buf_finish(&file);
	pv_buf_finish(&hearing.heard);
	return tap_done();
}
