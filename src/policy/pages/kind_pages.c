#include "base/nearest.h"
#include "policy/kind.h"
#include "policy/option.h"
#include "policy/pages/each.h"
#include "policy/pages/field.h"
#include "policy/pages/follow.h"
#include "policy/pages/follow_join.h"
#include "policy/pages/node_text.h"
#include "policy/pages/pages_schema.h"
#include "policy/pages/source.h"
#include "policy/yaml_text.h"

#define INDENT 2

/* Kinds of pages, as a policy's key: a name for each, with match, each, fields
 * and follow. */

static bool read_match(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_page_kind *kind = ctx;
	bool is_list = node->kind == PV_NODE_LIST;
	size_t count = is_list ? pv_node_count(node) : 1;
	bool is_right = true;
	if (!count || (!is_list && node->kind != PV_NODE_MAP))
		return pv_reading_expected(reading, node,
		    "the body of a rule, such as {path: \"/item/*\"}, or a "
		    "list of them");
	if (count > PV_MATCH_RULES_MAX)
		return pv_reading_fail(reading, node,
		    "at most %d rules are allowed; there are %zu",
		    PV_MATCH_RULES_MAX, count);
	kind->match.items = pv_arena_give_array(
	    reading->arena, count, sizeof(*kind->match.items));
	for (const struct pv_node *one = is_list ? node->first : node; one;
	     one = is_list ? one->next : NULL)
		is_right = pv_rule_body_read(reading, one,
			       &kind->match.items[kind->match.count++]) &&
			   is_right;
	return is_right;
}

static bool read_each(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_page_kind *kind = ctx;
	kind->has_each = true;
	return pv_each_read(reading, node, &kind->each);
}

static bool read_fields(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_page_kind *kind = ctx;
	struct pv_field_list fields = {0};
	bool is_right = pv_fields_read(reading, node, &fields);
	kind->fields = fields.items;
	kind->field_count = fields.count;
	return is_right;
}

static bool read_follow(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	return pv_follow_read(reading, node, ctx);
}

static const struct pv_member_key keys[] = {
    {"match", read_match},
    {"each", read_each},
    {"fields", read_fields},
    {"follow", read_follow},
};

static const struct pv_member_table table = {keys, sizeof(keys) / sizeof(*keys),
    "a kind of page has fields or follow, or both, and may have match and "
    "each"};

static bool read_kind(struct pv_reading *reading, const struct pv_node *node,
    struct pv_page_kind *kind)
{
	kind->name = pv_arena_text(reading->arena, node->key);
	kind->origin = pv_reading_origin_of_key(reading, node);
	kind->node = pv_node_copy(reading, node);
	if (!pv_member_name_is_right(node->key)) {
		pv_reading_fail_key(reading, node,
		    "the name of a kind of page is a letter and then letters, "
		    "digits, - and _, at most 63");
		return false;
	}
	if (node->kind != PV_NODE_MAP || !node->first)
		return pv_reading_expected(reading, node,
		    "a mapping such as {match: {path: \"/item/*\"}, fields: "
		    "{title: h1}}");
	if (!pv_members_read(reading, node, &table, kind))
		return false;
	if (!kind->field_count && !kind->has_follow)
		return pv_reading_fail(reading, node,
		    "this kind of page has neither fields nor follow: write "
		    "one of them, such as fields: {title: h1}");
	if (kind->has_each && !kind->field_count)
		return pv_reading_fail(reading, node,
		    "each gives rows: write their fields, such as fields: "
		    "{title: h3}");
	return true;
}

/* Tables and files make no difference between a and A. */
static bool is_new_name(struct pv_reading *reading,
    const struct pv_pages *pages, const struct pv_node *node)
{
	for (size_t i = 0; i < pages->count; i++) {
		if (!pv_str_equal_nocase(
			node->key, pv_str_of(pages->items[i].name)))
			continue;
		pv_reading_fail_key(reading, node,
		    "this name is already here, as %s: files and tables make "
		    "no difference between capitals and small letters",
		    pages->items[i].name);
		return false;
	}
	return true;
}

static void number_fields(
    struct pv_pages *pages, struct pv_field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fields[i].number = pages->field_total++;
		number_fields(pages, fields[i].fields, fields[i].field_count);
	}
}

static bool read_kinds(struct pv_reading *reading, const struct pv_node *node,
    struct pv_pages *pages)
{
	bool is_right = true;
	pages->items = pv_arena_give_array(
	    reading->arena, pv_node_count(node), sizeof(*pages->items));
	for (const struct pv_node *one = node->first; one; one = one->next) {
		size_t mark = pv_reading_enter(reading, one->key);
		bool is_new = is_new_name(reading, pages, one);
		is_right =
		    read_kind(reading, one, &pages->items[pages->count++]) &&
		    is_right && is_new;
		pv_reading_leave(reading, mark);
	}
	for (size_t i = 0; i < pages->count; i++)
		number_fields(
		    pages, pages->items[i].fields, pages->items[i].field_count);
	return is_right && pv_follow_join(reading, pages);
}

static bool read_pages(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	struct pv_pages *pages = field;
	struct pv_pages read = {0};
	if (node->kind != PV_NODE_MAP)
		return pv_kind_refuse(reading, option, node);
	if (pv_node_count(node) > PV_PAGES_MAX)
		return pv_reading_fail(reading, node,
		    "at most %d kinds of pages are allowed; there are %zu",
		    PV_PAGES_MAX, pv_node_count(node));
	if (!read_kinds(reading, node, &read)) {
		pv_pages_finish(&read);
		return false;
	}
	pv_pages_finish(pages);
	*pages = read;
	return true;
}

const char *pv_pages_nearest(const struct pv_pages *pages, struct pv_str name)
{
	struct pv_nearest nearest = pv_nearest_to(name);
	for (size_t i = 0; i < pages->count; i++)
		pv_nearest_offer(&nearest, pages->items[i].name);
	return nearest.word;
}

size_t pv_pages_find(const struct pv_pages *pages, struct pv_str name)
{
	size_t i = 0;
	while (i < pages->count &&
	       !pv_str_equal(name, pv_str_of(pages->items[i].name)))
		i++;
	return i;
}

void pv_pages_finish(struct pv_pages *pages)
{
	for (size_t i = 0; i < pages->count; i++) {
		struct pv_page_kind *kind = &pages->items[i];
		pv_rules_finish(&kind->match);
		pv_source_finish(&kind->each);
		pv_fields_finish(kind->fields, kind->field_count);
		pv_follow_finish(kind);
	}
	*pages = (struct pv_pages){0};
}

/* Writing */

static void write_pages(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	(void)field;
	pv_buf_append_text(buf, "{}");
}

static bool has_pages(const void *field)
{
	return ((const struct pv_pages *)field)->count > 0;
}

/* A line for the name, then one for each key, field, link and rule. */
static void write_kind(
    const struct pv_page_kind *kind, int indent, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "%*s", indent, "");
	pv_yaml_text_append(pv_str_of(kind->name), buf);
	pv_buf_append_char(buf, ':');
	pv_origin_write_comment(&kind->origin, buf);
	for (const struct pv_node *node = kind->node->first; node;
	     node = node->next) {
		bool is_long = node->kind == PV_NODE_LIST ||
			       pv_str_equal(node->key, PV_STR("fields"));
		pv_node_write_member(node, is_long, indent + INDENT, buf);
	}
}

static void write_page_lines(const struct pv_option *option, const void *field,
    int indent, struct pv_buf *buf)
{
	const struct pv_pages *pages = field;
	(void)option;
	for (size_t i = 0; i < pages->count; i++)
		write_kind(&pages->items[i], indent, buf);
}

static void expect_pages(const struct pv_option *option, struct pv_buf *buf)
{
	(void)option;
	pv_buf_append_text(buf,
	    "kinds of pages by their names, such as {product: {match: {path: "
	    "\"/item/*\"}, fields: {title: h1}}}");
}

const struct pv_kind pv_kind_pages = {
    .name = "kinds of pages",
    .size = sizeof(struct pv_pages),
    .read = read_pages,
    .write = write_pages,
    .has_lines = has_pages,
    .write_lines = write_page_lines,
    .schema = pv_pages_schema,
    .expect = expect_pages,
};
