#include "policy/pages/field_schema.h"

#include "policy/document/members.h"
#include "policy/option.h"
#include "policy/pages.h"
#include "policy/pages/preset.h"
#include "policy/pages/schema_term.h"
#include "policy/pages/source_schema.h"

struct pv_json *pv_names_schema(struct pv_json *value, int64_t most)
{
	struct pv_json *schema = pv_schema_of_type("object");
	pv_json_set(schema, "propertyNames",
	    pv_schema_of_pattern(PV_MEMBER_NAME_SCHEMA));
	pv_json_set(schema, "additionalProperties", value);
	pv_json_set(schema, "minProperties", pv_json_integer(1));
	pv_json_set(schema, "maxProperties", pv_json_integer(most));
	return schema;
}

/* The keys of a value */

static struct pv_json *any_value(void)
{
	struct pv_json *schema = pv_json_object();
	struct pv_json *types = pv_json_array();
	pv_json_add_text(types, "string");
	pv_json_add_text(types, "number");
	pv_json_add_text(types, "boolean");
	pv_json_set(schema, "type", types);
	return schema;
}

static void add_keys(struct pv_json *members)
{
	static const char *const types[] = {"text", "html", "integer", "number",
	    "bool", "date", "url", "json", NULL};
	static const char *const decimals[] = {".", ",", NULL};
	static const char *const bools[] = {"trim", "many", "required"};
	pv_json_set(members, "type", pv_term_choice(types));
	pv_json_set(members, "decimal", pv_term_choice(decimals));
	pv_json_set(members, "format", pv_term_text());
	pv_json_set(members, "timezone", pv_schema_of_rule(&pv_rule_zone));
	for (size_t i = 0; i < sizeof(bools) / sizeof(*bools); i++)
		pv_json_set(members, bools[i], pv_schema_of_type("boolean"));
	pv_json_set(members, "join", pv_schema_of_type("string"));
	pv_json_set(members, "default", any_value());
}

/* JSON that is not turned into a text has a type of its own. */
static struct pv_json *is_bare_json(void)
{
	struct pv_json *all = pv_json_array();
	struct pv_json *schema = pv_json_object();
	pv_json_add(all, pv_term_has("json"));
	pv_json_add(all, pv_term_not(pv_term_has("regex")));
	pv_json_add(all, pv_term_not(pv_term_has("type")));
	pv_json_set(schema, "allOf", all);
	return schema;
}

static struct pv_json *is_text(void)
{
	return pv_schema_of_either(pv_term_is_word("type", "text"),
	    pv_term_not(
		pv_schema_of_either(pv_term_has("type"), is_bare_json())));
}

static struct pv_json *is_number(void)
{
	return pv_schema_of_either(pv_term_is_word("type", "integer"),
	    pv_term_is_word("type", "number"));
}

static void add_terms_of_types(struct pv_json *terms)
{
	pv_term_add(terms, pv_term_has("decimal"), is_number());
	pv_term_add(
	    terms, pv_term_has("format"), pv_term_is_word("type", "date"));
	pv_term_add(
	    terms, pv_term_has("timezone"), pv_term_is_word("type", "date"));
	pv_term_add(terms, pv_term_has("trim"), is_text());
	pv_term_add(terms, pv_term_has("join"), pv_term_is_true("many"));
	pv_term_add(terms, pv_term_is_true("required"),
	    pv_term_not(pv_term_has("default")));
	pv_term_add(terms, pv_term_is_word("type", "html"),
	    pv_schema_of_either(pv_term_has("css"), pv_term_has("xpath")));
}

static void add_terms_of_presets(struct pv_json *terms)
{
	static const struct {
		const char *type;
		const char *preset;
	} kinds[] = {
	    {"integer", "integer"}, {"number", "number"}, {"bool", "boolean"}};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		pv_term_add(terms, pv_term_is_word("type", kinds[i].type),
		    pv_term_may_be(
			"default", pv_schema_of_type(kinds[i].preset)));
	pv_term_add(terms, pv_term_is_word("type", "date"),
	    pv_term_may_be("default", pv_schema_of_pattern(PV_PRESET_DATE)));
}

static struct pv_json *value_schema(void)
{
	struct pv_json *members = pv_json_object();
	struct pv_json *terms = pv_json_array();
	pv_source_schema(PV_SOURCE_OF_VALUES, members, terms);
	add_keys(members);
	add_terms_of_types(terms);
	add_terms_of_presets(terms);
	return pv_term_object(members, terms);
}

/* Records */

struct pv_json *pv_each_schema(void)
{
	struct pv_json *members = pv_json_object();
	struct pv_json *terms = pv_json_array();
	pv_source_schema(PV_SOURCE_OF_ELEMENTS, members, terms);
	return pv_schema_of_either(
	    pv_term_text(), pv_term_object(members, terms));
}

static struct pv_json *fields_schema(struct pv_json *records)
{
	struct pv_json *field =
	    pv_schema_of_either(pv_term_text(), value_schema());
	if (records)
		field = pv_schema_of_either(field, records);
	return pv_names_schema(field, PV_FIELDS_MAX);
}

static struct pv_json *records_schema(void)
{
	struct pv_json *members = pv_json_object();
	struct pv_json *terms = pv_json_array();
	pv_json_set(members, "each", pv_each_schema());
	pv_json_set(members, "fields", fields_schema(NULL));
	pv_json_set(members, "required", pv_schema_of_type("boolean"));
	pv_json_add(terms, pv_term_has("each"));
	pv_json_add(terms, pv_term_has("fields"));
	return pv_term_object(members, terms);
}

struct pv_json *pv_fields_schema(void)
{
	return fields_schema(records_schema());
}
