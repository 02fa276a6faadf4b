#include "crawl/run/finishing.h"

#include "crawl/world.h"

static struct reply page(const char *url, unsigned nth)
{
	(void)nth;
	return strstr(url, "/robots.txt") ? (struct reply){.http_status = 404}
					  : (struct reply){.body = "a page"};
}

/* A page with more links than are told at a time, all of which are refused,
 * the last of them under a long name. */
static struct reply elsewhere(const char *url, unsigned nth)
{
	static char body[200000];
	size_t len = 0;
	(void)nth;
	if (strcmp(url, "http://a.test/") != 0)
		return page(url, nth);
	for (unsigned i = 0; i < 700; i++)
		len += (size_t)snprintf(body + len, sizeof(body) - len,
		    "<a href=http://b%u.test/>", i);
	len += (size_t)snprintf(body + len, sizeof(body) - len, "<a href=/");
	memset(body + len, 'x', 60000);
	snprintf(body + len + 60000, 10, ">");
	return (struct reply){.body = body};
}

#define SEED "seeds: [\"http://a.test/\"]\n"

static void test_refusals(void)
{
	size_t count = 0;
	world_open(elsewhere, SEED);
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "P4: each refused address has its line, however many they are");
	for (size_t i = 0; i < world.line_count; i++)
		count += world.lines[i].reason == PV_REASON_HOST &&
			 world.lines[i].is_final;
	ok(count == 700 && world_finals() == 702, "that is final, once");
	ok(world_run() == PAVANE_FINISHED && world_finals() == 702,
	    "also when it is run again");
	world_close();
}

/* Lines of refused addresses: in all, and final ones. */
static size_t refusals(bool is_final)
{
	size_t count = 0;
	for (size_t i = 0; i < world.line_count; i++)
		count += world.lines[i].reason != PV_REASON_NONE &&
			 world.lines[i].is_final == is_final;
	return count;
}

/* Links to pages of its own, and to others' that are refused. */
static struct reply both(const char *url, unsigned nth)
{
	static const char body[] =
	    "<a href=/1><a href=/2><a href=/3>"
	    "<a href=http://b.test/><a href=http://c.test/>"
	    "<a href=http://u:p@a.test/secret>"
	    "<a href=http://v:q@a.test/secret>"
	    "<a href=http://u:p@a.test/1>";
	struct reply reply = page(url, nth);
	if (reply.http_status != 404)
		reply.body = body;
	return reply;
}

/* The journal tells of all that the state counts, whenever a crawl is cut
 * short. */
static void test_cut_short(void)
{
	world_open(both, SEED "limits: {pages: 1}\n");
	ok(world_run() == PAVANE_LIMITED && refusals(true) == 0 &&
		(int64_t)refusals(false) ==
		    world_number("SELECT count(*) FROM refused"),
	    "P4: a crawl that a limit stops has a line for each refusal "
	    "(%zu), none of them final",
	    refusals(false));
	ok(refusals(false) == 3 &&
		world_number("SELECT count(*) FROM pending") == 3,
	    "of each address, of which credentials are no part");
	size_t before = refusals(false);
	ok(world_run() == PAVANE_LIMITED && refusals(false) == before,
	    "which another run does not repeat");
	world_policy(SEED "scope: {rules: [{deny: {path: /3}}]}\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		refusals(false) == before + 1 && refusals(true) == 4,
	    "P4: what another policy refuses has its line at once, and all have "
	    "a final one when the crawl is complete");
	world_close();
}

/* Each page leads to others, and to addresses below it that repeat. */
static struct reply endless(const char *url, unsigned nth)
{
	static char body[20000];
	size_t len = 0;
	struct reply reply = page(url, nth);
	if (reply.http_status == 404)
		return reply;
	for (unsigned i = 0; i < 10; i++)
		len += (size_t)snprintf(
		    body + len, sizeof(body) - len, "<a href=/page%u/>", i);
	for (unsigned i = 0; i < 100; i++)
		len += (size_t)snprintf(
		    body + len, sizeof(body) - len, "<a href=x/x/x/x/%u>", i);
	reply.body = body;
	return reply;
}

static struct reply both_ways(const char *url, unsigned nth)
{
	struct reply reply = page(url, nth);
	if (reply.http_status != 404)
		reply.body = "<a href=/1><a href=http://a.test/1>"
			     "<a href=http://u:p@a.test/1>"
			     "<a href=http://v:q@a.test/1>";
	return reply;
}

/* Whether links have our credentials, others' or none. */
static void test_credentials(void)
{
	world_open(both_ways, "seeds: [\"http://u:p@a.test/\"]\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_final("http://a.test/1") &&
		world_final("http://a.test/") && world_finals() == 2,
	    "what differs in credentials alone has one final line");
	world_close();
}

static int64_t trapped(void)
{
	return world_number(
	    "SELECT count(*) FROM refused WHERE reason = 'trap-repeats'");
}

/* What a trap refuses is counted up to a ceiling for each host; what lies beyond
 * is found again when it may be wanted. */
static void test_host_traps(void)
{
	world_open(endless, SEED "limits: {host_traps: 150}\n");
	enum pavane_end end = world_run();
	ok(end == PAVANE_FINISHED && world_is_settled() && trapped() == 150,
	    "P5: so many of a trap's refusals are kept of a host, and the "
	    "crawl is complete without the others (%lld)",
	    (long long)trapped());
	ok(strstr(world.last_line, "limits.host_traps records for a host"),
	    "P4: which is told");
	size_t asked = world.request_count;
	ok(world_run() == PAVANE_FINISHED && world.request_count == asked,
	    "and the pages are not read again for the others");
	world_policy(SEED "limits: {host_traps: 500}\n");
	end = world_run();
	ok(end == PAVANE_FINISHED && trapped() == 500,
	    "unless there may be more (%lld)", (long long)trapped());
	world_policy(
	    SEED "limits: {host_traps: 500}\n"
		 "scope: {traps: {repeats: 100, same_body: none}, depth: 2}\n");
	ok(world_run() == PAVANE_FINISHED && trapped() == 0,
	    "P3: or it is no trap any more: then all of them are asked for");
	int64_t deep =
	    world_number("SELECT count(*) FROM pages WHERE depth = 2 "
			 "AND url LIKE '%/x/x/x/x/%'");
	ok(deep == 11 * 100, "as they would have been (%lld)", (long long)deep);
	world_close();
}

static void test_date(void)
{
	world_open(page, SEED);
	world_run();
	int64_t first =
	    world_number("SELECT value FROM crawl WHERE name = 'finished-at'");
	world.levels[PAVANE_INFO] = 0;
	usleep(5000);
	world_run();
	int64_t second =
	    world_number("SELECT value FROM crawl WHERE name = 'finished-at'");
	ok(first > 0 && first == second,
	    "a crawl is complete since it was completed, not since somebody "
	    "looked");
	ok(world.levels[PAVANE_INFO] == 1 &&
		strstr(world.last_line, "complete since"),
	    "and says so, and that it asks nothing");
	world_close();
}

static struct reply failing(const char *url, unsigned nth)
{
	(void)nth;
	(void)url;
	return (struct reply){.http_status = 404};
}

static void test_failed_seed(void)
{
	world_open(failing, SEED);
	ok(world_run() == PAVANE_NOT_BEGUN && world_is_settled(),
	    "a seed that could not be fetched is told by the end");
	ok(world_run() == PAVANE_NOT_BEGUN, "each time");
	world_close();
}

static struct reply leading_nowhere(const char *url, unsigned nth)
{
	if (strcmp(url, "http://a.test/") != 0)
		return page(url, nth);
	return (struct reply){.http_status = 302, .header = "Location: /"};
}

static void test_circle(void)
{
	world_open(leading_nowhere, SEED);
	ok(world_run() == PAVANE_NOT_BEGUN && world_is_settled(),
	    "so is one that is redirected to itself");
	world_close();
}

static struct reply good_at_b(const char *url, unsigned nth)
{
	return strcmp(url, "http://b.test/") == 0 ? page(url, nth)
						  : failing(url, nth);
}

static void test_seed_of_before(void)
{
	struct pv_why why;
	world_open(good_at_b, SEED);
	ok(world_run() == PAVANE_NOT_BEGUN, "a seed fails");
	pv_why_init(&why);
	pv_policy_destroy(world.policy);
	world.policy = pv_policy_load_text("policy.yaml",
	    PV_STR("seeds: [\"http://b.test/\"]\n" WORLD_POLICY), &why);
	world.policy->scope.sitemaps = false;
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "which says nothing where another policy has another seed");
	pv_why_finish(&why);
	world_close();
}

int main(void)
{
	test_refusals();
	test_cut_short();
	test_credentials();
	test_host_traps();
	test_date();
	test_failed_seed();
	test_circle();
	test_seed_of_before();
	return tap_done();
}
