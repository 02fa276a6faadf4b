#include "crawl/robots/robots_validity.h"

#include "crawl/conductor.h"
#include "crawl/world.h"
#include "robots/access.h"

/* How long a robots.txt counts, within a run and over runs: when it is asked
 * for again, and what counts where that fails. */

#define ROBOTS "http://a.test/robots.txt"
#define RULES "User-agent: *\nDisallow: /x\n"
#define PAGES 40
#define HOUR INT64_C(3600000)

/* A site of pages each of which leads to the next, and to one that its rules
 * forbid; and how its robots.txt is answered. */
static struct site {
	struct reply (*robots)(unsigned nth);
	unsigned pages;
	unsigned took_ms; /* of a page */
} site;

static struct reply answer(const char *url, unsigned nth)
{
	static char body[80];
	unsigned number = 0;
	if (strcmp(url, ROBOTS) == 0)
		return site.robots(nth);
	if (strcmp(url, "http://moved.test/robots.txt") == 0)
		return (struct reply){.outcome = PV_OUTCOME_NO_CONNECTION};
	for (unsigned i = 1; i <= site.pages; i++) {
		snprintf(body, sizeof(body), "http://a.test/%u", i);
		if (strcmp(url, body) == 0)
			number = i;
	}
	body[0] = '\0';
	if (number < site.pages)
		snprintf(body, sizeof(body), "<a href=/%u><a href=/x%u>",
		    number + 1, number);
	return (struct reply){.body = body, .took_ms = site.took_ms};
}

static void open_site(struct reply (*robots)(unsigned nth), unsigned pages)
{
	site = (struct site){.robots = robots, .pages = pages, .took_ms = 10};
	world_open(answer, "seeds: [\"http://a.test/\"]\nlimits: {wait: 1s}\n"
			   "fetch: {retries: 0}\n");
}

static size_t asked(const char *start)
{
	size_t count = 0;
	for (size_t i = 0; i < world.request_count; i++)
		count +=
		    strncmp(world.requests[i].url, start, strlen(start)) == 0;
	return count;
}

static size_t asked_for_robots(void)
{
	return asked(ROBOTS);
}

static bool is_refused(const char *url)
{
	const struct world_line *line = world_final(url);
	return line && line->reason == PV_REASON_ROBOTS;
}

/* The time that a run takes is not long enough for a robots.txt to get old:
 * then all times are shorter. */
static void shorten(int64_t ttl_ms, int64_t rest_ms, double factor)
{
	world.policy->robots.ttl_ms = ttl_ms;
	world.policy->manners.backoff.failure_ms = rest_ms;
	world.policy->manners.backoff.overload_ms = rest_ms;
	world.policy->manners.backoff.factor = factor;
}

static struct reply well(unsigned nth)
{
	(void)nth;
	return (struct reply){.body = RULES};
}

static void test_refresh(void)
{
	open_site(well, PAGES);
	shorten(160, 5, 1);
	ok(world_run() == PAVANE_FINISHED, "a crawl goes on for some time");
	int64_t first_ms = world_sent_at(ROBOTS, 0);
	int64_t second_ms = world_sent_at(ROBOTS, 1);
	ok(second_ms - first_ms >= 120,
	    "its robots.txt is not asked for again before three quarters of "
	    "ttl (%lld ms)",
	    (long long)(second_ms - first_ms));
	ok(second_ms > 0 &&
		asked("http://a.test/") == PAGES + 1 + asked_for_robots(),
	    "then it is, and all else is asked for as well");
	world_close();
}

static struct reply fails_then(unsigned nth, struct reply reply)
{
	return nth ? reply : (struct reply){.body = RULES};
}

static struct reply fails_by_status(unsigned nth)
{
	return fails_then(nth, (struct reply){.http_status = 500});
}

static struct reply fails_by_overload(unsigned nth)
{
	return fails_then(nth, (struct reply){.http_status = 429});
}

static struct reply fails_by_network(unsigned nth)
{
	return fails_then(nth, (struct reply){.outcome = PV_OUTCOME_TIMEOUT});
}

static struct reply fails_by_coding(unsigned nth)
{
	return fails_then(nth, (struct reply){.body = "\1\2",
				   .header = "Content-Encoding: compress"});
}

static struct reply fails_elsewhere(unsigned nth)
{
	return fails_then(nth, (struct reply){.http_status = 301,
				   .location = "http://moved.test/robots.txt"});
}

static const struct {
	const char *claim;
	struct reply (*robots)(unsigned nth);
} failures[] = {
    {"with 500", fails_by_status},
    {"with 429", fails_by_overload},
    {"by a timeout", fails_by_network},
    {"in a coding that nobody knows", fails_by_coding},
    {"where it was moved to", fails_elsewhere},
};

/* P2: rests of 20, 40, 80 ms and so on: some five or six in the half second or
 * so that the crawl takes, in which 40 pages are asked for. */
static void test_failing(void)
{
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
		open_site(failures[i].robots, PAGES);
		shorten(80, 20, 2);
		ok(world_run() == PAVANE_FINISHED &&
			world_final("http://a.test/40"),
		    "where a refresh fails %s, the last copy counts (RFC 9309, "
		    "2.4)",
		    failures[i].claim);
		ok(is_refused("http://a.test/x30") &&
			asked("http://a.test/x") == 0,
		    "with what it forbids");
		ok(asked_for_robots() >= 2 && asked_for_robots() <= 10,
		    "P2: it is asked for again, and not for each page (%zu "
		    "times)",
		    asked_for_robots());
		ok(world_sent_at("http://a.test/40", 0) >
			world_sent_at(ROBOTS, 1),
		    "while its pages are");
		ok(world.levels[PAVANE_WARNING] >= 1, "P4: which is told");
		world_close();
	}
}

/* Its host rests as long as the robots.txt does. */
static void test_turns(void)
{
	open_site(fails_by_status, 10);
	shorten(80, 20, 1);
	site.took_ms = 25;
	world_run();
	ok(world.end == PAVANE_FINISHED && asked_for_robots() <= 1 + 11,
	    "P6: where a refresh fails for ever, a page comes before it is "
	    "tried again (%zu times)",
	    asked_for_robots());
	world_close();
}

static struct reply none_then_fails(unsigned nth)
{
	return (struct reply){.http_status = nth ? 500 : 404};
}

static void test_none(void)
{
	open_site(none_then_fails, PAGES);
	shorten(80, 20, 2);
	ok(world_run() == PAVANE_FINISHED && world_final("http://a.test/40") &&
		asked_for_robots() >= 2,
	    "that there was none counts as long");
	world_close();
}

static struct reply changes(unsigned nth)
{
	if (nth == 1)
		return (struct reply){.http_status = 503};
	return (struct reply){
	    .body = nth ? "User-agent: *\nDisallow: /\n" : RULES};
}

static void test_change(void)
{
	open_site(changes, PAGES);
	shorten(80, 20, 2);
	world_run();
	ok(asked_for_robots() >= 3 &&
		asked("http://a.test/") < PAGES + asked_for_robots(),
	    "a refresh that brings new rules ends what they forbid");
	bool is_after = false;
	for (size_t i = 0; i < world.request_count; i++)
		is_after |=
		    world.requests[i].sent_ms > world_sent_at(ROBOTS, 2) + 5 &&
		    strcmp(world.requests[i].url, ROBOTS) != 0;
	ok(!is_after, "and nothing that they forbid is asked for afterwards");
	world_close();
}

/* In a run that lasts: what counts becomes too old. */
static void make_old(struct pv_crawl *crawl)
{
	struct pv_authority *authority = pv_authorities_find(
	    &crawl->hosts.authorities, PV_STR("http://a.test"));
	int64_t now = pv_crawl_now(crawl);
	authority->state = PV_AUTHORITY_OPEN;
	authority->has_answered = true;
	authority->failures = 3;
	authority->failed_since_wall_ms = crawl->now.wall_ms - HOUR;
	authority->ask_at = now + 1500;
	authority->good_until = now + 200;
}

static void test_too_old(void)
{
	open_site(fails_by_status, PAGES);
	site.took_ms = 20;
	world.before_run = make_old;
	ok(world_run() == PAVANE_LIMITED, "when a copy is a day old");
	ok(asked("http://a.test/") > 1 && !world_final("http://a.test/30"),
	    "nothing is asked for any more by it");
	ok(world_number("SELECT count(*) FROM pending") >= 1,
	    "P3: and what waits has no end yet");
	world_close();
}

/* Over runs */

/* Lets so many hours go by between two runs. */
static void pass(int64_t hours)
{
	world_pass(hours * HOUR);
}

/* How long ago the robots.txt that counts was asked for. */
static int64_t age_ms(void)
{
	return SIMULATED_BEGAN_WALL_MS + world_now() -
	       world_number("SELECT asked_wall_ms FROM authorities");
}

#define DAY (24 * HOUR)

/* A run that is stopped by a limit, and the next after some hours. A host that
 * rests for longer than a second ends it. */
static enum pavane_end run_twice(
    struct reply (*robots)(unsigned nth), int64_t hours, int64_t rest_ms)
{
	open_site(robots, 6);
	shorten(DAY, rest_ms, 1);
	world.policy->limits.pages = 2;
	world_run();
	pass(hours);
	world.policy->limits.pages = PV_NONE;
	return world_run();
}

static void test_runs(void)
{
	ok(run_twice(fails_by_status, 17, 20) == PAVANE_FINISHED &&
		asked_for_robots() == 1,
	    "within 18 hours another run does not ask for it");
	world_close();
	ok(run_twice(well, 19, 20) == PAVANE_FINISHED &&
		asked_for_robots() == 2,
	    "after that it does");
	world_close();
	ok(run_twice(fails_by_status, 23, 20) == PAVANE_FINISHED &&
		asked_for_robots() >= 2 && is_refused("http://a.test/x4"),
	    "and goes by the copy of the first where there is no other");
	ok(world_number("SELECT failures > 0 AND http_status = 200 AND state = "
			"3 AND length(text) > 0 FROM authorities") == 1 &&
		age_ms() >= 23 * HOUR,
	    "P3: whose age is kept");
	world_close();
	ok(run_twice(fails_by_status, 25, 5000) == PAVANE_LIMITED &&
		asked("http://a.test/") == asked_for_robots() + 2,
	    "not when that is a day old: then nothing is asked for");
	world_close();
}

/* Three runs: in the second the refresh fails. */
static void test_kept_failure(void)
{
	open_site(fails_by_status, 12);
	shorten(DAY, 20, 1);
	world.policy->limits.pages = 2;
	world_run();
	pass(20);
	world.policy->limits.pages = 4;
	world_run();
	size_t before = asked_for_robots();
	pass(5);
	shorten(DAY, 5000, 1);
	world.policy->limits.pages = PV_NONE;
	ok(before >= 2 && world_run() == PAVANE_LIMITED &&
		!world_final("http://a.test/8"),
	    "P3: a run in which it could not be had makes no copy younger");
	world_close();
}

/* There were rules, and then there were none: the old copy is not in force. */
static struct reply rules_then_none(unsigned nth)
{
	if (!nth)
		return (struct reply){
		    .body = "User-agent: *\nCrawl-delay: 0.5\nDisallow: /x\n"};
	return (struct reply){.http_status = 404};
}

static void test_old_rules(void)
{
	open_site(rules_then_none, 6);
	world.policy->limits.pages = 1;
	world_run();
	pass(20);
	world.policy->limits.pages = 2;
	world_run();
	world.policy->limits.pages = PV_NONE;
	int64_t took_ms = world_now();
	world_run();
	took_ms = world_now() - took_ms;
	ok(world.end == PAVANE_FINISHED && took_ms < 500,
	    "where there is none any more, the rules of before count in no "
	    "run (%lld ms)",
	    (long long)took_ms);
	world_close();
}

/* Without a crawl around it, by a clock of the test's: how long a robots.txt that
 * cannot be had is waited for. */

static struct pv_policy plain_policy = {
    .robots = {.ttl_ms = 24 * HOUR,
	.give_up_ms = 20 * HOUR,
	.give_up_silent_ms = PV_NONE},
    .manners = {.backoff = {.failure_ms = 1000, .factor = 1, .max_ms = 1000}},
};

#define WALL INT64_C(1800000000000)

static struct pv_crawl *plain_crawl(int64_t at_ms)
{
	static struct pv_crawl crawl;
	crawl = (struct pv_crawl){.policy = &plain_policy,
	    .now = {.monotonic_ms = at_ms, .wall_ms = WALL + at_ms}};
	return &crawl;
}

static enum pv_authority_state fail_at(
    struct pv_authority *authority, int64_t at_ms)
{
	pv_robots_validity_fail(plain_crawl(at_ms), authority,
	    &(struct pv_robots_failure){
		.outcome = PV_OUTCOME_NO_CONNECTION, .why = "it fails"});
	return authority->state;
}

static void test_given_up(void)
{
	struct pv_authority authority = {
	    .text = PV_STR("http://a.test"), .has_answered = true};
	ok(fail_at(&authority, 0) == PV_AUTHORITY_CLOSED &&
		fail_at(&authority, 20 * HOUR - 1) == PV_AUTHORITY_CLOSED,
	    "a robots.txt that cannot be had is waited for");
	ok(fail_at(&authority, 20 * HOUR) == PV_AUTHORITY_LOST,
	    "as long as robots.give_up says");
	authority = (struct pv_authority){.text = PV_STR("http://a.test")};
	plain_policy.robots.give_up_silent_ms = 2 * HOUR;
	ok(fail_at(&authority, 0) == PV_AUTHORITY_CLOSED &&
		fail_at(&authority, 2 * HOUR) == PV_AUTHORITY_LOST,
	    "or give_up_silent, where nothing has ever answered");
	authority = (struct pv_authority){
	    .text = PV_STR("http://a.test"), .has_answered = true};
	ok(fail_at(&authority, 0) == PV_AUTHORITY_CLOSED &&
		fail_at(&authority, 2 * HOUR) == PV_AUTHORITY_CLOSED,
	    "and only there");
	plain_policy.robots.give_up_silent_ms = PV_NONE;
}

/* The first failure was over when it was had again. */
static void test_failing_anew(void)
{
	struct pv_authority authority = {
	    .text = PV_STR("http://a.test"), .has_answered = true};
	fail_at(&authority, 0);
	pv_robots_validity_renew(plain_crawl(1 * HOUR), &authority, NULL);
	ok(authority.state == PV_AUTHORITY_OPEN && !authority.failures &&
		!authority.failed_since_wall_ms,
	    "a robots.txt that was had again does not fail any more");
	ok(fail_at(&authority, 25 * HOUR) == PV_AUTHORITY_CLOSED &&
		fail_at(&authority, 45 * HOUR - 1) == PV_AUTHORITY_CLOSED &&
		fail_at(&authority, 45 * HOUR) == PV_AUTHORITY_LOST,
	    "P3: once it fails anew, it is waited for from then on");
}

static void test_clock_set_back(void)
{
	struct pv_authority authority = {.text = PV_STR("http://a.test"),
	    .has_answered = true,
	    .failed_since_wall_ms = WALL + 400 * 24 * HOUR};
	fail_at(&authority, 0);
	ok(fail_at(&authority, 20 * HOUR - 1) == PV_AUTHORITY_CLOSED &&
		fail_at(&authority, 20 * HOUR) == PV_AUTHORITY_LOST,
	    "where the clock was set back, it begins to fail now");
}

/* To the last millisecond of its day. */
static void test_last_day(void)
{
	struct pv_authority authority = {
	    .text = PV_STR("http://a.test"), .has_answered = true};
	pv_robots_validity_renew(plain_crawl(0), &authority, NULL);
	ok(authority.ask_at == 18 * HOUR,
	    "a robots.txt is asked for again after three quarters of its ttl");
	ok(fail_at(&authority, 24 * HOUR - 1) == PV_AUTHORITY_OPEN &&
		authority.is_page_first,
	    "where it fails then, the last one counts for a day");
	pv_robots_validity_look(plain_crawl(24 * HOUR - 1), &authority);
	ok(authority.state == PV_AUTHORITY_OPEN, "to its last millisecond");
	ok(pv_robots_validity_since(plain_crawl(20 * HOUR), &authority) == WALL,
	    "and is known to be from when it was had");
	pv_robots_validity_look(plain_crawl(24 * HOUR), &authority);
	ok(authority.state == PV_AUTHORITY_CLOSED && !authority.is_page_first,
	    "P1: then nothing is asked for there");
}

/* Lines */

static struct reply unreached;

static struct reply unreachable(const char *url, unsigned nth)
{
	static char link[80];
	bool is_first = strstr(url, "//first.test/") != NULL;
	(void)nth;
	snprintf(link, sizeof(link), "<a href=http://a.test/>");
	if (is_first)
		return (struct reply){.body = link};
	return unreached;
}

static const struct {
	const char *seed;
	struct reply reply;
	const char *line;
	const char *claim;
} announcements[] = {
    {"https://a.test/x",
	{.unreached = PV_UNREACHED_HOST, .why = "connection refused"},
	"nothing listens at https://a.test (connection refused); next "
	"try in 1 s; does http://a.test work?",
	"where nothing listens at a seed's host, its other scheme is named"},
    {"http://[::1]/", {.unreached = PV_UNREACHED_HOST, .why = "no"},
	"nothing listens at http://[::1] (no); next try in 1 s; does "
	"https://[::1] work?",
	"be it an address in brackets"},
    {"http://a.test:8080/", {.unreached = PV_UNREACHED_HOST, .why = "no"},
	"nothing listens at http://a.test:8080 (no); next try in 1 s",
	"but not where the seed has a port"},
    {"http://first.test/", {.unreached = PV_UNREACHED_HOST, .why = "no"},
	"nothing listens at http://a.test (no); next try in 1 s",
	"nor where a page led there"},
    {"http://a.test/", {.why = "host is unreachable"},
	"cannot connect to http://a.test (host is unreachable); next try in "
	"1 s",
	"a host that is unreachable may listen"},
};

static void test_lines(void)
{
	for (size_t i = 0; i < sizeof(announcements) / sizeof(*announcements);
	     i++) {
		char policy[200];
		unreached = announcements[i].reply;
		unreached.outcome = PV_OUTCOME_NO_CONNECTION;
		snprintf(policy, sizeof(policy),
		    "seeds: [\"%s\"]\nlimits: {wait: 1s}\n"
		    "scope: {hosts: [a.test]}\nfetch: {private: all}\n",
		    announcements[i].seed);
		world_open(unreachable, policy);
		shorten(HOUR, 5000, 2);
		world_run();
		is_text(pv_str_of(world.warning), announcements[i].line,
		    "P4: %s", announcements[i].claim);
		world_close();
	}
}

int main(void)
{
	test_lines();
	test_refresh();
	test_failing();
	test_turns();
	test_none();
	test_change();
	test_too_old();
	test_runs();
	test_kept_failure();
	test_old_rules();
	test_given_up();
	test_failing_anew();
	test_clock_set_back();
	test_last_day();
	return tap_done();
}
