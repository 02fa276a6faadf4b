#include "pavane/pavane.h"

#include <poll.h>
#include <stdatomic.h>

#include "base/str.h"
#include "crawl/patience.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* Callbacks that call back: each of them tries each call that takes the crawl. */

#define SECONDS 60

static const struct server_route routes[] = {
    {.path = "/robots.txt",
	.answer = {.type = "text/plain",
	    .body = "User-agent: *\nDisallow: /no\n"}},
    {.path = "/", .answer = {.body = "<a href=/two>2</a><a href=/no>n</a>"}},
    {.path = "/two", .answer = {.body = "<a href=/>back</a>"}},
};

enum callback {
	ON_LINE,
	ON_PROGRESS,
	ON_LINK,
	ON_PAGE,
	ON_COMMITTED,
	ON_REFUSED,
	ON_END,
	ON_HOST,
	CALLBACK_COUNT,
};

static const char *const names[] = {"on_line", "on_progress", "on_link",
    "on_page", "on_committed", "on_refused", "on_end", "on_host"};

struct course {
	struct pavane_policy *policy;
	struct pavane_crawl *crawl;
	struct scratch scratch;
	struct pavane_crawl_options options;
	atomic_uint tried[CALLBACK_COUNT];
	atomic_uint done[CALLBACK_COUNT]; /* what should have been refused */
	atomic_uint lines;                /* that say so */
	atomic_uint at_loop;
};

static bool is_of_the_loop(enum callback callback)
{
	return callback != ON_LINK && callback != ON_PAGE &&
	       callback != ON_REFUSED;
}

/* Each is refused, so that the crawl goes on as if nothing had been called. */
static void try_calls(struct course *course, enum callback callback)
{
	struct pavane_crawl *crawl = course->crawl;
	if (!crawl || atomic_fetch_add(&course->tried[callback], 1))
		return;
	unsigned done = 0;
	done += pavane_crawl_run(crawl) != PAVANE_FAILED;
	done += pavane_crawl_start(crawl);
	done += pavane_crawl_step(crawl);
	done += pavane_crawl_spawn(crawl);
	done += pavane_crawl_reopen(crawl, course->policy, &course->options) !=
		NULL;
	pavane_crawl_close(crawl);
	pavane_crawl_leave(crawl);
	if (!is_of_the_loop(callback)) {
		done += pavane_crawl_join(crawl) != PAVANE_FAILED;
		done += pavane_crawl_progress(crawl) != NULL;
	} else {
		done += !pavane_crawl_progress(crawl);
		done += pavane_crawl_has_changed(crawl);
	}
	done += strcmp(pavane_crawl_directory(crawl), course->scratch.path);
	atomic_fetch_add(&course->done[callback], done);
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	struct course *course = ctx;
	(void)level;
	if (strstr(line, "in a callback of the crawl"))
		atomic_fetch_add(&course->lines, 1);
	else
		try_calls(course, ON_LINE);
}

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	(void)progress;
	try_calls(ctx, ON_PROGRESS);
}

static enum pavane_choice on_link(
    void *ctx, const struct pavane_link *link, struct pavane_refusal *refusal)
{
	(void)link;
	(void)refusal;
	try_calls(ctx, ON_LINK);
	return PAVANE_AS_IT_IS;
}

static void on_page(void *ctx, const struct pavane_page *page)
{
	(void)page;
	try_calls(ctx, ON_PAGE);
}

static void on_committed(void *ctx, const struct pavane_committed *committed)
{
	(void)committed;
	try_calls(ctx, ON_COMMITTED);
}

static void on_refused(void *ctx, const struct pavane_refused *refused)
{
	(void)refused;
	try_calls(ctx, ON_REFUSED);
}

static void on_end(void *ctx, enum pavane_end end, const char *reason)
{
	struct course *course = ctx;
	(void)end;
	(void)reason;
	try_calls(course, ON_END);
	pavane_crawl_stop(course->crawl);
	pavane_crawl_interrupt(course->crawl);
}

static void on_host(
    void *ctx, const char *host, const struct pavane_host_look *look)
{
	(void)host;
	(void)look;
	try_calls(ctx, ON_HOST);
}

static const struct pavane_events events = {
    .size = sizeof(events),
    .on_link = on_link,
    .on_page = on_page,
    .on_committed = on_committed,
    .on_refused = on_refused,
    .on_end = on_end,
    .on_host = on_host,
};

static struct pavane_policy *load(const struct server *server)
{
	char address[64];
	snprintf(address, sizeof(address), "http://127.0.0.1:%u/",
	    (unsigned)server_port(server));
	static const struct pavane_setting settings[] = {
	    {NULL, "politeness.delay=20ms"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "rate.max_rate=1000"},
	};
	const char *const addresses[] = {address};
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	sources.settings = settings;
	sources.setting_count = sizeof(settings) / sizeof(*settings);
	sources.addresses = addresses;
	sources.address_count = 1;
	return pavane_policy_load(&sources);
}

static void open_crawl(struct course *course, bool is_fresh)
{
	for (size_t i = 0; i < CALLBACK_COUNT; i++) {
		atomic_store(&course->tried[i], 0);
		atomic_store(&course->done[i], 0);
	}
	atomic_store(&course->lines, 0);
	course->crawl = NULL;
	course->options = (struct pavane_crawl_options){
	    .size = sizeof(course->options),
	    .directory = course->scratch.path,
	    .state_dir = course->scratch.path,
	    .is_fresh = is_fresh,
	    .level = PAVANE_TRACE,
	    .on_line = on_line,
	    .on_progress = on_progress,
	    .progress_ms = 1,
	    .ctx = course,
	    .events = &events,
	};
	course->crawl = pavane_crawl_open(course->policy, &course->options);
}

static void test_matrix(struct course *course)
{
	open_crawl(course, true);
	ok(course->crawl && pavane_crawl_run(course->crawl) == PAVANE_FINISHED,
	    "a crawl whose callbacks try all calls comes to its end");
	const struct pavane_progress *progress =
	    pavane_crawl_progress(course->crawl);
	ok(progress->pages == 2 && progress->refused == 1,
	    "with all that there is");
	for (size_t i = 0; i < CALLBACK_COUNT; i++)
		ok(course->tried[i] && !course->done[i],
		    "%s: each call is answered as it has to be (%u, %u)",
		    names[i], course->tried[i], course->done[i]);
	ok(course->lines >= 7u * CALLBACK_COUNT,
	    "each refusal is said in words (%u)", course->lines);
	pavane_crawl_close(course->crawl);
}

/* On a thread of its own: whoever waits for that one waits on another. */
static void test_spawned(struct course *course)
{
	open_crawl(course, true);
	bool is_spawned = pavane_crawl_spawn(course->crawl);
	ok(is_spawned && !pavane_crawl_spawn(course->crawl) &&
		!pavane_crawl_step(course->crawl),
	    "what runs on its thread is neither spawned nor stepped");
	ok(pavane_crawl_join(course->crawl) == PAVANE_FINISHED,
	    "it comes to its end, too");
	ok(course->tried[ON_END] && course->tried[ON_PAGE] &&
		pavane_crawl_join(course->crawl) == PAVANE_FAILED,
	    "its callbacks have tried all, and it is joined once");
	pavane_crawl_close(course->crawl);
}

int main(void)
{
	struct course course = {.crawl = NULL};
	struct server *server =
	    server_start(&(struct server_plan){SERVER_ROUTES(routes)});
	course.policy = load(server);
	scratch_make(&course.scratch);
	end_after(SECONDS);
	test_matrix(&course);
	test_spawned(&course);
	end_after(0);
	pavane_policy_destroy(course.policy);
	scratch_remove(&course.scratch);
	server_stop(server);
	return tap_done();
}
