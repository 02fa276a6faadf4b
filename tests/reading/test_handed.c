#include "reading/handed.h"

#include "reading/judge.h"
#include "scope/judge.h"

/* What another shard has found counts as if it had been found here, and no more
 * than this policy lets it. */

#define HOST "https://a.test"

static const struct row {
	const char *scope; /* a new policy; NULL for the one before */
	const char *claim;
	const char *address;
	struct pv_standing handed;
	struct pv_standing wanted;
} rows[] = {
    {"{}", "P3: a page stands as it was found", HOST "/a",
	{.use = PV_PAGE, .depth = 3, .depth_left = PV_DEPTH_MAX},
	{.use = PV_PAGE, .depth = 3, .depth_left = PV_DEPTH_MAX}},
    {NULL, "P3: with all that is said of it", HOST "/s.xml",
	{.use = PV_PAGE,
	    .depth_left = 4,
	    .redirects = 2,
	    .listing = PV_LISTS_ALL,
	    .is_only_list = true,
	    .is_entry = true},
	{.use = PV_PAGE,
	    .depth_left = 4,
	    .redirects = 2,
	    .listing = PV_LISTS_ALL,
	    .is_only_list = true,
	    .is_entry = true}},
    {NULL, "P3: a part of a page may lie anywhere, as any", "https://cdn.test/",
	{.use = PV_RESOURCE, .depth = 3, .depth_left = 5},
	{.use = PV_RESOURCE, .depth = 3, .depth_left = 5}},
    {NULL, "P5: its parts are bounded", HOST "/a.css",
	{.use = PV_RESOURCE, .depth_left = PV_DEPTH_MAX},
	{.use = PV_RESOURCE, .depth_left = PV_SCOPE_CHAIN_MAX}},
    {NULL, "another host is not ours, whoever found it", "https://b.test/",
	{.use = PV_PAGE, .depth = 1, .depth_left = 9},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_HOST, 0},
	    .found_as = PV_FOUND_AS_PAGE,
	    .depth = 1,
	    .depth_left = 9}},
    {NULL, "P7: nor if it calls itself a seed", "https://b.test/",
	{.use = PV_PAGE, .depth_left = 9},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_HOST, 0},
	    .found_as = PV_FOUND_AS_PAGE,
	    .depth_left = 9}},
    {NULL, "P5: the tenth redirect is followed", HOST "/a",
	{.use = PV_PAGE, .depth = 1, .redirects = 10},
	{.use = PV_PAGE, .depth = 1, .redirects = 10}},
    {NULL, "P5: the eleventh is not", HOST "/a",
	{.use = PV_PAGE, .depth = 1, .redirects = 11},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_REDIRECTS, 0},
	    .found_as = PV_FOUND_AS_PAGE,
	    .depth = 1,
	    .redirects = 11}},
    {"{depth: 4}", "P5: links behind it are those that the policy allows",
	HOST "/a", {.use = PV_PAGE, .depth = 3, .depth_left = PV_DEPTH_MAX},
	{.use = PV_PAGE, .depth = 3, .depth_left = 1}},
    {NULL, "or fewer, if it says so", HOST "/a",
	{.use = PV_PAGE, .depth = 1, .depth_left = 2},
	{.use = PV_PAGE, .depth = 1, .depth_left = 2}},
    {NULL, "what lies too deep is refused", HOST "/a",
	{.use = PV_PAGE, .depth = 5, .depth_left = 3},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_DEPTH, 0},
	    .found_as = PV_FOUND_AS_PAGE,
	    .depth = 5}},
    {"{hops: 2}", "a page off scope is as many hops away", "https://b.test/",
	{.use = PV_PAGE, .depth = 2, .depth_left = 9, .hops = 2},
	{.use = PV_PAGE, .depth = 2, .depth_left = 9, .hops = 2}},
    {NULL, "also where a page was moved to", "https://b.test/",
	{.use = PV_PAGE,
	    .depth = 2,
	    .depth_left = 9,
	    .hops = 2,
	    .redirects = 1},
	{.use = PV_PAGE,
	    .depth = 2,
	    .depth_left = 9,
	    .hops = 2,
	    .redirects = 1}},
    {NULL, "and no more", "https://b.test/",
	{.use = PV_PAGE, .depth = 3, .depth_left = 9, .hops = 3},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_HOPS, 0},
	    .found_as = PV_FOUND_AS_PAGE,
	    .depth = 3,
	    .depth_left = 9}},
    {"{rules: [{deny: {path: \"/no*\"}}]}", "P4: a rule denies it", HOST "/no",
	{.use = PV_RESOURCE, .depth = 1, .depth_left = 3},
	{.use = PV_REFUSED,
	    .verdict = {PV_REASON_RULE, 1},
	    .found_as = PV_FOUND_AS_RESOURCE,
	    .depth = 1,
	    .depth_left = 3}},
};

/* A scene: a policy, and the list to which links are added. */
struct bench {
	struct court court;
	struct pv_frontier frontier;
	struct pv_reading_context context;
	struct pv_link_list links;
};

static void open_bench(struct bench *bench, const char *scope)
{
	open_court(&bench->court, "[https://a.test/]", scope);
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

static struct pv_link add(struct bench *bench, const char *address,
    const struct pv_standing *standing)
{
	const struct pv_handed handed = {
	    .url = &bench->court.url,
	    .standing = *standing,
	    .tag = PV_STR("shop"),
	    .carry = PV_STR("{}"),
	    .lastmod_wall_ms = 7,
	};
	bool is_read =
	    pv_url_parse(handed.url, pv_str_of(address)) == PV_URL_OK;
	ok(is_read && pv_handed_add(&bench->context, &handed, &bench->links),
	    "%s is in the list", address);
	return pv_link_list_get(&bench->links, bench->links.count - 1);
}

static void test_rows(struct bench *bench)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].scope && i)
			close_bench(bench);
		if (rows[i].scope)
			open_bench(bench, rows[i].scope);
		struct pv_link link =
		    add(bench, rows[i].address, &rows[i].handed);
		ok(pv_standing_equal(&link.standing, &rows[i].wanted), "%s",
		    rows[i].claim);
		ok(pv_str_equal(link.tag, PV_STR("shop")) &&
			pv_str_equal(link.carry, PV_STR("{}")) &&
			link.lastmod_wall_ms == 7 && !link.via,
		    "it brings along what it brought");
	}
}

static void test_further(struct bench *bench)
{
	const struct pv_standing page = {
	    .use = PV_PAGE, .depth = 1, .depth_left = 9};
	const struct pv_standing seed = {.use = PV_PAGE, .depth_left = 9};
	uint32_t owner =
	    pv_shard_of(bench->context.policy, 4, PV_STR("a.test"));
	bench->context.shard = (struct pv_shard){owner % 4 + 1, 4};
	struct pv_link link = add(bench, HOST "/a", &page);
	ok(pv_standing_is_elsewhere(&link.standing) &&
		link.standing.verdict.line == owner,
	    "P3: what came to the wrong shard goes on to the right one");
	ok(pv_handed_widens(&(struct pv_handed){.standing = seed}) &&
		!pv_handed_widens(&(struct pv_handed){.standing = page}),
	    "seeds widen the scope, and no other page");
	pv_url_parse(&bench->court.url, PV_STR("https://w.test/"));
	pv_scope_add_redirect(bench->court.scope, &bench->court.url);
	bench->context.shard.count = 0;
	link = add(bench, "https://w.test/", &seed);
	ok(pv_standing_is_seed(&link.standing) &&
		pv_standing_is_admitted(&link.standing),
	    "once it is wider they are admitted");
}

int main(void)
{
	struct bench bench;
	test_rows(&bench);
	test_further(&bench);
	close_bench(&bench);
	return tap_done();
}
