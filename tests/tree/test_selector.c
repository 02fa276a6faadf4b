#include "tree/scene.h"

static const char page[] =
    "<html id=html><body id=body><div id=a class='box red'><p id=p1>one</p>"
    "<p id=p2 class=red>two <b id=b1>bold</b> end</p><span id=s1></span>"
    "<p id=p3 lang=de-AT title='A b C'>three</p></div>"
    "<div id=d2 class='box&#10;blue'><ul id=u><li id=l1>1<li id=l2>2<li id=l3>3"
    "<li id=l4>4<li id=l5>5</ul><a id=x href='http://e.org/A.PDF'>link</a>"
    "<a id=y>none</a><i id=i><!-- --></i></div>"
    "<div id='e:f' class='a:b 1x'>odd</div></body></html>";

static const struct scene_case cases[] = {
    {"p", "[p1]|[p2]|[p3]"},
    {"P", "[p1]|[p2]|[p3]"},
    {"#a", "[a]"},
    {".red", "[a]|[p2]"},
    {".RED", ""},
    {".box.red", "[a]"},
    {".blue", "[d2]"},
    {"p.red", "[p2]"},
    {"*.red", "[a]|[p2]"},
    {"div p", "[p1]|[p2]|[p3]"},
    {"body > p", ""},
    {"div > p", "[p1]|[p2]|[p3]"},
    {"div>p", "[p1]|[p2]|[p3]"},
    {"p + p", "[p2]"},
    {"p ~ p", "[p2]|[p3]"},
    {"p~span", "[s1]"},
    {"body div.red > p + span ~ p", "[p3]"},
    {"html body p b", "[b1]"},
    {"li, p", "[p1]|[p2]|[p3]|[l1]|[l2]|[l3]|[l4]|[l5]"},
    {"p, .red, #p1", "[a]|[p1]|[p2]|[p3]"},
    {"[href]", "[x]"},
    {"a[HREF]", "[x]"},
    {"[lang=de]", ""},
    {"[lang|=de]", "[p3]"},
    {"[lang|='de-AT']", "[p3]"},
    {"[title~=b]", "[p3]"},
    {"[title~='A b']", ""},
    {"[title~='']", ""},
    {"[href^='http:']", "[x]"},
    {"[href^='']", ""},
    {"[href$=\".PDF\"]", "[x]"},
    {"[href$='.pdf']", ""},
    {"[href$='.pdf' i]", "[x]"},
    {"[href$='.PDF's]", "[x]"},
    {"[href*=e\\.org]", "[x]"},
    {"[ href *= \"E.ORG\" i ]", "[x]"},
    {"[class='box red']", "[a]"},
    {"p:first-child", "[p1]"},
    {"p:last-child", "[p3]"},
    {"b:only-child", "[b1]"},
    {"p:only-child", ""},
    {"li:nth-child(2)", "[l2]"},
    {"li:nth-child(odd)", "[l1]|[l3]|[l5]"},
    {"li:nth-child( even )", "[l2]|[l4]"},
    {"li:nth-child(2n+1)", "[l1]|[l3]|[l5]"},
    {"li:nth-child(3n - 1)", "[l2]|[l5]"},
    {"li:nth-child(-n+2)", "[l1]|[l2]"},
    {"li:nth-child(n+4)", "[l4]|[l5]"},
    {"li:nth-child(-2n+3)", "[l1]|[l3]"},
    {"li:nth-child(0)", ""},
    {"li:nth-child(-3)", ""},
    {"li:nth-child(n)", "[l1]|[l2]|[l3]|[l4]|[l5]"},
    {"li:nth-last-child(2)", "[l4]"},
    {"p:nth-of-type(3)", "[p3]"},
    {"p:nth-of-type(odd)", "[p1]|[p3]"},
    {"p:nth-last-of-type(1)", "[p3]"},
    {"span:first-of-type", "[s1]"},
    {"p:last-of-type", "[p3]"},
    {"span:only-of-type", "[s1]"},
    {"a:only-of-type", ""},
    {":root", "[html]"},
    {":empty", "[s1]|[i]"},
    {"p:not(.red)", "[p1]|[p3]"},
    {"p:not(.red):not([lang])", "[p1]"},
    {"div:not( #a )", "[d2]|[e:f]"},
    {"li:not(:first-child)", "[l2]|[l3]|[l4]|[l5]"},
    {"p::text", "one|two | end|three"},
    {"#p2 ::text", "two |bold| end"},
    {"p *::text", "one|two |bold| end|three"},
    {"p b::text", "bold"},
    {"#u ::attr(id)", "u|l1|l2|l3|l4|l5"},
    {"p::text, b::text", "one|two |bold| end|three"},
    {"#l1::text, a::attr(href)", "1|http://e.org/A.PDF"},
    {"a::attr( HREF )", "http://e.org/A.PDF"},
    {"div::attr(id)", "a|d2|e:f"},
    {"p::attr(id), p", "[p1]|p1|[p2]|p2|[p3]|p3"},
    {".a\\:b", "[e:f]"},
    {".\\31 x", "[e:f]"},
    {"#e\\3a f", "[e:f]"},
    {"#e\\00003Af", "[e:f]"},
    {"[id='e\\3a f']", "[e:f]"},
    {"  div  >  p  ", "[p1]|[p2]|[p3]"},
    {"nothing", ""},
};

static const struct scene_case faults[] = {
    {"", "0: an element is expected here: a type, *, #id, .class, [attribute] "
	 "or :first-child"},
    {"p,", "2: an element is expected here: a type, *, #id, .class, "
	   "[attribute] or :first-child"},
    {"div >", "5: an element is expected here: a type, *, #id, .class, "
	      "[attribute] or :first-child"},
    {"> a", "0: an element is expected before this; for children of the "
	    "context write xpath: ./a"},
    {"div:has(img)",
	"3: \":has\" is not known: write it as xpath: //div[.//img]"},
    {"p:contains('x')", "1: \":contains\" is not known: write it as xpath: "
			"//p[contains(., 'text')]"},
    {"a:hover",
	"1: \":hover\" is not known: a page that is read has no such state"},
    {":is(h1, h2) a", "0: \":is\" is not known: write the alternatives with "
		      "commas: \"h1 a, h2 a\""},
    {"p:wild", "1: \":wild\" is not known: known are :first-child, "
	       ":nth-child(), :first-of-type and their like, :empty, :root "
	       "and :not()"},
    {":\\0", "0: \":\xef\xbf\xbd\" is not known: known are :first-child, "
	     ":nth-child(), :first-of-type and their like, :empty, :root and "
	     ":not()"},
    {"p::before", "1: \"::before\" is not known; write ::text or "
		  "::attr(name), and nothing behind it"},
    {"p::attr", "7: the name of an attribute is expected here, in "
		"parentheses: ::attr(href)"},
    {"p::attr()", "8: the name of an attribute is expected here, in "
		  "parentheses: ::attr(href)"},
    {"p::text b", "8: nothing may follow ::text or ::attr()"},
    {"a[href", "6: \"]\" is expected here, or =, ~=, |=, ^=, $= or *= and a "
	       "value"},
    {"a[href=", "7: a value is expected here; write it in quotes: "
		"[href=\"...\"]"},
    {"a[href='x]", "7: this quotation mark is not closed"},
    {"a[]", "2: the name of an attribute is expected here"},
    {"a[href=1]", "7: a value is expected here; write it in quotes: "
		  "[href=\"...\"]"},
    {".1x", "1: the name of a class is expected here; where it begins with a "
	    "digit, write [class~=\"...\"]"},
    {"#", "1: the name of an id is expected here; where it begins with a "
	  "digit, write [id=\"...\"]"},
    {"svg|a", "3: namespaces are not known; write the name alone"},
    {"li:nth-child(x)", "13: a number, odd, even or a formula such as 2n+1 is "
			"expected here, in parentheses"},
    {"li:nth-child", "12: a number, odd, even or a formula such as 2n+1 is "
		     "expected here, in parentheses"},
    {"p:not(a b)", "8: \")\" is expected here: :not() takes one element "
		   "without spaces or commas; write :not(a):not(b)"},
    {"p:not(:not(a))", "10: :not() within :not() is not known; leave both out"},
    {"p & b", "2: an element is expected here: a type, *, #id, .class, "
	      "[attribute] or :first-child"},
    {"p}", "1: this does not belong to a selector"},
};

static void test_context(void)
{
	struct pv_tree *tree = scene_tree(
	    PV_STR("<div id=o><div id=r class=r><p>1</p><p>2</p></div>"
		   "<div id=s class=r><p>3</p></div></div>"));
	const struct pv_tree_node *context = pv_tree_document(tree);
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	while (!pv_str_equal(
	    pv_node_attribute(context, PV_STR("id")), PV_STR("r")))
		context++;
	is_text(scene_find_in(&buf, tree, context, PV_EXPRESSION_CSS, "p"),
	    "1|2", "only what is below the context");
	is_text(scene_find_in(&buf, tree, context, PV_EXPRESSION_CSS, ".r"),
	    "[r]", "the context itself may be found");
	is_text(scene_find_in(&buf, tree, context, PV_EXPRESSION_CSS, "#o p"),
	    "", "what is around it counts for nothing");
	is_text(scene_find_in(&buf, tree, context, PV_EXPRESSION_CSS, ".r > p"),
	    "1|2", "and it may be one of the elements");
	pv_buf_finish(&buf);
	pv_tree_destroy(tree);
}

static void test_ceilings(void)
{
	struct pv_expression_fault fault;
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	for (unsigned i = 0; i < 33; i++)
		pv_buf_append_text(&text, i ? ",a" : "a");
	struct pv_expression *expression =
	    pv_expression_create(PV_EXPRESSION_CSS, pv_buf_str(&text), &fault);
	ok(!expression, "33 selectors: %s", fault.text);
	pv_buf_clear(&text);
	for (unsigned i = 0; i < 17; i++)
		pv_buf_append_text(&text, "a ");
	expression =
	    pv_expression_create(PV_EXPRESSION_CSS, pv_buf_str(&text), &fault);
	ok(!expression, "17 elements: %s", fault.text);
	pv_buf_clear(&text);
	for (unsigned i = 0; i < 17; i++)
		pv_buf_append_text(&text, ".a");
	expression =
	    pv_expression_create(PV_EXPRESSION_CSS, pv_buf_str(&text), &fault);
	ok(!expression, "17 conditions: %s", fault.text);
	pv_buf_finish(&text);
}

int main(void)
{
	struct pv_str html = pv_str_of(page);
	scene_try(
	    html, PV_EXPRESSION_CSS, cases, sizeof(cases) / sizeof(*cases));
	scene_try(
	    html, PV_EXPRESSION_CSS, faults, sizeof(faults) / sizeof(*faults));
	test_context();
	test_ceilings();
	return tap_done();
}
