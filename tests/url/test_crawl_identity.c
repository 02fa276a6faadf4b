#include "url/crawl_identity.h"

#include "tap.h"

#define CEILING 4096
#define HOST "https://docs.example.org"

static const char *const strip_query[] = {
    "utm_*", "sessionid", "*_ref", "\xc3\xbc*"};

#define STRIPPED (sizeof(strip_query) / sizeof(*strip_query))

static const struct {
	const char *claim;
	const char *address;
	const char *identity;
} cases[] = {
    {"a page is itself", HOST "/a", HOST "/a"},
    {"a fragment is no page of its own", HOST "/a#top", HOST "/a"},
    {"nor is an empty one", HOST "/a#", HOST "/a"},
    {"nor one behind a query", HOST "/a?x=1#?utm_a=1", HOST "/a?x=1"},
    {"a parameter that is not named stays", HOST "/a?page=2", HOST "/a?page=2"},
    {"one that is named goes", HOST "/a?sessionid=7", HOST "/a"},
    {"with its fragment", HOST "/a?sessionid=7#top", HOST "/a"},
    {"so does one that a glob names", HOST "/a?utm_source=x", HOST "/a"},
    {"at the front", HOST "/a?utm_a=1&b=2&c=3", HOST "/a?b=2&c=3"},
    {"in the middle", HOST "/a?b=2&utm_a=1&c=3", HOST "/a?b=2&c=3"},
    {"at the end", HOST "/a?b=2&c=3&utm_a=1", HOST "/a?b=2&c=3"},
    {"several",
	HOST "/a?utm_a=1&b=2&sessionid=1&utm_c=3&d_ref=", HOST "/a?b=2"},
    {"all", HOST "/a?utm_a=1&sessionid=1", HOST "/a"},
    {"one without a value", HOST "/a?sessionid&b", HOST "/a?b"},
    {"one with an empty value", HOST "/a?sessionid=&b=", HOST "/a?b="},
    {"one whose value has an equals sign", HOST "/a?sessionid=a=b&c=d=e",
	HOST "/a?c=d=e"},
    {"a value is no name", HOST "/a?b=sessionid", HOST "/a?b=sessionid"},
    {"a name is a whole name", HOST "/a?sessionids=1&xsessionid=2",
	HOST "/a?sessionids=1&xsessionid=2"},
    {"names keep their case", HOST "/a?SessionID=1", HOST "/a?SessionID=1"},
    {"a name in other bytes is another", HOST "/a?session%69d=1",
	HOST "/a?session%69d=1"},
    {"a name beyond ASCII is found as it is sent",
	HOST "/a?\xc3\xbc"
	     "1=1&b=2",
	HOST "/a?b=2"},
    {"a semicolon separates nothing", HOST "/a?b=1;sessionid=2",
	HOST "/a?b=1;sessionid=2"},
    {"order stays", HOST "/a?c=3&utm_x&b=2&a=1", HOST "/a?c=3&b=2&a=1"},
    {"so do repetitions", HOST "/a?b=1&utm_x&b=1", HOST "/a?b=1&b=1"},
    {"and empty parameters", HOST "/a?b=1&&utm_x&&c=2", HOST "/a?b=1&&&c=2"},
    {"and the case of percent signs", HOST "/a?b=%c3%BC&utm_x",
	HOST "/a?b=%c3%BC"},
    {"nothing but an empty parameter is nothing", HOST "/a?utm_x&", HOST "/a"},
    {"two of them are something", HOST "/a?&utm_x&", HOST "/a?&"},
    {"an empty query is not no query", HOST "/a?", HOST "/a?"},
    {"a path is left alone", HOST "/utm_x/a&sessionid=1",
	HOST "/utm_x/a&sessionid=1"},
    {"an index is not its directory", HOST "/index.html", HOST "/index.html"},
    {"two slashes are not one", HOST "//a", HOST "//a"},
    {"encoded is not plain", HOST "/%7Ea", HOST "/%7Ea"},
    {"a scheme is not another", "http://docs.example.org/",
	"http://docs.example.org/"},
    {"a port that is the scheme's own is none", HOST ":443/", HOST "/"},
    {"another port is another server", HOST ":8443/", HOST ":8443/"},
    {"a dot behind the host stays", "https://docs.example.org./",
	"https://docs.example.org./"},
};

static void parse(struct pv_url *url, const char *address)
{
	if (pv_url_parse(url, pv_str_of(address)) != PV_URL_OK)
		ok(false, "%s does not parse", address);
}

static bool has_parts_of_its_text(const struct pv_url *url)
{
	struct pv_url again;
	pv_url_init(&again, CEILING);
	bool is_same = pv_url_parse(&again, pv_url_text(url)) == PV_URL_OK &&
		       pv_str_equal(pv_url_text(&again), pv_url_text(url)) &&
		       again.parts.query == url->parts.query &&
		       again.parts.fragment == url->parts.fragment;
	pv_url_finish(&again);
	return is_same;
}

static void test_cases(struct pv_url *url)
{
	struct pv_crawl_identity identity;
	pv_crawl_identity_init(&identity, strip_query, STRIPPED);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		parse(url, cases[i].address);
		pv_crawl_identity_apply(&identity, url);
		is_text(
		    pv_url_text(url), cases[i].identity, "%s", cases[i].claim);
		if (!has_parts_of_its_text(url))
			ok(false, "and its parts lie as if it had been read");
		pv_crawl_identity_apply(&identity, url);
		if (!pv_str_equal(
			pv_url_text(url), pv_str_of(cases[i].identity)))
			ok(false, "and it is its own identity");
	}
	pv_crawl_identity_finish(&identity);
}

static void test_other_lists(struct pv_url *url)
{
	struct pv_crawl_identity identity;
	pv_crawl_identity_init(&identity, NULL, 0);
	parse(url, HOST "/a?utm_source=x#top");
	pv_crawl_identity_apply(&identity, url);
	is_text(pv_url_text(url), HOST "/a?utm_source=x",
	    "where nothing is to be stripped, only the fragment goes");
	pv_crawl_identity_finish(&identity);
	static const char *const all[] = {"*"};
	pv_crawl_identity_init(&identity, all, 1);
	parse(url, HOST "/a?&b=1&c");
	pv_crawl_identity_apply(&identity, url);
	is_text(pv_url_text(url), HOST "/a", "a star takes the whole query");
	pv_crawl_identity_finish(&identity);
}

int main(void)
{
	struct pv_url url;
	pv_url_init(&url, CEILING);
	test_cases(&url);
	test_other_lists(&url);
	pv_url_finish(&url);
	return tap_done();
}
