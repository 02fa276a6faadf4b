#include "policy/pages/source_schema.h"

#include "policy/pages/schema_term.h"
#include "policy/values/schema_part.h"

/* Each ~ is that of ~0 or ~1. */
#define POINTER "^(/([^~]|~[01])*)?$"

static const char *const places[] = {
    "css", "xpath", "json", "meta", "header", "url"};

static size_t place_count(enum pv_source_use use)
{
	return use == PV_SOURCE_OF_VALUES ? sizeof(places) / sizeof(*places)
					  : 3;
}

/* One of the places and no other; or regex alone. */
static struct pv_json *schema_of_one(enum pv_source_use use)
{
	size_t count = place_count(use);
	struct pv_json *one = pv_json_object();
	struct pv_json *forms = pv_json_array();
	struct pv_json *others = pv_json_array();
	for (size_t i = 0; i < count; i++) {
		pv_json_add(forms, pv_term_has(places[i]));
		pv_json_add(others, pv_term_not(pv_term_has(places[i])));
	}
	if (use == PV_SOURCE_OF_ELEMENTS) {
		pv_json_destroy(others);
	} else {
		struct pv_json *alone = pv_term_has("regex");
		pv_json_set(alone, "allOf", others);
		pv_json_add(forms, alone);
	}
	pv_json_set(one, "oneOf", forms);
	return one;
}

static void add_json(struct pv_json *members, struct pv_json *terms)
{
	static const char *const words[] = {"body", "ld", "script", NULL};
	pv_json_set(members, "json", pv_schema_of_pattern(POINTER));
	pv_json_set(members, "in", pv_term_choice(words));
	pv_json_set(members, "of", pv_term_text());
	pv_json_set(members, "after", pv_term_text());
	pv_term_add(terms, pv_term_has("in"), pv_term_has("json"));
	pv_term_add(terms, pv_term_has("of"), pv_term_is_word("in", "ld"));
	pv_term_add(
	    terms, pv_term_has("after"), pv_term_is_word("in", "script"));
	pv_term_add(
	    terms, pv_term_is_word("in", "script"), pv_term_has("after"));
}

void pv_source_schema(
    enum pv_source_use use, struct pv_json *members, struct pv_json *terms)
{
	for (size_t i = 0; i < place_count(use); i++)
		pv_json_set(members, places[i], pv_term_text());
	if (use != PV_SOURCE_OF_ELEMENTS)
		pv_json_set(members, "regex", pv_term_text());
	add_json(members, terms);
	pv_json_add(terms, schema_of_one(use));
}
