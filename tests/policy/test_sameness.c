#include "policy/sameness.h"

#include "policy/loaded.h"

static const char table[] =
    "scope:\n"
    "  strip_query: [\"utm_*\"]\n"
    "  sort_query: true\n"
    "  aliases: {WWW.EXAMPLE.ORG.: example.org, \"www.*\": \"*\", "
    "b\xc3\xbc"
    "cher.example: example.com}\n"
    "  default_documents: [index.html]\n"
    "domains:\n"
    "  docs.example.org: {strip_query: [sid]}\n"
    "  \"*.example.org\": {strip_query: [], delay: 2s}\n"
    "  \"*.a.example.org\": {delay: 3s}\n"
    "  shop.example.com: {delay: 3s}\n"
    "  \"10.0.0.0/8\": {strip_query: [ten]}\n"
    "  \"::1\": {strip_query: one}\n";

static const struct {
	const char *claim;
	const char *address;
	const char *identity;
} cases[] = {
    {"strip_query holds where no entry says otherwise",
	"http://other.example/?utm_x&sid&b", "http://other.example/?b&sid"},
    {"an entry's own list stands in its place",
	"http://docs.example.org/?utm_x&sid&b",
	"http://docs.example.org/?b&utm_x"},
    {"with a dot at the end of the host too", "http://docs.example.org./?sid&b",
	"http://docs.example.org./?b"},
    {"by the most specific entry, and be it empty",
	"http://x.example.org/?utm_x&sid", "http://x.example.org/?sid&utm_x"},
    {"that has the key", "http://x.a.example.org/?utm_x&sid",
	"http://x.a.example.org/?sid&utm_x"},
    {"an entry without it changes nothing", "http://shop.example.com/?utm_x",
	"http://shop.example.com/"},
    {"a range of addresses holds for hosts that are written so",
	"http://10.1.2.3/?ten&utm_x", "http://10.1.2.3/?utm_x"},
    {"and an IPv6 address", "http://[::1]/?one&utm_x", "http://[::1]/?utm_x"},
    {"the others have the policy's", "http://192.0.2.1/?ten&utm_x",
	"http://192.0.2.1/?ten"},
    {"an alias has its name's", "http://www.docs.example.org/?sid&utm_x",
	"http://docs.example.org/?utm_x"},
    {"names of hosts are canonical", "http://www.example.org/",
	"http://example.org/"},
    {"whatever the script", "http://xn--bcher-kva.example/",
	"http://example.com/"},
    {"documents are dropped", "http://other.example/a/index.html?b",
	"http://other.example/a/?b"},
};

static struct loaded load_right(const char *text)
{
	struct loaded loaded = load_text(text);
	ok(is_right(&loaded), "the policy is right");
	return loaded;
}

static void test_cases(void)
{
	struct loaded loaded = load_right(table);
	struct pv_sameness sameness;
	struct pv_url url;
	pv_url_init(&url, 4096);
	pv_sameness_init(&sameness, loaded.policy);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (pv_url_parse(&url, pv_str_of(cases[i].address)) !=
		    PV_URL_OK)
			ok(false, "%s is an address", cases[i].address);
		pv_crawl_identity_apply(&sameness.identity, &url);
		is_text(
		    pv_url_text(&url), cases[i].identity, "%s", cases[i].claim);
	}
	pv_sameness_finish(&sameness);
	ok(is_identity(&loaded), "the effective policy reads as the same");
	pv_url_finish(&url);
	loaded_finish(&loaded);
}

/* No host is looked up where none says anything of its own. */
static void test_without(void)
{
	struct loaded loaded = load_right("domains: {a.test: {delay: 1s}}\n");
	struct pv_sameness sameness;
	pv_sameness_init(&sameness, loaded.policy);
	ok(!sameness.identity.stripped_at &&
		!sameness.identity.stripped.count &&
		!sameness.identity.is_sorted &&
		!sameness.identity.document_count &&
		pv_aliases_is_empty(&sameness.identity.aliases),
	    "by default nothing is merged, and no host looked up");
	pv_sameness_finish(&sameness);
	loaded_finish(&loaded);
}

static void test_keys(void)
{
	static const struct {
		unsigned changes;
		const char *keys;
	} keys[] = {
	    {0, ""},
	    {PV_IDENTITY_ALIAS, "scope.aliases"},
	    {PV_IDENTITY_SORTED | PV_IDENTITY_STRIPPED,
		"scope.strip_query and scope.sort_query"},
	    {15, "scope.aliases, scope.default_documents, scope.strip_query "
		 "and scope.sort_query"},
	};
	struct pv_buf buf;
	pv_buf_init(&buf, 256);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		pv_buf_clear(&buf);
		pv_sameness_write_keys(keys[i].changes, &buf);
		is_text(pv_buf_str(&buf), keys[i].keys,
		    "P4: what made two addresses the same is told: %s",
		    keys[i].keys);
	}
	pv_buf_finish(&buf);
}

/* P7: whose host a seed asks is seen behind its other names. */
static void test_seeds(void)
{
	struct loaded loaded = load_text("seeds: [http://docs.localhost/]\n"
					 "scope: {aliases: {docs.localhost: "
					 "example.org}}\n");
	ok(has_text(problem_of(&loaded, 0), "example.org is not your own host"),
	    "P7: a seed's alias is asked by its name, which wants a contact");
	loaded_finish(&loaded);
}

/* P1: manners for a name that is not asked would hold for nobody. */
static void test_unused_manners(void)
{
	struct loaded loaded =
	    load_right("scope: {aliases: {\"www.*\": \"*\"}}\n"
		       "domains: {example.org: {delay: 2s}, "
		       "\"*.example.org\": {delay: 3s}, "
		       "www.example.org: {delay: 9s}}\n");
	const struct pv_problems *notes = &loaded.why.notes;
	ok(notes->kept_count == 1 &&
		has_text(pv_str_of(notes->kept[0].key), "www.example.org") &&
		has_text(pv_str_of(notes->kept[0].text),
		    "replaces it by example.org"),
	    "P1: manners for an alias are noted, with the name to write");
	loaded_finish(&loaded);
}

int main(void)
{
	test_unused_manners();
	test_cases();
	test_without();
	test_keys();
	test_seeds();
	return tap_done();
}
