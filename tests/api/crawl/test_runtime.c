#include "pavane/pavane.h"

#include <poll.h>

#include "bench/kept_site.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/log_check.h"
#include "server/server.h"
#include "tap.h"

/* Crawls that share threads and places, of hosts that answer slowly enough for
 * their requests to overlap. */

#define PAGES 60
#define CRAWLS 3
#define PLACES 4
#define SECONDS 100
#define RATE 12
#define INTERVAL_MS 120
#define AMONG 120 /* requests that all crawls have a part of */

struct scene {
	struct server *server;
	struct kept_site site;
	struct pavane_policy *policies[CRAWLS];
	struct scratch scratch;
};

static bool answer(
    void *ctx, const struct server_request *request, struct server_answer *made)
{
	bool is_made = kept_site_answer(ctx, request, made);
	made->head_pace.delay_ms = 5;
	return is_made;
}

static struct pavane_policy *load(const struct server *server, unsigned number)
{
	char address[64];
	snprintf(address, sizeof(address), "http://127.0.0.%u:%u/", number + 1,
	    (unsigned)server_port(server));
	const struct pavane_setting settings[] = {
	    {NULL, "rate.max_rate=100000"},
	    {NULL, "rate.concurrency=16"},
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "politeness.connections=16"},
	};
	const char *const addresses[] = {address};
	const struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources),
	    .settings = settings,
	    .setting_count = sizeof(settings) / sizeof(*settings),
	    .addresses = addresses,
	    .address_count = 1,
	};
	return pavane_policy_load(&sources);
}

static void scene_open(struct scene *scene)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	kept_site_init(&scene->site, PAGES);
	scene->server = server_start(&(struct server_plan){
	    .addresses = everywhere, .answer = answer, .ctx = &scene->site});
	for (unsigned i = 0; i < CRAWLS; i++)
		scene->policies[i] = load(scene->server, i);
	scratch_make(&scene->scratch);
}

static void scene_close(struct scene *scene)
{
	scratch_remove(&scene->scratch);
	for (unsigned i = 0; i < CRAWLS; i++)
		pavane_policy_destroy(scene->policies[i]);
	server_stop(scene->server);
	kept_site_finish(&scene->site);
}

static struct pavane_crawl *open_crawl(
    struct scene *scene, struct pavane_runtime *runtime, unsigned number)
{
	char name[16];
	snprintf(name, sizeof(name), "crawl%u", number);
	const struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = scratch_file(&scene->scratch, name),
	    .state_dir = scene->scratch.path,
	    .is_fresh = true,
	    .runtime = runtime,
	};
	return pavane_crawl_open(scene->policies[number], &options);
}

static size_t most_at_once(struct scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	size_t most = log_most_at_once(&view, LOG_TOGETHER);
	log_view_finish(&view);
	return most;
}

static void test_ceiling(struct scene *scene)
{
	struct pavane_runtime_options options =
	    PAVANE_INIT(struct pavane_runtime_options);
	options.threads = 1;
	options.concurrency = PLACES;
	struct pavane_runtime *runtime = pavane_runtime_open(&options);
	struct pavane_crawl *crawls[CRAWLS];
	unsigned finished = 0;
	for (unsigned i = 0; i < CRAWLS; i++) {
		crawls[i] = open_crawl(scene, runtime, i);
		pavane_crawl_spawn(crawls[i]);
	}
	ok(!pavane_runtime_close(runtime),
	    "what crawls share is not closed before they are");
	for (unsigned i = 0; i < CRAWLS; i++) {
		finished += pavane_crawl_join(crawls[i]) == PAVANE_FINISHED &&
			    pavane_crawl_progress(crawls[i])->pages >= PAGES;
		pavane_crawl_close(crawls[i]);
	}
	ok(finished == CRAWLS, "each crawl comes to its end with all pages");
	size_t most = most_at_once(scene);
	ok(most <= PLACES && most > 1,
	    "together they have no more requests in flight (%zu)", most);
	ok(pavane_runtime_close(runtime), "and then it is closed");
}

/* A program that has other things to do than to step one of its crawls. */
static void test_not_stepped(struct scene *scene)
{
	struct pavane_runtime_options options =
	    PAVANE_INIT(struct pavane_runtime_options);
	options.concurrency = PLACES;
	struct pavane_runtime *runtime = pavane_runtime_open(&options);
	struct pavane_crawl *idle = open_crawl(scene, runtime, 0);
	struct pavane_crawl *busy = open_crawl(scene, runtime, 1);
	struct pollfd wait = {pavane_crawl_fd(idle), POLLIN, 0};
	pavane_crawl_start(idle);
	while (!pavane_crawl_progress(idle)->pages) {
		poll(&wait, 1, pavane_crawl_timeout_ms(idle));
		pavane_crawl_step(idle);
	}
	ok(pavane_crawl_run(busy) == PAVANE_FINISHED &&
		pavane_crawl_progress(busy)->pages >= PAGES,
	    "a crawl that is not stepped keeps no other from its end");
	pavane_crawl_close(idle);
	pavane_crawl_close(busy);
	ok(pavane_runtime_close(runtime), "and leaves what they shared");
}

/* A rate of all crawls */

static int64_t since_first_us(const struct log_view *view, size_t i)
{
	return view->records[i].begin_us - view->records[0].begin_us;
}

/* The request that may not begin before the next tick comes that much too early;
 * the first one takes some time until it is there. */
static int64_t earliest_ms(const struct log_view *view)
{
	int64_t least_ms = 0;
	for (size_t i = 0; i < view->count; i++) {
		int64_t due_ms = (int64_t)(i / RATE) * INTERVAL_MS;
		int64_t is_ms = since_first_us(view, i) / 1000 - due_ms;
		least_ms = is_ms < least_ms ? is_ms : least_ms;
	}
	return least_ms;
}

/* Of the first requests, those of the crawl that had fewest. */
static size_t least_of(const struct log_view *view, size_t count)
{
	struct log_view first = *view;
	size_t least = SIZE_MAX;
	first.count = count;
	for (unsigned i = 0; i < CRAWLS; i++) {
		char host[32];
		snprintf(host, sizeof(host), "127.0.0.%u*", i + 1);
		size_t had = log_count(&first, host, NULL);
		least = had < least ? had : least;
	}
	return least;
}

static void run_all(struct scene *scene, struct pavane_runtime *runtime)
{
	struct pavane_crawl *crawls[CRAWLS];
	for (unsigned i = 0; i < CRAWLS; i++)
		crawls[i] = open_crawl(scene, runtime, i);
	for (unsigned i = 0; i < CRAWLS; i++)
		pavane_crawl_spawn(crawls[i]);
	for (unsigned i = 0; i < CRAWLS; i++) {
		pavane_crawl_join(crawls[i]);
		pavane_crawl_close(crawls[i]);
	}
}

static void test_rate(struct scene *scene)
{
	struct pavane_runtime_options options =
	    PAVANE_INIT(struct pavane_runtime_options);
	struct log_view before = log_view_of(scene->server);
	options.rate = RATE;
	options.rate_interval_ms = INTERVAL_MS;
	struct pavane_runtime *runtime = pavane_runtime_open(&options);
	run_all(scene, runtime);
	struct log_view view = log_view_of(scene->server);
	struct log_view part = view;
	part.records += before.count;
	part.count -= before.count;
	ok(part.count > CRAWLS * PAGES && earliest_ms(&part) > -100,
	    "P1: together crawls keep the rate of all (%zu requests in %lld "
	    "ms, %lld ms early)",
	    part.count, (long long)since_first_us(&part, part.count - 1) / 1000,
	    (long long)-earliest_ms(&part));
	size_t least = least_of(&part, AMONG);
	ok(least >= AMONG / CRAWLS * 7 / 10,
	    "with equal parts: of %u requests %zu are of the one that had "
	    "fewest",
	    AMONG, least);
	log_view_finish(&before);
	log_view_finish(&view);
	pavane_runtime_close(runtime);
}

static void test_options(void)
{
	ok(!pavane_runtime_open(
	       &(struct pavane_runtime_options){.threads = 1}) &&
		!pavane_runtime_open(NULL),
	    "options without their size are refused");
	ok(pavane_runtime_close(NULL), "none is closed as well");
}

/* Pauses of all crawls */

static size_t count_requests(struct scene *scene, const char *host)
{
	struct server_record record;
	size_t count = 0;
	for (size_t i = 0; server_log_get(scene->server, i, &record); i++)
		count += pv_str_starts(record.host, pv_str_of(host));
	return count;
}

static bool step(struct pavane_crawl *crawl)
{
	struct pollfd wait = {pavane_crawl_fd(crawl), POLLIN, 0};
	poll(&wait, 1, pavane_crawl_timeout_ms(crawl));
	return pavane_crawl_step(crawl);
}

/* Until it has told of itself again. */
static void step_for_a_beat(struct pavane_crawl *crawl)
{
	int64_t elapsed_ms = pavane_crawl_progress(crawl)->elapsed_ms;
	while (pavane_crawl_progress(crawl)->elapsed_ms == elapsed_ms)
		step(crawl);
}

static void test_pauses(struct scene *scene)
{
	struct pavane_runtime_options options =
	    PAVANE_INIT(struct pavane_runtime_options);
	struct pavane_runtime *runtime = pavane_runtime_open(&options);
	size_t before = count_requests(scene, "127.0.0.1");
	ok(pavane_runtime_pause_host(runtime, "127.0.0.1", 0, "it moves"),
	    "a host is paused in all crawls");
	struct pavane_crawl *crawl = open_crawl(scene, runtime, 0);
	pavane_crawl_start(crawl);
	step_for_a_beat(crawl);
	step_for_a_beat(crawl);
	ok(count_requests(scene, "127.0.0.1") == before,
	    "one that is opened later requests nothing of it");
	ok(strstr(pavane_crawl_progress(crawl)->note,
	       "127.0.0.1 is paused since") &&
		strstr(pavane_crawl_progress(crawl)->note, "(it moves)"),
	    "and says what it waits for: %s",
	    pavane_crawl_progress(crawl)->note);
	ok(pavane_runtime_resume_host(runtime, "127.0.0.1") &&
		!pavane_runtime_resume_host(runtime, "127.0.0.1"),
	    "it is resumed once");
	while (count_requests(scene, "127.0.0.1") < before + PAGES / 2)
		step(crawl);
	ok(pavane_runtime_pause_host(runtime, "127.0.0.1:80", 0, NULL),
	    "while it is requested, it is paused again");
	while (pavane_crawl_progress(crawl)->in_flight)
		step(crawl);
	before = count_requests(scene, "127.0.0.1");
	step_for_a_beat(crawl);
	step_for_a_beat(crawl);
	ok(count_requests(scene, "127.0.0.1") == before,
	    "nothing more is requested when what was in flight has ended");
	ok(pavane_runtime_pause_host(runtime, "127.0.0.1", 1, NULL),
	    "a pause is changed to one that is over");
	while (step(crawl))
		continue;
	pavane_crawl_close(crawl);
	ok(count_requests(scene, "127.0.0.1") > before,
	    "then the crawl goes on to its end");
	ok(!pavane_runtime_pause_host(runtime, "a b", 0, NULL) &&
		!pavane_runtime_pause_host(runtime, "", 0, NULL) &&
		!pavane_runtime_pause_host(runtime, NULL, 0, NULL),
	    "what is no host is not paused");
	pavane_runtime_close(runtime);
}

int main(void)
{
	struct scene scene;
	scene_open(&scene);
	end_after(SECONDS);
	test_ceiling(&scene);
	test_not_stepped(&scene);
	test_pauses(&scene);
	test_rate(&scene);
	test_options();
	end_after(0);
	scene_close(&scene);
	return tap_done();
}
