#include "tree/css/parser.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "tree/css/attribute_parser.h"
#include "tree/css/pseudo_class.h"

#define TEXT_MAX 4096

static bool tell(struct pv_css_parsing *parsing, const char *sentence)
{
	pv_expression_fault_tell(
	    parsing->fault, pv_css_offset(parsing), "%s", sentence);
	return false;
}

/* Behind "#" or ".". */
static bool take_word(struct pv_css_parsing *parsing,
    struct pv_css_compound *compound, enum pv_css_test_kind kind)
{
	struct pv_css_test *test = pv_css_add_test(parsing, compound);
	if (!test)
		return false;
	test->kind = kind;
	if (!pv_selector_is_at_name(&parsing->reader))
		return tell(parsing,
		    kind == PV_CSS_TEST_ID
			? "the name of an id is expected here; where it begins "
			  "with a digit, write [id=\"...\"]"
			: "the name of a class is expected here; where it "
			  "begins with a digit, write [class~=\"...\"]");
	test->value = pv_selector_take_name(&parsing->reader, parsing->arena);
	compound->words |= pv_node_word(
	    kind == PV_CSS_TEST_ID ? PV_WORD_ID : PV_WORD_CLASS, test->value);
	return true;
}

static void take_type(
    struct pv_css_parsing *parsing, struct pv_css_compound *compound)
{
	compound->type = pv_selector_lower(parsing->arena,
	    pv_selector_take_name(&parsing->reader, parsing->arena));
	compound->type_hash = pv_node_name_hash(compound->type);
}

static bool take_test(struct pv_css_parsing *parsing,
    struct pv_css_compound *compound, bool is_negated);

/* A type or "*", and conditions; `is_negated` within :not(). */
static bool take_compound(struct pv_css_parsing *parsing,
    struct pv_css_compound *compound, bool is_negated)
{
	const char *start = parsing->reader.at;
	if (pv_selector_is_at_name(&parsing->reader))
		take_type(parsing, compound);
	else
		pv_reader_accept(&parsing->reader, '*');
	if (pv_reader_peek(&parsing->reader) == '|')
		return tell(
		    parsing, "namespaces are not known; write the name alone");
	for (;;) {
		struct pv_reader ahead = parsing->reader;
		int first = pv_reader_next(&ahead);
		if ((first != '#' && first != '.' && first != '[' &&
			first != ':') ||
		    (first == ':' && pv_reader_peek(&ahead) == ':'))
			break;
		if (!take_test(parsing, compound, is_negated))
			return false;
	}
	compound->end = pv_css_offset(parsing);
	return parsing->reader.at > start ||
	       tell(parsing,
		   "an element is expected here: a type, *, #id, .class, "
		   "[attribute] or :first-child");
}

/* With as much room as it needs. */
static bool take_whole_compound(struct pv_css_parsing *parsing,
    struct pv_css_compound *compound, bool is_negated)
{
	struct pv_css_test tests[PV_CSS_TESTS_MAX] = {{.kind = 0}};
	compound->tests = tests;
	bool is_taken = take_compound(parsing, compound, is_negated);
	compound->tests = pv_arena_give_array(
	    parsing->arena, compound->test_count, sizeof(*tests));
	if (compound->test_count)
		memcpy(compound->tests, tests,
		    compound->test_count * sizeof(*tests));
	return is_taken;
}

/* Behind ":not". */
static bool take_not(
    struct pv_css_parsing *parsing, struct pv_css_compound *compound)
{
	struct pv_css_test *test = pv_css_add_test(parsing, compound);
	if (!test)
		return false;
	test->kind = PV_CSS_TEST_NOT;
	test->compound = pv_arena_give(parsing->arena, sizeof(*test->compound));
	if (!pv_reader_accept(&parsing->reader, '('))
		return tell(parsing, "\"(\" is expected here: :not(.class)");
	pv_css_skip_space(parsing);
	if (!take_whole_compound(parsing, test->compound, true))
		return false;
	pv_css_skip_space(parsing);
	if (pv_reader_accept(&parsing->reader, ')'))
		return true;
	return tell(parsing,
	    "\")\" is expected here: :not() takes one element without spaces "
	    "or commas; write :not(a):not(b)");
}

static bool take_pseudo(struct pv_css_parsing *parsing,
    struct pv_css_compound *compound, bool is_negated)
{
	if (!pv_selector_is_at_name(&parsing->reader))
		return tell(
		    parsing, "a name is expected here, such as first-child");
	size_t offset = pv_css_offset(parsing) - 1;
	struct pv_str name = pv_selector_lower(parsing->arena,
	    pv_selector_take_name(&parsing->reader, parsing->arena));
	if (!pv_str_equal(name, PV_STR("not")))
		return pv_css_parse_pseudo_class(
		    parsing, compound, offset, name);
	if (is_negated)
		return tell(parsing,
		    ":not() within :not() is not known; leave both out");
	return take_not(parsing, compound);
}

static bool take_test(struct pv_css_parsing *parsing,
    struct pv_css_compound *compound, bool is_negated)
{
	switch (pv_reader_next(&parsing->reader)) {
	case '#':
		return take_word(parsing, compound, PV_CSS_TEST_ID);
	case '.':
		return take_word(parsing, compound, PV_CSS_TEST_CLASS);
	case '[':
		return pv_css_parse_attribute(parsing, compound);
	default:
		return take_pseudo(parsing, compound, is_negated);
	}
}

/* Behind "::". */
static bool take_result(
    struct pv_css_parsing *parsing, struct pv_css_complex *complex)
{
	struct pv_reader *reader = &parsing->reader;
	size_t offset = pv_css_offset(parsing) - 2;
	struct pv_str name = pv_selector_lower(
	    parsing->arena, pv_selector_take_name(reader, parsing->arena));
	if (pv_str_equal(name, PV_STR("text"))) {
		complex->result = PV_CSS_TEXTS;
		return true;
	}
	if (!pv_str_equal(name, PV_STR("attr"))) {
		pv_css_tell_pseudo_element(parsing, offset, name);
		return false;
	}
	complex->result = PV_CSS_ATTRIBUTES;
	bool is_open = pv_reader_accept(reader, '(');
	pv_css_skip_space(parsing);
	complex->attribute = pv_selector_lower(
	    parsing->arena, pv_selector_take_name(reader, parsing->arena));
	pv_css_skip_space(parsing);
	return (is_open && complex->attribute.len &&
		   pv_reader_accept(reader, ')')) ||
	       tell(parsing, "the name of an attribute is expected here, in "
			     "parentheses: ::attr(href)");
}

/* White space, or one of > + ~; false at the end or before a comma. */
static bool take_combinator(
    struct pv_css_parsing *parsing, enum pv_css_combinator *combinator)
{
	struct pv_reader *reader = &parsing->reader;
	const char *start = reader->at;
	pv_css_skip_space(parsing);
	*combinator = PV_CSS_DESCENDANT;
	bool is_space = reader->at > start;
	if (pv_reader_accept(reader, '>'))
		*combinator = PV_CSS_CHILD;
	else if (pv_reader_accept(reader, '+'))
		*combinator = PV_CSS_SIBLING;
	else if (pv_reader_accept(reader, '~'))
		*combinator = PV_CSS_LATER;
	else
		return is_space && !pv_reader_is_end(reader) &&
		       pv_reader_peek(reader) != ',';
	pv_css_skip_space(parsing);
	return true;
}

static bool take_next_compound(struct pv_css_parsing *parsing,
    struct pv_css_complex *complex, enum pv_css_combinator combinator)
{
	struct pv_css_compound *compound = &complex->compounds[complex->count];
	if (complex->count == PV_CSS_COMPOUNDS_MAX)
		return tell(parsing, "more than 16 elements in one selector");
	complex->count++;
	*compound = (struct pv_css_compound){.combinator = combinator};
	/* "::text" alone: of any element. */
	if (pv_str_starts(pv_reader_rest(&parsing->reader), PV_STR("::"))) {
		compound->end = pv_css_offset(parsing);
		return true;
	}
	return take_whole_compound(parsing, compound, false);
}

/* Elements and what stands between them; `has_result`: "::" is behind. As
 * others have it, "p ::text" is all text of a p, its own and that of what is
 * within. */
static bool take_compounds(struct pv_css_parsing *parsing,
    struct pv_css_complex *complex, bool *has_result)
{
	struct pv_css_compound compounds[PV_CSS_COMPOUNDS_MAX];
	enum pv_css_combinator combinator = PV_CSS_DESCENDANT;
	complex->compounds = compounds;
	do {
		if (!take_next_compound(parsing, complex, combinator))
			return false;
		*has_result =
		    pv_reader_accept_str(&parsing->reader, PV_STR("::"));
	} while (!*has_result && take_combinator(parsing, &combinator));
	struct pv_css_compound *last = &compounds[complex->count - 1];
	last->is_or_self = *has_result && complex->count > 1 &&
			   last->combinator == PV_CSS_DESCENDANT &&
			   !last->type.len && !last->test_count;
	complex->compounds = pv_arena_give_array(
	    parsing->arena, complex->count, sizeof(*compounds));
	memcpy(
	    complex->compounds, compounds, complex->count * sizeof(*compounds));
	return true;
}

static bool take_complex(
    struct pv_css_parsing *parsing, struct pv_css_complex *complex)
{
	bool has_result = false;
	pv_css_skip_space(parsing);
	complex->start = pv_css_offset(parsing);
	int first = pv_reader_peek(&parsing->reader);
	if (first == '>' || first == '+' || first == '~')
		return tell(parsing, "an element is expected before this; for "
				     "children of the context write xpath: "
				     "./a");
	if (!take_compounds(parsing, complex, &has_result) ||
	    (has_result && !take_result(parsing, complex)))
		return false;
	pv_css_skip_space(parsing);
	return pv_reader_is_end(&parsing->reader) ||
	       pv_reader_peek(&parsing->reader) == ',' ||
	       tell(parsing, complex->result == PV_CSS_ELEMENTS
				 ? "this does not belong to a selector"
				 : "nothing may follow ::text or ::attr()");
}

static bool take_list(
    struct pv_css_parsing *parsing, struct pv_selector *selector)
{
	struct pv_css_complex items[PV_CSS_SELECTORS_MAX] = {{NULL}};
	size_t count = 0;
	do {
		if (count == PV_CSS_SELECTORS_MAX)
			return tell(parsing, "more than 32 selectors");
		if (!take_complex(parsing, &items[count++]))
			return false;
	} while (pv_reader_accept(&parsing->reader, ','));
	selector->items =
	    pv_arena_give_array(parsing->arena, count, sizeof(*items));
	selector->count = count;
	memcpy(selector->items, items, count * sizeof(*items));
	return true;
}

struct pv_selector *pv_selector_create(
    struct pv_str text, struct pv_expression_fault *fault)
{
	struct pv_selector *selector = pv_alloc(sizeof(*selector));
	pv_arena_init(&selector->arena);
	struct pv_css_parsing parsing = {
	    .reader = pv_reader_of(text),
	    .arena = &selector->arena,
	    .fault = fault,
	};
	parsing.start = parsing.reader.at;
	bool is_short =
	    text.len <= TEXT_MAX || tell(&parsing, "longer than 4096 bytes");
	if (is_short && take_list(&parsing, selector))
		return selector;
	pv_selector_destroy(selector);
	return NULL;
}

void pv_selector_destroy(struct pv_selector *selector)
{
	if (!selector)
		return;
	pv_arena_finish(&selector->arena);
	free(selector);
}
