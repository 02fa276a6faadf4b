#include "crawl/progress/failures.h"

#include "crawl/conductor.h"
#include "crawl/world.h"

/* What a run could not fetch is named; what is no failure is not. */

static struct pavane_progress told;
static char addresses[PAVANE_FAILURES_MAX][100];
static char whats[PAVANE_FAILURES_MAX][100];
static uint64_t not_found; /* answers of 404 */

static void keep(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	told = *progress;
	not_found = 0;
	for (size_t i = 0; i < progress->statuses.count; i++) {
		if (strcmp(progress->statuses.items[i].word, "404") == 0)
			not_found = progress->statuses.items[i].count;
	}
	for (size_t i = 0; i < progress->failure_count; i++) {
		const struct pavane_failure *failure = &progress->failures[i];
		snprintf(
		    addresses[i], sizeof(addresses[i]), "%s", failure->address);
		snprintf(whats[i], sizeof(whats[i]), "%s", failure->what);
	}
}

static void watch(struct pv_crawl *crawl)
{
	memset(&told, 0, sizeof(told));
	crawl->options.on_progress = keep;
}

static bool is_named(const char *address, const char *what)
{
	for (size_t i = 0; i < told.failure_count; i++) {
		if (strcmp(addresses[i], address) == 0)
			return !what || strcmp(whats[i], what) == 0;
	}
	return false;
}

static struct reply reply_of(const char *url, unsigned nth)
{
	(void)nth;
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){
		    .body = "<a href=/here><a href=/gone><a href=/broken>"};
	if (strcmp(url, "http://a.test/here") == 0)
		return (struct reply){.body = "a page"};
	if (strcmp(url, "http://a.test/broken") == 0)
		return (struct reply){
		    .outcome = PV_OUTCOME_TLS, .stage = PV_STAGE_TLS};
	return (struct reply){.http_status = 404};
}

static void test_named(void)
{
	world_open(reply_of, "seeds: [\"http://a.test/\"]\n");
	world.before_run = watch;
	world_run();
	ok(told.failed == 2 && told.failure_count == 2,
	    "each failure is counted and named, and robots.txt is none");
	ok(is_named("http://a.test/gone", "404"),
	    "P4: what is not there is named with its status");
	ok(is_named("http://a.test/broken", NULL) &&
		!is_named("http://a.test/broken", ""),
	    "P4: what was not answered is named with the reason");
	ok(not_found == 1 && told.requests == 5,
	    "nor does robots.txt count among the answers of 404");
	world_run();
	ok(told.failure_count == 0,
	    "another run does not name what it did not ask for");
	world_close();
}

static struct reply many(const char *url, unsigned nth)
{
	(void)nth;
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){
		    .body = "<a href=/1><a href=/2><a href=/3><a href=/4>"};
	return (struct reply){.http_status = 404};
}

static void test_many(void)
{
	world_open(many, "seeds: [\"http://a.test/\"]\n");
	world.before_run = watch;
	world_run();
	ok(told.failed == 4 && told.failure_count == PAVANE_FAILURES_MAX,
	    "of many the first are named");
	world_close();
}

int main(void)
{
	test_named();
	test_many();
	return tap_done();
}
