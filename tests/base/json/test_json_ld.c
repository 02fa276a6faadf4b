#include "base/json/json_ld.h"

#include "base/json/json.h"
#include "tap.h"

#define PRODUCT "{\"@type\":\"Product\",\"n\":1}"
#define OFFER "{\"@type\":[\"Thing\",\"https://schema.org/Offer\"],\"n\":2}"
#define BARE "{\"n\":3}"
#define LIST "[" PRODUCT "," OFFER "," BARE ",5,[" PRODUCT "]]"
#define GRAPH "{\"n\":4,\"@type\":\"Page\",\"@graph\":" LIST "}"

static const struct {
	const char *json;
	const char *type;
	const char *found; /* the n of each */
} cases[] = {
    {PRODUCT, "Product", "1"},
    {PRODUCT, "", "1"},
    {PRODUCT, "product", ""},
    {PRODUCT, "Offer", ""},
    {PRODUCT, "https://schema.org/Product", "1"},
    {PRODUCT, "http://schema.org/Product", "1"},
    {PRODUCT, "https://example.org/Product", ""},
    {OFFER, "Offer", "2"},
    {OFFER, "Thing", "2"},
    {OFFER, "http://schema.org/Offer", "2"},
    {BARE, "Product", ""},
    {LIST, "", "123"},
    {LIST, "Product", "1"},
    {GRAPH, "", "4123"},
    {GRAPH, "Offer", "2"},
    {GRAPH, "Page", "4"},
    {"[" GRAPH "," PRODUCT "]", "Product", "11"},
    {"[" GRAPH "," PRODUCT "]", "", "41231"},
    {"{\"@graph\":" PRODUCT "}", "Product", "1"},
    {"{\"@graph\":5}", "Product", ""},
    {"{\"@type\":5}", "Product", ""},
    {"{\"@type\":[5,null,[\"Product\"]]}", "Product", ""},
    {"\"Product\"", "Product", ""},
    {"5", "", ""},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_json *block =
		    pv_json_read_page(pv_str_of(cases[i].json));
		struct pv_json_list list;
		char found[16] = "";
		pv_json_list_init(&list);
		pv_json_ld_find(block, pv_str_of(cases[i].type), &list);
		for (size_t k = 0; k < list.count; k++) {
			const struct pv_json *n =
			    pv_json_page_member(list.items[k], PV_STR("n"));
			if (n && k + 1 < sizeof(found))
				found[strlen(found)] =
				    pv_json_page_text(n).ptr[0];
		}
		ok(strcmp(found, cases[i].found) == 0,
		    "\"%s\" in %s: \"%s\", found \"%s\"", cases[i].type,
		    cases[i].json, cases[i].found, found);
		pv_json_list_finish(&list);
		pv_json_destroy(block);
	}
	return tap_done();
}
