#include "tree/css/pseudo_class.h"

#include "base/ascii.h"

/* A step that is no number: it stands in parentheses. */
#define GIVEN INT32_MIN

#define NUMBER_MAX 1000000

static const struct {
	struct pv_str name;
	enum pv_css_test_kind kind;
	struct pv_css_nth nth;
	bool is_only; /* and so it is from the other end */
} classes[] = {
    {PV_STR("empty"), PV_CSS_TEST_EMPTY, {0}, false},
    {PV_STR("root"), PV_CSS_TEST_ROOT, {0}, false},
    {PV_STR("first-child"), PV_CSS_TEST_NTH, {.b = 1}, false},
    {PV_STR("last-child"), PV_CSS_TEST_NTH, {.b = 1, .is_from_end = true},
	false},
    {PV_STR("only-child"), PV_CSS_TEST_NTH, {.b = 1}, true},
    {PV_STR("first-of-type"), PV_CSS_TEST_NTH, {.b = 1, .is_of_type = true},
	false},
    {PV_STR("last-of-type"), PV_CSS_TEST_NTH,
	{.b = 1, .is_from_end = true, .is_of_type = true}, false},
    {PV_STR("only-of-type"), PV_CSS_TEST_NTH, {.b = 1, .is_of_type = true},
	true},
    {PV_STR("nth-child"), PV_CSS_TEST_NTH, {.a = GIVEN}, false},
    {PV_STR("nth-last-child"), PV_CSS_TEST_NTH,
	{.a = GIVEN, .is_from_end = true}, false},
    {PV_STR("nth-of-type"), PV_CSS_TEST_NTH, {.a = GIVEN, .is_of_type = true},
	false},
    {PV_STR("nth-last-of-type"), PV_CSS_TEST_NTH,
	{.a = GIVEN, .is_from_end = true, .is_of_type = true}, false},
};

/* What people write, and what they can have. */
static const struct {
	struct pv_str name;
	const char *instead;
} others[] = {
    {PV_STR("has"), "write it as xpath: //div[.//img]"},
    {PV_STR("contains"), "write it as xpath: //p[contains(., 'text')]"},
    {PV_STR("is"), "write the alternatives with commas: \"h1 a, h2 a\""},
    {PV_STR("where"), "write the alternatives with commas: \"h1 a, h2 a\""},
    {PV_STR("matches"), "write the alternatives with commas: \"h1 a, h2 a\""},
    {PV_STR("scope"), "write it as xpath: ./a"},
    {PV_STR("first"), "write :first-child, or xpath: (//a)[1]"},
    {PV_STR("last"), "write :last-child, or xpath: (//a)[last()]"},
    {PV_STR("eq"), "write :nth-child(n), or xpath: (//a)[2]"},
    {PV_STR("checked"), "write [checked] or [selected]"},
    {PV_STR("disabled"), "write [disabled]"},
    {PV_STR("enabled"), "write :not([disabled])"},
    {PV_STR("link"), "write a[href]"},
    {PV_STR("any-link"), "write a[href]"},
    {PV_STR("lang"), "write [lang|=\"de\"]"},
    {PV_STR("text"), "write ::text, with two colons"},
    {PV_STR("attr"), "write ::attr(name), with two colons"},
    {PV_STR("hover"), "a page that is read has no such state"},
    {PV_STR("active"), "a page that is read has no such state"},
    {PV_STR("focus"), "a page that is read has no such state"},
    {PV_STR("visited"), "a page that is read has no such state"},
    {PV_STR("target"), "a page that is read has no such state"},
};

static const char *instead_of(struct pv_str name)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (pv_str_equal(others[i].name, name))
			return others[i].instead;
	}
	return "known are :first-child, :nth-child(), :first-of-type and their "
	       "like, :empty, :root and :not()";
}

void pv_css_tell_pseudo_element(
    struct pv_css_parsing *parsing, size_t offset, struct pv_str name)
{
	pv_expression_fault_tell(parsing->fault, offset,
	    "\"::%.*s\" is not known; write ::text or ::attr(name), and "
	    "nothing behind it",
	    (int)(name.len < 40 ? name.len : 40), name.ptr);
}

/* A sign, with blanks behind it where `is_apart`; 0 if there is none. */
static int32_t take_sign(struct pv_css_parsing *parsing, bool is_apart)
{
	int32_t sign = 0;
	if (pv_reader_accept(&parsing->reader, '-'))
		sign = -1;
	else if (pv_reader_accept(&parsing->reader, '+'))
		sign = 1;
	if (is_apart)
		pv_css_skip_space(parsing);
	return sign;
}

static bool take_n(struct pv_reader *reader)
{
	return pv_reader_accept(reader, 'n') || pv_reader_accept(reader, 'N');
}

/* Behind the step's "n": nothing, or a sign and a number. */
static bool take_start(struct pv_css_parsing *parsing, struct pv_css_nth *nth)
{
	uint64_t number;
	pv_css_skip_space(parsing);
	int32_t sign = take_sign(parsing, true);
	if (!sign)
		return true;
	if (!pv_reader_take_number(&parsing->reader, NUMBER_MAX, &number))
		return false;
	nth->b = sign * (int32_t)number;
	return true;
}

static bool take_formula(struct pv_css_parsing *parsing, struct pv_css_nth *nth)
{
	struct pv_reader *reader = &parsing->reader;
	uint64_t number = 1;
	nth->a = 2;
	nth->b = 1;
	if (pv_reader_accept_str(reader, PV_STR("odd")))
		return true;
	nth->b = 0;
	if (pv_reader_accept_str(reader, PV_STR("even")))
		return true;
	int32_t sign = take_sign(parsing, false);
	bool has_number = pv_reader_take_number(reader, NUMBER_MAX, &number);
	int32_t value = (sign ? sign : 1) * (int32_t)number;
	if (take_n(reader)) {
		nth->a = value;
		return take_start(parsing, nth);
	}
	nth->a = 0;
	nth->b = value;
	return has_number;
}

static bool take_nth(struct pv_css_parsing *parsing, struct pv_css_nth *nth)
{
	bool is_taken = pv_reader_accept(&parsing->reader, '(');
	pv_css_skip_space(parsing);
	is_taken = is_taken && take_formula(parsing, nth);
	pv_css_skip_space(parsing);
	if (is_taken && pv_reader_accept(&parsing->reader, ')'))
		return true;
	pv_expression_fault_tell(parsing->fault, pv_css_offset(parsing),
	    "a number, odd, even or a formula such as 2n+1 is expected here, "
	    "in parentheses");
	return false;
}

bool pv_css_parse_pseudo_class(struct pv_css_parsing *parsing,
    struct pv_css_compound *compound, size_t offset, struct pv_str name)
{
	size_t i = 0, count = sizeof(classes) / sizeof(*classes);
	while (i < count && !pv_str_equal(classes[i].name, name))
		i++;
	if (i == count) {
		pv_expression_fault_tell(parsing->fault, offset,
		    "\":%.*s\" is not known: %s",
		    (int)(name.len < 40 ? name.len : 40), name.ptr,
		    instead_of(name));
		return false;
	}
	struct pv_css_test *test = pv_css_add_test(parsing, compound);
	if (!test)
		return false;
	test->kind = classes[i].kind;
	test->nth = classes[i].nth;
	if (test->nth.a == GIVEN)
		return take_nth(parsing, &test->nth);
	struct pv_css_test *other =
	    classes[i].is_only ? pv_css_add_test(parsing, compound) : test;
	if (!other)
		return false;
	if (other != test)
		*other = *test;
	other->nth.is_from_end |= classes[i].is_only;
	return true;
}
