#include "crawl/scene.h"
#include "crawl/simulation.h"
#include "together.h"

/* The pace of a whole crawl (P1, P2): in simulated time that nothing is asked
 * for too soon, and all of it as soon as it may be; on the wire, as the server
 * sees it, that nothing is too soon. */

#define RATE 5
#define CONCURRENCY 3
#define NO_DELAYS "delay: 0, ip_delay: 0, delay_factor: 0, connections: 5"

/* Answers that take long: as many at once as the policy allows, and no more. */
#define SLOW_MS 2000

static void test_concurrency_simulated(void)
{
	const struct simulation_plan plan = {
	    .hosts = 1,
	    .chains = 29,
	    .length = 1,
	    .latency_ms = SLOW_MS,
	    .rate = RATE,
	    .concurrency = CONCURRENCY,
	    .politeness = NO_DELAYS,
	    .patience_ms = SIMULATED_DAY_MS,
	    .policy = "limits: {pages: 10}\n",
	};
	simulation_run(&plan);
	const struct simulated_host *host = &simulation.hosts[0];
	ok(simulation.end == PAVANE_LIMITED && host->requests == 10 &&
		host->robots == 1,
	    "a crawl of ten slow pages ends by its limit");
	ok(host->most_in_flight == CONCURRENCY,
	    "three requests are open at once, as concurrency says, and never "
	    "four (%u)",
	    host->most_in_flight);
	/* robots.txt, the root, and the nine that it leads to */
	int64_t took_ms = host->ended_at - host->first_at;
	ok(took_ms == 5 * SLOW_MS,
	    "whoever ends makes room for another (%lld ms)",
	    (long long)took_ms);
	simulation_finish();
}

static void test_concurrency(void)
{
	struct site site = {.pages = 30, .links = 29, .latency_ms = 500};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a slow server is there"))
		return;
	crawl_scene_policy(&scene, "version: 1\n"
				   "seeds: [\"http://127.0.0.1:PORT/\"]\n"
				   "rate: {max_rate: 20, interval: 1s, "
				   "concurrency: 3}\n"
				   "politeness: {" NO_DELAYS "}\n"
				   "limits: {pages: 10}\n"
				   "output: {}\n");
	crawl_scene_ends(&scene, 4, "a crawl of ten pages ends by its limit");
	struct log_view view = log_view_of(scene.server);
	size_t most = log_most_at_once(&view, LOG_TOGETHER);
	ok(most <= CONCURRENCY,
	    "no more than three requests are open at once (%zu)", most);
	ok(log_count(&view, NULL, "/*") == 11,
	    "ten pages and robots.txt are asked for, and nothing is twice "
	    "(%zu)",
	    log_count(&view, NULL, "/*"));
	log_view_finish(&view);
	crawl_scene_close(&scene);
}

/* In any span no more than burst + max_rate * ceil(span / interval). */
static int64_t most_allowed(int64_t span_ms)
{
	return RATE + RATE * ((span_ms + 999) / 1000);
}

#define RATE_PAGES 25

static struct {
	int64_t at[RATE_PAGES + 1];
	size_t count;
} requests;

static void note_request(bool is_robots, int64_t at)
{
	(void)is_robots;
	if (requests.count <= RATE_PAGES)
		requests.at[requests.count] = at;
	requests.count++;
}

/* The most that began within so long; its end does not belong to it. */
static int64_t most_within(int64_t span_ms)
{
	size_t first = 0, most = 0;
	for (size_t last = 0; last < requests.count; last++) {
		while (requests.at[last] - requests.at[first] >= span_ms)
			first++;
		if (last - first + 1 > most)
			most = last - first + 1;
	}
	return (int64_t)most;
}

static void test_rate_simulated(void)
{
	const struct simulation_plan plan = {
	    .hosts = 1,
	    .chains = 99,
	    .length = 1,
	    .latency_ms = 1,
	    .rate = RATE,
	    .concurrency = CONCURRENCY,
	    .politeness = NO_DELAYS,
	    .patience_ms = SIMULATED_DAY_MS,
	    .policy = "limits: {pages: 25}\n",
	    .on_request = note_request,
	};
	bool is_within = true;
	simulation_run(&plan);
	if (!ok(simulation.end == PAVANE_LIMITED &&
		    requests.count == RATE_PAGES + 1,
		"a crawl of 25 pages is asked for by the rate of all"))
		return;
	for (int64_t span_ms = 1; span_ms <= 5000; span_ms++)
		is_within =
		    is_within && most_within(span_ms) <= most_allowed(span_ms);
	ok(is_within, "P1: within no span there are more than it allows");
	int64_t took_ms = requests.at[RATE_PAGES] - requests.at[0];
	ok(took_ms > 4000 && took_ms <= 5000,
	    "26 requests at five a second take five seconds (%lld ms)",
	    (long long)took_ms);
	simulation_finish();
}

/* A request is seen some time after its release: where ticks stand at both ends
 * of a span, one that is late on a busy machine and one that is not are closer
 * together than they were released. */
#define LATE_MS 450

static void is_within_rate(const struct log_view *view, int64_t span_ms)
{
	size_t found = log_most_within(view, LOG_TOGETHER, span_ms - LATE_MS);
	ok((int64_t)found <= most_allowed(span_ms),
	    "within %lld ms there are %zu requests, and at most %lld may be",
	    (long long)(span_ms - LATE_MS), found,
	    (long long)most_allowed(span_ms));
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
				   "concurrency: 3}\n"
				   "politeness: {" NO_DELAYS "}\n"
				   "limits: {pages: 25}\n"
				   "output: {}\n");
	crawl_scene_ends(&scene, 4, "a crawl of 25 pages ends by its limit");
	struct log_view view = log_view_of(scene.server);
	for (int64_t span_ms = 600; span_ms <= 4500; span_ms += 300)
		is_within_rate(&view, span_ms);
	log_view_finish(&view);
	crawl_scene_close(&scene);
}

/* Many hosts, each with an address of its own, and one second each. */
#define HOSTS 200
#define SECONDS 8

static void test_many_hosts_simulated(void)
{
	const struct simulation_plan plan = {
	    .hosts = HOSTS,
	    .chains = 50,
	    .length = 1,
	    .latency_ms = 10,
	    .rate = 400,
	    .concurrency = 400,
	    .politeness = "delay: 1s, delay_from: start, delay_factor: 0",
	    .patience_ms = SIMULATED_DAY_MS,
	    .policy = "limits: {time: 8s}\n",
	};
	int64_t least_gap = INT64_MAX;
	unsigned asked = 0;
	simulation_run(&plan);
	for (unsigned i = 0; i < HOSTS; i++) {
		const struct simulated_host *host = &simulation.hosts[i];
		asked += host->requests + host->robots;
		if (host->least_gap < least_gap)
			least_gap = host->least_gap;
	}
	ok(simulation.end == PAVANE_LIMITED && least_gap >= 1000,
	    "P1: 200 hosts have their delay of 1 s each (%lld ms)",
	    (long long)least_gap);
	ok(asked == HOSTS * SECONDS, "and all that may be asked is asked (%u)",
	    asked);
	simulation_finish();
}

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
	    "limits: {pages: 800}\n"
	    "output: {}\n"
	    "fetch:\n  resolve:\n");
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
	crawl_scene_ends(&scene, 4, "a crawl of 200 hosts ends by its limit");
	struct log_view view = log_view_of(scene.server);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
	ok(log_key_count(&view, LOG_BY_HOST) == HOSTS,
	    "all of them are asked for something");
	ok(gap.us >= 1000000,
	    "no two requests to a host, robots.txt counted, are closer than "
	    "its delay of 1 s (%.3f ms)",
	    (double)gap.us / 1000);
	log_view_finish(&view);
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_concurrency());
	together(&all, test_rate());
	together(&all, test_many_hosts());
	together(&all, test_concurrency_simulated());
	together(&all, test_rate_simulated());
	together(&all, test_many_hosts_simulated());
	together_end(&all);
	return tap_done();
}
