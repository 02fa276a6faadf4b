#include "tree/nearest.h"

#include "tree/scene.h"

static const char page[] =
    "<body><div class=product><b class=price>1</b><i class=price-old>2</i>"
    "</div><div class=product><b class=price>3</b></div>"
    "<table id=prices><tr><td><b>x</b></td></tr></table><a name=n></a></body>";

static const struct {
	enum pv_expression_kind kind;
	const char *expression;
	const char *near;
} cases[] = {
    {PV_EXPRESSION_CSS, "div.product .prise",
	"\"div.product\" matches 2 times, \"div.product .prise\" nothing; the "
	"page has the classes price, price-old"},
    {PV_EXPRESSION_CSS, ".produkt",
	"\".produkt\" matches nothing; the page has the class product"},
    {PV_EXPRESSION_CSS, "#price",
	"\"#price\" matches nothing; the page has the id prices"},
    {PV_EXPRESSION_CSS, "table > tbody > tr",
	"\"table\" matches once, \"table > tbody\" nothing; browsers add "
	"tbody, but the page has none: leave it out"},
    {PV_EXPRESSION_CSS, "h1", "\"h1\" matches nothing"},
    {PV_EXPRESSION_CSS, "a::attr(href)",
	"\"a\" matches once, without an attribute href"},
    {PV_EXPRESSION_CSS, "td::text",
	"\"td\" matches once, without a text of its own; write it without "
	"::text for all that is within"},
    {PV_EXPRESSION_CSS, ".price", "\".price\" matches 2 times"},
    {PV_EXPRESSION_CSS, "h1, .price",
	"\"h1\" matches nothing; \".price\" matches 2 times"},
    {PV_EXPRESSION_XPATH, "//div/b/i",
	"\"//div/b\" matches 2 times, \"//div/b/i\" nothing"},
    {PV_EXPRESSION_XPATH, "//table/tbody/tr",
	"\"//table\" matches once, \"//table/tbody\" nothing; browsers add "
	"tbody, but the page has none: leave it out"},
    {PV_EXPRESSION_XPATH, "//DIV",
	"\"//DIV\" matches nothing; names are written in lower case"},
    {PV_EXPRESSION_XPATH, "//div[1]//i[1]/x",
	"\"//div[1]//i[1]\" matches once, \"//div[1]//i[1]/x\" nothing"},
    {PV_EXPRESSION_XPATH, "string(//h1)", "\"string(//h1)\" matches nothing"},
};

int main(void)
{
	struct pv_tree *tree = scene_tree(pv_str_of(page));
	struct pv_expression_fault fault;
	struct pv_buf buf;
	pv_buf_init(&buf, 10000);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_expression *expression = pv_expression_create(
		    cases[i].kind, pv_str_of(cases[i].expression), &fault);
		pv_buf_clear(&buf);
		pv_expression_nearest(expression, tree, NULL, &buf);
		is_text(
		    pv_buf_str(&buf), cases[i].near, "%s", cases[i].expression);
		pv_expression_destroy(expression);
	}
	pv_buf_finish(&buf);
	pv_tree_destroy(tree);
	return tap_done();
}
