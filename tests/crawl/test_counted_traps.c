#include "crawl/world.h"

/* Sites without end that no address shows: each crawl of one ends by itself,
 * says why, and loses nothing beside it. */

static char body[200000];
static unsigned answered; /* pages in whose bodies a new number stands */

static struct reply text(const char *before, unsigned number, const char *after)
{
	snprintf(body, sizeof(body), "%s%u%s", before, number, after);
	return (struct reply){.body = body};
}

/* So many links, the numbers from `first` on between the two. */
static void append_links(
    const char *before, unsigned first, unsigned count, const char *after)
{
	size_t len = strlen(body);
	for (unsigned i = first; i < first + count; i++)
		len += (size_t)snprintf(
		    body + len, sizeof(body) - len, "%s%u%s", before, i, after);
}

static struct reply page(const char *url)
{
	return text("page ",
	    (unsigned)pv_hash(&(struct pv_hash_key){{1, 2}}, pv_str_of(url)),
	    "");
}

static bool is_root(const char *url)
{
	const char *path = strchr(url + strlen("http://"), '/');
	return path && strcmp(path, "/") == 0;
}

static unsigned number_in(const char *url)
{
	const char *digits = url + strcspn(url, "0123456789");
	return (unsigned)strtoul(digits, NULL, 10);
}

/* What was asked for, of addresses that hold the text. */
static size_t count_asked(const char *part)
{
	size_t count = 0;
	for (size_t i = 0; i < world.request_count; i++)
		count += strstr(world.requests[i].url, part) != NULL &&
			 !strstr(world.requests[i].url, "/robots.txt");
	return count;
}

/* Final lines of addresses that hold the text, by what came of them: a status,
 * or 0 and a reason. */
static size_t count_ended(
    const char *part, uint16_t http_status, enum pv_reason reason)
{
	size_t count = 0;
	for (size_t i = 0; i < world.line_count; i++) {
		const struct world_line *line = &world.lines[i];
		count += line->is_final && !line->is_robots &&
			 strstr(line->url, part) &&
			 line->http_status == http_status &&
			 line->reason == reason;
	}
	return count;
}

static size_t count_pages(const char *part)
{
	return count_ended(part, 200, PV_REASON_NONE);
}

static bool ends(void)
{
	return ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "the crawl ends by itself");
}

static void judge_told(enum pv_reason reason, const char *line)
{
	char sql[128];
	size_t told = count_ended("", 0, reason);
	snprintf(sql, sizeof(sql),
	    "SELECT count(*) FROM refused WHERE reason = '%s'",
	    pv_reason_word(reason));
	ok(told > 0 && world_number(sql) == (int64_t)told,
	    "P4: what is left out has its line, with the reason (%zu)", told);
	if (!ok(world.levels[PAVANE_INFO] == 1 && strstr(world.last_line, line),
		"P4: and the log names the trap, once: %s", line))
		printf("# %u lines, the last: %s\n", world.levels[PAVANE_INFO],
		    world.last_line);
}

/* One body */

#define SEED "seeds: [\"http://a.test/\"]\n"
#define GOOD 50

/* More than are on their way, or wait to be read, at a time. */
#define IN_FLIGHT 100

/* Below /trap/ each page leads to two others, as deep as one likes. */
static struct reply deep(const char *url, unsigned nth)
{
	(void)nth;
	if (is_root(url)) {
		text("<a href=/trap/>", 0, "");
		append_links("<a href=/good/", 0, GOOD, ">");
		return (struct reply){.body = body};
	}
	if (strstr(url, "/trap/"))
		return text("<a href=left/><a href=right/>", 0, "");
	return page(url);
}

static void test_deep(void)
{
	world_open(deep, SEED "scope: {traps: {same_body: 30, repeats: none,\n"
			      "  segments: none}, requisites: false}\n");
	ends();
	size_t asked = count_asked("/trap/");
	ok(asked > 30 && asked <= 2 * (30 + IN_FLIGHT) + 1,
	    "a page that leads to itself under ever new addresses leads no "
	    "further after so many (%zu)",
	    asked);
	ok(count_pages("/good/") == GOOD, "all pages beside it are fetched");
	judge_told(PV_REASON_SAME_BODY, "a.test: links of a page");
	world_close();
}

/* It takes a while, so that not all of a site is on its way at once. */
static struct reply nothing(void)
{
	return (struct reply){.body = "there is nothing here", .took_ms = 2};
}

/* A directory whose pages are all one. */
static struct reply flat(const char *url, unsigned nth)
{
	(void)nth;
	if (is_root(url)) {
		text("<p>", 0, "");
		append_links("<a href=/void/item-", 0, 300, ".html>");
		append_links("<a href=/good/", 0, 300, ">");
		append_links("<img src=/void/", 0, 300, ".png>");
		return (struct reply){.body = body};
	}
	return strstr(url, ".html") ? nothing() : page(url);
}

#define LITTLE "scope: {traps: {same_body: 20}}\n"

static void test_flat(void)
{
	world_open(flat, SEED LITTLE);
	ends();
	size_t asked = count_asked(".html");
	ok(asked >= 20 && asked <= 20 + IN_FLIGHT,
	    "no more are asked of addresses that are all one page (%zu)",
	    asked);
	ok(count_pages("/good/") == 300, "all pages beside them are fetched");
	ok(count_pages(".png") == 300, "and images among them");
	judge_told(PV_REASON_SAME_BODY,
	    "a.test: links that differ only in their last part");
	world_close();
}

static void test_no_limit(void)
{
	world_open(flat, SEED "scope: {traps: {same_body: none}}\n");
	ends();
	ok(count_pages(".html") == 300 && world.levels[PAVANE_INFO] == 0,
	    "without a limit all are asked for");
	world_close();
}

/* A thousand addresses of which half are not available. */
static bool is_available(unsigned number)
{
	return (number * 2654435761U >> 16) % 2 == 0;
}

static struct reply half(const char *url, unsigned nth)
{
	(void)nth;
	unsigned number = number_in(url);
	if (is_root(url)) {
		text("<p>", 0, "");
		append_links("<a href=/d/", 0, 1000, ">");
		return (struct reply){.body = body};
	}
	return is_available(number) ? page(url) : text("not available", 0, "");
}

static void test_half(void)
{
	world_open(half, SEED);
	ends();
	ok(count_pages("/d/") == 1000 && world.levels[PAVANE_INFO] == 0,
	    "a directory of which half is one and the same page loses "
	    "nothing (%zu)",
	    count_pages("/d/"));
	world_close();
}

/* Seeds that are one page, each of which leads to another. */
static struct reply seeds(const char *url, unsigned nth)
{
	(void)nth;
	return strstr(url, "more") ? page(url) : text("<a href=more>", 0, "");
}

static void test_seeds(void)
{
	struct pv_buf policy;
	pv_buf_init(&policy, 1 << 16);
	pv_buf_append_text(
	    &policy, "scope: {traps: {same_body: 5, repeats: none}}\nseeds:\n");
	for (char name = 'a'; name <= 'z'; name++)
		pv_buf_append_format(
		    &policy, "- http://a.test/seed-%c/\n", name);
	world_open(seeds, pv_buf_text(&policy));
	ends();
	ok(count_pages("/seed") == 26 + 26,
	    "what a person wrote among the seeds is no trap (%zu)",
	    count_pages("/seed"));
	world_close();
	pv_buf_finish(&policy);
}

/* Sessions */

/* Each answer gives its visitor a new session. */
static struct reply sessions(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/good/"))
		return page(url);
	text("<a href=/shop?PHPSESSID=visitor", ++answered, ">");
	if (is_root(url))
		append_links("<a href=/good/", 0, GOOD, ">");
	return (struct reply){.body = body};
}

static void test_sessions(void)
{
	world_open(sessions, SEED);
	ends();
	ok(count_asked("/shop") == 5,
	    "so many session identifiers are followed, and no more (%zu)",
	    count_asked("/shop"));
	ok(count_pages("/good/") == GOOD, "all pages beside are fetched");
	judge_told(PV_REASON_SESSION,
	    "a.test: links with further session identifiers are not "
	    "followed: 5 are the limit (scope.traps.sessions); "
	    "scope.strip_query can remove them from addresses");
	world_close();
}

static struct reply three(const char *url, unsigned nth)
{
	(void)nth;
	if (!is_root(url))
		return page(url);
	text("<p>", 0, "");
	append_links("<a href=/shop/", 0, 40, "?PHPSESSID=visitor1>");
	append_links("<a href=/shop/", 0, 40, "?PHPSESSID=visitor2>");
	append_links("<a href=/shop/", 0, 40, "?PHPSESSID=visitor3>");
	return (struct reply){.body = body};
}

static void test_three(void)
{
	world_open(three, SEED);
	ends();
	ok(count_pages("/shop/") == 120 && world.levels[PAVANE_INFO] == 0,
	    "three session identifiers lose nothing (%zu)",
	    count_pages("/shop/"));
	world_close();
}

/* Subdomains */

/* Each host leads to the next ones. */
static struct reply hosts(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/good/"))
		return page(url);
	text("page ", number_in(url), "");
	append_links("<a href=http://h", number_in(url) + 1, 3, ".b.test/>");
	append_links("<img src=http://i", number_in(url) + 1, 3, ".b.test/p>");
	if (strstr(url, "//a."))
		append_links("<a href=/good/", 0, GOOD, ">");
	append_links("<a href=http://named.b.test/good/", 0, GOOD, ">");
	return (struct reply){.body = body};
}

#define SITE "scope: {hosts: site, traps: {subdomains: 12}}\n"
#define SITE_SEEDS "seeds: [\"http://a.b.test/\", \"http://named.b.test/\"]\n"

static size_t count_hosts(void)
{
	return (size_t)world_number(
	    "SELECT count(*) FROM host_states WHERE id IN (SELECT host FROM ledger)");
}

static void test_subdomains(void)
{
	world_open(hosts, SITE_SEEDS SITE);
	ends();
	ok(count_hosts() == 12, "so many hosts of a site are visited (%zu)",
	    count_hosts());
	ok(count_pages("//a.b.test/good/") == GOOD &&
		count_pages("//named.b.test/good/") == GOOD,
	    "all pages of those that are named are fetched");
	judge_told(PV_REASON_SUBDOMAINS,
	    "b.test: links to further hosts of this site are not followed: "
	    "12 hosts are the limit (scope.traps.subdomains)");
	world_close();
}

/* What a person names */

static void test_named_hosts(void)
{
	world_open(hosts, "seeds: [\"http://a.b.test/\"]\n"
			  "scope: {hosts: [a.b.test, \"*.b.test\",\n"
			  "  named.b.test], traps: {subdomains: 1}}\n");
	ends();
	ok(count_hosts() == 2 && count_pages("//named.b.test/good/") == GOOD,
	    "a host that scope.hosts lists is always visited (%zu)",
	    count_hosts());
	world_close();
}

/* A seed that is redirected to another host of its site. */
static struct reply moved(const char *url, unsigned nth)
{
	if (strcmp(url, "http://b.test/") == 0)
		return (struct reply){
		    .http_status = 301, .location = "http://a.b.test/"};
	return hosts(url, nth);
}

static void test_moved(void)
{
	world_open(moved, "seeds: [\"http://b.test/\"]\n"
			  "scope: {hosts: site, traps: {subdomains: 1}}\n");
	ends();
	ok(count_pages("//a.b.test/good/") == GOOD && count_hosts() == 2,
	    "so is one that a seed is redirected to");
	world_close();
}

/* Runs */

/* All of them, and stopped again and again. */
static struct reply all(const char *url, unsigned nth)
{
	if (is_root(url) && strstr(url, "//a.b.test")) {
		hosts(url, nth);
		append_links("<a href=/void/item-", 0, 300, ".html>");
		append_links("<a href=/shop?PHPSESSID=visitor", 0, 1, ">");
		return (struct reply){.body = body};
	}
	return strstr(url, "/shop")   ? sessions(url, nth)
	       : strstr(url, ".html") ? nothing()
				      : hosts(url, nth);
}

static void test_runs(void)
{
	unsigned runs = 0;
	world_open(all, SITE_SEEDS
	    "scope: {hosts: site, traps: {same_body: 20, subdomains: 12}}\n");
	world.stops = 1;
	world.stop_at = 60;
	for (; runs < 100 && world_run() == PAVANE_STOPPED; runs++)
		world.stop_at += 10;
	ok(runs > 3 && world.end == PAVANE_FINISHED && world_is_settled(),
	    "P6: a crawl that is stopped again and again ends (%u times)",
	    runs);
	ok(count_pages("/shop") == 5,
	    "session identifiers are counted over all runs (%zu)",
	    count_pages("/shop"));
	ok(count_hosts() == 12, "so are hosts (%zu)", count_hosts());
	ok(count_pages(".html") >= 20 && count_pages(".html") <= 20 + IN_FLIGHT,
	    "and pages that are the same (%zu)", count_pages(".html"));
	ok(count_pages("/good/") == 2 * GOOD, "good pages are all fetched");
	world_close();
}

int main(void)
{
	test_deep();
	test_flat();
	test_no_limit();
	test_half();
	test_seeds();
	test_sessions();
	test_three();
	test_subdomains();
	test_named_hosts();
	test_moved();
	test_runs();
	return tap_done();
}
