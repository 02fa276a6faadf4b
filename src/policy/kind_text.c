#include "policy/kind.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/option.h"
#include "policy/policy.h"
#include "policy/values/user_form.h"
#include "policy/yaml_text.h"

/* Texts and lists of texts, held against their rules
 * (policy/values/text_rule.h). */

#define TEXT_BYTES_MAX ((size_t)8192)

/* Reads one text by a rule; NULL where it has told a problem. */
static const char *read_by_rule(struct pv_reading *reading,
    const struct pv_text_rule *rule, const struct pv_node *node,
    struct pv_str text)
{
	struct pv_buf kept;
	pv_buf_init(&kept, TEXT_BYTES_MAX);
	const char *fault = text.len > TEXT_BYTES_MAX / 4
				? "this text is too long"
				: rule->read(text, &kept);
	const char *copy = NULL;
	if (!fault)
		copy = pv_arena_text(reading->arena, pv_buf_str(&kept));
	else if (fault[0])
		pv_reading_fail(reading, node, "%s", fault);
	else
		pv_reading_expected(reading, node, rule->expected);
	pv_buf_finish(&kept);
	return copy;
}

bool pv_text_is_meant(struct pv_reading *reading, const struct pv_node *node,
    const char *expected)
{
	if (node->is_quoted || !node->text.len || pv_word_is_text(node->text))
		return true;
	if (pv_node_is_word(node, "none"))
		return pv_reading_expected(reading, node, expected);
	return pv_reading_fail(reading, node,
	    "%.*s is not a text in YAML: quote it, \"%.*s\"",
	    PV_STR_ARG(node->text), PV_STR_ARG(node->text));
}

const char *pv_text_read(struct pv_reading *reading,
    const struct pv_text_rule *rule, const struct pv_node *node)
{
	if (node->kind != PV_NODE_TEXT) {
		pv_reading_expected(reading, node, rule->expected);
		return NULL;
	}
	if (!pv_text_is_meant(reading, node, rule->expected))
		return NULL;
	return read_by_rule(reading, rule, node, node->text);
}

/* text */

static bool read_text(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	const char *text = NULL;
	bool is_none =
	    (option->flags & PV_MAY_BE_NONE) && pv_node_is_word(node, "none");
	if (!is_none)
		text = pv_text_read(reading, option->rule, node);
	if (!is_none && !text)
		return false;
	*(const char **)field = text;
	return true;
}

static void write_text(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	const char *text = *(const char *const *)field;
	(void)option;
	if (text)
		pv_yaml_text_append(pv_str_of(text), buf);
	else
		pv_buf_append_text(buf, "none");
}

static struct pv_json *schema_text(const struct pv_option *option)
{
	struct pv_json *text = pv_schema_of_rule(option->rule);
	if (!(option->flags & PV_MAY_BE_NONE))
		return text;
	return pv_schema_of_either(text, pv_schema_of_word("none"));
}

static void expect_text(const struct pv_option *option, struct pv_buf *buf)
{
	pv_buf_append_text(buf, option->rule->expected);
}

const struct pv_kind pv_kind_text = {
    .name = "a text",
    .size = sizeof(const char *),
    .read = read_text,
    .write = write_text,
    .schema = schema_text,
    .expect = expect_text,
};

/* file */

const char *pv_file_name_read(
    struct pv_reading *reading, const struct pv_node *node)
{
	if (reading->is_guest) {
		pv_reading_fail(reading, node,
		    "a policy that is handed in may not name files");
		return NULL;
	}
	const char *text = pv_text_read(reading, &pv_rule_file, node);
	if (!text)
		return NULL;
	const char *path = text[0] == '/' || !reading->directory[0]
			       ? text
			       : pv_arena_format(reading->arena, "%s/%s",
				     reading->directory, text);
	struct stat info;
	if (stat(path, &info) != 0 || access(path, R_OK) != 0) {
		pv_reading_fail(reading, node, "%s cannot be read: %s", path,
		    strerror(errno));
		return NULL;
	}
	if (!S_ISREG(info.st_mode)) {
		/* A pipe can be read but once, and /dev/zero has no end. */
		pv_reading_fail(reading, node, "%s is %s", path,
		    S_ISDIR(info.st_mode) ? "a directory"
					  : "not a regular file");
		return NULL;
	}
	return path;
}

static bool read_file(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	const char *path = NULL;
	bool is_none =
	    (option->flags & PV_MAY_BE_NONE) && pv_node_is_word(node, "none");
	if (!is_none && !(path = pv_file_name_read(reading, node)))
		return false;
	*(const char **)field = path;
	return true;
}

const struct pv_kind pv_kind_file = {
    .name = "a file",
    .size = sizeof(const char *),
    .read = read_file,
    .write = write_text,
    .schema = schema_text,
    .expect = expect_text,
};

/* user */

/* The text with the absolute path of its file; NULL, and a problem told, where
 * that cannot be read. What stands there may be a secret in the wrong place, so
 * it is not quoted. */
static const char *with_file(
    struct pv_reading *reading, const struct pv_node *node, const char *text)
{
	struct pv_user_form form;
	pv_user_form_read(pv_str_of(text), &form);
	if (!form.file.len)
		return text;
	bool is_bare = form.file.ptr[0] == '/' || !reading->directory[0];
	const char *path = pv_arena_format(reading->arena, "%s%s%.*s",
	    is_bare ? "" : reading->directory, is_bare ? "" : "/",
	    PV_STR_ARG(form.file));
	size_t word = pv_str_find(pv_str_of(text), ' ');
	struct stat info;
	if (stat(path, &info) != 0 || access(path, R_OK) != 0) {
		pv_reading_fail(reading, node, "its file cannot be read: %s",
		    strerror(errno));
		return NULL;
	}
	return pv_arena_format(
	    reading->arena, "%.*s %s", (int)word, text, path);
}

static bool read_user(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	const char *text = NULL;
	bool is_none = pv_node_is_word(node, "none");
	if (!is_none)
		text = pv_text_read(reading, option->rule, node);
	if (text)
		text = with_file(reading, node, text);
	if (!is_none && !text)
		return false;
	*(const char **)field = text;
	return true;
}

const struct pv_kind pv_kind_user = {
    .name = "a user",
    .size = sizeof(const char *),
    .read = read_user,
    .write = write_text,
    .schema = schema_text,
    .expect = expect_text,
};

/* texts */

bool pv_items_fit(struct pv_reading *reading, const struct pv_option *option,
    const struct pv_node *node, size_t count)
{
	if (count < (size_t)option->least)
		return pv_kind_refuse(reading, option, node);
	if (count <= (size_t)option->most)
		return true;
	return pv_reading_fail(reading, node,
	    "at most %lld items are allowed; there are %zu",
	    (long long)option->most, count);
}

bool pv_texts_read(struct pv_reading *reading, const struct pv_option *option,
    const struct pv_node *node, struct pv_texts *texts)
{
	struct pv_texts read = {0};
	if (node->kind != PV_NODE_TEXT && node->kind != PV_NODE_LIST)
		return pv_kind_refuse(reading, option, node);
	bool is_list = node->kind == PV_NODE_LIST;
	size_t count = is_list ? pv_node_count(node) : 1;
	if (!pv_items_fit(reading, option, node, count))
		return false;
	bool is_right = true;
	read.items =
	    pv_arena_give_array(reading->arena, count, sizeof(*read.items));
	for (const struct pv_node *item = is_list ? node->first : node; item;
	     item = is_list ? item->next : NULL) {
		const char *text = pv_text_read(reading, option->rule, item);
		is_right = is_right && text;
		read.items[read.count++] = text;
	}
	if (is_right)
		*texts = read;
	return is_right;
}

void pv_texts_write(const struct pv_texts *texts, struct pv_buf *buf)
{
	pv_buf_append_char(buf, '[');
	for (size_t i = 0; i < texts->count; i++) {
		pv_buf_append_text(buf, i ? ", " : "");
		pv_yaml_text_append(pv_str_of(texts->items[i]), buf);
	}
	pv_buf_append_char(buf, ']');
}

static bool read_texts(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	return pv_texts_read(reading, option, node, field);
}

static void write_texts(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	pv_texts_write(field, buf);
}

static struct pv_json *schema_texts(const struct pv_option *option)
{
	struct pv_json *list = pv_schema_of_type("array");
	pv_json_set(list, "minItems", pv_json_integer(option->least));
	pv_json_set(list, "maxItems", pv_json_integer(option->most));
	pv_json_set(list, "items", pv_schema_of_rule(option->rule));
	return pv_schema_of_either(list, pv_schema_of_rule(option->rule));
}

static void expect_texts(const struct pv_option *option, struct pv_buf *buf)
{
	pv_buf_append_format(
	    buf, "a list, each item %s", option->rule->expected);
}

const struct pv_kind pv_kind_texts = {
    .name = "a list",
    .size = sizeof(struct pv_texts),
    .read = read_texts,
    .write = write_texts,
    .schema = schema_texts,
    .expect = expect_texts,
};

/* proxies */

static bool read_proxies(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	if (!pv_node_is_word(node, "none"))
		return pv_texts_read(reading, option, node, field);
	*(struct pv_texts *)field = (struct pv_texts){.count = 0};
	return true;
}

static void write_proxies(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	const struct pv_texts *texts = field;
	(void)option;
	if (!texts->count)
		pv_buf_append_text(buf, "none");
	else if (texts->count == 1)
		pv_yaml_text_append(pv_str_of(texts->items[0]), buf);
	else
		pv_texts_write(texts, buf);
}

static struct pv_json *schema_proxies(const struct pv_option *option)
{
	return pv_schema_of_either(
	    schema_texts(option), pv_schema_of_word("none"));
}

static void expect_proxies(const struct pv_option *option, struct pv_buf *buf)
{
	pv_buf_append_format(
	    buf, "%s, or a list of them", option->rule->expected);
}

const struct pv_kind pv_kind_proxies = {
    .name = "a proxy or a list",
    .size = sizeof(struct pv_texts),
    .read = read_proxies,
    .write = write_proxies,
    .schema = schema_proxies,
    .expect = expect_proxies,
};
