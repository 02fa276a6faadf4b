#include "policy/rules.h"

#include "policy/kind.h"
#include "policy/option.h"
#include "policy/yaml_text.h"

void pv_rules_finish(struct pv_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		pv_pattern_destroy(rules->items[i].pattern);
	*rules = (struct pv_rules){0};
}

/* What a rule may name. */

#define PATTERN "a regular expression (PCRE2)"

static bool read_path(struct pv_reading *reading, const struct pv_node *node,
    struct pv_rule *rule)
{
	rule->path = pv_text_read(reading, &pv_rule_path_glob, node);
	return rule->path != NULL;
}

static const struct pv_option extensions_option = {
    .path = "ext",
    .kind = &pv_kind_texts,
    .least = 1,
    .most = 1000,
    .rule = &pv_rule_extension,
};

static bool read_extensions(struct pv_reading *reading,
    const struct pv_node *node, struct pv_rule *rule)
{
	return pv_texts_read(
	    reading, &extensions_option, node, &rule->extensions);
}

static bool read_host(struct pv_reading *reading, const struct pv_node *node,
    struct pv_rule *rule)
{
	rule->host = pv_text_read(reading, &pv_rule_host_glob, node);
	return rule->host != NULL;
}

static bool read_url(struct pv_reading *reading, const struct pv_node *node,
    struct pv_rule *rule)
{
	struct pv_pattern_fault fault;
	if (node->kind != PV_NODE_TEXT || !node->text.len)
		return pv_reading_expected(reading, node, PATTERN);
	if (!pv_text_is_meant(reading, node, PATTERN))
		return false;
	rule->url = pv_arena_text(reading->arena, node->text);
	rule->pattern = pv_pattern_create(node->text, &fault);
	if (!rule->pattern)
		return pv_reading_fail(reading, node,
		    "this pattern is not a valid regular expression: %s (at "
		    "byte %zu)",
		    fault.text, fault.offset);
	return true;
}

static const struct {
	const char *name;
	bool (*read)(
	    struct pv_reading *, const struct pv_node *, struct pv_rule *);
} keys[] = {
    {"path", read_path},
    {"ext", read_extensions},
    {"host", read_host},
    {"url", read_url},
};

#define KEY_COUNT (sizeof(keys) / sizeof(*keys))

static bool read_key(struct pv_reading *reading, const struct pv_node *node,
    struct pv_rule *rule)
{
	size_t mark = pv_reading_enter(reading, node->key);
	bool is_right = false;
	size_t i = 0;
	while (
	    i < KEY_COUNT && !pv_str_equal(node->key, pv_str_of(keys[i].name)))
		i++;
	if (i < KEY_COUNT)
		is_right = keys[i].read(reading, node, rule);
	else
		pv_reading_fail_key(reading, node,
		    "unknown key: a rule names path, ext, host or url");
	pv_reading_leave(reading, mark);
	return is_right;
}

bool pv_rule_body_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_rule *rule)
{
	bool is_right = true;
	rule->origin = pv_reading_origin(reading, node);
	if (node->kind != PV_NODE_MAP || !node->first)
		return pv_reading_expected(
		    reading, node, "a mapping such as {path: \"/logout*\"}");
	for (const struct pv_node *child = node->first; child;
	     child = child->next)
		is_right = read_key(reading, child, rule) && is_right;
	return is_right;
}

static bool read_rule(struct pv_reading *reading, const struct pv_node *node,
    struct pv_rule *rule)
{
	const struct pv_node *verb = node->first;
	if (node->kind != PV_NODE_MAP || !verb || verb->next)
		return pv_reading_expected(reading, node,
		    "a rule such as {deny: {path: \"/logout*\"}}");
	rule->is_allow = pv_str_equal(verb->key, PV_STR("allow"));
	size_t mark = pv_reading_enter(reading, verb->key);
	bool is_right = true;
	if (!rule->is_allow && !pv_str_equal(verb->key, PV_STR("deny"))) {
		pv_reading_fail_key(
		    reading, verb, "unknown key: a rule is allow or deny");
		is_right = false;
	} else {
		is_right = pv_rule_body_read(reading, verb, rule);
	}
	pv_reading_leave(reading, mark);
	rule->origin = pv_reading_origin(reading, node);
	return is_right;
}

static bool read_rules(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	struct pv_rules read = {0};
	struct pv_rules *rules = field;
	bool is_right = true;
	if (node->kind != PV_NODE_LIST)
		return pv_kind_refuse(reading, option, node);
	size_t count = pv_node_count(node);
	if (!pv_items_fit(reading, option, node, count))
		return false;
	read.items =
	    pv_arena_give_array(reading->arena, count, sizeof(*read.items));
	for (const struct pv_node *item = node->first; item; item = item->next)
		is_right =
		    read_rule(reading, item, &read.items[read.count++]) &&
		    is_right;
	if (!is_right) {
		pv_rules_finish(&read);
		return false;
	}
	pv_rules_finish(rules);
	*rules = read;
	return true;
}

static void write_rules(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	(void)field;
	pv_buf_append_text(buf, "[]");
}

static bool has_rules(const void *field)
{
	return ((const struct pv_rules *)field)->count > 0;
}

static void write_member(
    const char *name, const char *text, bool *is_first, struct pv_buf *buf)
{
	if (!text)
		return;
	pv_buf_append_format(buf, "%s%s: ", *is_first ? "" : ", ", name);
	pv_yaml_text_append(pv_str_of(text), buf);
	*is_first = false;
}

void pv_rule_write(const struct pv_rule *rule, struct pv_buf *buf)
{
	bool is_first = true;
	pv_buf_append_format(buf, "%s: {", rule->is_allow ? "allow" : "deny");
	write_member("path", rule->path, &is_first, buf);
	if (rule->extensions.count) {
		pv_buf_append_text(buf, is_first ? "ext: " : ", ext: ");
		pv_texts_write(&rule->extensions, buf);
		is_first = false;
	}
	write_member("host", rule->host, &is_first, buf);
	write_member("url", rule->url, &is_first, buf);
	pv_buf_append_char(buf, '}');
}

static void write_rule_lines(const struct pv_option *option, const void *field,
    int indent, struct pv_buf *buf)
{
	const struct pv_rules *rules = field;
	(void)option;
	for (size_t i = 0; i < rules->count; i++) {
		pv_buf_append_format(buf, "%*s- {", indent, "");
		pv_rule_write(&rules->items[i], buf);
		pv_buf_append_char(buf, '}');
		pv_origin_write_comment(&rules->items[i].origin, buf);
	}
}

struct pv_json *pv_rule_body_schema(void)
{
	struct pv_json *members = pv_json_object();
	struct pv_json *pattern = pv_json_object();
	struct pv_json *what = pv_json_object();
	pv_json_set_text(pattern, "type", "string");
	pv_json_set(pattern, "minLength", pv_json_integer(1));
	pv_json_set(members, "path", pv_schema_of_rule(&pv_rule_path_glob));
	pv_json_set(members, "ext", pv_kind_texts.schema(&extensions_option));
	pv_json_set(members, "host", pv_schema_of_rule(&pv_rule_host_glob));
	pv_json_set(members, "url", pattern);
	pv_json_set_text(what, "type", "object");
	pv_json_set(what, "properties", members);
	pv_json_set(what, "minProperties", pv_json_integer(1));
	pv_json_set(what, "additionalProperties", pv_json_bool(false));
	return what;
}

static struct pv_json *schema_verb(const char *verb)
{
	struct pv_json *verbs = pv_json_object();
	struct pv_json *schema = pv_json_object();
	struct pv_json *required = pv_json_array();
	pv_json_set(verbs, verb, pv_rule_body_schema());
	pv_json_add_text(required, verb);
	pv_json_set_text(schema, "type", "object");
	pv_json_set(schema, "properties", verbs);
	pv_json_set(schema, "required", required);
	pv_json_set(schema, "additionalProperties", pv_json_bool(false));
	return schema;
}

static struct pv_json *schema_rules(const struct pv_option *option)
{
	struct pv_json *forms = pv_json_array();
	struct pv_json *item = pv_json_object();
	struct pv_json *schema = pv_json_object();
	pv_json_add(forms, schema_verb("allow"));
	pv_json_add(forms, schema_verb("deny"));
	pv_json_set(item, "anyOf", forms);
	pv_json_set_text(schema, "type", "array");
	pv_json_set(schema, "maxItems", pv_json_integer(option->most));
	pv_json_set(schema, "items", item);
	return schema;
}

static void expect_rules(const struct pv_option *option, struct pv_buf *buf)
{
	(void)option;
	pv_buf_append_text(
	    buf, "a list of rules, such as [{deny: {path: \"/logout*\"}}]");
}

const struct pv_kind pv_kind_rules = {
    .name = "a list of rules",
    .size = sizeof(struct pv_rules),
    .read = read_rules,
    .write = write_rules,
    .has_lines = has_rules,
    .write_lines = write_rule_lines,
    .schema = schema_rules,
    .expect = expect_rules,
};
