#include "serve/config/webhook_table.h"

#include "base/reader.h"
#include "policy/effective.h"
#include "policy/kind.h"
#include "policy/option.h"
#include "policy/schema.h"
#include "policy/sources/section.h"
#include "policy/values/value.h"
#include "policy/yaml_text.h"
#include "serve/config/text_rules.h"
#include "serve/config/webhook_secrets.h"

#define FIELD(field) offsetof(struct pv_webhook, field)
#define SECOND INT64_C(1000)
#define DAY (24 * 60 * 60 * SECOND)

#define EXAMPLE                                                    \
	"a mapping such as {url: \"https://example.org/pavane\", " \
	"secrets_file: secrets}"

/* Secrets are read like any texts, and never written. */

static bool read_secrets(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	return pv_kind_texts.read(reading, option, node, field);
}

static void write_secrets(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	(void)field;
	pv_buf_append_text(buf, "[]");
}

static struct pv_json *schema_secrets(const struct pv_option *option)
{
	return pv_kind_texts.schema(option);
}

static void expect_secrets(const struct pv_option *option, struct pv_buf *buf)
{
	pv_kind_texts.expect(option, buf);
}

static const struct pv_kind kind_secrets = {
    .name = "a list of texts",
    .size = sizeof(struct pv_texts),
    .read = read_secrets,
    .write = write_secrets,
    .schema = schema_secrets,
    .expect = expect_secrets,
};

/* The keys of an entry */

static const char *const events[] = {
    "states", "journal", "rows", "fetches", NULL};

/* clang-format off */
static const struct pv_option options[] = {
{"url", &pv_kind_text, FIELD(url), .rule = &pv_rule_webhook_url, .sentence =
 "The address that deliveries are posted to: http or https, without a login."},
{"secrets", &kind_secrets, FIELD(secrets), .most = PV_WEBHOOK_SECRETS_MAX,
 .rule = &pv_rule_webhook_secret, .sentence =
 "What deliveries are signed with: whsec_ and 24 to 64 bytes in base 64. While "
 "one takes the place of another there may be two; each signs."},
{"secrets_file", &pv_kind_file, FIELD(secrets_file), "none",
 .rule = &pv_rule_file, .flags = PV_MAY_BE_NONE, .sentence =
 "A file with the secrets, a line each, in the place of secrets. Nobody but its "
 "owner may be able to read it."},
{"events", &pv_kind_choices, FIELD(events), .choices = events, .sentence =
 "What is delivered: states of jobs, lines of their journals, rows of pages; "
 "fetches, which are single addresses, when they have ended. "
 "Without this key, all of it."},
{"retry_for", &pv_kind_time, FIELD(retry_for_ms), "3d", 1 * SECOND, 365 * DAY,
 PV_MAY_BE_NONE, .sentence =
 "How long a delivery that fails is tried again; then nothing more is "
 "delivered of what it belongs to. none is for ever."},
{"allow", &pv_kind_texts, FIELD(allow), .most = 100, .rule = &pv_rule_domain,
 .sentence =
 "The private and local hosts that the address may lead to: names, or address "
 "ranges such as \"10.0.0.0/8\"."},
};
/* clang-format on */

#define OPTIONS (sizeof(options) / sizeof(*options))

static const char *name_of(const struct pv_option *option)
{
	return option->path;
}

static const struct pv_names names = {
    .options = options, .count = OPTIONS, .name_of = name_of};

/* Reading */

/* False, with a problem, where what is there is not enough. */
static bool complete(struct pv_reading *reading, const struct pv_node *node,
    struct pv_webhook *webhook)
{
	if (!webhook->url) {
		pv_reading_fail_key(reading, node,
		    "there is no url that deliveries are posted to");
		return false;
	}
	if (webhook->secrets_file && webhook->secrets.count) {
		pv_reading_fail_key(reading, node,
		    "there are secrets and a secrets_file: leave one of them "
		    "out");
		return false;
	}
	if (webhook->secrets_file)
		return pv_webhook_secrets_load(webhook->secrets_file,
		    reading->arena, &webhook->secrets, reading->why);
	if (webhook->secrets.count)
		return true;
	pv_reading_fail_key(reading, node,
	    "there is no secret to sign deliveries with: name a secrets_file, "
	    "with a line as `echo whsec_$(openssl rand -base64 32)` has");
	return false;
}

static bool read_name(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node,
    struct pv_webhook *webhook)
{
	struct pv_node key = *node;
	key.kind = PV_NODE_TEXT;
	key.is_quoted = true;
	key.text = node->key;
	key.line = node->key_line;
	key.column = node->key_column;
	webhook->name = pv_text_read(reading, option->name_rule, &key);
	return webhook->name;
}

static bool read_webhook(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node,
    struct pv_webhook *webhook)
{
	webhook->origins = pv_arena_give_array(
	    reading->arena, OPTIONS, sizeof(*webhook->origins));
	webhook->events = PV_WEBHOOK_STATES | PV_WEBHOOK_JOURNAL |
			  PV_WEBHOOK_ROWS | PV_WEBHOOK_FETCHES;
	const struct pv_target target = {
	    .names = &names, .fields = webhook, .origins = webhook->origins};
	if (!read_name(reading, option, node, webhook))
		return false;
	if (node->kind != PV_NODE_MAP)
		return pv_reading_expected(reading, node, EXAMPLE);
	pv_section_presets(target, reading->arena, reading->why);
	return pv_section_read(reading, target, PV_STR(""), node) &&
	       complete(reading, node, webhook);
}

static bool read_webhooks(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	struct pv_webhook_table read = {0};
	bool is_right = true;
	if (node->kind != PV_NODE_MAP)
		return pv_kind_refuse(reading, option, node);
	size_t count = pv_node_count(node);
	if (!pv_items_fit(reading, option, node, count))
		return false;
	read.items =
	    pv_arena_give_array(reading->arena, count, sizeof(*read.items));
	for (const struct pv_node *child = node->first; child;
	     child = child->next) {
		size_t mark = pv_reading_enter(reading, child->key);
		is_right = read_webhook(reading, option, child,
			       &read.items[read.count++]) &&
			   is_right;
		pv_reading_leave(reading, mark);
	}
	if (is_right)
		*(struct pv_webhook_table *)field = read;
	return is_right;
}

/* Writing and describing */

static void write_webhooks(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	(void)field;
	pv_buf_append_text(buf, "{}");
}

static bool has_entries(const void *field)
{
	return ((const struct pv_webhook_table *)field)->count > 0;
}

static void write_indented(struct pv_str text, int indent, struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader)) {
		struct pv_str line = pv_reader_take_line(&reader);
		pv_buf_append_format(
		    buf, "%*s%.*s\n", indent, "", PV_STR_ARG(line));
	}
}

static void write_lines(const struct pv_option *option, const void *field,
    int indent, struct pv_buf *buf)
{
	const struct pv_webhook_table *table = field;
	struct pv_buf keys;
	(void)option;
	pv_buf_init(&keys, SIZE_MAX);
	for (size_t i = 0; i < table->count; i++) {
		const struct pv_webhook *webhook = &table->items[i];
		pv_buf_append_format(buf, "%*s", indent, "");
		pv_yaml_text_append(pv_str_of(webhook->name), buf);
		pv_buf_append_text(buf, ":\n");
		pv_buf_clear(&keys);
		pv_effective_write_fields(
		    &names, webhook, webhook->origins, &keys);
		write_indented(pv_buf_str(&keys), indent + 2, buf);
	}
	pv_buf_finish(&keys);
}

static struct pv_json *schema_webhooks(const struct pv_option *option)
{
	struct pv_json *schema = pv_schema_of_type("object");
	struct pv_json *entry = pv_schema_of_fields(&names);
	struct pv_json *required = pv_json_array();
	pv_json_add_text(required, "url");
	pv_json_set(entry, "required", required);
	pv_json_set(schema, "maxProperties", pv_json_integer(option->most));
	pv_json_set(
	    schema, "propertyNames", pv_schema_of_rule(option->name_rule));
	pv_json_set(schema, "additionalProperties", entry);
	return schema;
}

static void expect_webhooks(const struct pv_option *option, struct pv_buf *buf)
{
	(void)option;
	pv_buf_append_text(buf, "a mapping from names to " EXAMPLE);
}

const struct pv_kind pv_kind_webhooks = {
    .name = "names with a webhook each",
    .size = sizeof(struct pv_webhook_table),
    .read = read_webhooks,
    .write = write_webhooks,
    .has_lines = has_entries,
    .write_lines = write_lines,
    .schema = schema_webhooks,
    .expect = expect_webhooks,
};
