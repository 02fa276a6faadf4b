#include "traps/address_pattern.h"

#include "tap.h"

static const struct {
	const char *url;
	const char *pattern;
} cases[] = {
    {"https://a.test/", "a.test/"},
    {"http://a.test:8080/page", "a.test/"},
    {"http://a.test/page-7.html", "a.test/"},
    {"http://a.test/shop/2024/07/item", "a.test/shop/#/#/"},
    {"http://a.test/s7x22/", "a.test/s#x#/"},
    {"http://a.test/shop/item?id=5&view=print", "a.test/shop/?id&view"},
    {"http://a.test/?id=a=b&id=c", "a.test/?id&id"},
    {"http://a.test/?20240107", "a.test/?#"},
    {"http://a.test/?", "a.test/"},
    {"http://a.test/?&=&x", "a.test/?&&x"},
    {"http://10.0.0.1/a/b", "10.0.0.1/a/"},
    {"http://h7.test/a#fragment", "h7.test/"},
};

static void test_cases(void)
{
	struct pv_url url;
	struct pv_buf pattern;
	pv_url_init(&url, 4096);
	pv_buf_init(&pattern, 4096);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_buf_clear(&pattern);
		pv_url_parse(&url, pv_str_of(cases[i].url));
		ok(pv_address_pattern_write(&url, &pattern) &&
			strcmp(pv_buf_text(&pattern), cases[i].pattern) == 0,
		    "%s is of %s", cases[i].url, cases[i].pattern);
	}
	pv_buf_finish(&pattern);
	pv_buf_init(&pattern, 8);
	pv_url_parse(&url, PV_STR("http://a.test/directory/"));
	ok(!pv_address_pattern_write(&url, &pattern),
	    "what does not fit is told");
	pv_buf_finish(&pattern);
	pv_url_finish(&url);
}

int main(void)
{
	test_cases();
	return tap_done();
}
