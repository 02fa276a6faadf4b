#include <stdio.h>
#include <stdlib.h>

#include "bench/bare_loop.h"
#include "bench/numbers.h"
#include "bench/processors.h"
#include "crawl/scene.h"

/* New verified TLS connections a second and processor: a crawl of hosts of
 * which each is asked for its robots.txt and one page on a connection of its
 * own, against a bare loop of libcurl that asks them for the same.
 *
 *   bench_tls [HOSTS [ROUNDS]]
 */
#define HOSTS_A_SEED 100
#define AT_ONCE 100
#define TIMEOUT_MS 600000
#define BUDGET 500.0

struct bench {
	unsigned hosts;
	struct processors processors;
	struct crawl_scene scene;
};

static _Noreturn void fail(const char *what)
{
	printf("tls: %s\n", what);
	exit(1);
}

/* A bare loop */

struct asking {
	const struct bench *bench;
	unsigned made;
	bool has_robots[AT_ONCE];
	unsigned hosts[AT_ONCE];
};

/* Each place asks a host for both, one after the other. */
static bool next(void *ctx, unsigned place, struct pv_buf *url)
{
	struct asking *asking = ctx;
	bool is_page = asking->has_robots[place];
	if (!is_page && asking->made == asking->bench->hosts)
		return false;
	if (!is_page)
		asking->hosts[place] = asking->made++;
	asking->has_robots[place] = !is_page;
	pv_buf_append_format(url, "https://h%u.a%u.test:%u/%s",
	    asking->hosts[place] % HOSTS_A_SEED + 1,
	    asking->hosts[place] / HOSTS_A_SEED,
	    (unsigned)server_tls_port(asking->bench->scene.server),
	    is_page ? "" : "robots.txt");
	return true;
}

static double run_bare(struct bench *bench)
{
	char resolve[64];
	struct server *server = bench->scene.server;
	struct asking asking = {.bench = bench};
	snprintf(resolve, sizeof(resolve), "*:%u:127.0.0.1",
	    (unsigned)server_tls_port(server));
	struct bare_end end = bare_run(&(struct bare_plan){
	    .at_once = AT_ONCE,
	    .next = next,
	    .ctx = &asking,
	    .resolve = resolve,
	    .authority = server_authority_path(server),
	});
	if (end.failures || end.answers != 2 * bench->hosts)
		fail("the bare loop was not answered");
	return end.busy_s / bench->hosts;
}

/* Ours */

static void write_policy(struct bench *bench)
{
	struct pv_buf text;
	struct server *server = bench->scene.server;
	pv_buf_init(&text, 1 << 20);
	pv_buf_append_format(&text,
	    "version: 1\n"
	    "identity: {agent: benchbot/1.0, contact: bot@example.org}\n"
	    "rate: {max_rate: 10000, interval: 100ms, concurrency: %u}\n"
	    "politeness: {delay: 0, delay_factor: 0, ip_delay: 0}\n"
	    "output: {}\n"
	    "fetch: {resolve: {\"*.test\": \"127.0.0.1\"}, tls: {ca: %s}}\n"
	    "seeds:\n",
	    bench->hosts, server_authority_path(server));
	for (unsigned i = 0; i < bench->hosts / HOSTS_A_SEED; i++)
		pv_buf_append_format(&text,
		    "  - \"https://h{1..%u}.a%u.test:%u/\"\n", HOSTS_A_SEED, i,
		    (unsigned)server_tls_port(server));
	crawl_scene_policy(&bench->scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static double run_ours(struct bench *bench)
{
	struct crawl_scene *scene = &bench->scene;
	size_t before = server_accept_count(scene->server);
	if (!home_make(&scene->home))
		fail("no directory");
	write_policy(bench);
	if (crawl_scene_run(scene, TIMEOUT_MS) != 0) {
		crawl_scene_show(scene);
		fail("the crawl did not end well");
	}
	home_remove(&scene->home);
	if (server_accept_count(scene->server) - before != bench->hosts)
		fail("not each host had one connection");
	return (double)scene->end.cpu_ms / 1e3 / bench->hosts;
}

static void run(struct bench *bench, unsigned rounds)
{
	double bare_s = 0, ours_s = 0;
	for (unsigned i = 0; i < rounds; i++) {
		bare_s = numbers_lesser(bare_s, run_bare(bench));
		ours_s = numbers_lesser(ours_s, run_ours(bench));
	}
	printf("tls: a bare loop: %6.0f us busy a connection, %6.0f a second\n",
	    bare_s * 1e6, 1 / bare_s);
	printf("tls: ours:        %6.0f us busy a connection, %6.0f a second\n",
	    ours_s * 1e6, 1 / ours_s);
	printf("tls: ratio %.2f of the speed of a bare loop (busy), %.1f times "
	       "the %.0f that are asked for\n",
	    bare_s / ours_s, 1 / ours_s / BUDGET, BUDGET);
}

int main(int argc, char **argv)
{
	static const struct server_route routes[] = {
	    {.path = "/robots.txt", .answer = {.status = 404}},
	    {.path = "/", .answer = {.body = "a page"}},
	};
	struct server_plan plan = {SERVER_ROUTES(routes), .has_tls = true};
	struct bench bench = {
	    .hosts = numbers_argument(argc, argv, 1, 1000),
	    .processors = processors_find(),
	};
	unsigned rounds = numbers_argument(argc, argv, 2, 3);
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
