#include "crawl/host/dns.h"

#include "crawl/conductor.h"
#include "crawl/world.h"

static struct reply page(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	return (struct reply){.body = "a page"};
}

static struct reply three_pages(const char *url, unsigned nth)
{
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){.body = "<a href=/1><a href=/2>"};
	return page(url, nth);
}

static bool is_end(const char *url, enum pv_outcome outcome)
{
	const struct world_line *line = world_final(url);
	return line && line->outcome == outcome;
}

static bool is_refused(const char *url, enum pv_reason reason)
{
	const struct world_line *line = world_final(url);
	return line && line->reason == reason;
}

#define SEEDS "seeds: [\"http://a.test/\", \"http://b.test/\"]\n"

/* Nobody could say at first. */
static struct world_name later(const char *host, unsigned nth)
{
	(void)host;
	return nth < 2 ? (struct world_name){PV_NAME_NO_ANSWER, NULL, 0}
		       : (struct world_name){PV_NAME_FOUND, "10.0.0.1", 0};
}

static void test_later(void)
{
	world_open(page, SEEDS);
	world.look_up = later;
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		is_end("http://a.test/", PV_OUTCOME_ANSWERED) &&
		is_end("http://b.test/", PV_OUTCOME_ANSWERED),
	    "P3: a name that nobody could tell is asked for again");
	ok(world_count_look_ups("a.test") == 3, "as often as it takes");
	world_close();
}

static struct world_name never(const char *host, unsigned nth)
{
	(void)nth;
	return strcmp(host, "a.test") == 0
		   ? (struct world_name){PV_NAME_NO_ANSWER, NULL, 0}
		   : (struct world_name){PV_NAME_FOUND, "10.0.0.1", 0};
}

static void test_never(void)
{
	world_open(page,
	    SEEDS "limits: {wait: 1s}\n"
		  "domains: {a.test: {backoff: {failure: 1d, max: 1d}}}\n");
	world.look_up = never;
	ok(world_run() == PAVANE_LIMITED &&
		is_end("http://b.test/", PV_OUTCOME_ANSWERED) &&
		world_number("SELECT count(*) FROM pending") == 1,
	    "P3: what must wait too long for its name is still there");
	world_close();
}

/* Which is asked again for no longer than robots.txt would be. */
static void test_lost(const char *robots, unsigned look_ups)
{
	char policy[400];
	snprintf(policy, sizeof(policy),
	    SEEDS "limits: {wait: none}\n"
		  "robots: {%s}\n"
		  "domains: {a.test: {backoff: {failure: 10m, max: 10m}}}\n",
	    robots);
	world_open(page, policy);
	world.look_up = never;
	ok(world_run() == PAVANE_NOT_BEGUN && world_is_settled() &&
		is_end("http://a.test/", PV_OUTCOME_NO_NAME) &&
		is_end("http://b.test/", PV_OUTCOME_ANSWERED),
	    "P4: a name that nobody can tell is given up after robots: {%s}",
	    robots);
	ok(world_count_look_ups("a.test") == look_ups,
	    "and not before (%u look-ups)", world_count_look_ups("a.test"));
	world_close();
}

static struct world_name unknown(const char *host, unsigned nth)
{
	(void)nth;
	return strcmp(host, "a.test") == 0
		   ? (struct world_name){PV_NAME_UNKNOWN, NULL, 0}
		   : (struct world_name){PV_NAME_FORBIDDEN, NULL, 0};
}

static void test_ends(void)
{
	world_open(page, SEEDS);
	world.look_up = unknown;
	ok(world_run() == PAVANE_NOT_BEGUN && world_is_settled(),
	    "a crawl of nobody's hosts ends and says so");
	ok(is_end("http://a.test/", PV_OUTCOME_NO_NAME),
	    "a name that nobody has is a fact");
	ok(is_refused("http://b.test/", PV_REASON_PRIVATE),
	    "P7: an address that we may not reach is a refusal");
	ok(world.request_count == 0, "P7: and neither is asked");
	world_close();
}

static struct world_name asked_away(const char *host, unsigned nth)
{
	(void)host;
	(void)nth;
	return (struct world_name){PV_NAME_ASKED_AWAY, NULL, 0};
}

static void test_asked_away(void)
{
	world_open(page, SEEDS);
	world.look_up = asked_away;
	ok(world_run() == PAVANE_NOT_BEGUN && world_is_settled() &&
		is_refused("http://a.test/", PV_REASON_NEVER) &&
		world.request_count == 0,
	    "P4: a name that leads to where never.txt says that we must not "
	    "go is refused for that");
	world_close();
}

/* Its address is believed for so long. */
static struct world_name short_lived(const char *host, unsigned nth)
{
	(void)host;
	return (struct world_name){
	    PV_NAME_FOUND, nth ? "10.0.0.2" : "10.0.0.1", .kept_ms = 100};
}

static void test_old_name(void)
{
	world_open(three_pages, "seeds: [\"http://a.test/\"]\n"
				"domains: {a.test: {delay: 200ms}}\n");
	world.look_up = short_lived;
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_finals() == 3,
	    "a host whose address becomes too old is crawled all the same");
	ok(world_count_look_ups("a.test") > 1,
	    "its name is looked up once more");
	const struct world_request *last =
	    &world.requests[world.request_count - 1];
	ok(last->address.bytes[3] == 2 &&
		world.requests[0].address.bytes[3] == 1,
	    "P7: and its new address counts");
	bool is_paced = true;
	for (size_t i = 1; i < world.request_count; i++)
		is_paced = is_paced && world.requests[i].sent_ms -
					       world.requests[i - 1].sent_ms >=
					   200;
	ok(is_paced, "P1: with the clock that it had");
	world_close();
}

/* While its robots.txt cannot be had the host goes away: the visits that were
 * set aside for that end too. */
static struct reply closed(const char *url, unsigned nth)
{
	(void)nth;
	return strstr(url, "/robots.txt") ? (struct reply){.http_status = 500}
					  : (struct reply){.body = "a page"};
}

static struct world_name vanishing(const char *host, unsigned nth)
{
	(void)host;
	return nth ? (struct world_name){PV_NAME_UNKNOWN, NULL, 0}
		   : (struct world_name){
			 PV_NAME_FOUND, "10.0.0.1", .kept_ms = 100};
}

static void test_vanishing(void)
{
	world_open(closed, "seeds: [\"http://a.test/\", \"http://a.test/1\"]\n"
			   "limits: {wait: 1s}\n"
			   "domains: {a.test: {backoff: {failure: 200ms}}}\n");
	world.look_up = vanishing;
	ok(world_run() == PAVANE_NOT_BEGUN && world_is_settled(),
	    "P3: a host that vanishes before its robots.txt could be had "
	    "leaves nothing waiting");
	ok(is_end("http://a.test/", PV_OUTCOME_NO_NAME) &&
		is_end("http://a.test/1", PV_OUTCOME_NO_NAME),
	    "each of its visits has its end");
	world_close();
}

/* While its name is looked up once more, an answer that is still under way asks
 * us to stay away for days. */
static struct world_name again(const char *host, unsigned nth)
{
	(void)host;
	(void)nth;
	return (struct world_name){PV_NAME_FOUND, "10.0.0.1", 30};
}

static struct reply days(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	return (struct reply){.http_status = 503,
	    .header = "Retry-After: 900000",
	    .took_ms = 100};
}

static void test_left_meanwhile(void)
{
	world_open(days, "seeds: [\"http://a.test/1\", \"http://a.test/2\", "
			 "\"http://a.test/3\"]\n"
			 "domains: {a.test: {delay: 50ms, connections: 2}}\n");
	world.look_up = again;
	world.look_up_ms = 60;
	ok(world_run() == PAVANE_NOT_BEGUN && world_is_settled() &&
		is_refused("http://a.test/1", PV_REASON_RETRY_AFTER) &&
		is_refused("http://a.test/3", PV_REASON_RETRY_AFTER),
	    "P1: a host that is left while its name is looked up stays so");
	world_close();
}

int main(void)
{
	test_later();
	test_never();
	test_lost("give_up: 1h", 7);
	test_lost("give_up_silent: 30m", 4);
	test_ends();
	test_asked_away();
	test_old_name();
	test_vanishing();
	test_left_meanwhile();
	return tap_done();
}
