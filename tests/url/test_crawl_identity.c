#include "url/crawl_identity.h"

#include "random.h"
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
	bool is_same = pv_url_parse(&again, pv_url_text(url)) == PV_URL_OK;
	const struct pv_url_parts *a = &again.parts, *b = &url->parts;
	is_same = is_same &&
		  pv_str_equal(pv_url_text(&again), pv_url_text(url)) &&
		  a->username_end == b->username_end && a->host == b->host &&
		  a->host_end == b->host_end && a->path == b->path &&
		  a->query == b->query && a->fragment == b->fragment &&
		  a->is_secure == b->is_secure && a->port == b->port &&
		  a->address.bits == b->address.bits &&
		  pv_address_equal(&a->address, &b->address);
	pv_url_finish(&again);
	return is_same;
}

static void strip(struct pv_crawl_identity *identity)
{
	identity->stripped =
	    pv_crawl_identity_names(identity, strip_query, STRIPPED);
}

static void test_cases(struct pv_url *url)
{
	struct pv_crawl_identity identity;
	pv_crawl_identity_init(&identity);
	strip(&identity);
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
	pv_crawl_identity_init(&identity);
	parse(url, HOST "/a?utm_source=x#top");
	ok(!pv_crawl_identity_apply(&identity, url),
	    "a fragment that goes is no change");
	is_text(pv_url_text(url), HOST "/a?utm_source=x",
	    "where nothing is to be stripped, only the fragment goes");
	static const char *const all[] = {"*"};
	identity.stripped = pv_crawl_identity_names(&identity, all, 1);
	parse(url, HOST "/a?&b=1&c");
	pv_crawl_identity_apply(&identity, url);
	is_text(pv_url_text(url), HOST "/a", "a star takes the whole query");
	pv_crawl_identity_finish(&identity);
}

/* All that a policy can ask for. */

static const char *const documents[] = {
    "index.html", "index.php", "Default.asp", "\xc3\xbc b.html"};

static const struct {
	const char *claim;
	const char *address;
	const char *identity; /* NULL: itself */
	unsigned changes;
} full_cases[] = {
    {"an alias becomes the name", "http://www.a.test/p", "http://a.test/p",
	PV_IDENTITY_ALIAS},
    {"with its scheme and port", "https://www.a.test:8443/p?b=1",
	"https://a.test:8443/p?b=1", PV_IDENTITY_ALIAS},
    {"with its credentials", "http://me:you@www.a.test/",
	"http://me:you@a.test/", PV_IDENTITY_ALIAS},
    {"with the dot at its end", "http://www.a.test./", "http://a.test./",
	PV_IDENTITY_ALIAS},
    {"however it is written", "http://WWW.%41.test/", "http://a.test/",
	PV_IDENTITY_ALIAS},
    {"to a longer name", "http://s.test/a/b?c=d",
	"http://long.name.test/a/b?c=d", PV_IDENTITY_ALIAS},
    {"with that one's beginning too", "http://www.s.test/",
	"http://long.name.test/", PV_IDENTITY_ALIAS},
    {"an address of numbers is no alias", "http://192.0.2.1/", NULL, 0},
    {"nor is another name", "http://b.test/www.a.test", NULL, 0},

    {"a default document is its directory", "http://b.test/a/index.html",
	"http://b.test/a/", PV_IDENTITY_DOCUMENT},
    {"that of the root too", "http://b.test/index.php", "http://b.test/",
	PV_IDENTITY_DOCUMENT},
    {"with a query", "http://b.test/a/index.php?b=1", "http://b.test/a/?b=1",
	PV_IDENTITY_DOCUMENT},
    {"an empty one too", "http://b.test/a/index.php?", "http://b.test/a/?",
	PV_IDENTITY_DOCUMENT},
    {"as addresses hold it", "http://b.test/%C3%BC%20b.html", "http://b.test/",
	PV_IDENTITY_DOCUMENT},
    {"in other bytes it is another", "http://b.test/%c3%bc%20b.html", NULL, 0},
    {"in another case it is another", "http://b.test/Index.html", NULL, 0},
    {"only as a whole segment", "http://b.test/xindex.html", NULL, 0},
    {"only as the last one", "http://b.test/index.html/", NULL, 0},
    {"not in a query", "http://b.test/a?/index.html", NULL, 0},

    {"parameters are sorted", "http://b.test/?b=1&a=2",
	"http://b.test/?a=2&b=1", PV_IDENTITY_SORTED},
    {"when some have gone", "http://b.test/?b=1&utm_x=1&a=2",
	"http://b.test/?a=2&b=1", PV_IDENTITY_STRIPPED | PV_IDENTITY_SORTED},
    {"not when one is left", "http://b.test/?b=1&utm_x=1", "http://b.test/?b=1",
	PV_IDENTITY_STRIPPED},
    {"nor when none is", "http://b.test/?sessionid&utm_x=1", "http://b.test/",
	PV_IDENTITY_STRIPPED},
    {"all at once", "http://www.s.test:81/a/index.html?b&utm_x&a#top",
	"http://long.name.test:81/a/?a&b",
	PV_IDENTITY_ALIAS | PV_IDENTITY_DOCUMENT | PV_IDENTITY_STRIPPED |
	    PV_IDENTITY_SORTED},
    {"what one host strips, another keeps", "http://keeps.test/?utm_x", NULL,
	0},
    {"it is asked by the name that an alias stands for",
	"http://www.keeps.test./?utm_x", "http://keeps.test./?utm_x",
	PV_IDENTITY_ALIAS},
};

static const struct pv_query_names *strip_but_at_one(
    const void *ctx, struct pv_str host, const struct pv_address *address)
{
	static const struct pv_query_names none = {NULL, 0};
	(void)address;
	return pv_str_equal(host, PV_STR("keeps.test")) ? &none : ctx;
}

static void open_full(struct pv_crawl_identity *identity)
{
	pv_crawl_identity_init(identity);
	strip(identity);
	identity->stripped_at = strip_but_at_one;
	identity->stripped_ctx = &identity->stripped;
	identity->is_sorted = true;
	pv_crawl_identity_set_documents(
	    identity, documents, sizeof(documents) / sizeof(*documents));
	pv_aliases_add(&identity->aliases, PV_STR("www.*"), PV_STR("*"));
	pv_aliases_add(
	    &identity->aliases, PV_STR("s.test"), PV_STR("long.name.test"));
	pv_aliases_add(
	    &identity->aliases, PV_STR("192.0.2.1"), PV_STR("long.name.test"));
}

static void test_full_cases(struct pv_url *url)
{
	struct pv_crawl_identity identity;
	open_full(&identity);
	for (size_t i = 0; i < sizeof(full_cases) / sizeof(*full_cases); i++) {
		const char *wanted = full_cases[i].identity;
		parse(url, full_cases[i].address);
		unsigned changes = pv_crawl_identity_apply(&identity, url);
		is_text(pv_url_text(url),
		    wanted ? wanted : full_cases[i].address, "%s",
		    full_cases[i].claim);
		if (changes != full_cases[i].changes)
			ok(false, "and what changed it is told: %u", changes);
		if (!has_parts_of_its_text(url))
			ok(false, "and its parts lie as if it had been read");
	}
	pv_crawl_identity_finish(&identity);
}

/* A name that does not fit stays: so long an address is asked for by nobody. */
static void test_ceiling(void)
{
	struct pv_crawl_identity identity;
	struct pv_url url;
	static const char address[] = "http://s.test/index.html?b&a";
	open_full(&identity);
	pv_url_init(&url, sizeof(address) - 1);
	parse(&url, address);
	ok(pv_crawl_identity_apply(&identity, &url) ==
		(PV_IDENTITY_DOCUMENT | PV_IDENTITY_SORTED),
	    "P5: a name that does not fit stays, and all else is done");
	is_text(pv_url_text(&url), "http://s.test/?a&b", "to the rest of it");
	pv_url_finish(&url);
	pv_crawl_identity_finish(&identity);
}

/* Addresses by chance, of what matters here. */

#define RANDOM_ADDRESSES 200000

static const char *const hosts[] = {"a.test", "www.a.test", "s.test",
    "www.s.test", "www.www.S.test.", "keeps.test", "www.keeps.test", "www.com",
    "www.co.uk", "127.0.0.1", "www.127.0.0.1.", "[::1]", "0x7f.1", "www.",
    "www..test", "b\xc3\xbc.test", "www.b\xc3\xbc.test", "index.html"};
static const char *const pieces[] = {"/", "a", "index.html", "index.php", "..",
    ".", "%2e", "\xc3\xbc b.html", "?", "&", "=", "utm_", "sessionid", "b", "#",
    "a=1", "//", "Default.asp", ";", "%"};

#define PICK(random, list) \
	(list)[random_below((random), sizeof(list) / sizeof(*(list)))]

static void write_address(struct random *random, struct pv_buf *buf)
{
	pv_buf_clear(buf);
	pv_buf_append_text(
	    buf, random_below(random, 2) ? "https://" : "http://");
	if (random_below(random, 4) == 0)
		pv_buf_append_text(
		    buf, random_below(random, 2) ? "me@" : "me:you@");
	pv_buf_append_text(buf, PICK(random, hosts));
	if (random_below(random, 4) == 0)
		pv_buf_append_text(
		    buf, random_below(random, 2) ? ":80" : ":8080");
	pv_buf_append_char(buf, '/');
	for (size_t i = random_below(random, 12); i; i--)
		pv_buf_append_text(buf, PICK(random, pieces));
}

static void test_random(struct pv_url *url)
{
	struct pv_crawl_identity identity;
	struct random random = random_of(2026);
	struct pv_buf address, once;
	unsigned read = 0, changed = 0, wrong = 0;
	pv_buf_init(&address, CEILING);
	pv_buf_init(&once, CEILING);
	open_full(&identity);
	while (read < RANDOM_ADDRESSES) {
		write_address(&random, &address);
		if (pv_url_parse(url, pv_buf_str(&address)) != PV_URL_OK)
			continue;
		read++;
		changed += pv_crawl_identity_apply(&identity, url) != 0;
		bool is_right = has_parts_of_its_text(url);
		pv_buf_clear(&once);
		pv_buf_append(&once, pv_url_text(url));
		is_right = is_right &&
			   !pv_crawl_identity_apply(&identity, url) &&
			   pv_str_equal(pv_url_text(url), pv_buf_str(&once));
		if (!is_right && !wrong++)
			printf("# %s\n", pv_buf_text(&address));
	}
	ok(wrong == 0,
	    "of %u addresses, each identity is its own and reads as "
	    "it stands",
	    read);
	ok(changed > read / 4 && changed < read, "and many were changed: %u",
	    changed);
	pv_crawl_identity_finish(&identity);
	pv_buf_finish(&address);
	pv_buf_finish(&once);
}

int main(void)
{
	struct pv_url url;
	pv_url_init(&url, CEILING);
	test_cases(&url);
	test_other_lists(&url);
	test_full_cases(&url);
	test_ceiling();
	test_random(&url);
	pv_url_finish(&url);
	return tap_done();
}
