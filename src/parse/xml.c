#include "parse/xml.h"

#include <libxml/parser.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/reader.h"
#include "parse/xml_source.h"

static const struct {
	struct pv_str name;
	enum pv_xml_space space;
} known_spaces[] = {
    {PV_STR("www.sitemaps.org/schemas/sitemap/0.9"), PV_SPACE_SITEMAP},
    {PV_STR("www.google.com/schemas/sitemap/0.84"), PV_SPACE_SITEMAP},
    {PV_STR("purl.org/rss/1.0"), PV_SPACE_RSS},
    {PV_STR("my.netscape.com/rdf/simple/0.9"), PV_SPACE_RSS},
    {PV_STR("channel.netscape.com/rdf/simple/0.9"), PV_SPACE_RSS},
    {PV_STR("www.w3.org/1999/02/22-rdf-syntax-ns#"), PV_SPACE_RDF},
    {PV_STR("www.w3.org/2005/Atom"), PV_SPACE_ATOM},
    {PV_STR("purl.org/atom/ns#"), PV_SPACE_ATOM},
    {PV_STR("purl.org/dc/elements/1.1"), PV_SPACE_DC},
    {PV_STR("www.w3.org/XML/1998/namespace"), PV_SPACE_XML},
};

static enum pv_xml_space find_space(struct pv_str name)
{
	if (!name.len)
		return PV_SPACE_NONE;
	if (pv_str_starts(name, PV_STR("http://")))
		name = pv_str_from(name, strlen("http://"));
	else if (pv_str_starts(name, PV_STR("https://")))
		name = pv_str_from(name, strlen("https://"));
	if (pv_str_ends(name, PV_STR("/")))
		name.len--;
	for (size_t i = 0; i < sizeof(known_spaces) / sizeof(*known_spaces);
	     i++) {
		if (pv_str_equal(known_spaces[i].name, name))
			return known_spaces[i].space;
	}
	return PV_SPACE_OTHER;
}

/* libxml2 keeps each name once, in a table that grows no further than for some
 * thousands of them. */
#define NAMES_BYTES_MAX ((size_t)1 << 20)

/* So many things wrong are more than a mistake, and telling each costs far more
 * than reading on. Prefixes that are not declared are as many as elements. */
#define FAULTS_MAX 100000
#define ERRORS_MAX 1000000

/* In libxml2's list of attributes each has as many pointers: its name, prefix
 * and namespace, its value and where that ends. In its list of namespaces each
 * has a prefix and a name. */
#define ATTRIBUTE_PARTS 5
#define SPACE_PARTS 2

#if LIBXML_VERSION >= 21200
typedef const xmlError *their_error;
#else
typedef xmlErrorPtr their_error;
#endif

struct reading {
	xmlParserCtxtPtr parser;
	const struct pv_xml_hearer *hearer;
	enum pv_xml_end end;
	struct pv_reader bytes; /* that libxml2 has not got yet */
	unsigned depth;
	uint16_t declared[PV_XML_DEPTH_MAX + 1]; /* namespaces, by depth */
	unsigned space_count;                    /* declared around here */
	size_t errors;                           /* of any sort */
	size_t faults;                           /* those that spoil text */
	size_t faults_before;                    /* what was heard last */

	struct pv_buf text;
	unsigned text_depth; /* of the element whose text is kept; 0: none */
	size_t text_faults;  /* before it */
	bool is_text_mixed;  /* with elements */
};

static struct pv_str str_of(const xmlChar *text)
{
	return text ? pv_str_of((const char *)text) : PV_STR("");
}

/* U+FFFD: something could not be decoded, here or by its author. */
static bool is_mangled(struct pv_str text)
{
	return text.len && memmem(text.ptr, text.len, "\xef\xbf\xbd", 3);
}

/* A prefix that nobody declared is of no namespace that we know. */
static enum pv_xml_space space_of(const xmlChar *prefix, const xmlChar *space)
{
	return prefix && !space ? PV_SPACE_OTHER : find_space(str_of(space));
}

struct pv_str pv_xml_get(
    const struct pv_xml_tag *tag, enum pv_xml_space space, struct pv_str name)
{
	for (size_t i = 0; i < tag->attribute_count; i++) {
		const xmlChar **part = tag->attributes + i * ATTRIBUTE_PARTS;
		if (!pv_str_equal(str_of(part[0]), name) ||
		    space_of(part[1], part[2]) != space)
			continue;
		struct pv_str value = {
		    (const char *)part[3], (size_t)(part[4] - part[3])};
		return is_mangled(value) ? (struct pv_str){NULL, 0} : value;
	}
	return (struct pv_str){NULL, 0};
}

bool pv_xml_declares(const struct pv_xml_tag *tag, enum pv_xml_space space)
{
	for (size_t i = 0; i < tag->space_count; i++) {
		const xmlChar *name = tag->spaces[i * SPACE_PARTS + 1];
		if (find_space(str_of(name)) == space)
			return true;
	}
	return false;
}

/* What libxml2 tells, on its own terms: ctx is the reading. */

static void stop(struct reading *reading, enum pv_xml_end end)
{
	if (reading->end == PV_XML_WHOLE)
		reading->end = end;
	xmlStopParser(reading->parser);
}

/* The next bytes for libxml2. None are left where there is too much wrong with
 * them: it can be stopped nowhere else while it tells what is wrong. */
static int give_bytes(void *ctx, char *buffer, int len)
{
	struct reading *reading = ctx;
	if (reading->faults > FAULTS_MAX || reading->errors > ERRORS_MAX) {
		reading->end = PV_XML_BROKEN;
		return 0;
	}
	struct pv_str bytes = pv_reader_take(&reading->bytes, (size_t)len);
	memcpy(buffer, bytes.ptr, bytes.len);
	return (int)bytes.len;
}

static bool enter(struct reading *reading, unsigned spaces)
{
	if (reading->depth == PV_XML_DEPTH_MAX ||
	    reading->space_count + spaces > PV_XML_SPACES_MAX)
		return false;
	reading->depth++;
	reading->declared[reading->depth] = (uint16_t)spaces;
	reading->space_count += spaces;
	return true;
}

static void keep_text(struct reading *reading)
{
	reading->text_depth = reading->depth;
	reading->text_faults = reading->faults;
	reading->is_text_mixed = false;
	pv_buf_clear(&reading->text);
}

static void on_start(void *ctx, const xmlChar *name, const xmlChar *prefix,
    const xmlChar *space, int space_count, const xmlChar **spaces,
    int attribute_count, int default_count, const xmlChar **attributes)
{
	struct reading *reading = ctx;
	(void)default_count;
	if (reading->end != PV_XML_WHOLE)
		return;
	if (!enter(reading, (unsigned)space_count)) {
		stop(reading, PV_XML_BROKEN);
		return;
	}
	const struct pv_xml_tag tag = {
	    .space = space_of(prefix, space),
	    .name = str_of(name),
	    .depth = reading->depth,
	    .is_damaged = reading->faults > reading->faults_before,
	    .attributes = attributes,
	    .spaces = spaces,
	    .attribute_count = (unsigned)attribute_count,
	    .space_count = (unsigned)space_count,
	};
	reading->is_text_mixed = true;
	enum pv_xml_wish wish =
	    reading->hearer->on_start(reading->hearer->ctx, &tag);
	if (wish == PV_XML_WANT_TEXT)
		keep_text(reading);
	else if (wish == PV_XML_STOP)
		stop(reading, PV_XML_STOPPED);
	reading->faults_before = reading->faults;
}

static bool is_space(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static void on_text(void *ctx, const xmlChar *bytes, int len)
{
	struct reading *reading = ctx;
	struct pv_str text = {(const char *)bytes, (size_t)len};
	reading->faults_before = reading->faults;
	if (reading->end != PV_XML_WHOLE ||
	    reading->text_depth != reading->depth)
		return;
	while (!reading->text.len && text.len && is_space(text.ptr[0]))
		text = pv_str_from(text, 1);
	pv_buf_append(&reading->text, text);
}

static struct pv_xml_text kept_text(struct reading *reading)
{
	struct pv_str str = pv_buf_str(&reading->text);
	while (str.len && is_space(str.ptr[str.len - 1]))
		str.len--;
	bool is_whole = !reading->text.is_full && !reading->is_text_mixed &&
			reading->faults == reading->text_faults &&
			!is_mangled(str);
	return (struct pv_xml_text){str, is_whole};
}

static void on_end(
    void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
	struct reading *reading = ctx;
	const struct pv_xml_hearer *hearer = reading->hearer;
	(void)name;
	(void)prefix;
	(void)space;
	if (reading->end != PV_XML_WHOLE || !reading->depth)
		return;
	struct pv_xml_text text = kept_text(reading);
	bool is_wanted = reading->text_depth == reading->depth;
	if (!hearer->on_end(
		hearer->ctx, reading->depth, is_wanted ? &text : NULL))
		stop(reading, PV_XML_STOPPED);
	if (is_wanted)
		reading->text_depth = 0;
	reading->faults_before = reading->faults;
	reading->space_count -= reading->declared[reading->depth--];
}

static void on_doctype(void *ctx, const xmlChar *name, const xmlChar *public_id,
    const xmlChar *system_id)
{
	(void)name;
	(void)public_id;
	(void)system_id;
	stop(ctx, PV_XML_DOCTYPE);
}

/* A namespace that is not declared, or not well named, spoils nothing. */
static void on_error(void *ctx, their_error error)
{
	struct reading *reading = ctx;
	reading->errors++;
	if (error->level > XML_ERR_WARNING &&
	    error->domain != XML_FROM_NAMESPACE)
		reading->faults++;
}

/* What is not named here is nothing to us, and libxml2 leaves it at that: it
 * prints nothing, loads nothing and builds no tree. */
static const xmlSAXHandler callbacks = {
    .initialized = XML_SAX2_MAGIC,
    .internalSubset = on_doctype,
    .startElementNs = on_start,
    .endElementNs = on_end,
    .characters = on_text,
    .ignorableWhitespace = on_text,
    .cdataBlock = on_text,
    .serror = on_error,
};

/* That entities are replaced means the five that XML has by itself, as no
 * others can ever be declared; else an attribute has "&#38;" for an ampersand.
 */
static void read_bytes(struct reading *reading)
{
	xmlInitParser(); /* locks, and does nothing after the first time */
	xmlParserCtxtPtr parser = xmlNewParserCtxt();
	if (!parser)
		pv_alloc_fail(1, sizeof(*parser));
	*parser->sax = callbacks;
	xmlDictSetLimit(parser->dict, NAMES_BYTES_MAX);
	parser->userData = reading;
	reading->parser = parser;
	xmlCtxtReadIO(parser, give_bytes, NULL, reading, NULL, NULL,
	    XML_PARSE_RECOVER | XML_PARSE_NOENT | XML_PARSE_NONET |
		XML_PARSE_IGNORE_ENC);
	xmlFreeParserCtxt(parser);
}

enum pv_xml_end pv_xml_read(struct pv_str file, struct pv_str charset,
    const struct pv_xml_hearer *hearer)
{
	struct reading reading = {.hearer = hearer};
	struct pv_xml_source source;
	pv_xml_source_init(&source, file, charset);
	size_t crowded = pv_xml_find_crowded(source.text);
	pv_buf_init(&reading.text, PV_XML_TEXT_MAX);
	reading.bytes = pv_reader_of(source.text);
	if (crowded != PV_NOT_FOUND)
		reading.bytes = pv_reader_of(pv_str_head(source.text, crowded));
	read_bytes(&reading);
	if (reading.end == PV_XML_WHOLE && source.is_cut)
		reading.end = PV_XML_LARGE;
	if (reading.end == PV_XML_WHOLE &&
	    (reading.faults || crowded != PV_NOT_FOUND))
		reading.end = PV_XML_BROKEN;
	pv_buf_finish(&reading.text);
	pv_xml_source_finish(&source);
	return reading.end;
}
