#include "policy/secret.h"

#include "tap.h"

static void test_names(void)
{
	static const struct {
		const char *name;
		bool is_secret;
	} cases[] = {
	    {"Authorization", true},
	    {"authorization", true},
	    {"Proxy-Authorization", true},
	    {"WWW-AUTHENTICATE", true},
	    {"Cookie", true},
	    {"Cookie2", true},
	    {"X-Api-Key", true},
	    {"X-APIKEY", true},
	    {"Ocp-Apim-Subscription-Key", true},
	    {"X-Auth-Token", true},
	    {"X-CSRF-Token", true},
	    {"Private-Token", true},
	    {"X-Client-Secret", true},
	    {"X-Session-Id", true},
	    {"X-Password", true},
	    {"X-Passwd", true},
	    {"X-Amz-Credential", true},
	    {"Signature-Input", true},
	    {"Accept-Language", false},
	    {"Accept", false},
	    {"Referer", false},
	    {"DNT", false},
	    {"Cache-Control", false},
	    {"X-Request-Id", false},
	    {"Range", false},
	    {"a", false},
	    {"", false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(pv_header_is_secret(pv_str_of(cases[i].name)) ==
			cases[i].is_secret,
		    "P7: \"%s\" %s", cases[i].name,
		    cases[i].is_secret ? "is said in confidence"
				       : "may be known to all");
}

static void test_bounds(void)
{
	struct pv_str cut = {"Authorization", 3};
	ok(!pv_header_is_secret(cut), "nothing is read behind a name's end");
	ok(!pv_header_is_secret((struct pv_str){NULL, 0}),
	    "no name is no secret");
}

static void test_lists(void)
{
	struct pv_pair pairs[] = {
	    {"Accept-Language", "en"}, {"DNT", "1"}, {"Cookie", "a=b"}};
	struct pv_pairs headers = {pairs, 3};
	ok(pv_headers_have_secret(&headers),
	    "P7: one secret among them is one");
	headers.count = 2;
	ok(!pv_headers_have_secret(&headers), "others are none");
	headers = (struct pv_pairs){NULL, 0};
	ok(!pv_headers_have_secret(&headers), "nor is nothing");
	struct pv_pair telling[] = {{"X-Note", "Authorization: Basic"}};
	headers = (struct pv_pairs){telling, 1};
	ok(!pv_headers_have_secret(&headers),
	    "names tell, what is said does not");
}

int main(void)
{
	test_names();
	test_bounds();
	test_lists();
	return tap_done();
}
