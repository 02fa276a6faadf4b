#include <glob.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "crawl/patience.h"
#include "crawl/polite_scene.h"
#include "together.h"

/* Clocks that jump in mid-crawl (P1, P2, P3): that on the wall by a day either
 * way, as when somebody sets it, and all of them forward, as after a machine
 * has slept whose clocks went on. Only the program's jump, by libfaketime; the
 * server's log has the true times. */

#define DELAY_MS 100
#define RATE 10
#define TICK_MS 500

/* A request is seen some time after its release: where ticks stand at both ends
 * of a span, one that is late on a busy machine and one that is not are closer
 * together than they were released. */
#define LATE_MS 450

/* Busy once, when the clock has jumped, until some seconds later by the
 * server's own clock, as a date; what that clock says stands there as well. */
#define BUSY_S 3

static void be_busy(struct server_answer *answer)
{
	time_t now = time(NULL), until = now + BUSY_S;
	struct tm tm;
	char date[64], later[64];
	strftime(date, sizeof(date), "%a, %d %b %Y %H:%M:%S GMT",
	    gmtime_r(&now, &tm));
	strftime(later, sizeof(later), "%a, %d %b %Y %H:%M:%S GMT",
	    gmtime_r(&until, &tm));
	answer->status = 503;
	pv_buf_append_format(answer->own_headers,
	    "Date: %s\r\nRetry-After: %s\r\n", date, later);
}

static bool answer_all(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		return false;
	answer->body = "a page";
	if (pv_str_equal(request->path, PV_STR("/busy")) && request->nth == 1)
		be_busy(answer);
	if (pv_str_equal(request->path, PV_STR("/slow"))) {
		answer->kind = SERVER_PATTERN;
		answer->type = "text/plain";
		answer->size = 20;
		answer->body_pace =
		    (struct server_pace){.piece = 1, .pause_ms = 150};
	}
	return true;
}

static const struct polite_host hosts[] = {
    {"a", "p{1..20}", NULL, 0},
    {"b", "p{1..20}", NULL, 0},
    {"c", "p{1..20}", NULL, 0},
    {"d", "p{1..20}", NULL, 0},
    {"busy", "p{1..12}", NULL, 0},
    {"slow", "slow", NULL, 0},
};

#define PAGES 94
#define SEEDS "  - \"http://busy.test:PORT/busy\"\n"

#define MANNERS                                                      \
	"politeness: {delay: 100ms, delay_factor: 0, ip_delay: 0,\n" \
	"  backoff: {failure: 100ms, overload: 100ms}}\n"            \
	"limits: {wait: none}\n"

/* A clock that jumps */

struct jump {
	const char *name;
	const char *by; /* as libfaketime has it */
	const char *variables;
	bool is_passed; /* the time, by all that the program can know */
};

static const struct jump jumps[] = {
    {"a day forward on the wall", "+1d", "DONT_FAKE_MONOTONIC=1", false},
    {"a day back on the wall", "-1d", "DONT_FAKE_MONOTONIC=1", false},
    {"a day forward, all clocks", "+1d", "", true},
};

static void find_library(char path[512])
{
	glob_t found;
	path[0] = '\0';
	if (glob("/usr/lib*/*/faketime/libfaketimeMT.so.1", 0, NULL, &found) ==
	    0)
		snprintf(path, 512, "%s", found.gl_pathv[0]);
	globfree(&found);
}

/* In one step, so that nobody reads half of it. */
static void set_clock(struct crawl_scene *scene, const char *by)
{
	char from[1024];
	snprintf(from, sizeof(from), "%s",
	    home_print(&scene->home, "clock.new", "%s\n", by));
	rename(from, home_file(&scene->home, "clock"));
}

/* The program under the library, as a program of its own. */
static void use_library(struct crawl_scene *scene, const char *program,
    const char *library, const struct jump *jump)
{
	char clock[1024];
	char *real = realpath(program, NULL);
	snprintf(clock, sizeof(clock), "%s", home_file(&scene->home, "clock"));
	const char *script = home_print(&scene->home, "pavane",
	    "#!/bin/sh\nexec env LD_PRELOAD=\"$LD_PRELOAD %s\" "
	    "FAKETIME_TIMESTAMP_FILE=%s "
	    "FAKETIME_NO_CACHE=1 %s %s \"$@\"\n",
	    library, clock, jump->variables, real);
	chmod(script, 0700);
	setenv("PAVANE", script, 1);
	free(real);
}

/* What was seen */

/* Where a day has passed by all clocks, that is a tick as well. */
static void judge_bucket(
    struct crawl_scene *scene, int64_t span_ms, bool is_passed)
{
	struct log_view view = polite_view(scene, NULL, NULL);
	size_t most = log_most_within(&view, LOG_TOGETHER, span_ms - LATE_MS);
	int64_t ticks = (span_ms + TICK_MS - 1) / TICK_MS + is_passed;
	size_t allowed = RATE + RATE * (size_t)ticks;
	log_view_finish(&view);
	ok(most <= allowed,
	    "P1: no more than %zu requests begin within %lld ms (%zu)", allowed,
	    (long long)(span_ms - LATE_MS), most);
}

/* And then each host has rested for a day. */
static void judge_gaps(
    struct crawl_scene *scene, const char *host, bool is_passed)
{
	char name[32];
	unsigned short_count = 0;
	snprintf(name, sizeof(name), "%s.test", host);
	struct log_view view = polite_view(scene, name, NULL);
	for (size_t i = 1; i < view.count; i++) {
		const struct server_record *record = &view.records[i];
		short_count +=
		    record->begin_us - record[-1].begin_us < DELAY_MS * 1000;
	}
	log_view_finish(&view);
	ok(short_count <= is_passed,
	    "P1: %s has its delay, but for where the day has passed (%u)", name,
	    short_count);
}

static void judge_busy(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "busy.test", "/busy");
	int64_t gap_us = log_shortest_gap(&view, LOG_BY_HOST).us;
	ok(view.count == 2 && gap_us >= (BUSY_S - 1) * 1000000,
	    "P1: who names the time at which to come again is heard (%lld ms)",
	    (long long)(gap_us / 1000));
	log_view_finish(&view);
}

static void judge_manners(struct crawl_scene *scene, bool is_passed)
{
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
		judge_gaps(scene, hosts[i].name, is_passed);
	judge_bucket(scene, TICK_MS, is_passed);
	judge_bucket(scene, 4 * TICK_MS, is_passed);
	judge_busy(scene);
	size_t robots = polite_asked(scene, NULL, "/robots.txt");
	ok(robots >= 6 && robots <= 12,
	    "robots.txt is asked for once, or once more where it has grown "
	    "old (%zu)",
	    robots);
}

static void judge_journal(struct crawl_scene *scene)
{
	ok(crawl_scene_lines(scene, "\"final\":true", "\"status\":200", NULL) ==
		PAGES,
	    "P3: all pages have come (%zu)",
	    crawl_scene_lines(scene, "\"final\":true", "\"status\":200", NULL));
	ok(crawl_scene_lines(scene, "\"outcome\":\"timeout\"", NULL) == 0,
	    "P2: no host is blamed for a clock of ours");
}

static void test_jump(
    const char *program, const char *library, const struct jump *jump)
{
	struct crawl_scene scene;
	struct polite_plan plan = {POLITE_HOSTS(hosts), .answer = answer_all,
	    .seeds = SEEDS, .policy = MANNERS,
	    .rate = "max_rate: 10, interval: 500ms"};
	if (!polite_open(&scene, &plan))
		return;
	set_clock(&scene, "+0");
	use_library(&scene, program, library, jump);
	crawl_scene_start(&scene);
	server_wait(scene.server, 30, HANG_MS);
	set_clock(&scene, jump->by);
	int status = crawl_scene_wait(&scene, HANG_MS);
	if (!ok(status == 0, "it finishes, though its clock jumps: %s (%d)",
		jump->name, status))
		crawl_scene_show(&scene);
	ok(scene.end.wall_ms < HANG_MS / 2,
	    "and soon: nothing stalls (%lld ms)", (long long)scene.end.wall_ms);
	judge_manners(&scene, jump->is_passed);
	judge_journal(&scene);
	setenv("PAVANE", program, 1);
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	char library[512], program[1024];
	const char *given = getenv("PAVANE");
	snprintf(program, sizeof(program), "%s", given ? given : "./pavane");
	find_library(library);
	if (!*library || IS_SANITIZED)
		return tap_skip_all(
		    IS_SANITIZED ? "under sanitizers" : "no libfaketime");
	for (size_t i = 0; i < sizeof(jumps) / sizeof(*jumps); i++)
		together(&all, test_jump(program, library, &jumps[i]));
	together_end(&all);
	return tap_done();
}
