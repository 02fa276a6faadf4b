#include "tree/scene.h"

static const char page[] =
    "<html><body id=body><div id=a class='box red'><p id=p1>one</p>"
    "<p id=p2 class=red>two <b id=b1>bold</b> end</p><!--note-->"
    "<p id=p3 lang=de>three</p></div><ul id=u><li id=l1>1<li id=l2>2"
    "<li id=l3>3.5<li id=l4>x</ul><a id=x href=u>  a  link </a></body></html>";

static const struct scene_case cases[] = {
    {"//p", "[p1]|[p2]|[p3]"},
    {"/html/body/div/p", "[p1]|[p2]|[p3]"},
    {"//P", ""},
    {"//p/text()", "one|two | end|three"},
    {"//p//text()", "one|two |bold| end|three"},
    {"//@href", "u"},
    {"//a/@*", "x|u"},
    {"//p[1]", "[p1]"},
    {"//li[2]", "[l2]"},
    {"//li[last()]", "[l4]"},
    {"//li[position() > 2]", "[l3]|[l4]"},
    {"(//p | //li)[4]", "[l1]"},
    {"//li | //p", "[p1]|[p2]|[p3]|[l1]|[l2]|[l3]|[l4]"},
    {"//p[@class]", "[p2]"},
    {"//p[@class='red']/@id", "p2"},
    {"//*[has-class('red')]", "[a]|[p2]"},
    {"//*[has-class('red', 'box')]", "[a]"},
    {"//p[not(@lang)][2]", "[p2]"},
    {"//p[b]", "[p2]"},
    {"//p[b = 'bold']", "[p2]"},
    {"//p[contains(., 'bold')]", "[p2]"},
    {"//p[starts-with(., 't') and @lang]", "[p3]"},
    {"//b/..", "[p2]"},
    {"//b/ancestor::*[@id]", "[body]|[a]|[p2]"},
    {"//b/ancestor::*[1]", "[p2]"},
    {"//b/ancestor-or-self::p", "[p2]"},
    {"//p[2]/following-sibling::*", "[p3]"},
    {"//p[3]/preceding-sibling::p[1]", "[p2]"},
    {"//li[1]/following-sibling::li[1]", "[l2]"},
    {"//p[3]/following::*", "[u]|[l1]|[l2]|[l3]|[l4]|[x]"},
    {"//li[1]/preceding::p[1]", "[p3]"},
    {"//div/descendant::b", "[b1]"},
    {"//p/self::p[@lang]", "[p3]"},
    {"//@lang/parent::p", "[p3]"},
    {"//comment()", "note"},
    {"//div/node()[3]", "note"},
    {"//div/child::*[position()=2]", "[p2]"},
    {"count(//p)", "3"},
    {"count(//li) > 3", "true"},
    {"string(//p[2])", "two bold end"},
    {"normalize-space(//a)", "a link"},
    {"string-length('\xc3\xa4\xe2\x82\xac')", "2"},
    {"concat('a', 1, true())", "a1true"},
    {"substring('12345', 2, 3)", "234"},
    {"substring('12345', 1.5, 2.6)", "234"},
    {"substring('12345', 0 div 0, 3)", ""},
    {"substring('\xc3\xa4\xc3\xb6\xc3\xbc', 2)", "\xc3\xb6\xc3\xbc"},
    {"substring-before('1999/04', '/')", "1999"},
    {"substring-after('1999/04', '/')", "04"},
    {"substring-after('1999', '/')", ""},
    {"translate('bar', 'abc', 'AB')", "BAr"},
    {"sum(//li[. < 9])", "6.5"},
    {"//li[. > 2]", "[l3]"},
    {"//li[number(.) != number(.)]", "[l4]"},
    {"//li = '2'", "true"},
    {"//li != '2'", "true"},
    {"//li = 3.5", "true"},
    {"//li = //p", "false"},
    {"//none = false()", "true"},
    {"1 + 2 * 3 - 4 div 2", "5"},
    {"7 mod -4", "3"},
    {"-(3)", "-3"},
    {"--3", "3"},
    {"1 div 0", "Infinity"},
    {"0 div 0", "NaN"},
    {"1 div 3", "0.333333333333333"},
    {"0.1", "0.1"},
    {"1000000 * 1000000", "1000000000000"},
    {".5", "0.5"},
    {"0.00001", "0.00001"},
    {"floor(-1.5)", "-2"},
    {"ceiling(1.2)", "2"},
    {"round(2.5)", "3"},
    {"round(-2.5)", "-2"},
    {"number(' 12 ')", "12"},
    {"number('1e3')", "NaN"},
    {"string(number('x'))", "NaN"},
    {"boolean(//p)", "true"},
    {"not(//nothing)", "true"},
    {"name(//p)", "p"},
    {"local-name(//@href)", "href"},
    {"namespace-uri(//p)", ""},
    {"id('p1 l2')", "[p1]|[l2]"},
    {"id('u')/li[2]", "[l2]"},
    {"//div[p/b]//p[last()]", "[p3]"},
    {"//p[ @lang = 'de' or @class ]", "[p2]|[p3]"},
    {"//*[self::p or self::li][1]", "[p1]|[l1]"},
    {"//ul/li[position() mod 2 = 0]", "[l2]|[l4]"},
    {"//div/div", ""},
    {"//order", ""},
    {"//div/*/b", "[b1]"},
    {"//*[@*[. = 'de']]", "[p3]"},
    {"//p[1 < 2][2]", "[p2]"},
    {"//li[count(preceding-sibling::li) = 2]", "[l3]"},
};

static const struct scene_case faults[] = {
    {"", "0: a step is expected here: a name, *, @name, text(), . or .."},
    {"//", "2: a step is expected here: a name, *, @name, text(), . or .."},
    {"//p[", "4: a step is expected here: a name, *, @name, text(), . or .."},
    {"//p[1", "5: \"]\" is expected here"},
    {"//p]", "3: the expression ought to end here"},
    {"$x", "0: there are no variables; write the value itself"},
    {"'x", "0: this quotation mark is not closed"},
    {"//p/string()", "4: a function cannot be a step; write it around the "
		     "path, as in string(//p), or into a predicate"},
    {"matches(., 'x')", "0: there is no function \"matches\" in XPath 1.0; for "
			"regular expressions write the key regex"},
    {"//p[lang('de')]", "4: there is no function \"lang\" in XPath 1.0 here; "
			"write @lang"},
    {"contains('a')", "0: contains() has 2 to 2 arguments, not 1"},
    {"count('a')", "9: before this, nodes are expected: a path"},
    {"'a'/b", "3: what is before this gives no nodes, so nothing can be "
	      "chosen of it"},
    {"//p | 'a'", "9: before this, a path is expected: \"|\" stands between "
		  "paths only"},
    {"namespace::x", "0: this axis is not known; there are child, "
		     "descendant, parent, ancestor, self, following, "
		     "preceding, following-sibling, preceding-sibling, "
		     "attribute"},
    {"..[1]", "2: no predicate may follow . or ..; write self::node() or "
	      "parent::node()"},
    {"(1", "2: \")\" is expected here"},
    {"concat('a' 'b')", "11: \",\" or \")\" is expected here"},
};

static void test_context(void)
{
	struct pv_tree *tree =
	    scene_tree(PV_STR("<p data-stars=1>no</p><div id=r data-stars=5>"
			      "<p>1</p><p>2</p></div>"));
	const struct pv_tree_node *context = pv_tree_document(tree);
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	while (!pv_node_is_named(context, PV_STR("div")))
		context++;
	is_text(scene_find_in(
		    &buf, tree, context, PV_EXPRESSION_XPATH, "@data-stars"),
	    "5", "an attribute of the context");
	is_text(scene_find_in(&buf, tree, context, PV_EXPRESSION_XPATH, ".//p"),
	    "1|2", "what is below it");
	is_text(scene_find_in(&buf, tree, context, PV_EXPRESSION_XPATH, "//p"),
	    "no|1|2", "// begins at the document");
	is_text(scene_find_in(&buf, tree, context, PV_EXPRESSION_XPATH, "p[2]"),
	    "2", "a child");
	pv_buf_finish(&buf);
	pv_tree_destroy(tree);
}

static void test_nesting(void)
{
	struct pv_expression_fault fault;
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	for (unsigned i = 0; i < 40; i++)
		pv_buf_append_char(&text, '(');
	struct pv_expression *expression = pv_expression_create(
	    PV_EXPRESSION_XPATH, pv_buf_str(&text), &fault);
	is_text(pv_str_of(fault.text),
	    "more than 32 parentheses within another",
	    "P5: parentheses are not nested without end");
	ok(!expression && fault.offset == 32, "and the place is told");
	pv_buf_finish(&text);
}

int main(void)
{
	struct pv_str html = pv_str_of(page);
	scene_try(
	    html, PV_EXPRESSION_XPATH, cases, sizeof(cases) / sizeof(*cases));
	scene_try(html, PV_EXPRESSION_XPATH, faults,
	    sizeof(faults) / sizeof(*faults));
	test_context();
	test_nesting();
	return tap_done();
}
