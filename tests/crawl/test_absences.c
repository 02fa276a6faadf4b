#include <time.h>

#include "crawl/polite_scene.h"

/* The program is stopped in mid-crawl and goes on (SIGSTOP, SIGCONT), while
 * deadlines pass, a body is under way, and ticks go by: no burst follows, no
 * host is blamed, and nothing stalls (P1, P2). */

#define AWAY_MS 3000
#define DELAY_MS 100
#define HOSTS 6
#define RATE 8
#define TICK_MS 500

/* A request is seen some time after its release: where ticks stand at both ends
 * of a span, one that is late on a busy machine and one that is not are closer
 * together than they were released. A burst would still be seen: after three
 * seconds it is of six ticks. */
#define LATE_MS 450

static const struct server_route routes[] = {
    {.host = "slow.test",
	.path = "/p*",
	.answer = {.kind = SERVER_PATTERN,
	    .type = "text/plain",
	    .size = 36,
	    .body_pace = {.piece = 1, .pause_ms = 150}}},
    {.host = "late.test",
	.path = "/p*",
	.answer = {.body = "late", .head_pace = {.delay_ms = 5200}}},
    {.path = "/p*", .answer = {.body = "a page"}},
};

static const struct polite_host hosts[] = {
    {"a", "p{1..20}", NULL, 0},
    {"b", "p{1..20}", NULL, 0},
    {"c", "p{1..20}", NULL, 0},
    {"d", "p{1..20}", NULL, 0},
    {"slow", "p1", NULL, 0},
    {"late", "p1", NULL, 0},
};

#define POLICY                                                       \
	"politeness: {delay: 100ms, delay_factor: 0, ip_delay: 0,\n" \
	"  backoff: {failure: 10m, overload: 10m}}\n"                \
	"limits: {wait: none}\n"

/* Until the two are under way that last longer than the stop. */
static void wait_for_both(struct crawl_scene *scene)
{
	size_t seen = 0;
	while ((!polite_asked(scene, "late.test", "/p1") ||
		   !polite_asked(scene, "slow.test", "/p1")) &&
	       server_wait(scene->server, seen + 1, HANG_MS))
		seen = server_log_count(scene->server);
}

static void stop_for(struct crawl_scene *scene, int ms)
{
	struct timespec away = {
	    .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
	program_signal(scene->program, SIGSTOP);
	nanosleep(&away, NULL);
	program_signal(scene->program, SIGCONT);
}

/* When the most requests of the crawl's whole began within so long. */
static void judge_bucket(struct crawl_scene *scene, int64_t span_ms)
{
	struct log_view view = polite_view(scene, NULL, NULL);
	size_t most = log_most_within(&view, LOG_TOGETHER, span_ms - LATE_MS);
	int64_t ticks = (span_ms + TICK_MS - 1) / TICK_MS;
	size_t allowed = RATE + RATE * (size_t)ticks;
	log_view_finish(&view);
	ok(most <= allowed,
	    "P1: no more than %zu requests begin within %lld ms (%zu)", allowed,
	    (long long)(span_ms - LATE_MS), most);
}

static void judge(struct crawl_scene *scene, int away_ms)
{
	struct log_view view = polite_view(scene, NULL, NULL);
	int64_t gap_us = log_shortest_gap(&view, LOG_BY_HOST).us;
	size_t at_once = log_most_at_once(&view, LOG_BY_HOST);
	log_view_finish(&view);
	ok(gap_us >= DELAY_MS * 1000,
	    "P1: each host has its delay, as if nothing had been (%.1f ms)",
	    (double)gap_us / 1000);
	ok(at_once == 1, "P1: and one request at a time (%zu)", at_once);
	judge_bucket(scene, TICK_MS);
	judge_bucket(scene, 2 * TICK_MS);
	judge_bucket(scene, away_ms);
	ok(crawl_scene_lines(scene, "\"final\":true", "\"status\":200", NULL) ==
		82,
	    "P3: all pages have come, those under way among them (%zu)",
	    crawl_scene_lines(scene, "\"final\":true", "\"status\":200", NULL));
	ok(crawl_scene_lines(scene, "\"outcome\":\"timeout\"", NULL) == 0,
	    "P2: no host is blamed for the time that was ours");
}

/* Since before a page is asked for, robots.txt is: 6 and 82 requests, 16 a
 * second. */
static void test_stopped(int away_ms)
{
	struct crawl_scene scene;
	struct polite_plan plan = {POLITE_HOSTS(hosts), POLITE_ROUTES(routes),
	    .policy = POLICY, .rate = "max_rate: 8, interval: 500ms",
	    .timeouts = "connect: 1s, first_byte: 4s, stall: 1s, total: 5s"};
	if (!polite_open(&scene, &plan))
		return;
	crawl_scene_start(&scene);
	wait_for_both(&scene);
	stop_for(&scene, away_ms);
	int status = crawl_scene_wait(&scene, HANG_MS);
	ok(status == 0, "it finishes, stopped for %d ms (%d)", away_ms, status);
	ok(scene.end.wall_ms < away_ms + HANG_MS / 2,
	    "and soon: nothing stalls (%lld ms)", (long long)scene.end.wall_ms);
	judge(&scene, away_ms);
	crawl_scene_close(&scene);
}

int main(int argc, char **argv)
{
	test_stopped(argc > 1 ? atoi(argv[1]) : AWAY_MS);
	return tap_done();
}
