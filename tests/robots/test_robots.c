#include "robots/robots.h"

#include <stdlib.h>

#include "tap.h"

static struct pv_robots *read(struct pv_str text, struct pv_why *why)
{
	const struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	return pv_robots_create(text, false, &ceilings, why);
}

/* Files and the note that they get: its line, and how it begins. */
static const struct {
	const char *claim;
	struct pv_str text;
	unsigned line;
	const char *note;
} notes[] = {
    {"rules before a group", PV_STR("Disallow: /"), 1,
	"is before the first user-agent, and is ignored: Disallow: /"},
    {"a delay that is none", PV_STR("User-agent: *\nCrawl-delay: -1"), 2,
	"has no valid delay: Crawl-delay: -1"},
    {"a rate that is none", PV_STR("User-agent: *\nRequest-rate: 0/1"), 2,
	"has no valid delay: Request-rate: 0/1"},
    {"hours that are none", PV_STR("User-agent: *\nVisit-time: night"), 2,
	"names no hours: Visit-time: night"},
    {"a sitemap that is none", PV_STR("Sitemap: /s.xml"), 1,
	"is not an absolute web address: Sitemap: /s.xml"},
    {"a name that is none", PV_STR("User-agent: /"), 1,
	"names no user agent: User-agent: /"},
    {"an Allow without a slash", PV_STR("User-agent: *\nAllow: a"), 2,
	"does not begin with a slash: Allow: a"},
    {"a page", PV_STR("<html>"), 0, "is an HTML page and has no rules"},
    {"UTF-16", PV_STR("\xff\xfe"), 0, "is not UTF-8, and has no rules"},
    {"what would turn a terminal",
	PV_STR("User-agent: *\nCrawl-delay: \x1b[31m"), 2,
	"has no valid delay: Crawl-delay: \\x1b[31m"},
};

static void test_notes(void)
{
	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++) {
		struct pv_why why;
		pv_why_init(&why);
		pv_robots_destroy(read(notes[i].text, &why));
		ok(why.notes.count == 1 && !pv_why_has_problems(&why),
		    "%s is worth a note", notes[i].claim);
		if (why.notes.kept_count) {
			const struct pv_problem *note = &why.notes.kept[0];
			is_text(pv_str_of(note->text), notes[i].note,
			    "which says so");
			ok(note->line == notes[i].line, "and where");
		}
		pv_why_finish(&why);
	}
}

/* A text of so many bytes that ends as given. */
static struct pv_str padded(char *room, size_t len, const char *end)
{
	const char *start = "User-agent: *\n#";
	size_t end_len = strlen(end);
	memset(room, '-', len);
	memcpy(room, start, strlen(start));
	memcpy(room + len - end_len, end, end_len);
	return (struct pv_str){room, len};
}

/* What stands at the ceiling of 100 bytes, "|", and what rule is kept. */
static const struct {
	const char *claim;
	const char *before;
	const char *after;
	const char *pattern; /* NULL: none */
} cuts[] = {
    {"a rule that ends there is whole", "\nDisallow: /ab", "\nAllow: /", "/ab"},
    {"also before CR", "\nAllow: /ab", "\r\n", "/ab"},
    {"a Disallow that goes on is kept as far as it goes (P4)", "\nDisallow: /a",
	"b", "/a"},
    {"even if that is nothing", "\nDisallow:", " /a", "/"},
    {"an Allow that goes on is not kept", "\nAllow: /a", "b", NULL},
    {"nor is one of which there is only the name", "\nAllow", ": /a", NULL},
    {"nor half a name", "\nDisal", "low: /", NULL},
    {"a file that ends there is whole, whatever lies behind it", "\nAllow: /ab",
	"", "/ab"},
    {"what lies behind is not read (P5)", "\n", "Disallow: /", NULL},
};

static void test_cuts(void)
{
	const struct pv_robots_ceilings ceilings = {
	    .bytes = 100, .wildcards = {10, 100}, .sitemaps = 10};
	for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++) {
		char room[200];
		size_t after_len = strlen(cuts[i].after);
		struct pv_str text = padded(room, 100, cuts[i].before);
		room[100] = 'x';
		memcpy(room + 100, cuts[i].after, after_len);
		text.len += after_len;
		struct pv_robots *robots =
		    pv_robots_create(text, false, &ceilings, NULL);
		const char *pattern = cuts[i].pattern;
		ok(robots->rule_count == (pattern ? 1 : 0), "%s",
		    cuts[i].claim);
		if (robots->rule_count && pattern)
			is_text(robots->rules[0].pattern, pattern,
			    "this is the pattern");
		pv_robots_destroy(robots);
	}
}

static void test_told_cut(void)
{
	const struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_why why;
	pv_why_init(&why);
	struct pv_robots *robots = pv_robots_create(
	    PV_STR("User-agent: *\nAllow: /a\nDisallow: /b\nAllow: /b/c"), true,
	    &ceilings, &why);
	ok(robots->rule_count == 2,
	    "who fetched only a part says so, and the last rule is cut");
	ok(why.notes.count == 1, "which is noted");
	pv_robots_destroy(robots);
	robots = pv_robots_create(
	    PV_STR("User-agent: *\nCrawl-delay: 10"), true, &ceilings, &why);
	ok(robots->timings[0].delay_ms == 0,
	    "a number that is cut is not taken for another");
	pv_robots_destroy(robots);
	robots = pv_robots_create(PV_STR("User-agent: *\nDisallow: /\n"
					 "User-agent: foo"),
	    true, &ceilings, &why);
	ok(robots->agent_count == 1, "nor is a name");
	pv_robots_destroy(robots);
	pv_why_finish(&why);
}

static void test_large(void)
{
	size_t len = 600 * 1024;
	char *room = malloc(len);
	struct pv_str text = padded(room, len, "\nDisallow: /after");
	memcpy(room + 500 * 1024 - 20, "\nDisallow: /before\n#", 20);
	struct pv_why why;
	pv_why_init(&why);
	struct pv_robots *robots = read(text, &why);
	ok(robots->rule_count == 1, "of a large file 500 KiB are read (2.5)");
	is_text(robots->rules[0].pattern, "/before", "all of them");
	ok(why.notes.count == 1, "and it is noted that there is more");
	pv_robots_destroy(robots);
	memset(room + 14, '/', len - 14);
	memcpy(room + 14, "Disallow: ", 10);
	robots = read(text, NULL);
	ok(robots->rule_count == 1 &&
		robots->rules[0].pattern.len == 500 * 1024 - 24,
	    "a line may be as long as the file (P5)");
	pv_robots_destroy(robots);
	pv_why_finish(&why);
	free(room);
}

static void test_file(void)
{
	struct pv_robots *robots =
	    read(PV_STR("Sitemap: https://x.test/1\nUser-agent: a\n"
			"Crawl-delay: 2\nRequest-rate: 1/5s\nCrawl-delay: 3\n"
			"Visit-time: 0600-0845\nContent-Usage: /x train-ai=n\n"
			"Sitemap: https://x.test/2\nDisallow: /"),
		NULL);
	ok(robots->sitemaps.count == 2,
	    "sitemaps are in any place, and of no group");
	ok(robots->group_count == 1 && robots->timings[0].delay_ms == 5000,
	    "of several delays the longest holds (P1)");
	ok(robots->timings[0].hours_count == 1, "hours are kept");
	ok(robots->preference_count == 1, "preferences are kept");
	is_text(robots->preferences[0].value, "/x train-ai=n",
	    "as they are written");
	pv_robots_destroy(robots);
	pv_robots_destroy(NULL);
}

static void test_page(void)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_robots *robots = read(
	    PV_STR("<html><pre>\nUser-agent: *\nDisallow: /\n</pre></html>"),
	    &why);
	ok(robots->rule_count == 1 && robots->agent_count == 1,
	    "rules in what begins like a page are rules");
	ok(why.notes.count == 0, "of which there is nothing to note");
	pv_robots_destroy(robots);
	robots =
	    read(PV_STR("<!doctype html>\nSitemap: https://x.test/1"), &why);
	ok(robots->sitemaps.count == 1 && why.notes.count == 0,
	    "and so are sitemaps");
	pv_robots_destroy(robots);
	pv_why_finish(&why);
}

static void test_hours(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 10000);
	pv_buf_append_text(&text, "User-agent: *\n");
	for (unsigned i = 0; i < 100; i++)
		pv_buf_append_text(&text, "Visit-time: 0600-0845\n");
	struct pv_robots *robots = read(pv_buf_str(&text), NULL);
	ok(robots->timings[0].hours_count == PV_ROBOTS_HOURS_MAX,
	    "of 100 hours no more are kept than there is room for (P5)");
	pv_robots_destroy(robots);
	pv_buf_finish(&text);
}

int main(void)
{
	test_notes();
	test_cuts();
	test_told_cut();
	test_large();
	test_file();
	test_page();
	test_hours();
	is_text(pv_robots_token(PV_STR(" foo-bot/1.2 (x)")), "foo-bot",
	    "the token is what stands before a slash");
	return tap_done();
}
