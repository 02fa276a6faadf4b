#include "tree/tree.h"

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/reader.h"
#include "base/utf8.h"
#include "tree/bounds.h"

/* Telling a mistake costs libxml2 about as much as a microsecond, and an end
 * tag without a start is looked for among all elements that are open. */
#define MISTAKES_MAX 300000
#define SEARCHED_MAX ((size_t)60 << 20)

/* Comments between two elements, which are dropped from then on. */
#define COMMENTS_MAX 1000

/* Two pointers for each attribute, doubled from 22: more than can be of a tag
 * whose attributes are bounded. */
#define ATTRIBUTE_ROOM_MAX (8 * PV_ATTRIBUTES_MAX)

#if LIBXML_VERSION >= 21200
typedef const xmlError *their_error;
#else
typedef xmlErrorPtr their_error;
#endif

struct pv_tree {
	xmlDoc *doc; /* NULL if the page has no nodes */
	struct pv_tree_node *nodes;
	size_t count;
	enum pv_tree_end end;
};

struct making {
	htmlParserCtxtPtr parser;
	struct pv_reader bytes; /* that libxml2 has not got yet */
	size_t nodes, nodes_max;
	size_t mistakes, searched;
	size_t comments; /* since an element began or ended */
	enum pv_tree_end end;
	bool has_stopped;
};

static void stop(struct making *making, enum pv_tree_end end)
{
	making->end = end;
	making->has_stopped = true;
}

/* The next bytes for libxml2; none where it is to stop, which it does nowhere
 * else. */
static int give_bytes(void *ctx, char *buffer, int len)
{
	struct making *making = ctx;
	if (making->parser->maxatts > ATTRIBUTE_ROOM_MAX)
		stop(making, PV_TREE_BROKEN);
	if (making->has_stopped)
		return 0;
	struct pv_str bytes = pv_reader_take(&making->bytes, (size_t)len);
	if (bytes.len)
		memcpy(buffer, bytes.ptr, bytes.len);
	return (int)bytes.len;
}

/* What libxml2 tells, on its own terms: ctx is the parser. */

static struct making *making_of(void *ctx)
{
	return ((htmlParserCtxtPtr)ctx)->_private;
}

static bool count_nodes(struct making *making, size_t count)
{
	if (making->has_stopped)
		return false;
	making->nodes += count;
	if (making->nodes > making->nodes_max)
		stop(making, PV_TREE_MANY);
	return !making->has_stopped;
}

static size_t count_attributes(const xmlChar **attributes)
{
	size_t count = 0;
	while (attributes && attributes[2 * count])
		count++;
	return count;
}

static void on_start(void *ctx, const xmlChar *name, const xmlChar **attributes)
{
	struct making *making = making_of(ctx);
	making->comments = 0;
	if (!count_nodes(making, 1 + count_attributes(attributes)))
		return;
	if (making->parser->nodeNr >= PV_NODE_DEPTH_MAX)
		stop(making, PV_TREE_DEEP);
	else
		xmlSAX2StartElement(ctx, name, attributes);
}

static void on_end(void *ctx, const xmlChar *name)
{
	struct making *making = making_of(ctx);
	making->comments = 0;
	if (!making->has_stopped)
		xmlSAX2EndElement(ctx, name);
}

static void on_text(void *ctx, const xmlChar *text, int len)
{
	if (count_nodes(making_of(ctx), 1))
		xmlSAX2Characters(ctx, text, len);
}

static void on_raw_text(void *ctx, const xmlChar *text, int len)
{
	if (count_nodes(making_of(ctx), 1))
		xmlSAX2CDataBlock(ctx, text, len);
}

static void on_comment(void *ctx, const xmlChar *text)
{
	struct making *making = making_of(ctx);
	if (making->comments++ < COMMENTS_MAX && count_nodes(making, 1))
		xmlSAX2Comment(ctx, text);
}

static void on_instruction(
    void *ctx, const xmlChar *target, const xmlChar *text)
{
	struct making *making = making_of(ctx);
	if (making->comments++ < COMMENTS_MAX && count_nodes(making, 1))
		xmlSAX2ProcessingInstruction(ctx, target, text);
}

static void on_mistake(void *ctx, their_error error)
{
	struct making *making = making_of(ctx);
	(void)error;
	making->mistakes++;
	making->searched += (size_t)making->parser->nameNr;
	if (!making->has_stopped && (making->mistakes > MISTAKES_MAX ||
					making->searched > SEARCHED_MAX))
		stop(making, PV_TREE_BROKEN);
}

static void listen(htmlParserCtxtPtr parser)
{
	parser->sax->startElement = on_start;
	parser->sax->endElement = on_end;
	parser->sax->characters = on_text;
	parser->sax->ignorableWhitespace = on_text;
	parser->sax->cdataBlock = on_raw_text;
	parser->sax->comment = on_comment;
	parser->sax->processingInstruction = on_instruction;
	parser->sax->serror = on_mistake;
	parser->sax->initialized = XML_SAX2_MAGIC;
}

/* Without XML_PARSE_HUGE all that is deeper than 256 is dropped silently. */
static xmlDoc *parse(struct making *making)
{
	xmlInitParser(); /* locks, and does nothing after the first time */
	htmlParserCtxtPtr parser = htmlNewParserCtxt();
	if (!parser)
		pv_alloc_fail(1, sizeof(*parser));
	making->parser = parser;
	parser->_private = making;
	listen(parser);
	xmlDoc *doc =
	    htmlCtxtReadIO(parser, give_bytes, NULL, making, NULL, "UTF-8",
		HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_COMPACT |
		    XML_PARSE_HUGE);
	htmlFreeParserCtxt(parser);
	return doc;
}

/* Where white space, or the mark of UTF-8, is around all, it is no text. */
static struct pv_str trimmed(struct pv_str html)
{
	struct pv_reader reader = pv_reader_of(html);
	pv_reader_accept_str(&reader, PV_STR("\xef\xbb\xbf"));
	pv_reader_take_while(&reader, pv_is_html_space);
	html = pv_reader_rest(&reader);
	while (
	    html.len && pv_is_html_space((unsigned char)html.ptr[html.len - 1]))
		html.len--;
	return html;
}

static enum pv_tree_end later(enum pv_tree_end a, enum pv_tree_end b)
{
	return a > b ? a : b;
}

struct pv_tree *pv_tree_create(
    struct pv_str html, const struct pv_tree_ceilings *ceilings)
{
	struct pv_tree *tree = pv_alloc(sizeof(*tree));
	struct making making = {.nodes_max = ceilings->nodes};
	struct pv_buf buf;
	bool has_dropped = false;
	if (html.len > ceilings->bytes)
		tree->end = PV_TREE_LARGE;
	pv_buf_init(&buf, 3 * ceilings->bytes + 8);
	struct pv_str text = pv_bounds_apply(
	    trimmed(pv_utf8_head(html, ceilings->bytes)), &buf, &has_dropped);
	if (has_dropped)
		tree->end = PV_TREE_DROPPED;
	making.bytes = pv_reader_of(text);
	if (text.len)
		tree->doc = parse(&making);
	tree->end = later(tree->end, making.end);
	tree->nodes = pv_nodes_create(tree->doc, &tree->count);
	pv_buf_finish(&buf);
	return tree;
}

void pv_tree_destroy(struct pv_tree *tree)
{
	if (!tree)
		return;
	xmlFreeDoc(tree->doc);
	free(tree->nodes);
	free(tree);
}

enum pv_tree_end pv_tree_end(const struct pv_tree *tree)
{
	return tree->end;
}

const char *pv_tree_end_text(enum pv_tree_end end)
{
	switch (end) {
	case PV_TREE_WHOLE:
		return "is whole";
	case PV_TREE_LARGE:
		return "is longer than the part that is read";
	case PV_TREE_DROPPED:
		return "has a tag with more attributes than are read";
	case PV_TREE_DEEP:
		return "is nested deeper than is read";
	case PV_TREE_MANY:
		return "has more nodes than are read";
	case PV_TREE_BROKEN:
		return "has more mistakes than are read";
	}
	return "";
}

const struct pv_tree_node *pv_tree_document(const struct pv_tree *tree)
{
	return tree->nodes;
}
