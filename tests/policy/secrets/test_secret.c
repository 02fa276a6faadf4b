#include "policy/secrets/secret.h"

#include "base/arena.h"
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

static void test_strip(void)
{
	static const struct {
		const char *address;
		const char *stripped; /* NULL: as it is */
	} cases[] = {
	    {"https://me:x@a.test/", "https://a.test/"},
	    {"https://me@a.test", "https://a.test"},
	    {"HTTP://a:b@c@a.test:80/@x", "HTTP://a.test:80/@x"},
	    {"http:\\\\me:x@a.test\\y", "http:\\\\a.test\\y"},
	    {"http:///me:x@a.test/", "http:///a.test/"},
	    {"http:me:x@a.test/", "http:a.test/"},
	    {"  https://me:x@a.test/", "  https://a.test/"},
	    {"https://me:x@shop.test/{1..9}", "https://shop.test/{1..9}"},
	    {"socks5://me:x@a.test:1080", "socks5://a.test:1080"},
	    {"ftp://me:x@a.test/", "ftp://a.test/"},
	    {"https://a.test/?q=me:x@b", NULL},
	    {"https://a.test?me@b", NULL},
	    {"https://a.test#me@b", NULL},
	    {"mailto:me@a.test", NULL},
	    {"me@a.test", NULL},
	    {"https://", NULL},
	    {"", NULL},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *wanted = cases[i].stripped;
		struct pv_buf buf;
		pv_buf_init(&buf, 1000);
		bool had =
		    pv_credentials_strip(pv_str_of(cases[i].address), &buf);
		is_text(pv_buf_str(&buf), wanted ? wanted : cases[i].address,
		    "P7: without credentials");
		ok(had == (wanted != NULL), "which it %s",
		    wanted ? "had" : "had not");
		pv_buf_finish(&buf);
	}
}

/* However an address is written, none of its credentials is left. */
static void test_seeds(void)
{
	static const char *const texts[] = {"https://me:word@a.test/x",
	    "https:\t//me:word@a.test/x", "ht\ntps://me:word@a.test/x",
	    "https://me:word@{a,b}.test/x", "https://{me,you}:word@a.test/x",
	    "https://me:wo\trd@a.test/x"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct pv_arena arena;
		struct pv_seed seed = {.kind = PV_SEED_PAGE};
		pv_arena_init(&arena);
		const char *fault =
		    pv_seed_read_address(pv_str_of(texts[i]), &arena, &seed);
		struct pv_seeds seeds = {&seed, 1};
		struct pv_seeds open = pv_seeds_strip(&seeds, &arena);
		ok(fault || (!strstr(open.items[0].text, "me") &&
				!strstr(open.items[0].text, "rd") &&
				strstr(open.items[0].text, ".test/x")),
		    "P7: %s", fault ? fault : open.items[0].text);
		ok(seed.text != open.items[0].text, "in a copy");
		pv_arena_finish(&arena);
	}
}

int main(void)
{
	test_names();
	test_strip();
	test_seeds();
	test_bounds();
	test_lists();
	return tap_done();
}
