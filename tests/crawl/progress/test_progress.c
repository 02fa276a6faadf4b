#include "crawl/progress/progress.h"

#include "crawl/conductor.h"
#include "crawl/progress/saved_progress.h"
#include "crawl/world.h"

/* What was told, call by call. */
static struct {
	unsigned calls;
	enum pavane_phase phases[PAVANE_ENDED + 1]; /* how often each */
	enum pavane_phase last;
	struct pavane_progress progress; /* the last */
	char held[240];                  /* by whom, as the last one says */
	bool is_mixed;                   /* a number went back */
} told;

static void on_progress(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	if (progress->requests < told.progress.requests ||
	    progress->known < told.progress.known ||
	    progress->phase < told.last ||
	    progress->elapsed_ms < told.progress.elapsed_ms)
		told.is_mixed = true;
	told.calls++;
	told.phases[progress->phase]++;
	told.last = progress->phase;
	told.progress = *progress;
	snprintf(told.held, sizeof(told.held), "%s", progress->held_by);
}

static void watch(struct pv_crawl *crawl)
{
	crawl->options.on_progress = on_progress;
	crawl->options.progress_ms = 20;
}

static struct reply mixed(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){
		    .body = "<a href=/1><a href=/gone><a href=/broken>"
			    "<a href=http://b.test/>",
		    .took_ms = 30};
	if (strcmp(url, "http://a.test/gone") == 0)
		return (struct reply){.http_status = 404};
	if (strcmp(url, "http://a.test/broken") == 0)
		return (struct reply){
		    .outcome = PV_OUTCOME_TLS, .stage = PV_STAGE_TLS};
	return (struct reply){.body = "x", .took_ms = 30};
}

static void test_numbers(void)
{
	const struct pavane_progress *progress = &told.progress;
	memset(&told, 0, sizeof(told));
	world_open(mixed, "seeds: [\"http://a.test/\"]\n"
			  "domains: {a.test: {delay: 40ms}}\n");
	world.before_run = watch;
	ok(world_run() == PAVANE_FINISHED, "a crawl is watched");
	ok(told.calls >= 5 && !told.is_mixed,
	    "it tells now and then how far it is, and never goes back");
	ok(progress->known == 5 && progress->done == 4 &&
		progress->refused == 1 && progress->pending == 0,
	    "P3: in the end each address is where it is");
	ok(progress->requests == 5 && progress->pages == 2,
	    "requests count robots.txt, pages do not");
	ok(progress->failed == 2,
	    "failed is who had no answer, or none that counts");
	ok(progress->in_flight == 0 && progress->open == 0 &&
		progress->concurrency == 20,
	    "and nothing is open");
	ok(progress->refusals.count == 1 && progress->outcomes.count == 2,
	    "P4: there are tallies of what was refused, and of outcomes");
	world_close();
}

static void beat_often(struct pv_crawl *crawl)
{
	crawl->options.progress_ms = 1;
}

/* Looked at from outside, when it is over. */
static void test_kept(void)
{
	struct pv_why why;
	pv_why_init(&why);
	world_open(mixed, "name: docs\nseeds: [\"http://a.test/\"]\n");
	world_run();
	struct pavane_status *status =
	    pv_saved_progress_read(world.scratch.path, 0, &why);
	if (ok(status != NULL, "what it has come to can be read")) {
		const struct pavane_progress *progress = status->progress;
		ok(progress->phase == PAVANE_ENDED &&
			progress->end == PAVANE_FINISHED && !status->is_running,
		    "that it has ended, and how");
		ok(progress->requests == 5 && progress->pages == 2 &&
			progress->done == 4 && progress->refused == 1,
		    "and with what");
		is_text(
		    pv_str_of(status->name), "docs", "and what it is called");
	}
	pv_saved_progress_destroy(status);
	world.before_run = beat_often;
	world_run();
	status = pv_saved_progress_read(world.scratch.path, 0, &why);
	ok(status && status->progress->requests == 5,
	    "a run that did nothing does not change it");
	pv_saved_progress_destroy(status);
	pv_why_finish(&why);
	world_close();
}

/* A host that waits long is named. */
static struct reply busy(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){
		    .http_status = 503, .header = "Retry-After: 3600"};
	return (struct reply){.body = "x", .took_ms = 300};
}

static char note[240];
static uint64_t retry_after;
static uint64_t known_at_rest; /* while nothing was requested yet */

static void keep_note(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	if (!strstr(progress->note, "waits until"))
		return;
	if (!progress->requests && progress->phase == PAVANE_CRAWLING)
		known_at_rest = progress->known;
	snprintf(note, sizeof(note), "%s", progress->note);
	for (size_t i = 0; i < progress->waiting.count; i++) {
		if (strcmp(progress->waiting.items[i].word, "retry-after") == 0)
			retry_after = progress->waiting.items[i].count;
	}
}

static void watch_note(struct pv_crawl *crawl)
{
	crawl->options.on_progress = keep_note;
	crawl->options.progress_ms = 20;
}

static void test_note(void)
{
	world_open(busy, "seeds: [\"http://a.test/\", \"http://b.test/\"]\n"
			 "limits: {wait: 1s}\n");
	world.before_run = watch_note;
	ok(world_run() == PAVANE_LIMITED, "a host asks for an hour");
	ok(strstr(note, "a.test waits until") && strstr(note, "Retry-After"),
	    "P4: who waits long is named, until when and why: %s", note);
	ok(retry_after == 1, "and is counted among those that wait for it");
	world_close();
}

/* A run that has to wait at once tells of what earlier ones have found. */
static void test_going_on(void)
{
	world_open(busy, "seeds: [\"http://a.test/\", \"http://b.test/\"]\n"
			 "limits: {time: 2s}\n");
	world.before_run = watch_note;
	ok(world_run() == PAVANE_LIMITED, "a run ends while a host waits");
	known_at_rest = 0;
	ok(world_run() == PAVANE_LIMITED && known_at_rest == 2,
	    "P3: the next one knows its addresses before it requests anything");
	world_close();
}

/* A host that refuses connections, after its first page or at once. */
static struct reply refused(const char *url, unsigned nth)
{
	(void)nth;
	if (strcmp(url, "http://a.test/robots.txt") == 0)
		return (struct reply){.http_status = 404};
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){.body = "<a href=/1><a href=/2>"};
	return (struct reply){.outcome = PV_OUTCOME_NO_CONNECTION};
}

static struct reply overloaded(const char *url, unsigned nth)
{
	if (!strstr(url, "/robots.txt") && nth == 0)
		return (struct reply){
		    .http_status = 503, .header = "Retry-After: 60"};
	return (struct reply){.http_status = 404};
}

static struct reply well(const char *url, unsigned nth)
{
	(void)nth;
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){.body = "<a href=/1><a href=/2>"};
	return (struct reply){.http_status = 404};
}

static void test_holder(void)
{
	static const struct {
		struct reply (*answer)(const char *url, unsigned nth);
		const char *seeds;
		const char *holder;
		const char *claim;
	} cases[] = {
	    {refused, "\"http://a.test/\"",
		"failures: ", "pages whose connections are refused"},
	    {refused, "\"http://b.test/\"",
		"failures: ", "a host that refuses all connections"},
	    {overloaded, "\"http://a.test/\"",
		"failures: ", "a host that is overloaded"},
	    {well, "\"http://a.test/\"", "the policy: ", "the policy's delay"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char policy[260];
		snprintf(policy, sizeof(policy),
		    "seeds: [%s]\nlimits: {time: 10m}\n"
		    "domains: {\"*.test\": {delay: 500ms, "
		    "backoff: {failure: 5s, overload: 5s, "
		    "max: 9s}}}\n",
		    cases[i].seeds);
		memset(&told, 0, sizeof(told));
		world_open(cases[i].answer, policy);
		world.before_run = watch;
		world_run();
		ok(strncmp(told.held, cases[i].holder,
		       strlen(cases[i].holder)) == 0,
		    "most of the time is said to be spent on %s (%s)",
		    cases[i].claim, told.held);
		world_close();
	}
}

int main(void)
{
	test_numbers();
	test_kept();
	test_note();
	test_going_on();
	test_holder();
	return tap_done();
}
