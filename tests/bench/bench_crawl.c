#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "bench/bare_loop.h"
#include "bench/numbers.h"
#include "bench/processors.h"
#include "bench/stopwatch.h"
#include "crawl/scene.h"

/* A whole crawl of a site, with nothing stored, against a bare loop of libcurl
 * that asks for the same addresses, and against wget2 where it is installed.
 *
 *   bench_crawl [PAGES [ROUNDS]]
 *
 * The server has a processor of its own, and each of the three in turn the
 * last one. Of all rounds the quickest counts.
 */
#define LINKS 20
#define PAGE_BYTES 8192
#define AT_ONCE 32
#define TIMEOUT_MS 600000

struct cost {
	double busy_s;
	double took_s;
};

struct bench {
	struct site site;
	struct processors processors;
	struct crawl_scene scene;
};

static _Noreturn void fail(const char *what)
{
	printf("crawl: %s\n", what);
	exit(1);
}

static void keep_quickest(struct cost *cost, struct cost round)
{
	cost->busy_s = numbers_lesser(cost->busy_s, round.busy_s);
	cost->took_s = numbers_lesser(cost->took_s, round.took_s);
}

/* A bare loop */

struct asking {
	const struct bench *bench;
	uint32_t made;
};

static bool next(void *ctx, unsigned place, struct pv_buf *url)
{
	struct asking *asking = ctx;
	(void)place;
	if (asking->made == asking->bench->site.pages)
		return false;
	pv_buf_append_format(url, "http://127.0.0.1:%u/",
	    (unsigned)server_port(asking->bench->scene.server));
	if (asking->made)
		pv_buf_append_format(url, "page/%u", (unsigned)asking->made);
	asking->made++;
	return true;
}

static struct cost run_bare(struct bench *bench)
{
	struct asking asking = {bench, 0};
	struct bare_end end = bare_run(&(struct bare_plan){
	    .at_once = AT_ONCE, .next = next, .ctx = &asking});
	if (end.failures || end.answers != bench->site.pages)
		fail("the bare loop was not answered");
	return (struct cost){end.busy_s, end.took_s};
}

/* Ours */

static const char usual[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "identity: {agent: benchbot/1.0, contact: bot@example.org}\n"
    "rate: {max_rate: 10000, interval: 100ms, concurrency: 32}\n"
    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0, connections: 32}\n"
    "output: {}\n";

/* The same without a word to other crawls on the machine. */
static const char alone[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "identity: {agent: benchbot/1.0, contact: bot@example.org}\n"
    "rate: {max_rate: 10000, interval: 100ms, concurrency: 32}\n"
    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0, connections: 32,\n"
    "  shared_clocks: false}\n"
    "output: {}\n";

static struct cost run_ours(struct bench *bench, const char *policy)
{
	struct crawl_scene *scene = &bench->scene;
	size_t before = server_log_count(scene->server);
	if (!home_make(&scene->home))
		fail("no directory");
	crawl_scene_policy(scene, policy);
	if (crawl_scene_run(scene, TIMEOUT_MS) != 0) {
		crawl_scene_show(scene);
		fail("the crawl did not end well");
	}
	home_remove(&scene->home);
	/* And robots.txt. */
	if (server_log_count(scene->server) - before != bench->site.pages + 1)
		fail("not all pages were asked for");
	return (struct cost){
	    (double)scene->end.cpu_ms / 1e3, (double)scene->end.wall_ms / 1e3};
}

/* wget2 */

static _Noreturn void be_wget2(const struct bench *bench)
{
	char url[64];
	char at_once[32];
	snprintf(url, sizeof(url), "http://127.0.0.1:%u/",
	    (unsigned)server_port(bench->scene.server));
	snprintf(at_once, sizeof(at_once), "--max-threads=%d", AT_ONCE);
	execlp("wget2", "wget2", "--no-config", "-r", "-l", "0", "-q",
	    "--progress=none", "--no-hsts", "--compression=none", "--no-xattr",
	    at_once, "-O", "/dev/null", url, (char *)NULL);
	_exit(127);
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* False if it is not installed. */
static bool run_wget2(struct bench *bench, struct cost *cost)
{
	int status;
	struct rusage usage;
	size_t before = server_log_count(bench->scene.server);
	struct stopwatch start = stopwatch_start();
	pid_t pid = fork();
	if (pid == 0)
		be_wget2(bench);
	if (wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status))
		fail("wget2 did not end");
	if (WEXITSTATUS(status) == 127)
		return false;
	if (server_log_count(bench->scene.server) - before < bench->site.pages)
		fail("wget2 did not ask for all pages");
	*cost = (struct cost){
	    seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
	    stopwatch_read(start).took_s};
	return true;
}

/* All of them */

static void tell(
    const struct bench *bench, const char *what, const struct cost *cost)
{
	double pages = bench->site.pages;
	printf("crawl: %-12s %6.1f us busy a page, %6.1f us in all (%.0f a "
	       "second)\n",
	    what, cost->busy_s * 1e6 / pages, cost->took_s * 1e6 / pages,
	    pages / cost->took_s);
}

static void compare(
    const char *what, const struct cost *other, const struct cost *ours)
{
	printf("crawl: ratio %.2f of the speed of %s (busy), %.2f (in all)\n",
	    other->busy_s / ours->busy_s, what, other->took_s / ours->took_s);
}

static void run(struct bench *bench, unsigned rounds)
{
	struct cost bare = {0}, ours = {0}, lone = {0}, wget2 = {0}, round;
	bool has_wget2 = true;
	for (unsigned i = 0; i < rounds; i++) {
		keep_quickest(&bare, run_bare(bench));
		keep_quickest(&ours, run_ours(bench, usual));
		keep_quickest(&lone, run_ours(bench, alone));
		has_wget2 = has_wget2 && run_wget2(bench, &round);
		if (has_wget2)
			keep_quickest(&wget2, round);
	}
	tell(bench, "a bare loop", &bare);
	tell(bench, "ours", &ours);
	tell(bench, "ours alone", &lone);
	compare("a bare loop", &bare, &ours);
	compare("one that shares no clocks", &lone, &ours);
	if (!has_wget2) {
		printf("crawl: wget2 is not installed\n");
		return;
	}
	tell(bench, "wget2", &wget2);
	compare("wget2", &wget2, &ours);
}

int main(int argc, char **argv)
{
	struct bench bench = {
	    .site =
		{
		    .pages = numbers_argument(argc, argv, 1, 20000),
		    .links = LINKS,
		    .size = PAGE_BYTES,
		},
	    .processors = processors_find(),
	};
	unsigned rounds = numbers_argument(argc, argv, 2, 3);
	struct server_plan plan = {.answer = site_answer, .ctx = &bench.site};
	processors_use(bench.processors.first);
	bench.scene.server = server_start(&plan);
	if (!bench.scene.server)
		return 1;
	processors_use(bench.processors.last);
	run(&bench, rounds);
	program_destroy(bench.scene.program);
	server_stop(bench.scene.server);
	return 0;
}
