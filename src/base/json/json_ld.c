#include "base/json/json_ld.h"

static struct pv_str without_schema(struct pv_str type)
{
	static const struct pv_str schemas[] = {
	    PV_STR("http://schema.org/"),
	    PV_STR("https://schema.org/"),
	};
	for (size_t i = 0; i < sizeof(schemas) / sizeof(*schemas); i++) {
		if (pv_str_starts(type, schemas[i]))
			return pv_str_from(type, schemas[i].len);
	}
	return type;
}

static bool is_type(const struct pv_json *value, struct pv_str type)
{
	return pv_json_page_kind(value) == PV_JSON_TEXT &&
	       pv_str_equal(without_schema(pv_json_page_text(value)),
		   without_schema(type));
}

/* `@type` is a text or a list of them. */
static bool has_type(const struct pv_json *node, struct pv_str type)
{
	const struct pv_json *types =
	    pv_json_page_member(node, PV_STR("@type"));
	const struct pv_json *item;
	const char *name;
	if (!type.len)
		return true;
	if (!types)
		return false;
	if (pv_json_page_kind(types) != PV_JSON_ARRAY)
		return is_type(types, type);
	struct pv_json_walk walk = pv_json_walk_of(types);
	do
		item = pv_json_walk_next(&walk, &name);
	while (item && !is_type(item, type));
	return item != NULL;
}

/* False if the list is full. */
static bool add_node(
    const struct pv_json *node, struct pv_str type, struct pv_json_list *list)
{
	return pv_json_page_kind(node) != PV_JSON_OBJECT ||
	       !has_type(node, type) || pv_json_list_add(list, node);
}

static bool add_graph(
    const struct pv_json *node, struct pv_str type, struct pv_json_list *list)
{
	const struct pv_json *graph =
	    pv_json_page_member(node, PV_STR("@graph"));
	const struct pv_json *item;
	const char *name;
	if (!graph)
		return true;
	if (pv_json_page_kind(graph) == PV_JSON_OBJECT)
		return add_node(graph, type, list);
	struct pv_json_walk walk = pv_json_walk_of(graph);
	while ((item = pv_json_walk_next(&walk, &name))) {
		if (!add_node(item, type, list))
			return false;
	}
	return true;
}

void pv_json_ld_find(
    const struct pv_json *block, struct pv_str type, struct pv_json_list *list)
{
	const struct pv_json *item;
	const char *name;
	if (pv_json_page_kind(block) != PV_JSON_ARRAY) {
		if (add_node(block, type, list))
			add_graph(block, type, list);
		return;
	}
	struct pv_json_walk walk = pv_json_walk_of(block);
	while ((item = pv_json_walk_next(&walk, &name))) {
		if (!add_node(item, type, list) || !add_graph(item, type, list))
			return;
	}
}
