#include "policy/values/private_list.h"

#include "tap.h"

static const struct {
	const char *host;
	const char *address;
	bool is_there;
	const char *claim;
} cases[] = {
    {"a.test", "127.0.0.1", true, "a range has its addresses"},
    {"a.test", "127.255.0.1", true, "all of them"},
    {"a.test", "10.0.0.1", false, "and no other"},
    {"wiki.test", "10.0.0.1", true, "a name is reached wherever it is"},
    {"wiki.test.", "10.0.0.1", true, "also with its dot"},
    {"x.wiki.test", "10.0.0.1", false, "names below it are others"},
    {"x.docs.test", "10.0.0.1", true, "a star has them"},
    {"docs.test", "10.0.0.1", false, "but not the name itself"},
    {"xdocs.test", "10.0.0.1", false, "nor one that ends like it"},
    {"a.test", "169.254.169.254", false,
	"P7: link-local addresses are in no wider range"},
    {"a.test", "fe80::1", false, "P7: of either version"},
    {"a.test", "fd00::1", true, "but others are"},
};

static void test_list(void)
{
	static const char *const texts[] = {"127.0.0.0/8", "wiki.test",
	    "*.docs.test", "169.0.0.0/8", "f000::/4"};
	struct pv_private_list list;
	pv_private_list_init(&list);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ok(!pv_private_list_add(&list, pv_str_of(texts[i])),
		    "%s is an entry", texts[i]);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_address address;
		pv_address_read(pv_str_of(cases[i].address), &address);
		ok(pv_private_list_has(&list, pv_str_of(cases[i].host),
		       &address) == cases[i].is_there,
		    "%s: %s", cases[i].address, cases[i].claim);
	}
	struct pv_address metadata;
	pv_address_read(PV_STR("169.254.169.254"), &metadata);
	ok(!pv_private_list_add(&list, PV_STR("169.254.169.254")) &&
		pv_private_list_has(&list, PV_STR("a.test"), &metadata),
	    "an entry of their own lets link-local addresses be reached");
	const char *fault = pv_private_list_add(&list, PV_STR("a b"));
	ok(fault && *fault && list.count == 6, "what is none is refused: %s",
	    fault ? fault : "");
	pv_private_list_finish(&list);
}

int main(void)
{
	test_list();
	return tap_done();
}
