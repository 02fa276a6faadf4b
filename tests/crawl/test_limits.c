#include "crawl/patience.h"
#include "base/pieces.h"
#include "crawl/scene.h"
#include "mirror/files/extension.h"
#include "together.h"

/* The limits of a policy, as the server sees them, and going on after them
 * (P5). */

#define PAGES 40
#define PAGE_BYTES 10000

static struct site site = {.pages = PAGES, .links = 39, .size = PAGE_BYTES};

#define BEGINNING                                                     \
	"version: 1\n"                                                \
	"seeds: [\"http://a.test:PORT/\", \"http://b.test:PORT/\"]\n" \
	"rate: {max_rate: 1000, interval: 100ms, concurrency: 8}\n"   \
	"politeness: {delay: 20ms, delay_from: start, ip_delay: 0, "  \
	"delay_factor: 0, connections: 4}\n"                          \
	"fetch: {resolve: {a.test: \"127.70.0.1\", b.test: "          \
	"\"127.70.0.2\"}}\n"

static bool begin(
    struct crawl_scene *scene, const struct site *pages, const char *limits)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {.addresses = everywhere,
	    .answer = site_answer,
	    .ctx = (void *)(uintptr_t)pages};
	struct pv_buf text;
	if (!ok(crawl_scene_open(scene, &plan), "two hosts are there"))
		return false;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_text(&text, BEGINNING);
	pv_buf_append_text(&text, limits);
	if (!strstr(limits, "output:"))
		pv_buf_append_text(&text, "output: {}\n");
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
	return true;
}

/* All requests but those for robots.txt. */
static size_t pages_asked(struct crawl_scene *scene, const char *host)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = log_count(&view, host, NULL) -
		       log_count(&view, host, "/robots.txt");
	log_view_finish(&view);
	return count;
}

static void set(struct crawl_scene *scene, const char *limit)
{
	const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", "o", "-q", "--set", limit, NULL};
	program_destroy(scene->program);
	scene->program = program_start(&scene->home, arguments);
}

static void test_pages(void)
{
	struct crawl_scene scene;
	if (begin(&scene, &site, "limits: {pages: 25}\n")) {
		crawl_scene_ends(&scene, 4, "limits.pages ends a crawl with 4");
		ok(pages_asked(&scene, NULL) == 25,
		    "after exactly so many pages (%zu)",
		    pages_asked(&scene, NULL));
		crawl_scene_ends(&scene, 4, "a further run does so at once");
		ok(pages_asked(&scene, NULL) == 25, "and asks for nothing");
		set(&scene, "limits.pages=30");
		ok(crawl_scene_wait(&scene, HANG_MS) == 4 &&
			pages_asked(&scene, NULL) == 30,
		    "a larger limit lets so many more in (%zu)",
		    pages_asked(&scene, NULL));
		set(&scene, "limits.pages=none");
		ok(crawl_scene_wait(&scene, HANG_MS) == 0 &&
			pages_asked(&scene, NULL) == 2 * PAGES,
		    "P3: and none, all of them, each once (%zu)",
		    pages_asked(&scene, NULL));
	}
	crawl_scene_close(&scene);
}

static void test_bytes(void)
{
	struct crawl_scene scene;
	if (begin(&scene, &site, "limits: {bytes: 200000}\n")) {
		crawl_scene_ends(&scene, 4, "limits.bytes ends a crawl with 4");
		size_t count = pages_asked(&scene, NULL);
		ok(count >= 20 && count <= 20 + 8,
		    "after so many bytes, and what was in flight (%zu pages)",
		    count);
	}
	crawl_scene_close(&scene);
}

static int64_t last_released_ms;

static void note_released(const char *line)
{
	const char *at = strstr(line, "\"released_ms\":");
	int64_t ms =
	    at ? strtoll(at + strlen("\"released_ms\":"), NULL, 10) : 0;
	if (ms > last_released_ms)
		last_released_ms = ms;
}

static void test_time(void)
{
	struct site slow = {.pages = 1000, .links = 900, .latency_ms = 50};
	struct crawl_scene scene;
	if (begin(&scene, &slow, "limits: {time: 1s}\n")) {
		crawl_scene_ends(&scene, 4, "limits.time ends a crawl with 4");
		ok(scene.end.wall_ms >= 1000, "after so long (%lld ms)",
		    (long long)scene.end.wall_ms);
		crawl_scene_search(&scene,
		    &(struct crawl_scene_search){.on_line = note_released});
		ok(last_released_ms < 1000,
		    "and nothing is begun from then on (%lld ms)",
		    (long long)last_released_ms);
	}
	crawl_scene_close(&scene);
}

/* A mirror that takes longer to link than there is time for: what is missing is
 * said, and done by whoever has the time. */
static void test_time_of_linking(void)
{
	static const struct site large = {
	    .pages = 40000, .links = 40, .size = 2000};
	static const char *const crawl[] = {
	    "crawl", "policy.yaml", "-o", "o", NULL};
	static const char *const relink[] = {"relink", "o", NULL};
	struct program_end end;
	struct crawl_scene scene;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	if (begin(&scene, &large,
		"limits: {time: 1500ms}\nstop: {drain_timeout: 1ms}\n"
		"domains: {\"*.test\": {delay: 0}}\n"
		"output: {mirror: {}}\n")) {
		scene.program = program_start(&scene.home, crawl);
		int status = crawl_scene_wait(&scene, HANG_MS);
		ok(status == 4,
		    "what is to be linked does not move the end (%lld ms)",
		    (long long)scene.end.wall_ms);
		program_errors(scene.program, &said);
		ok(strstr(pv_buf_text(&said), "pavane relink") != NULL,
		    "P4: that it is left is said");
		program_run(&scene.home, relink, NULL, &end);
		ok(end.status == 0, "and pavane relink does it");
	}
	pv_buf_finish(&said);
	crawl_scene_close(&scene);
}

static void test_host_pages(void)
{
	struct site slow = {.pages = PAGES, .links = 39, .latency_ms = 200};
	struct crawl_scene scene;
	if (begin(&scene, &slow, "limits: {host_pages: 10}\n")) {
		crawl_scene_ends(&scene, 0,
		    "limits.host_pages leaves hosts, and the crawl finishes");
		ok(pages_asked(&scene, "a.test") == 10 &&
			pages_asked(&scene, "b.test") == 10,
		    "after so many pages of each (%zu, %zu)",
		    pages_asked(&scene, "a.test"),
		    pages_asked(&scene, "b.test"));
		ok(crawl_scene_lines(&scene, "\"reason\":\"limit\"",
		       "\"final\":true", NULL) == 2 * (PAGES - 10),
		    "P4: the others have that for their reason (%zu)",
		    crawl_scene_lines(&scene, "\"reason\":\"limit\"", NULL));
	}
	crawl_scene_close(&scene);
}

static void test_host_bytes(void)
{
	struct crawl_scene scene;
	if (begin(&scene, &site, "limits: {host_bytes: 100000}\n")) {
		crawl_scene_ends(&scene, 0,
		    "limits.host_bytes leaves hosts, and the crawl finishes");
		size_t count = pages_asked(&scene, "a.test");
		ok(count >= 10 && count <= 10 + 4,
		    "after so many bytes of each, and what was in flight "
		    "(%zu pages)",
		    count);
	}
	crawl_scene_close(&scene);
}

static size_t known(struct crawl_scene *scene)
{
	return (size_t)crawl_scene_status(scene, "\"known\":");
}

/* What is not known was found all the same: its page is read again when there is
 * room. */
static void test_known(void)
{
	struct crawl_scene scene;
	if (begin(&scene, &site, "limits: {known: 30}\n")) {
		crawl_scene_ends(&scene, 4, "limits.known ends a crawl with 4");
		size_t asked = pages_asked(&scene, NULL);
		ok(asked == 30,
		    "when all that is known has been asked for (%zu)", asked);
		crawl_scene_ends(&scene, 4, "a further run does so at once");
		ok(pages_asked(&scene, NULL) == asked, "and asks for nothing");
		set(&scene, "limits.known=50");
		ok(crawl_scene_wait(&scene, HANG_MS) == 4,
		    "a larger limit is one as well");
		ok(known(&scene) == 50, "P5: so many more are known (%zu)",
		    known(&scene));
		set(&scene, "limits.known=none");
		ok(crawl_scene_wait(&scene, HANG_MS) == 0,
		    "P3: and none, all of them");
		struct log_view view = log_view_of(scene.server);
		size_t missing = 0;
		for (int i = 0; i < PAGES; i++) {
			char path[32];
			snprintf(path, sizeof(path), i ? "/page/%d" : "/", i);
			missing += !log_count(&view, "a.test", path) +
				   !log_count(&view, "b.test", path);
		}
		log_view_finish(&view);
		ok(!missing, "without one missing (%zu)", missing);
		asked = pages_asked(&scene, NULL);
		crawl_scene_ends(&scene, 0, "another run finds all complete");
		ok(pages_asked(&scene, NULL) == asked, "and asks for nothing");
	}
	crawl_scene_close(&scene);
}

#define LARGE ((uint64_t)150 << 20)

static const struct server_route large_routes[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/large.bin",
	.answer = {.kind = SERVER_ZEROS,
	    .size = LARGE,
	    .type = "application/octet-stream"}},
    {.path = "/small.*", .answer = {.body = "small", .type = "text/html"}},
    {.path = "/large.html",
	.answer = {.kind = SERVER_ZEROS, .size = LARGE, .type = "text/html"}},
};

/* How much memory a crawl of that file takes. */
static size_t memory_of(const char *name)
{
	struct crawl_scene scene;
	struct server_plan plan = {SERVER_ROUTES(large_routes)};
	size_t bytes = 0;
	char policy[200], file[80];
	snprintf(policy, sizeof(policy),
	    "version: 1\nseeds: [\"http://127.0.0.1:PORT/%s\"]\n"
	    "fetch: {max_size: 2GiB}\noutput: {mirror: {}}\n",
	    name);
	snprintf(file, sizeof(file), "o/site/*/%s", name);
	if (ok(crawl_scene_open(&scene, &plan), "a host has %s", name)) {
		crawl_scene_policy(&scene, policy);
		crawl_scene_ends(&scene, 0, "it is kept");
		ok(crawl_scene_has(&scene, file), "under its name");
		bytes = scene.end.memory_bytes;
	}
	crawl_scene_close(&scene);
	return bytes;
}

/* A large body is in memory a piece at a time, however it is kept; of a page, so
 * much as links are looked for in. */
static void test_memory(void)
{
	size_t small = memory_of("small.html");
	size_t file = memory_of("large.bin"), page = memory_of("large.html");
	ok(small && file && file < memory_allowed(small + 2 * PV_PIECE_MAX),
	    "P5: a large file needs little more memory than a small one (%zu "
	    "MiB, and %zu)",
	    file >> 20, small >> 20);
	ok(small && page &&
		page <
		    memory_allowed(small + PV_DOCUMENT_TEXT_MAX + PV_PIECE_MAX),
	    "P5: a large page needs no more than what is read of it (%zu MiB, "
	    "and %zu)",
	    page >> 20, small >> 20);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_pages());
	together(&all, test_bytes());
	together(&all, test_time());
	together(&all, test_time_of_linking());
	together(&all, test_known());
	together(&all, test_memory());
	together(&all, test_host_pages());
	together(&all, test_host_bytes());
	together_end(&all);
	return tap_done();
}
