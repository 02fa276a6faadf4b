#include <sys/stat.h>
#include <time.h>

#include "crawl/robots_scene.h"
#include "store/database.h"

/* `pavane explain`, as a person runs it: by asking hosts, and by the state of a
 * crawl. P4: every no has a reason that a person can read; P1 and P7: who asks
 * to explain asks as politely as who crawls. */

#define REST_MS 200

struct explained {
	struct pv_buf said;
	struct program_end end;
};

/* Up to four further arguments, ended by NULL; PORT and TLS in them are the
 * server's. */
static void explain(struct crawl_scene *scene, struct explained *explained, ...)
{
	const char *arguments[12] = {"explain", "policy.yaml"};
	struct pv_buf texts[8];
	size_t count = 0;
	va_list list;
	va_start(list, explained);
	const char *argument = va_arg(list, const char *);
	for (; argument && count < 8; argument = va_arg(list, const char *)) {
		pv_buf_init(&texts[count], 1 << 16);
		crawl_scene_write(scene, argument, &texts[count]);
		arguments[2 + count] = pv_buf_text(&texts[count]);
		count++;
	}
	va_end(list);
	pv_buf_init(&explained->said, 1 << 20);
	program_run(&scene->home, arguments, &explained->said, &explained->end);
	for (size_t i = 0; i < count; i++)
		pv_buf_finish(&texts[i]);
}

static void forget(struct explained *explained)
{
	pv_buf_finish(&explained->said);
}

/* Whether it says that, PORT and TLS being the server's. */
static bool says(
    struct crawl_scene *scene, struct explained *explained, const char *text)
{
	struct pv_buf wanted;
	pv_buf_init(&wanted, 1 << 16);
	crawl_scene_write(scene, text, &wanted);
	bool is_said =
	    strstr(pv_buf_text(&explained->said), pv_buf_text(&wanted)) != NULL;
	pv_buf_finish(&wanted);
	return is_said;
}

static void claim(struct crawl_scene *scene, struct explained *explained,
    const char *text, const char *what)
{
	size_t start = strspn(text, "\n ");
	int len = (int)strcspn(text + start, "\n");
	if (!ok(says(scene, explained, text), "%s: \"%.*s\"", what, len,
		text + start))
		printf("# it said: %s\n", pv_buf_text(&explained->said));
}

/* By asking hosts */

#define ROBOTS(name) .host = (name), .path = "/robots.txt"
#define TEXT(text)                                   \
	{                                            \
		.type = "text/plain", .body = (text) \
	}

#define RULES                                                     \
	"User-agent: other\nDisallow: /\n\nUser-agent: x\n"       \
	"User-agent: ExampleBot\nDisallow: /no\nCrawl-delay: 3\n" \
	"Content-Usage: / train-ai=n\nUser-agent: *\nDisallow: /\n"

static const struct server_route asked_routes[] = {
    {ROBOTS("rules.test"), .answer = TEXT(RULES)},
    {ROBOTS("gzip.test"),
	.answer = {.type = "text/plain", .body = RULES, .coding = SERVER_GZIP}},
    {ROBOTS("none.test"), .answer = {.status = 404}},
    {ROBOTS("forbidden.test"), .answer = {.status = 403}},
    {ROBOTS("busy.test"), .answer = {.status = 503}},
    {ROBOTS("many.test"), .answer = {.status = 429}},
    {ROBOTS("mute.test"),
	.answer = {.fault = {SERVER_STALL, SERVER_BEFORE, 0}}},
    {ROBOTS("cut.test"), .answer = {.type = "text/plain",
			     .body = RULES,
			     .fault = {SERVER_RESET, SERVER_IN_BODY, 20}}},
    {ROBOTS("large.test"),
	.answer = {.type = "text/plain", .kind = SERVER_ZEROS, .size = 700000}},
    {ROBOTS("away.test"),
	.answer = {.status = 301,
	    .location = "http://rules.test:{port}/robots.txt"}},
    {ROBOTS("five.test"), .answer = {.status = 302, .location = "/hop-2"}},
    {.host = "five.test", .path = "/hop-6", .answer = TEXT(RULES)},
    {.host = "five.test",
	.path = "/hop-*",
	.answer = {.status = 302, .location = "/hop-{n+1}"}},
    {ROBOTS("endless.test"), .answer = {.status = 302, .location = "/hop-1"}},
    {.host = "endless.test",
	.path = "/hop-*",
	.answer = {.status = 302, .location = "/hop-{n+1}"}},
    {ROBOTS("to-never.test"),
	.answer = {.status = 302,
	    .location = "http://never.test:{port}/robots.txt"}},
    {ROBOTS("nowhere.test"),
	.answer = {.status = 302, .location = "mailto:x@y"}},
    {ROBOTS("two.test"), .answer = TEXT("")},
    {ROBOTS("ignored.test"), .answer = TEXT(RULES)},
    {ROBOTS("never.test"), .answer = TEXT("")},
    {ROBOTS("shut.test"), .answer = TEXT("")},
};

#define FETCHED "\n  it would be fetched\n"
#define FORBIDDEN "\n  it would not be fetched: robots.txt forbids it\n"
#define CLOSED                                                            \
	"\n"                                                              \
	"  it would not be fetched: robots.txt cannot be fetched, so no " \
	"page may be fetched until it can be\n"

/* What is said of an address, and how often its host is asked for anything. */
static const struct {
	const char *what;
	const char *url;
	const char *host;
	size_t requests;
	const char *texts[5];
} asked[] = {
    {"rules that allow", "http://rules.test:PORT/yes", "rules.test", 1,
	{"requested now: answered 200\n",
	    "the group of \"ExampleBot\" in line 5 applies\n",
	    "allows it: no line is about it\n",
	    "asks for 3s between requests (line 7)\n", FETCHED}},
    {"and what they ask further", "http://rules.test:PORT/yes", "rules.test", 1,
	{"pace             3s from an answer of its host to the next request, "
	 "as the Crawl-delay of its robots.txt asks (line 7)\n",
	    "Content-Usage: train-ai=n\n", "its host can be requested now\n",
	    "unless its meta robots or X-Robots-Tag forbids it"}},
    {"rules that forbid", "http://rules.test:PORT/no", "rules.test", 1,
	{"forbids it by line 6: Disallow: /no\n", FORBIDDEN}},
    {"a session, of which only a crawl knows how many there are",
	"http://rules.test:PORT/yes?PHPSESSID=visitor1", "rules.test", 1,
	{"traps            it has a session identifier: the first 5 of its "
	 "host "
	 "are followed, counted during the crawl\n",
	    FETCHED}},
    {"rules that are coded", "http://gzip.test:PORT/no", "gzip.test", 1,
	{"forbids it by line 6: Disallow: /no\n", FORBIDDEN}},
    {"none at all", "http://none.test:PORT/", "none.test", 1,
	{"answered 404\n", "there is none: every page may be fetched\n",
	    FETCHED}},
    {"a refusal of it", "http://forbidden.test:PORT/", "forbidden.test", 1,
	{"there is none: every page may be fetched\n", FETCHED}},
    {"an answer 503", "http://busy.test:PORT/", "busy.test", 1,
	{"cannot be fetched, so no page may be fetched: answered 503\n",
	    CLOSED}},
    {"an answer 429", "http://many.test:PORT/", "many.test", 1,
	{"answered 429\n", CLOSED}},
    {"no answer", "http://mute.test:PORT/", "mute.test", 1,
	{"cannot be fetched, so no page may be fetched: ", CLOSED}},
    {"an answer that is broken off", "http://cut.test:PORT/", "cut.test", 1,
	{"cannot be fetched, so no page may be fetched: ", CLOSED}},
    {"one that is too large", "http://large.test:PORT/", "large.test", 1,
	{"answered 200\n", "no group applies to this crawler\n", FETCHED}},
    {"nobody there", "http://dead.test:1/", "dead.test", 0,
	{"cannot be fetched, so no page may be fetched: connection refused\n",
	    CLOSED}},
    {"one that lies elsewhere", "http://away.test:PORT/no", "away.test", 1,
	{"answered 200, after 1 redirect, by http://rules.test:PORT/",
	    FORBIDDEN}},
    {"five redirects", "http://five.test:PORT/no", "five.test", 6,
	{"answered 200, after 5 redirects, by http://five.test:PORT/hop-6\n",
	    FORBIDDEN}},
    {"six of them", "http://endless.test:PORT/no", "endless.test", 6,
	{"answered 302, after 5 redirects", "every page may be fetched\n",
	    FETCHED}},
    {"a redirect to who asked us away", "http://to-never.test:PORT/",
	"never.test", 0,
	{"its owner does not want to be crawled "
	 "(never.txt)\n",
	    CLOSED}},
    {"a redirect to no web address", "http://nowhere.test:PORT/",
	"nowhere.test", 1, {"something that is not a web address\n", CLOSED}},
    {"who asked us away", "http://never.test:PORT/", "never.test", 0,
	{"never.txt        ", "never.txt:2)\n",
	    "\n  it would not be fetched: "}},
    {"who lies off scope", "http://off.example:PORT/", "off.example", 0,
	{"\n  it would not be fetched: not on a host that is listed"}},
    {"who is ours, and left aside", "http://ignored.test:PORT/no",
	"ignored.test", 0, {"is ignored for this host\n", FETCHED}},
    {"P7: a private address that nobody named", "http://127.68.0.7:PORT/",
	"127.68.0.7", 0,
	{"its host may not be requested: ",
	    "\n  it would not be fetched: its "}},
    {"who has not the time", "http://shut.test:PORT/", "shut.test", 0,
	{"not requested: its host waits for the policy's allowed_hours, "
	 "until ",
	    "it waits for the policy's allowed_hours: allowed_hours for "
	    "shut.test (policy.yaml:",
	    "\n  it would be fetched, not before "}},
};

/* Hours that begin three hours from now. */
static void write_hours(struct pv_buf *text)
{
	unsigned hour = (unsigned)(time(NULL) / 3600 + 3) % 24;
	pv_buf_append_format(text,
	    "  shut.test: {allowed_hours: [\"%02u:00-%02u:30\"], "
	    "timezone: UTC}\n",
	    hour, hour);
}

static bool open_asked(struct crawl_scene *scene)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct pv_buf text;
	const struct server_plan plan = {
	    .addresses = everywhere,
	    .has_tls = true,
	    SERVER_ROUTES(asked_routes),
	};
	if (!ok(crawl_scene_open(scene, &plan), "the hosts are there"))
		return false;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "seeds: [\"http://seed.test:PORT/\"]\n"
	    "identity: {agent: examplebot/1.2, contact: us@bots.test}\n"
	    "scope: {hosts: [\"*.test\", \"rules.test\"],\n"
	    "  rules: [{allow: {host: 127.68.0.7}}]}\n"
	    "politeness: {delay: %dms, delay_factor: 0, ip_delay: 0}\n"
	    "fetch:\n"
	    "  tls: {ca: \"%s\"}\n"
	    "  timeout: {connect: 5s, first_byte: 3s, stall: 3s, "
	    "total: 10s}\n"
	    "  resolve: {\"dead.test\": \"127.68.0.9:1\", "
	    "\"*.test\": \"127.68.0.1\"}\n"
	    "domains:\n"
	    "  ignored.test: {robots: ignore}\n",
	    REST_MS, server_authority_path(scene->server));
	write_hours(&text);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
	mkdir(home_file(&scene->home, "config/pavane"), 0700);
	home_write(&scene->home, "config/pavane/never.txt",
	    PV_STR("# away\nnever.test\n"));
	return true;
}

static size_t requests_of(struct crawl_scene *scene, const char *host)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, host, NULL);
	log_view_finish(&view);
	return count;
}

static void judge_asked(struct crawl_scene *scene)
{
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		struct explained explained;
		size_t before = requests_of(scene, asked[i].host);
		explain(scene, &explained, asked[i].url, NULL);
		ok(explained.end.status == 0, "%s is no error", asked[i].what);
		for (size_t j = 0; j < 5 && asked[i].texts[j]; j++)
			claim(scene, &explained, asked[i].texts[j],
			    asked[i].what);
		size_t found = requests_of(scene, asked[i].host) - before;
		ok(found == asked[i].requests, "%s: %s is asked %zu times",
		    asked[i].what, asked[i].host, asked[i].requests);
		forget(&explained);
	}
}

static int64_t shortest_rest_ms(struct crawl_scene *scene, const char *host)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, host, NULL);
	int64_t rest_us = log_shortest_rest(&view, LOG_BY_HOST).us;
	log_view_finish(&view);
	return rest_us / 1000;
}

static void judge_manners(struct crawl_scene *scene)
{
	struct explained explained;
	ok(shortest_rest_ms(scene, "five.test") >= REST_MS,
	    "P1: each hop of a redirect waits for its host's clock");
	explain(scene, &explained, "http://two.test:PORT/a",
	    "http://two.test:PORT/b", "https://two.test:TLS/c", NULL);
	claim(scene, &explained, "https://two.test:TLS/c\n",
	    "several addresses are explained at once");
	ok(requests_of(scene, "two.test") == 2,
	    "an authority is asked for its robots.txt once");
	ok(shortest_rest_ms(scene, "two.test") >= REST_MS,
	    "P1: two authorities of a host wait for its one clock");
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, "two.test", NULL);
	ok(view.count && strstr(view.records[0].headers.ptr,
			     "User-Agent: examplebot/1.2 (+us@bots.test)"),
	    "P7: who asks says who it is");
	log_view_finish(&view);
	forget(&explained);
}

static void judge_others(struct crawl_scene *scene)
{
	struct explained explained;
	size_t before = requests_of(scene, "rules.test");
	explain(
	    scene, &explained, "--offline", "http://rules.test:PORT/no", NULL);
	claim(scene, &explained,
	    "is requested first, and must allow the page\n",
	    "without asking it is left open");
	forget(&explained);
	home_write(&scene->home, "robots.txt",
	    PV_STR("User-agent: *\nVisit-time: 0600-0600\nDisallow: /x\n"));
	explain(scene, &explained, "--robots", "robots.txt",
	    "http://rules.test:PORT/x", NULL);
	claim(scene, &explained, "forbids it by line 3: Disallow: /x\n",
	    "a file stands for the host's");
	ok(requests_of(scene, "rules.test") == before,
	    "and nobody is asked for either");
	forget(&explained);
	explain(scene, &explained, "--domain", "rules.test",
	    "crawl_delay.give_up_over=2s", "http://rules.test:PORT/", NULL);
	claim(scene, &explained,
	    "it would not be fetched: the Crawl-delay of its robots.txt is "
	    "longer than crawl_delay.give_up_over\n",
	    "a delay that the policy does not bear");
	forget(&explained);
}

static void test_asking(void)
{
	struct crawl_scene scene;
	if (open_asked(&scene)) {
		judge_asked(&scene);
		judge_manners(&scene);
		judge_others(&scene);
	}
	crawl_scene_close(&scene);
}

/* By a crawl's state */

static const char *const known_hosts[] = {
    "a.test", "later.test", "closed.test", NULL};
static const char *const slow_hosts[] = {"slow.test", NULL};

static const struct server_route known_routes[] = {
    {ROBOTS("a.test"),
	.answer = TEXT("User-agent: *\nDisallow: /b\nCrawl-delay: 0.2\n")},
    {ROBOTS("closed.test"), .answer = {.status = 503}},
    {.host = "later.test",
	.path = "/a",
	.answer = {.status = 503, .headers = "Retry-After: 39600\r\n"}},
    {.host = "slow.test",
	.path = "/a",
	.answer = {.body = "slow", .head_pace = {.delay_ms = 3600000}}},
};

static bool open_known(
    struct crawl_scene *scene, const char *const *hosts, const char *policy)
{
	return robots_open(scene,
	    &(struct robots_plan){
		.hosts = hosts,
		.routes = known_routes,
		.route_count = sizeof(known_routes) / sizeof(*known_routes),
		.policy = policy,
	    });
}

/* What the state says of an address, once the crawl has been stopped. */
static const struct {
	const char *what;
	const char *url;
	const char *texts[5];
} stopped[] = {
    {"a page that was fetched", "http://a.test:PORT/a",
	{"seen             found on http://a.test:PORT/, 1 link from a seed\n",
	    "state            it was requested: answered 200\n",
	    "the crawl requested it ", "the group of \"*\" in line 1 applies",
	    "it would not be fetched: it was requested: answered 200\n"}},
    {"a seed", "http://a.test:PORT/",
	{"judged as        a seed\n",
	    "seen             a seed of the crawl\n"}},
    {"one that robots.txt forbids", "http://a.test:PORT/b",
	{"forbids it by line 2: Disallow: /b\n",
	    "it was left out: forbidden by robots.txt (robots, line 2)\n",
	    FORBIDDEN}},
    {"one that nobody knows", "http://a.test:PORT/new",
	{"the crawl has not seen it yet\n",
	    "limits.host_pages: 2 of at most 50 pages of its host "
	    "(policy.yaml:",
	    "from one request to its host to the next, as the Crawl-delay "
	    "of its robots.txt asks (line 3)\n",
	    "\n  it would be fetched"}},
    {"in the middle of a Retry-After", "http://later.test:PORT/a",
	{"state            it is pending, its host asked 1 time to be "
	 "requested later\n",
	    "pace             not before ",
	    ": it waits as long as its Retry-After asks\n",
	    "\n  it would be fetched, not before ", ", in 11h\n"}},
    {"behind one that waits", "http://later.test:PORT/b",
	{"it is pending\n", ": it waits as long as its Retry-After asks\n",
	    "\n  it would be fetched, not before "}},
    {"a robots.txt that cannot be had", "http://closed.test:PORT/",
	{"could not be fetched (answered 503)",
	    "so no page may be fetched; it is requested again ", CLOSED}},
};

static void judge_stopped(struct crawl_scene *scene)
{
	for (size_t i = 0; i < sizeof(stopped) / sizeof(*stopped); i++) {
		struct explained explained;
		explain(scene, &explained, "-o", "o", stopped[i].url, NULL);
		ok(explained.end.status == 0, "%s is told", stopped[i].what);
		for (size_t j = 0; j < 5 && stopped[i].texts[j]; j++)
			claim(scene, &explained, stopped[i].texts[j],
			    stopped[i].what);
		forget(&explained);
	}
}

static void change(struct crawl_scene *scene, const char *sql)
{
	struct pv_database *database =
	    pv_database_open(home_file(&scene->home, "o/state.db"));
	pv_database_run(database, sql);
	pv_database_close(database);
}

/* States that come only with time. */
static const struct {
	const char *what;
	const char *sql;
	const char *url;
	const char *texts[3];
} changed[] = {
    {"a host that was left",
	"UPDATE host_states SET left_reason = (SELECT number FROM words WHERE "
	"kind = 'reason' AND word = 'blocked'), blocks = 20 "
	"WHERE name = 'later.test'",
	"http://later.test:PORT/b",
	{"its host         answered 401, 403 or 451 20 times in a row\n",
	    "it would not be fetched: its host was given up: it answered 401"}},
    {"failures in a row",
	"UPDATE host_states SET left_reason = 0, blocks = 0, failures = 3 "
	"WHERE name = 'later.test'",
	"http://later.test:PORT/b", {"its host         3 failures in a row\n"}},
    {"a robots.txt that was given up",
	"UPDATE authorities SET state = 5, failed_since_wall_ms = 1000, "
	"failures = 9 WHERE name LIKE '%closed.test%'",
	"http://closed.test:PORT/",
	{"could not be fetched since Thu, 01 Jan 1970 00:00:01 GMT (answered "
	 "503), 9 times in a row, longer than robots.give_up\n",
	    "for longer than robots.give_up\n"}},
    {"one that is too old",
	"UPDATE authorities SET until_wall_ms = 1000 "
	"WHERE name LIKE '%a.test%'",
	"http://a.test:PORT/new",
	{"and requests it again before the next request: the copy is too "
	 "old\n"}},
    {"an address that failed",
	"UPDATE addresses SET attempt = 2, waits = 0, not_before_wall_ms = "
	"(strftime('%s') + 7200) * 1000 WHERE url LIKE '%later.test%/b'",
	"http://later.test:PORT/b",
	{"it is pending, tried 2 times before\n",
	    ": it has failed, and is retried then\n", "not before "}},
    {"a limit that is reached",
	"UPDATE host_states SET pages = 50 WHERE name = 'a.test'",
	"http://a.test:PORT/new",
	{"limits.host_pages: 50 of at most 50 pages of its host",
	    "it would not be fetched: limits.host_pages is reached\n"}},
    {"a run that was cut short",
	"UPDATE host_states SET pages = 2, owes_delay = 1 WHERE name = 'a.test'",
	"http://a.test:PORT/new",
	{"the last run was interrupted, so its whole delay counts again\n"}},
    {"one that could not be had again",
	"UPDATE authorities SET failures = 2, failed_since_wall_ms = 1000 "
	"WHERE name LIKE '%a.test%'",
	"http://a.test:PORT/new",
	{"could not be fetched since Thu, 01 Jan 1970 00:00:01 GMT, 2 times in "
	 "a "
	 "row; the last copy counts until ",
	    "\n  it would be fetched"}},
    {"one that could not, and is a day old",
	"UPDATE authorities SET asked_wall_ms = asked_wall_ms - 86400000 "
	"WHERE name LIKE '%a.test%'",
	"http://a.test:PORT/new",
	{"could not be fetched, 2 times in a row, so no page may be fetched; "
	 "it "
	 "is requested again when the host's next request is due\n",
	    CLOSED}},
    {"one that could be had again",
	"UPDATE authorities SET failures = 0, asked_wall_ms = asked_wall_ms + "
	"86400000 WHERE name LIKE '%a.test%'",
	"http://a.test:PORT/new", {"\n  it would be fetched"}},
};

static void judge_changed(struct crawl_scene *scene)
{
	for (size_t i = 0; i < sizeof(changed) / sizeof(*changed); i++) {
		struct explained explained;
		change(scene, changed[i].sql);
		explain(scene, &explained, "-o", "o", changed[i].url, NULL);
		for (size_t j = 0; j < 3 && changed[i].texts[j]; j++)
			claim(scene, &explained, changed[i].texts[j],
			    changed[i].what);
		forget(&explained);
	}
}

/* Clocks by where they are from; the delays of the scene are 100 ms. */
static const struct {
	const char *what;
	const char *sql;
	const char *setting;
	const char *texts[2];
} clocks[] = {
    {"the policy's delay", "UPDATE authorities SET state = 2",
	"politeness.jitter=0",
	{"pace             100ms from one request to its host to the next: "
	 "delay (policy.yaml:"}},
    {"a delay of the command line", "SELECT 1", "politeness.delay=7s",
	{"pace             7s from one request to its host to the next: delay "
	 "(--set)\n"}},
    {"a last answer that took long",
	"UPDATE host_states SET took_ms = 4000 WHERE name = 'a.test'",
	"politeness.delay_factor=2",
	{"pace             8s from one request to its host to the next, "
	 "because its last answer took long: delay_factor (--set)\n"}},
    {"but never longer than the policy says", "SELECT 1",
	"politeness={delay_factor: 20, max_delay: 9s}",
	{"pace             9s from one request"}},
    {"a back-off",
	"UPDATE host_states SET until_wall_ms = (strftime('%s') + 7200) * 1000, "
	"left_ms = 0, wait_ms = 7200000, wait_reason = 7, owes_delay = 0 "
	"WHERE name = 'a.test'",
	"politeness.backoff.overload=30s",
	{"it waits because it is overloaded (429 or 503): backoff.overload "
	 "(--set)\n",
	    ", in 2h\n"}},
    {"one that a wall clock would make too long",
	"UPDATE host_states SET until_wall_ms = (strftime('%s') + 720000) * 1000 "
	"WHERE name = 'a.test'",
	"politeness.jitter=0", {", in 2h\n"}},
    {"what is left, though the wall clock says that it is over",
	"UPDATE host_states SET until_wall_ms = 1000, left_ms = 7200000 "
	"WHERE name = 'a.test'",
	"politeness.jitter=0", {", in 2h\n"}},
    {"its address",
	"UPDATE host_states SET left_ms = 0, address_until_wall_ms = "
	"(strftime('%s') + 7200) * 1000, address_wait_ms = 7200000 "
	"WHERE name = 'a.test'",
	"politeness.ip_delay=2h",
	{"it waits for its ip_delay to pass: ip_delay "
	 "(--set)\n",
	    ", in 2h\n"}},
    {"a name that does not exist",
	"UPDATE host_states SET address_wait_ms = 0, nameless_until_wall_ms = "
	"(strftime('%s') + 7200) * 1000 WHERE name = 'a.test'",
	"politeness.jitter=0",
	{"its name does not exist; next lookup then\n", ", in 2h\n"}},
};

static void judge_clocks(struct crawl_scene *scene)
{
	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		struct explained explained;
		change(scene, clocks[i].sql);
		explain(scene, &explained, "--set", clocks[i].setting, "-o",
		    "o", "http://a.test:PORT/new", NULL);
		for (size_t j = 0; j < 2 && clocks[i].texts[j]; j++)
			claim(scene, &explained, clocks[i].texts[j],
			    clocks[i].what);
		forget(&explained);
	}
}

static void judge_unreadable(struct crawl_scene *scene)
{
	struct explained explained;
	explain(
	    scene, &explained, "-o", "not-there", "http://a.test:PORT/", NULL);
	ok(explained.end.status == 1, "a directory that is none ends with 1");
	claim(scene, &explained, "not-there: is not a crawl's directory",
	    "and is told");
	forget(&explained);
	change(scene, "PRAGMA user_version = 1");
	explain(scene, &explained, "-o", "o", "http://a.test:PORT/", NULL);
	ok(explained.end.status == 1, "an older state ends with 1");
	claim(scene, &explained, "o: its state.db is of an older pavane",
	    "and is told");
	forget(&explained);
}

static void test_stopped(void)
{
	struct crawl_scene scene;
	if (open_known(&scene, known_hosts,
		"limits: {wait: 1s, host_pages: 50}\n"
		"rate: {concurrency: 8}\n") &&
	    crawl_scene_ends(&scene, 4, "a crawl stops, and waits for hosts")) {
		judge_stopped(&scene);
		judge_changed(&scene);
		judge_clocks(&scene);
		judge_unreadable(&scene);
	}
	crawl_scene_close(&scene);
}

/* A crawl that waits for its slowest page. */
static bool start_slow(struct crawl_scene *scene)
{
	crawl_scene_start(scene);
	while (robots_asked(scene, "slow.test", "/a") == 0 &&
	       server_wait(
		   scene->server, server_log_count(scene->server) + 1, HANG_MS))
		;
	return ok(robots_asked(scene, "slow.test", "/a") > 0,
	    "a crawl waits for a page");
}

/* While somebody crawls there. */
static void test_running(void)
{
	struct crawl_scene scene;
	struct explained explained;
	if (open_known(&scene, slow_hosts, NULL) && start_slow(&scene)) {
		explain(&scene, &explained, "-o", "o",
		    "http://slow.test:PORT/a", NULL);
		ok(explained.end.status == 0, "a crawl that runs is looked at");
		claim(&scene, &explained,
		    "state            it is being fetched now\n",
		    "what is asked for now");
		forget(&explained);
		program_signal(scene.program, SIGINT);
		crawl_scene_wait(&scene, 300);
		program_signal(scene.program, SIGINT);
		ok(crawl_scene_wait(&scene, HANG_MS) == 3,
		    "P6: and stops as if nobody had looked");
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	test_asking();
	test_stopped();
	test_running();
	return tap_done();
}
