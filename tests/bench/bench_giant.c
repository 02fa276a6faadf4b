#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/numbers.h"
#include "bench/processors.h"
#include "crawl/scene.h"

/* A host with a million pages in its queue, beside many that have a few: how
 * long those take with it, and without.
 *
 *   bench_giant [PAGES [HOSTS]]
 */
#define EACH 10 /* requests of each of the others, robots.txt being one */
#define HOSTS_AN_ADDRESS 50
#define TIMEOUT_MS 300000

static _Noreturn void fail(struct crawl_scene *scene, const char *what)
{
	printf("giant: %s\n", what);
	crawl_scene_show(scene);
	exit(1);
}

static void write_policy(
    struct crawl_scene *scene, unsigned hosts, unsigned pages)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_text(&text,
	    "version: 1\n"
	    "identity: {agent: benchbot/1.0, contact: bot@example.org}\n"
	    "rate: {max_rate: 1000, interval: 100ms, concurrency: 500}\n"
	    "politeness: {delay: 200ms, delay_factor: 0, ip_delay: 0}\n"
	    "output: {}\n"
	    "fetch: {resolve: {\"*.test\": \"127.0.0.1\"}}\n"
	    "seeds:\n");
	if (pages)
		pv_buf_append_format(
		    &text, "  - \"http://giant.test:PORT/{1..%u}\"\n", pages);
	for (unsigned i = 0; i < hosts / HOSTS_AN_ADDRESS; i++)
		pv_buf_append_format(&text,
		    "  - \"http://h{1..%d}.a%u.test:PORT/{1..%d}\"\n",
		    HOSTS_AN_ADDRESS, i, EACH - 1);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* Of the others, in the order in which requests began. */
static struct log_view view_of_others(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	log_view_keep(&view, "h*.test", NULL);
	return view;
}

static int by_begin(const void *left, const void *right)
{
	const struct server_record *a = left, *b = right;
	return (a->begin_us > b->begin_us) - (a->begin_us < b->begin_us);
}

/* Seconds from the first request of any of them to the last. */
static double wait_for_others(struct crawl_scene *scene, size_t requests)
{
	struct timespec look = {.tv_nsec = 200000000};
	for (int i = 0; i < TIMEOUT_MS / 200; i++) {
		struct log_view view = view_of_others(scene);
		qsort(
		    view.records, view.count, sizeof(*view.records), by_begin);
		size_t count = view.count;
		double took_s =
		    count ? (double)(view.records[count - 1].begin_us -
				     view.records[0].begin_us) /
				1e6
			  : 0;
		log_view_finish(&view);
		if (count >= requests)
			return took_s;
		nanosleep(&look, NULL);
	}
	fail(scene, "the others did not come to their end");
	return 0;
}

static double crawl(
    const struct processors *processors, unsigned hosts, unsigned pages)
{
	static const struct server_route routes[] = {
	    {.path = "/robots.txt", .answer = {.status = 404}},
	    {.path = "*", .answer = {.body = "a page"}}};
	struct server_plan plan = {SERVER_ROUTES(routes)};
	struct crawl_scene scene;
	processors_use(processors->first);
	if (!crawl_scene_open(&scene, &plan))
		fail(&scene, "no server");
	processors_use(processors->last);
	write_policy(&scene, hosts, pages);
	crawl_scene_start(&scene);
	double took_s = wait_for_others(&scene, (size_t)hosts * EACH);
	program_signal(scene.program, SIGTERM);
	crawl_scene_wait(&scene, TIMEOUT_MS);
	printf("giant: %u hosts beside one with %u pages: %.2f s, %.1f MiB "
	       "resident\n",
	    hosts, pages, took_s, (double)scene.end.memory_bytes / (1 << 20));
	crawl_scene_close(&scene);
	return took_s;
}

int main(int argc, char **argv)
{
	unsigned pages = numbers_argument(argc, argv, 1, 1000000);
	unsigned hosts = numbers_argument(argc, argv, 2, 1000);
	struct processors processors = processors_find();
	double alone_s = crawl(&processors, hosts, 0);
	double beside_s = crawl(&processors, hosts, pages);
	printf("giant: ratio %.2f of the time that they take without it\n",
	    beside_s / alone_s);
	return 0;
}
