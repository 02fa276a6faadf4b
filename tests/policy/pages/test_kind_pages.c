#include "policy/pages.h"

#include "policy/loaded.h"
#include "policy/option.h"

/* Kinds of pages as they are read, and written out with their places. */

static const char shop[] =
    "seeds: [{url: http://localhost/, as: category}]\n"
    "pages:\n"
    "  category:\n"
    "    match: {path: \"/category/*\"}\n"
    "    fields: {category: h1}\n"
    "    follow:\n"
    "      - {css: \"article h3 a\", as: product, carry: [category]}\n"
    "      - {css: \"li.next a\", as: category}\n"
    "  product:\n"
    "    fields:\n"
    "      title: {css: h1, required: true}\n"
    "      price: {css: \".price::text\", type: number, decimal: \",\"}\n"
    "      sku: {json: /sku, in: ld, of: Product}\n"
    "      stock: {json: /item/stock, in: script, after: \"window.state =\","
    " default: 0}\n"
    "      added: {meta: \"article:published_time\", type: date}\n"
    "      images: {css: \"img.big::attr(src)\", type: url, many: true}\n"
    "      reviews:\n"
    "        each: .review\n"
    "        fields: {by: .author, stars: {xpath: \"@data-stars\", type: "
    "integer}}\n"
    "    follow: [{css: a.all, as: review, carry: [sku], limit: 1}]\n"
    "  review:\n"
    "    each: .review\n"
    "    fields: {text: p}\n"
    "output: {fields: {forms: [jsonl, csv, sqlite]}}\n";

static void test_product(const struct pv_page_kind *product)
{
	const struct pv_field *fields = product->fields;
	ok(product->field_count == 7 && !product->has_each &&
		!product->match.count,
	    "a kind has its fields, and need not match anything");
	ok(fields[0].is_required && fields[0].form.type == PV_VALUE_TEXT &&
		fields[0].source.kind == PV_SOURCE_CSS &&
		fields[0].source.expression,
	    "a field is a text unless its type is said");
	ok(fields[1].form.type == PV_VALUE_NUMBER &&
		fields[1].form.decimal == ',',
	    "a number may have a decimal comma");
	ok(fields[2].form.type == PV_VALUE_JSON &&
		fields[2].source.place == PV_JSON_LD,
	    "JSON keeps its own types");
	is_text(pv_str_of(fields[2].source.of), "Product",
	    "of JSON-LD a type is named");
	is_text(pv_str_of(fields[3].preset), "0", "a default is JSON");
	is_text(pv_str_of(fields[3].source.after),
	    "window.state =", "what stands before a value in a script is kept");
	ok(fields[5].is_many && fields[5].form.type == PV_VALUE_URL,
	    "a field may have many values");
	ok(fields[6].field_count == 2 && fields[6].number == 7 &&
		fields[6].fields[1].number == 9,
	    "records within have fields, which are numbered with all others");
	is_text(pv_str_of(fields[0].join), "\n",
	    "many values are joined by line ends");
}

static void test_shop(void)
{
	struct loaded loaded = load_text(shop);
	const struct pv_pages *pages = &loaded.policy->pages;
	if (!ok(is_right(&loaded) && pages->count == 3,
		"a shop of three levels is right")) {
		loaded_finish(&loaded);
		return;
	}
	const struct pv_page_kind *category = &pages->items[0];
	ok(category->match.count == 1 && category->follow_count == 2 &&
		category->follow[0].kind == 1 && category->follow[1].kind == 0,
	    "links know the kinds that they lead to");
	ok(pages->items[1].carried.count == 1 &&
		pages->items[2].carried.count == 1,
	    "and these the columns that are brought");
	is_text(pv_str_of(pages->items[2].carried.items[0]), "sku",
	    "which have the names of the fields");
	ok(category->follow[0].limit == PV_NONE &&
		pages->items[1].follow[0].limit == 1,
	    "as many links as there are count, or so many");
	test_product(&pages->items[1]);
	ok(pages->items[2].has_each, "a kind may have a row for each element");
	ok(pages->field_total == 11, "all fields are counted");
	ok(loaded.policy->output.fields.forms ==
		(PV_FIELDS_JSONL | PV_FIELDS_CSV | PV_FIELDS_SQLITE),
	    "rows may be written in all forms");
	ok(pv_pages_find(pages, PV_STR("review")) == 2 &&
		pv_pages_find(pages, PV_STR("Review")) == 3,
	    "a kind is found by its name");
	ok(is_identity(&loaded), "and all of it is read back");
	loaded_finish(&loaded);
}

/* A name goes as far as links bring it, whatever the order of the kinds. */
static void test_carried(void)
{
	struct loaded loaded = load_text(
	    "pages:\n"
	    "  c: {fields: {r: p}, follow: [{css: a, as: c, carry: [q, p]}]}\n"
	    "  b: {fields: {q: p}, follow: [{css: a, as: c, carry: [p, q]}]}\n"
	    "  a: {fields: {p: p}, follow: [{css: a, as: b, carry: [p]}]}\n");
	const struct pv_pages *pages = &loaded.policy->pages;
	ok(is_right(&loaded) && pages->count == 3 &&
		pages->items[0].carried.count == 2 &&
		pages->items[1].carried.count == 1 &&
		!pages->items[2].carried.count,
	    "a name is brought over several kinds, and round a circle");
	ok(is_identity(&loaded), "and is read back");
	loaded_finish(&loaded);
}

static void test_nearest(void)
{
	struct loaded loaded = load_text(shop);
	const struct pv_pages *pages = &loaded.policy->pages;
	is_text(pv_str_of(pv_pages_nearest(pages, PV_STR("prodcut"))),
	    "product", "a kind that is misspelt is guessed");
	ok(!pv_pages_nearest(pages, PV_STR("something")),
	    "one that resembles none is not");
	loaded_finish(&loaded);
}

static void test_output(void)
{
	static const struct {
		const char *policy;
		bool has_mirror;
		bool has_requisites;
		unsigned forms;
	} cases[] = {
	    {"version: 1", true, true, PV_FIELDS_JSONL},
	    {"pages: {}", true, true, PV_FIELDS_JSONL},
	    {"pages: {a: {fields: {b: p}}}", false, false, PV_FIELDS_JSONL},
	    {"pages: {a: {fields: {b: p}}}\noutput: {mirror: {}}", true, true,
		PV_FIELDS_JSONL},
	    {"pages: {a: {fields: {b: p}}}\nscope: {requisites: true}", false,
		true, PV_FIELDS_JSONL},
	    {"pages: {a: {fields: {b: p}}}\noutput: {fields: {forms: csv}}",
		false, false, PV_FIELDS_CSV},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct loaded loaded = load_text(cases[i].policy);
		const struct pv_policy *policy = loaded.policy;
		ok(policy->output.has_mirror == cases[i].has_mirror &&
			policy->scope.requisites == cases[i].has_requisites &&
			policy->output.fields.forms == cases[i].forms,
		    "what is stored follows from pages, case %zu", i);
		ok(is_identity(&loaded), "and still does when read back");
		loaded_finish(&loaded);
	}
}

/* Writing */

static void test_places(void)
{
	static const char policy[] =
	    "pages:\n"
	    "  a:\n"
	    "    follow:\n"
	    "      - {css: a, as: b}\n"
	    "    fields:\n"
	    "      t:\n"
	    "        css: h1\n"
	    "    match:\n"
	    "      - path: /x\n"
	    "      - path: /y\n"
	    "  \"true\": {each: {css: p}, fields: {t: p, u: {css: a}}}\n"
	    "  b: {fields: {t: p}}\n";
	static const char written[] =
	    "pages:\n"
	    "  a:  # policy.yaml:2\n"
	    "    follow:\n"
	    "      - {css: a, as: b}  # policy.yaml:4\n"
	    "    fields:\n"
	    "      t: {css: h1}  # policy.yaml:6\n"
	    "    match:\n"
	    "      - {path: /x}  # policy.yaml:9\n"
	    "      - {path: /y}  # policy.yaml:10\n"
	    "  \"true\":  # policy.yaml:11\n"
	    "    each: {css: p}  # policy.yaml:11\n"
	    "    fields:\n"
	    "      t: p  # policy.yaml:11\n"
	    "      u: {css: a}  # policy.yaml:11\n"
	    "  b:  # policy.yaml:12\n";
	struct loaded loaded = load_text(policy);
	ok(is_right(&loaded), "keys may stand in any order");
	ok(has_text(effective_of(&loaded), written),
	    "each line tells where it comes from");
	ok(is_identity(&loaded), "which is kept when it is read back");
	loaded_finish(&loaded);
}

/* What is hard to write, as a field each. */
static const char *const texts[] = {
    "{css: p, default: \"0\"}",
    "{css: p, default: 0}",
    "{css: p, default: \"\"}",
    "{css: p, default: \"none\"}",
    "{css: p, default: 'null'}",
    "{css: p, default: \"true\"}",
    "{css: p, default: yes}",
    "{css: p, default: 2026-01-31}",
    "{css: p, default: \"a: b # c\"}",
    "{css: p, default: 'it''s \"so\"'}",
    "{css: p, default: \"\\u00e9\\u4e2d\\U0001F600\\uFFFE\\x1b\\n\\t\"}",
    "{css: p, type: integer, default: -98765432109876543210}",
    "{css: p, type: number, default: 1.50}",
    "{css: p, type: number, default: 1e3}",
    "{css: p, type: bool, default: false}",
    "{css: p, type: date, default: 2026-01-31T09:00:00Z, timezone: UTC}",
    "{css: p, type: date, format: '%d.%m.%Y %H:%M', timezone: \"+02:00\"}",
    "{css: p, type: html}",
    "{css: p, type: text, trim: false}",
    "{css: p, many: true, join: \"\"}",
    "{css: p, many: true, join: \"; \"}",
    "{css: p, many: true, join: \"\\n\"}",
    "{css: p, regex: '(?<value>\\d+\\.\\d\\d)\\s*\"'}",
    "{css: p, regex: \"\\\\bNr\\\\. (\\\\w+)\"}",
    "{css: \"a[title='x, \\\"y\\\"']\"}",
    "{css: 'p::text', required: true}",
    "\"#id > .a + b ~ c, *\"",
    "'a[href$=\".pdf\" i]'",
    "{xpath: \"//a[contains(., 'x: y')]/@href\"}",
    "{xpath: '//*[@id=\"a\"]'}",
    "{json: \"\"}",
    "{json: /, in: body}",
    "{json: /a~1b/~0/*/0, in: ld}",
    "{json: \"/\\u00e9 \\\"\", in: ld, of: \"5\"}",
    "{json: /a, default: \"[1, {}]\"}",
    "{json: /a, default: unknown}",
    "{json: /a, in: script, after: \"var x = \"}",
    "{json: /a, regex: \"^(.)\", trim: false}",
    "{regex: '\"sku\":\"(.*?)\"'}",
    "{meta: \"og:title\"}",
    "{header: Last-Modified, type: date}",
    "{url: path, regex: \"/(\\\\d+)$\", type: integer}",
    "{url: \"a b\"}",
    "{each: .r, fields: {c: p, d: {css: q, default: 0}}, required: true}",
    "{fields: {c: p}, each: {xpath: \".//r\"}}",
    "{each: {json: /reviews/*, in: ld}, fields: {c: {json: /by}}}",
    "|-\n        p.a,\n        p.b",
    ">-\n        p.a,\n        p.b",
};

static void test_texts(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct pv_buf text;
		pv_buf_init(&text, 4096);
		pv_buf_append_format(&text,
		    "pages:\n  a:\n    fields:\n      b: %s\n", texts[i]);
		struct loaded loaded = load_str(pv_buf_str(&text));
		ok(is_right(&loaded) && is_identity(&loaded),
		    "a field is read back as it was meant: %.*s",
		    (int)strcspn(texts[i], "\n"), texts[i]);
		loaded_finish(&loaded);
		pv_buf_finish(&text);
	}
}

/* An empty list is more than none: such pages lead nowhere. */
static void test_empty_follow(void)
{
	struct loaded loaded =
	    load_text("pages: {a: {match: {path: /}, follow: []}}");
	struct loaded again = load_str(effective_of(&loaded));
	ok(is_right(&again) && again.policy->pages.count == 1 &&
		again.policy->pages.items[0].has_follow &&
		is_identity(&loaded),
	    "an empty follow is read back as such");
	loaded_finish(&again);
	loaded_finish(&loaded);
}

/* Defaults differ as they are read, not only as they are written. */
static void test_presets(void)
{
	static const struct {
		const char *field;
		const char *preset;
	} cases[] = {
	    {"{css: p, default: 0}", "\"0\""},
	    {"{css: p, default: \"0\"}", "\"0\""},
	    {"{css: p, default: \"none\"}", "\"none\""},
	    {"{css: p, default: ''}", "\"\""},
	    {"{css: p, type: integer, default: 0}", "0"},
	    {"{css: p, type: number, default: 1.50}", "1.50"},
	    {"{css: p, type: bool, default: true}", "true"},
	    {"{json: /a, default: 0}", "0"},
	    {"{json: /a, default: \"[1]\"}", "[1]"},
	    {"{json: /a, default: \"null\"}", "null"},
	    {"{json: /a, default: some}", "\"some\""},
	    {"{css: p, default: 'a\"b'}", "\"a\\\"b\""},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_buf text;
		pv_buf_init(&text, 4096);
		pv_buf_append_format(
		    &text, "pages: {a: {fields: {b: %s}}}", cases[i].field);
		struct loaded loaded = load_str(pv_buf_str(&text));
		struct loaded again = load_str(effective_of(&loaded));
		const struct pv_pages *pages = &again.policy->pages;
		is_text(pv_str_of(pages->count && pages->items[0].fields->preset
				      ? pages->items[0].fields->preset
				      : "(none)"),
		    cases[i].preset, "the default of %s", cases[i].field);
		loaded_finish(&again);
		loaded_finish(&loaded);
		pv_buf_finish(&text);
	}
}

/* The command line */

static void test_settings(void)
{
	static const struct pv_setting settings[] = {
	    {NULL, "pages={a: {match: {url: \"x\"}, fields: {b: h1}}}"},
	    {NULL, "pages={c: {match: {url: \"y\"}, fields: {d: {regex: "
		   "\"(.)\"}, e: {json: /f}}, follow: [{css: a, as: c}]}}"},
	    {NULL, "output.fields.forms=[csv]"},
	};
	struct pv_sources sources = {.settings = settings,
	    .setting_count = sizeof(settings) / sizeof(*settings)};
	struct loaded loaded = load_sources(&sources);
	const struct pv_pages *pages = &loaded.policy->pages;
	ok(is_right(&loaded) && pages->count == 1,
	    "--set pages takes the place of all kinds");
	ok(has_text(effective_of(&loaded),
	       "pages:\n"
	       "  c:  # --set\n"
	       "    match: {url: \"y\"}  # --set\n"
	       "    fields:\n"
	       "      d: {regex: \"(.)\"}  # --set\n"),
	    "which says where it comes from");
	ok(is_identity(&loaded), "and is read back");
	loaded_finish(&loaded);
}

/* What is wrong leaves what there is in its place, and nothing unreleased. */
static void test_wrong_setting(void)
{
	static const char *const wrong[] = {
	    "pages={c: {fields: {d: {css: a, xpath: b}, e: {regex: \"(x)\"}}}}",
	    "pages={c: {match: [{url: \"x\"}, {url: \"(\"}], fields: {d: p}}}",
	    "pages={c: {each: li, fields: {d: {each: li, fields: {e: \"p[\"}}}}"
	    "}",
	    "pages={c: {fields: {d: p}, follow: [{css: a, as: x}]}}",
	    "pages={c: {fields: {d: p}, follow: [{json: /a, as: c, carry: "
	    "[e]}]}}",
	    "pages={c: {each: \"a::text\", fields: {d: p}}}",
	    "pages={c: {fields: {d: {css: a, type: html, default: 5, required: "
	    "true}}}, C: {fields: {d: p}}}",
	    "pages=[a]",
	    "pages={a: ",
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		const struct pv_setting settings[] = {
		    {NULL, "pages={a: {match: {url: \"x\"}, fields: {b: h1}}}"},
		    {NULL, wrong[i]},
		};
		struct pv_sources sources = {
		    .settings = settings, .setting_count = 2};
		struct loaded loaded = load_sources(&sources);
		ok(pv_why_has_problems(&loaded.why) &&
			loaded.policy->pages.count == 1 &&
			pv_pages_find(&loaded.policy->pages, PV_STR("a")) == 0,
		    "what is wrong takes no place, case %zu", i);
		loaded_finish(&loaded);
	}
}

int main(void)
{
	test_shop();
	test_carried();
	test_nearest();
	test_output();
	test_places();
	test_texts();
	test_empty_follow();
	test_presets();
	test_settings();
	test_wrong_setting();
	return tap_done();
}
