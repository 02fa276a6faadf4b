#include "policy/pages/schema_term.h"

#include "policy/values/schema_part.h"

struct pv_json *pv_term_has(const char *key)
{
	return pv_term_is(key, pv_json_bool(true));
}

struct pv_json *pv_term_is(const char *key, struct pv_json *schema)
{
	struct pv_json *term = pv_term_may_be(key, schema);
	struct pv_json *required = pv_json_array();
	pv_json_add_text(required, key);
	pv_json_set(term, "required", required);
	return term;
}

struct pv_json *pv_term_may_be(const char *key, struct pv_json *schema)
{
	struct pv_json *members = pv_json_object();
	struct pv_json *term = pv_json_object();
	pv_json_set(members, key, schema);
	pv_json_set(term, "properties", members);
	return term;
}

struct pv_json *pv_term_choice(const char *const *words)
{
	struct pv_json *schema = pv_json_object();
	struct pv_json *list = pv_json_array();
	for (size_t i = 0; words[i]; i++)
		pv_json_add_text(list, words[i]);
	pv_json_set(schema, "enum", list);
	return schema;
}

struct pv_json *pv_term_is_word(const char *key, const char *word)
{
	return pv_term_is(key, pv_schema_of_word(word));
}

struct pv_json *pv_term_is_true(const char *key)
{
	struct pv_json *schema = pv_json_object();
	struct pv_json *list = pv_json_array();
	pv_json_add(list, pv_json_bool(true));
	pv_json_set(schema, "enum", list);
	return pv_term_is(key, schema);
}

struct pv_json *pv_term_not(struct pv_json *schema)
{
	struct pv_json *term = pv_json_object();
	pv_json_set(term, "not", schema);
	return term;
}

void pv_term_add(
    struct pv_json *terms, struct pv_json *when, struct pv_json *then)
{
	pv_json_add(terms, pv_schema_of_either(pv_term_not(when), then));
}

struct pv_json *pv_term_object(struct pv_json *members, struct pv_json *terms)
{
	struct pv_json *schema = pv_schema_of_type("object");
	pv_json_set(schema, "properties", members);
	pv_json_set(schema, "additionalProperties", pv_json_bool(false));
	pv_json_set(schema, "allOf", terms);
	return schema;
}

struct pv_json *pv_term_list(struct pv_json *item, int64_t most)
{
	struct pv_json *schema = pv_schema_of_type("array");
	pv_json_set(schema, "items", item);
	pv_json_set(schema, "minItems", pv_json_integer(1));
	pv_json_set(schema, "maxItems", pv_json_integer(most));
	return schema;
}

struct pv_json *pv_term_text(void)
{
	struct pv_json *text = pv_schema_of_type("string");
	pv_json_set(text, "minLength", pv_json_integer(1));
	return text;
}
