#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "bench/numbers.h"
#include "bench/processors.h"
#include "crawl/scene.h"

/* What a crawl's length costs in memory: a site of so many pages, and one of
 * ten times as many, each crawled to its end.
 *
 *   bench_length [PAGES]
 *
 * What grows is the state's cache, up to 256 MiB (PV_STORE_CACHE_BYTES), and the
 * memory of a million links (PV_FRONTIER_RECENT).
 */
#define TIMES 10
#define LINKS 20
#define PAGE_BYTES 2048

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "rate: {max_rate: 10000, interval: 100ms, concurrency: 64}\n"
    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0, connections: 64}\n"
    "limits: {wait: none}\n"
    "output: {}\n";

static _Noreturn void fail(struct crawl_scene *scene, const char *what)
{
	printf("length: %s\n", what);
	crawl_scene_show(scene);
	exit(1);
}

/* Resident at most, in MiB. */
static double crawl(const struct processors *processors, unsigned pages)
{
	struct site site = {.pages = pages, .links = LINKS, .size = PAGE_BYTES};
	struct server_plan plan = {
	    .answer = site_answer, .ctx = &site, .is_unlogged = true};
	struct crawl_scene scene;
	processors_use(processors->first);
	if (!crawl_scene_open(&scene, &plan))
		fail(&scene, "no server");
	processors_use(processors->last);
	crawl_scene_policy(&scene, policy);
	crawl_scene_start(&scene);
	size_t peak = 0, now;
	struct stat state = {.st_size = 0};
	while (crawl_scene_wait(&scene, 200) == -2) {
		now = program_memory_peak(scene.program);
		peak = now > peak ? now : peak;
	}
	if (scene.end.status != 0)
		fail(&scene, "the crawl did not end well");
	stat(home_file(&scene.home, "o/state.db"), &state);
	printf("length: %7u pages: %5.1f MiB resident at most, a state of "
	       "%.1f MiB, %.1f s\n",
	    pages, (double)peak / (1 << 20), (double)state.st_size / (1 << 20),
	    (double)scene.end.wall_ms / 1e3);
	crawl_scene_close(&scene);
	return (double)peak;
}

int main(int argc, char **argv)
{
	unsigned pages = numbers_argument(argc, argv, 1, 20000);
	struct processors processors = processors_find();
	double few = crawl(&processors, pages);
	double many = crawl(&processors, pages * TIMES);
	printf("length: ratio %.2f of the memory for %d times the pages\n",
	    many / few, TIMES);
	return 0;
}
