#include "crawl/run/origins.h"

#include <stdio.h>

#include "policy/seeds.h"
#include "tap.h"
#include "url/url.h"

/* As the crawl does it with a seed. */
static void add(struct pv_origins *origins, const char *seed)
{
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	pv_url_parse(&url, pv_str_of(seed));
	pv_origins_add(origins, &url);
	pv_url_finish(&url);
}

/* As it does it with an address that it is about to ask for. */
static bool has(const struct pv_origins *origins, const char *address)
{
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	pv_url_parse(&url, pv_str_of(address));
	bool has =
	    pv_origins_has(origins, pv_url_between(&url, 0, url.parts.path));
	pv_url_finish(&url);
	return has;
}

static void test_addresses(void)
{
	static const struct {
		const char *address;
		bool is_named;
	} cases[] = {
	    {"https://shop.example/", true},
	    {"https://shop.example/deep/below?x=1", true},
	    {"HTTPS://SHOP.example:443/", true},
	    {"http://shop.example/", false},
	    {"https://shop.example:8443/", false},
	    {"https://www.shop.example/", false},
	    {"https://shop.example.evil.example/", false},
	    {"https://evil.example/https://shop.example/", false},
	    {"https://shop.example@evil.example/", false},
	    {"https://me:x@shop.example/", false},
	    {"http://127.0.0.1:8080/b", true},
	    {"http://127.0.0.1/", false},
	    {"http://[::1]:8080/", true},
	};
	struct pv_origins origins;
	pv_origins_init(&origins);
	ok(!has(&origins, "https://shop.example/"),
	    "P7: before the seeds nobody is told anything");
	add(&origins, "https://shop.example/index?a=b");
	add(&origins, "https://shop.example/other");
	add(&origins, "http://127.0.0.1:8080/");
	add(&origins, "http://[0:0::1]:8080/");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(has(&origins, cases[i].address) == cases[i].is_named,
		    "P7: what is said in confidence %s %s",
		    cases[i].is_named ? "goes to" : "does not go to",
		    cases[i].address);
	pv_origins_finish(&origins);
}

static void test_copied(void)
{
	struct pv_origins origins;
	pv_origins_init(&origins);
	add(&origins, "https://a.example/");
	ok(pv_origins_has(&origins, PV_STR("https://a.example")),
	    "an authority is copied");
	pv_origins_finish(&origins);
}

static void test_many(void)
{
	struct pv_origins origins;
	char text[64];
	pv_origins_init(&origins);
	for (int i = 0; i < 150000; i++) {
		snprintf(text, sizeof(text), "https://h%d.example", i);
		add(&origins, text);
	}
	ok(origins.count == 100000,
	    "P5: a file of seeds cannot name any number of them");
	ok(pv_origins_has(&origins, PV_STR("https://h7.example")) &&
		pv_origins_has(&origins, PV_STR("https://h99999.example")) &&
		!pv_origins_has(&origins, PV_STR("https://h100000.example")),
	    "the first count");
	pv_origins_finish(&origins);
}

int main(void)
{
	test_addresses();
	test_copied();
	test_many();
	return tap_done();
}
