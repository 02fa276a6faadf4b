#include "policy/seeds.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "policy/document/members.h"
#include "policy/kind.h"
#include "policy/option.h"
#include "policy/values/host_pattern.h"
#include "policy/values/value.h"
#include "policy/yaml_text.h"
#include "url/url.h"

#define SEEDS_MAX 100000
#define QUOTED_MAX 200 /* bytes of an address that a problem repeats */

/* "localhost:8080/x": a name and a port, of which the URL Standard makes a
 * scheme and a path. */
static bool lacks_scheme(struct pv_str text)
{
	size_t at = 0, digits = 0;
	while (at < text.len && text.ptr[at] != ':')
		at++;
	for (at++; at < text.len && pv_is_digit(text.ptr[at]); at++)
		digits++;
	return digits && (at == text.len || text.ptr[at] == '/');
}

const char *pv_seed_parse(struct pv_url *url, struct pv_str text)
{
	switch (pv_url_parse(url, text)) {
	case PV_URL_OK:
		return NULL;
	case PV_URL_FOREIGN_SCHEME:
		return lacks_scheme(text)
			   ? "this address has no scheme: write http:// or "
			     "https:// before it"
			   : "this is not an http or https address";
	case PV_URL_TOO_LONG:
		return "this address is longer than 65536 bytes";
	default:
		break;
	}
	bool has_scheme = pv_str_starts(text, PV_STR("http:")) ||
			  pv_str_starts(text, PV_STR("https:"));
	return has_scheme ? "this address has no host"
			  : "expected a whole address such as "
			    "https://example.org/, scheme included";
}

/* The first address of a template stands for all of them here. */
static const char *fault_of_first(const struct pv_template *template)
{
	struct pv_buf first;
	struct pv_url url;
	pv_buf_init(&first, PV_SEED_ADDRESS_MAX);
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	pv_template_write(template, 0, &first);
	const char *fault = first.is_full
				? "this address is longer than 65536 bytes"
				: pv_seed_parse(&url, pv_buf_str(&first));
	pv_url_finish(&url);
	pv_buf_finish(&first);
	return fault;
}

/* What was probably meant by an address that only lacks its scheme; NULL. */
static const char *with_scheme(struct pv_str text, struct pv_arena *arena)
{
	size_t colon = pv_str_find(text, ':');
	struct pv_address address;
	if (text.len > QUOTED_MAX || !lacks_scheme(text))
		return NULL;
	struct pv_str host = pv_str_head(text, colon);
	bool is_local =
	    pv_host_name_is_local(host) || pv_address_read(host, &address);
	bool has_path = pv_str_find(text, '/') != PV_NOT_FOUND;
	return pv_arena_format(arena,
	    "this address has no scheme: did you mean %s://%.*s%s?",
	    is_local ? "http" : "https", PV_STR_ARG(text), has_path ? "" : "/");
}

const char *pv_seed_read_address(
    struct pv_str text, struct pv_arena *arena, struct pv_seed *seed)
{
	*seed = (struct pv_seed){.kind = seed->kind, .depth = PV_NONE};
	if (pv_utf8_find_invalid(text) != PV_NOT_FOUND)
		return "this address is not UTF-8: write bytes that are not "
		       "ASCII as %E9";
	const char *fault = pv_template_read(text, arena, &seed->address);
	if (!fault)
		fault = fault_of_first(&seed->address);
	const char *meant = fault ? with_scheme(text, arena) : NULL;
	seed->text = pv_arena_text(arena, text);
	return meant ? meant : fault;
}

static bool read_address(struct pv_reading *reading, const struct pv_node *node,
    struct pv_seed *seed)
{
	struct pv_seed read = {.kind = seed->kind};
	if (node->kind != PV_NODE_TEXT || !node->text.len)
		return pv_reading_expected(
		    reading, node, "an address such as https://example.org/");
	const char *fault =
	    pv_seed_read_address(node->text, reading->arena, &read);
	if (fault)
		return pv_reading_fail(reading, node, "%.*s: %s",
		    node->text.len > QUOTED_MAX ? QUOTED_MAX
						: (int)node->text.len,
		    node->text.ptr, fault);
	seed->text = read.text;
	seed->address = read.address;
	return true;
}

/* The keys of a seed that is written as a mapping. */

static bool read_url(struct pv_reading *reading, const struct pv_node *node,
    struct pv_seed *seed)
{
	seed->kind = PV_SEED_PAGE;
	return read_address(reading, node, seed);
}

static bool read_sitemap(struct pv_reading *reading, const struct pv_node *node,
    struct pv_seed *seed)
{
	seed->kind = PV_SEED_SITEMAP;
	return read_address(reading, node, seed);
}

/* Until somebody reads it, the standard input has no address. */
static bool read_file(struct pv_reading *reading, const struct pv_node *node,
    struct pv_seed *seed)
{
	seed->kind = PV_SEED_FILE;
	seed->is_input = !reading->is_guest && node->kind == PV_NODE_TEXT &&
			 pv_str_equal(node->text, PV_STR("-"));
	seed->text =
	    seed->is_input ? "/dev/null" : pv_file_name_read(reading, node);
	return seed->text != NULL;
}

/* Depth and tag are options like any other, only not in the table. */
static const struct pv_option depth_option = {
    .path = "depth",
    .kind = &pv_kind_count,
    .most = 1000000,
    .flags = PV_MAY_BE_NONE,
};

static bool read_depth(struct pv_reading *reading, const struct pv_node *node,
    struct pv_seed *seed)
{
	return pv_kind_count.read(reading, &depth_option, node, &seed->depth);
}

static bool read_tag(struct pv_reading *reading, const struct pv_node *node,
    struct pv_seed *seed)
{
	seed->tag = pv_text_read(reading, &pv_rule_tag, node);
	return seed->tag != NULL;
}

/* Whether there is such a kind is known when all keys are read. */
static bool read_as(struct pv_reading *reading, const struct pv_node *node,
    struct pv_seed *seed)
{
	if (node->kind != PV_NODE_TEXT || !pv_member_name_is_right(node->text))
		return pv_reading_expected(
		    reading, node, "the name of a kind of page");
	if (!pv_text_is_meant(reading, node, "the name of a kind of page"))
		return false;
	seed->as = pv_arena_text(reading->arena, node->text);
	return true;
}

static const struct {
	const char *name;
	bool is_place; /* says where to begin: exactly one does */
	bool (*read)(
	    struct pv_reading *, const struct pv_node *, struct pv_seed *);
} keys[] = {
    {"url", true, read_url},
    {"sitemap", true, read_sitemap},
    {"file", true, read_file},
    {"depth", false, read_depth},
    {"tag", false, read_tag},
    {"as", false, read_as},
};

#define KEY_COUNT (sizeof(keys) / sizeof(*keys))

static bool read_key(struct pv_reading *reading, const struct pv_node *node,
    struct pv_seed *seed, size_t *places)
{
	size_t mark = pv_reading_enter(reading, node->key);
	bool is_right = false;
	size_t i = 0;
	while (
	    i < KEY_COUNT && !pv_str_equal(node->key, pv_str_of(keys[i].name)))
		i++;
	if (i < KEY_COUNT) {
		*places += keys[i].is_place;
		is_right = keys[i].read(reading, node, seed);
	} else {
		pv_reading_fail_key(reading, node,
		    "unknown key: a seed has url, sitemap or file, and may "
		    "have depth, tag and as");
	}
	pv_reading_leave(reading, mark);
	return is_right;
}

static bool read_seed(struct pv_reading *reading, const struct pv_node *node,
    struct pv_seed *seed)
{
	*seed = (struct pv_seed){
	    .depth = PV_NONE,
	    .origin = pv_reading_origin(reading, node),
	};
	if (node->kind == PV_NODE_TEXT)
		return read_address(reading, node, seed);
	if (node->kind != PV_NODE_MAP)
		return pv_reading_expected(reading, node,
		    "an address, or a mapping such as {url: "
		    "https://example.org/, depth: 0}");
	bool is_right = true;
	size_t places = 0;
	for (const struct pv_node *child = node->first; child;
	     child = child->next)
		is_right = read_key(reading, child, seed, &places) && is_right;
	if (places != 1)
		return pv_reading_fail(reading, node,
		    "a seed has one of url, sitemap and file; this one has %zu",
		    places);
	return is_right;
}

static bool read_seeds(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	struct pv_seeds read = {0};
	bool is_right = true;
	if (node->kind != PV_NODE_LIST)
		return pv_kind_refuse(reading, option, node);
	size_t count = pv_node_count(node);
	if (count > SEEDS_MAX)
		return pv_reading_fail(reading, node,
		    "more than %d seeds: write them into a file, {file: "
		    "seeds.txt}",
		    SEEDS_MAX);
	read.items =
	    pv_arena_give_array(reading->arena, count, sizeof(*read.items));
	for (const struct pv_node *item = node->first; item; item = item->next)
		is_right =
		    read_seed(reading, item, &read.items[read.count++]) &&
		    is_right;
	if (is_right)
		*(struct pv_seeds *)field = read;
	return is_right;
}

static void write_seeds(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	(void)field;
	pv_buf_append_text(buf, "[]");
}

static bool has_seeds(const void *field)
{
	return ((const struct pv_seeds *)field)->count > 0;
}

static void write_seed(const struct pv_seed *seed, struct pv_buf *buf)
{
	static const char *const names[] = {
	    [PV_SEED_PAGE] = "url",
	    [PV_SEED_SITEMAP] = "sitemap",
	    [PV_SEED_FILE] = "file",
	};
	if (seed->kind == PV_SEED_PAGE && seed->depth == PV_NONE &&
	    !seed->tag && !seed->as) {
		pv_yaml_text_append(pv_str_of(seed->text), buf);
		return;
	}
	pv_buf_append_format(buf, "{%s: ", names[seed->kind]);
	pv_yaml_text_append(
	    seed->is_input ? PV_STR("-") : pv_str_of(seed->text), buf);
	if (seed->depth != PV_NONE)
		pv_buf_append_format(
		    buf, ", depth: %lld", (long long)seed->depth);
	if (seed->tag) {
		pv_buf_append_text(buf, ", tag: ");
		pv_yaml_text_append(pv_str_of(seed->tag), buf);
	}
	if (seed->as) {
		pv_buf_append_text(buf, ", as: ");
		pv_yaml_text_append(pv_str_of(seed->as), buf);
	}
	pv_buf_append_char(buf, '}');
}

static void write_seed_lines(const struct pv_option *option, const void *field,
    int indent, struct pv_buf *buf)
{
	const struct pv_seeds *seeds = field;
	(void)option;
	for (size_t i = 0; i < seeds->count; i++) {
		pv_buf_append_format(buf, "%*s- ", indent, "");
		write_seed(&seeds->items[i], buf);
		pv_origin_write_comment(&seeds->items[i].origin, buf);
	}
}

#define ADDRESS_SCHEMA "^[ \t]*[hH][tT][tT][pP][sS]?:[\\/]*[^\\/?# ].*$"

static struct pv_json *schema_seed_map(const char *place, const char *pattern)
{
	struct pv_json *members = pv_json_object();
	struct pv_json *required = pv_json_array();
	struct pv_json *schema = pv_json_object();
	pv_json_set(members, place, pv_schema_of_pattern(pattern));
	pv_json_set(members, "depth", pv_kind_count.schema(&depth_option));
	pv_json_set(members, "tag", pv_schema_of_rule(&pv_rule_tag));
	pv_json_set(members, "as", pv_schema_of_pattern(PV_MEMBER_NAME_SCHEMA));
	pv_json_add_text(required, place);
	pv_json_set_text(schema, "type", "object");
	pv_json_set(schema, "properties", members);
	pv_json_set(schema, "required", required);
	pv_json_set(schema, "additionalProperties", pv_json_bool(false));
	return schema;
}

static struct pv_json *schema_seeds(const struct pv_option *option)
{
	struct pv_json *forms = pv_json_array();
	struct pv_json *item = pv_json_object();
	struct pv_json *schema = pv_json_object();
	(void)option;
	pv_json_add(forms, pv_schema_of_pattern(ADDRESS_SCHEMA));
	pv_json_add(forms, schema_seed_map("url", ADDRESS_SCHEMA));
	pv_json_add(forms, schema_seed_map("sitemap", ADDRESS_SCHEMA));
	pv_json_add(forms, schema_seed_map("file", pv_rule_file.schema));
	pv_json_set(item, "anyOf", forms);
	pv_json_set_text(schema, "type", "array");
	pv_json_set(schema, "maxItems", pv_json_integer(SEEDS_MAX));
	pv_json_set(schema, "items", item);
	return schema;
}

static void expect_seeds(const struct pv_option *option, struct pv_buf *buf)
{
	(void)option;
	pv_buf_append_text(
	    buf, "a list of addresses, such as [https://example.org/]");
}

const struct pv_kind pv_kind_seeds = {
    .name = "a list of seeds",
    .size = sizeof(struct pv_seeds),
    .read = read_seeds,
    .write = write_seeds,
    .has_lines = has_seeds,
    .write_lines = write_seed_lines,
    .schema = schema_seeds,
    .expect = expect_seeds,
};
