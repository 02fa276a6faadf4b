#include "scope/ground.h"

#include "scope/judge.h"

/* What depends on where the seeds lie: hops, below, redirects, many seeds. */

static const struct pv_scope_link page = {.depth = 1};

static void test_seeds(void)
{
	struct court court;
	open_court(&court,
	    "[https://a.test/x/, {sitemap: \"https://b.test/sitemap.xml\"}, "
	    "\"https://{c,d}.test/{1..3}\", \"http://[::1]:8080/\", "
	    "\"https://e.test/{1..1000000000}\"]",
	    "{}");
	is_judged(&court, "a seed's host, above the seed", "https://a.test/",
	    page, (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "a sitemap's", "https://b.test/a", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "the first of a template", "https://c.test/a", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "the last of it", "https://d.test/a", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "an address", "http://[0:0::1]/", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "P5: a billion addresses of one host, at once",
	    "https://e.test/a", page, (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "no seed's", "https://f.test/", page,
	    (struct decision)BY(HOSTS, HOST));
	close_court(&court);
}

/* How far the sitemaps of a host lead; -1 where they are not read. */
static int64_t reach_of(struct court *court, const char *address)
{
	uint32_t reach;
	pv_url_parse(&court->url, pv_str_of(address));
	return pv_scope_reads_sitemaps(court->scope, &court->url, &reach)
		   ? (int64_t)reach
		   : -1;
}

static void test_sitemaps(void)
{
	static const char seeds[] =
	    "[{url: \"https://only.test/{1..9}\", depth: 0}, "
	    "{url: \"https://near.test/\", depth: 2}, "
	    "{url: \"https://near.test/far\", depth: 5}, "
	    "{sitemap: \"https://list.test/s.xml\"}]";
	struct court court;
	open_court(&court, seeds, "{}");
	ok(reach_of(&court, "https://list.test/") == UINT32_MAX,
	    "a host in scope has its sitemaps read");
	ok(reach_of(&court, "http://near.test:8080/") == 5,
	    "which lead as far as the seed that leads furthest");
	ok(reach_of(&court, "https://only.test/") < 0,
	    "but not where seeds are all that is asked for");
	ok(reach_of(&court, "https://other.test/") < 0, "nor off scope");
	close_court(&court);
	open_court(&court, seeds, "{hosts: any, depth: 7}");
	ok(reach_of(&court, "https://other.test/") == 7,
	    "a host without seeds may lead as far as any");
	ok(reach_of(&court, "https://near.test/") == 7,
	    "and so may one whose own seeds lead less far");
	close_court(&court);
	open_court(&court, seeds, "{sitemaps: false}");
	ok(reach_of(&court, "https://list.test/") < 0,
	    "nobody reads any where the policy does not want it");
	close_court(&court);
	open_court(&court, "[\"https://a.test/\"]", "{depth: 1}");
	ok(reach_of(&court, "https://a.test/") == 1,
	    "one link is enough for them");
	close_court(&court);
	open_court(&court, "[\"https://a.test/\"]", "{depth: 0}");
	ok(reach_of(&court, "https://a.test/") < 0,
	    "nor where no link is followed");
	close_court(&court);
}

/* A sitemap that a host in scope names is admitted by that, and nothing else is
 * overruled by it. */
static void test_sitemap_links(void)
{
	const struct pv_scope_link sitemap = {
	    .kind = PV_LINK_PAGE, .depth = 1, .is_sitemap = true};
	struct court court;
	open_court(&court, "[\"https://a.test/x/\"]",
	    "{below: true, rules: [{deny: {path: \"/no*\"}}]}");
	is_judged(&court, "a sitemap above the seed", "https://a.test/s.xml",
	    sitemap, (struct decision)BY(SITEMAP, NONE));
	is_judged(&court, "on another host", "https://b.test/s.xml", sitemap,
	    (struct decision)BY(SITEMAP, NONE));
	is_judged(&court, "one that a rule denies", "https://a.test/no.xml",
	    sitemap, (struct decision)BY(RULES, RULE));
	is_judged(&court, "P7: one with credentials", "https://m:x@a.test/s",
	    sitemap, (struct decision)BY(CREDENTIALS, CREDENTIALS));
	close_court(&court);
}

static void test_file(void)
{
	struct court court;
	FILE *file = fopen("seeds-test.txt", "w");
	fputs("# mine\nhttps://a.test/\n\nhttps://b.test/{1,2}\n", file);
	fclose(file);
	open_court(&court, "[{file: seeds-test.txt}]", "{}");
	is_judged(&court, "the first of a file", "https://a.test/a", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "the last, in which braces are braces",
	    "https://b.test/a", page, (struct decision)BY(INSIDE, NONE));
	remove("seeds-test.txt");
	struct pv_scope *scope = pv_scope_create(court.policy);
	ok(pv_scope_add_seeds(scope) == &court.policy->seeds.items[0],
	    "a file that is gone is told");
	pv_scope_destroy(scope);
	pv_scope_destroy(NULL);
	close_court(&court);
}

static const struct {
	const char *claim;
	const char *address;
	struct decision decision;
} belows[] = {
    {"beside the seed", "https://a.test/x/b.html", BY(INSIDE, NONE)},
    {"further below", "https://a.test/x/y/z/b", BY(INSIDE, NONE)},
    {"the directory itself", "https://a.test/x/", BY(INSIDE, NONE)},
    {"without its slash", "https://a.test/x", BY(BELOW, BELOW)},
    {"above", "https://a.test/", BY(BELOW, BELOW)},
    {"beside the directory", "https://a.test/xy/b", BY(BELOW, BELOW)},
    {"the same path further down", "https://a.test/y/x/b", BY(BELOW, BELOW)},
    {"in other letters", "https://a.test/X/b", BY(BELOW, BELOW)},
    {"in the other scheme", "http://a.test/x/b", BY(INSIDE, NONE)},
    {"at another port", "https://a.test:8443/x/b", BY(BELOW, OTHER_PORT)},
    {"above, at another port", "https://a.test:8443/", BY(BELOW, OTHER_PORT)},
    {"in a query", "https://a.test/?/x/b", BY(BELOW, BELOW)},
    {"behind two dots", "https://a.test/x/../b", BY(BELOW, BELOW)},
    {"below another seed", "https://b.test/any", BY(INSIDE, NONE)},
    {"another host", "https://c.test/x/b", BY(HOSTS, HOST)},
    {"the second directory of a host", "https://a.test/v/w/q",
	BY(INSIDE, NONE)},
    {"above that", "https://a.test/v/q", BY(BELOW, BELOW)},
};

static void test_below(void)
{
	struct court court;
	open_court(&court,
	    "[https://a.test/x/a.html, https://b.test/page, "
	    "https://a.test/v/w/]",
	    "{below: true}");
	for (size_t i = 0; i < sizeof(belows) / sizeof(*belows); i++)
		is_judged(&court, belows[i].claim, belows[i].address, page,
		    belows[i].decision);
	close_court(&court);
	open_court(&court, "[https://a.test/x/]", "{hosts: any, below: true}");
	is_judged(&court, "where no seed lies, nothing is below one",
	    "https://b.test/x/", page, (struct decision)BY(BELOW, BELOW));
	close_court(&court);
	open_court(&court, "[\"https://a.test/{1..3}/\"]", "{below: true}");
	is_judged(&court, "below the last of a template", "https://a.test/3/a",
	    page, (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "below none of it", "https://a.test/4/a", page,
	    (struct decision)BY(BELOW, BELOW));
	close_court(&court);
}

/* Of a link on a page that is `hops` off scope. */
static const struct {
	const char *claim;
	const char *address;
	struct pv_scope_link link;
	struct decision decision;
	uint32_t hops;
} hops[] = {
    {"in scope", "https://a.test/x/", {0}, BY(INSIDE, NONE), 0},
    {"off scope, from a page in scope", "https://b.test/", {0}, BY(HOPS, NONE),
	1},
    {"from there", "https://c.test/", {.hops = 1}, BY(HOPS, NONE), 2},
    {"once more", "https://c.test/", {.hops = 2}, BY(HOPS, HOPS), 0},
    {"back in scope", "https://a.test/x/", {.hops = 2}, BY(INSIDE, NONE), 0},
    {"not below is off scope too", "https://a.test/y/", {0}, BY(HOPS, NONE), 1},
    {"a redirect is no hop of its own", "https://c.test/",
	{.hops = 2, .is_redirect = true}, BY(HOPS, NONE), 2},
    {"but the first off scope", "https://c.test/", {.is_redirect = true},
	BY(HOPS, NONE), 1},
    {"off scope is not beyond depth", "https://b.test/", {.depth = 5},
	BY(DEPTH, DEPTH), 0},
    {"a resource of a page out of scope is none", "https://b.test/a.png",
	{.kind = PV_LINK_RESOURCE, .hops = 1}, BY(HOSTS, HOST), 0},
    {"a part of a page in scope is no hop", "https://b.test/a.png",
	{.kind = PV_LINK_RESOURCE}, BY(REQUISITES, NONE), 0},
};

static void test_hops(void)
{
	struct court court;
	open_court(
	    &court, "[https://a.test/x/]", "{hops: 2, below: true, depth: 4}");
	for (size_t i = 0; i < sizeof(hops) / sizeof(*hops); i++) {
		struct pv_scope_verdict verdict =
		    judge(&court, hops[i].address, hops[i].link);
		is_judged(&court, hops[i].claim, hops[i].address, hops[i].link,
		    hops[i].decision);
		ok(verdict.hops == hops[i].hops, "which makes %u hops",
		    hops[i].hops);
	}
	close_court(&court);
}

static void add_redirect(struct court *court, const char *address)
{
	pv_url_parse(&court->url, pv_str_of(address));
	pv_scope_add_redirect(court->scope, &court->url);
}

static void test_redirects(void)
{
	struct court court;
	open_court(&court, "[https://a.test/]", "{}");
	is_judged(&court, "a host that no seed has", "https://www.a.test/b",
	    page, (struct decision)BY(HOSTS, HOST));
	add_redirect(&court, "https://www.a.test/");
	is_judged(&court, "same: once a seed redirects to it",
	    "https://www.a.test/b", page, (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "the seed's own host stays", "https://a.test/b", page,
	    (struct decision)BY(INSIDE, NONE));
	close_court(&court);
	open_court(&court, "[https://a.test/]", "{hosts: site}");
	add_redirect(&court, "https://www.b.test/");
	is_judged(&court, "site: that of a redirect", "https://c.b.test/", page,
	    (struct decision)BY(INSIDE, NONE));
	close_court(&court);
	open_court(&court, "[https://a.test/x/]", "{below: true}");
	add_redirect(&court, "https://a.test/new/place/");
	is_judged(&court, "below: where a seed redirects to",
	    "https://a.test/new/place/b", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "and not above", "https://a.test/new/", page,
	    (struct decision)BY(BELOW, BELOW));
	close_court(&court);
}

static void test_sites(void)
{
	struct court court;
	open_court(&court,
	    "[https://alice.github.io/, https://github.com/, "
	    "http://192.0.2.1/, http://localhost/, https://a.b.kobe.jp/]",
	    "{hosts: site}");
	is_judged(&court, "one's own name", "https://alice.github.io/a", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "below it", "https://www.alice.github.io/a", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "another person's", "https://bob.github.io/a", page,
	    (struct decision)BY(HOSTS, HOST));
	is_judged(&court, "what they share", "https://github.io/a", page,
	    (struct decision)BY(HOSTS, HOST));
	is_judged(&court, "an address", "http://192.0.2.1/a", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "one that ends like it", "http://1.192.0.2/a", page,
	    (struct decision)BY(HOSTS, HOST));
	is_judged(&court, "a single label", "http://localhost/a", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "below it", "http://a.localhost/", page,
	    (struct decision)BY(HOSTS, HOST));
	close_court(&court);
}

/* That it is quick needs no clock: one look-up for each label of each name
 * would hash terabytes here. */
static void test_costs(const char *scope)
{
	struct court court;
	struct pv_buf address;
	pv_buf_init(&address, 65000);
	pv_buf_append_text(&address, "https://");
	while (pv_buf_append_text(&address, "a."))
		;
	pv_buf_cut(&address, 60000);
	pv_buf_append_text(&address, "a.test/");
	open_court(&court, "[https://a.test/x/]", scope);
	struct pv_scope_verdict verdict;
	for (int i = 0; i < 1000; i++)
		verdict = judge(&court, pv_buf_text(&address), page);
	ok(verdict.step == PV_STEP_HOSTS && verdict.reason == PV_REASON_HOST,
	    "P5: a name of 30,000 labels costs its length");
	pv_buf_clear(&address);
	pv_buf_append_text(&address, "https://a.test/");
	while (pv_buf_append_text(&address, "x/"))
		;
	for (int i = 0; i < 1000; i++)
		verdict = judge(&court, pv_buf_text(&address), page);
	ok(verdict.step == PV_STEP_INSIDE && verdict.reason == PV_REASON_NONE,
	    "P5: so does a path of 30,000 segments");
	close_court(&court);
	pv_buf_finish(&address);
}

int main(void)
{
	test_seeds();
	test_sitemaps();
	test_sitemap_links();
	test_file();
	test_below();
	test_hops();
	test_redirects();
	test_sites();
	test_costs("{hosts: site, below: true, max_url: 65536, "
		   "traps: {segments: none, repeats: none}}");
	test_costs("{hosts: [a.test, \"*.b.test\"], max_url: 65536, "
		   "traps: {segments: none, repeats: none}}");
	return tap_done();
}
