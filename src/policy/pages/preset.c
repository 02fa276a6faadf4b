#include "policy/pages/preset.h"

#include "base/json/json.h"
#include "base/json/json_page.h"
#include "base/pattern/pattern.h"

#define JSON_MAX ((size_t)1 << 16)

static const char *const expected[PV_VALUE_TYPE_COUNT] = {
    [PV_VALUE_TEXT] = "a text",
    [PV_VALUE_HTML] = "a text",
    [PV_VALUE_INTEGER] = "a whole number",
    [PV_VALUE_NUMBER] = "a number, with a point",
    [PV_VALUE_BOOL] = "true or false",
    [PV_VALUE_DATE] = "a date such as 2026-01-31 or 2026-01-31T09:00:00Z",
    [PV_VALUE_URL] = "an address",
    [PV_VALUE_JSON] = "JSON in quotes",
};

static bool is_bare(enum pv_value_type type)
{
	return type == PV_VALUE_INTEGER || type == PV_VALUE_NUMBER ||
	       type == PV_VALUE_BOOL || type == PV_VALUE_JSON;
}

/* Whether it is, as it stands, JSON of that type. */
static bool is_right(struct pv_str text, enum pv_value_type type)
{
	struct pv_json *value = pv_json_read_page(text);
	char first = text.len ? text.ptr[0] : '\0';
	bool is_number =
	    value && (first == '-' || (first >= '0' && first <= '9'));
	bool has_part = false;
	for (size_t i = 0; i < text.len; i++)
		has_part |= text.ptr[i] == '.' || text.ptr[i] == 'e' ||
			    text.ptr[i] == 'E';
	pv_json_destroy(value);
	switch (type) {
	case PV_VALUE_INTEGER:
		return is_number && !has_part;
	case PV_VALUE_NUMBER:
		return is_number;
	case PV_VALUE_BOOL:
		return pv_str_equal(text, PV_STR("true")) ||
		       pv_str_equal(text, PV_STR("false"));
	default:
		return value != NULL;
	}
}

static bool is_date(struct pv_str text)
{
	struct pv_pattern_fault fault;
	struct pv_pattern *pattern =
	    pv_pattern_create(PV_STR(PV_PRESET_DATE), &fault);
	bool is = pv_pattern_search(pattern, text) == PV_PATTERN_YES;
	pv_pattern_destroy(pattern);
	return is;
}

static const char *in_quotes(struct pv_arena *arena, struct pv_str text)
{
	struct pv_buf buf;
	pv_buf_init(&buf, JSON_MAX);
	pv_json_write_text(text, &buf);
	const char *copy = pv_arena_text(arena, pv_buf_str(&buf));
	pv_buf_finish(&buf);
	return copy;
}

/* Words that are no value, unless they stand in quotes. */
static bool is_nothing(const struct pv_node *node)
{
	static const char *const words[] = {
	    "", "none", "null", "Null", "NULL", "~"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (pv_node_is_word(node, words[i]))
			return true;
	}
	return false;
}

/* Numbers in quotes are texts everywhere in a policy. */
static bool is_kind(const struct pv_node *node, enum pv_value_type type)
{
	if (type == PV_VALUE_DATE)
		return is_date(node->text);
	if (!is_bare(type))
		return true;
	return is_right(node->text, type) &&
	       (!node->is_quoted || type == PV_VALUE_JSON);
}

static bool fail(struct pv_reading *reading, const struct pv_node *node,
    enum pv_value_type type)
{
	struct pv_buf found;
	if (node->kind == PV_NODE_REFUSED)
		return false;
	pv_buf_init(&found, 1024);
	pv_node_describe(node, &found);
	pv_reading_fail(reading, node,
	    "expected %s, since its type is %s, found %s%s", expected[type],
	    pv_value_type_word(type), pv_buf_text(&found),
	    node->is_quoted && is_bare(type) && is_right(node->text, type)
		? ": remove the quotes"
		: "");
	pv_buf_finish(&found);
	return false;
}

static bool read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_field *field)
{
	enum pv_value_type type = field->form.type;
	if (is_nothing(node))
		return pv_reading_fail(reading, node,
		    "a default is a value; without one the field is null: "
		    "leave default out");
	bool is_text =
	    node->kind == PV_NODE_TEXT && node->text.len < JSON_MAX / 8;
	/* What is no JSON as it stands is a text in it. */
	if (is_text && type == PV_VALUE_JSON && !is_right(node->text, type))
		type = PV_VALUE_TEXT;
	if (!is_text || !is_kind(node, type))
		return fail(reading, node, type);
	field->preset = is_bare(type)
			    ? pv_arena_text(reading->arena, node->text)
			    : in_quotes(reading->arena, node->text);
	return true;
}

bool pv_preset_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_field *field)
{
	if (!node)
		return true;
	size_t mark = pv_reading_enter(reading, node->key);
	bool is_read = read(reading, node, field);
	pv_reading_leave(reading, mark);
	return is_read;
}
