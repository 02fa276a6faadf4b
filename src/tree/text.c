#include "tree/text.h"

#include <libxml/HTMLtree.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/ascii.h"

/* A script is text to no reader. */
static bool is_silent(const struct pv_tree_node *node)
{
	return pv_node_is_named(node, PV_STR("script")) ||
	       pv_node_is_named(node, PV_STR("style"));
}

bool pv_tree_text(const struct pv_tree_node *node, struct pv_buf *buf)
{
	const struct pv_tree_node *end = pv_node_end(node);
	bool has_room = true;
	if (node->kind != PV_TREE_ELEMENT && node->kind != PV_TREE_DOCUMENT)
		return pv_buf_append(buf, pv_node_content(node));
	for (node++; node < end && has_room; node++) {
		if (is_silent(node))
			node += node->below;
		else if (node->kind == PV_TREE_TEXT)
			has_room = pv_buf_append(buf, pv_node_content(node));
	}
	return has_room;
}

/* For libxml2, which prints something where not all is taken: so all is, and
 * what is behind the first piece that has no room goes nowhere. */
static int take_bytes(void *ctx, const char *bytes, int len)
{
	struct pv_buf *buf = ctx;
	if (!buf->is_full)
		pv_buf_append(buf, (struct pv_str){bytes, (size_t)len});
	return len;
}

bool pv_tree_html(const struct pv_tree_node *node, struct pv_buf *buf)
{
	bool was_full = buf->is_full;
	if (!node->xml)
		return true;
	buf->is_full = false;
	xmlOutputBuffer *output =
	    xmlOutputBufferCreateIO(take_bytes, NULL, buf, NULL);
	if (!output)
		pv_alloc_fail(1, sizeof(*output));
	if (node->kind == PV_TREE_DOCUMENT)
		htmlDocContentDumpFormatOutput(
		    output, (xmlDoc *)node->xml, "UTF-8", 0);
	else
		htmlNodeDumpFormatOutput(
		    output, node->xml->doc, node->xml, "UTF-8", 0);
	xmlOutputBufferClose(output);
	bool has_room = !buf->is_full;
	buf->is_full = was_full || !has_room;
	return has_room;
}

struct pv_str pv_tree_base(const struct pv_tree *tree)
{
	const struct pv_tree_node *node = pv_tree_document(tree);
	const struct pv_tree_node *end = pv_node_end(node);
	uint32_t hash = pv_node_name_hash(PV_STR("base"));
	for (; node < end; node++) {
		if (node->name_hash != hash ||
		    !pv_node_is_named(node, PV_STR("base")))
			continue;
		struct pv_str href = pv_node_attribute(node, PV_STR("href"));
		if (href.ptr)
			return href;
	}
	return (struct pv_str){NULL, 0};
}

static bool is_meta_of(const struct pv_tree_node *node, struct pv_str name)
{
	static const struct pv_str keys[] = {
	    PV_STR("name"),
	    PV_STR("property"),
	    PV_STR("itemprop"),
	    PV_STR("http-equiv"),
	};
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct pv_str value = pv_node_attribute(node, keys[i]);
		if (value.ptr && pv_str_equal_nocase(value, name))
			return true;
	}
	return false;
}

bool pv_tree_meta(
    const struct pv_tree *tree, struct pv_str name, struct pv_matches *matches)
{
	const struct pv_tree_node *node = pv_tree_document(tree);
	const struct pv_tree_node *end = pv_node_end(node);
	uint32_t hash = pv_node_name_hash(PV_STR("meta"));
	for (; node < end; node++) {
		if (node->name_hash != hash ||
		    !pv_node_is_named(node, PV_STR("meta")) ||
		    !is_meta_of(node, name))
			continue;
		struct pv_str content =
		    pv_node_attribute(node, PV_STR("content"));
		if (content.ptr && !pv_matches_add_text(matches, content))
			return false;
	}
	return true;
}

static bool is_of_type(const struct pv_tree_node *script, const char *type)
{
	if (!type)
		return true;
	struct pv_str value = pv_node_attribute(script, PV_STR("type"));
	size_t end = pv_str_find(value, ';');
	if (end != PV_NOT_FOUND)
		value = pv_str_head(value, end);
	return value.ptr &&
	       pv_str_equal_nocase(pv_str_trim(value), pv_str_of(type));
}

/* Its text in one piece: nearly always it is. */
static bool add_script(
    const struct pv_tree_node *script, struct pv_matches *matches)
{
	struct pv_buf buf;
	if (!script->below)
		return pv_matches_add_text(matches, PV_STR(""));
	if (script->below == 1)
		return pv_matches_add_text(
		    matches, pv_node_content(script + 1));
	pv_buf_init(&buf, (size_t)-1);
	for (uint32_t i = 1; i <= script->below; i++)
		pv_buf_append(&buf, pv_node_content(&script[i]));
	bool has_room = pv_matches_add_copy(matches, pv_buf_str(&buf));
	pv_buf_finish(&buf);
	return has_room;
}

bool pv_tree_scripts(
    const struct pv_tree *tree, const char *type, struct pv_matches *matches)
{
	const struct pv_tree_node *node = pv_tree_document(tree);
	const struct pv_tree_node *end = pv_node_end(node);
	uint32_t hash = pv_node_name_hash(PV_STR("script"));
	for (; node < end; node++) {
		if (node->name_hash == hash &&
		    pv_node_is_named(node, PV_STR("script")) &&
		    is_of_type(node, type) && !add_script(node, matches))
			return false;
	}
	return true;
}
