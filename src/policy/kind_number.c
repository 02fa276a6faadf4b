#include "policy/kind.h"
#include "policy/option.h"
#include "policy/values/units.h"
#include "policy/values/value.h"

/* Numbers with or without a unit */

static enum pv_unit_kind unit_of(const struct pv_option *option)
{
	if (option->kind == &pv_kind_time)
		return PV_UNIT_TIME;
	if (option->kind == &pv_kind_size)
		return PV_UNIT_SIZE;
	if (option->kind == &pv_kind_bandwidth)
		return PV_UNIT_BANDWIDTH;
	if (option->kind == &pv_kind_share)
		return PV_UNIT_SHARE;
	return PV_UNIT_NONE;
}

static bool refuse_too_fine(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node)
{
	if (option->kind == &pv_kind_time)
		return pv_reading_fail(reading, node,
		    "%.*s is finer than a millisecond", PV_STR_ARG(node->text));
	if (option->kind == &pv_kind_count || option->kind == &pv_kind_share)
		return pv_kind_refuse(reading, option, node);
	return pv_reading_fail(reading, node,
	    "%.*s is not a whole number of bytes", PV_STR_ARG(node->text));
}

static bool read_quantity(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	int64_t number;
	bool is_bare;
	if (node->kind != PV_NODE_TEXT)
		return pv_kind_refuse(reading, option, node);
	if ((option->flags & PV_MAY_BE_NONE) &&
	    pv_str_equal(node->text, PV_STR("none"))) {
		*(int64_t *)field = PV_NONE;
		return true;
	}
	switch (pv_unit_read(unit_of(option), node->text, &number, &is_bare)) {
	case PV_UNIT_RIGHT:
		break;
	case PV_UNIT_TOO_FINE:
		return refuse_too_fine(reading, option, node);
	default:
		return pv_kind_refuse(reading, option, node);
	}
	bool is_right = number >= option->least && number <= option->most &&
			!(is_bare && node->is_quoted);
	if (!is_right)
		return pv_kind_refuse(reading, option, node);
	*(int64_t *)field = number;
	return true;
}

static void write_quantity(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	int64_t number = *(const int64_t *)field;
	if (number == PV_NONE)
		pv_buf_append_text(buf, "none");
	else
		pv_unit_write(unit_of(option), number, buf);
}

/* The bare form, in seconds or bytes, within its range. */
static struct pv_json *schema_bare(const struct pv_option *option)
{
	bool is_time = option->kind == &pv_kind_time;
	struct pv_json *schema =
	    pv_schema_of_type(is_time ? "number" : "integer");
	if (is_time) {
		pv_json_set(schema, "minimum",
		    pv_json_number((double)option->least / 1000));
		pv_json_set(schema, "maximum",
		    pv_json_number((double)option->most / 1000));
	} else {
		pv_json_set(schema, "minimum", pv_json_integer(option->least));
		pv_json_set(schema, "maximum", pv_json_integer(option->most));
	}
	return schema;
}

static struct pv_json *schema_quantity(const struct pv_option *option)
{
	bool has_unit = option->kind != &pv_kind_count;
	bool has_none = (option->flags & PV_MAY_BE_NONE) != 0;
	bool has_bare = option->kind != &pv_kind_share;
	if (!has_unit && !has_none)
		return schema_bare(option);
	struct pv_json *forms = pv_json_array();
	if (has_bare)
		pv_json_add(forms, schema_bare(option));
	if (has_unit)
		pv_json_add(forms,
		    pv_schema_of_pattern(pv_unit_schema(unit_of(option))));
	if (has_none)
		pv_json_add(forms, pv_schema_of_word("none"));
	struct pv_json *schema = pv_json_object();
	pv_json_set(schema, "anyOf", forms);
	return schema;
}

static const char *example_of(const struct pv_option *option)
{
	if (option->kind == &pv_kind_time)
		return ", such as 250ms, 2s, 5m or 1d";
	if (option->kind == &pv_kind_size)
		return ", such as 64KiB or 10MB";
	if (option->kind == &pv_kind_bandwidth)
		return ", such as 500kB/s or 10MB/s";
	if (option->kind == &pv_kind_share)
		return ", such as 20%";
	return "";
}

static void expect_quantity(const struct pv_option *option, struct pv_buf *buf)
{
	enum pv_unit_kind unit = unit_of(option);
	if (option->least == option->most) {
		pv_buf_append_format(buf, "%lld", (long long)option->least);
		return;
	}
	pv_buf_append_format(buf, "%s from ", option->kind->name);
	pv_unit_write(unit, option->least, buf);
	pv_buf_append_text(buf, " to ");
	pv_unit_write(unit, option->most, buf);
	pv_buf_append_text(buf, example_of(option));
}

#define QUANTITY(kind_name)                                           \
	{                                                             \
		.name = (kind_name), .size = sizeof(int64_t),         \
		.read = read_quantity, .write = write_quantity,       \
		.schema = schema_quantity, .expect = expect_quantity, \
	}

const struct pv_kind pv_kind_count = QUANTITY("a whole number");
const struct pv_kind pv_kind_time = QUANTITY("a time");
const struct pv_kind pv_kind_size = QUANTITY("a size");
const struct pv_kind pv_kind_bandwidth = QUANTITY("a bandwidth");
const struct pv_kind pv_kind_share = QUANTITY("a share");

/* number */

static bool read_number(struct pv_reading *reading,
    const struct pv_option *option, const struct pv_node *node, void *field)
{
	double number;
	if (node->kind != PV_NODE_TEXT || node->is_quoted ||
	    !pv_decimal_read(node->text, &number) ||
	    number < (double)option->least || number > (double)option->most)
		return pv_kind_refuse(reading, option, node);
	*(double *)field = number;
	return true;
}

static void write_number(
    const struct pv_option *option, const void *field, struct pv_buf *buf)
{
	(void)option;
	pv_decimal_write(*(const double *)field, buf);
}

static struct pv_json *schema_number(const struct pv_option *option)
{
	struct pv_json *schema = pv_schema_of_type("number");
	pv_json_set(schema, "minimum", pv_json_integer(option->least));
	pv_json_set(schema, "maximum", pv_json_integer(option->most));
	return schema;
}

static void expect_number(const struct pv_option *option, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "a number from %lld to %lld, such as 1.5",
	    (long long)option->least, (long long)option->most);
}

const struct pv_kind pv_kind_number = {
    .name = "a number",
    .size = sizeof(double),
    .read = read_number,
    .write = write_number,
    .schema = schema_number,
    .expect = expect_number,
};
