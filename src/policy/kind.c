#include "policy/kind.h"

#include "base/address.h"
#include "base/reader.h"
#include "policy/option.h"
#include "policy/values/units.h"
#include "policy/values/value.h"

/* Words that YAML, in one version or another, takes for something else than
 * text: a country's code (no) is the classic. */
static const char *const other_words[] = {"y", "n", "yes", "no", "on", "off",
    "true", "false", "null", "~", "none", NULL};

static bool is_number_like(struct pv_str word)
{
	struct pv_reader reader = pv_reader_of(word);
	struct pv_address address;
	if (pv_address_read(word, &address) && address.bits == 32)
		return false;
	if (!pv_reader_accept(&reader, '-'))
		pv_reader_accept(&reader, '+');
	bool has_point = pv_reader_accept(&reader, '.');
	int first = pv_reader_peek(&reader);
	if (has_point &&
	    (pv_str_equal_nocase(pv_reader_rest(&reader), PV_STR("inf")) ||
		pv_str_equal_nocase(pv_reader_rest(&reader), PV_STR("nan"))))
		return true;
	size_t dots = 0;
	size_t colons = 0;
	size_t dashes = 0;
	if (first < '0' || first > '9')
		return false;
	while (!pv_reader_is_end(&reader)) {
		int byte = pv_reader_next(&reader);
		if (!strchr("0123456789.eE+-_:xXabcdefABCDEF", byte))
			return false;
		dots += byte == '.';
		colons += byte == ':';
		dashes += byte == '-';
	}
	/* 127.0.0.1 and 22:00-06:00 are text to everybody. */
	return dots < 2 && !(colons && dashes);
}

bool pv_word_is_text(struct pv_str word)
{
	for (size_t i = 0; other_words[i]; i++) {
		if (pv_str_equal_nocase(word, pv_str_of(other_words[i])))
			return false;
	}
	return word.len && !is_number_like(word);
}

void pv_kind_expect(const struct pv_option *option, struct pv_buf *buf)
{
	option->kind->expect(option, buf);
	if (option->flags & PV_MAY_BE_NONE)
		pv_buf_append_text(buf, ", or none");
}

/* What to do about a slip that many make; NULL if it is none of those. */
static const char *hint_for(
    const struct pv_option *option, const struct pv_node *node)
{
	bool has_none = (option->flags & PV_MAY_BE_NONE) != 0;
	bool is_zero = pv_node_is_word(node, "0");
	bool is_number =
	    option->kind == &pv_kind_count || option->kind == &pv_kind_number;
	double number;
	if (node->kind != PV_NODE_TEXT)
		return NULL;
	if (is_zero && has_none && option->least > 0)
		return "for no limit write none";
	if (pv_node_is_word(node, "none") && option->kind != &pv_kind_bool)
		return "this key cannot be none";
	if (node->is_quoted && pv_decimal_read(node->text, &number))
		return is_number ? "remove the quotes"
				 : "remove the quotes or add a unit";
	if (option->kind == &pv_kind_bool && !pv_word_is_text(node->text) &&
	    node->text.len && !is_number_like(node->text))
		return "write it as true or false";
	return NULL;
}

bool pv_kind_refuse(struct pv_reading *reading, const struct pv_option *option,
    const struct pv_node *node)
{
	struct pv_buf text;
	if (node->kind == PV_NODE_REFUSED)
		return false;
	pv_buf_init(&text, 1024);
	pv_buf_append_text(&text, "expected ");
	pv_kind_expect(option, &text);
	pv_buf_append_text(&text, ", found ");
	pv_node_describe(node, &text);
	const char *hint = hint_for(option, node);
	pv_reading_fail(reading, node, "%s%s%s", pv_buf_text(&text),
	    hint ? ": " : "", hint ? hint : "");
	pv_buf_finish(&text);
	return false;
}

/* bool */

static bool read_bool(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	bool is_true = pv_node_is_word(node, "true");
	if (!is_true && !pv_node_is_word(node, "false"))
		return pv_kind_refuse(reading, option, node);
	*(bool *)field = is_true;
	return true;
}

static void write_bool(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	pv_buf_append_text(buf, *(const bool *)field ? "true" : "false");
}

static struct pv_json *schema_bool(const struct pv_option *option)
{
	(void)option;
	return pv_schema_of_type("boolean");
}

static void expect_bool(const struct pv_option *option, struct pv_buf *buf)
{
	(void)option;
	pv_buf_append_text(buf, "true or false");
}

static const char *const bool_words[] = {"true", "false", NULL};

const struct pv_kind pv_kind_bool = {
    .name = "true or false",
    .size = sizeof(bool),
    .words = bool_words,
    .read = read_bool,
    .write = write_bool,
    .schema = schema_bool,
    .expect = expect_bool,
};

/* choice */

static bool read_choice(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	for (int i = 0; option->choices[i]; i++) {
		if (node->kind == PV_NODE_TEXT &&
		    pv_str_equal(node->text, pv_str_of(option->choices[i]))) {
			*(int *)field = i;
			return true;
		}
	}
	return pv_kind_refuse(reading, option, node);
}

static void write_choice(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	pv_buf_append_text(buf, option->choices[*(const int *)field]);
}

static struct pv_json *schema_choice(const struct pv_option *option)
{
	struct pv_json *schema = pv_json_object();
	struct pv_json *words = pv_json_array();
	for (size_t i = 0; option->choices[i]; i++)
		pv_json_add_text(words, option->choices[i]);
	pv_json_set(schema, "enum", words);
	return schema;
}

static void expect_choice(const struct pv_option *option, struct pv_buf *buf)
{
	for (size_t i = 0; option->choices[i]; i++) {
		const char *joint = option->choices[i + 1] ? ", " : " or ";
		pv_buf_append_text(buf, i ? joint : "");
		pv_buf_append_text(buf, option->choices[i]);
	}
}

const struct pv_kind pv_kind_choice = {
    .name = "one of",
    .size = sizeof(int),
    .read = read_choice,
    .write = write_choice,
    .schema = schema_choice,
    .expect = expect_choice,
};

/* choices: several of them, as bits in their order */

static int find_choice(
    const struct pv_option *option, const struct pv_node *node)
{
	for (int i = 0; option->choices[i]; i++) {
		if (node->kind == PV_NODE_TEXT &&
		    pv_str_equal(node->text, pv_str_of(option->choices[i])))
			return i;
	}
	return -1;
}

static bool read_choices(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	bool is_list = node->kind == PV_NODE_LIST;
	unsigned chosen = 0;
	for (const struct pv_node *item = is_list ? node->first : node; item;
	     item = is_list ? item->next : NULL) {
		int choice = find_choice(option, item);
		if (choice < 0)
			return pv_kind_refuse(reading, option, item);
		chosen |= 1u << choice;
	}
	if (is_list && !chosen)
		return pv_kind_refuse(reading, option, node);
	*(unsigned *)field = chosen;
	return true;
}

static void write_choices(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	unsigned chosen = *(const unsigned *)field;
	bool is_first = true;
	bool is_list = (chosen & (chosen - 1)) != 0;
	pv_buf_append_text(buf, is_list ? "[" : "");
	for (int i = 0; option->choices[i]; i++) {
		if (!(chosen & 1u << i))
			continue;
		pv_buf_append_text(buf, is_first ? "" : ", ");
		pv_buf_append_text(buf, option->choices[i]);
		is_first = false;
	}
	pv_buf_append_text(buf, is_list ? "]" : "");
}

static struct pv_json *schema_choices(const struct pv_option *option)
{
	struct pv_json *list = pv_schema_of_type("array");
	pv_json_set(list, "items", schema_choice(option));
	pv_json_set(list, "minItems", pv_json_integer(1));
	return pv_schema_of_either(schema_choice(option), list);
}

static void expect_choices(const struct pv_option *option, struct pv_buf *buf)
{
	pv_buf_append_text(buf, "one or more of ");
	expect_choice(option, buf);
}

const struct pv_kind pv_kind_choices = {
    .name = "a list of words",
    .size = sizeof(unsigned),
    .read = read_choices,
    .write = write_choices,
    .schema = schema_choices,
    .expect = expect_choices,
};

/* switch: the keys below it are read by who walks the sections */

static bool read_switch(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	if (!pv_node_is_word(node, "none"))
		return pv_kind_refuse(reading, option, node);
	*(bool *)field = false;
	return true;
}

static void write_switch(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	(void)field;
	pv_buf_append_text(buf, "none");
}

static struct pv_json *schema_switch(const struct pv_option *option)
{
	(void)option;
	return pv_schema_of_word("none");
}

static void expect_switch(const struct pv_option *option, struct pv_buf *buf)
{
	(void)option;
	pv_buf_append_text(buf, "a mapping such as {rewrite: true}");
}

const struct pv_kind pv_kind_switch = {
    .name = "a section",
    .size = sizeof(bool),
    .read = read_switch,
    .write = write_switch,
    .schema = schema_switch,
    .expect = expect_switch,
};
