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
	struct decision decision;
} cases[] = {
    /* hosts */
    {"{}", "same: the seed's host", HOST "/a", PAGE, BY(INSIDE, NONE)},
    {"", "in the other scheme", "http://docs.example.org/a", PAGE,
	BY(INSIDE, NONE)},
    {"", "on another port", HOST ":8443/a", PAGE, BY(INSIDE, NONE)},
    {"", "with a dot at its end", "https://docs.example.org./a", PAGE,
	BY(INSIDE, NONE)},
    {"", "a host above it", "https://example.org/", PAGE, BY(HOSTS, HOST)},
    {"", "a host below it", "https://a.docs.example.org/", PAGE,
	BY(HOSTS, HOST)},
    {"", "a longer name", "https://mydocs.example.org/", PAGE, BY(HOSTS, HOST)},
    {"", "an address", "https://192.0.2.1/", PAGE, BY(HOSTS, HOST)},
    {"{hosts: site}", "site: the seed's host", HOST "/a", PAGE,
	BY(INSIDE, NONE)},
    {"", "the domain itself", "https://example.org/", PAGE, BY(INSIDE, NONE)},
    {"", "another name in it", "https://a.b.example.org/", PAGE,
	BY(INSIDE, NONE)},
    {"", "with a dot at its end", "https://www.example.org./", PAGE,
	BY(INSIDE, NONE)},
    {"", "a longer domain", "https://anexample.org/", PAGE, BY(HOSTS, HOST)},
    {"", "the suffix", "https://org/", PAGE, BY(HOSTS, HOST)},
    {"", "another domain", "https://example.com/", PAGE, BY(HOSTS, HOST)},
    {"{hosts: any}", "any host", "https://example.com/", PAGE,
	BY(INSIDE, NONE)},
    {"{hosts: [example.com, \"*.example.net\", \"192.0.2.1\", \"::1\"]}",
	"a name that is listed", "https://example.com/", PAGE,
	BY(INSIDE, NONE)},
    {"", "below a name that is listed alone", "https://www.example.com/", PAGE,
	BY(HOSTS, HOST)},
    {"", "below a name with a star", "https://a.b.example.net/", PAGE,
	BY(INSIDE, NONE)},
    {"", "that name itself", "https://example.net/", PAGE, BY(HOSTS, HOST)},
    {"", "an IPv4 address", "https://192.0.2.1/", PAGE, BY(INSIDE, NONE)},
    {"", "an IPv6 address", "https://[::1]/", PAGE, BY(INSIDE, NONE)},
    {"", "another address", "https://192.0.2.2/", PAGE, BY(HOSTS, HOST)},
    {"", "the seed's host, which is not listed", HOST "/a", PAGE,
	BY(HOSTS, HOST)},
    {"", "but the seed itself", HOST "/", {.is_seed = true}, BY(SEED, NONE)},

    /* depth */
    {"{depth: 2}", "a page at the last depth", HOST "/a", {.depth = 2},
	BY(INSIDE, NONE)},
    {"", "one link deeper", HOST "/a", {.depth = 3}, BY(DEPTH, DEPTH)},
    {"", "a resource of the last page", HOST "/a.png",
	{.kind = PV_LINK_RESOURCE, .depth = 2}, BY(REQUISITES, NONE)},
    {"", "another host is another host at any depth", "https://example.com/",
	{.depth = 3}, BY(HOSTS, HOST)},
    {"{depth: 0}", "the seed", HOST "/", {.is_seed = true}, BY(SEED, NONE)},
    {"", "its links", HOST "/a", PAGE, BY(DEPTH, DEPTH)},
    {"{}", "no limit to depth", HOST "/a", {.depth = UINT32_MAX},
	BY(INSIDE, NONE)},

    /* requisites */
    {"{}", "a part of a page, elsewhere", "https://cdn.example.net/a.css",
	RESOURCE, BY(REQUISITES, NONE)},
    {"", "a page there", "https://cdn.example.net/", PAGE, BY(HOSTS, HOST)},
    {"", "a resource of a page out of scope", "https://cdn.example.net/a.css",
	{.kind = PV_LINK_RESOURCE, .hops = 1}, BY(HOSTS, HOST)},
    {"", "one that lies in scope", HOST "/a.css",
	{.kind = PV_LINK_RESOURCE, .hops = 1}, BY(INSIDE, NONE)},
    {"", "what eight style sheets import in turn",
	"https://cdn.example.net/9.css", {.kind = PV_LINK_RESOURCE, .chain = 8},
	BY(REQUISITES, NONE)},
    {"", "P5: what nine do", "https://cdn.example.net/10.css",
	{.kind = PV_LINK_RESOURCE, .chain = 9}, BY(CHAIN, CHAINED)},
    {"{requisites: false}", "a part of a page, where parts do not count",
	"https://cdn.example.net/a.css", RESOURCE, BY(HOSTS, HOST)},
    {"", "in scope they are links as any other", HOST "/a.css", RESOURCE,
	BY(INSIDE, NONE)},
    {"{requisites: false, hops: 3}", "hops are for pages",
	"https://cdn.example.net/a.css", RESOURCE, BY(HOSTS, HOST)},

    /* ports */
    {"{}", "a port of another protocol", HOST ":25/", PAGE, BY(PORT, PORT)},
    {"", "that of no protocol", HOST ":0/", PAGE, BY(PORT, PORT)},
    {"", "of a part of a page", "https://cdn.example.net:22/a.css", RESOURCE,
	BY(PORT, PORT)},
    {"", "where a redirect leads", HOST ":6667/",
	{.depth = 1, .is_redirect = true}, BY(PORT, PORT)},
    {"", "one that is nobody's", HOST ":8022/", PAGE, BY(INSIDE, NONE)},
    {"", "a seed", HOST ":22/", {.is_seed = true}, BY(SEED, NONE)},
    {"{rules: [{allow: {path: \"*\"}}]}", "what a rule allows", HOST ":22/",
	PAGE, BY(PORT, PORT)},

    /* fetch.accept */
    {"{}\nfetch: {accept: [text/html, image/gif]}",
	"an image that would not be taken", HOST "/a.png", RESOURCE,
	BY(TYPE, TYPE)},
    {"", "wherever it is", "https://cdn.example.net/a.WOFF?b=c", RESOURCE,
	BY(TYPE, TYPE)},
    {"", "one that would", HOST "/a.gif", RESOURCE, BY(REQUISITES, NONE)},
    {"", "what tells no type", HOST "/a.php", RESOURCE, BY(REQUISITES, NONE)},
    {"", "a page, which may be called so", HOST "/File:a.png", PAGE,
	BY(INSIDE, NONE)},
    {"", "a seed", HOST "/a.png", {.is_seed = true}, BY(SEED, NONE)},
    {"", "where a redirect leads", HOST "/a.png",
	{.kind = PV_LINK_RESOURCE, .is_redirect = true}, BY(REQUISITES, NONE)},
    {"{}\nfetch: {accept: [text/html, image/webp]}",
	"an image that may come in another form", HOST "/a.png", RESOURCE,
	BY(REQUISITES, NONE)},
    {"{}\nfetch: {accept: [\"image/*\"]}", "an image, where all are taken",
	HOST "/a.png", RESOURCE, BY(REQUISITES, NONE)},
    {"", "a style sheet, where only they are", HOST "/a.css", RESOURCE,
	BY(TYPE, TYPE)},
    {"{}\nfetch: {accept: [text/html, application/octet-stream]}",
	"what a server does not know comes as octet-stream", HOST "/a.png",
	RESOURCE, BY(REQUISITES, NONE)},
    {"{rules: [{allow: {ext: [png]}}, {deny: {ext: [css]}}]}\n"
     "fetch: {accept: [text/html]}",
	"what a rule allows would not be taken either", HOST "/a.png", RESOURCE,
	BY(TYPE, TYPE)},
    {"", "nor is it a rule that refuses first", HOST "/a.css", RESOURCE,
	BY(TYPE, TYPE)},

    /* aliases */
    {"{aliases: {www.example.org: docs.example.org}}",
	"an alias is never asked, so it is none of the seeds'",
	"https://www.example.org/", PAGE, BY(HOSTS, HOST)},
    {"{aliases: {docs.example.org: example.net}}",
	"a seed's host is the one that it stands for", "https://example.net/",
	PAGE, BY(INSIDE, NONE)},
    {"{hosts: site, aliases: {docs.example.org: example.net}}",
	"and so is its site", "https://www.example.net/", PAGE,
	BY(INSIDE, NONE)},
    {"{hosts: [www.example.com], aliases: {\"www.*\": \"*\"}}",
	"a host that is listed is too", "https://example.com/", PAGE,
	BY(INSIDE, NONE)},

    /* max_url */
    {"{max_url: 30}", "an address of 30 bytes", HOST "/aaaaa", PAGE,
	BY(INSIDE, NONE)},
    {"", "a fragment does not count", HOST "/aaaaa#aaaaa", PAGE,
	BY(INSIDE, NONE)},
    {"", "31 bytes", HOST "/aaaaaa", PAGE, BY(MAX_URL, TOO_LONG)},
    {"", "a query does", HOST "/aaa?aa", PAGE, BY(MAX_URL, TOO_LONG)},
    {"", "also of a seed", HOST "/aaaaaa", {.is_seed = true},
	BY(MAX_URL, TOO_LONG)},
    {"", "and of a resource", HOST "/aaaaaa", RESOURCE, BY(MAX_URL, TOO_LONG)},

    /* traps */
    {"{}", "one segment three times", HOST "/a/b/a/c/a", PAGE,
	BY(INSIDE, NONE)},
    {"", "four times", HOST "/a/b/a/c/a/d/a", PAGE, BY(REPEATS, REPEATS)},
    {"", "20 segments", HOST "/1/2/3/4/5/6/7/8/9/0/a/b/c/d/e/f/g/h/i/j", PAGE,
	BY(INSIDE, NONE)},
    {"", "21 segments", HOST "/1/2/3/4/5/6/7/8/9/0/a/b/c/d/e/f/g/h/i/j/k", PAGE,
	BY(SEGMENTS, SEGMENTS)},
    {"", "a seed is no trap", HOST "/a/a/a/a/a", {.is_seed = true},
	BY(SEED, NONE)},
    {"", "a resource is", "https://cdn.example.net/a/a/a/a", RESOURCE,
	BY(REPEATS, REPEATS)},
    {"", "a query has no segments", HOST "/?/a/a/a/a/a", PAGE,
	BY(INSIDE, NONE)},
    {"", "30 parameters",
	HOST "/?" TEN_PARAMETERS TEN_PARAMETERS "a&b&c&"
	     "d&e&f&g&h&i&j",
	PAGE, BY(INSIDE, NONE)},
    {"", "31 parameters",
	HOST "/?" TEN_PARAMETERS TEN_PARAMETERS TEN_PARAMETERS "k", PAGE,
	BY(PARAMETERS, QUERY)},
    {"", "as a seed",
	HOST "/?" TEN_PARAMETERS TEN_PARAMETERS TEN_PARAMETERS "k",
	{.is_seed = true}, BY(SEED, NONE)},
    {"", "one parameter three times", HOST "/?a=1&a=1&a=1&a=2", PAGE,
	BY(INSIDE, NONE)},
    {"", "four times", HOST "/?a=1&a=1&b&a=1&a=1", PAGE,
	BY(SAME_PARAMETER, QUERY)},
    {"", "escaped three times over", HOST "/?a=%252520", PAGE,
	BY(INSIDE, NONE)},
    {"", "four times over", HOST "/?a=%25252520", PAGE, BY(ESCAPED, QUERY)},
    {"", "in a path", HOST "/%25252520", PAGE, BY(ESCAPED, QUERY)},
    {"", "as a reference", HOST "/?a&amp;amp;amp;amp;b", PAGE,
	BY(ESCAPED, QUERY)},
    {"", "as a seed", HOST "/%25252520?a&amp;amp;amp;amp;b", {.is_seed = true},
	BY(SEED, NONE)},
    {"", "nested three times", HOST "/?a=b?a=b?a=b?a=b", PAGE,
	BY(INSIDE, NONE)},
    {"", "four times", HOST "/?a=b?a=b?a=b?a=b?a=b", PAGE, BY(NESTED, QUERY)},
    {"", "a date too far ahead", HOST "/2031/05", NOW, BY(AHEAD, CALENDAR)},
    {"", "or back", HOST "/?from=1900-05-17", NOW, BY(BACK, CALENDAR)},
    {"", "or neither", HOST "/2026/11?from=2028-11-20", NOW, BY(INSIDE, NONE)},
    {"", "when nobody knows what day it is", HOST "/2031/05", PAGE,
	BY(INSIDE, NONE)},
    {"", "as a seed", HOST "/2031/05", {.is_seed = true, .wall_ms = TODAY},
	BY(SEED, NONE)},
    {"{traps: {repeats: none, segments: none, parameters: none, calendar: "
     "{ahead: none, back: none}}}",
	"no limit of dates", HOST "/2031/05?year=1000&month=1", NOW,
	BY(INSIDE, NONE)},
    {"", "nor of queries",
	HOST "/?" TEN_PARAMETERS TEN_PARAMETERS TEN_PARAMETERS TEN_PARAMETERS
	     "a=b?a=b?a=b?a=b?a=b&a=%25252520",
	PAGE, BY(INSIDE, NONE)},
    {"{traps: {repeats: none, segments: none}}", "no traps",
	HOST "/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a", PAGE,
	BY(INSIDE, NONE)},

    /* rules */
    {"{rules: [{deny: {path: \"/logout*\"}}, {allow: {host: a.test}}, "
     "{deny: {ext: [zip]}}, {allow: {url: '^https://b\\.test/v2/'}}]}",
	"a path that is denied", HOST "/logout?now", PAGE, BY(RULES, RULE)},
    {"", "though it is a seed", HOST "/logout", {.is_seed = true},
	BY(RULES, RULE)},
    {"", "or part of a page", HOST "/logout.png", RESOURCE, BY(RULES, RULE)},
    {"", "on an allowed host: the first rule decides", "https://a.test/logout",
	PAGE, BY(RULES, RULE)},
    {"", "a host that is allowed, elsewhere", "https://a.test/x.zip", PAGE,
	BY(RULES, NONE)},
    {"", "an ending that is denied", HOST "/x.zip", PAGE, BY(RULES, RULE)},
    {"", "a pattern that is allowed", "https://b.test/v2/x", PAGE,
	BY(RULES, NONE)},
    {"", "but not found", "https://b.test/v1/x", PAGE, BY(HOSTS, HOST)},
    {"", "no rule", HOST "/a", PAGE, BY(INSIDE, NONE)},
    {"{depth: 1, below: true, rules: [{allow: {path: \"/v2/*\"}}]}",
	"a rule admits at any depth", HOST "/v2/a", {.depth = 9},
	BY(RULES, NONE)},
    {"", "but no trap", HOST "/v2/a/a/a/a", PAGE, BY(REPEATS, REPEATS)},
    {"{rules: [{deny: {path: \"*.html\", host: \"*.org\", ext: [html]}}]}",
	"all that a rule names", HOST "/a.html", PAGE, BY(RULES, RULE)},
    {"", "all but one", HOST "/a.htm", PAGE, BY(INSIDE, NONE)},
    {"{rules: [{allow: {url: '(?:a+)+[yz]'}}]}",
	"P5: a pattern at its limit denies, though it is to allow",
	HOST "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	PAGE, BY(RULES, RULE_GAVE_UP)},
    {"", "other addresses are as they were", HOST "/b", PAGE, BY(INSIDE, NONE)},

    /* credentials */
    {"{hosts: any}", "P7: somebody's credentials",
	"https://me:secret@docs.example.org/", PAGE,
	BY(CREDENTIALS, CREDENTIALS)},
    {"", "a name alone", "https://me@docs.example.org/", RESOURCE,
	BY(CREDENTIALS, CREDENTIALS)},
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
		    cases[i].link, cases[i].decision);
	}
	close_court(&court);
}

static void test_credentials(void)
{
	struct court court;
	struct pv_scope_link page = PAGE;
	open_court(&court, "[https://me:secret@docs.example.org/]", "{}");
	is_judged(&court, "credentials that a seed gives",
	    "https://me:secret@docs.example.org/a", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "P7: for another scheme",
	    "http://me:secret@docs.example.org/a", page,
	    (struct decision)BY(CREDENTIALS, CREDENTIALS));
	is_judged(&court, "P7: for another port",
	    "https://me:secret@docs.example.org:8443/", page,
	    (struct decision)BY(CREDENTIALS, CREDENTIALS));
	is_judged(&court, "P7: others", "https://me:other@docs.example.org/a",
	    page, (struct decision)BY(CREDENTIALS, CREDENTIALS));
	pv_url_parse(&court.url, PV_STR("https://you:x@www.example.org/"));
	pv_scope_add_redirect(court.scope, &court.url);
	is_judged(&court, "P7: those that a server sends a seed to",
	    "https://you:x@www.example.org/", page,
	    (struct decision)BY(CREDENTIALS, CREDENTIALS));
	is_judged(&court, "but its host counts", "https://www.example.org/",
	    page, (struct decision)BY(INSIDE, NONE));
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
	    HOST "/", page, (struct decision)BY(NEVER, NEVER));
	is_judged(&court, "even if a seed", HOST "/", seed,
	    (struct decision)BY(NEVER, NEVER));
	is_judged(&court, "also below", "https://a.docs.example.org/", page,
	    (struct decision)BY(NEVER, NEVER));
	is_judged(&court, "by address", "https://198.51.100.7/", page,
	    (struct decision)BY(NEVER, NEVER));
	is_judged(&court, "others", "https://example.org/", page,
	    (struct decision)BY(RULES, NONE));
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
	ok(first.step == PV_STEP_RULES &&
		first.reason == PV_REASON_RULE_GAVE_UP && first.is_news,
	    "a pattern that reached its limit is news");
	ok(second.step == PV_STEP_RULES &&
		second.reason == PV_REASON_RULE_GAVE_UP && !second.is_news,
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
	    "https://a.test/a", link, (struct decision)BY(INSIDE, NONE));
	link.depth = 3;
	is_judged(&court, "and no more", "https://a.test/a", link,
	    (struct decision)BY(DEPTH, DEPTH));
	link.seed = &seeds[2];
	is_judged(&court, "a seed's own may be larger", "https://c.test/a",
	    link, (struct decision)BY(INSIDE, NONE));
	link.seed = &seeds[1];
	link.depth = 1;
	is_judged(&court, "or nothing but the page", "https://b.test/a", link,
	    (struct decision)BY(DEPTH, DEPTH));
	is_judged(&court, "wherever its links lead", "https://a.test/a", link,
	    (struct decision)BY(DEPTH, DEPTH));
	link.kind = PV_LINK_RESOURCE;
	link.depth = 0;
	is_judged(&court, "with what the page is made of", "https://d.test/a",
	    link, (struct decision)BY(REQUISITES, NONE));
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
