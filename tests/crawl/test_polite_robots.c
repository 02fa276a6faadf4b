#include "crawl/polite_scene.h"

/* What a robots.txt asks for beside rules, and what it costs to have one, as
 * the server sees it (P1; RFC 9309, 2.3 to 2.5). Fetching and rules: see
 * test_robots_txt and test_robots_wait. */

#define DELAY_MS 200
#define LIMIT (500 * 1024)

static const struct polite_host hosts[] = {
    /* Crawl-delay, ours being less or more */
    {"less", "p{1..3}", NULL, 0},
    {"more", "p{1..3}", "delay: 1500ms", 0},
    {"part", "p{1..3}", NULL, 0},
    {"point", "p{1..3}", NULL, 0},
    {"two", "p{1..3}", NULL, 0},
    {"zero", "p{1..3}", NULL, 0},
    {"ours", "p{1..3}", NULL, 0},
    {"merged", "p{1..3}", NULL, 0},
    /* that is none */
    {"minus", "p{1..3}", NULL, 0},
    {"nan", "p{1..3}", NULL, 0},
    {"huge", "p{1..3}", NULL, 0},
    {"words", "p{1..3}", NULL, 0},
    /* Request-rate */
    {"rate", "p{1..3}", NULL, 0},
    {"rates", "p{1..3}", NULL, 0},
    {"hours", "p{1..3}", NULL, 0},
    {"norate", "p{1..3}", NULL, 0},
    /* redirects through other hosts, of which each has visits of its own */
    {"five", "{a,b}", NULL, 0},
    {"six", "{a,b}", NULL, 0},
    {"h1", "p{1..5}", NULL, 0},
    {"h2", "p{1..5}", NULL, 0},
    {"h3", "p{1..5}", NULL, 0},
    {"h4", "p{1..5}", NULL, 0},
    {"h5", "p{1..5}", NULL, 0},
    {"h6", "p{1..5}", NULL, 0},
    /* that do not end */
    {"cut", "{both,bo,b,ok,x/1}", NULL, 0},
    {"cutallow", "{b,b/1,ok}", NULL, 0},
    {"drip", "{a,b}", NULL, 0},
};

static char cut_file[LIMIT + 8192];
static char cut_allow_file[LIMIT + 8192];

#define ROBOTS(name) .host = (name ".test"), .path = "/robots.txt"
#define ASKS(text) .answer = POLITE_TEXT("User-agent: *\n" text "\n")

/* A long file comes in pieces, and then nothing more does. */
#define ENDLESS(text)                                          \
	.answer = {.type = "text/plain",                       \
	    .body = (text),                                    \
	    .length = "1000000000",                            \
	    .body_pace = {.piece = 64 * 1024, .pause_ms = 30}, \
	    .fault = {.kind = SERVER_STALL, .place = SERVER_BEFORE_END}}

#define HOP(from, path_from, to)                                         \
	{                                                                \
		.host = (from ".test"), .path = (path_from), .answer = { \
			.status = 302,                                   \
			.location = "http://" to                         \
		}                                                        \
	}

static const struct server_route routes[] = {
    {ROBOTS("less"), ASKS("Crawl-delay: 1")},
    {ROBOTS("more"), ASKS("Crawl-delay: 1")},
    {ROBOTS("part"), ASKS("Crawl-delay: 1.25")},
    {ROBOTS("point"), ASKS("crawl-DELAY:.7 # of a second")},
    {ROBOTS("two"), ASKS("Crawl-delay: 0.4\nDisallow: /x\nCrawl-delay: 0.9")},
    {ROBOTS("zero"), ASKS("Crawl-delay: 0")},
    {ROBOTS("ours"),
	ASKS("Crawl-delay: 3600\nDisallow: /x\n\nUser-agent: pavane\n"
	     "Crawl-delay: 0.5")},
    {ROBOTS("merged"), ASKS("Crawl-delay: 0.3\nDisallow: /x\n\nUser-agent: a\n"
			    "Crawl-delay: 3600\nDisallow: /\n\nUser-agent: *\n"
			    "Crawl-delay: 0.8")},
    {ROBOTS("minus"), ASKS("Crawl-delay: -5")},
    {ROBOTS("nan"), ASKS("Crawl-delay: NaN")},
    {ROBOTS("huge"), ASKS("Crawl-delay: 1e99")},
    {ROBOTS("words"), ASKS("Crawl-delay: ten seconds")},
    {ROBOTS("rate"), ASKS("Request-rate: 1/1s")},
    {ROBOTS("rates"), ASKS("Crawl-delay: 0.1\nRequest-rate: 2/3")},
    {ROBOTS("hours"), ASKS("Request-rate: 1/1 1820-1940")},
    {ROBOTS("norate"), ASKS("Request-rate: 0/5\nRequest-rate: x")},
    HOP("five", "/robots.txt", "h1.test:{port}/five"),
    HOP("h1", "/five", "h2.test:{port}/five"),
    HOP("h2", "/five", "h3.test:{port}/five"),
    HOP("h3", "/five", "h4.test:{port}/five"),
    HOP("h4", "/five", "h5.test:{port}/five"),
    {.host = "h5.test", .path = "/five", ASKS("Disallow: /b")},
    HOP("six", "/robots.txt", "h1.test:{port}/six"),
    HOP("h1", "/six", "h2.test:{port}/six"),
    HOP("h2", "/six", "h3.test:{port}/six"),
    HOP("h3", "/six", "h4.test:{port}/six"),
    HOP("h4", "/six", "h5.test:{port}/six"),
    HOP("h5", "/six", "h6.test:{port}/six"),
    {.host = "h6.test", .path = "/six", ASKS("Disallow: /b")},
    {ROBOTS("cut"), ENDLESS(cut_file)},
    {ROBOTS("cutallow"), ENDLESS(cut_allow_file)},
    {ROBOTS("drip"),
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\nDisallow: /b\n# and so on, and so on",
	    .length = "1000000",
	    .body_pace = {.piece = 1, .pause_ms = 100}}},
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/*", .answer = {.body = "a page"}},
};

/* A file that the limit cuts behind the first bytes of its last rule. */
static void write_file(
    char *file, const char *head, const char *rule, size_t kept)
{
	size_t len = strlen(head);
	memcpy(file, head, len);
	while (len < LIMIT - kept)
		file[len++] = '#';
	file[LIMIT - kept - 1] = '\n';
	memcpy(file + len, rule, strlen(rule));
}

static void judge_delays(struct crawl_scene *scene)
{
	static const struct {
		const char *host;
		int64_t gap_ms;
		const char *claim;
	} delays[] = {
	    {"less.test", 1000, "a Crawl-delay of 1 is kept"},
	    {"more.test", 1500, "and never shortens our own delay"},
	    {"part.test", 1250, "a part of a second counts"},
	    {"point.test", 700, "with nothing before the point, too"},
	    {"two.test", 900, "of two the longer counts"},
	    {"zero.test", DELAY_MS, "0 leaves it as it is"},
	    {"ours.test", 500, "that of our own group counts, and no other"},
	    {"merged.test", 800, "that of each group for all counts"},
	    {"minus.test", DELAY_MS, "what is under 0 asks for nothing"},
	    {"nan.test", DELAY_MS, "what is no number asks for nothing"},
	    {"huge.test", DELAY_MS, "what is no decimal asks for nothing"},
	    {"words.test", DELAY_MS, "words ask for nothing"},
	    {"rate.test", 1000, "a Request-rate is a delay"},
	    {"rates.test", 1500, "of both the stricter counts"},
	    {"hours.test", 1000, "a Request-rate for some hours counts always"},
	    {"norate.test", DELAY_MS, "one that is none asks for nothing"},
	};
	for (size_t i = 0; i < sizeof(delays) / sizeof(*delays); i++) {
		polite_rests(
		    scene, delays[i].host, delays[i].gap_ms, delays[i].claim);
		ok(polite_asked(scene, delays[i].host, "/p*") == 3,
		    "%s: and it is asked for all of its pages", delays[i].host);
	}
}

static void judge_notes(struct crawl_scene *scene)
{
	static const char *const names[] = {
	    "//minus.test", "//nan.test", "//huge.test", "//words.test"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ok(crawl_scene_lines(scene, names[i], "/robots.txt",
		       "has no valid delay", NULL) == 1,
		    "%s: P4: the journal says that it was passed over",
		    names[i] + 2);
	ok(crawl_scene_lines(
	       scene, "//norate.test", "/robots.txt", "rate", NULL) == 1,
	    "norate.test: P4: and so it does for a rate");
}

static void judge_hops(struct crawl_scene *scene)
{
	for (unsigned i = 1; i <= 6; i++) {
		char name[16];
		snprintf(name, sizeof(name), "h%u.test", i);
		polite_rests(scene, name, DELAY_MS,
		    "P1: a hop of somebody's robots.txt is one of its requests");
		ok(polite_asked(scene, name, "/five") == (i <= 5) &&
			polite_asked(scene, name, "/six") == (i <= 5),
		    "%s: five hops are followed to other hosts, and no sixth",
		    name);
	}
	ok(polite_asked(scene, "five.test", "/a") == 1 &&
		polite_asked(scene, "five.test", "/b") == 0,
	    "five.test: what the fifth leads to holds for it");
	ok(polite_asked(scene, "h5.test", "/p*") == 5,
	    "h5.test: and not for the host where it lies");
	ok(polite_asked(scene, "six.test", "/b") == 1,
	    "six.test: a sixth counts as if there were none");
}

static void judge_endless(struct crawl_scene *scene)
{
	ok(polite_asked(scene, "cut.test", "/b*") == 0 &&
		polite_asked(scene, "cut.test", "/x/1") == 0,
	    "cut.test: a rule that the limit cuts forbids all that begins "
	    "with what is left of it");
	ok(polite_asked(scene, "cut.test", "/ok") == 1,
	    "cut.test: a robots.txt that never ends is read up to the limit");
	ok(polite_asked(scene, "cutallow.test", "/b*") == 0 &&
		polite_asked(scene, "cutallow.test", "/ok") == 1,
	    "cutallow.test: an allow that the limit cuts allows nothing");
	polite_gaps(scene, "cut.test", DELAY_MS, "P1: then it rests");
	ok(polite_asked(scene, "drip.test", "/robots.txt") >= 1 &&
		polite_asked(scene, "drip.test", "/?") == 0 &&
		polite_asked(scene, "drip.test", "/a") == 0,
	    "drip.test: one that is too slow to be had forbids everything");
	ok(polite_ends(scene, "drip.test", "") == 0 &&
		crawl_scene_status(scene, "\"pending\":") == 2,
	    "drip.test: P3: and its pages wait for it");
}

int main(void)
{
	struct crawl_scene scene;
	struct polite_plan plan = {POLITE_HOSTS(hosts), POLITE_ROUTES(routes),
	    .policy = "politeness: {delay: 200ms, delay_factor: 0, ip_delay: "
		      "0, backoff: {failure: 30s}}\n"
		      "limits: {wait: 10s}\n",
	    .timeouts = "total: 2500ms"};
	write_file(cut_file, "User-agent: *\nDisallow: /x\n",
	    "Disallow: /both\nDisallow: /ok\n", strlen("Disallow: /b"));
	write_file(cut_allow_file, "User-agent: *\nDisallow: /b\n",
	    "Allow: /b\nAllow: /b/1\n", strlen("Allow: /b"));
	if (polite_open(&scene, &plan)) {
		crawl_scene_ends(&scene, 4,
		    "a crawl of which one robots.txt cannot be had ends by "
		    "limits.wait");
		polite_audit(&scene);
		judge_delays(&scene);
		judge_notes(&scene);
		judge_hops(&scene);
		judge_endless(&scene);
	}
	crawl_scene_close(&scene);
	return tap_done();
}
