#include "crawl/run/running.h"

#include "crawl/conductor.h"
#include "crawl/world.h"

/* A crawl by steps asks for the same at the same times as one in one call. */

#define POLICY                                              \
	"seeds: [\"http://a.test/\", \"http://b.test/\"]\n" \
	"limits: {host_pages: 6}\n"                         \
	"domains: {a.test: {delay: 1s}, b.test: {delay: 1.5s}}\n"
#define LOG_MAX ((size_t)1 << 16)

static struct reply tree(const char *url, unsigned nth)
{
	static char body[200];
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	const char *path = strchr(url + strlen("http://"), '/') + 1;
	snprintf(
	    body, sizeof(body), "<a href=/%.9s1><a href=/%.9s2>", path, path);
	return (struct reply){.body = body};
}

/* What was asked for by now, and when, from the first on: host by host, since
 * those that are asked at the same time have no order. */
static void write_requests(const char *host, struct pv_buf *log)
{
	int64_t began_ms = world.request_count ? world.requests[0].sent_ms : 0;
	for (size_t i = 0; i < world.request_count; i++) {
		if (strstr(world.requests[i].url, host))
			pv_buf_append_format(log, "%lld %s\n",
			    (long long)(world.requests[i].sent_ms - began_ms),
			    world.requests[i].url);
	}
}

static unsigned crawl(bool is_stepped, struct pv_buf *log)
{
	world_open(tree, POLICY);
	world.is_stepped = is_stepped;
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "P3: a crawl ends well %s", is_stepped ? "by steps" : "as a whole");
	pv_buf_init(log, LOG_MAX);
	write_requests("//a.test/", log);
	write_requests("//b.test/", log);
	unsigned steps = world.steps;
	world_close();
	return steps;
}

static void test_sameness(void)
{
	struct pv_buf whole, stepped;
	crawl(false, &whole);
	unsigned steps = crawl(true, &stepped);
	ok(whole.len > 0 && steps > 12, "of some pages, in some steps (%u)",
	    steps);
	is_text(pv_buf_str(&stepped), pv_buf_text(&whole),
	    "P1: the steps ask for the same at the same times");
	pv_buf_finish(&whole);
	pv_buf_finish(&stepped);
}

/* A stop comes from anywhere, also before the first step. */
static void test_stop(void)
{
	for (unsigned at = 1; at < 60; at = at * 2 + 1) {
		world_open(tree, POLICY);
		world.is_stepped = true;
		world.stop_at = at;
		world.stops = 1;
		enum pavane_end end = world_run();
		ok(end == PAVANE_STOPPED || end == PAVANE_FINISHED,
		    "P6: a stop ends the steps at event %u", at);
		world.stop_at = 0;
		ok(world_run() == PAVANE_FINISHED && world_is_settled(),
		    "P3: and the next run goes on to the end");
		world_close();
	}
}

int main(void)
{
	test_sameness();
	test_stop();
	return tap_done();
}
