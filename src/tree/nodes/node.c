#include "tree/nodes/node.h"

#include <libxml/tree.h>

#include "base/array.h"
#include "base/reader.h"

struct list {
	struct pv_tree_node *nodes;
	size_t count, size;
	size_t parent;   /* of what comes next */
	size_t previous; /* its sibling; the parent if there is none */
};

/* FNV-1a: the page may choose its names so that all look alike, which costs no
 * more than to compare each. */
static uint32_t hash(uint32_t start, struct pv_str text)
{
	uint32_t sum = (UINT32_C(2166136261) ^ start) * UINT32_C(16777619);
	for (size_t i = 0; i < text.len; i++)
		sum = (sum ^ (unsigned char)text.ptr[i]) * UINT32_C(16777619);
	return sum;
}

uint32_t pv_node_name_hash(struct pv_str name)
{
	return hash(0, name);
}

uint64_t pv_node_word(char sort, struct pv_str word)
{
	uint32_t sum = hash((unsigned char)sort, word);
	return UINT64_C(1) << ((sum ^ sum >> 15) & 63);
}

static struct pv_str str_of(const xmlChar *text)
{
	return text ? pv_str_of((const char *)text) : PV_STR("");
}

static struct pv_str value_of(const xmlAttr *attribute)
{
	return attribute->children ? str_of(attribute->children->content)
				   : PV_STR("");
}

bool pv_is_html_space(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' ||
	       byte == '\f';
}

static bool is_word_byte(int byte)
{
	return !pv_is_html_space(byte);
}

static uint64_t words_of_classes(struct pv_str classes)
{
	struct pv_reader reader = pv_reader_of(classes);
	uint64_t words = 0;
	while (!pv_reader_is_end(&reader)) {
		pv_reader_take_while(&reader, pv_is_html_space);
		words |= pv_node_word(
		    PV_WORD_CLASS, pv_reader_take_while(&reader, is_word_byte));
	}
	return words;
}

static uint64_t words_of(const xmlNode *element)
{
	uint64_t words = 0;
	for (const xmlAttr *attribute = element->properties; attribute;
	     attribute = attribute->next) {
		struct pv_str name = str_of(attribute->name);
		words |= pv_node_word(PV_WORD_ATTRIBUTE, name);
		if (pv_str_equal(name, PV_STR("class")))
			words |= words_of_classes(value_of(attribute));
		else if (pv_str_equal(name, PV_STR("id")))
			words |= pv_node_word(PV_WORD_ID, value_of(attribute));
	}
	return words;
}

/* False for what is no node to anybody, such as a document type. */
static bool find_kind(const xmlNode *xml, enum pv_tree_kind *kind)
{
	switch (xml->type) {
	case XML_ELEMENT_NODE:
		*kind = PV_TREE_ELEMENT;
		return true;
	case XML_TEXT_NODE:
	case XML_CDATA_SECTION_NODE:
		*kind = PV_TREE_TEXT;
		return true;
	case XML_COMMENT_NODE:
		*kind = PV_TREE_COMMENT;
		return true;
	case XML_PI_NODE:
		*kind = PV_TREE_OTHER;
		return true;
	default:
		return false;
	}
}

static void add(struct list *list, xmlNode *xml, enum pv_tree_kind kind)
{
	size_t self = list->count;
	struct pv_tree_node *node =
	    PV_ARRAY_PUSH(list->nodes, list->count, list->size);
	*node = (struct pv_tree_node){.xml = xml, .kind = kind};
	if (!self)
		return;
	node->up = (uint32_t)(self - list->parent);
	if (list->previous != list->parent)
		node->back = (uint32_t)(self - list->previous);
	if (kind != PV_TREE_ELEMENT)
		return;
	node->number = ++list->nodes[list->parent].elements;
	node->name_hash = pv_node_name_hash(str_of(xml->name));
	node->words = words_of(xml);
}

/* The next that is not below: a sibling, or that of a parent. */
static xmlNode *leave(struct list *list, xmlNode *xml)
{
	while (!xml->next) {
		struct pv_tree_node *parent = &list->nodes[list->parent];
		parent->below = (uint32_t)(list->count - 1 - list->parent);
		if (!list->parent)
			return NULL;
		xml = parent->xml;
		list->previous = list->parent;
		list->parent -= parent->up;
	}
	return xml->next;
}

struct pv_tree_node *pv_nodes_create(void *doc, size_t *count)
{
	struct list list = {NULL};
	xmlNode *xml = doc ? ((xmlDoc *)doc)->children : NULL;
	enum pv_tree_kind kind;
	add(&list, doc, PV_TREE_DOCUMENT);
	while (xml) {
		bool is_node = find_kind(xml, &kind);
		if (is_node)
			add(&list, xml, kind);
		if (is_node && kind == PV_TREE_ELEMENT && xml->children) {
			list.parent = list.previous = list.count - 1;
			xml = xml->children;
			continue;
		}
		if (is_node)
			list.previous = list.count - 1;
		xml = leave(&list, xml);
	}
	*count = list.count;
	return list.nodes;
}

struct pv_str pv_node_name(const struct pv_tree_node *node)
{
	return node->kind == PV_TREE_ELEMENT ? str_of(node->xml->name)
					     : PV_STR("");
}

static bool is_same(const xmlChar *text, struct pv_str str)
{
	return pv_str_equal(str_of(text), str);
}

bool pv_node_is_named(const struct pv_tree_node *node, struct pv_str name)
{
	return node->kind == PV_TREE_ELEMENT && is_same(node->xml->name, name);
}

struct pv_str pv_node_attribute(
    const struct pv_tree_node *node, struct pv_str name)
{
	if (node->kind != PV_TREE_ELEMENT)
		return (struct pv_str){NULL, 0};
	for (const xmlAttr *attribute = node->xml->properties; attribute;
	     attribute = attribute->next) {
		if (is_same(attribute->name, name))
			return value_of(attribute);
	}
	return (struct pv_str){NULL, 0};
}

bool pv_node_attribute_at(const struct pv_tree_node *node, uint32_t number,
    struct pv_str *name, struct pv_str *value)
{
	if (node->kind != PV_TREE_ELEMENT)
		return false;
	const xmlAttr *attribute = node->xml->properties;
	while (attribute && --number)
		attribute = attribute->next;
	if (!attribute)
		return false;
	*name = str_of(attribute->name);
	*value = value_of(attribute);
	return true;
}

struct pv_str pv_node_content(const struct pv_tree_node *node)
{
	bool has_content =
	    node->kind != PV_TREE_ELEMENT && node->kind != PV_TREE_DOCUMENT;
	return has_content ? str_of(node->xml->content) : PV_STR("");
}
