#include "robots/matcher.h"

#include <pthread.h>

#include "tap.h"

/* What a file asks besides its rules. Rules themselves: test_rfc9309.c. */

static struct pv_robots_matcher *match(const char *text, const char *agent)
{
	const struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots *robots =
	    pv_robots_create(pv_str_of(text), false, &ceilings, NULL);
	struct pv_robots_matcher *matcher =
	    pv_robots_matcher_create(robots, pv_str_of(agent));
	pv_robots_destroy(robots);
	return matcher;
}

static const struct {
	const char *claim;
	const char *text;
	const char *agent;
	int64_t delay_ms;
} delays[] = {
    {"the delay of one's group holds (P1)",
	"User-agent: foo\nCrawl-delay: 2\nDisallow: /x", "foo", 2000},
    {"without any there is none", "User-agent: foo\nDisallow: /x", "foo", 0},
    {"that of * holds for whom no other names",
	"User-agent: *\nCrawl-delay: 2\nDisallow:", "foo", 2000},
    {"but not for whom one does",
	"User-agent: *\nCrawl-delay: 2\nDisallow:\nUser-agent: foo\nAllow: /",
	"foo", 0},
    {"nor does that of others",
	"User-agent: bar\nCrawl-delay: 2\nDisallow:", "foo", 0},
    {"of merged groups the longest holds (P1)",
	"User-agent: foo\nCrawl-delay: 1\nDisallow:\n"
	"User-agent: foo\nRequest-rate: 1/1m\nDisallow:\n"
	"User-agent: foo\nCrawl-delay: 3",
	"foo", 60000},
    {"it may come after the rules",
	"User-agent: foo\nDisallow: /x\n\nCrawl-delay: 2", "foo", 2000},
    {"a group that a delay does not part has the delay for those above it",
	"User-agent: foo\nCrawl-delay: 2\nUser-agent: bar\nDisallow: /", "foo",
	2000},
    {"and not for those below",
	"User-agent: foo\nCrawl-delay: 2\nUser-agent: bar\nDisallow: /", "bar",
	0},
    {"whom * means neither has the delay of others",
	"User-agent: bar\nCrawl-delay: 10\nUser-agent: *\nDisallow: /admin",
	"foo", 0},
    {"nor has one that is named the delay of * above it",
	"User-agent: foo\nCrawl-delay: 3\nUser-agent: *\nCrawl-delay: 9\n"
	"User-agent: foo\nDisallow: /",
	"foo", 3000},
    {"or below",
	"User-agent: *\nCrawl-delay: 9\nUser-agent: foo\nCrawl-delay: 3\n"
	"Disallow: /",
	"foo", 3000},
    {"one that is named without any has none",
	"User-agent: *\nCrawl-delay: 9\nUser-agent: foo\nDisallow: /", "foo",
	0},
    {"it holds for all of a run of names (P1)",
	"User-agent: foo\nUser-agent: bar\nUser-agent: baz\nCrawl-delay: 2",
	"foo", 2000},
    {"however many rules lie between (P1)",
	"User-agent: foo\nUser-agent: bar\nDisallow: /a\nAllow: /b\n"
	"Disallow: /c\nSitemap: https://x.test/\nCrawl-delay: 2",
	"foo", 2000},
    {"blank lines and comments break no run (P1)",
	"User-agent: foo\n\n# bar\n \t \r\nUser-agent: bar # baz\n"
	"Crawl-delay: 2",
	"foo", 2000},
    {"a sitemap breaks it",
	"User-agent: foo\nSitemap: https://x.test/\nUser-agent: bar\n"
	"Crawl-delay: 2",
	"foo", 0},
    {"so does a line that nobody knows",
	"User-agent: foo\nhello\nUser-agent: bar\nCrawl-delay: 2", "foo", 0},
    {"so does a delay that is none",
	"User-agent: foo\nCrawl-delay: x\nUser-agent: bar\nCrawl-delay: 2",
	"foo", 0},
    {"of all runs that name one the largest counts (P1)",
	"User-agent: foo\nCrawl-delay: 7\nUser-agent: bar\nUser-agent: foo\n"
	"Crawl-delay: 2\nDisallow: /",
	"foo", 7000},
    {"a rate is for the same ones as a delay",
	"User-agent: bar\nRequest-rate: 1/10s\nUser-agent: *\nDisallow: /",
	"foo", 0},
    {"nonsense is no delay, and hides none",
	"User-agent: foo\nCrawl-delay: 2\nCrawl-delay: NaN\n"
	"Crawl-delay: 1e99\nCrawl-delay: -5\nCrawl-delay: inf",
	"foo", 2000},
    {"of two names the longer delay holds (P1)",
	"User-agent: foo\nCrawl-delay: 2\nDisallow:\n"
	"User-agent: pavane\nCrawl-delay: 5",
	"foo", 5000},
    {"whichever it is",
	"User-agent: foo\nCrawl-delay: 7\nDisallow:\n"
	"User-agent: pavane\nCrawl-delay: 5",
	"foo", 7000},
};

static void test_delays(void)
{
	for (size_t i = 0; i < sizeof(delays) / sizeof(*delays); i++) {
		struct pv_robots_matcher *matcher =
		    match(delays[i].text, delays[i].agent);
		ok(pv_robots_delay_ms(matcher) == delays[i].delay_ms, "%s",
		    delays[i].claim);
		pv_robots_matcher_destroy(matcher);
	}
}

#define HOUR INT64_C(3600000)

static void test_hours(void)
{
	struct pv_robots_matcher *matcher =
	    match("User-agent: foo\nVisit-time: 0600-0800\n\n"
		  "User-agent: foo\nVisit-time: 1200-1300\nAllow: /\n"
		  "User-agent: bar\nVisit-time: 1000-1100\nAllow: /\n"
		  "User-agent: pavane\nVisit-time: 0700-2300",
		"foo");
	ok(pv_robots_visit_wait_ms(matcher, 7 * HOUR) == 0,
	    "at an hour that suits all nobody waits");
	ok(pv_robots_visit_wait_ms(matcher, 10 * HOUR) == 2 * HOUR,
	    "of all hours of one's groups the next counts");
	ok(pv_robots_visit_wait_ms(matcher, 6 * HOUR) == HOUR,
	    "and it must suit both names (P1)");
	pv_robots_matcher_destroy(matcher);
	matcher = match("User-agent: bar\nVisit-time: 1000-1100", "foo");
	ok(pv_robots_visit_wait_ms(matcher, 7 * HOUR) == 0,
	    "the hours of others are no matter");
	pv_robots_matcher_destroy(matcher);
	matcher = match("User-agent: bar\nVisit-time: 1000-1100\n"
			"User-agent: foo\nDisallow: /x",
	    "foo");
	ok(pv_robots_visit_wait_ms(matcher, 7 * HOUR) == 0,
	    "nor are those of others in the same group");
	pv_robots_matcher_destroy(matcher);
	matcher = match("User-agent: foo\nUser-agent: bar\nDisallow: /x\n"
			"Visit-time: 1000-1100",
	    "foo");
	ok(pv_robots_visit_wait_ms(matcher, 7 * HOUR) == 3 * HOUR,
	    "those of a run are for each whom it names (P1)");
	pv_robots_matcher_destroy(matcher);
}

static void test_preferences(void)
{
	struct pv_robots_matcher *matcher = match(
	    "User-agent: foo\nContent-Usage: /a train-ai=n, search=y\n"
	    "Allow: /\nUser-agent: bar\nContent-Usage: train-ai=y\nAllow: /\n"
	    "User-agent: foo\nContent-Signal: search=yes, ai-train=no # x\n"
	    "Allow: /\nUser-agent: pavane\nContent-Usage: search=n",
	    "foo");
	ok(pv_robots_preference_count(matcher) == 3,
	    "the preferences of our groups are kept");
	const struct pv_robots_preference *preference =
	    pv_robots_preference_at(matcher, 0);
	ok(preference->kind == PV_ROBOTS_CONTENT_USAGE &&
		preference->number == 2,
	    "with kind and line");
	is_text(preference->value, "/a train-ai=n, search=y",
	    "as they are written");
	preference = pv_robots_preference_at(matcher, 1);
	ok(preference->kind == PV_ROBOTS_CONTENT_SIGNAL, "of each kind");
	is_text(
	    preference->value, "search=yes, ai-train=no", "without comments");
	is_text(pv_robots_preference_at(matcher, 2)->value, "search=n",
	    "and those for pavane after them");
	pv_robots_matcher_destroy(matcher);
}

/* Whose groups we go by, and where they and their wishes stand. */
static const struct {
	const char *claim;
	const char *robots;
	const char *wanted; /* token, its line, those of delay and hours */
} groups[] = {
    {"there is no group for us", "User-agent: bar\nDisallow: /", " 0 0 0;"},
    {"the group of all",
	"User-agent: bar\nDisallow: /\nUser-agent: *\nCrawl-delay: 3\n"
	"Allow: /",
	"* 3 4 0;"},
    {"our own, as it is written",
	"User-agent: *\nUser-agent: FOO/2\nDisallow: /\nCrawl-delay: 3\n"
	"Crawl-delay: 9\nVisit-time: 0600-0700\nVisit-time: 0800-0900",
	"FOO 2 5 6;"},
    {"of several the longest delay",
	"User-agent: foo\nCrawl-delay: 9\nAllow: /\nUser-agent: foo\n"
	"Request-rate: 1/4s\nVisit-time: 0800-0900\nAllow: /",
	"foo 1 2 6;"},
    {"and that of pavane",
	"User-agent: foo\nAllow: /\nUser-agent: Pavane\nCrawl-delay: 1",
	"foo 1 0 0;Pavane 3 4 0;"},
};

static void test_groups(void)
{
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		struct pv_buf found;
		struct pv_robots_matcher *matcher =
		    match(groups[i].robots, "foo");
		pv_buf_init(&found, 1000);
		for (size_t j = 0; j < pv_robots_group_count(matcher); j++) {
			const struct pv_robots_merged *group =
			    pv_robots_group_at(matcher, j);
			pv_buf_append_format(&found, "%.*s %u %u %u;",
			    PV_STR_ARG(group->token), (unsigned)group->number,
			    (unsigned)group->asks.delay_number,
			    (unsigned)group->asks.hours_number);
		}
		is_text(pv_buf_str(&found), groups[i].wanted, "P4: %s",
		    groups[i].claim);
		pv_robots_matcher_destroy(matcher);
		pv_buf_finish(&found);
	}
}

/* Which of them hold for a path. */
static const struct {
	const char *claim;
	const char *robots;
	const char *target;
	const char *wanted;
} in_force[] = {
    {"none where none is", "Allow: /", "/", ""},
    {"without a path for all", "Content-Usage: a=n", "/x?y", "a=n"},
    {"with a path for what begins with it", "Content-Usage: /x a=n", "/xy",
	"a=n"},
    {"and for nothing else", "Content-Usage: /x a=n", "/y/x", ""},
    {"the longest path wins",
	"Content-Usage: a=n\nContent-Usage: /x/ a=y\nContent-Usage: /x a=z",
	"/x/y", "a=y"},
    {"in whatever way it is encoded", "Content-Usage: /%7ex\tb=n", "/~x",
	"b=n"},
    {"stars and dollars mean what they mean in rules",
	"Content-Usage: /*.png$ a=n\nContent-Usage: /x a=y", "/x/y.png", "a=n"},
    {"and so they do at the end",
	"Content-Usage: /*.png$ a=n\nContent-Usage: /x a=y", "/x/y.png?",
	"a=y"},
    {"of one path all count", "Content-Usage: / a=n\nContent-Usage: a=y", "/",
	"a=n; a=y"},
    {"a path alone says nothing", "Content-Usage: /x\nContent-Usage: / a=n",
	"/x", "a=n"},
    {"other kinds say nothing", "Content-Signal: a=n", "/", ""},
    {"two groups that are ours both count",
	"Content-Usage: a=n\nAllow: /\nUser-agent: pavane\n"
	"Content-Usage: / b=n",
	"/", "a=n; b=n"},
};

static void test_preferences_in_force(void)
{
	for (size_t i = 0; i < sizeof(in_force) / sizeof(*in_force); i++) {
		struct pv_buf text, said;
		pv_buf_init(&text, 1000);
		pv_buf_init(&said, 1000);
		pv_buf_append_format(
		    &text, "User-agent: foo\n%s\n", in_force[i].robots);
		struct pv_robots_matcher *matcher =
		    match(pv_buf_text(&text), "foo");
		pv_robots_preference_write(matcher, PV_ROBOTS_CONTENT_USAGE,
		    pv_str_of(in_force[i].target), &said);
		is_text(pv_buf_str(&said), in_force[i].wanted, "%s",
		    in_force[i].claim);
		pv_robots_matcher_destroy(matcher);
		pv_buf_finish(&said);
		pv_buf_finish(&text);
	}
}

/* P5: a file cannot make a page cost what it likes. */
static void test_many_preferences(void)
{
	struct pv_buf text, said;
	pv_buf_init(&text, 1 << 20);
	pv_buf_init(&said, 300);
	pv_buf_append_text(&text, "User-agent: foo\n");
	for (unsigned i = 0; i < 10000; i++)
		pv_buf_append_text(&text, "Content-Usage: /*a*b a=n, b=y\n");
	struct pv_robots_matcher *matcher = match(pv_buf_text(&text), "foo");
	ok(pv_robots_preference_count(matcher) == 200,
	    "P5: no more preferences are kept than are held against a page");
	pv_robots_preference_write(
	    matcher, PV_ROBOTS_CONTENT_USAGE, PV_STR("/xaxb"), &said);
	ok(said.len == 300, "nor is more said than there is room for");
	pv_robots_matcher_destroy(matcher);
	pv_buf_finish(&said);
	pv_buf_finish(&text);
}

static void test_decision(void)
{
	struct pv_robots_matcher *matcher =
	    match("User-agent: *\n  Disallow: /caf\xc3\xa9  # closed\n", "foo");
	struct pv_robots_decision decision =
	    pv_robots_decide(matcher, PV_STR("/caf%C3%A9"));
	ok(!decision.is_allowed && decision.number == 2,
	    "a refusal names its line (P4)");
	is_text(decision.line, "Disallow: /caf\xc3\xa9  # closed",
	    "and says it as it stands");
	decision = pv_robots_decide(matcher, PV_STR("/"));
	ok(decision.is_allowed && !decision.number && !decision.line.len,
	    "where nothing decides, no line is named");
	pv_robots_matcher_destroy(matcher);
	pv_robots_matcher_destroy(NULL);
}

/* 100,000 lines of wildcards against a long path. */
static void test_hostile(void)
{
	struct pv_buf text, path;
	pv_buf_init(&text, 1 << 20);
	pv_buf_init(&path, 1 << 16);
	pv_buf_append_text(&text, "User-agent: *\n");
	while (pv_buf_append_text(&text, "Disallow: /*a*a*a*b$\n"))
		continue;
	pv_buf_append_text(&path, "/");
	while (pv_buf_append_text(&path, "a"))
		continue;
	struct pv_robots_matcher *matcher = match(pv_buf_text(&text), "foo");
	struct pv_robots_decision decision =
	    pv_robots_decide(matcher, pv_buf_str(&path));
	ok(!decision.is_allowed,
	    "a file of nothing but wildcards comes to an end, on the safe "
	    "side (P5)");
	pv_robots_matcher_destroy(matcher);
	pv_buf_finish(&text);
	pv_buf_finish(&path);
}

static bool is_allowed(const struct pv_robots_rules *rules, const char *target)
{
	return pv_robots_decide(rules->matcher, pv_str_of(target)).is_allowed;
}

static struct pv_robots_rules *create(const char *text, bool is_cut)
{
	return pv_robots_rules_create(
	    pv_str_of(text), is_cut, PV_STR("examplebot"), NULL);
}

static void test_reading(void)
{
	char text[] = "User-agent: examplebot\nDisallow: /private\n";
	struct pv_robots_rules *rules = create(text, false);
	memset(text, 'x', sizeof(text) - 1);
	ok(is_allowed(rules, "/") && !is_allowed(rules, "/private/a"),
	    "rules are read for our token, and need the text no more");
	pv_robots_rules_release(rules);
	rules = create("User-agent: otherbot\nDisallow: /\n", false);
	ok(is_allowed(rules, "/a"), "what is for others is not for us");
	pv_robots_rules_release(rules);
	rules = create("User-agent: *\nDisallow: /a\nAllow: /a/b", true);
	ok(!is_allowed(rules, "/a/b/c"),
	    "P4: a rule that was cut counts on the strict side");
	pv_robots_rules_release(rules);
	rules = create("", false);
	ok(is_allowed(rules, "/a"), "an empty file forbids nothing");
	pv_robots_rules_release(rules);
}

static void test_owners(void)
{
	struct pv_robots_rules *rules =
	    create("User-agent: *\nDisallow: /a\n", false);
	struct pv_robots_rules *shared = pv_robots_rules_share(rules);
	ok(shared == rules, "an owner more has the same rules");
	pv_robots_rules_release(rules);
	ok(!is_allowed(shared, "/a"), "they live as long as the last of them");
	pv_robots_rules_release(shared);
	ok(pv_robots_rules_share(NULL) == NULL, "no rules can be shared");
	pv_robots_rules_release(NULL);
}

/* The last owner may be any thread: the loop lets go while pages are still
 * being judged. */

#define THREADS 4
#define ROUNDS 2000

static void *judge(void *ctx)
{
	struct pv_robots_rules *rules = ctx;
	uintptr_t faults = 0;
	for (int i = 0; i < ROUNDS; i++) {
		struct pv_robots_rules *mine = pv_robots_rules_share(rules);
		faults += is_allowed(mine, "/a/b");
		faults += !is_allowed(mine, "/b");
		pv_robots_rules_release(mine);
	}
	pv_robots_rules_release(rules);
	return (void *)faults;
}

static void test_threads(void)
{
	pthread_t threads[THREADS];
	uintptr_t faults = 0;
	struct pv_robots_rules *rules =
	    create("User-agent: *\nDisallow: /a\n", false);
	for (int i = 0; i < THREADS; i++)
		pthread_create(
		    &threads[i], NULL, judge, pv_robots_rules_share(rules));
	pv_robots_rules_release(rules);
	for (int i = 0; i < THREADS; i++) {
		void *result;
		pthread_join(threads[i], &result);
		faults += (uintptr_t)result;
	}
	ok(faults == 0, "threads may judge by them and let go as they like");
}

int main(void)
{
	test_delays();
	test_hours();
	test_groups();
	test_preferences();
	test_preferences_in_force();
	test_many_preferences();
	test_decision();
	test_hostile();
	test_reading();
	test_owners();
	test_threads();
	return tap_done();
}
