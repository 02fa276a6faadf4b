#include "crawl/scene.h"

/* Limits on bandwidth in a whole crawl, as the server saw it (P1). A host is
 * asked for one thing at a time, so its next request tells when the answer
 * before it had come. */

#define PAGE_BYTES 100000
#define PAGES 5

static const struct server_route routes[] = {
    {.path = "/",
	.answer = {.body = "<a href=/page-1>1</a> <a href=/page-2>2</a> "
			   "<a href=/page-3>3</a> <a href=/page-4>4</a> "
			   "<a href=/page-5>5</a>"}},
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/page-*",
	.answer = {.kind = SERVER_PATTERN,
	    .size = PAGE_BYTES,
	    .type = "text/plain"}},
};

static const char *const everywhere[] = {"127.0.0.0/8", NULL};
static const struct server_plan plan = {
    .addresses = everywhere, SERVER_ROUTES(routes)};

/* The two hosts of each crawl, and who answers for them. */
#define HOSTS                                                               \
	"version: 1\n"                                                      \
	"seeds: [\"http://limited.test:PORT/\", \"http://b.test:PORT/\"]\n" \
	"fetch: {resolve: {limited.test: 127.0.0.2, b.test: 127.0.0.3}}\n"  \
	"output: {}\n"

/* From the first request for a page of the host to the last of its kind. */
static int64_t span_us(
    struct crawl_scene *scene, const char *host, size_t *count)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, host, "/page-*");
	int64_t first = INT64_MAX;
	int64_t last = 0;
	for (size_t i = 0; i < view.count; i++) {
		int64_t begin = view.records[i].begin_us;
		first = begin < first ? begin : first;
		last = begin > last ? begin : last;
	}
	*count = view.count;
	log_view_finish(&view);
	return last - first;
}

/* Clocks of the crawl count whole milliseconds. */
static bool is_paced(int64_t took_us, int64_t bytes, int64_t limit)
{
	int64_t credit = limit / 8 > 16384 ? limit / 8 : 16384;
	int64_t least_us = (bytes - credit) * 1000000 / limit;
	printf("# %lld ms, at least %lld\n", (long long)took_us / 1000,
	    (long long)least_us / 1000);
	return took_us >= least_us - 1000;
}

/* When the last request has come, all pages before it have: of each host but
 * one. */
static void test_crawl_limit(void)
{
	struct crawl_scene scene;
	size_t count;
	if (!ok(crawl_scene_open(&scene, &plan), "two hosts are there"))
		return;
	crawl_scene_policy(&scene,
	    HOSTS "rate: {max_rate: 100, bandwidth: 800kB/s}\n"
		  "politeness: {delay: 0, ip_delay: 0}\n");
	crawl_scene_ends(&scene, 0, "a crawl with a limit ends");
	int64_t took_us = span_us(&scene, NULL, &count);
	ok(count == 2 * PAGES, "each page is asked for once");
	ok(is_paced(took_us, (2 * PAGES - 2) * PAGE_BYTES, 800000),
	    "rate.bandwidth holds for all hosts together");
	ok(crawl_scene_lines(&scene, "\"bytes\":100000,", NULL) == 2 * PAGES,
	    "and all comes whole");
	crawl_scene_close(&scene);
}

/* Had it counted as the host's own time, ten times of that would have been
 * rested. */
static void test_host_limit(void)
{
	struct crawl_scene scene;
	size_t count;
	if (!ok(crawl_scene_open(&scene, &plan), "two hosts are there"))
		return;
	crawl_scene_policy(&scene,
	    HOSTS "rate: {max_rate: 100}\n"
		  "politeness: {delay: 0, ip_delay: 0, delay_factor: 10}\n"
		  "domains: {limited.test: {bandwidth: 250kB/s}}\n");
	crawl_scene_ends(&scene, 0, "a crawl with a limit for a host ends");
	int64_t took_us = span_us(&scene, "limited.test", &count);
	ok(count == PAGES &&
		is_paced(took_us, (PAGES - 1) * PAGE_BYTES, 250000),
	    "a host's bandwidth holds");
	ok(took_us < 8000000,
	    "and what it slows down is not held against the host");
	int64_t others_us = span_us(&scene, "b.test", &count);
	ok(count == PAGES && others_us < took_us,
	    "another host is not slowed (%lld ms)",
	    (long long)others_us / 1000);
	ok(crawl_scene_lines(&scene, "\"bytes\":100000,", NULL) == 2 * PAGES,
	    "and all comes whole");
	crawl_scene_close(&scene);
}

/* Both hosts' first pages would take minutes. */
static void test_stop(void)
{
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "two hosts are there"))
		return;
	crawl_scene_policy(&scene,
	    HOSTS "rate: {max_rate: 100, bandwidth: 1KiB/s}\n"
		  "politeness: {delay: 0, ip_delay: 0}\n");
	crawl_scene_start(&scene);
	ok(server_wait(scene.server, 6, HANG_MS), "both are asked for a page");
	program_signal(scene.program, SIGINT);
	program_signal(scene.program, SIGTERM);
	ok(crawl_scene_wait(&scene, HANG_MS) == 3,
	    "answers that wait do not keep a second signal waiting (P6)");
	crawl_scene_policy(&scene,
	    HOSTS "rate: {max_rate: 100}\n"
		  "politeness: {delay: 0, ip_delay: 0}\n");
	crawl_scene_ends(&scene, 0, "and the next run goes on");
	ok(crawl_scene_lines(&scene, "\"bytes\":100000,", NULL) == 2 * PAGES,
	    "with nothing lost (P3)");
	crawl_scene_close(&scene);
}

int main(void)
{
	test_crawl_limit();
	test_host_limit();
	test_stop();
	return tap_done();
}
