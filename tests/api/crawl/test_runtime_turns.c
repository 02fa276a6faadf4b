#include "pavane/pavane.h"

#include <sys/resource.h>

#include "crawl/patience.h"
#include "scratch.h"
#include "server/log_check.h"
#include "server/server.h"
#include "tap.h"

/* Two crawls of one process at one host: what it costs them to wait for each other,
 * and how they share it. */

#define SECONDS 100
#define PAGES 15
#define TRIES 5
#define CRAWLS 2

static struct server_answer page;

static bool answer(
    void *ctx, const struct server_request *request, struct server_answer *made)
{
	(void)ctx;
	*made = page;
	if (pv_str_ends(request->path, PV_STR("robots.txt")))
		*made = (struct server_answer){.status = 404};
	made->head_pace.delay_ms = page.head_pace.delay_ms;
	return true;
}

struct scene {
	struct server *server;
	struct scratch scratch;
	struct pavane_runtime *runtime;
	struct pavane_policy *policies[CRAWLS];
	struct pavane_crawl *crawls[CRAWLS];
};

/* Each has pages of its own, so that the log tells them apart. */
static struct pavane_policy *load(
    const struct server *server, unsigned number, unsigned delay_ms)
{
	char texts[PAGES][64], delay[64];
	const char *addresses[PAGES];
	snprintf(delay, sizeof(delay), "politeness.delay=%ums", delay_ms);
	const struct pavane_setting settings[] = {
	    {NULL, delay},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "rate.max_rate=1000"},
	};
	for (unsigned i = 0; i < PAGES; i++) {
		snprintf(texts[i], sizeof(texts[i]),
		    "http://127.0.0.1:%u/crawl%u/%u",
		    (unsigned)server_port(server), number, i);
		addresses[i] = texts[i];
	}
	const struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources),
	    .settings = settings,
	    .setting_count = sizeof(settings) / sizeof(*settings),
	    .addresses = addresses,
	    .address_count = PAGES,
	};
	return pavane_policy_load(&sources);
}

static void open_crawl(struct scene *scene, unsigned number, unsigned delay_ms)
{
	char name[16];
	snprintf(name, sizeof(name), "crawl%u", number);
	const struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = scratch_file(&scene->scratch, name),
	    .state_dir = scene->scratch.path,
	    .is_fresh = true,
	    .runtime = scene->runtime,
	};
	scene->policies[number] = load(scene->server, number, delay_ms);
	scene->crawls[number] =
	    pavane_crawl_open(scene->policies[number], &options);
}

static void open_scene(struct scene *scene, unsigned delay_ms)
{
	struct pavane_runtime_options options =
	    PAVANE_INIT(struct pavane_runtime_options);
	*scene = (struct scene){.runtime = pavane_runtime_open(&options)};
	scene->server = server_start(&(struct server_plan){.answer = answer});
	scratch_make(&scene->scratch);
	for (unsigned i = 0; i < CRAWLS; i++)
		open_crawl(scene, i, delay_ms);
}

static void close_scene(struct scene *scene)
{
	for (unsigned i = 0; i < CRAWLS; i++) {
		pavane_crawl_close(scene->crawls[i]);
		pavane_policy_destroy(scene->policies[i]);
	}
	pavane_runtime_close(scene->runtime);
	scratch_remove(&scene->scratch);
	server_stop(scene->server);
}

static long switches(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

struct seen {
	int64_t took_ms;
	int64_t least_rest_us;
	size_t first; /* of the first crawl, in the first half */
	size_t half;
	size_t all;
	long switches; /* of threads */
};

static struct seen look(struct scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	struct log_view half = view;
	half.count = view.count / 2;
	struct seen seen = {
	    .took_ms = (view.records[view.count - 1].end_us -
			   view.records[0].begin_us) /
		       1000,
	    .least_rest_us = log_shortest_rest(&view, LOG_BY_HOST).us,
	    .first = log_count(&half, NULL, "/crawl0/*"),
	    .half = log_count(&half, NULL, "/crawl*"),
	    .all = view.count,
	};
	log_view_finish(&view);
	return seen;
}

/* So many of the crawls, at the same time. */
static struct seen run(unsigned crawls, unsigned delay_ms, unsigned latency_ms)
{
	struct scene scene;
	page = (struct server_answer){.body = "<p>1"};
	page.head_pace.delay_ms = latency_ms;
	open_scene(&scene, delay_ms);
	long before = switches();
	for (unsigned i = 0; i < crawls; i++)
		pavane_crawl_spawn(scene.crawls[i]);
	for (unsigned i = 0; i < crawls; i++)
		pavane_crawl_join(scene.crawls[i]);
	struct seen seen = look(&scene);
	seen.switches = switches() - before;
	close_scene(&scene);
	return seen;
}

static double each_ms(const struct seen *seen)
{
	return (double)seen->took_ms / (double)seen->all;
}

static void test_turns(unsigned delay_ms, unsigned latency_ms)
{
	struct seen alone = run(1, delay_ms, latency_ms);
	struct seen both = run(CRAWLS, delay_ms, latency_ms);
	printf(
	    "# delay %u ms, answers after %u ms: a request each %.1f ms, by one "
	    "crawl alone each %.1f ms (%.0f %%); %.1f and %.1f switches of "
	    "threads for each\n",
	    delay_ms, latency_ms, each_ms(&both), each_ms(&alone),
	    100 * each_ms(&alone) / each_ms(&both),
	    (double)both.switches / (double)both.all,
	    (double)alone.switches / (double)alone.all);
	ok(both.all >= CRAWLS * PAGES &&
		both.least_rest_us >= (int64_t)delay_ms * 1000,
	    "P1: at a delay of %u ms no rest is shorter (%lld us)", delay_ms,
	    (long long)both.least_rest_us);
	ok(both.first * 100 >= both.half * 40 &&
		both.first * 100 <= both.half * 60,
	    "each has 40 to 60 %% of the requests (%zu of %zu)", both.first,
	    both.half);
}

/* Answers take longer than polling would begin with; on a machine that has other
 * things to do it takes some tries. */
static void test_waking(void)
{
	double best = 100;
	for (unsigned i = 0; i < TRIES && best > 1.15; i++) {
		struct seen alone = run(1, 20, 60);
		struct seen both = run(CRAWLS, 20, 60);
		double ratio = each_ms(&both) / each_ms(&alone);
		best = ratio < best ? ratio : best;
	}
	ok(best <= 1.15,
	    "who waits is woken: together they are as fast as one alone (%.2f "
	    "times as long)",
	    best);
}

int main(void)
{
	end_after(SECONDS);
	test_turns(5, 5);
	test_turns(20, 5);
	test_turns(100, 30);
	test_waking();
	end_after(0);
	return tap_done();
}
