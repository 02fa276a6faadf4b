#include "crawl/scene.h"

/* The pace of a whole crawl, as the server saw it (P1, P2). */

#define NO_DELAYS                                                        \
	"politeness: {delay: 0, ip_delay: 0, delay_factor: 0, "          \
	"connections: 3}\n"

/* Answers that take long: as many at once as the policy allows, and no more. */
static void test_concurrency(void)
{
	struct site site = {.pages = 30, .links = 29, .latency_ms = 2000};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a slow server is there"))
		return;
	crawl_scene_policy(&scene, "version: 1\n"
				   "seeds: [\"http://127.0.0.1:PORT/\"]\n"
				   "rate: {max_rate: 5, interval: 1s, "
				   "concurrency: 3}\n" NO_DELAYS
				   "limits: {pages: 10}\n"
				   "output: {}\n");
	crawl_scene_ends(&scene, 4, "a crawl of ten pages ends by its limit");
	struct log_view view = log_view_of(scene.server);
	ok(log_most_at_once(&view, LOG_TOGETHER) == 3,
	    "three requests are open at once, as concurrency says, and never "
	    "four (%zu)",
	    log_most_at_once(&view, LOG_TOGETHER));
	ok(log_count(&view, NULL, "/*") == 11,
	    "ten pages and robots.txt are asked for, and nothing is twice "
	    "(%zu)",
	    log_count(&view, NULL, "/*"));
	log_view_finish(&view);
	crawl_scene_close(&scene);
}

/* In any span no more than burst + max_rate * ceil(span / interval). */
static void is_within_rate(const struct log_view *view, int64_t span_ms)
{
	int64_t most = 5 + 5 * ((span_ms + 999) / 1000);
	size_t found = log_most_within(view, LOG_TOGETHER, span_ms);
	ok((int64_t)found <= most,
	    "within %lld ms there are %zu requests, and at most %lld may be",
	    (long long)span_ms, found, (long long)most);
}

static void test_rate(void)
{
	struct site site = {.pages = 100, .links = 99};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a quick server is there"))
		return;
	crawl_scene_policy(&scene, "version: 1\n"
				   "seeds: [\"http://127.0.0.1:PORT/\"]\n"
				   "rate: {max_rate: 5, interval: 1s, "
				   "concurrency: 3}\n" NO_DELAYS
				   "limits: {pages: 25}\n"
				   "output: {}\n");
	crawl_scene_ends(&scene, 4, "a crawl of 25 pages ends by its limit");
	struct log_view view = log_view_of(scene.server);
	for (int64_t span_ms = 100; span_ms <= 4000; span_ms += 300)
		is_within_rate(&view, span_ms);
	int64_t took_us = view.records[view.count - 1].begin_us -
			  view.records[0].begin_us;
	ok(took_us < 5300000,
	    "26 requests at five a second take five seconds (%lld ms)",
	    (long long)took_us / 1000);
	log_view_finish(&view);
	crawl_scene_close(&scene);
}

/* Many hosts, each with an address of its own, and one second each. */
#define HOSTS 200
#define SECONDS 8

static void write_many(struct crawl_scene *scene)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_text(&text, "version: 1\nseeds:\n");
	for (unsigned i = 0; i < HOSTS; i++)
		pv_buf_append_format(
		    &text, "  - \"http://h%u.test:PORT/\"\n", i);
	pv_buf_append_format(&text,
	    "rate: {max_rate: 400, interval: 1s, concurrency: 400}\n"
	    "politeness: {delay: 1s, delay_from: start, delay_factor: 0}\n"
	    "limits: {time: %us}\n"
	    "output: {}\n"
	    "fetch:\n  resolve:\n",
	    SECONDS);
	for (unsigned i = 0; i < HOSTS; i++)
		pv_buf_append_format(&text, "    h%u.test: \"127.77.%u.%u\"\n",
		    i, i / 100, i % 100 + 1);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void test_many_hosts(void)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct site site = {.pages = 50,
	    .links = 20,
	    .robots = "User-agent: *\nDisallow: /none\n"};
	struct server_plan plan = {
	    .addresses = everywhere, .answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "200 hosts are there"))
		return;
	write_many(&scene);
	crawl_scene_ends(&scene, 4, "a crawl of 200 hosts ends by its time");
	struct log_view view = log_view_of(scene.server);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
	ok(log_key_count(&view, LOG_BY_HOST) == HOSTS,
	    "all of them are asked for something");
	ok(gap.us >= 1000000,
	    "no two requests to a host, robots.txt counted, are closer than "
	    "its delay of 1 s (%.3f ms)",
	    (double)gap.us / 1000);
	/* From when the last host has begun. */
	double seconds = (double)(view.records[view.count - 1].begin_us -
				  view.records[0].begin_us) /
			 1e6;
	double ideal = HOSTS * (seconds + 1);
	ok((double)view.count >= 0.99 * ideal * (SECONDS - 1) / SECONDS,
	    "nearly all that may be asked is asked: %zu of %.0f", view.count,
	    ideal);
	log_view_finish(&view);
	crawl_scene_close(&scene);
}

int main(void)
{
	test_concurrency();
	test_rate();
	test_many_hosts();
	return tap_done();
}
