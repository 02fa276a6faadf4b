#include <ftw.h>

#include "crawl/scene.h"
#include "random.h"
#include "together.h"

/* Stopping, being killed, and going on (P3, P6). */

#define PAGES 120

static const char policy[] =
    "version: 1\n"
    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
    "rate: {max_rate: 1000, interval: 100ms, concurrency: 8}\n"
    "politeness: {delay: 0, ip_delay: 0, delay_factor: 0, connections: 8}\n"
    "output: {}\n";

/* No run gets further than that, however late it is stopped. */
#define QUOTA(count)                                                   \
	"version: 1\n"                                                 \
	"seeds: [\"http://127.0.0.1:PORT/\"]\n"                        \
	"rate: {max_rate: " #count ", interval: 1h, concurrency: 8}\n" \
	"limits: {wait: none}\n"                                       \
	"politeness: {delay: 0, ip_delay: 0, delay_factor: 0, "        \
	"connections: 8}\n"                                            \
	"output: {}\n"

static struct site site = {.pages = PAGES, .links = 15, .latency_ms = 15};

/* How often each page was asked for. */
struct asked {
	unsigned counts[PAGES];
	unsigned robots;
};

static struct asked count_asked(struct crawl_scene *scene)
{
	struct asked asked = {.robots = 0};
	struct log_view view = log_view_of(scene->server);
	for (size_t i = 0; i < view.count; i++) {
		uint32_t page;
		if (site_page(&site, view.records[i].target, &page))
			asked.counts[page]++;
		else
			asked.robots++;
	}
	log_view_finish(&view);
	return asked;
}

static unsigned most(const struct asked *asked)
{
	unsigned most = 0;
	for (unsigned i = 0; i < PAGES; i++) {
		if (asked->counts[i] > most)
			most = asked->counts[i];
	}
	return most;
}

static unsigned sum(const struct asked *asked)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < PAGES; i++)
		sum += asked->counts[i];
	return sum;
}

static unsigned missing(const struct asked *asked)
{
	unsigned count = 0;
	for (unsigned i = 0; i < PAGES; i++)
		count += !asked->counts[i];
	return count;
}

/* So many more requests than there were, or all that are left. */
static size_t some_more(const struct crawl_scene *scene, size_t more)
{
	size_t wanted = server_log_count(scene->server) + more;
	return wanted < PAGES + 1 ? wanted : PAGES + 1;
}

/* Stopped at a dozen moments at least, each page is asked for once over all
 * runs. */
static void test_stopping(void)
{
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	struct random random = {4711};
	unsigned stops = 0;
	bool is_right = true, is_whole = true;
	if (!ok(crawl_scene_open(&scene, &plan), "a server is there"))
		return;
	crawl_scene_policy(&scene, QUOTA(9));
	for (unsigned run = 0; server_log_count(scene.server) <= PAGES; run++) {
		int status;
		crawl_scene_start(&scene);
		server_wait(scene.server,
		    some_more(&scene, 1 + random_below(&random, 8)), HANG_MS);
		program_signal(scene.program, run % 2 ? SIGINT : SIGTERM);
		status = crawl_scene_wait(&scene, HANG_MS);
		stops += status == 3;
		is_whole =
		    is_whole &&
		    access(home_file(&scene.home, "o/state.db-wal"), F_OK) != 0;
		/* The last one may end before it is stopped. */
		bool is_last = server_log_count(scene.server) > PAGES;
		is_right = is_right && (status == 3 || (!status && is_last));
	}
	struct asked asked = count_asked(&scene);
	ok(is_right && stops >= 12,
	    "a stopped crawl exits with 3 and is gone on with (%u stops)",
	    stops);
	ok(is_whole, "P3: a small state is one whole file after each of them");
	crawl_scene_policy(&scene, policy);
	crawl_scene_ends(&scene, 0, "the last run finishes");
	asked = count_asked(&scene);
	ok(!missing(&asked), "no page is lost (%u)", missing(&asked));
	ok(most(&asked) == 1,
	    "each page is asked for exactly once over all runs (%u)",
	    most(&asked));
	crawl_scene_ends(&scene, 0, "a finished crawl says so");
	asked = count_asked(&scene);
	ok(sum(&asked) == PAGES, "and asks nothing (%u)", sum(&asked));
	ok(access(home_file(&scene.home, "o/state.db"), F_OK) == 0 &&
		access(home_file(&scene.home, "o/state.db-wal"), F_OK) != 0,
	    "P3: what it leaves is one whole state.db");
	crawl_scene_close(&scene);
}

/* Killed at twenty moments: nothing is lost, and at most what was open is
 * asked for again. No run is complete: it is killed once it has sent what it
 * was to, or has sent nothing for a while. */
static void test_killing(void)
{
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	struct random random = {815};
	unsigned kills = 0;
	if (!ok(crawl_scene_open(&scene, &plan), "a server is there"))
		return;
	crawl_scene_policy(&scene, QUOTA(12));
	for (unsigned run = 0; run < 20; run++) {
		crawl_scene_start(&scene);
		size_t wanted =
		    server_log_count(scene.server) + random_below(&random, 12);
		server_wait(scene.server, wanted, 400);
		program_signal(scene.program, SIGKILL);
		kills += crawl_scene_wait(&scene, HANG_MS) == -1;
	}
	ok(kills >= 10, "it is killed (%u times)", kills);
	crawl_scene_policy(&scene, policy);
	crawl_scene_ends(&scene, 0, "and finishes all the same");
	struct asked asked = count_asked(&scene);
	ok(!missing(&asked), "no page is lost (%u)", missing(&asked));
	crawl_scene_ends(&scene, 0, "then it is complete");
	struct asked again = count_asked(&scene);
	ok(sum(&again) == sum(&asked), "and asks nothing");
	ok(crawl_scene_lines(&scene, "\"final\":true", NULL) == PAGES,
	    "each page has one last line in the journal (%zu)",
	    crawl_scene_lines(&scene, "\"final\":true", NULL));
	crawl_scene_close(&scene);
}

/* A second run in the same directory is refused; the first one is there until it
 * is stopped. */
static void test_second(void)
{
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct crawl_scene scene;
	struct program_end end;
	struct pv_buf said;
	if (!ok(crawl_scene_open(&scene, &plan), "a server is there"))
		return;
	crawl_scene_policy(&scene, QUOTA(9));
	crawl_scene_start(&scene);
	server_wait(scene.server, 2, HANG_MS);
	pv_buf_init(&said, 1 << 20);
	program_run(&scene.home,
	    (const char *const[]){
		"crawl", "policy.yaml", "-o", "o", "-q", NULL},
	    &said, &end);
	ok(end.status == 1 && strstr(pv_buf_text(&said), "another") != NULL,
	    "a second process on the directory is refused, and told why");
	pv_buf_finish(&said);
	server_wait(scene.server, 9, HANG_MS);
	program_signal(scene.program, SIGINT);
	ok(crawl_scene_wait(&scene, HANG_MS) == 3 &&
		server_log_count(scene.server) == 9,
	    "the first one goes on");
	crawl_scene_close(&scene);
}

/* From every moment: where nothing answers, the first signal waits as long as
 * drain_timeout says, and the second not at all. But for that nothing would end
 * within the hour. */
struct moment {
	const char *name;
	struct server_route route;
	size_t requests; /* that have come by then */
};

static const struct moment moments[] = {
    {"while robots.txt does not answer",
	{.path = "/robots.txt", .answer = {.fault = {.kind = SERVER_STALL}}},
	1},
    {"while a page does not answer",
	{.path = "/", .answer = {.fault = {.kind = SERVER_STALL}}}, 2},
    {"in a slow body",
	{.path = "/",
	    .answer = {.kind = SERVER_PATTERN,
		.size = 1000000,
		.body_pace = {.piece = 10, .pause_ms = 50}}},
	2},
};

#define MOMENT(drain)                                                \
	"version: 1\n"                                               \
	"seeds: [\"http://127.0.0.1:PORT/\"]\n"                      \
	"fetch: {timeout: {first_byte: 1h, stall: 1h, total: 1h}}\n" \
	"stop: {drain_timeout: " drain "}\n"                         \
	"output: {}\n"

static void stop_at(const struct moment *moment, unsigned signals)
{
	struct server_plan plan = {.routes = &moment->route,
	    .route_count = 1,
	    .answer = site_answer,
	    .ctx = &site};
	struct crawl_scene scene;
	if (!crawl_scene_open(&scene, &plan))
		return;
	crawl_scene_policy(
	    &scene, signals > 1 ? MOMENT("1h") : MOMENT("100ms"));
	crawl_scene_start(&scene);
	server_wait(scene.server, moment->requests, HANG_MS);
	program_signal(scene.program, SIGINT);
	/* The same signal twice in an instant would be one. */
	if (signals > 1)
		program_signal(scene.program, SIGTERM);
	int status = crawl_scene_wait(&scene, HANG_MS);
	ok(status == 3, "%s, %u signals end it with 3 (%d)", moment->name,
	    signals, status);
	crawl_scene_close(&scene);
}

static void test_moments(unsigned signals)
{
	for (size_t i = 0; i < sizeof(moments) / sizeof(*moments); i++)
		stop_at(&moments[i], signals);
}

static int remove_one(
    const char *path, const struct stat *facts, int type, struct FTW *at)
{
	(void)facts;
	(void)type;
	(void)at;
	return remove(path);
}

/* Somebody removes what a crawl has, while it runs: for an hour and more, and
 * nothing is written for long. */
static void test_removed(void)
{
	struct site slow = {.pages = 500, .links = 5, .latency_ms = 5};
	struct server_plan plan = {.answer = site_answer, .ctx = &slow};
	struct crawl_scene scene;
	if (!ok(crawl_scene_open(&scene, &plan), "a slow server is there"))
		return;
	crawl_scene_policy(&scene, "version: 1\n"
				   "seeds: [\"http://127.0.0.1:PORT/\"]\n"
				   "politeness: {delay: 1m, ip_delay: 0}\n"
				   "domains: {127.0.0.1: {robots: ignore}}\n"
				   "output: {mirror: {}}\n");
	crawl_scene_start(&scene);
	server_wait(scene.server, 1, HANG_MS);
	nftw(home_file(&scene.home, "o"), remove_one, 16, FTW_DEPTH | FTW_PHYS);
	int status = crawl_scene_wait(&scene, HANG_MS);
	ok(status == 1,
	    "P3: that its directory was removed ends a crawl with 1 (%d)",
	    status);
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_errors(scene.program, &said);
	if (!ok(strstr(pv_buf_text(&said), "state.db was removed") &&
		    strstr(pv_buf_text(&said), "nothing is saved") &&
		    !strstr(pv_buf_text(&said), "the state is saved"),
		"P4: which is said as it is"))
		printf("# %s\n", pv_buf_text(&said));
	pv_buf_finish(&said);
	ok(access(home_file(&scene.home, "o/site"), F_OK) != 0,
	    "and nothing is made anew");
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {.most = 3};
	together(&all, test_stopping());
	together(&all, test_killing());
	together(&all, test_second());
	together(&all, test_moments(1));
	together(&all, test_moments(2));
	together(&all, test_removed());
	together_end(&all);
	return tap_done();
}
