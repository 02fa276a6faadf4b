#include "tree/css/attribute_parser.h"

static const struct {
	struct pv_str text;
	enum pv_css_operator operator;
} operators[] = {
    {PV_STR("="), PV_CSS_EQUAL},
    {PV_STR("~="), PV_CSS_WORD},
    {PV_STR("|="), PV_CSS_DASH},
    {PV_STR("^="), PV_CSS_STARTS},
    {PV_STR("$="), PV_CSS_ENDS},
    {PV_STR("*="), PV_CSS_CONTAINS},
};

static bool take_operator(
    struct pv_reader *reader, enum pv_css_operator *operator)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		if (pv_reader_accept_str(reader, operators[i].text)) {
			*operator= operators[i].operator;
			return true;
		}
	}
	return false;
}

static bool take_value(struct pv_css_parsing *parsing, struct pv_css_test *test)
{
	struct pv_reader *reader = &parsing->reader;
	size_t offset = pv_css_offset(parsing);
	int first = pv_reader_peek(reader);
	if (first == '"' || first == '\'') {
		if (pv_selector_take_string(
			reader, parsing->arena, &test->value))
			return true;
		pv_expression_fault_tell(parsing->fault, offset,
		    "this quotation mark is not closed");
		return false;
	}
	if (pv_selector_is_at_name(reader)) {
		test->value = pv_selector_take_name(reader, parsing->arena);
		return true;
	}
	pv_expression_fault_tell(parsing->fault, offset,
	    "a value is expected here; write it in quotes: [%.*s=\"...\"]",
	    PV_STR_ARG(test->name));
	return false;
}

/* "i" behind the value: in any case. */
static void take_flag(struct pv_css_parsing *parsing, struct pv_css_test *test)
{
	struct pv_reader *reader = &parsing->reader;
	if (pv_reader_accept(reader, 'i') || pv_reader_accept(reader, 'I'))
		test->is_nocase = true;
	else if (!pv_reader_accept(reader, 's'))
		pv_reader_accept(reader, 'S');
	pv_css_skip_space(parsing);
}

/* A word with a space in it, or none, is nowhere. */
static void make_impossible(struct pv_css_test *test)
{
	bool is_word = test->value.len > 0;
	for (size_t i = 0; i < test->value.len; i++)
		is_word = is_word && !pv_selector_is_space(
					 (unsigned char)test->value.ptr[i]);
	if (test->operator== PV_CSS_WORD && !is_word) {
		test->operator= PV_CSS_STARTS;
		test->value = PV_STR("");
	}
}

bool pv_css_parse_attribute(
    struct pv_css_parsing *parsing, struct pv_css_compound *compound)
{
	struct pv_reader *reader = &parsing->reader;
	struct pv_css_test *test = pv_css_add_test(parsing, compound);
	if (!test)
		return false;
	test->kind = PV_CSS_TEST_ATTRIBUTE;
	pv_css_skip_space(parsing);
	test->name = pv_selector_lower(
	    parsing->arena, pv_selector_take_name(reader, parsing->arena));
	compound->words |= pv_node_word(PV_WORD_ATTRIBUTE, test->name);
	pv_css_skip_space(parsing);
	if (test->name.len && take_operator(reader, &test->operator)) {
		pv_css_skip_space(parsing);
		if (!take_value(parsing, test))
			return false;
		pv_css_skip_space(parsing);
		take_flag(parsing, test);
		make_impossible(test);
	}
	if (test->name.len && pv_reader_accept(reader, ']'))
		return true;
	pv_expression_fault_tell(parsing->fault, pv_css_offset(parsing), "%s",
	    test->name.len ? "\"]\" is expected here, or =, ~=, |=, ^=, $= or "
			     "*= and a value"
			   : "the name of an attribute is expected here");
	return false;
}
