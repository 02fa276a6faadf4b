#include "crawl/progress/moment.h"

#include "crawl/conductor.h"
#include "crawl/world.h"

/* What it does at a moment, and how much of all is done. */

static struct {
	char fetching[64];   /* an address on the wire */
	char waits_for[240]; /* while nothing is on it */
	size_t most_fetching;
	size_t in_flight_max;
	double first_share; /* that was known */
	double last_share;
	bool is_shrinking;
} moments;

static void keep_moment(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	if (progress->fetching_count)
		snprintf(moments.fetching, sizeof(moments.fetching), "%s",
		    progress->fetching[0]);
	else if (progress->waits_for[0])
		snprintf(moments.waits_for, sizeof(moments.waits_for), "%s",
		    progress->waits_for);
	if (progress->fetching_count > moments.most_fetching)
		moments.most_fetching = progress->fetching_count;
	if (progress->phase == PAVANE_CRAWLING)
		moments.in_flight_max = progress->in_flight_max;
	if (progress->done_share < 0)
		return;
	if (moments.first_share < 0)
		moments.first_share = progress->done_share;
	moments.is_shrinking |= progress->done_share < moments.last_share;
	moments.last_share = progress->done_share;
}

static void watch_moments(struct pv_crawl *crawl)
{
	memset(&moments, 0, sizeof(moments));
	moments.first_share = moments.last_share = -1;
	crawl->options.on_progress = keep_moment;
	crawl->options.progress_ms = 20;
}

/* A page with links to 40 others, which lead to nothing new. */
static struct reply forty(const char *url, unsigned nth)
{
	static char body[2000];
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	body[0] = '\0';
	for (size_t i = 0, len = 0; i < 40; i++)
		len += (size_t)snprintf(
		    body + len, sizeof(body) - len, "<a href=/%zu>", i);
	return (struct reply){.body = body, .took_ms = 300};
}

static void test_moment(void)
{
	world_open(forty, "seeds: [\"http://a.test:8443/\"]\n"
			  "domains: {a.test: {delay: 5s}}\n");
	world.before_run = watch_moments;
	ok(world_run() == PAVANE_FINISHED, "a crawl of one host is watched");
	ok(strncmp(moments.fetching, "http://a.test:8443/", 19) == 0 &&
		moments.most_fetching == 1,
	    "what is being fetched is named (%s)", moments.fetching);
	ok(strncmp(moments.waits_for, "waits for a.test:8443 until ", 28) ==
		    0 &&
		strstr(moments.waits_for, " (delay 5s)"),
	    "P4: host and port that are waited for are named, with the end "
	    "and the reason (%s)",
	    moments.waits_for);
	ok(moments.in_flight_max == 1,
	    "no more than one request can be in flight");
	ok(moments.first_share > 0.2 && moments.first_share < 0.7,
	    "when pages lead to nothing new, the share that is done is known "
	    "(%.2f)",
	    moments.first_share);
	ok(!moments.is_shrinking && moments.last_share > 0.9,
	    "it grows to the end (%.2f)", moments.last_share);
	world_close();
	world_open(forty, "seeds: [\"http://a.test/\"]\n"
			  "limits: {pages: 20}\n"
			  "domains: {a.test: {delay: 5s, connections: 4}}\n");
	world.before_run = watch_moments;
	ok(world_run() == PAVANE_LIMITED, "a crawl with a limit is watched");
	ok(moments.first_share > 0 && moments.first_share < 0.2 &&
		moments.last_share > 0.9 && moments.last_share <= 1,
	    "a limit of pages is what there is to do (%.2f to %.2f)",
	    moments.first_share, moments.last_share);
	ok(moments.in_flight_max == 4,
	    "as many can be in flight as the host allows connections");
	world_close();
	world_open(forty, "seeds: [\"http://a.test/\", \"http://b.test/\"]\n"
			  "limits: {pages: 8}\n");
	world.before_run = watch_moments;
	world_run();
	ok(moments.most_fetching == 2, "of two hosts two are fetched at once");
	world_close();
}

int main(void)
{
	test_moment();
	return tap_done();
}
