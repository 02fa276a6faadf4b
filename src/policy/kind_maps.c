#include "policy/effective.h"
#include "policy/kind.h"
#include "policy/option.h"
#include "policy/schema.h"
#include "policy/yaml_text.h"

/* Names with a text each, both held against their rules. */

/* The name that is the same but for its letters' size; NULL if there is
 * none. */
static const char *find_name(const struct pv_pairs *pairs, const char *name)
{
	for (size_t i = 0; i < pairs->count; i++) {
		if (pairs->items[i].name &&
		    pv_str_equal_nocase(
			pv_str_of(pairs->items[i].name), pv_str_of(name)))
			return pairs->items[i].name;
	}
	return NULL;
}

static bool read_pair(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node,
    struct pv_pairs *pairs)
{
	size_t mark = pv_reading_enter(reading, node->key);
	struct pv_node key = *node;
	key.kind = PV_NODE_TEXT;
	key.is_quoted = true;
	key.text = node->key;
	key.line = node->key_line;
	key.column = node->key_column;
	const char *name = pv_text_read(reading, option->name_rule, &key);
	const char *text = pv_text_read(reading, option->rule, node);
	bool is_right = name && text;
	const char *same = is_right ? find_name(pairs, name) : NULL;
	if (same) {
		pv_reading_fail_key(
		    reading, node, "this name is already here, as %s", same);
		is_right = false;
	}
	pairs->items[pairs->count++] = (struct pv_pair){name, text};
	pv_reading_leave(reading, mark);
	return is_right;
}

static bool read_pairs(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	struct pv_pairs read = {0};
	if (node->kind != PV_NODE_MAP)
		return pv_kind_refuse(reading, option, node);
	size_t count = pv_node_count(node);
	if (!pv_items_fit(reading, option, node, count))
		return false;
	read.items =
	    pv_arena_give_array(reading->arena, count, sizeof(*read.items));
	bool is_right = true;
	for (const struct pv_node *child = node->first; child;
	     child = child->next)
		is_right = read_pair(reading, option, child, &read) && is_right;
	if (is_right)
		*(struct pv_pairs *)field = read;
	return is_right;
}

static void write_pairs(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	const struct pv_pairs *pairs = field;
	(void)option;
	pv_buf_append_char(buf, '{');
	for (size_t i = 0; i < pairs->count; i++) {
		pv_buf_append_text(buf, i ? ", " : "");
		pv_yaml_text_append(pv_str_of(pairs->items[i].name), buf);
		pv_buf_append_text(buf, ": ");
		pv_yaml_text_append(pv_str_of(pairs->items[i].text), buf);
	}
	pv_buf_append_char(buf, '}');
}

static struct pv_json *schema_pairs(const struct pv_option *option)
{
	struct pv_json *schema = pv_schema_of_type("object");
	pv_json_set(schema, "maxProperties", pv_json_integer(option->most));
	pv_json_set(
	    schema, "propertyNames", pv_schema_of_rule(option->name_rule));
	pv_json_set(
	    schema, "additionalProperties", pv_schema_of_rule(option->rule));
	return schema;
}

static void expect_pairs(const struct pv_option *option, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "a mapping from %s to %s",
	    option->name_rule->expected, option->rule->expected);
}

const struct pv_kind pv_kind_pairs = {
    .name = "a mapping",
    .size = sizeof(struct pv_pairs),
    .read = read_pairs,
    .write = write_pairs,
    .schema = schema_pairs,
    .expect = expect_pairs,
};

/* The domain table as a kind of value. Reading it needs the policy that it
 * belongs to, and is done by who walks the sections (section.c). */

static bool refuse(struct pv_reading *reading, const struct pv_option *option,
    const struct pv_node *node, void *field)
{
	(void)field;
	return pv_kind_refuse(reading, option, node);
}

static void write_domains(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	(void)field;
	pv_buf_append_text(buf, "{}");
}

static bool has_entries(const void *field)
{
	return ((const struct pv_domains *)field)->count > 0;
}

static void write_lines(const struct pv_option *option, const void *field,
    int indent, struct pv_buf *buf)
{
	(void)option;
	pv_effective_write_domains(field, indent, buf);
}

static struct pv_json *schema_domains(const struct pv_option *option)
{
	(void)option;
	return pv_schema_of_domains();
}

static void expect_domains(const struct pv_option *option, struct pv_buf *buf)
{
	(void)option;
	pv_buf_append_text(
	    buf, "a mapping such as {docs.example.org: {delay: 2s}}");
}

const struct pv_kind pv_kind_domains = {
    .name = "a mapping of hosts",
    .size = sizeof(struct pv_domains),
    .read = refuse,
    .write = write_domains,
    .has_lines = has_entries,
    .write_lines = write_lines,
    .schema = schema_domains,
    .expect = expect_domains,
};
