#include "scope/page_kind.h"

#include "policy/loaded.h"

#define HOST "https://shop.example"

static const char policy[] =
    "pages:\n"
    "  sale: {match: {path: \"/category/sale*\"}, fields: {a: p}}\n"
    "  named: {fields: {a: p}}\n"
    "  category:\n"
    "    match: [{path: \"/category/*\"}, {url: \"[?&]c=\"}]\n"
    "    fields: {a: p}\n"
    "  data: {match: {ext: json, host: \"api.*\"}, fields: {a: {json: /a}}}\n"
    "  slow: {match: {url: \"^(([a-z]+)+)+$\"}, fields: {a: p}}\n"
    "  rest: {match: {path: \"/*\", host: shop.example}, fields: {a: p}}\n";

static const struct {
	const char *address;
	const char *kind; /* "" for none */
	const char *claim;
} cases[] = {
    {HOST "/category/books", "category", "a kind is found by a path"},
    {HOST "/category/sale", "sale", "the first of two that fit counts"},
    {HOST "/?c=1", "category", "any rule of a kind may fit"},
    {HOST "/x.json", "rest", "all that a rule names must fit"},
    {"https://api.example/x.json", "data", "as it does here"},
    {"https://other.example/", "", "what fits none has no kind"},
    {"https://other.example/named", "",
	"a kind without match is found by nothing"},
    {HOST "/category/sale#x", "sale", "a fragment is no part of it"},
};

int main(void)
{
	struct loaded loaded = load_text(policy);
	struct pv_page_kinds kinds;
	struct pv_arena arena;
	struct pv_url url;
	const struct pv_pages *pages = &loaded.policy->pages;
	pv_arena_init(&arena);
	pv_url_init(&url, 65536);
	ok(is_right(&loaded), "the policy is right");
	pv_page_kinds_init(&kinds, pages, &arena);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ok(pv_url_parse(&url, pv_str_of(cases[i].address)) == PV_URL_OK,
		    "%s is an address", cases[i].address);
		unsigned kind = pv_page_kinds_match(&kinds, &url);
		is_text(pv_str_of(kind ? pages->items[kind - 1].name : ""),
		    cases[i].kind, "%s", cases[i].claim);
	}
	struct pv_pages none = {0};
	pv_page_kinds_init(&kinds, &none, &arena);
	ok(!pv_page_kinds_match(&kinds, &url),
	    "where there are no kinds nothing is of one");
	pv_url_finish(&url);
	pv_arena_finish(&arena);
	loaded_finish(&loaded);
	return tap_done();
}
