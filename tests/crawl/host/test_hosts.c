#include "crawl/host/hosts.h"

#include "crawl/conductor.h"
#include "crawl/world.h"

/* Room is looked for once a second, which is long for a test. */
static void hasten(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	(void)progress;
	world.crawl->hosts.slots.search_at = 0;
}

static void hold(struct pv_crawl *crawl, size_t count)
{
	crawl->hosts.slots.max = count;
	crawl->options.on_progress = hasten;
	crawl->options.progress_ms = 20;
}

static void hold_one(struct pv_crawl *crawl)
{
	hold(crawl, 1);
}

static void hold_two(struct pv_crawl *crawl)
{
	hold(crawl, 2);
}

/* One page of each host leads to the next. */
static struct reply chain(const char *url, unsigned nth)
{
	static char body[64];
	unsigned number = 0;
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	for (unsigned i = 0; i < 3; i++) {
		snprintf(body, sizeof(body), "http://h%u.test/", i);
		if (strcmp(body, url) == 0)
			number = i + 1;
	}
	snprintf(body, sizeof(body), "<a href=http://h%u.test/>", number);
	return (struct reply){.body = number && number < 3 ? body : "x"};
}

static void test_one_at_a_time(void)
{
	world_open(
	    chain, "seeds: [\"http://h0.test/\"]\nscope: {hosts: any}\n");
	world.before_run = hold_one;
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_finals() == 3,
	    "P5: more hosts than may be held are crawled one after another");
	world_close();
}

/* The host asks for a pause with its robots.txt, has nothing left, goes, and
 * comes back. */
static struct reply back_and_forth(const char *url, unsigned nth)
{
	(void)nth;
	if (strcmp(url, "http://a.test/robots.txt") == 0)
		return (struct reply){
		    .body = "User-agent: *\nCrawl-delay: 0.5\n"};
	if (strcmp(url, "http://b.test/") == 0)
		return (struct reply){
		    .body = "<a href=http://a.test/1><a href=http://a.test/2>"
			    "<a href=http://a.test/3>"};
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	return (struct reply){.body = "x"};
}

static void test_crawl_delay(void)
{
	bool is_paced = true;
	int64_t last_ms = -1;
	size_t count = 0;
	world_open(back_and_forth,
	    "seeds: [\"http://a.test/\", \"http://b.test/\"]\n");
	world.before_run = hold_one;
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "a host that has gone may come back");
	for (size_t i = 0; i < world.request_count; i++) {
		const struct world_request *request = &world.requests[i];
		if (strncmp(request->url, "http://a.test/", 14) != 0)
			continue;
		if (last_ms >= 0 && request->sent_ms - last_ms < 500) {
			printf("# %s after %lld ms\n", request->url,
			    (long long)(request->sent_ms - last_ms));
			is_paced = false;
		}
		last_ms = request->sent_ms;
		count++;
	}
	ok(count == 5 && world_sent_at("http://a.test/robots.txt", 1) < 0,
	    "what its robots.txt said is remembered");
	ok(is_paced, "P1: and its Crawl-delay holds again");
	world_close();
}

/* Hosts that have nothing to do leave room for those that wait; one that is
 * found again while it is being given back is not lost. */
static struct reply crossing(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	if (strstr(url, "/0"))
		return (struct reply){
		    .body = "<a href=http://h0.test/1><a href=http://h1.test/1>"
			    "<a href=http://h2.test/1>"
			    "<a href=http://h3.test/1>"};
	if (strstr(url, "/1"))
		return (struct reply){
		    .body = "<a href=http://h0.test/2><a href=http://h1.test/2>"
			    "<a href=http://h2.test/2>"
			    "<a href=http://h3.test/2>"};
	return (struct reply){.body = "x"};
}

static void test_crossing(void)
{
	world_open(crossing, "seeds: [\"http://h{0..3}.test/0\"]\n");
	world.before_run = hold_two;
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_finals() == 12,
	    "P3: hosts that lead to one another all come to their end");
	world_close();
}

/* A visit that was found while its host had nothing else. */
static struct reply slow_link(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	if (strcmp(url, "http://b.test/") == 0)
		return (struct reply){
		    .body = "<a href=http://a.test/late>", .took_ms = 700};
	return (struct reply){.body = "x"};
}

static void test_woken(void)
{
	world_open(
	    slow_link, "seeds: [\"http://a.test/\", \"http://b.test/\"]\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_final("http://a.test/late"),
	    "P3: a host that had nothing left is woken by a link");
	world_close();
}

/* More visits than are asked for at a time. */
static struct reply many(const char *url, unsigned nth)
{
	static char body[32000];
	size_t len = 0;
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 500 * !nth + 404 * !!nth};
	if (strcmp(url, "http://a.test/") != 0)
		return (struct reply){.body = "x"};
	for (unsigned i = 0; i < 1500; i++)
		len += (size_t)snprintf(
		    body + len, sizeof(body) - len, "<a href=/%u>", i);
	return (struct reply){.body = body};
}

static void test_many(void)
{
	world_open(many, "seeds: [\"http://a.test/\", "
			 "\"http://a.test/more/{1..1500}\"]\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_finals() == 3001,
	    "P3, P5: a host with many visits gets them all, though not at "
	    "once");
	world_close();
}

/* A page that takes long beside a chain of others. */
#define CHAIN_SLOW_MS 1500
#define CHAIN_PAGES 12

static struct reply beside(const char *url, unsigned nth)
{
	static char body[64];
	const char *path = strrchr(url, '/') + 1;
	unsigned number = (unsigned)strtoul(path, NULL, 10);
	(void)nth;
	if (strcmp(path, "robots.txt") == 0)
		return (struct reply){.http_status = 404};
	if (strcmp(path, "slow") == 0)
		return (struct reply){.body = "x", .took_ms = CHAIN_SLOW_MS};
	snprintf(body, sizeof(body), "<a href=%u>%s", number + 1,
	    number ? "" : "<a href=slow>");
	return (struct reply){.body = number < CHAIN_PAGES ? body : "x"};
}

/* A group of papers is committed after 100 ms while somebody is on the wire. */
static void test_links_before_commit(void)
{
	char last[64];
	world_open(beside,
	    "seeds: [\"http://a.test/\"]\ndomains: {a.test: {connections: 2}}"
	    "\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_finals() == CHAIN_PAGES + 2,
	    "a chain of pages beside a slow one");
	snprintf(last, sizeof(last), "http://a.test/%d", CHAIN_PAGES);
	int64_t took_ms =
	    world_sent_at(last, 0) - world_sent_at("http://a.test/slow", 0);
	ok(took_ms < CHAIN_SLOW_MS / 2,
	    "no page waits for the commit of the one that leads to it (%lld "
	    "ms)",
	    (long long)took_ms);
	world_close();
}

/* Of so many hosts each is asked for few visits at a time: while all of them are
 * at hand, the first that are answered bring more. */
#define CROWD_HOSTS 2800
#define CROWD_TREES 30
#define TREE_LINKS 31

static struct reply crowd(const char *url, unsigned nth)
{
	static char body[1000];
	size_t len = 0;
	const char *path = strchr(url + strlen("http://"), '/');
	(void)nth;
	if (strcmp(path, "/robots.txt") == 0)
		return (struct reply){.http_status = 404};
	if (strcmp(path, "/tree/") == 0) {
		for (unsigned i = 0; i < TREE_LINKS; i++)
			len += (size_t)snprintf(body + len, sizeof(body) - len,
			    "<a href=/%u/a>", i);
		return (struct reply){.body = body};
	}
	if (path[strlen(path) - 1] == 'a')
		return (struct reply){.body = "<a href=b>"};
	return (struct reply){.body = "x"};
}

static void test_crowd(void)
{
	char policy[200];
	snprintf(policy, sizeof(policy),
	    "seeds: [\"http://h{1..%d}.test/\", "
	    "\"http://h{1..%d}.tree.test/tree/\"]\n"
	    "domains: {\"*.tree.test\": {delay: 20ms}}\n",
	    CROWD_HOSTS, CROWD_TREES);
	world_open(crowd, policy);
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_finals() ==
		    CROWD_HOSTS + CROWD_TREES * (1 + 2 * TREE_LINKS),
	    "P3: among thousands of hosts each gets what its pages bring");
	world_close();
}

/* The frontier's news is only noted, and nobody asks for what it tells of. */
static void note_work(
    void *ctx, const uint64_t *host_ids, size_t count, bool has_waiting_hosts)
{
	struct pv_crawl *crawl = ctx;
	crawl->hosts.slots.has_waiting =
	    crawl->hosts.slots.has_waiting || has_waiting_hosts;
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < crawl->hosts.held.count; j++)
			if (crawl->hosts.held.items[j]->id == host_ids[i])
				crawl->hosts.held.items[j]->feed.has_more =
				    true;
}

static void be_deaf(struct pv_crawl *crawl)
{
	crawl->frontier->on_work = note_work;
}

static void test_deaf(void)
{
	static const char *const limits[] = {"1h", "none"};
	for (size_t i = 0; i < 2; i++) {
		char policy[200];
		snprintf(policy, sizeof(policy),
		    "seeds: [\"http://a.test/\", \"http://b.test/\"]\n"
		    "limits: {wait: %s}\n",
		    limits[i]);
		world_open(slow_link, policy);
		world.before_run = be_deaf;
		ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
			world_final("http://a.test/late"),
		    "P3: no wait is concluded while a host has more "
		    "(limits.wait: %s)",
		    limits[i]);
		world_close();
	}
}

/* One host may be visited in two hours from now; the other's robots.txt is to
 * be found there. */
static char visit_time[64];

static struct reply shut(const char *url, unsigned nth)
{
	(void)nth;
	if (strcmp(url, "http://a.test/robots.txt") == 0)
		return (struct reply){.body = visit_time};
	if (strcmp(url, "http://b.test/robots.txt") == 0)
		return (struct reply){
		    .http_status = 301, .location = "http://a.test/other"};
	if (strstr(url, "/other"))
		return (struct reply){.http_status = 404};
	return (struct reply){.body = "x"};
}

static void test_visit_time(void)
{
	unsigned hour = world_hour();
	snprintf(visit_time, sizeof(visit_time),
	    "User-agent: *\nVisit-time: %02u00-%02u00\n", (hour + 2) % 24,
	    (hour + 3) % 24);
	world_open(shut, "seeds: [\"http://a.test/\", \"http://b.test/\"]\n"
			 "limits: {wait: 10m}\n");
	world.before_run = hold_one;
	ok(world_run() == PAVANE_LIMITED &&
		world_sent_at("http://a.test/other", 0) >= 0 &&
		world_final("http://b.test/"),
	    "a host that waits for its Visit-time is held for another's "
	    "robots.txt");
	ok(world_sent_at("http://a.test/", 0) < 0,
	    "P1: and its own pages wait on");
	world_close();
}

/* All of them, those that are held and the others, must wait for hours. */
static struct reply busy(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	return (struct reply){
	    .http_status = 503, .header = "Retry-After: 7200"};
}

static void test_all_wait(void)
{
	world_open(busy, "seeds: [\"http://h{1..6}.test/\"]\n"
			 "limits: {wait: 1h}\n");
	world.before_run = hold_two;
	ok(world_run() == PAVANE_LIMITED && world.request_count == 12,
	    "limits.wait ends a crawl whose hosts must all wait, though only "
	    "some are held");
	world_close();
}

int main(void)
{
	test_one_at_a_time();
	test_crawl_delay();
	test_crossing();
	test_woken();
	test_many();
	test_links_before_commit();
	test_crowd();
	test_deaf();
	test_visit_time();
	test_all_wait();
	return tap_done();
}
