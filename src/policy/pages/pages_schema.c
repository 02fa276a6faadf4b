#include "policy/pages/pages_schema.h"

#include "policy/document/members.h"
#include "policy/option.h"
#include "policy/pages/field_schema.h"
#include "policy/pages/follow.h"
#include "policy/pages/schema_term.h"
#include "policy/pages/source_schema.h"
#include "policy/rules.h"

static struct pv_json *carry_schema(void)
{
	return pv_term_list(
	    pv_schema_of_pattern(PV_MEMBER_NAME_SCHEMA), PV_CARRY_MAX);
}

static struct pv_json *limit_schema(void)
{
	struct pv_json *limit = pv_schema_of_type("integer");
	pv_json_set(limit, "minimum", pv_json_integer(1));
	pv_json_set(limit, "maximum", pv_json_integer(PV_FOLLOW_LIMIT_MAX));
	return pv_schema_of_either(limit, pv_schema_of_word("none"));
}

static struct pv_json *follow_schema(void)
{
	struct pv_json *members = pv_json_object();
	struct pv_json *terms = pv_json_array();
	pv_source_schema(PV_SOURCE_OF_LINKS, members, terms);
	pv_json_set(members, "as", pv_schema_of_pattern(PV_MEMBER_NAME_SCHEMA));
	pv_json_set(members, "carry", carry_schema());
	pv_json_set(members, "limit", limit_schema());
	pv_json_add(terms, pv_term_has("as"));
	struct pv_json *list =
	    pv_term_list(pv_term_object(members, terms), PV_FOLLOW_MAX);
	pv_json_set(list, "minItems", pv_json_integer(0));
	return list;
}

static struct pv_json *kind_schema(void)
{
	struct pv_json *members = pv_json_object();
	struct pv_json *terms = pv_json_array();
	pv_json_set(members, "match",
	    pv_schema_of_either(pv_rule_body_schema(),
		pv_term_list(pv_rule_body_schema(), PV_MATCH_RULES_MAX)));
	pv_json_set(members, "each", pv_each_schema());
	pv_json_set(members, "fields", pv_fields_schema());
	pv_json_set(members, "follow", follow_schema());
	pv_json_add(terms,
	    pv_schema_of_either(pv_term_has("fields"), pv_term_has("follow")));
	pv_term_add(terms, pv_term_has("each"), pv_term_has("fields"));
	return pv_term_object(members, terms);
}

struct pv_json *pv_pages_schema(const struct pv_option *option)
{
	struct pv_json *schema = pv_names_schema(kind_schema(), option->most);
	pv_json_set(schema, "minProperties", pv_json_integer(0));
	return schema;
}
