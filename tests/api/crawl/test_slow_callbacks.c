#include "pavane/pavane.h"

#include <pthread.h>
#include <stdatomic.h>

#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "server/site.h"
#include "tap.h"

/* A callback that does not return for long: it holds the crawl back, which fills
 * no memory meanwhile, hears of a stop, and loses nothing. */

#define SECONDS 100
#define PAGES 1200
#define PAGE_BYTES ((size_t)64 << 10)

/* Beats without a new request, by which nothing more is to be expected. */
#define STILL_BEATS 25

/* What may be in memory of answers, and what is on the way when that is full. */
#define HELD_BYTES ((uint64_t)40 << 20)

enum callback { ON_PAGE, ON_LINK, ON_REFUSED, CALLBACK_COUNT };

static const char *const names[] = {"on_page", "on_link", "on_refused"};

/* That return at once, so that there is much to be requested then. */
static const unsigned calls_before[] = {40, 400, 0};

struct course {
	struct server *server;
	struct scratch scratch;
	struct pavane_crawl *crawl;
	enum callback slow;
	bool is_to_stop; /* while the callback does not return */
	pthread_mutex_t mutex;
	pthread_cond_t goes_on;
	bool is_holding;     /* the mutex guards it */
	atomic_uint calls;   /* of the slow one */
	atomic_uint held;    /* of those, that were held */
	atomic_uint pages;   /* that on_page was shown, whole */
	uint64_t requests;   /* at the last beat ... */
	unsigned beats;      /* ... which was one of so many without new ones */
	unsigned all_beats;  /* while it was held */
	uint64_t most_bytes; /* that had come before it returned */
};

static void hold(struct course *course, enum callback callback)
{
	if (course->slow != callback ||
	    atomic_fetch_add(&course->calls, 1) < calls_before[callback])
		return;
	pthread_mutex_lock(&course->mutex);
	if (course->is_holding)
		atomic_fetch_add(&course->held, 1);
	while (course->is_holding)
		pthread_cond_wait(&course->goes_on, &course->mutex);
	pthread_mutex_unlock(&course->mutex);
}

static void let_go(struct course *course)
{
	pthread_mutex_lock(&course->mutex);
	course->is_holding = false;
	pthread_cond_broadcast(&course->goes_on);
	pthread_mutex_unlock(&course->mutex);
}

static void on_page(void *ctx, const struct pavane_page *page)
{
	struct course *course = ctx;
	atomic_fetch_add(&course->pages, page->status == 200 && page->is_whole);
	if (page->attempt > 1)
		printf("# try %u of %s: status %u, %s\n", page->attempt,
		    page->address, page->status,
		    page->is_whole ? "whole" : "cut off");
	hold(course, ON_PAGE);
}

static enum pavane_choice on_link(
    void *ctx, const struct pavane_link *link, struct pavane_refusal *refusal)
{
	(void)link;
	(void)refusal;
	hold(ctx, ON_LINK);
	return PAVANE_AS_IT_IS;
}

static void on_refused(void *ctx, const struct pavane_refused *refused)
{
	(void)refused;
	hold(ctx, ON_REFUSED);
}

/* On the loop, which goes on: once nothing more is requested, the callback
 * returns. */
static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	struct course *course = ctx;
	if (!atomic_load(&course->held) || !course->is_holding)
		return;
	course->all_beats++;
	course->beats =
	    progress->requests == course->requests ? course->beats + 1 : 0;
	course->requests = progress->requests;
	course->most_bytes = progress->bytes;
	if (course->beats == STILL_BEATS / 2 && course->is_to_stop)
		pavane_crawl_stop(course->crawl);
	if (course->beats == STILL_BEATS)
		let_go(course);
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	printf("# %s\n", line);
}

static struct pavane_policy *load(const struct course *course)
{
	char address[64];
	snprintf(address, sizeof(address), "http://127.0.0.1:%u/",
	    (unsigned)server_port(course->server));
	static const struct pavane_setting settings[] = {
	    {NULL, "rate.max_rate=100000"},
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	    {NULL, "politeness.connections=8"},
	    {NULL, "output={}"},
	};
	const char *const addresses[] = {address};
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	sources.settings = settings;
	sources.setting_count = sizeof(settings) / sizeof(*settings);
	sources.addresses = addresses;
	sources.address_count = 1;
	return pavane_policy_load(&sources);
}

static enum pavane_end run(struct course *course, bool is_fresh)
{
	const struct pavane_events events = {
	    .size = sizeof(events),
	    .on_link = on_link,
	    .on_page = on_page,
	    .on_refused = on_refused,
	};
	struct pavane_policy *policy = load(course);
	struct pavane_crawl_options options =
	    PAVANE_INIT(struct pavane_crawl_options);
	options.directory = course->scratch.path;
	options.state_dir = course->scratch.path;
	options.is_fresh = is_fresh;
	options.level = PAVANE_WARNING;
	options.on_line = on_line;
	options.on_progress = on_progress;
	options.progress_ms = 10;
	options.events = &events;
	options.ctx = course;
	course->crawl = pavane_crawl_open(policy, &options);
	enum pavane_end end =
	    course->crawl ? pavane_crawl_run(course->crawl) : PAVANE_FAILED;
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
	return end;
}

static void begin(struct course *course, enum callback slow, bool is_to_stop)
{
	course->slow = slow;
	course->is_to_stop = is_to_stop;
	course->is_holding = true;
	course->requests = course->most_bytes = 0;
	course->beats = course->all_beats = 0;
	atomic_store(&course->calls, 0);
	atomic_store(&course->held, 0);
	atomic_store(&course->pages, 0);
}

static void test_held(struct course *course, enum callback slow)
{
	begin(course, slow, false);
	ok(run(course, true) == PAVANE_FINISHED,
	    "%s does not return for long, and the crawl finishes all the same",
	    names[slow]);
	ok(course->held && course->all_beats >= STILL_BEATS,
	    "meanwhile the loop goes on (%u beats)", course->all_beats);
	ok(course->most_bytes < HELD_BYTES,
	    "P5: requests end before memory is full (%llu KiB, %llu requests)",
	    (unsigned long long)course->most_bytes >> 10,
	    (unsigned long long)course->requests);
	ok(course->pages == PAGES - 1, "P3: no page is lost (%u)",
	    course->pages);
}

static void test_stopped(struct course *course, enum callback slow)
{
	begin(course, slow, true);
	ok(run(course, true) == PAVANE_STOPPED,
	    "a crawl is stopped while %s does not return", names[slow]);
	ok(course->pages < PAGES - 1, "before all is done (%u)", course->pages);
	course->is_to_stop = false;
	course->is_holding = false;
	enum pavane_end end = run(course, false);
	ok(end == PAVANE_FINISHED && course->pages >= PAGES - 1,
	    "P3: what was left comes with the next run (%u, %u)", (unsigned)end,
	    course->pages);
}

int main(void)
{
	struct site site = {.pages = PAGES,
	    .links = 20,
	    .size = PAGE_BYTES,
	    .robots = "User-agent: *\nDisallow: /page/13$\n"};
	struct course course = {.mutex = PTHREAD_MUTEX_INITIALIZER,
	    .goes_on = PTHREAD_COND_INITIALIZER};
	course.server = server_start(
	    &(struct server_plan){.answer = site_answer, .ctx = &site});
	scratch_make(&course.scratch);
	end_after(SECONDS);
	for (enum callback slow = 0; slow < CALLBACK_COUNT; slow++) {
		test_held(&course, slow);
		test_stopped(&course, slow);
	}
	end_after(0);
	scratch_remove(&course.scratch);
	server_stop(course.server);
	return tap_done();
}
