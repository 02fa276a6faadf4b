#include <sys/resource.h>

#include "crawl/patience.h"
#include "crawl/scene.h"

/* A machine that has too few descriptors for what the policy allows
 * (hostile.md, 23): there are fewer requests at once, and no host is blamed. */

#define HOSTS 20
#define PAGES 3
#define DESCRIPTORS 48

static struct site site = {.pages = PAGES, .links = 2, .latency_ms = 100};

static void write_policy(struct crawl_scene *scene)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	pv_buf_append_text(&text, "version: 1\nseeds:\n");
	for (unsigned i = 0; i < HOSTS; i++)
		pv_buf_append_format(
		    &text, "  - \"http://h%u.test:PORT/\"\n", i);
	pv_buf_append_text(&text,
	    "rate: {max_rate: 200, interval: 100ms, concurrency: 100}\n"
	    "politeness: {delay: 50ms, delay_from: start, delay_factor: 0, "
	    "ip_delay: 0}\n"
	    "output: {mirror: {rewrite: false}}\n"
	    "fetch:\n  retries: 0\n  resolve:\n");
	for (unsigned i = 0; i < HOSTS; i++)
		pv_buf_append_format(
		    &text, "    h%u.test: \"127.67.0.%u\"\n", i, i + 1);
	crawl_scene_policy(scene, pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* Starts the program with so few descriptors; we keep ours. */
static void start(struct crawl_scene *scene)
{
	static const char *const arguments[] = {
	    "crawl", "policy.yaml", "-o", "o", NULL};
	struct rlimit ours, few;
	getrlimit(RLIMIT_NOFILE, &ours);
	few = (struct rlimit){DESCRIPTORS, ours.rlim_max};
	setrlimit(RLIMIT_NOFILE, &few);
	scene->program = program_start(&scene->home, arguments);
	setrlimit(RLIMIT_NOFILE, &ours);
}

static void judge(struct crawl_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	/* Each host's pages and its robots.txt. */
	size_t asked = log_count(&view, NULL, "/*");
	ok(asked == HOSTS * (PAGES + 1),
	    "all pages are asked for, none of them twice for want of a "
	    "descriptor for its file (%zu)",
	    asked);
	ok(log_most_at_once(&view, LOG_TOGETHER) < DESCRIPTORS,
	    "with fewer requests at once than there are descriptors (%zu)",
	    log_most_at_once(&view, LOG_TOGETHER));
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
	ok(gap.us >= 50000, "P1: at no host's expense (%.1f ms)",
	    (double)gap.us / 1000);
	log_view_finish(&view);
	ok(crawl_scene_lines(scene, "\"status\":200",
	       "\"file\":", "\"final\":true", NULL) == HOSTS * PAGES,
	    "P3: and all are kept");
	ok(crawl_scene_lines(scene, "\"final\":true", NULL) == HOSTS * PAGES,
	    "each with one last line");
	ok(crawl_scene_lines(scene, "\"attempt\":2", NULL) == 0,
	    "P2: what was not to be had here counts as nobody's failure (%zu)",
	    crawl_scene_lines(scene, "\"attempt\":2", NULL));
}

int main(void)
{
	static const char *const everywhere[] = {"127.0.0.0/8", NULL};
	struct server_plan plan = {
	    .addresses = everywhere, .answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "%d hosts are there", HOSTS))
		return tap_done();
	write_policy(&scene);
	start(&scene);
	int status = crawl_scene_wait(&scene, HANG_MS);
	if (!ok(status == 0, "the crawl finishes (%d)", status))
		crawl_scene_show(&scene);
	ok(program_says(scene.program, "fewer requests", 0),
	    "P4: and says that there were too few descriptors");
	judge(&scene);
	crawl_scene_close(&scene);
	return tap_done();
}
