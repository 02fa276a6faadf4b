#include "crawl/robots/robots_gate.h"

#include "asked_away.h"
#include "crawl/conductor.h"
#include "crawl/world.h"

/* A table of answers: the nth request for an address gets the nth of its
 * rows, and then the last. */
struct row {
	const char *url;
	struct reply reply;
};

static const struct row *rows;

static struct reply answer(const char *url, unsigned nth)
{
	struct reply reply = {.http_status = 404};
	for (const struct row *row = rows; row->url; row++) {
		if (strcmp(row->url, url) != 0)
			continue;
		reply = row->reply;
		if (!nth--)
			break;
	}
	return reply;
}

static void open_rows(const struct row *table, const char *policy)
{
	rows = table;
	world_open(answer, policy);
}

static bool is_done(const char *url)
{
	const struct world_line *line = world_final(url);
	return line && line->outcome == PV_OUTCOME_ANSWERED;
}

static bool is_refused(const char *url, enum pv_reason reason)
{
	const struct world_line *line = world_final(url);
	return line && line->reason == reason;
}

#define SEED "seeds: [\"http://a.test/\"]\n"

static void test_first(void)
{
	static const struct row table[] = {
	    {"http://a.test/robots.txt",
		{.body = "User-agent: *\nDisallow: /x\n"}},
	    {"http://a.test/", {.body = "<a href=/x><a href=/y>"
					"<a href=http://a.test:8080/x>"}},
	    {"http://a.test:8080/robots.txt", {.body = "\n"}},
	    {"http://a.test:8080/x", {.body = "x"}},
	    {"http://a.test/y", {.body = "y"}}, {NULL, {0}}};
	open_rows(table, SEED);
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "a host with two authorities is crawled");
	ok(world_sent_at("http://a.test/robots.txt", 0) <=
		    world_sent_at("http://a.test/", 0) &&
		strcmp(world.requests[0].url, "http://a.test/robots.txt") == 0,
	    "its robots.txt comes before all else");
	ok(world_sent_at("http://a.test:8080/robots.txt", 0) >= 0 &&
		is_done("http://a.test:8080/x"),
	    "each authority is asked for its own");
	ok(is_refused("http://a.test/x", PV_REASON_ROBOTS) &&
		world_sent_at("http://a.test/x", 0) < 0,
	    "what it forbids is not asked for");
	ok(world_sent_at("http://a.test/robots.txt", 1) < 0,
	    "and it is asked for once");
	world_close();
}

/* The pages that waited for it are the first again, as they were. */
static void test_order(void)
{
	static const char *const urls[] = {"http://a.test/robots.txt",
	    "http://a.test/", "http://a.test/1", "http://a.test/2",
	    "http://a.test/3"};
	static const struct row table[] = {{"http://a.test/", {.body = "x"}},
	    {"http://a.test/1", {.body = "1"}},
	    {"http://a.test/2", {.body = "2"}},
	    {"http://a.test/3", {.body = "3"}}, {NULL, {0}}};
	open_rows(table,
	    "seeds: [\"http://a.test/\", \"http://a.test/{1..3}\"]\n"
	    "domains: {a.test: {delay: 5ms}}\n");
	bool is_right = world_run() == PAVANE_FINISHED && world_is_settled() &&
			world.request_count == 5;
	for (size_t i = 0; is_right && i < 5; i++)
		is_right = strcmp(world.requests[i].url, urls[i]) == 0;
	ok(is_right, "what waits for a robots.txt keeps its order");
	world_close();
}

static void test_failing(void)
{
	static const struct row table[] = {
	    {"http://a.test/robots.txt", {.http_status = 500}},
	    {"http://a.test/robots.txt", {.outcome = PV_OUTCOME_TIMEOUT}},
	    {"http://a.test/robots.txt",
		{.body = "User-agent: *\nDisallow: /x\n"}},
	    {"http://a.test/", {.body = "<a href=/x>"}}, {NULL, {0}}};
	open_rows(table, SEED);
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "a robots.txt that cannot be had is asked for again");
	ok(world_sent_at("http://a.test/", 0) >=
		world_sent_at("http://a.test/robots.txt", 2),
	    "and before it has been had nothing else is");
	ok(world.levels[PAVANE_WARNING] >= 2, "P4: which is told");
	world_close();
}

/* For good: then the crawl ends, and what waits is still there. */
static void test_closed(void)
{
	static const struct row table[] = {
	    {"http://a.test/robots.txt",
		{.http_status = 503, .header = "Retry-After: 7200"}},
	    {"http://a.test/", {.body = "x"}}, {NULL, {0}}};
	open_rows(table, SEED "limits: {wait: 1s}\n");
	ok(world_run() == PAVANE_LIMITED,
	    "where all must wait too long the crawl stops");
	ok(world_sent_at("http://a.test/", 0) < 0 && world_finals() == 0 &&
		world_number("SELECT count(*) FROM pending") == 1,
	    "P3: and what waits has no end yet");
	world_close();
}

/* Redirects */

static struct reply moving(const char *url, unsigned nth)
{
	static char location[64];
	unsigned number = 0;
	(void)nth;
	if (strcmp(url, "http://a.test/robots.txt") == 0)
		return (struct reply){
		    .http_status = 301, .location = "http://h1.test/moved"};
	for (unsigned i = 1; i < 20; i++) {
		snprintf(
		    location, sizeof(location), "http://h%u.test/moved", i);
		if (strcmp(url, location) == 0)
			number = i;
	}
	if (!number)
		return (struct reply){.body = "x"};
	if (number == world.stops) /* of which the test says so */
		return (struct reply){.body = "User-agent: *\nDisallow: /\n"};
	snprintf(
	    location, sizeof(location), "http://h%u.test/moved", number + 1);
	return (struct reply){.http_status = 302, .location = location};
}

static void test_redirects(void)
{
	world_open(moving, SEED);
	world.stops = 5;
	ok(world_run() == PAVANE_NOT_BEGUN && world_is_settled(),
	    "a robots.txt that has moved five times is found");
	ok(is_refused("http://a.test/", PV_REASON_ROBOTS),
	    "and counts for the authority that it was asked for");
	ok(world_sent_at("http://h5.test/moved", 0) >= 0 &&
		world_sent_at("http://h5.test/robots.txt", 0) < 0,
	    "each hop on the host where it lies");
	world_close();
	world_open(moving, SEED);
	world.stops = 6;
	ok(world_run() == PAVANE_FINISHED && is_done("http://a.test/"),
	    "after the sixth it counts as none (RFC 9309, 2.3.1.2)");
	ok(world_sent_at("http://h6.test/moved", 0) < 0,
	    "and is not followed further");
	world_close();
}

static struct world_name only_a(const char *host, unsigned nth)
{
	(void)nth;
	return strcmp(host, "a.test") == 0
		   ? (struct world_name){PV_NAME_FOUND, "10.0.0.1", 0}
		   : (struct world_name){PV_NAME_UNKNOWN, NULL, 0};
}

static void test_redirect_to_nowhere(void)
{
	static const struct row table[] = {
	    {"http://a.test/robots.txt",
		{.http_status = 301, .location = "http://gone.test/r"}},
	    {"http://a.test/robots.txt", {.http_status = 404}},
	    {"http://a.test/", {.body = "x"}}, {NULL, {0}}};
	open_rows(table, SEED);
	world.look_up = only_a;
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "one that has moved to where nobody is cannot be had, and is asked "
	    "for again");
	ok(world_sent_at("http://a.test/", 0) >=
		world_sent_at("http://a.test/robots.txt", 1),
	    "before anything else");
	world_close();
}

static bool is_any_asked(const char *part)
{
	bool is_asked = false;
	for (size_t i = 0; i < world.request_count; i++)
		is_asked |= strstr(world.requests[i].url, part) != NULL;
	return is_asked;
}

/* To hosts that never.txt names, by their name and by their address. */
static void test_redirect_to_never(void)
{
	static const char *const places[][2] = {
	    {"http://www.away.test/r", "away.test"},
	    {"http://192.0.2.7/r", "192.0.2.0/24"},
	};
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const struct row table[] = {
		    {"http://a.test/robots.txt",
			{.http_status = 301, .location = places[i][0]}},
		    {"http://a.test/robots.txt", {.http_status = 404}},
		    {places[i][0], {.body = "\n"}},
		    {"http://a.test/", {.body = "x"}}, {NULL, {0}}};
		open_rows(table, SEED);
		asked_away(world.policy, places[i][1]);
		ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
			world_sent_at("http://a.test/", 0) >=
			    world_sent_at("http://a.test/robots.txt", 1),
		    "one that has moved to %s, whose owner asked us away, "
		    "cannot be had, and is asked for again",
		    places[i][0]);
		ok(!is_any_asked(places[i][0]) && world.look_up_count == 1,
		    "P7: nobody asks there for anything, not even for its "
		    "address");
		world_close();
	}
}

/* Who is sent there is not to log in as somebody else than the policy says. */
static void test_redirect_with_credentials(void)
{
	static const struct row table[] = {
	    {"http://a.test/robots.txt",
		{.http_status = 301, .location = "http://me:mine@b.test/r"}},
	    {"http://b.test/r", {.body = "User-agent: *\nDisallow: /\n"}},
	    {"http://a.test/", {.body = "x"}}, {NULL, {0}}};
	open_rows(table, SEED);
	world_run();
	ok(is_refused("http://a.test/", PV_REASON_ROBOTS) &&
		is_any_asked("//b.test/r") && !is_any_asked("mine"),
	    "P7: one that has moved to an address with credentials is asked "
	    "for without them");
	world_close();
}

/* To a port where a mail server would read the request. */
static void test_redirect_to_port(void)
{
	static const struct row table[] = {
	    {"http://a.test/robots.txt",
		{.http_status = 301, .location = "http://a.test:25/r"}},
	    {"http://a.test/robots.txt", {.http_status = 404}},
	    {"http://a.test/", {.body = "<a href=http://b.test:22/><a href=/m>"
					"<a href=/n>"}},
	    {"http://a.test/m",
		{.http_status = 302, .location = "http://a.test:25/m"}},
	    {"http://a.test/n", {.body = "x"}}, {NULL, {0}}};
	open_rows(table, SEED "scope: {hosts: any}\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		is_done("http://a.test/n"),
	    "one that has moved to another protocol's port cannot be had, and "
	    "is asked for again");
	ok(!is_any_asked(":25/") && !is_any_asked(":22/"),
	    "P7: nothing is ever asked for there");
	ok(is_refused("http://b.test:22/", PV_REASON_PORT) &&
		is_refused("http://a.test:25/m", PV_REASON_PORT),
	    "P4: links and redirects are refused for that");
	world_close();
}

/* Headers without an end: nobody knows what the body would have said. */
static void test_no_body(void)
{
	static const struct row table[] = {
	    {"http://a.test/robots.txt", {.outcome = PV_OUTCOME_TOO_LARGE,
					     .http_status = 200,
					     .stage = PV_STAGE_HEADER}},
	    {"http://a.test/robots.txt",
		{.body = "User-agent: *\nDisallow: /\n"}},
	    {"http://a.test/", {.body = "x"}}, {NULL, {0}}};
	open_rows(table, SEED);
	world_run();
	ok(is_refused("http://a.test/", PV_REASON_ROBOTS),
	    "an answer that did not come to its body allows nothing");
	world_close();
}

/* Of one that was cut, what came counts. */
static void test_cut(void)
{
	static const struct row table[] = {
	    {"http://a.test/robots.txt",
		{.outcome = PV_OUTCOME_TOO_LARGE,
		    .http_status = 200,
		    .stage = PV_STAGE_BODY,
		    .body = "User-agent: *\nDisallow: /x\nDisallow: /yz"}},
	    {"http://a.test/", {.body = "<a href=/x><a href=/y><a href=/yz>"}},
	    {NULL, {0}}};
	open_rows(table, SEED);
	ok(world_run() == PAVANE_FINISHED &&
		is_refused("http://a.test/x", PV_REASON_ROBOTS) &&
		is_refused("http://a.test/yz", PV_REASON_ROBOTS) &&
		is_done("http://a.test/y"),
	    "P5: of one that is too large the beginning counts");
	world_close();
}

/* The authority was closed while its host was with us before. */
static void remember_closed(struct pv_crawl *crawl)
{
	struct pv_authority *authority = pv_authorities_find(
	    &crawl->hosts.authorities, PV_STR("http://a.test"));
	authority->state = PV_AUTHORITY_CLOSED;
	authority->failures = 1;
	authority->ask_at = pv_crawl_now(crawl) + 150;
}

static void test_remembered(void)
{
	static const struct row table[] = {
	    {"http://a.test/", {.body = "x"}}, {NULL, {0}}};
	open_rows(table, SEED "limits: {wait: 1s}\n");
	world.before_run = remember_closed;
	ok(world_run() == PAVANE_FINISHED && is_done("http://a.test/"),
	    "P3: what waits for an authority that was closed before goes on "
	    "when its time has come");
	world_close();
}

/* Retry-After of a robots.txt, as it stands in the state while the crawl goes
 * on. */
static int64_t kept_wait_ms;

static struct reply look_meanwhile(const char *url, unsigned nth)
{
	if (strcmp(url, "http://a.test/robots.txt") == 0)
		return (struct reply){
		    .http_status = 503, .header = "Retry-After: 7200"};
	if (strcmp(url, "http://b.test/") == 0)
		return (struct reply){.body = "<a href=/1>", .took_ms = 600};
	if (strcmp(url, "http://b.test/1") == 0)
		kept_wait_ms = world_number(
		    "SELECT wait_ms FROM host_states WHERE name = 'a.test'");
	(void)nth;
	return (struct reply){.http_status = 404};
}

static void test_kept(void)
{
	world_open(look_meanwhile,
	    "seeds: [\"http://a.test/\", \"http://b.test/\"]\n"
	    "limits: {wait: 1s}\n");
	kept_wait_ms = 0;
	world_run();
	ok(kept_wait_ms >= 7000000,
	    "P1, P3: what a host asks for with its robots.txt outlives any "
	    "end: %lld ms",
	    (long long)kept_wait_ms);
	world_close();
}

/* A host with more authorities than are remembered */

static void remember_two(struct pv_crawl *crawl)
{
	crawl->hosts.authorities.max = crawl->hosts.authorities.room = 2;
}

/* Each page leads to one at the next of six ports, and to one that robots.txt
 * forbids there. */
static struct reply with_ports(const char *url, unsigned nth)
{
	static char links[128];
	long number = strtol(strrchr(url, '/') + 1, NULL, 10) + 1;
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.body = "User-agent: *\nDisallow: /x\n"};
	snprintf(links, sizeof(links),
	    "<a href=http://a.test:808%ld/%ld>"
	    "<a href=http://a.test:808%ld/x%ld>",
	    number % 6, number, number % 6, number);
	return (struct reply){.body = number < 30 ? links : "the last page"};
}

static void test_many_ports(void)
{
	unsigned asked = 0, forbidden = 0;
	world_open(with_ports, SEED);
	world.before_run = remember_two;
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "P5: a host with more authorities than are remembered is crawled");
	for (size_t i = 0; i < world.request_count; i++) {
		const char *path = strchr(world.requests[i].url + 7, '/');
		asked += strcmp(path, "/robots.txt") == 0;
		forbidden += path[1] == 'x';
	}
	ok(forbidden == 0, "what any of them forbids is not asked for");
	ok(asked == 7,
	    "and each robots.txt is asked for once, since what is forgotten "
	    "is in the state (%u)",
	    asked);
	world_close();
}

int main(void)
{
	test_first();
	test_order();
	test_failing();
	test_closed();
	test_redirects();
	test_redirect_to_nowhere();
	test_redirect_to_never();
	test_redirect_with_credentials();
	test_redirect_to_port();
	test_no_body();
	test_cut();
	test_remembered();
	test_kept();
	test_many_ports();
	return tap_done();
}
