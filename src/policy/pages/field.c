#include "policy/pages/field.h"

#include "policy/values/date_format.h"
#include "policy/kind.h"
#include "policy/option.h"
#include "policy/pages/each.h"
#include "policy/pages/preset.h"
#include "policy/pages/source.h"
#include "tree/expression.h"

/* The keys of a field; the source reads its own. */

static bool read_type(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	static const char *const types[] = {"text", "html", "integer", "number",
	    "bool", "date", "url", "json", NULL};
	static const struct pv_option option = {
	    .path = "type", .kind = &pv_kind_choice, .choices = types};
	struct pv_field *field = ctx;
	int type;
	if (!pv_kind_choice.read(reading, &option, node, &type))
		return false;
	field->form.type = (enum pv_value_type)type;
	return true;
}

static bool read_decimal(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_field *field = ctx;
	bool is_right = node->kind == PV_NODE_TEXT && node->text.len == 1 &&
			(node->text.ptr[0] == '.' || node->text.ptr[0] == ',');
	if (!is_right)
		return pv_reading_expected(reading, node, "\".\" or \",\"");
	field->form.decimal = node->text.ptr[0];
	return true;
}

static bool read_format(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	static const char expected[] = "a date format such as \"%d.%m.%Y\"";
	struct pv_field *field = ctx;
	size_t offset;
	if (node->kind != PV_NODE_TEXT || !node->text.len)
		return pv_reading_expected(reading, node, expected);
	const char *fault = pv_date_format_fault(node->text, &offset);
	bool is_unknown = fault && strncmp(fault, "unknown", 7) == 0;
	if (is_unknown)
		return pv_source_fail_at(reading, node, offset, "%.*s is %s",
		    PV_STR_ARG(pv_str_head(pv_str_from(node->text, offset), 2)),
		    fault);
	if (fault)
		return pv_source_fail_at(reading, node, offset, "%s", fault);
	field->form.date_format = pv_arena_text(reading->arena, node->text);
	return true;
}

static bool read_zone(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_field *field = ctx;
	field->form.zone = pv_text_read(reading, &pv_rule_zone, node);
	return field->form.zone != NULL;
}

static bool read_bool(const char *name, struct pv_reading *reading,
    const struct pv_node *node, bool *value)
{
	const struct pv_option option = {.path = name, .kind = &pv_kind_bool};
	return pv_kind_bool.read(reading, &option, node, value);
}

static bool read_trim(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_field *field = ctx;
	bool is_trimmed;
	if (!read_bool("trim", reading, node, &is_trimmed))
		return false;
	field->form.is_untrimmed = !is_trimmed;
	return true;
}

static bool read_many(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_field *field = ctx;
	return read_bool("many", reading, node, &field->is_many);
}

static bool read_required(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_field *field = ctx;
	return read_bool("required", reading, node, &field->is_required);
}

static bool read_join(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	static const char expected[] =
	    "the text between two values, such as \"; \"";
	struct pv_field *field = ctx;
	bool is_nothing = !node->text.len && !node->is_quoted;
	if (node->kind != PV_NODE_TEXT || is_nothing)
		return pv_reading_expected(reading, node, expected);
	if (!pv_text_is_meant(reading, node, expected))
		return false;
	field->join = pv_arena_text(reading->arena, node->text);
	return true;
}

static bool read_within(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_field *field = ctx;
	struct pv_field_list within = {0};
	bool is_right = pv_fields_read(reading, node, &within);
	field->fields = within.items;
	field->field_count = within.count;
	for (size_t i = 0; is_right && i < within.count; i++) {
		if (within.items[i].field_count)
			return pv_reading_fail(reading, node,
			    "records within records within a row are too "
			    "deep: a kind of page of its own, which follow "
			    "leads to, may hold them");
	}
	return is_right;
}

static bool read_each(
    struct pv_reading *reading, const struct pv_node *node, void *ctx)
{
	struct pv_field *field = ctx;
	return pv_each_read(reading, node, &field->source);
}

static const struct pv_member_key keys[] = {
    PV_SOURCE_KEYS,
    {"type", read_type},
    {"decimal", read_decimal},
    {"format", read_format},
    {"timezone", read_zone},
    {"trim", read_trim},
    {"many", read_many},
    {"join", read_join},
    {"default", NULL}, /* once the type is known */
    {"required", read_required},
    {"each", read_each},
    {"fields", read_within},
};

static const struct pv_member_table table = {keys, sizeof(keys) / sizeof(*keys),
    "a field has css, xpath, json, regex, meta, header or url, and may have "
    "type, many, join, default, required, trim, decimal, format and timezone; "
    "or it has each and fields"};

/* What goes with what */

static bool needs(struct pv_reading *reading, const struct pv_node *map,
    const char *key, bool has_what_it_needs, const char *sentence)
{
	if (has_what_it_needs || !pv_member_find(map, key))
		return true;
	return pv_member_fail(reading, map, key, sentence);
}

static bool check_form(struct pv_reading *reading, const struct pv_node *map,
    const struct pv_field *field)
{
	enum pv_value_type type = field->form.type;
	bool is_number = type == PV_VALUE_NUMBER || type == PV_VALUE_INTEGER;
	bool is_date = type == PV_VALUE_DATE;
	bool has_default = pv_member_find(map, "default") != NULL;
	return needs(reading, map, "decimal", is_number,
		   "decimal belongs to type: number or integer") &&
	       needs(reading, map, "format", is_date,
		   "format belongs to type: date") &&
	       needs(reading, map, "timezone", is_date,
		   "timezone belongs to type: date") &&
	       needs(reading, map, "trim", type == PV_VALUE_TEXT,
		   "trim belongs to type: text: write that beside it, or "
		   "leave trim out") &&
	       needs(reading, map, "join", field->is_many,
		   "join belongs to many: true; it stands between the values "
		   "in CSV") &&
	       needs(reading, map, "required",
		   !field->is_required || !has_default,
		   "a field with a default always has a value: leave out "
		   "required or default");
}

static bool check_source(struct pv_reading *reading, const struct pv_node *map,
    const struct pv_field *field)
{
	if (field->form.type != PV_VALUE_HTML)
		return true;
	if (!field->source.expression)
		return pv_member_fail(reading, map, "type",
		    "html is written of an element: it needs css or xpath");
	if (!pv_expression_finds_elements(field->source.expression))
		return pv_member_fail(reading, map, "type",
		    "html is written of an element, and this finds texts: let "
		    "the selector or path end with the element");
	return true;
}

/* Of records within only these keys are anything. */
static bool check_records(struct pv_reading *reading, const struct pv_node *map)
{
	static const char *const taken[] = {"each", "fields", "required"};
	for (const struct pv_node *node = map->first; node; node = node->next) {
		bool is_taken = false;
		for (size_t i = 0; i < 3; i++)
			is_taken |=
			    pv_str_equal(node->key, pv_str_of(taken[i]));
		if (!is_taken)
			return pv_member_fail(reading, map, node->key.ptr,
			    "a field with records has each and fields, and "
			    "may have required; leave this key out");
	}
	if (!pv_member_find(map, "fields"))
		return pv_reading_fail(reading, map,
		    "each gives records: say their fields, {each: .review, "
		    "fields: {by: .author}}");
	return true;
}

static bool read_map(struct pv_reading *reading, const struct pv_node *node,
    struct pv_field *field)
{
	size_t sources = pv_source_count(node);
	bool has_records = pv_member_find(node, "each") != NULL;
	if (!pv_members_read(reading, node, &table, field))
		return false;
	if (has_records)
		return check_records(reading, node);
	if (pv_member_find(node, "fields"))
		return pv_reading_fail(reading, node,
		    "fields within a field need each: {each: .review, fields: "
		    "{by: .author}}");
	if (sources != 1)
		return pv_source_fail_count(reading, node,
		    "css, xpath, json, regex, meta, header or url");
	if (!pv_source_read(reading, node, &field->source))
		return false;
	/* JSON has types of its own. */
	if (field->source.kind == PV_SOURCE_JSON && !field->source.regex &&
	    !pv_member_find(node, "type"))
		field->form.type = PV_VALUE_JSON;
	return check_source(reading, node, field) &&
	       check_form(reading, node, field) &&
	       pv_preset_read(reading, pv_member_find(node, "default"), field);
}

static bool read_field(struct pv_reading *reading, const struct pv_node *node,
    struct pv_field *field)
{
	field->name = pv_arena_text(reading->arena, node->key);
	field->origin = pv_reading_origin_of_key(reading, node);
	field->form.decimal = '.';
	field->join = "\n";
	if (!pv_member_name_is_right(node->key)) {
		pv_reading_fail_key(reading, node,
		    "a field's name is a letter and then letters, digits, - "
		    "and _, at most 63");
		return false;
	}
	if (node->kind == PV_NODE_TEXT)
		return pv_source_read_css(reading, node, &field->source);
	if (node->kind == PV_NODE_MAP && node->first)
		return read_map(reading, node, field);
	return pv_reading_expected(reading, node,
	    "a CSS selector, or a mapping such as {css: .price, type: number}");
}

/* Tables and files make no difference between a and A. */
static bool is_new_name(struct pv_reading *reading,
    const struct pv_field_list *fields, const struct pv_node *node)
{
	for (size_t i = 0; i < fields->count; i++) {
		const char *name = fields->items[i].name;
		if (!pv_str_equal_nocase(node->key, pv_str_of(name)))
			continue;
		pv_reading_fail_key(reading, node,
		    "this name is already here, as %s: files and tables make "
		    "no difference between capitals and small letters",
		    name);
		return false;
	}
	return true;
}

bool pv_fields_read(struct pv_reading *reading, const struct pv_node *node,
    struct pv_field_list *fields)
{
	size_t count = pv_node_count(node);
	bool is_right = true;
	if (node->kind != PV_NODE_MAP || !count)
		return pv_reading_expected(reading, node,
		    "names with a field each, such as {title: h1}");
	if (count > PV_FIELDS_MAX)
		return pv_reading_fail(reading, node,
		    "at most %d fields are allowed; there are %zu",
		    PV_FIELDS_MAX, count);
	fields->items =
	    pv_arena_give_array(reading->arena, count, sizeof(*fields->items));
	for (const struct pv_node *one = node->first; one; one = one->next) {
		size_t mark = pv_reading_enter(reading, one->key);
		bool is_new = is_new_name(reading, fields, one);
		is_right =
		    read_field(reading, one, &fields->items[fields->count++]) &&
		    is_right && is_new;
		pv_reading_leave(reading, mark);
	}
	return is_right;
}

void pv_fields_finish(struct pv_field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		pv_source_finish(&fields[i].source);
		pv_fields_finish(fields[i].fields, fields[i].field_count);
	}
}
