#include "crawl/progress/waiting.h"

#include "crawl/conductor.h"
#include "crawl/world.h"

/* What hosts wait for is told, also while others go on (P4). */

static char told[256];
static char told_last[256];
static char robots[80];

static void hear_note(void *ctx, const struct pavane_progress *progress)
{
	char *text = progress->end == PAVANE_LIMITED ? told_last : told;
	(void)ctx;
	if (progress->note[0])
		snprintf(text, sizeof(told), "%s", progress->note);
}

static void hear(struct pv_crawl *crawl)
{
	told[0] = told_last[0] = '\0';
	crawl->options.on_progress = hear_note;
	crawl->options.progress_ms = 20;
}

/* Hours that begin in three hours' time. */
static void write_robots(void)
{
	unsigned hour = world_hour();
	snprintf(robots, sizeof(robots),
	    "User-agent: *\nVisit-time: %02u00-%02u00\n", (hour + 3) % 24,
	    (hour + 4) % 24);
}

static struct reply reply_of(const char *url, unsigned nth)
{
	(void)nth;
	if (strcmp(url, "http://shut.test/robots.txt") == 0)
		return (struct reply){.body = robots};
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	if (strcmp(url, "http://open.test/") == 0)
		return (struct reply){.body = "<a href=/1><a href=/2><a href=/3"
					      "><a href=/4><a href=/5>"};
	return (struct reply){.body = "a page"};
}

static void test_hours(void)
{
	write_robots();
	world_open(reply_of,
	    "seeds: [\"http://shut.test/\", \"http://open.test/\"]\n"
	    "domains: {open.test: {delay: 60ms}}\n");
	world.before_run = hear;
	ok(world_run() == PAVANE_LIMITED,
	    "a crawl of which a host is shut for hours stops");
	ok(world_sent_at("http://shut.test/", 0) < 0 &&
		world_sent_at("http://open.test/5", 0) >= 0,
	    "P1: that host was not asked, and the other was");
	ok(strncmp(told, "shut.test waits until ", 22) == 0 &&
		strstr(told, "Visit-time"),
	    "while the other went on it was said who waits, and until when "
	    "(%s)",
	    told);
	ok(strstr(told_last, "limits.wait: shut.test waits until ") != NULL,
	    "and at the end that this is why");
	world_close();
}

/* Of several the first is named and the others are counted. */
static void test_several(void)
{
	struct pv_live_host host = {.name = PV_STR("a.test")};
	struct pv_crawl *crawl = calloc(1, sizeof(*crawl));
	const struct pv_waiting_host waiting = {
	    &host, {PV_NEVER, PV_WAIT_NAME}};
	const struct pv_waiting_host nobody = {.host = NULL};
	struct pv_buf buf;
	pv_buf_init(&buf, 1000);
	pv_waiting_write(crawl, &waiting, 0, &buf);
	is_text(pv_buf_str(&buf),
	    "a.test waits for its name, which could not be resolved",
	    "where nobody knows how long, no time is named");
	pv_buf_clear(&buf);
	pv_waiting_write(crawl, &waiting, 1, &buf);
	ok(strstr(pv_buf_text(&buf), "; 1 more host waits longer") != NULL,
	    "another one is counted");
	pv_buf_clear(&buf);
	pv_waiting_write(crawl, &waiting, 2, &buf);
	ok(strstr(pv_buf_text(&buf), "; 2 more hosts wait longer") != NULL,
	    "and so are others");
	pv_buf_clear(&buf);
	pv_waiting_write_briefly(crawl, &waiting, &buf);
	is_text(pv_buf_str(&buf),
	    "waits for a.test (its name cannot be resolved)", "in brief, too");
	pv_buf_clear(&buf);
	pv_waiting_write_briefly(crawl, &nobody, &buf);
	pv_waiting_write(crawl, &nobody, 0, &buf);
	ok(!buf.len, "nobody is not told of");
	pv_buf_finish(&buf);
	free(crawl);
}

/* An address that one host has alone, or several share. */
static void test_address(void)
{
	static const struct {
		const char *seeds;
		bool is_shared;
		const char *claim;
	} cases[] = {
	    {"\"http://open.test/\"", false, "a host alone at its address"},
	    {"\"http://open.test/\", \"http://b.test/\"", true,
		"hosts that share an address"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char policy[200];
		snprintf(policy, sizeof(policy),
		    "seeds: [%s]\ndomains: {\"*.test\": {ip_delay: 8s}}\n",
		    cases[i].seeds);
		world_open(reply_of, policy);
		world.before_run = hear;
		world_run();
		ok(strstr(told, " for its ip_delay to pass") != NULL,
		    "%s: the wait is told as ip_delay's (%s)", cases[i].claim,
		    told);
		ok((strstr(told, "other hosts share") != NULL) ==
			cases[i].is_shared,
		    "%s: sharing is told only where it is so", cases[i].claim);
		world_close();
	}
}

int main(void)
{
	test_hours();
	test_address();
	test_several();
	return tap_done();
}
