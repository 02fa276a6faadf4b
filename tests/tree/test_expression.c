#include "tree/expression.h"

#include "tap.h"

/* Whether an expression may find elements. */
static const struct {
	enum pv_expression_kind kind;
	const char *text;
	bool finds_elements;
} cases[] = {
    {PV_EXPRESSION_CSS, "h1", true},
    {PV_EXPRESSION_CSS, "h1::text", false},
    {PV_EXPRESSION_CSS, "a::attr(href)", false},
    {PV_EXPRESSION_CSS, "a::attr(href), b::text", false},
    {PV_EXPRESSION_CSS, "a::attr(href), b", true},
    {PV_EXPRESSION_CSS, "[title='::text']", true},
    {PV_EXPRESSION_XPATH, "//h1", true},
    {PV_EXPRESSION_XPATH, "/", true},
    {PV_EXPRESSION_XPATH, ".", true},
    {PV_EXPRESSION_XPATH, "//*", true},
    {PV_EXPRESSION_XPATH, "//node()", true},
    {PV_EXPRESSION_XPATH, "//h1/text()", false},
    {PV_EXPRESSION_XPATH, "//h1/comment()", false},
    {PV_EXPRESSION_XPATH, "//a/@href", false},
    {PV_EXPRESSION_XPATH, "//a/@href/..", true},
    {PV_EXPRESSION_XPATH, "//a[@href]", true},
    {PV_EXPRESSION_XPATH, "//a/@href | //b", true},
    {PV_EXPRESSION_XPATH, "//a/@href | //b/text()", false},
    {PV_EXPRESSION_XPATH, "(//a)[1]", true},
    {PV_EXPRESSION_XPATH, "(//a/@href)[1]", false},
    {PV_EXPRESSION_XPATH, "id('a')", true},
    {PV_EXPRESSION_XPATH, "id('a')/b", true},
    {PV_EXPRESSION_XPATH, "string(//a)", false},
    {PV_EXPRESSION_XPATH, "count(//a)", false},
    {PV_EXPRESSION_XPATH, "1 + 1", false},
    {PV_EXPRESSION_XPATH, "//a = 'b'", false},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_expression_fault fault;
		struct pv_expression *expression = pv_expression_create(
		    cases[i].kind, pv_str_of(cases[i].text), &fault);
		ok(expression && pv_expression_finds_elements(expression) ==
				     cases[i].finds_elements,
		    "%s finds %s", cases[i].text,
		    cases[i].finds_elements ? "elements" : "no elements");
		pv_expression_destroy(expression);
	}
	return tap_done();
}
