#include "scope/scope.h"

#include "scope/judge.h"

#define HOST "https://docs.example.org"
#define TODAY INT64_C(1795219200000) /* 21 November 2026 */
#define TEN_PARAMETERS "a&b&c&d&e&f&g&h&i&j&"
#define NOW                                  \
	{                                    \
		.depth = 1, .wall_ms = TODAY \
	}
#define SEEDS "[https://docs.example.org/]"

#define PAGE               \
	{                  \
		.depth = 1 \
	}
#define RESOURCE                         \
	{                                \
		.kind = PV_LINK_RESOURCE \
	}

/* Each case has a scope of its own over the one seed; the empty claim repeats
 * the scope of the line before. */
static const struct {
	const char *scope;
	const char *claim;
	const char *address;
	struct pv_scope_link link;
	enum pv_scope_reason reason;
} cases[] = {
    /* hosts */
    {"{}", "same: the seed's host", HOST "/a", PAGE, PV_SCOPE_INSIDE},
    {"", "in the other scheme", "http://docs.example.org/a", PAGE,
	PV_SCOPE_INSIDE},
    {"", "on another port", HOST ":8443/a", PAGE, PV_SCOPE_INSIDE},
    {"", "with a dot at its end", "https://docs.example.org./a", PAGE,
	PV_SCOPE_INSIDE},
    {"", "a host above it", "https://example.org/", PAGE, PV_SCOPE_OTHER_HOST},
    {"", "a host below it", "https://a.docs.example.org/", PAGE,
	PV_SCOPE_OTHER_HOST},
    {"", "a longer name", "https://mydocs.example.org/", PAGE,
	PV_SCOPE_OTHER_HOST},
    {"", "an address", "https://192.0.2.1/", PAGE, PV_SCOPE_OTHER_HOST},
    {"{hosts: site}", "site: the seed's host", HOST "/a", PAGE,
	PV_SCOPE_INSIDE},
    {"", "the domain itself", "https://example.org/", PAGE, PV_SCOPE_INSIDE},
    {"", "another name in it", "https://a.b.example.org/", PAGE,
	PV_SCOPE_INSIDE},
    {"", "with a dot at its end", "https://www.example.org./", PAGE,
	PV_SCOPE_INSIDE},
    {"", "a longer domain", "https://anexample.org/", PAGE,
	PV_SCOPE_OTHER_HOST},
    {"", "the suffix", "https://org/", PAGE, PV_SCOPE_OTHER_HOST},
    {"", "another domain", "https://example.com/", PAGE, PV_SCOPE_OTHER_HOST},
    {"{hosts: any}", "any host", "https://example.com/", PAGE, PV_SCOPE_INSIDE},
    {"{hosts: [example.com, \"*.example.net\", \"192.0.2.1\", \"::1\"]}",
	"a name that is listed", "https://example.com/", PAGE, PV_SCOPE_INSIDE},
    {"", "below a name that is listed alone", "https://www.example.com/", PAGE,
	PV_SCOPE_OTHER_HOST},
    {"", "below a name with a star", "https://a.b.example.net/", PAGE,
	PV_SCOPE_INSIDE},
    {"", "that name itself", "https://example.net/", PAGE, PV_SCOPE_OTHER_HOST},
    {"", "an IPv4 address", "https://192.0.2.1/", PAGE, PV_SCOPE_INSIDE},
    {"", "an IPv6 address", "https://[::1]/", PAGE, PV_SCOPE_INSIDE},
    {"", "another address", "https://192.0.2.2/", PAGE, PV_SCOPE_OTHER_HOST},
    {"", "the seed's host, which is not listed", HOST "/a", PAGE,
	PV_SCOPE_OTHER_HOST},
    {"", "but the seed itself", HOST "/", {.is_seed = true}, PV_SCOPE_SEED},

    /* depth */
    {"{depth: 2}", "a page at the last depth", HOST "/a", {.depth = 2},
	PV_SCOPE_INSIDE},
    {"", "one link deeper", HOST "/a", {.depth = 3}, PV_SCOPE_TOO_DEEP},
    {"", "a resource of the last page", HOST "/a.png",
	{.kind = PV_LINK_RESOURCE, .depth = 2}, PV_SCOPE_REQUISITE},
    {"", "another host is another host at any depth", "https://example.com/",
	{.depth = 3}, PV_SCOPE_OTHER_HOST},
    {"{depth: 0}", "the seed", HOST "/", {.is_seed = true}, PV_SCOPE_SEED},
    {"", "its links", HOST "/a", PAGE, PV_SCOPE_TOO_DEEP},
    {"{}", "no limit to depth", HOST "/a", {.depth = UINT32_MAX},
	PV_SCOPE_INSIDE},

    /* requisites */
    {"{}", "a part of a page, elsewhere", "https://cdn.example.net/a.css",
	RESOURCE, PV_SCOPE_REQUISITE},
    {"", "a page there", "https://cdn.example.net/", PAGE, PV_SCOPE_OTHER_HOST},
    {"", "a part of a page off scope", "https://cdn.example.net/a.css",
	{.kind = PV_LINK_RESOURCE, .hops = 1}, PV_SCOPE_OTHER_HOST},
    {"", "one that lies in scope", HOST "/a.css",
	{.kind = PV_LINK_RESOURCE, .hops = 1}, PV_SCOPE_INSIDE},
    {"", "what eight style sheets import in turn",
	"https://cdn.example.net/9.css", {.kind = PV_LINK_RESOURCE, .chain = 8},
	PV_SCOPE_REQUISITE},
    {"", "P5: what nine do", "https://cdn.example.net/10.css",
	{.kind = PV_LINK_RESOURCE, .chain = 9}, PV_SCOPE_CHAINED},
    {"{requisites: false}", "a part of a page, where parts do not count",
	"https://cdn.example.net/a.css", RESOURCE, PV_SCOPE_OTHER_HOST},
    {"", "in scope they are links as any other", HOST "/a.css", RESOURCE,
	PV_SCOPE_INSIDE},
    {"{requisites: false, hops: 3}", "hops are for pages",
	"https://cdn.example.net/a.css", RESOURCE, PV_SCOPE_OTHER_HOST},

    /* ports */
    {"{}", "a port of another protocol", HOST ":25/", PAGE, PV_SCOPE_PORT},
    {"", "that of no protocol", HOST ":0/", PAGE, PV_SCOPE_PORT},
    {"", "of a part of a page", "https://cdn.example.net:22/a.css", RESOURCE,
	PV_SCOPE_PORT},
    {"", "where a redirect leads", HOST ":6667/",
	{.depth = 1, .is_redirect = true}, PV_SCOPE_PORT},
    {"", "one that is nobody's", HOST ":8022/", PAGE, PV_SCOPE_INSIDE},
    {"", "a seed", HOST ":22/", {.is_seed = true}, PV_SCOPE_SEED},
    {"{rules: [{allow: {path: \"*\"}}]}", "what a rule allows", HOST ":22/",
	PAGE, PV_SCOPE_PORT},

    /* fetch.accept */
    {"{}\nfetch: {accept: [text/html, image/gif]}",
	"an image that would not be taken", HOST "/a.png", RESOURCE,
	PV_SCOPE_TYPE},
    {"", "wherever it is", "https://cdn.example.net/a.WOFF?b=c", RESOURCE,
	PV_SCOPE_TYPE},
    {"", "one that would", HOST "/a.gif", RESOURCE, PV_SCOPE_REQUISITE},
    {"", "what tells no type", HOST "/a.php", RESOURCE, PV_SCOPE_REQUISITE},
    {"", "a page, which may be called so", HOST "/File:a.png", PAGE,
	PV_SCOPE_INSIDE},
    {"", "a seed", HOST "/a.png", {.is_seed = true}, PV_SCOPE_SEED},
    {"", "where a redirect leads", HOST "/a.png",
	{.kind = PV_LINK_RESOURCE, .is_redirect = true}, PV_SCOPE_REQUISITE},
    {"{}\nfetch: {accept: [text/html, image/webp]}",
	"an image that may come in another form", HOST "/a.png", RESOURCE,
	PV_SCOPE_REQUISITE},
    {"{}\nfetch: {accept: [\"image/*\"]}", "an image, where all are taken",
	HOST "/a.png", RESOURCE, PV_SCOPE_REQUISITE},
    {"", "a style sheet, where only they are", HOST "/a.css", RESOURCE,
	PV_SCOPE_TYPE},
    {"{}\nfetch: {accept: [text/html, application/octet-stream]}",
	"what a server does not know comes as octet-stream", HOST "/a.png",
	RESOURCE, PV_SCOPE_REQUISITE},
    {"{rules: [{allow: {ext: [png]}}, {deny: {ext: [css]}}]}\n"
     "fetch: {accept: [text/html]}",
	"what a rule allows would not be taken either", HOST "/a.png", RESOURCE,
	PV_SCOPE_TYPE},
    {"", "nor is it a rule that refuses first", HOST "/a.css", RESOURCE,
	PV_SCOPE_TYPE},

    /* aliases */
    {"{aliases: {www.example.org: docs.example.org}}",
	"an alias is never asked, so it is none of the seeds'",
	"https://www.example.org/", PAGE, PV_SCOPE_OTHER_HOST},
    {"{aliases: {docs.example.org: example.net}}",
	"a seed's host is the one that it stands for", "https://example.net/",
	PAGE, PV_SCOPE_INSIDE},
    {"{hosts: site, aliases: {docs.example.org: example.net}}",
	"and so is its site", "https://www.example.net/", PAGE,
	PV_SCOPE_INSIDE},
    {"{hosts: [www.example.com], aliases: {\"www.*\": \"*\"}}",
	"a host that is listed is too", "https://example.com/", PAGE,
	PV_SCOPE_INSIDE},

    /* max_url */
    {"{max_url: 30}", "an address of 30 bytes", HOST "/aaaaa", PAGE,
	PV_SCOPE_INSIDE},
    {"", "a fragment does not count", HOST "/aaaaa#aaaaa", PAGE,
	PV_SCOPE_INSIDE},
    {"", "31 bytes", HOST "/aaaaaa", PAGE, PV_SCOPE_TOO_LONG},
    {"", "a query does", HOST "/aaa?aa", PAGE, PV_SCOPE_TOO_LONG},
    {"", "also of a seed", HOST "/aaaaaa", {.is_seed = true},
	PV_SCOPE_TOO_LONG},
    {"", "and of a resource", HOST "/aaaaaa", RESOURCE, PV_SCOPE_TOO_LONG},

    /* traps */
    {"{}", "one segment three times", HOST "/a/b/a/c/a", PAGE, PV_SCOPE_INSIDE},
    {"", "four times", HOST "/a/b/a/c/a/d/a", PAGE, PV_SCOPE_REPEATS},
    {"", "20 segments", HOST "/1/2/3/4/5/6/7/8/9/0/a/b/c/d/e/f/g/h/i/j", PAGE,
	PV_SCOPE_INSIDE},
    {"", "21 segments", HOST "/1/2/3/4/5/6/7/8/9/0/a/b/c/d/e/f/g/h/i/j/k", PAGE,
	PV_SCOPE_SEGMENTS},
    {"", "a seed is no trap", HOST "/a/a/a/a/a", {.is_seed = true},
	PV_SCOPE_SEED},
    {"", "a resource is", "https://cdn.example.net/a/a/a/a", RESOURCE,
	PV_SCOPE_REPEATS},
    {"", "a query has no segments", HOST "/?/a/a/a/a/a", PAGE, PV_SCOPE_INSIDE},
    {"", "30 parameters",
	HOST "/?" TEN_PARAMETERS TEN_PARAMETERS "a&b&c&"
	     "d&e&f&g&h&i&j",
	PAGE, PV_SCOPE_INSIDE},
    {"", "31 parameters",
	HOST "/?" TEN_PARAMETERS TEN_PARAMETERS TEN_PARAMETERS "k", PAGE,
	PV_SCOPE_PARAMETERS},
    {"", "as a seed",
	HOST "/?" TEN_PARAMETERS TEN_PARAMETERS TEN_PARAMETERS "k",
	{.is_seed = true}, PV_SCOPE_SEED},
    {"", "one parameter three times", HOST "/?a=1&a=1&a=1&a=2", PAGE,
	PV_SCOPE_INSIDE},
    {"", "four times", HOST "/?a=1&a=1&b&a=1&a=1", PAGE,
	PV_SCOPE_SAME_PARAMETER},
    {"", "escaped three times over", HOST "/?a=%252520", PAGE, PV_SCOPE_INSIDE},
    {"", "four times over", HOST "/?a=%25252520", PAGE, PV_SCOPE_ESCAPED},
    {"", "in a path", HOST "/%25252520", PAGE, PV_SCOPE_ESCAPED},
    {"", "as a reference", HOST "/?a&amp;amp;amp;amp;b", PAGE,
	PV_SCOPE_ESCAPED},
    {"", "as a seed", HOST "/%25252520?a&amp;amp;amp;amp;b", {.is_seed = true},
	PV_SCOPE_SEED},
    {"", "nested three times", HOST "/?a=b?a=b?a=b?a=b", PAGE, PV_SCOPE_INSIDE},
    {"", "four times", HOST "/?a=b?a=b?a=b?a=b?a=b", PAGE, PV_SCOPE_NESTED},
    {"", "a date too far ahead", HOST "/2031/05", NOW, PV_SCOPE_AHEAD},
    {"", "or back", HOST "/?from=1900-05-17", NOW, PV_SCOPE_BACK},
    {"", "or neither", HOST "/2026/11?from=2028-11-20", NOW, PV_SCOPE_INSIDE},
    {"", "when nobody knows what day it is", HOST "/2031/05", PAGE,
	PV_SCOPE_INSIDE},
    {"", "as a seed", HOST "/2031/05", {.is_seed = true, .wall_ms = TODAY},
	PV_SCOPE_SEED},
    {"{traps: {repeats: none, segments: none, parameters: none, calendar: "
     "{ahead: none, back: none}}}",
	"no limit of dates", HOST "/2031/05?year=1000&month=1", NOW,
	PV_SCOPE_INSIDE},
    {"", "nor of queries",
	HOST "/?" TEN_PARAMETERS TEN_PARAMETERS TEN_PARAMETERS TEN_PARAMETERS
	     "a=b?a=b?a=b?a=b?a=b&a=%25252520",
	PAGE, PV_SCOPE_INSIDE},
    {"{traps: {repeats: none, segments: none}}", "no traps",
	HOST "/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a", PAGE,
	PV_SCOPE_INSIDE},

    /* rules */
    {"{rules: [{deny: {path: \"/logout*\"}}, {allow: {host: a.test}}, "
     "{deny: {ext: [zip]}}, {allow: {url: '^https://b\\.test/v2/'}}]}",
	"a path that is denied", HOST "/logout?now", PAGE, PV_SCOPE_DENIED},
    {"", "though it is a seed", HOST "/logout", {.is_seed = true},
	PV_SCOPE_DENIED},
    {"", "or part of a page", HOST "/logout.png", RESOURCE, PV_SCOPE_DENIED},
    {"", "on an allowed host: the first rule decides", "https://a.test/logout",
	PAGE, PV_SCOPE_DENIED},
    {"", "a host that is allowed, elsewhere", "https://a.test/x.zip", PAGE,
	PV_SCOPE_ALLOWED},
    {"", "an ending that is denied", HOST "/x.zip", PAGE, PV_SCOPE_DENIED},
    {"", "a pattern that is allowed", "https://b.test/v2/x", PAGE,
	PV_SCOPE_ALLOWED},
    {"", "but not found", "https://b.test/v1/x", PAGE, PV_SCOPE_OTHER_HOST},
    {"", "no rule", HOST "/a", PAGE, PV_SCOPE_INSIDE},
    {"{depth: 1, below: true, rules: [{allow: {path: \"/v2/*\"}}]}",
	"a rule admits at any depth", HOST "/v2/a", {.depth = 9},
	PV_SCOPE_ALLOWED},
    {"", "but no trap", HOST "/v2/a/a/a/a", PAGE, PV_SCOPE_REPEATS},
    {"{rules: [{deny: {path: \"*.html\", host: \"*.org\", ext: [html]}}]}",
	"all that a rule names", HOST "/a.html", PAGE, PV_SCOPE_DENIED},
    {"", "all but one", HOST "/a.htm", PAGE, PV_SCOPE_INSIDE},
    {"{rules: [{allow: {url: '(?:a+)+[yz]'}}]}",
	"P5: a pattern at its limit denies, though it is to allow",
	HOST "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	PAGE, PV_SCOPE_GAVE_UP},
    {"", "other addresses are as they were", HOST "/b", PAGE, PV_SCOPE_INSIDE},

    /* credentials */
    {"{hosts: any}", "P7: somebody's credentials",
	"https://me:secret@docs.example.org/", PAGE, PV_SCOPE_CREDENTIALS},
    {"", "a name alone", "https://me@docs.example.org/", RESOURCE,
	PV_SCOPE_CREDENTIALS},
};

static void test_cases(void)
{
	struct court court;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		if (i && cases[i].scope[0])
			close_court(&court);
		if (cases[i].scope[0])
			open_court(&court, SEEDS, cases[i].scope);
		is_judged(&court, cases[i].claim, cases[i].address,
		    cases[i].link, cases[i].reason);
	}
	close_court(&court);
}

static void test_credentials(void)
{
	struct court court;
	struct pv_scope_link page = PAGE;
	open_court(&court, "[https://me:secret@docs.example.org/]", "{}");
	is_judged(&court, "credentials that a seed gives",
	    "https://me:secret@docs.example.org/a", page, PV_SCOPE_INSIDE);
	is_judged(&court, "P7: for another scheme",
	    "http://me:secret@docs.example.org/a", page, PV_SCOPE_CREDENTIALS);
	is_judged(&court, "P7: for another port",
	    "https://me:secret@docs.example.org:8443/", page,
	    PV_SCOPE_CREDENTIALS);
	is_judged(&court, "P7: others", "https://me:other@docs.example.org/a",
	    page, PV_SCOPE_CREDENTIALS);
	pv_url_parse(&court.url, PV_STR("https://you:x@www.example.org/"));
	pv_scope_add_redirect(court.scope, &court.url);
	is_judged(&court, "P7: those that a server sends a seed to",
	    "https://you:x@www.example.org/", page, PV_SCOPE_CREDENTIALS);
	is_judged(&court, "but its host counts", "https://www.example.org/",
	    page, PV_SCOPE_INSIDE);
	close_court(&court);
}

static void test_never(void)
{
	struct court court;
	struct pv_why why;
	struct pv_scope_link page = PAGE, seed = {.is_seed = true};
	open_court(
	    &court, SEEDS, "{hosts: any, rules: [{allow: {host: \"*\"}}]}");
	FILE *file = fopen("never-test.txt", "w");
	fputs("# asked\ndocs.example.org\n198.51.100.0/24\n", file);
	fclose(file);
	pv_why_init(&why);
	pv_never_read(&court.policy->never, "never-test.txt", &why);
	remove("never-test.txt");
	ok(!pv_why_has_problems(&why), "never.txt is read");
	pv_why_finish(&why);
	is_judged(&court, "an owner who asked us away, whatever rules say",
	    HOST "/", page, PV_SCOPE_NEVER);
	is_judged(&court, "even if a seed", HOST "/", seed, PV_SCOPE_NEVER);
	is_judged(&court, "also below", "https://a.docs.example.org/", page,
	    PV_SCOPE_NEVER);
	is_judged(&court, "by address", "https://198.51.100.7/", page,
	    PV_SCOPE_NEVER);
	is_judged(
	    &court, "others", "https://example.org/", page, PV_SCOPE_ALLOWED);
	struct pv_scope_verdict verdict = judge(&court, HOST "/", page);
	ok(verdict.origin.place.line == 2,
	    "P4: the verdict names the line of never.txt");
	close_court(&court);
}

static void test_news(void)
{
	struct court court;
	struct pv_scope_link page = PAGE;
	const char *address =
	    HOST "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	open_court(&court, SEEDS,
	    "{rules: [{deny: {path: /b}}, {deny: {url: '(?:a+)+[yz]'}}]}");
	struct pv_scope_verdict first = judge(&court, address, page);
	struct pv_scope_verdict second = judge(&court, address, page);
	ok(first.reason == PV_SCOPE_GAVE_UP && first.is_news,
	    "a pattern that reached its limit is news");
	ok(second.reason == PV_SCOPE_GAVE_UP && !second.is_news,
	    "once, though it denies each time");
	ok(first.number == 2, "P4: and it is said which rule it is");
	ok(!judge(&court, HOST "/b", page).is_news, "nothing else is news");
	close_court(&court);
}

static void test_seed_depth(void)
{
	struct court court;
	open_court(&court,
	    "[https://a.test/, {url: \"https://b.test/\", depth: 0}, "
	    "{url: \"https://c.test/\", depth: 5}]",
	    "{depth: 2}");
	const struct pv_seed *seeds = court.policy->seeds.items;
	struct pv_scope_link link = {.depth = 2, .seed = &seeds[0]};
	is_judged(&court, "a seed without a depth has the scope's",
	    "https://a.test/a", link, PV_SCOPE_INSIDE);
	link.depth = 3;
	is_judged(
	    &court, "and no more", "https://a.test/a", link, PV_SCOPE_TOO_DEEP);
	link.seed = &seeds[2];
	is_judged(&court, "a seed's own may be larger", "https://c.test/a",
	    link, PV_SCOPE_INSIDE);
	link.seed = &seeds[1];
	link.depth = 1;
	is_judged(&court, "or nothing but the page", "https://b.test/a", link,
	    PV_SCOPE_TOO_DEEP);
	is_judged(&court, "wherever its links lead", "https://a.test/a", link,
	    PV_SCOPE_TOO_DEEP);
	link.kind = PV_LINK_RESOURCE;
	link.depth = 0;
	is_judged(&court, "with what the page is made of", "https://d.test/a",
	    link, PV_SCOPE_REQUISITE);
	close_court(&court);
}

int main(void)
{
	test_cases();
	test_credentials();
	test_never();
	test_news();
	test_seed_depth();
	return tap_done();
}
