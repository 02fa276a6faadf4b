#include "fields/extract.h"

#include <stdlib.h>

#include "fields/row_json.h"
#include "policy/loaded.h"

/* From a page to rows, problems and links: each case is a kind of page as a
 * policy has it, a page, and what comes of it.
 *
 * A row is written as its line's end is, and a problem as "item field why
 * detail"; a link as "text>kind carry", with its rel in brackets. */
struct extract_case {
	const char *claim;
	const char *kind;
	const char *page;
	const char *rows;
	const char *problems;
	const char *links;
	const char *carry;
};

static const struct extract_case cases[] = {
    {"a selector alone takes the text of the first element", "fields: {t: h1}",
	"<h1> A  b\n</h1><h1>c</h1>", "{\"t\":\"A b\"}\n", "", "", NULL},
    {"a field that finds nothing is null, and is told",
	"fields: {t: h1, u: h2}", "<h1>a</h1>", "{\"t\":\"a\",\"u\":null}\n",
	"1 u nothing found \n", "", NULL},
    {"an empty text is nothing", "fields: {t: h1}", "<h1> </h1>",
	"{\"t\":null}\n", "1 t nothing found \n", "", NULL},
    {"a default stands for what is not there, and nothing is told",
	"fields: {t: {css: h1, default: nothing}, n: {css: b, type: integer, "
	"default: 0}, j: {json: /a, in: ld, default: 5}}",
	"<p>", "{\"t\":\"nothing\",\"n\":0,\"j\":5}\n", "", "", NULL},
    {"of many the default is a list of one",
	"fields: {a: {css: b, many: true, type: integer, default: 0}}", "<p>",
	"{\"a\":[0]}\n", "", "", NULL},
    {"what is no value of its type is told, and its default stands",
	"fields: {n: {css: b, type: integer, default: 0}, m: {css: b, type: "
	"number}}",
	"<b>many</b>", "{\"n\":0,\"m\":null}\n",
	"1 n wrong type many\n1 m wrong type many\n", "", NULL},
    {"without a required field there is no row",
	"fields: {t: {css: h1, required: true}, u: p}", "<p>a</p>", "",
	"1 t nothing found  required\n", "", NULL},
    {"many takes all, and may be an empty list",
	"fields: {a: {css: li, many: true}, b: {css: dd, many: true}}",
	"<li>1<li>2<li>", "{\"a\":[\"1\",\"2\"],\"b\":[]}\n",
	"1 b nothing found \n", "", NULL},
    {"of ::text and ::attr() the first counts, too",
	"fields: {a: \"p::text\", b: \"img::attr(src)\"}",
	"<p>x<b>y</b>z</p><img src=1><img src=2>",
	"{\"a\":\"x\",\"b\":\"1\"}\n", "", "", NULL},
    {"white space stays where trim is false",
	"fields: {t: {css: pre, trim: false}}", "<pre> a\n b</pre>",
	"{\"t\":\" a\\n b\"}\n", "", "", NULL},
    {"an element's text leaves out scripts, and html leaves in all",
	"fields: {t: div, h: {css: div, type: html}}",
	"<div>a<script>b</script></div>",
	"{\"t\":\"a\",\"h\":\"<div>a<script>b</script></div>\"}\n", "", "",
	NULL},
    {"addresses are joined to the page's base",
	"fields: {u: {css: \"a::attr(href)\", type: url}}",
	"<base href=/x/><a href=../y?q=1#f>",
	"{\"u\":\"http://a.example/y?"
	"q=1#f\"}\n",
	"", "", NULL},
    {"an XPath may give a number or a text",
	"fields: {n: {xpath: \"count(//li)\", type: integer}, t: {xpath: "
	"\"string(//b)\"}}",
	"<li><li><b>x</b>", "{\"n\":2,\"t\":\"x\"}\n", "", "", NULL},
    {"JSON-LD of a type, with @graph, its digits whole",
	"fields: {s: {json: /sku, in: ld, of: Product}, p: {json: "
	"/offers/price, in: ld, of: Product}}",
	"<script type=application/ld+json>{\"@type\":\"Other\",\"sku\":1}"
	"</script><script type='application/ld+json'>{\"@graph\":[{\"@type\":"
	"\"Product\",\"sku\":12345678901234567890,\"offers\":{\"price\":1.50}}]"
	"}</script>",
	"{\"s\":12345678901234567890,\"p\":1.50}\n", "", "", NULL},
    {"JSON keeps its types, unless the field has one",
	"fields: {a: {json: /a, in: ld}, b: {json: /b, in: ld}, c: {json: /c, "
	"in: ld}, d: {json: /a, in: ld, type: text}, e: {json: /e/*, in: ld, "
	"many: true}}",
	"<script type=application/ld+json>{\"a\":1,\"b\":true,\"c\":{\"x\":[]},"
	"\"e\":[1,\"2\",null]}</script>",
	"{\"a\":1,\"b\":true,\"c\":{\"x\":[]},\"d\":\"1\",\"e\":[1,\"2\"]}\n",
	"", "", NULL},
    {"a value in a script, by what stands before it",
	"fields: {s: {json: /item/stock, in: script, after: \"window.state "
	"=\"}}",
	"<script>var a = {};</script><script>window.state = "
	"{\"item\":{\"stock\":7}}; go()</script>",
	"{\"s\":7}\n", "", "", NULL},
    {"a regular expression alone, and behind another source",
	"fields: {a: {regex: 'id=(\\d+)'}, b: {css: p, regex: '(?<value>[0-9]+)"
	" of', type: integer}, c: {css: p, regex: '[0-9]+', many: true}}",
	"<!--id=42--><p>3 of 5</p>",
	"{\"a\":\"42\",\"b\":3,\"c\":[\"3\",\"5\"]}\n", "", "", NULL},
    {"meta by name or property, in any case",
	"fields: {a: {meta: og:title}, b: {meta: Author}}",
	"<meta property=og:title content=T><meta name=author content=N>",
	"{\"a\":\"T\",\"b\":\"N\"}\n", "", "", NULL},
    {"parts of the page's address",
	"fields: {w: {url: whole}, h: {url: host}, p: {url: path}, q: {url: "
	"query}, i: {url: id}, n: {url: path, regex: '([a-z]+)$'}}",
	"",
	"{\"w\":\"http://a.example/shop/page?id=5&x=\",\"h\":\"a.example\","
	"\"p\":\"/shop/page\",\"q\":\"id=5&x=\",\"i\":\"5\",\"n\":\"page\"}\n",
	"", "", NULL},
    {"each gives a row for each element, numbered as they stand",
	"{each: li, fields: {t: {css: b, required: true}}}",
	"<li><b>1</b><li>x<li><b>3</b>", "{\"t\":\"1\"}\n{\"t\":\"3\"}\n",
	"2 t nothing found  required\n", "", NULL},
    {"each of JSON: fields are read within it",
	"{each: {json: \"/items/*\", in: ld}, fields: {n: {json: /name}}}",
	"<script type=application/ld+json>{\"items\":[{\"name\":\"a\"},"
	"{\"name\":\"b\"}]}</script>",
	"{\"n\":\"a\"}\n{\"n\":\"b\"}\n", "", "", NULL},
    {"records within a record",
	"fields: {t: h1, r: {each: .r, fields: {by: b, s: {xpath: \"@s\", "
	"type: integer}}}}",
	"<h1>x</h1><div class=r s=4><b>A</b></div><div class=r s=no><b>B</b>"
	"</div>",
	"{\"t\":\"x\",\"r\":[{\"by\":\"A\",\"s\":4},{\"by\":\"B\",\"s\":null}]"
	"}\n",
	"1 r.s wrong type no\n", "", NULL},
    {"what a link carried comes first, and may be missing", "fields: {t: h1}",
	"<h1>x</h1>",
	"{\"category\":\"Caf\xc3\xa9\",\"m\":10000000000000000000000,\"gone\":"
	"null,\"t\":\"x\"}\n",
	"", "", "{\"category\":\"Caf\xc3\xa9\",\"m\":10000000000000000000000}"},
    {"links: an element leads where its href says",
	"follow: [{css: a, as: other}]",
	"<a href=1>x</a><a name=y><a href=/2 rel='x nofollow'>", "", "",
	"1>1\n/2>1 [x nofollow]\n", NULL},
    {"and a link by its attribute has the rel of its element",
	"follow: [{css: \"a::attr(href)\", as: other}, {xpath: \"//a/@href\", "
	"as: k}]",
	"<a href=1>x</a><a href=/2 rel=nofollow>", "", "",
	"1>1\n/2>1 [nofollow]\n1>0\n/2>0 [nofollow]\n", NULL},
    {"links by ::attr(), JSON and regular expressions, in that order",
	"follow: [{css: \"li::attr(data-u)\", as: other}, {json: /next, in: "
	"ld, as: k}, {regex: 'go\\(\"(.*?)\"\\)', as: other}]",
	"<li data-u=1><script type=application/ld+json>{\"next\":\"2\"}"
	"</script><script>go(\"3\")</script>",
	"", "", "1>1\n2>0\n3>1\n", NULL},
    {"a limit counts links", "follow: [{css: a, as: other, limit: 1}]",
	"<a href=1><a href=2>", "", "", "1>1\n", NULL},
    {"a link carries values of the page's row",
	"{fields: {t: h1, m: {css: i, type: integer}}, follow: [{css: a, as: "
	"other, carry: [t, m]}]}",
	"<h1>\"x\"</h1><i>5</i><a href=1>", "{\"t\":\"\\\"x\\\"\",\"m\":5}\n",
	"", "1>1 {\"t\":\"\\\"x\\\"\",\"m\":5}\n", NULL},
    {"with each it carries those of its own row",
	"{each: li, fields: {t: b}, follow: [{css: a, as: other, carry: [t]}, "
	"{css: a.next, as: k}]}",
	"<ul><li><b>1</b><a href=p1></a><li><b>2</b><a href=p2></a></ul><a "
	"class=next href=n>",
	"{\"t\":\"1\"}\n{\"t\":\"2\"}\n", "",
	"p1>1 {\"t\":\"1\"}\np2>1 {\"t\":\"2\"}\nn>0\n", NULL},
};

struct scene {
	struct loaded loaded;
	struct pv_field_readers readers;
	struct pv_url url;
	struct pv_row_page page;
	struct pv_rows rows;
	struct pv_buf text;
};

static void open_scene(struct scene *scene, const struct extract_case *one)
{
	struct pv_buf policy;
	pv_buf_init(&policy, 1 << 16);
	pv_buf_append_format(&policy,
	    "version: 1\nseeds: [\"http://127.0.0.1/\"]\npages:\n"
	    "  k: %s%s%s\n"
	    "  other: {fields: {x: p}}\n"
	    "%s",
	    one->kind[0] == '{' ? "" : "{", one->kind,
	    one->kind[0] == '{' ? "" : "}",
	    one->carry ? "  from: {fields: {category: p, m: p, gone: p}, "
			 "follow: [{css: a, as: k, carry: [category, m, gone]}"
			 "]}\n"
		       : "");
	scene->loaded = load_text(pv_buf_text(&policy));
	pv_buf_finish(&policy);
	pv_rows_init(&scene->rows);
	pv_url_init(&scene->url, 1 << 12);
	pv_buf_init(&scene->text, 1 << 20);
	pv_url_parse(&scene->url, PV_STR("http://a.example/shop/page?id=5&x="));
}

static void close_scene(struct scene *scene)
{
	pv_rows_finish(&scene->rows);
	pv_url_finish(&scene->url);
	pv_buf_finish(&scene->text);
	loaded_finish(&scene->loaded);
}

static struct pv_str rows_of(struct scene *scene)
{
	pv_buf_clear(&scene->text);
	for (size_t i = 0; i < scene->rows.count; i++) {
		size_t start = scene->text.len;
		pv_row_json_write_values(
		    scene->page.kind, &scene->rows.items[i], &scene->text);
		if (scene->text.len > start)
			scene->text.ptr[start] = '{';
	}
	return pv_buf_str(&scene->text);
}

static struct pv_str problems_of(struct scene *scene)
{
	pv_buf_clear(&scene->text);
	for (size_t i = 0; i < scene->rows.problem_count; i++) {
		const struct pv_field_problem *problem =
		    &scene->rows.problems[i];
		pv_buf_append_format(&scene->text, "%u %s %s %.*s%s\n",
		    problem->item, problem->field ? problem->field : "page",
		    pv_field_fault_word(problem->fault),
		    PV_STR_ARG(problem->detail),
		    problem->is_required ? " required" : "");
	}
	return pv_buf_str(&scene->text);
}

static void on_link(void *ctx, const struct pv_followed *link)
{
	struct pv_buf *text = ctx;
	pv_buf_append_format(text, "%.*s>%zu%s%.*s", PV_STR_ARG(link->text),
	    link->kind, link->carry.len ? " " : "", PV_STR_ARG(link->carry));
	if (link->rel.ptr)
		pv_buf_append_format(text, " [%.*s]", PV_STR_ARG(link->rel));
	pv_buf_append_char(text, '\n');
}

static void begin_of(
    struct scene *scene, const struct extract_case *one, size_t page_bytes)
{
	const struct pv_policy *policy = scene->loaded.policy;
	pv_field_readers_init(&scene->readers, &policy->pages, NULL);
	scene->page = (struct pv_row_page){
	    .kind = &policy->pages.items[0],
	    .readers = &scene->readers,
	    .url = &scene->url,
	    .text = pv_str_of(one->page),
	    .carry = pv_str_of(one->carry ? one->carry : ""),
	    .ceilings = {.page_bytes = page_bytes,
		.value_bytes = 1 << 16,
		.rows = 100},
	};
	pv_row_page_begin(&scene->page);
}

static void begin(struct scene *scene, const struct extract_case *one)
{
	begin_of(scene, one, 1 << 20);
}

static void try_case(const struct extract_case *one)
{
	struct scene scene;
	open_scene(&scene, one);
	if (ok(is_right(&scene.loaded), "%s: its policy is right",
		one->claim)) {
		begin(&scene, one);
		pv_rows_extract(&scene.page, &scene.rows);
		is_text(rows_of(&scene), one->rows, "%s", one->claim);
		is_text(problems_of(&scene), one->problems,
		    "%s: and is told so", one->claim);
		pv_buf_clear(&scene.text);
		pv_links_follow(&scene.page, &scene.rows, on_link, &scene.text);
		is_text(pv_buf_str(&scene.text), one->links,
		    "%s: and leads there", one->claim);
		pv_row_page_end(&scene.page);
		pv_field_readers_finish(&scene.readers);
	}
	close_scene(&scene);
}

/* P5: what a page can make large has a ceiling, and is told. */
static void test_ceilings(void)
{
	static const struct extract_case one = {.claim = "ceilings",
	    .kind = "{each: li, fields: {t: b, m: {css: i, many: true}}}",
	    .page = ""};
	struct scene scene;
	struct pv_buf page;
	open_scene(&scene, &one);
	pv_buf_init(&page, 1 << 20);
	for (int i = 0; i < 5; i++)
		pv_buf_append_text(
		    &page, "<li><b>123456789</b><i>1</i><i>2</i><i>3</i></li>");
	begin(&scene, &one);
	scene.page.text = pv_buf_str(&page);
	scene.page.ceilings.rows = 2;
	scene.page.ceilings.value_bytes = 8;
	pv_rows_extract(&scene.page, &scene.rows);
	is_text(rows_of(&scene),
	    "{\"t\":null,\"m\":[\"1\",\"2\"]}\n{\"t\":null,\"m\":[\"1\","
	    "\"2\"]}\n",
	    "P5: rows, values and their length have ceilings");
	is_text(problems_of(&scene),
	    "1 t too long \n1 m too many \n2 t too long \n2 m too many \n"
	    "0 page too many \n",
	    "P4: each of which is told");
	pv_row_page_end(&scene.page);
	pv_field_readers_finish(&scene.readers);
	pv_buf_finish(&page);
	close_scene(&scene);
}

/* A page that is cut within a character ends before it: half of one would be no
 * UTF-8, in which no regular expression is searched for. */
static void test_cut_character(size_t bytes)
{
	static const struct extract_case one = {.claim = "a cut character",
	    .kind = "fields: {t: p, r: {regex: 'a.*'}, j: {json: /a, in: ld}}",
	    .page = "<p>ab\U0001f600\u00e9"};
	struct scene scene;
	open_scene(&scene, &one);
	begin_of(&scene, &one, bytes);
	pv_rows_extract(&scene.page, &scene.rows);
	is_text(rows_of(&scene),
	    bytes < 9 ? "{\"t\":\"ab\",\"r\":\"ab\",\"j\":null}\n"
		      : "{\"t\":\"ab\U0001f600\",\"r\":\"ab\U0001f600\","
			"\"j\":null}\n",
	    "a page of %zu bytes ends before the character that is cut", bytes);
	is_text(problems_of(&scene),
	    "1 j nothing found \n0 page page cut short \n",
	    "P4: that it is cut is all that is told of it");
	pv_row_page_end(&scene.page);
	pv_field_readers_finish(&scene.readers);
	close_scene(&scene);
}

/* A link whose values are too long carries nothing, and is followed. */
static void test_long_carry(const char *kind)
{
	const struct extract_case one = {
	    .claim = "carry", .kind = kind, .page = ""};
	struct scene scene;
	struct pv_buf page;
	open_scene(&scene, &one);
	pv_buf_init(&page, 1 << 16);
	pv_buf_append_text(&page, "<li><b>");
	for (int i = 0; i < PV_CARRY_MAX; i++)
		pv_buf_append_char(&page, 'x');
	pv_buf_append_text(&page, "</b><a href=1></a></li>");
	begin(&scene, &one);
	scene.page.text = pv_buf_str(&page);
	pv_rows_extract(&scene.page, &scene.rows);
	pv_buf_clear(&scene.text);
	pv_links_follow(&scene.page, &scene.rows, on_link, &scene.text);
	is_text(pv_buf_str(&scene.text), "1>1\n",
	    "P5: what a link carries has a ceiling (%s)", kind);
	is_text(problems_of(&scene), "0 follow.other.carry too long \n",
	    "P4: which is told");
	pv_row_page_end(&scene.page);
	pv_field_readers_finish(&scene.readers);
	pv_buf_finish(&page);
	close_scene(&scene);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		try_case(&cases[i]);
	test_ceilings();
	for (size_t bytes = 5; bytes <= 10; bytes++)
		test_cut_character(bytes);
	test_long_carry("{fields: {t: b}, follow: [{css: a, as: other, carry: "
			"[t]}]}");
	test_long_carry("{each: li, fields: {t: b}, follow: [{css: a, as: "
			"other, carry: [t]}]}");
	return tap_done();
}
