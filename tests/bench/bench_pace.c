#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "bench/numbers.h"
#include "bench/processors.h"
#include "crawl/scene.h"

/* The pace of many hosts, each of which rests a second between requests, as
 * their server saw it: is nobody asked too soon, and nobody much later than
 * might be?
 *
 *   bench_pace [HOSTS [SECONDS]]
 *
 * A request is due when the one before it at the same host is a delay old. What
 * is told of rate and lateness begins when every host has been asked twice:
 * until then they are still being found. In the end the crawl is audited.
 */
#define DELAY_US 1000000
#define HOSTS_AN_ADDRESS 10
#define TIMEOUT_MS 60000 /* past its own time */

static _Noreturn void fail(const char *what)
{
	printf("pace: %s\n", what);
	exit(1);
}

static void write_policy(
    struct crawl_scene *scene, unsigned hosts, unsigned seconds)
{
	struct pv_buf text;
	unsigned addresses = hosts / HOSTS_AN_ADDRESS;
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "identity: {agent: benchbot/1.0, contact: bot@example.org}\n"
	    "rate: {max_rate: 10000, interval: 100ms, concurrency: %u}\n"
	    "politeness: {delay: 1s, delay_from: start, delay_factor: 0, "
	    "ip_delay: 0}\n"
	    "limits: {time: %us}\n"
	    "output: {}\n"
	    "seeds:\n",
	    hosts, seconds);
	for (unsigned i = 0; i < addresses; i++)
		pv_buf_append_format(&text,
		    "  - \"http://h{1..%u}.a%u.test:PORT/\"\n",
		    HOSTS_AN_ADDRESS, i);
	pv_buf_append_text(&text, "fetch:\n  resolve:\n");
	for (unsigned i = 0; i < addresses; i++)
		pv_buf_append_format(&text,
		    "    \"*.a%u.test\": \"127.9.%u.%u\"\n", i, i / 250,
		    i % 250 + 1);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* What the log says */

static int by_host(const void *left, const void *right)
{
	const struct server_record *a = left, *b = right;
	int order = pv_str_compare(a->host, b->host);
	if (order)
		return order;
	return (a->begin_us > b->begin_us) - (a->begin_us < b->begin_us);
}

static int by_size(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

struct lateness {
	int64_t *items;
	size_t count;
};

/* Of all requests but the first two of each host. */
static struct lateness find_lateness(struct log_view *view)
{
	struct lateness late = {
	    pv_alloc_array(view->count, sizeof(int64_t)), 0};
	const struct server_record *records = view->records;
	qsort(view->records, view->count, sizeof(*view->records), by_host);
	for (size_t i = 2; i < view->count; i++) {
		if (!pv_str_equal(records[i].host, records[i - 2].host))
			continue;
		late.items[late.count++] =
		    records[i].begin_us - records[i - 1].begin_us - DELAY_US;
	}
	qsort(late.items, late.count, sizeof(*late.items), by_size);
	return late;
}

/* Each request after the second takes a host a second, and what it was late:
 * how much of that time was the delay. */
static double share_of_ideal(const struct lateness *late)
{
	double delays_us = 0, took_us = 0;
	for (size_t i = 0; i < late->count; i++) {
		delays_us += DELAY_US;
		took_us += (double)(DELAY_US + late->items[i]);
	}
	return delays_us / took_us;
}

static void tell(struct crawl_scene *scene, unsigned hosts)
{
	struct log_view view = log_view_of(scene->server);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
	struct lateness late = find_lateness(&view);
	if (!late.count)
		fail("no host was asked three times");
	printf("pace: %u hosts, %zu requests: the shortest gap is %.1f ms of "
	       "%d\n",
	    hosts, view.count, (double)gap.us / 1e3, DELAY_US / 1000);
	printf("pace: late by %.1f ms (p50), %.1f ms (p99), %.1f ms at most\n",
	    (double)late.items[late.count / 2] / 1e3,
	    (double)late.items[late.count - 1 - late.count / 100] / 1e3,
	    (double)late.items[late.count - 1] / 1e3);
	printf("pace: ratio %.3f of the ideal rate\n", share_of_ideal(&late));
	printf("pace: %.1f us busy a request\n",
	    (double)scene->end.cpu_ms * 1e3 / (double)view.count);
	free(late.items);
	log_view_finish(&view);
	if (gap.us < DELAY_US)
		fail("a host was asked too soon");
}

/* What it makes of itself. */
static void audit(struct crawl_scene *scene)
{
	static const char *const arguments[] = {"audit", "o", "--json", NULL};
	static const char kept[] = "{\"kept\":true,";
	struct program_end end;
	struct pv_buf said;
	pv_buf_init(&said, SIZE_MAX);
	program_run(&scene->home, arguments, &said, &end);
	bool is_kept = end.status == 0 &&
		       strncmp(pv_buf_text(&said), kept, sizeof(kept) - 1) == 0;
	size_t requests = crawl_scene_lines(scene, "\"run\":", NULL);
	printf("pace: an audit of %zu requests takes %.2f s and %zu MiB\n",
	    requests, (double)end.wall_ms / 1e3, end.memory_bytes >> 20);
	if (!is_kept)
		printf("pace: %.2000s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
	if (!is_kept)
		fail("a promise was broken");
}

int main(int argc, char **argv)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	unsigned hosts = numbers_argument(argc, argv, 1, 1000);
	unsigned seconds = numbers_argument(argc, argv, 2, 12);
	struct site site = {.pages = 10000, .links = 20, .size = 4096};
	struct server_plan plan = {.addresses = everywhere,
	    .answer = site_answer,
	    .ctx = &site,
	    .log_max = (size_t)hosts * (seconds + 1)};
	struct processors processors = processors_find();
	struct crawl_scene scene;
	processors_use(processors.first);
	if (!crawl_scene_open(&scene, &plan))
		fail("no server");
	processors_use(processors.last);
	write_policy(&scene, hosts, seconds);
	if (crawl_scene_run(&scene, (int)seconds * 1000 + TIMEOUT_MS) != 4) {
		crawl_scene_show(&scene);
		fail("the crawl did not end by its time");
	}
	audit(&scene);
	tell(&scene, hosts);
	crawl_scene_close(&scene);
	return 0;
}
