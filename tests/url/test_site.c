#include "url/site.h"

#include "base/arena.h"
#include "tap.h"

static const struct {
	const char *claim;
	const char *host;
	const char *site;
} sites[] = {
    {"a name below a registrable domain", "docs.example.org", "example.org"},
    {"far below it", "a.b.c.example.org", "example.org"},
    {"the domain itself", "example.org", "example.org"},
    {"a suffix of two labels", "www.example.co.uk", "example.co.uk"},
    {"that suffix itself", "co.uk", "co.uk"},
    {"a top-level domain", "org", "org"},
    {"a top-level domain that nobody lists", "www.example.test",
	"example.test"},
    {"a single label", "localhost", "localhost"},
    {"a name of a shared domain", "alice.github.io", "alice.github.io"},
    {"below such a name", "www.alice.github.io", "alice.github.io"},
    {"the shared domain itself", "github.io", "github.io"},
    {"a rule with a star", "a.b.c.kobe.jp", "b.c.kobe.jp"},
    {"an exception from it", "www.city.kobe.jp", "city.kobe.jp"},
    {"a star below a country", "www.example.ck", "www.example.ck"},
    {"an exception there", "x.www.ck", "www.ck"},
    {"a name beyond ASCII", "www.xn--85x722f.xn--55qx5d.cn",
	"xn--85x722f.xn--55qx5d.cn"},
    {"an underscore", "_dmarc.example.org", "example.org"},
    {"a dot at the end", "docs.example.org.", "example.org"},
    {"a dot behind a single label", "localhost.", "localhost"},
    {"an IPv4 address", "192.0.2.1", "192.0.2.1"},
    {"an IPv6 address", "[2001:db8::1]", "[2001:db8::1]"},
    {"several dots", "docs.example.org..", "example.org"},
    {"dots behind what is no address then", "192.0..", "192.0"},
    {"an empty label in front", ".example.org", ".example.org"},
    {"an empty label within", "a..example.org", "a..example.org"},
    {"nothing", "", ""},
    {"a dot", ".", ""},
};

#define SITES (sizeof(sites) / sizeof(*sites))

static void test_sites(void)
{
	for (size_t i = 0; i < SITES; i++)
		is_text(pv_site_of(pv_str_of(sites[i].host)), sites[i].site,
		    "%s: %s", sites[i].claim, sites[i].host);
}

/* Both ways of asking agree on every pair of hosts here. */
static void test_holding(void)
{
	size_t differences = 0, held = 0;
	for (size_t i = 0; i < SITES; i++) {
		struct pv_str site = pv_site_of(pv_str_of(sites[i].host));
		for (size_t j = 0; j < SITES; j++) {
			struct pv_str host = pv_str_of(sites[j].host);
			bool is_same = pv_str_equal(pv_site_of(host), site);
			held += is_same;
			if (pv_site_holds(site, host) != is_same) {
				differences++;
				printf("# %.*s, %s\n", PV_STR_ARG(site),
				    sites[j].host);
			}
		}
	}
	ok(differences == 0, "a site holds just those hosts whose site it is");
	ok(held > SITES, "and more than each its own");
	ok(!pv_site_holds(PV_STR("example.org"), PV_STR("anexample.org")),
	    "a longer name is not below a shorter one");
	ok(!pv_site_holds(PV_STR("github.io"), PV_STR("alice.github.io")),
	    "who shares a domain is a site for himself");
}

static void test_long_names(struct pv_arena *arena)
{
	enum { LEN = 100000 };
	char *bytes = pv_arena_give(arena, LEN);
	for (size_t i = 0; i < LEN; i++)
		bytes[i] = i % 2 ? '.' : 'a';
	struct pv_str host = {bytes, LEN - 1};
	ok(pv_str_equal(pv_site_of(host), host),
	    "P5: a name longer than any in DNS is a site of its own");
	ok(!pv_site_holds(PV_STR("a.a"), host), "and in no other");
	struct pv_str longest = {bytes, 253};
	is_text(pv_site_of(longest), "a.a", "the longest has a site");
}

int main(void)
{
	struct pv_arena arena;
	pv_arena_init(&arena);
	test_sites();
	test_holding();
	test_long_names(&arena);
	pv_arena_finish(&arena);
	return tap_done();
}
