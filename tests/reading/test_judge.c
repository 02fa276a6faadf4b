#include "reading/judge.h"

#include "scope/judge.h"

/* A scene: a policy, and the list to which links are added. */
struct bench {
	struct court court;
	struct pv_frontier frontier;
	struct pv_reading_context context;
	struct pv_link_list links;
};

static void open_bench(
    struct bench *bench, const char *seeds, const char *scope)
{
	open_court(&bench->court, seeds, scope);
	const struct pv_policy *policy = bench->court.policy;
	bench->frontier = (struct pv_frontier){.key = {{1, 2}}};
	bench->context = (struct pv_reading_context){
	    .policy = policy,
	    .scope = bench->court.scope,
	    .frontier = &bench->frontier,
	    .deepest = pv_judge_deepest(policy),
	};
	pv_sameness_init(&bench->context.sameness, policy);
	pv_link_list_init(&bench->links, 1 << 20);
}

static void close_bench(struct bench *bench)
{
	pv_link_list_finish(&bench->links);
	pv_sameness_finish(&bench->context.sameness);
	close_court(&bench->court);
}

static struct pv_url *parse(struct bench *bench, const char *address)
{
	struct pv_url *url = &bench->court.url;
	if (pv_url_parse(url, pv_str_of(address)) != PV_URL_OK)
		ok(false, "%s is an address", address);
	return url;
}

/* Adds the link, and gives it as it stands in the list. */
static struct pv_link add(
    struct bench *bench, const char *address, struct pv_found found)
{
	bool is_added = false;
	found.url = parse(bench, address);
	pv_judge_add(&bench->context, &found, &bench->links, &is_added);
	ok(is_added, "%s is in the list", address);
	return pv_link_list_get(&bench->links, bench->links.count - 1);
}

/* What is found on a page, or instead of it */

#define HOST "https://a.test"

#define SEEDS                                               \
	"[https://a.test/, {url: \"https://a.test/only\", " \
	"depth: 0}, {url: \"https://a.test/shop\", tag: shop}]"

static const struct row {
	const char *scope; /* a new policy; NULL for the one before */
	const char *claim;
	const char *address;
	struct pv_found found;
	struct pv_standing from;
	struct pv_standing wanted;
} rows[] = {
    {"{}", "a page's link lies one deeper", HOST "/a", {.kind = PV_LINK_PAGE},
	{.use = PV_PAGE, .depth = 3, .depth_left = PV_DEPTH_MAX},
	{.use = PV_PAGE, .depth = 4, .depth_left = PV_DEPTH_MAX}},
    {NULL, "a part of it as deep", HOST "/a.png", {.kind = PV_LINK_RESOURCE},
	{.use = PV_PAGE, .depth = 3, .depth_left = 2},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = PV_SCOPE_CHAIN_MAX}},
    {NULL, "a link leaves one less to follow", HOST "/a",
	{.kind = PV_LINK_PAGE}, {.use = PV_PAGE, .depth = 3, .depth_left = 2},
	{.use = PV_PAGE, .depth = 4, .depth_left = 1}},
    {NULL, "where nothing is left it is too deep", HOST "/a",
	{.kind = PV_LINK_PAGE}, {.use = PV_PAGE, .depth = 3, .depth_left = 0},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_DEPTH, 0},
	    .depth = 4,
	    .depth_left = 0}},
    {NULL, "but the page is whole", HOST "/a.png", {.kind = PV_LINK_RESOURCE},
	{.use = PV_PAGE, .depth = 3, .depth_left = 0},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = PV_SCOPE_CHAIN_MAX}},
    {NULL, "what a part asks for leaves one less to be asked for",
	HOST "/b.css", {.kind = PV_LINK_RESOURCE},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = PV_SCOPE_CHAIN_MAX},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = PV_SCOPE_CHAIN_MAX - 1}},
    {NULL, "the last that is asked for so", HOST "/c.css",
	{.kind = PV_LINK_RESOURCE},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = 1},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = 0}},
    {NULL, "P5: behind it there are none", HOST "/d.css",
	{.kind = PV_LINK_RESOURCE},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = 0},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_CHAINED, 0},
	    .depth = 3,
	    .depth_left = 0}},
    {NULL, "but where it has moved to", HOST "/d.css",
	{.kind = PV_LINK_RESOURCE, .is_redirect = true},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = 0},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = 0, .redirects = 1}},
    {NULL, "which leads as far", HOST "/d.css",
	{.kind = PV_LINK_RESOURCE, .is_redirect = true},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = 5, .redirects = 1},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = 5, .redirects = 2}},
    {NULL, "a number that is too large counts as the largest", HOST "/b.css",
	{.kind = PV_LINK_RESOURCE},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = PV_DEPTH_MAX},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = PV_SCOPE_CHAIN_MAX - 1}},
    {NULL, "redirects behind a page are not its links'", HOST "/a",
	{.kind = PV_LINK_PAGE},
	{.use = PV_PAGE, .depth_left = PV_DEPTH_MAX, .redirects = 7},
	{.use = PV_PAGE, .depth = 1, .depth_left = PV_DEPTH_MAX}},
    {NULL, "a redirect lies as deep, and is counted", HOST "/a",
	{.kind = PV_LINK_PAGE, .is_redirect = true},
	{.use = PV_PAGE, .depth = 3, .depth_left = 0, .redirects = 2},
	{.use = PV_PAGE, .depth = 3, .depth_left = 0, .redirects = 3}},
    {NULL, "P5: the tenth redirect is followed", HOST "/a",
	{.kind = PV_LINK_PAGE, .is_redirect = true},
	{.use = PV_PAGE, .redirects = 9}, {.use = PV_PAGE, .redirects = 10}},
    {NULL, "P5: the eleventh is not", HOST "/a",
	{.kind = PV_LINK_PAGE, .is_redirect = true},
	{.use = PV_PAGE, .redirects = 10},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_REDIRECTS, 0},
	    .redirects = 11}},
    {NULL, "nor that of a part", HOST "/a.png",
	{.kind = PV_LINK_RESOURCE, .is_redirect = true},
	{.use = PV_RESOURCE, .redirects = 10},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_REDIRECTS, 0},
	    .redirects = 11}},
    {NULL, "another host is not ours", "https://b.test/",
	{.kind = PV_LINK_PAGE}, {.use = PV_PAGE, .depth_left = 9},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_HOST, 0},
	    .depth = 1,
	    .depth_left = 8}},
    {NULL, "nor is it where a page of ours has moved to", "https://b.test/",
	{.kind = PV_LINK_PAGE, .is_redirect = true},
	{.use = PV_PAGE, .depth_left = 9},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_HOST, 0},
	    .depth_left = 9,
	    .redirects = 1}},
    {NULL, "a part of a page may lie anywhere", "https://cdn.test/a.png",
	{.kind = PV_LINK_RESOURCE}, {.use = PV_PAGE, .depth_left = 9},
	{.use = PV_RESOURCE, .depth_left = PV_SCOPE_CHAIN_MAX}},
    {NULL, "P7: nobody is led to credentials", "https://me:x@a.test/",
	{.kind = PV_LINK_PAGE}, {.use = PV_PAGE, .depth_left = 9},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_CREDENTIALS, 0},
	    .depth = 1,
	    .depth_left = 8}},
    {NULL, "what is marked is not followed", HOST "/a",
	{.kind = PV_LINK_PAGE, .nofollow = PV_REASON_NOFOLLOW},
	{.use = PV_PAGE, .depth_left = 9},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_NOFOLLOW, 0},
	    .depth = 1,
	    .depth_left = 8}},
    {NULL, "P4: the scope's reason goes first", "https://b.test/",
	{.kind = PV_LINK_PAGE, .nofollow = PV_REASON_NOFOLLOW},
	{.use = PV_PAGE, .depth_left = 0},
	{.use = PV_REFUSED, .verdict = {PV_REASON_HOST, 0}, .depth = 1}},

    {NULL, "what a sitemap lists lies as deep as it does", HOST "/a",
	{.kind = PV_LINK_PAGE, .is_listed = true},
	{.use = PV_PAGE, .depth = 1, .depth_left = 0, .listing = PV_LISTS_ALL},
	{.use = PV_PAGE, .depth = 1, .depth_left = 0}},
    {NULL, "and is no seed, though a seed lists it", HOST "/a",
	{.kind = PV_LINK_PAGE, .is_listed = true},
	{.use = PV_PAGE, .depth_left = 5, .listing = PV_LISTS_ALL},
	{.use = PV_PAGE, .depth_left = 5, .is_entry = true}},
    {NULL, "nor is where it was moved to", HOST "/a",
	{.kind = PV_LINK_PAGE, .is_redirect = true},
	{.use = PV_PAGE, .depth_left = 5, .is_entry = true},
	{.use = PV_PAGE, .depth_left = 5, .redirects = 1, .is_entry = true}},
    {NULL, "a link on it is one as any", HOST "/a", {.kind = PV_LINK_PAGE},
	{.use = PV_PAGE, .depth_left = 5, .is_entry = true},
	{.use = PV_PAGE, .depth = 1, .depth_left = 4}},
    {NULL, "what an index names is a sitemap, wherever it lies",
	"https://b.test/s.xml",
	{.kind = PV_LINK_PAGE, .is_listed = true, .listing = PV_LISTS_PAGES},
	{.use = PV_PAGE, .depth = 1, .depth_left = 5, .listing = PV_LISTS_ALL},
	{.use = PV_PAGE,
	    .depth = 1,
	    .depth_left = 5,
	    .listing = PV_LISTS_PAGES,
	    .is_only_list = true}},
    {NULL, "a sitemap may be moved", HOST "/s.xml",
	{.kind = PV_LINK_PAGE, .is_redirect = true, .listing = PV_LISTS_PAGES},
	{.use = PV_PAGE,
	    .depth = 1,
	    .listing = PV_LISTS_PAGES,
	    .is_only_list = true},
	{.use = PV_PAGE,
	    .depth = 1,
	    .redirects = 1,
	    .listing = PV_LISTS_PAGES,
	    .is_only_list = true}},
    {NULL, "but not to where it is not ours", "https://b.test/",
	{.kind = PV_LINK_PAGE, .is_redirect = true},
	{.use = PV_PAGE,
	    .depth = 1,
	    .listing = PV_LISTS_ALL,
	    .is_only_list = true},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_HOST, 0},
	    .depth = 1,
	    .redirects = 1}},
    {NULL, "P4: a sitemap may not speak for any host", HOST "/a",
	{.kind = PV_LINK_PAGE, .is_listed = true, .is_not_vouched = true},
	{.use = PV_PAGE, .depth = 1, .listing = PV_LISTS_ALL},
	{.use = PV_REFUSED, .verdict = {PV_REASON_NOT_VOUCHED, 0}, .depth = 1}},

    {"{depth: 2}", "the last that the policy's depth admits", HOST "/a",
	{.kind = PV_LINK_PAGE}, {.use = PV_PAGE, .depth = 1, .depth_left = 1},
	{.use = PV_PAGE, .depth = 2, .depth_left = 0}},
    {NULL, "a policy that was wider before is heard", HOST "/a",
	{.kind = PV_LINK_PAGE},
	{.use = PV_PAGE, .depth = 2, .depth_left = PV_DEPTH_MAX},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_DEPTH, 0},
	    .depth = 3,
	    .depth_left = PV_DEPTH_MAX}},

    {"{rules: [{deny: {path: \"/no*\"}}, {allow: {path: \"/yes*\"}}]}",
	"P4: a rule denies by its number", HOST "/no", {.kind = PV_LINK_PAGE},
	{.use = PV_PAGE, .depth_left = 9},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_RULE, 1},
	    .depth = 1,
	    .depth_left = 8}},
    {NULL, "one that allows does so however deep it lies", HOST "/yes",
	{.kind = PV_LINK_PAGE}, {.use = PV_PAGE, .depth = 3, .depth_left = 0},
	{.use = PV_PAGE, .depth = 4, .depth_left = 0}},
    {NULL, "but does not overrule who marked it", HOST "/yes",
	{.kind = PV_LINK_PAGE, .nofollow = PV_REASON_NOFOLLOW},
	{.use = PV_PAGE, .depth_left = 9},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_NOFOLLOW, 0},
	    .depth = 1,
	    .depth_left = 8}},
    {NULL, "nor does it make redirects endless", HOST "/yes",
	{.kind = PV_LINK_PAGE, .is_redirect = true},
	{.use = PV_PAGE, .redirects = 10},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_REDIRECTS, 0},
	    .redirects = 11}},

    {"{hops: 2}", "a page off scope is a hop", "https://b.test/",
	{.kind = PV_LINK_PAGE}, {.use = PV_PAGE, .depth_left = 9},
	{.use = PV_PAGE, .depth = 1, .depth_left = 8, .hops = 1}},
    {NULL, "one behind it is another", "https://c.test/",
	{.kind = PV_LINK_PAGE}, {.use = PV_PAGE, .depth_left = 9, .hops = 1},
	{.use = PV_PAGE, .depth = 1, .depth_left = 8, .hops = 2}},
    {NULL, "and there is a last", "https://c.test/", {.kind = PV_LINK_PAGE},
	{.use = PV_PAGE, .depth_left = 9, .hops = 2},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_HOPS, 0},
	    .depth = 1,
	    .depth_left = 8}},
    {NULL, "back in scope there are none behind", HOST "/a",
	{.kind = PV_LINK_PAGE}, {.use = PV_PAGE, .depth_left = 9, .hops = 2},
	{.use = PV_PAGE, .depth = 1, .depth_left = 8}},

    {"{}", "what is far ahead when it was found is a trap", HOST "/1975/05",
	{.kind = PV_LINK_PAGE, .wall_ms = 1},
	{.use = PV_PAGE, .depth = 3, .depth_left = 2},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_CALENDAR, 0},
	    .depth = 4,
	    .depth_left = 1}},
    {NULL, "and later is none", HOST "/1975/05",
	{.kind = PV_LINK_PAGE, .wall_ms = INT64_C(157680000000)},
	{.use = PV_PAGE, .depth = 3, .depth_left = 2},
	{.use = PV_PAGE, .depth = 4, .depth_left = 1}},
    {"{}", "P5: numbers have an end", HOST "/a", {.kind = PV_LINK_PAGE},
	{.use = PV_PAGE, .depth = PV_DEPTH_MAX, .depth_left = PV_DEPTH_MAX},
	{.use = PV_PAGE, .depth = PV_DEPTH_MAX, .depth_left = PV_DEPTH_MAX}},
};

/* As what it was found is kept of what is refused, for another policy. */
static unsigned found_as(const struct row *row)
{
	const struct pv_found *found = &row->found;
	if (row->wanted.use != PV_REFUSED || found->is_not_vouched ||
	    row->wanted.verdict.reason == PV_REASON_CREDENTIALS)
		return 0;
	if (found->kind == PV_LINK_RESOURCE)
		return PV_FOUND_AS_RESOURCE;
	if (found->nofollow == PV_REASON_NONE)
		return PV_FOUND_AS_PAGE;
	return found->nofollow == PV_REASON_NOFOLLOW ? PV_FOUND_AS_NOFOLLOW
						     : PV_FOUND_AS_CLOSED;
}

static void test_row(struct bench *bench, const struct row *row)
{
	struct pv_standing wanted = row->wanted;
	const struct pv_visit from = {
	    .id = 4711, .standing = row->from, .tag = PV_STR("its tag")};
	struct pv_found found = row->found;
	found.from = &from;
	wanted.found_as = found_as(row);
	struct pv_link link = add(bench, row->address, found);
	if (!ok(pv_standing_equal(&link.standing, &wanted), "%s", row->claim))
		printf("# %s %u: %u deep, %u left, %u hops, %u redirects\n",
		    pv_reason_word(link.standing.verdict.reason),
		    link.standing.verdict.line, link.standing.depth,
		    link.standing.depth_left, link.standing.hops,
		    link.standing.redirects);
	ok(link.via == 4711, "it was found there");
	is_text(link.tag, "its tag", "and has its tag");
}

static void test_rows(void)
{
	struct bench bench;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].scope && i)
			close_bench(&bench);
		if (rows[i].scope)
			open_bench(&bench, SEEDS, rows[i].scope);
		test_row(&bench, &rows[i]);
	}
	close_bench(&bench);
}

/* Seeds */

static void is_seed(struct bench *bench, size_t number, const char *address,
    uint32_t depth_left, const char *tag)
{
	const struct pv_seeds *seeds = &bench->court.policy->seeds;
	struct pv_link link = add(bench, address,
	    (struct pv_found){
		.kind = PV_LINK_PAGE, .seed = &seeds->items[number]});
	ok(link.standing.use == PV_PAGE && link.standing.depth == 0 &&
		link.standing.depth_left == depth_left && link.via == 0,
	    "a seed leads so far: %u", link.standing.depth_left);
	is_text(link.tag, tag, "and has its tag");
}

static void test_seeds(void)
{
	struct bench bench;
	open_bench(&bench, SEEDS, "{}");
	is_seed(&bench, 0, HOST "/", PV_DEPTH_MAX, "");
	is_seed(&bench, 1, HOST "/only", 0, "");
	is_seed(&bench, 2, HOST "/shop", PV_DEPTH_MAX, "shop");
	close_bench(&bench);
	open_bench(&bench, SEEDS, "{depth: 3}");
	is_seed(&bench, 0, HOST "/", 3, "");
	is_seed(&bench, 1, HOST "/only", 0, "");
	close_bench(&bench);
	open_bench(&bench, SEEDS, "{depth: 0}");
	is_seed(&bench, 0, HOST "/", 0, "");
	close_bench(&bench);
	open_bench(&bench, SEEDS, "{rules: [{deny: {path: \"/shop*\"}}]}");
	struct pv_link link = add(&bench, HOST "/shop",
	    (struct pv_found){.kind = PV_LINK_PAGE,
		.seed = &bench.court.policy->seeds.items[2]});
	ok(link.standing.use == PV_REFUSED &&
		link.standing.verdict.reason == PV_REASON_RULE,
	    "P4: a seed that a rule denies is refused, with the reason");
	close_bench(&bench);
}

/* A seed's own depth stands in the place of the policy's, be it larger: what
 * is left of it goes from link to link. */
static void test_deep_seed(void)
{
	struct bench bench;
	open_bench(&bench,
	    "[https://a.test/, {url: \"https://a.test/deep\", depth: 5}]",
	    "{depth: 2}");
	is_seed(&bench, 0, HOST "/", 2, "");
	is_seed(&bench, 1, HOST "/deep", 5, "");
	struct pv_visit from = {
	    .standing = {.use = PV_PAGE, .depth = 2, .depth_left = 3}};
	struct pv_found found = {.kind = PV_LINK_PAGE, .from = &from};
	struct pv_link link = add(&bench, HOST "/deep/3", found);
	ok(link.standing.use == PV_PAGE && link.standing.depth == 3 &&
		link.standing.depth_left == 2,
	    "a seed's own depth may be larger than the policy's");
	from.standing.depth_left = 0;
	link = add(&bench, HOST "/a/3", found);
	ok(link.standing.verdict.reason == PV_REASON_DEPTH,
	    "which is no help to the links of another");
	from.standing =
	    (struct pv_standing){.use = PV_PAGE, .depth = 5, .depth_left = 9};
	link = add(&bench, HOST "/deep/6", found);
	ok(link.standing.verdict.reason == PV_REASON_DEPTH,
	    "and is the last of all");
	close_bench(&bench);
}

/* Identity */

static void test_identity(void)
{
	struct bench bench;
	open_bench(&bench, "[https://a.test/]", "{strip_query: [\"utm_*\"]}");
	const struct pv_visit from = {.standing = {.use = PV_PAGE}};
	const struct pv_found found = {.kind = PV_LINK_RESOURCE, .from = &from};
	struct pv_link one = add(
	    &bench, "HTTPS://A.test:443/x/../b?utm_source=y&c=1#here", found);
	is_text(one.url, "https://a.test/b?c=1",
	    "an address is known by what is the same for all its writings");
	is_text(one.host, "a.test", "on its host");
	struct pv_fingerprint found_again = pv_frontier_fingerprint(
	    &bench.frontier, PV_STR("https://a.test/b?c=1"));
	ok(pv_fingerprint_compare(&one.fingerprint, &found_again) == 0,
	    "and found again by it");
	struct pv_link dot = add(&bench, "https://a.test./b", found);
	is_text(dot.host, "a.test",
	    "P1: a host with a dot at its end is the same host");
	close_bench(&bench);
	open_bench(&bench, "[https://www.a.test/index.html]",
	    "{aliases: {\"www.*\": \"*\"}, default_documents: [index.html]}");
	const struct pv_visit page = {
	    .standing = {.use = PV_PAGE, .depth_left = 9}};
	struct pv_link other = add(&bench, "https://www.a.test/c/index.html",
	    (struct pv_found){.from = &page});
	is_text(other.url, "https://a.test/c/",
	    "by the name that its host's alias stands for");
	is_text(other.host, "a.test", "on that host, and no other");
	ok(other.standing.verdict.reason == PV_REASON_NONE,
	    "which is a seed's, since that is the same");
	close_bench(&bench);
}

static void test_full(void)
{
	struct bench bench;
	bool is_added = true;
	open_bench(&bench, "[https://a.test/]", "{}");
	pv_link_list_finish(&bench.links);
	pv_link_list_init(&bench.links, 10);
	const struct pv_visit from = {.standing = {.use = PV_PAGE}};
	const struct pv_found found = {.url = parse(&bench, HOST "/a"),
	    .kind = PV_LINK_RESOURCE,
	    .from = &from};
	pv_judge_add(&bench.context, &found, &bench.links, &is_added);
	ok(!is_added && bench.links.count == 0,
	    "P5: a list that is full says so");
	close_bench(&bench);
}

/* robots.txt */

static void test_robots(void)
{
	static const struct {
		const char *address;
		enum pv_reason reason;
		uint32_t line;
	} cases[] = {
	    {HOST "/open", PV_REASON_NONE, 0},
	    {HOST "/private/a?b", PV_REASON_ROBOTS, 2},
	    {HOST "/private/but", PV_REASON_NONE, 0},
	    {"http://a.test/private/a", PV_REASON_NONE, 0},
	    {HOST ":8443/private/a", PV_REASON_NONE, 0},
	    {HOST ".evil.test/private/a", PV_REASON_HOST, 0},
	    {HOST "/robots.txt", PV_REASON_NONE, 0},
	};
	struct bench bench;
	open_bench(&bench, "[https://a.test/]", "{}");
	struct pv_robots_rules *rules = pv_robots_rules_create(
	    PV_STR("User-agent: *\nDisallow: /private\nAllow: "
		   "/private/but\n"),
	    false, PV_STR("pavane"), NULL);
	const struct pv_visit from = {
	    .standing = {.use = PV_PAGE, .depth_left = 9}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_link link = add(&bench, cases[i].address,
		    (struct pv_found){
			.kind = PV_LINK_PAGE,
			.from = &from,
			.rules = rules,
			.rules_authority = PV_STR("https://a.test"),
		    });
		ok(link.standing.verdict.reason == cases[i].reason &&
			link.standing.verdict.line == cases[i].line,
		    "P4: by the rules of %s: %s is %s", HOST, cases[i].address,
		    cases[i].reason ? "refused" : "for its turn to tell");
	}
	pv_robots_rules_release(rules);
	close_bench(&bench);
}

/* Of shards */

static struct pv_link add_divided(
    struct bench *bench, const char *address, enum pv_link_kind kind)
{
	static const struct pv_visit from = {
	    .standing = {.use = PV_PAGE, .depth = 2, .depth_left = 9}};
	return add(bench, address,
	    (struct pv_found){
		.kind = kind,
		.from = &from,
		.carry = PV_STR("{}"),
		.lastmod_wall_ms = 5,
	    });
}

static void test_shards(void)
{
	struct bench bench;
	open_bench(
	    &bench, "[https://a.test/]", "{rules: [{deny: {path: \"/no\"}}]}");
	uint32_t owner = pv_shard_of(bench.context.policy, 4, PV_STR("a.test"));
	bench.context.shard = (struct pv_shard){owner, 4};
	struct pv_link link = add_divided(&bench, HOST "/a", PV_LINK_PAGE);
	ok(link.standing.use == PV_PAGE &&
		pv_standing_is_admitted(&link.standing),
	    "what is of this shard is admitted");
	bench.context.shard.number = owner % 4 + 1;
	link = add_divided(&bench, HOST "/a", PV_LINK_PAGE);
	ok(!pv_standing_is_admitted(&link.standing) &&
		pv_standing_is_elsewhere(&link.standing) &&
		link.standing.verdict.reason == PV_REASON_SHARD &&
		link.standing.verdict.line == owner,
	    "P4: what is another one's is not, and its verdict names it");
	ok(link.standing.use == PV_PAGE && link.standing.depth == 3 &&
		link.standing.depth_left == 8 && link.lastmod_wall_ms == 5 &&
		pv_str_equal(link.carry, PV_STR("{}")),
	    "P3: it stands as it would here");
	link = add_divided(&bench, HOST "/a.png", PV_LINK_RESOURCE);
	ok(pv_standing_is_elsewhere(&link.standing) &&
		link.standing.use == PV_RESOURCE,
	    "so does a part of a page");
	link = add_divided(&bench, HOST "/no", PV_LINK_PAGE);
	ok(link.standing.use == PV_REFUSED &&
		link.standing.verdict.reason == PV_REASON_RULE,
	    "P4: what nobody would ask for is refused for that");
	struct pv_found seed = {.kind = PV_LINK_PAGE,
	    .seed = &bench.context.policy->seeds.items[0]};
	link = add(&bench, HOST "/", seed);
	ok(pv_standing_is_elsewhere(&link.standing) &&
		pv_standing_is_seed(&link.standing),
	    "a seed may be another shard's, too");
	close_bench(&bench);
}

int main(void)
{
	test_rows();
	test_shards();
	test_seeds();
	test_deep_seed();
	test_identity();
	test_full();
	test_robots();
	return tap_done();
}
