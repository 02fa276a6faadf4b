#include "policy/values/schema_part.h"

#include "policy/values/text_rule.h"

struct pv_json *pv_schema_of_type(const char *type)
{
	struct pv_json *schema = pv_json_object();
	pv_json_set_text(schema, "type", type);
	return schema;
}

struct pv_json *pv_schema_of_pattern(const char *pattern)
{
	struct pv_json *schema = pv_schema_of_type("string");
	pv_json_set_text(schema, "pattern", pattern);
	return schema;
}

struct pv_json *pv_schema_of_rule(const struct pv_text_rule *rule)
{
	return rule->schema ? pv_schema_of_pattern(rule->schema)
			    : pv_schema_of_type("string");
}

struct pv_json *pv_schema_of_word(const char *word)
{
	struct pv_json *schema = pv_json_object();
	pv_json_set_text(schema, "const", word);
	return schema;
}

struct pv_json *pv_schema_of_either(struct pv_json *one, struct pv_json *other)
{
	struct pv_json *forms = pv_json_array();
	struct pv_json *schema = pv_json_object();
	pv_json_add(forms, one);
	pv_json_add(forms, other);
	pv_json_set(schema, "anyOf", forms);
	return schema;
}
