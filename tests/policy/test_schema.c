#include "policy/schema.h"

#include <jansson.h>

#include "base/pattern/pattern.h"
#include "base/reader.h"
#include "policy/document/document.h"
#include "policy/kind.h"
#include "policy/loaded.h"
#include "policy/option.h"
#include "policy/values/units.h"

/* Holds policies against the schema, by as much of JSON Schema as it uses:
 * what the loader accepts, the schema must accept, or an editor marks what is
 * right. */

static bool accepts(const json_t *schema, const struct pv_node *node);

/* A text without quotes is what YAML makes of it. */
static bool is_word(const struct pv_node *node)
{
	return node->kind == PV_NODE_TEXT && !node->is_quoted;
}

static bool is_bool(const struct pv_node *node)
{
	return pv_node_is_word(node, "true") || pv_node_is_word(node, "false");
}

static bool is_number(const struct pv_node *node, double *number)
{
	return is_word(node) && pv_decimal_read(node->text, number);
}

static bool is_string(const struct pv_node *node)
{
	double number;
	return node->kind == PV_NODE_TEXT && !is_bool(node) &&
	       !is_number(node, &number) && (node->text.len || node->is_quoted);
}

static bool has_type(const char *type, const struct pv_node *node)
{
	double number;
	if (strcmp(type, "object") == 0)
		return node->kind == PV_NODE_MAP;
	if (strcmp(type, "array") == 0)
		return node->kind == PV_NODE_LIST;
	if (strcmp(type, "boolean") == 0)
		return is_bool(node);
	if (strcmp(type, "string") == 0)
		return is_string(node);
	if (strcmp(type, "number") == 0)
		return is_number(node, &number);
	return strcmp(type, "integer") == 0 && is_number(node, &number) &&
	       number == (double)(int64_t)number;
}

static bool matches(const char *pattern, const struct pv_node *node)
{
	struct pv_pattern_fault fault;
	struct pv_pattern *compiled =
	    pv_pattern_create(pv_str_of(pattern), &fault);
	bool is_match = compiled && pv_pattern_search(compiled, node->text) ==
					PV_PATTERN_YES;
	if (!compiled)
		printf("# %s: %s\n", pattern, fault.text);
	pv_pattern_destroy(compiled);
	return is_match;
}

static size_t count_of(const struct pv_node *node)
{
	size_t count = 0;
	for (const struct pv_node *child = node->first; child;
	     child = child->next)
		count++;
	return count;
}

static bool is_in(const json_t *words, const struct pv_node *node)
{
	size_t i;
	json_t *word;
	json_array_foreach(words, i, word)
	{
		if (json_is_true(word) && pv_node_is_word(node, "true"))
			return true;
		if (is_string(node) && pv_str_equal(node->text,
					   pv_str_of(json_string_value(word))))
			return true;
	}
	return false;
}

/* How many of the forms do. */
static size_t count_accepting(const json_t *forms, const struct pv_node *node)
{
	size_t i;
	size_t count = 0;
	json_t *form;
	json_array_foreach(forms, i, form)
	{
		count += accepts(form, node);
	}
	return count;
}

static bool forms_are_right(const json_t *schema, const struct pv_node *node)
{
	const json_t *any = json_object_get(schema, "anyOf");
	const json_t *all = json_object_get(schema, "allOf");
	const json_t *one = json_object_get(schema, "oneOf");
	const json_t *no = json_object_get(schema, "not");
	return (!any || count_accepting(any, node)) &&
	       (!all || count_accepting(all, node) == json_array_size(all)) &&
	       (!one || count_accepting(one, node) == 1) &&
	       (!no || !accepts(no, node));
}

static bool members_are_right(const json_t *schema, const struct pv_node *node)
{
	const json_t *members = json_object_get(schema, "properties");
	const json_t *others = json_object_get(schema, "additionalProperties");
	const json_t *names = json_object_get(schema, "propertyNames");
	for (const struct pv_node *child = node->first; child;
	     child = child->next) {
		struct pv_node name = {.kind = PV_NODE_TEXT,
		    .is_quoted = true,
		    .text = child->key};
		const json_t *member = json_object_get(members, child->key.ptr);
		if (names && !accepts(names, &name))
			return false;
		if (!member)
			member = others;
		if (json_is_false(member) ||
		    (json_is_object(member) && !accepts(member, child)))
			return false;
	}
	return true;
}

static bool has_required(const json_t *required, const struct pv_node *node)
{
	size_t i;
	json_t *name;
	json_array_foreach(required, i, name)
	{
		const struct pv_node *child = node->first;
		while (child && !pv_str_equal(child->key,
				    pv_str_of(json_string_value(name))))
			child = child->next;
		if (!child)
			return false;
	}
	return true;
}

static bool items_are_right(const json_t *schema, const struct pv_node *node)
{
	const json_t *items = json_object_get(schema, "items");
	for (const struct pv_node *child = node->first; child && items;
	     child = child->next) {
		if (!accepts(items, child))
			return false;
	}
	return true;
}

static bool is_bounded(
    const json_t *schema, const char *least, const char *most, double number)
{
	const json_t *low = json_object_get(schema, least);
	const json_t *high = json_object_get(schema, most);
	return (!low || number >= json_number_value(low)) &&
	       (!high || number <= json_number_value(high));
}

static bool scalar_is_right(const json_t *schema, const struct pv_node *node)
{
	double number = 0;
	const char *pattern =
	    json_string_value(json_object_get(schema, "pattern"));
	if (is_number(node, &number))
		return is_bounded(schema, "minimum", "maximum", number);
	return !is_string(node) ||
	       ((!pattern || matches(pattern, node)) &&
		   is_bounded(schema, "minLength", "maxLength",
		       (double)node->text.len));
}

static bool accepts(const json_t *schema, const struct pv_node *node)
{
	const char *type = json_string_value(json_object_get(schema, "type"));
	const json_t *words = json_object_get(schema, "enum");
	const char *word = json_string_value(json_object_get(schema, "const"));
	if ((type && !has_type(type, node)) || !forms_are_right(schema, node) ||
	    (words && !is_in(words, node)) ||
	    (word && !(is_string(node) &&
			 pv_str_equal(node->text, pv_str_of(word)))))
		return false;
	if (node->kind == PV_NODE_MAP)
		return members_are_right(schema, node) &&
		       has_required(
			   json_object_get(schema, "required"), node) &&
		       is_bounded(schema, "minProperties", "maxProperties",
			   (double)count_of(node));
	if (node->kind == PV_NODE_LIST)
		return items_are_right(schema, node) &&
		       is_bounded(schema, "minItems", "maxItems",
			   (double)count_of(node));
	return scalar_is_right(schema, node);
}

static bool accepts_text(const json_t *schema, struct pv_str text)
{
	struct pv_arena arena;
	struct pv_why why;
	struct pv_document document;
	pv_arena_init(&arena);
	pv_why_init(&why);
	pv_document_read(&document, "file", text, &arena, &why);
	bool is_accepted = !pv_why_has_problems(&why) && document.root &&
			   accepts(schema, document.root);
	pv_why_finish(&why);
	pv_arena_finish(&arena);
	return is_accepted;
}

/* Right for the loader, so right for the schema; in all their forms. */
static const char *const rights[] = {
    "version: 1",
    "name: none",
    "name: a.b-c_d",
    "seeds: [http://localhost/, {url: \"http://localhost/{1..3}\", depth: 0, "
    "tag: x}, {sitemap: \"http://localhost/s\", depth: none}]",
    "identity: {agent: a/1, contact: none, from: none}",
    "identity: {contact: \"mailto:a@b.test\", from: a@b.test}",
    "identity: {contact: \"https://b.test/bot\"}",
    "rate: {interval: 0.5, bandwidth: none, burst: 20}",
    "rate: {interval: 250ms, bandwidth: 1.5MB/s}",
    "politeness: {delay: 0, jitter: 0.25, max_rate: none, delay_factor: 2}",
    "politeness: {allowed_hours: \"22:00-06:00\", timezone: \"+02:00\"}",
    "politeness: {allowed_hours: [], timezone: local}",
    "politeness: {allowed_hours: [\"00:00-24:00\"], timezone: UTC}",
    "domains: {a.test: {}, \"*.b.test\": {share: true}, 10.0.0.0/8: {delay: "
    "1}, \"2001:db8::/32\": {}, \"[::1]\": {robots: ignore}, "
    "\"b\xc3\xbc"
    "cher.test\": {tls: {ca: none}}}",
    "scope: {hosts: same, depth: none}",
    "scope: {hosts: [a.test, \"*.b.test\", 127.0.0.1, \"::1\"]}",
    "scope: {rules: [{deny: {path: /a, ext: zip, host: \"*.a\"}}, {allow: "
    "{url: \"^a\", ext: [.A, tar.gz]}}]}",
    "scope: {strip_query: \"utm_*\"}",
    "limits: {bytes: 1.5GiB, pages: none, time: 1d}",
    "fetch: {accept: [text/html, \"image/*\"], headers: {A: b, C: \"\"}}",
    "fetch: {http2: true, cookies: true}",
    "fetch: {proxy: none, private: none, tls: {verify: true, ca: none}}",
    "fetch: {proxy: \"socks5://a:1\", resolve: {\"*.a\": \"127.0.0.1:80\", b: "
    "\"[::1]:80\", c: \"::1\"}}",
    "output: {mirror: none}",
    "output: {mirror: {rewrite: false}}",
    "output: {}",
    "stop: {drain_timeout: 0}",
    "pages: {}",
    "pages: {a: {match: {path: \"/a/*\"}, fields: {b: h1}}}",
    "pages: {a: {match: [{ext: pdf}, {url: x}], each: li, fields: {b: p}}}",
    "pages: {a: {each: {xpath: //li}, fields: {b: {css: p, required: true}}}}",
    "pages: {a: {follow: [{css: a, as: a}, {json: /next, as: a, limit: none}, "
    "{json: /n, in: ld, of: List, as: a, limit: 5}, {regex: \"u=(.*)\", as: "
    "a}, {css: b, regex: \"(.*)\", as: a}]}}",
    "pages: {a: {fields: {b: p}, follow: [{css: a, as: c, carry: [b]}]}, c: "
    "{fields: {d: p}}}",
    "pages: {a: {fields: {b: {each: .b, fields: {c: p, d: {url: path}}, "
    "required: false}}}}",
    "pages: {a: {fields: {b: {json: \"\"}, c: {json: /a~1b/~0/*}}}}",
    "pages: {a: {fields: {b: {json: /x, in: script, after: \"x =\"}}}}",
    "pages: {a: {fields: {b: {css: p, default: 0}, c: {css: p, default: "
    "\"0\"}, d: {json: /x, default: true}, e: {css: p, type: integer, "
    "default: 5}, f: {css: p, type: date, default: \"2026-01-31\"}}}}",
    "pages: {a: {fields: {b: {css: p, many: true, join: \"; \"}, c: {css: p, "
    "trim: false}, d: {json: /x, type: text, trim: true}, e: {json: /x, regex: "
    "x, trim: false}}}}",
    "pages: {a: {fields: {b: {css: p, type: number, decimal: \",\"}, c: {css: "
    "p, type: html}, d: {meta: x, type: date, format: \"%d.%m.%Y\", timezone: "
    "Europe/Berlin}, e: {header: Date}, f: {regex: x}}}}",
    "pages: {a: {fields: {b: {css: p, required: false, default: x}}}}",
    "pages: {a: {fields: {b: p}}}\nseeds: [{url: \"http://localhost/\", as: "
    "a}, {sitemap: \"http://localhost/s\", as: a}]",
    "pages: {a: {fields: {b: p}}}\noutput: {fields: {forms: [csv, sqlite], "
    "max_page: 1MiB, max_value: 1KiB, max_rows: 5}}",
    "output: {fields: {forms: csv}, mirror: {}}",
};

/* Mistakes that an editor ought to mark. */
static const char *const mistakes[] = {
    "rat: {}",
    "version: 2",
    "version: one",
    "name: \"a b\"",
    "seeds: http://localhost/",
    "seeds: [{ulr: http://localhost/}]",
    "seeds: [localhost]",
    "identity: {agent: \"a b\"}",
    "identity: {contact: nobody}",
    "rate: {max_rate: 0}",
    "rate: {max_rate: 1.5}",
    "rate: {max_rate: none}",
    "rate: {interval: 1 s}",
    "rate: {interval: 1w}",
    "rate: 5",
    "politeness: {delay_from: middle}",
    "politeness: {jitter: -1}",
    "politeness: {share: true}",
    "domains: {a.test: {max_size: 1}}",
    "domains: {\"https://a.test/\": {}}",
    "domains: [a.test]",
    "scope: {hosts: []}",
    "scope: {hosts: everywhere/}",
    "scope: {below: yes}",
    "scope: {rules: [{deny: {}}]}",
    "scope: {rules: [{deny: {path: a}}]}",
    "scope: {rules: [{refuse: {path: /a}}]}",
    "fetch: {accept: [html]}",
    "fetch: {headers: {\"a b\": c}}",
    "fetch: {proxy: 127.0.0.1}",
    "output: {mirror: true}",
};

static void test_rights(const json_t *schema)
{
	for (size_t i = 0; i < sizeof(rights) / sizeof(*rights); i++) {
		struct loaded loaded = load_text(rights[i]);
		ok(is_right(&loaded), "policy %zu is right", i);
		ok(accepts_text(schema, pv_str_of(rights[i])),
		    "the schema accepts policy %zu as it was written", i);
		ok(accepts_text(schema, effective_of(&loaded)),
		    "and with every default");
		loaded_finish(&loaded);
	}
}

static void test_mistakes(const json_t *schema)
{
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		struct loaded loaded = load_text(mistakes[i]);
		ok(pv_why_has_problems(&loaded.why),
		    "the loader refuses mistake %zu", i);
		ok(!accepts_text(schema, pv_str_of(mistakes[i])),
		    "and so does the schema");
		loaded_finish(&loaded);
	}
}

/* The part of the schema that a dotted name leads to. */
static const json_t *part_of(const json_t *schema, const char *name)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(name));
	struct pv_buf part;
	pv_buf_init(&part, 256);
	while (!pv_reader_is_end(&reader) && schema) {
		struct pv_str key = pv_reader_take_until(&reader, '.');
		const json_t *forms = json_object_get(schema, "anyOf");
		if (forms)
			schema = json_array_get(forms, 0);
		pv_buf_clear(&part);
		pv_buf_append(&part, key);
		schema = json_object_get(
		    json_object_get(schema, "properties"), pv_buf_text(&part));
		pv_reader_accept(&reader, '.');
	}
	pv_buf_finish(&part);
	return schema;
}

static void test_keys(const json_t *schema)
{
	const json_t *entry =
	    json_object_get(part_of(schema, "domains"), "additionalProperties");
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		const char *name = pv_option_name(option, &pv_names_of_policy);
		const char *own = pv_option_name(option, &pv_names_of_domain);
		const json_t *part = name ? part_of(schema, name) : NULL;
		const char *sentence =
		    json_string_value(json_object_get(part, "description"));
		ok(!name ||
			(sentence && strcmp(sentence, option->sentence) == 0),
		    "the schema has %s, with its sentence", option->path);
		ok((own && part_of(entry, own)) || !own,
		    "and so has the domain table, if it may stand there");
	}
}

int main(void)
{
	struct pv_buf text;
	json_error_t error;
	struct pv_json *made = pv_schema();
	pv_buf_init(&text, 1 << 20);
	ok(pv_json_write(made, true, &text), "the schema is written");
	pv_json_destroy(made);
	json_t *schema = json_loadb(text.ptr, text.len, 0, &error);
	ok(schema != NULL, "and is valid JSON");
	is_text(
	    pv_str_of(json_string_value(json_object_get(schema, "$schema"))),
	    "http://json-schema.org/draft-07/schema#",
	    "it says which schema it is");
	test_keys(schema);
	test_rights(schema);
	test_mistakes(schema);
	json_decref(schema);
	pv_buf_finish(&text);
	return tap_done();
}
