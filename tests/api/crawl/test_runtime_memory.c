#include "pavane/pavane.h"

#include <sched.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/file.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* The memory of caches of crawls that stay open, each of which knows many addresses
 * and waits for its host. With PAVANE_CRAWLS there are so many of them, and what
 * the whole process takes is printed. */

#define CRAWLS 6
#define PAGES 20
#define LINKS 30000 /* on all of them */
#define SECONDS 200
#define MIB ((size_t)1 << 20)
#define CEILING (2 * CRAWLS * MIB)

/* Beside caches: statements, and pages that a transaction needs. */
#define BESIDE (3 * CRAWLS * MIB)

/* Pages with links of their own; behind those the host asks to be left alone. */
static struct pv_buf pages[PAGES];

static bool answer(
    void *ctx, const struct server_request *request, struct server_answer *made)
{
	struct pv_str path = request->path;
	unsigned long number = 0;
	(void)ctx;
	if (pv_str_starts(path, PV_STR("/page/")))
		number = strtoul(pv_str_bytes(path) + 6, NULL, 10);
	if (pv_str_ends(path, PV_STR("robots.txt")))
		made->status = 404;
	else if (number && number <= PAGES)
		made->body = pv_buf_text(&pages[number - 1]);
	else
		*made = (struct server_answer){
		    .status = 503, .headers = "Retry-After: 7200\r\n"};
	return true;
}

static void write_pages(void)
{
	for (unsigned i = 0; i < PAGES; i++) {
		pv_buf_init(&pages[i], SIZE_MAX);
		for (unsigned j = 0; j < LINKS / PAGES; j++)
			pv_buf_append_format(&pages[i],
			    "<a href='/%u/%0100u/'>%u</a>\n", i, j, j);
	}
}

static void finish_pages(void)
{
	for (unsigned i = 0; i < PAGES; i++)
		pv_buf_finish(&pages[i]);
}

static struct pavane_policy *load(const struct server *server, unsigned number)
{
	char texts[PAGES][64];
	const char *addresses[PAGES];
	const struct pavane_setting settings[] = {
	    {NULL, "politeness.delay=1ms"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "rate.max_rate=1000"},
	};
	for (unsigned i = 0; i < PAGES; i++) {
		snprintf(texts[i], sizeof(texts[i]),
		    "http://127.0.1.%u:%u/page/%u", number + 1,
		    (unsigned)server_port(server), i + 1);
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

struct scene {
	struct server *server;
	struct scratch scratch;
	struct pavane_runtime *runtime;
	unsigned count;
	struct pavane_policy *policies[250];
	struct pavane_crawl *crawls[250];
};

static void step_all(struct scene *scene)
{
	for (unsigned i = 0; i < scene->count; i++)
		pavane_crawl_step(scene->crawls[i]);
	sched_yield();
}

/* One more crawl, once it knows all. */
static bool add_crawl(struct scene *scene)
{
	char name[16];
	unsigned number = scene->count;
	snprintf(name, sizeof(name), "crawl%u", number);
	const struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = scratch_file(&scene->scratch, name),
	    .state_dir = scene->scratch.path,
	    .is_fresh = true,
	    .runtime = scene->runtime,
	    .progress_ms = 20,
	};
	scene->policies[number] = load(scene->server, number);
	scene->crawls[number] =
	    pavane_crawl_open(scene->policies[number], &options);
	if (!scene->crawls[number] ||
	    !pavane_crawl_start(scene->crawls[number]))
		return false;
	scene->count++;
	while (pavane_crawl_progress(scene->crawls[number])->known < LINKS)
		step_all(scene);
	return true;
}

static void open_scene(struct scene *scene, size_t cache_bytes)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct pavane_runtime_options options =
	    PAVANE_INIT(struct pavane_runtime_options);
	options.cache_bytes = cache_bytes;
	*scene = (struct scene){.runtime = pavane_runtime_open(&options)};
	scene->server = server_start(
	    &(struct server_plan){.addresses = everywhere, .answer = answer});
	scratch_make(&scene->scratch);
}

static void close_scene(struct scene *scene)
{
	for (unsigned i = 0; i < scene->count; i++) {
		pavane_crawl_close(scene->crawls[i]);
		pavane_policy_destroy(scene->policies[i]);
	}
	pavane_runtime_close(scene->runtime);
	scratch_remove(&scene->scratch);
	server_stop(scene->server);
}

static size_t taken(void)
{
	return (size_t)sqlite3_memory_used();
}

static void test_ceiling(void)
{
	struct scene scene;
	open_scene(&scene, 0);
	add_crawl(&scene);
	size_t alone = taken();
	add_crawl(&scene);
	size_t free_of_ceiling = taken();
	close_scene(&scene);
	open_scene(&scene, CEILING);
	size_t before = taken();
	add_crawl(&scene);
	size_t first = taken() - before;
	while (scene.count < CRAWLS && add_crawl(&scene))
		continue;
	size_t all = taken() - before;
	while (all > CEILING + BESIDE) {
		step_all(&scene);
		all = taken() - before;
	}
	ok(alone > 5 * MIB && free_of_ceiling > alone * 3 / 2,
	    "two crawls that share no ceiling take twice as much as one (%zu "
	    "and %zu KiB)",
	    free_of_ceiling >> 10, alone >> 10);
	ok(first > 5 * MIB, "one has as much, as long as it is alone (%zu KiB)",
	    first >> 10);
	ok(all <= CEILING + BESIDE,
	    "P5: %u have their parts of it, and who was there first leaves the "
	    "others theirs (%zu KiB)",
	    (unsigned)CRAWLS, all >> 10);
	close_scene(&scene);
}

static size_t resident(void)
{
	struct pv_buf status;
	pv_buf_init(&status, 64 << 10);
	pv_file_read("/proc/self/status", &status);
	const char *line = strstr(pv_buf_text(&status), "VmRSS:");
	size_t kib = line ? strtoul(line + 6, NULL, 10) : 0;
	pv_buf_finish(&status);
	return kib;
}

static void measure(unsigned crawls, size_t cache_bytes)
{
	struct scene scene;
	open_scene(&scene, cache_bytes);
	while (scene.count < crawls && add_crawl(&scene)) {
		if (scene.count % 10 == 0 || scene.count == 1)
			printf(
			    "# %u crawls: %zu MiB resident, %zu MiB SQLite\n",
			    scene.count, resident() >> 10, taken() >> 20);
	}
	close_scene(&scene);
}

int main(void)
{
	const char *crawls = getenv("PAVANE_CRAWLS");
	const char *mib = getenv("PAVANE_CACHE_MIB");
	write_pages();
	if (crawls) {
		measure((unsigned)strtoul(crawls, NULL, 10),
		    (mib ? strtoul(mib, NULL, 10) : 0) * MIB);
	} else {
		end_after(SECONDS);
		test_ceiling();
		end_after(0);
	}
	finish_pages();
	return tap_done();
}
