#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "bench/numbers.h"
#include "crawl/scene.h"

/* Everybody's turn: more hosts than are held at once, all of which rest long.
 *
 *   bench_turns [HOSTS [DELAY_SECONDS [SECONDS]]]
 *
 * What is told is how many hosts were asked in that time, how long those that
 * waited longest did, how that stands to their turn (the longer of their own
 * rest and of what all hosts take at the rate that was achieved), and what a
 * request and a host cost. As many requests may be in flight as are due in a
 * second.
 */
#define LINKS 20
#define PAGES 200
#define PAGE_BYTES 2048
#define HOSTS_AN_ADDRESS 80
#define GRACE_MS 120000
#define CONCURRENCY_MIN 1024
#define BUDGET_MIB 400.0

static _Noreturn void fail(const char *what)
{
	printf("turns: %s\n", what);
	exit(1);
}

static void write_policy(struct crawl_scene *scene, unsigned hosts,
    unsigned delay_s, unsigned seconds)
{
	struct pv_buf text;
	unsigned addresses = hosts / HOSTS_AN_ADDRESS;
	unsigned concurrency = hosts / (delay_s ? delay_s : 1);
	pv_buf_init(&text, 1 << 24);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "identity: {agent: benchbot/1.0, contact: bot@example.org}\n"
	    "rate: {max_rate: 10000, interval: 100ms, concurrency: %u}\n"
	    "politeness: {delay: %us, delay_factor: 0, ip_delay: 0}\n"
	    "limits: {time: %us}\n"
	    "output: {}\n"
	    "seeds:\n",
	    concurrency < CONCURRENCY_MIN ? CONCURRENCY_MIN : concurrency,
	    delay_s, seconds);
	for (unsigned i = 0; i < addresses; i++)
		pv_buf_append_format(&text,
		    "  - \"http://h{1..%u}.a%u.test:PORT/\"\n",
		    HOSTS_AN_ADDRESS, i);
	pv_buf_append_text(&text, "fetch:\n  resolve:\n");
	for (unsigned i = 0; i < addresses; i++)
		pv_buf_append_format(&text,
		    "    \"*.a%u.test\": \"127.%u.%u.%u\"\n", i, 8 + i / 62500,
		    i / 250 % 250, i % 250 + 1);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static int by_host(const void *left, const void *right)
{
	const struct server_record *a = left, *b = right;
	int order = pv_str_compare(a->host, b->host);
	return order
		   ? order
		   : (a->begin_us > b->begin_us) - (a->begin_us < b->begin_us);
}

struct turns {
	unsigned asked;     /* hosts */
	int64_t longest_us; /* from one request of a host to the next */
	int64_t shortest_us;
	int64_t first_us; /* the last host's first request */
	int64_t span_us;
	double rate; /* in the last `delay`: requests of each host */
};

static void note_gap(struct turns *turns, int64_t gap_us)
{
	if (gap_us > turns->longest_us)
		turns->longest_us = gap_us;
}

/* At the ideal rate each host is asked once in that time. */
static double rate_of(
    const struct log_view *view, int64_t since_us, unsigned hosts)
{
	size_t count = 0;
	for (size_t i = 0; i < view->count; i++)
		count += view->records[i].begin_us > since_us;
	return (double)count / hosts;
}

static struct turns judge(
    struct log_view *view, unsigned hosts, unsigned delay_s)
{
	struct turns turns = {.shortest_us = INT64_MAX};
	struct server_record *records = view->records;
	int64_t began_us = INT64_MAX, ended_us = 0;
	for (size_t i = 0; i < view->count; i++) {
		if (records[i].begin_us < began_us)
			began_us = records[i].begin_us;
		if (records[i].begin_us > ended_us)
			ended_us = records[i].begin_us;
	}
	turns.span_us = ended_us - began_us;
	turns.rate =
	    rate_of(view, ended_us - (int64_t)delay_s * 1000000, hosts);
	qsort(records, view->count, sizeof(*records), by_host);
	for (size_t i = 0; i < view->count; i++) {
		bool is_first =
		    !i || !pv_str_equal(records[i].host, records[i - 1].host);
		bool is_last =
		    i + 1 == view->count ||
		    !pv_str_equal(records[i].host, records[i + 1].host);
		int64_t before_us =
		    is_first ? began_us : records[i - 1].begin_us;
		int64_t gap_us = records[i].begin_us - before_us;
		turns.asked += is_first;
		note_gap(&turns, gap_us);
		if (is_first && gap_us > turns.first_us)
			turns.first_us = gap_us;
		if (!is_first && gap_us < turns.shortest_us)
			turns.shortest_us = gap_us;
		if (is_last)
			note_gap(&turns, ended_us - records[i].begin_us);
	}
	return turns;
}

static void tell(unsigned hosts, unsigned delay_s, const struct turns *turns,
    const struct crawl_scene *scene, size_t requests)
{
	double span_s = (double)turns->span_us / 1e6;
	double turn_s = hosts / ((double)requests / span_s);
	if (turn_s < delay_s)
		turn_s = delay_s;
	printf(
	    "turns: %u hosts at %u s: %zu requests in %.1f s, %u hosts never "
	    "asked, the last first asked after %.1f s\n",
	    hosts, delay_s, requests, span_s, hosts - turns->asked,
	    (double)turns->first_us / 1e6);
	printf("turns: between two requests of a host %.3f to %.1f s: ratio "
	       "%.2f of its turn\n",
	    (double)turns->shortest_us / 1e6, (double)turns->longest_us / 1e6,
	    (double)turns->longest_us / 1e6 / turn_s);
	printf("turns: ratio %.2f of the ideal rate, %.0f us busy a request\n",
	    turns->rate, (double)scene->end.cpu_ms * 1e3 / (double)requests);
	printf(
	    "turns: %.1f KiB resident a host, ratio %.2f of the %.0f MiB that "
	    "a crawl may take\n",
	    (double)scene->end.memory_bytes / 1024 / hosts,
	    (double)scene->end.memory_bytes / 1048576 / BUDGET_MIB, BUDGET_MIB);
}

/* The server has a descriptor for each connection as well. */
static void open_files(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	unsigned hosts = numbers_argument(argc, argv, 1, 20000);
	unsigned delay_s = numbers_argument(argc, argv, 2, 20);
	unsigned seconds = numbers_argument(argc, argv, 3, 3 * delay_s);
	struct site site = {.pages = PAGES, .links = LINKS, .size = PAGE_BYTES};
	struct server_plan plan = {.addresses = everywhere,
	    .answer = site_answer,
	    .ctx = &site,
	    .log_max = 1 << 20};
	struct crawl_scene scene;
	open_files();
	if (!crawl_scene_open(&scene, &plan))
		fail("no server");
	write_policy(&scene, hosts, delay_s, seconds);
	if (crawl_scene_run(&scene, (int)seconds * 1000 + GRACE_MS) != 4) {
		crawl_scene_show(&scene);
		fail("the crawl was not ended by its limit");
	}
	struct log_view view = log_view_of(scene.server);
	size_t requests = view.count;
	struct turns turns = judge(&view, hosts, delay_s);
	tell(hosts, delay_s, &turns, &scene, requests);
	log_view_finish(&view);
	crawl_scene_close(&scene);
	return 0;
}
