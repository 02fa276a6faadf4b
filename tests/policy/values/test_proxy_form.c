#include "policy/values/proxy_form.h"

#include <stdlib.h>

#include "tap.h"

/* Proxies as people write them, as they are reached, and as they are shown. */

static const struct {
	const char *text;
	const char *reached; /* NULL: it is none */
	const char *shown;
	bool is_secret;
} proxies[] = {
    {"http://p.test:3128", "http://p.test:3128", "http://p.test:3128", false},
    {"http://P.Test:3128/", "http://p.test:3128", "http://p.test:3128", false},
    {"http://p.test", "http://p.test:1080", "http://p.test:1080", false},
    {"http://p.test:80", "http://p.test:80", "http://p.test:80", false},
    {"https://p.test", "https://p.test:443", "https://p.test:443", false},
    {"socks5://p.test:1", "socks5h://p.test:1", "socks5h://p.test:1", false},
    {"socks5h://[::1]:1080", "socks5h://[::1]:1080", "socks5h://[::1]:1080",
	false},
    {"socks5h://[::1]", "socks5h://[::1]:1080", "socks5h://[::1]:1080", false},
    {"http://me:word@p.test:1", "http://me:word@p.test:1", "http://p.test:1",
	true},
    {"http://me@p.test:1", "http://me@p.test:1", "http://p.test:1", true},
    {"http://m@e:word@p.test:1", "http://m@e:word@p.test:1", "http://p.test:1",
	true},
    {"http://me:${TEST_WORD}@p.test:1", "http://me:a%3Ab%40%25c@p.test:1",
	"http://p.test:1", false},
    {"http://${TEST_NAME}:${TEST_WORD}@p.test:1",
	"http://anna:a%3Ab%40%25c@p.test:1", "http://p.test:1", false},
    {"http://${TEST_WORD}@p.test:1", "http://a:b%40%25c@p.test:1",
	"http://p.test:1", false},
    {"http://${}@p.test:1", "http://${}@p.test:1", "http://p.test:1", true},
    {"p.test:3128", NULL, NULL, false},
    {"gopher://p.test:70", NULL, NULL, false},
    {"socks4://p.test:70", NULL, NULL, false},
    {"http://", NULL, NULL, false},
    {"http://p.test/page", NULL, NULL, false},
    {"http://p.test:1?x", NULL, NULL, false},
    {"http://p test", NULL, NULL, false},
    {"http://a b@p.test", NULL, NULL, false},
    {"http://p.test:99999", NULL, NULL, false},
};

static void test_forms(void)
{
	for (size_t i = 0; i < sizeof(proxies) / sizeof(*proxies); i++) {
		struct pv_proxy_form form;
		struct pv_buf host, reached, shown;
		struct pv_str unset;
		const char *wanted = proxies[i].reached;
		pv_buf_init(&host, 1000);
		pv_buf_init(&reached, 1000);
		pv_buf_init(&shown, 1000);
		bool is_one = pv_proxy_form_read(
		    pv_str_of(proxies[i].text), &form, &host);
		ok(is_one == (wanted != NULL), "%s is %s proxy",
		    proxies[i].text, wanted ? "a" : "no");
		if (wanted && is_one) {
			ok(pv_proxy_form_write(&form, pv_buf_str(&host),
			       &reached, &unset),
			    "all of it is known");
			is_text(pv_buf_str(&reached), wanted, "it is reached");
			pv_proxy_form_write_open(
			    &form, pv_buf_str(&host), &shown);
			is_text(pv_buf_str(&shown), proxies[i].shown,
			    "P7: and shown without a login");
			ok(pv_proxy_form_is_secret(&form) ==
				proxies[i].is_secret,
			    "P7: whether that is secret is known");
		}
		pv_buf_finish(&shown);
		pv_buf_finish(&reached);
		pv_buf_finish(&host);
	}
}

static void test_unset(void)
{
	struct pv_proxy_form form;
	struct pv_buf host, reached;
	struct pv_str unset;
	pv_buf_init(&host, 1000);
	pv_buf_init(&reached, 1000);
	pv_proxy_form_read(
	    PV_STR("http://${TEST_NONE}@p.test:1"), &form, &host);
	ok(!pv_proxy_form_write(&form, pv_buf_str(&host), &reached, &unset),
	    "a variable that is not set is found out");
	is_text(unset, "TEST_NONE", "by its name");
	pv_buf_finish(&reached);
	pv_buf_finish(&host);
}

int main(void)
{
	setenv("TEST_NAME", "anna", 1);
	setenv("TEST_WORD", "a:b@%c", 1);
	unsetenv("TEST_NONE");
	test_forms();
	test_unset();
	return tap_done();
}
