#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/numbers.h"
#include "bench/processors.h"
#include "crawl/scene.h"

/* From a signal to the end, with nothing in flight: all hosts are known, have
 * been asked once and are resting.
 *
 *   bench_stop [HOSTS [ROUNDS [PAGES]]]
 *
 * with so many pages of each host left; and what each live host costs of
 * resident memory.
 */
#define HOSTS_A_SEED 100
#define TIMEOUT_MS 120000
#define BUDGET_MS 200.0

static _Noreturn void fail(const char *what)
{
	printf("stop: %s\n", what);
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
	    "rate: {max_rate: 10000, interval: 100ms, concurrency: 1000}\n"
	    "politeness: {delay: 1h, ip_delay: 0}\n"
	    "limits: {wait: none}\n"
	    "output: {}\n"
	    "fetch: {resolve: {\"*.test\": \"127.0.0.1\"}}\n"
	    "seeds:\n");
	for (unsigned i = 0; i < hosts / HOSTS_A_SEED; i++)
		pv_buf_append_format(&text,
		    "  - \"http://h{1..%u}.a%u.test:PORT/{1..%u}\"\n",
		    HOSTS_A_SEED, i, pages);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static double now_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Each host is asked for its robots.txt; then none may be asked for an hour.
 * What was told of that is committed soon after. */
static double stop(struct crawl_scene *scene, unsigned hosts, unsigned pages,
    size_t *memory_bytes)
{
	struct timespec while_committing = {.tv_nsec = 800000000};
	write_policy(scene, hosts, pages);
	if (!crawl_scene_start(scene) ||
	    !server_wait_idle(scene->server, hosts, TIMEOUT_MS)) {
		crawl_scene_show(scene);
		fail("not all hosts were asked");
	}
	nanosleep(&while_committing, NULL);
	*memory_bytes = program_memory(scene->program);
	double start_ms = now_ms();
	program_signal(scene->program, SIGINT);
	if (crawl_scene_wait(scene, TIMEOUT_MS) != 3) {
		crawl_scene_show(scene);
		fail("it did not end by the signal");
	}
	return now_ms() - start_ms;
}

struct cost {
	double took_ms;
	double memory_kib;
};

static struct cost run(
    const struct processors *processors, unsigned hosts, unsigned pages)
{
	static const struct server_route routes[] = {
	    {.path = "/robots.txt", .answer = {.status = 404}}};
	struct server_plan plan = {SERVER_ROUTES(routes)};
	struct crawl_scene scene;
	processors_use(processors->first);
	if (!crawl_scene_open(&scene, &plan))
		fail("no server");
	processors_use(processors->last);
	size_t memory_bytes = 0;
	double took_ms = stop(&scene, hosts, pages, &memory_bytes);
	crawl_scene_close(&scene);
	return (struct cost){took_ms, (double)memory_bytes / 1024};
}

static struct cost least(const struct processors *processors, unsigned hosts,
    unsigned pages, unsigned rounds)
{
	struct cost best = {0, 0};
	for (unsigned i = 0; i < rounds; i++) {
		struct cost cost = run(processors, hosts, pages);
		best.took_ms = numbers_lesser(best.took_ms, cost.took_ms);
		best.memory_kib =
		    numbers_lesser(best.memory_kib, cost.memory_kib);
	}
	return best;
}

int main(int argc, char **argv)
{
	unsigned hosts = numbers_argument(argc, argv, 1, 10000);
	unsigned rounds = numbers_argument(argc, argv, 2, 3);
	struct processors processors = processors_find();
	unsigned pages = numbers_argument(argc, argv, 3, 1);
	struct cost few = least(&processors, HOSTS_A_SEED, pages, rounds);
	struct cost many = least(&processors, hosts, pages, rounds);
	printf("stop: %u resting hosts: %.0f ms from signal to end; %d: %.0f "
	       "ms\n",
	    hosts, many.took_ms, HOSTS_A_SEED, few.took_ms);
	printf("stop: %.1f KiB a live host\n",
	    (many.memory_kib - few.memory_kib) / (hosts - HOSTS_A_SEED));
	printf("stop: ratio %.2f of the %.0f ms that it may take\n",
	    many.took_ms / BUDGET_MS, BUDGET_MS);
	return 0;
}
