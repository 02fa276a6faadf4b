#include "pavane/pavane.h"

#include <sys/stat.h>

#include "bench/kept_site.h"
#include "blocking_calls.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* Crawls that are stepped through by a loop of the caller's, or run on a thread
 * of their own: a mirror of a real site, by real sockets. */

#define PAGES 300 /* or what PAVANE_PAGES says */
#define SECONDS 100
#define PAGES_A_SECOND 50
#define STEP_CPU_NS 10000000 /* that a step may take */

struct course {
	uint32_t pages; /* of the site */
	struct server *server;
	struct pavane_policy *policy;
	struct scratch scratch;
	struct pavane_crawl *crawl;
	pthread_t stepping;
	unsigned lines;
	unsigned warnings;
	unsigned foreign; /* callbacks on another thread */
	uint64_t steps;
	uint64_t long_steps; /* of those, past what one may take */
	uint64_t longest_ns;
	uint64_t stop_at; /* pages after which it is asked to stop; 0: never */
	bool was_closing; /* seen by the steps */
};

static struct pavane_policy *load(const struct server *server)
{
	char address[64], resolve[64];
	snprintf(address, sizeof(address), "http://127.0.0.1:%u/",
	    (unsigned)server_port(server));
	snprintf(resolve, sizeof(resolve), "rate.max_rate=100000");
	const struct pavane_setting settings[] = {
	    {NULL, resolve},
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "politeness.connections=8"},
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

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	struct course *course = ctx;
	course->lines++;
	course->foreign += !pthread_equal(course->stepping, pthread_self());
	course->warnings += level <= PAVANE_WARNING;
	if (level <= PAVANE_WARNING)
		printf("# %s\n", line);
}

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	struct course *course = ctx;
	course->foreign += !pthread_equal(course->stepping, pthread_self());
	if (!course->stop_at || progress->pages < course->stop_at)
		return;
	course->stop_at = 0;
	pavane_crawl_stop(course->crawl);
}

static bool open_course(struct course *course)
{
	const struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = course->scratch.path,
	    .state_dir = course->scratch.path,
	    .level = PAVANE_TRACE,
	    .on_line = on_line,
	    .on_progress = on_progress,
	    .progress_ms = 5,
	    .ctx = course,
	};
	course->stepping = pthread_self();
	course->crawl = pavane_crawl_open(course->policy, &options);
	return course->crawl != NULL;
}

static uint64_t cpu_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static bool step(struct course *course)
{
	must_not_wait = true;
	uint64_t began = cpu_ns();
	bool goes_on = pavane_crawl_step(course->crawl);
	uint64_t took = cpu_ns() - began;
	must_not_wait = false;
	course->steps++;
	course->long_steps += took > STEP_CPU_NS;
	if (took > course->longest_ns)
		course->longest_ns = took;
	course->was_closing |=
	    pavane_crawl_progress(course->crawl)->phase == PAVANE_CLOSING;
	return goes_on;
}

/* What any program's loop does. */
static enum pavane_end step_through(struct course *course)
{
	struct pollfd wait = {pavane_crawl_fd(course->crawl), POLLIN, 0};
	if (!pavane_crawl_start(course->crawl))
		return PAVANE_FAILED;
	do
		poll(&wait, 1, pavane_crawl_timeout_ms(course->crawl));
	while (step(course));
	return pavane_crawl_progress(course->crawl)->end;
}

static void close_course(struct course *course)
{
	pavane_crawl_close(course->crawl);
	course->crawl = NULL;
}

static bool is_there(const struct course *course, const char *name)
{
	return access(scratch_file(&course->scratch, name), F_OK) == 0;
}

static void test_steps(struct course *course)
{
	if (!ok(open_course(course), "a crawl opens"))
		return;
	course->stop_at = course->pages / 3;
	ok(step_through(course) == PAVANE_STOPPED,
	    "a crawl is stepped through until it is stopped");
	ok(!pavane_crawl_step(course->crawl),
	    "one that has ended has no further step");
	close_course(course);
	ok(open_course(course) && step_through(course) == PAVANE_FINISHED,
	    "it goes on by steps to its end");
	const struct pavane_progress *progress =
	    pavane_crawl_progress(course->crawl);
	ok(progress->pages < course->pages && !progress->pending &&
		progress->done >= course->pages,
	    "P3: with every page, and none twice (%llu, %llu)",
	    (unsigned long long)progress->pages,
	    (unsigned long long)progress->done);
	ok(progress->has_entry_page && is_there(course, "index.html"),
	    "its mirror is whole, with its start page");
	ok(course->was_closing, "the end takes steps of its own");
	ok(course->lines && !course->foreign,
	    "each callback comes on the stepping thread (%u of %u lines)",
	    course->foreign, course->lines);
	close_course(course);
	ok(!blocking_calls.count, "P5: no step waits for anything (%u %s)",
	    blocking_calls.count, blocking_calls.first);
	ok(course->long_steps * 1000 <= course->steps,
	    "P5: a step takes at most 10 ms (%llu of %llu, %.1f ms)",
	    (unsigned long long)course->long_steps,
	    (unsigned long long)course->steps,
	    (double)course->longest_ns / 1e6);
}

/* What a thread of the crawl's logs at the end: its start page has a directory in
 * its place. */
static void test_late_line(struct course *course)
{
	char page[300];
	snprintf(page, sizeof(page), "%s",
	    scratch_file(&course->scratch, "index.html"));
	unlink(page);
	mkdir(page, 0700);
	course->warnings = 0;
	ok(open_course(course) && step_through(course) == PAVANE_FINISHED,
	    "a crawl whose start page cannot be written ends");
	ok(course->warnings == 1 && !course->foreign,
	    "the warning comes on the stepping thread, too");
	close_course(course);
	rmdir(page);
}

/* Wherever a program has enough of it. */
static void test_closing(struct course *course)
{
	unsigned closed = 0;
	for (unsigned steps = 0; steps < 400; steps = 2 * steps + 1) {
		struct scratch scratch;
		struct scratch kept = course->scratch;
		scratch_make(&scratch);
		course->scratch = scratch;
		bool is_open =
		    open_course(course) && pavane_crawl_start(course->crawl);
		for (unsigned i = 0; is_open && i < steps; i++)
			step(course);
		close_course(course);
		closed += is_open;
		scratch_remove(&scratch);
		course->scratch = kept;
	}
	ok(closed == 9, "a crawl is closed after any of its steps (%u)",
	    closed);
}

static void test_thread(struct course *course)
{
	struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = scratch_file(&course->scratch, "spawned"),
	    .state_dir = course->scratch.path,
	};
	struct pavane_crawl *crawl =
	    pavane_crawl_open(course->policy, &options);
	ok(crawl && pavane_crawl_spawn(crawl) &&
		pavane_crawl_join(crawl) == PAVANE_FINISHED,
	    "a crawl runs on a thread of its own");
	ok(pavane_crawl_progress(crawl)->pages >= course->pages, "to its end");
	pavane_crawl_close(crawl);
	crawl = pavane_crawl_open(course->policy, &options);
	ok(crawl && pavane_crawl_spawn(crawl), "another begins");
	pavane_crawl_stop(crawl);
	enum pavane_end end = pavane_crawl_join(crawl);
	ok(end == PAVANE_STOPPED || end == PAVANE_FINISHED,
	    "and is stopped from here");
	pavane_crawl_close(crawl);
}

static uint32_t pages_wanted(void)
{
	const char *text = getenv("PAVANE_PAGES");
	unsigned long pages = text ? strtoul(text, NULL, 10) : PAGES;
	return pages > PAGES ? (uint32_t)pages : PAGES;
}

int main(void)
{
	struct kept_site site;
	struct course course = {.crawl = NULL};
	course.pages = pages_wanted();
	kept_site_init(&site, course.pages);
	course.server = server_start(
	    &(struct server_plan){.answer = kept_site_answer, .ctx = &site});
	course.policy = load(course.server);
	scratch_make(&course.scratch);
	end_after(SECONDS + course.pages / PAGES_A_SECOND);
	test_steps(&course);
	test_late_line(&course);
	test_thread(&course);
	test_closing(&course);
	end_after(0);
	scratch_remove(&course.scratch);
	pavane_policy_destroy(course.policy);
	server_stop(course.server);
	kept_site_finish(&site);
	return tap_done();
}
