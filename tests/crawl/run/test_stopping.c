#include "crawl/run/stopping.h"

#include <errno.h>

#include "crawl/conductor.h"
#include "crawl/world.h"

/* Pages without end, each of which leads to two more. */
static struct reply endless(const char *url, unsigned nth)
{
	static char body[200];
	static const char beginning[] = "http://a.test/";
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	const char *path = url + sizeof(beginning) - 1;
	snprintf(
	    body, sizeof(body), "<a href=/%.40s1><a href=/%.40s2>", path, path);
	return (struct reply){.body = strlen(path) < 40 ? body : "x"};
}

#define SEED "seeds: [\"http://a.test/\"]\n"

static size_t count_pages(void)
{
	size_t count = 0;
	for (size_t i = 0; i < world.request_count; i++)
		count += !strstr(world.requests[i].url, "/robots.txt");
	return count;
}

static void test_pages(void)
{
	for (unsigned connections = 1; connections <= 8; connections += 7) {
		char policy[200];
		snprintf(policy, sizeof(policy),
		    SEED "limits: {pages: 10}\n"
			 "domains: {a.test: {connections: %u}}\n",
		    connections);
		world_open(endless, policy);
		ok(world_run() == PAVANE_LIMITED && count_pages() == 10,
		    "P5: no page more than a limit is asked for, be there %u "
		    "connections",
		    connections);
		world_forget_requests();
		ok(world_run() == PAVANE_LIMITED && world.request_count == 0,
		    "P5: nor by the next run");
		world_close();
	}
}

static void test_bytes(void)
{
	world_open(endless, SEED "limits: {bytes: 300}\n");
	ok(world_run() == PAVANE_LIMITED && count_pages() < 20,
	    "P5: a limit of bytes ends a crawl");
	world_close();
}

static void test_host_pages(void)
{
	world_open(endless, SEED "limits: {host_pages: 5}\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		count_pages() == 5,
	    "P5: a host has its limit too, with the rest refused");
	ok(world_number(
	       "SELECT count(*) FROM refused WHERE reason = 'limit'") == 6,
	    "P4: for that reason");
	world_close();
}

static void test_time(void)
{
	world_open(endless, SEED "limits: {time: 1s}\n"
				 "domains: {a.test: {delay: 100ms}}\n");
	int64_t before_ms = world_now();
	ok(world_run() == PAVANE_LIMITED && world_now() - before_ms == 1000,
	    "P5: a limit of time ends a crawl when it is reached");
	world_close();
}

static struct reply until_limit(const char *url, unsigned nth)
{
	struct reply reply = endless(url, nth);
	bool is_robots = strstr(url, "/robots.txt") != NULL;
	reply.took_ms = is_robots ? 0 : 300;
	reply.is_silent = strcmp(url, "http://a.test/12") == 0;
	return reply;
}

/* At the limit a page is under way that comes in time, or one that never
 * does. */
static void test_time_and_drain(void)
{
	for (int limit_ms = 1000; limit_ms <= 2000; limit_ms += 1000) {
		char policy[200];
		snprintf(policy, sizeof(policy),
		    SEED "limits: {time: %dms}\n"
			 "stop: {drain_timeout: 500ms}\n",
		    limit_ms);
		world_open(until_limit, policy);
		int64_t limit_at = world_now() + limit_ms;
		enum pavane_end end = world_run();
		int64_t late_ms = world_now() - limit_at, last_ms = 0;
		for (size_t i = 0; i < world.request_count; i++) {
			int64_t sent_ms = world.requests[i].sent_ms - limit_at;
			last_ms = i && sent_ms < last_ms ? last_ms : sent_ms;
		}
		ok(end == PAVANE_LIMITED && last_ms < 0,
		    "P5: nothing starts from when limits.time is reached (%lld "
		    "ms)",
		    (long long)last_ms);
		ok(late_ms > 0 && late_ms <= 500,
		    "P6: and all is committed within drain_timeout (%lld ms)",
		    (long long)late_ms);
		ok((int64_t)world_finals() ==
			world_number("SELECT count(*) FROM pages"),
		    "P3: with each page that came");
		world_close();
	}
}

/* Silence */

static bool listens, listens_later;

static struct reply from_silence(const char *url, unsigned nth)
{
	bool is_other = strstr(url, "//b.test/") != NULL;
	if (!is_other && !listens && !(listens_later && nth))
		return (struct reply){.outcome = PV_OUTCOME_NO_CONNECTION,
		    .unreached = PV_UNREACHED_HOST,
		    .why = "connection refused"};
	return (struct reply){.http_status = strstr(url, "robots") ? 404 : 200,
	    .body = is_other ? "<a href=http://a.test/>" : "x"};
}

static void test_silence(void)
{
	world_open(from_silence, SEED "limits: {wait: 1s}\n");
	world.policy->limits.wait_ms = 500;
	world.policy->manners.backoff.failure_ms = 1000;
	listens = false;
	world.is_attended = true;
	ok(world_run() == PAVANE_NOT_BEGUN && world.request_count == 1,
	    "a crawl that a person waits for ends when nothing has answered");
	is_text(pv_str_of(world.warning),
	    "nothing listens at http://a.test (connection refused); does "
	    "https://a.test work?",
	    "P4: and announces no further try");
	ok(world_finals() == 0, "P3: with the address pending");
	world.is_attended = false;
	ok(world_run() == PAVANE_LIMITED,
	    "any other waits, since a server may be starting");
	listens = true;
	world.policy->limits.wait_ms = PV_NONE;
	world.is_attended = true;
	ok(world_run() == PAVANE_FINISHED && world_final("http://a.test/"),
	    "P3: it is continued as any other is");
	world_close();
}

static void test_no_silence(void)
{
	world_open(from_silence, "seeds: [\"http://a.test/\", "
				 "\"http://b.test/\"]\n");
	world.policy->manners.backoff.failure_ms = 1000;
	listens = false;
	listens_later = true;
	world.is_attended = true;
	ok(world_run() == PAVANE_FINISHED && world_final("http://a.test/"),
	    "where another host answers, the one that does not is asked again");
	world_close();
}

/* Its directory */

static int64_t removed_at;

static struct reply remove_state(const char *url, unsigned nth)
{
	if (strcmp(url, "http://a.test/robots.txt") == 0) {
		unlink(scratch_file(&world.scratch, "state.db"));
		removed_at = world_now();
	}
	return endless(url, nth);
}

static void tell_each_second(struct pv_crawl *crawl)
{
	crawl->options.progress_ms = 1000;
}

static void test_removed(void)
{
	world_open(remove_state, SEED "limits: {wait: none}\n"
				      "domains: {a.test: {delay: 1h}}\n");
	world.before_run = tell_each_second;
	enum pavane_end end = world_run();
	ok(end == PAVANE_FAILED && removed_at &&
		world_now() - removed_at <= 1000,
	    "P3: a crawl whose state.db is removed sees it within a second, "
	    "though its host rests for an hour (%lld ms)",
	    (long long)(world_now() - removed_at));
	ok(strstr(world.error, "state.db was removed") && count_pages() == 0,
	    "P4: and says so");
	world_close();
}

/* Draining */

/* One page that takes its time, and one that never comes. */
static struct reply slow(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	if (strcmp(url, "http://b.test/") == 0)
		return (struct reply){.is_silent = true};
	pv_crawl_stop(world.crawl);
	return (struct reply){.body = "<a href=/next>", .took_ms = 200};
}

static void test_drain(void)
{
	world_open(slow, SEED "stop: {drain_timeout: 10s}\n");
	int64_t before_ms = world_now();
	ok(world_run() == PAVANE_STOPPED && world_final("http://a.test/"),
	    "P6: what is in flight may end");
	ok(world_now() - before_ms < 300, "P6: and is not waited for longer");
	ok(world_sent_at("http://a.test/next", 0) < 0 &&
		world_number("SELECT count(*) FROM pending") == 1,
	    "P3, P6: nothing new is started, but nothing is lost");
	world_close();
}

static void test_timeout(void)
{
	world_open(slow, "seeds: [\"http://b.test/\", \"http://a.test/\"]\n"
			 "stop: {drain_timeout: 500ms}\n");
	int64_t before_ms = world_now();
	ok(world_run() == PAVANE_STOPPED && world_now() - before_ms < 900,
	    "P6: what does not end is dropped when its time is over");
	ok(world_number("SELECT count(*) FROM pending WHERE "
			"state = 'pending' AND attempt = 0") == 2,
	    "P3: and is pending again, untried");
	world_close();
}

static struct reply impatient(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	pv_crawl_stop(world.crawl);
	pv_crawl_stop(world.crawl);
	return (struct reply){.is_silent = true};
}

static void test_twice(void)
{
	world_open(impatient, SEED "stop: {drain_timeout: 1h}\n");
	int64_t before_ms = world_now();
	ok(world_run() == PAVANE_STOPPED && world_now() - before_ms < 100,
	    "P6: who asks twice does not wait");
	ok(world_number("SELECT count(*) FROM pending") == 1,
	    "P3: nothing is lost either");
	world_close();
}

static void stop_at_once(struct pv_crawl *crawl)
{
	pv_crawl_stop(crawl);
}

static void test_before(void)
{
	world_open(endless, SEED);
	world.before_run = stop_at_once;
	ok(world_run() == PAVANE_STOPPED && world.request_count == 0,
	    "P6: who asks before it has begun sees it end");
	world_close();
}

/* In the last commit, on the writer's thread. */
static void stop_at_last_commit(void *ctx, struct pv_database *database)
{
	struct pv_crawl *crawl = ctx;
	(void)database;
	if (crawl->halt.phase == PAVANE_CLOSING)
		pv_crawl_stop(crawl);
}

static bool leaves_log;

static void see_whether_log_is_left(
    void *ctx, const struct pavane_progress *progress)
{
	struct pv_crawl *crawl = world.crawl;
	(void)ctx;
	(void)progress;
	leaves_log = atomic_load(&crawl->store->writer.leaves_log);
}

static void stop_while_closing(struct pv_crawl *crawl)
{
	crawl->options.on_progress = see_whether_log_is_left;
	pv_writer_before_commit(
	    &crawl->store->writer, stop_at_last_commit, crawl);
}

static void test_while_closing(void)
{
	world_open(endless, SEED "limits: {pages: 3}\n");
	world.before_run = stop_while_closing;
	ok(world_run() == PAVANE_LIMITED && leaves_log,
	    "P6: who asks while it closes already does not wait for the log "
	    "to be folded in");
	world_close();
}

/* The disk */

static void leave_little_room(struct pv_crawl *crawl)
{
	struct pv_database *database = crawl->store->database;
	char sql[64];
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count=%d",
	    (int)pv_database_number(database, "PRAGMA page_count") + 3);
	pv_database_run(database, sql);
}

static struct pavane_progress last_progress;

static void hear_progress(void *ctx, const struct pavane_progress *progress)
{
	(void)ctx;
	last_progress = *progress;
}

static void fill_disk(struct pv_crawl *crawl)
{
	crawl->options.on_progress = hear_progress;
	leave_little_room(crawl);
}

static void test_full(void)
{
	world_open(endless, SEED "limits: {pages: 200}\n");
	world.before_run = fill_disk;
	ok(world_run() == PAVANE_FAILED && world.levels[PAVANE_ERROR] == 1,
	    "P3: a disk that is full ends a crawl, and is told once");
	ok(strstr(world.error, "disk is full") &&
		strstr(world.error, "free disk space, then run it again"),
	    "P4: with what is wrong, and what helps");
	ok(last_progress.known > 0 &&
		(int64_t)last_progress.known ==
		    world_number("SELECT sum(count) FROM counts"),
	    "and what the state has of it (%llu addresses)",
	    (unsigned long long)last_progress.known);
	size_t committed = (size_t)world_number(
	    "SELECT length FROM files WHERE name = 'world'");
	world.before_run = NULL;
	ok(world_run() == PAVANE_LIMITED && world.line_count >= committed,
	    "P3: when there is room it goes on");
	ok(world_number("SELECT count(*) FROM pages") ==
		(int64_t)world_finals(),
	    "P3: and each page has one line");
	world_close();
}

/* We run out of something */

static struct reply out_of_ports(const char *url, unsigned nth)
{
	if (strcmp(url, "http://a.test/") == 0 && nth < 2)
		return (struct reply){
		    .outcome = PV_OUTCOME_NO_CONNECTION, .is_own_fault = true};
	return endless(url, nth);
}

static void test_own_fault(void)
{
	world_open(out_of_ports, SEED "limits: {pages: 3}\n"
				      "fetch: {retries: 0}\n");
	ok(world_run() == PAVANE_LIMITED && world_final("http://a.test/") &&
		world_final("http://a.test/")->outcome == PV_OUTCOME_ANSWERED,
	    "what we ran out of is no fault of the host's, and no try");
	ok(world.levels[PAVANE_WARNING] >= 1, "P4: and is told");
	world_close();
}

/* The disk that it is to be kept on. */
static struct reply no_room(const char *url, unsigned nth)
{
	if (strcmp(url, "http://a.test/") == 0 && nth < 1)
		return (struct reply){
		    .outcome = PV_OUTCOME_BROKEN_OFF,
		    .is_own_fault = true,
		    .disk_error = ENOSPC,
		};
	return endless(url, nth);
}

static void test_no_room(void)
{
	world_open(no_room, SEED "limits: {pages: 3}\n");
	ok(world_run() == PAVANE_FAILED && count_pages() == 1 &&
		strstr(world.error, "http://a.test/: ") &&
		strstr(world.error, "free disk space"),
	    "P1: what the disk has no room for is not asked for again and "
	    "again");
	ok(!world_final("http://a.test/"), "P3: nor given up");
	ok(world_run() == PAVANE_LIMITED && world_final("http://a.test/"),
	    "but asked for when there is room");
	world_close();
}

static struct reply no_robots(const char *url, unsigned nth)
{
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	return (struct reply){.body = "<a href=1><a href=2>"};
}

/* Of descriptors, to keep a page. */
static void test_never_kept(void)
{
	world_open(no_robots, SEED);
	world.fail_error = EMFILE;
	enum pavane_end end = world_run();
	ok(end == PAVANE_FAILED && count_pages() > 1 && count_pages() <= 10,
	    "P1: what can never be kept is not asked for without end (%zu)",
	    count_pages());
	ok(strstr(world.error, "what was done is saved"), "P4: that is told");
	world.fail_error = 0;
	ok(world_run() == PAVANE_FINISHED && world_finals() == 3,
	    "P3: and nothing is lost");
	world_close();
}

/* A time that is past and that nothing comes of would keep the loop busy. */
static void test_next(void)
{
	struct pv_policy policy = {.limits.time_ms = 1000};
	struct pv_crawl crawl = {
	    .policy = &policy,
	    .counters.started_at = 500,
	};
	ok(pv_stopping_next(&crawl) == 1500,
	    "a limit of time is looked at when it is reached");
	crawl.finishing.is_counting = true;
	ok(pv_stopping_next(&crawl) == 1500,
	    "also while the end is being told");
	crawl.halt.is_ending = true;
	crawl.halt.phase = PAVANE_DRAINING;
	crawl.halt.drain_until = 1700;
	crawl.flights.drained.open = 1;
	ok(pv_stopping_next(&crawl) == 1700,
	    "P6: what is open is dropped when its time is over");
	crawl.flights.drained.open = 0;
	ok(pv_stopping_next(&crawl) == PV_NEVER,
	    "where nothing is open there is nothing to drop");
	crawl.halt.is_ending = crawl.finishing.is_counting = false;
	policy.limits.time_ms = PV_NONE;
	ok(pv_stopping_next(&crawl) == PV_NEVER,
	    "without a limit nothing is waited for");
}

/* Linking, which comes behind the loop, has no longer than the rest of the end. */
static void test_deadline(void)
{
	struct pv_policy policy = {
	    .limits.time_ms = PV_NONE, .stop.drain_timeout_ms = 200};
	struct pv_crawl crawl = {
	    .policy = &policy,
	    .counters.started_at = 500,
	    .halt.drain_until = 900,
	    .halt.end = PAVANE_FINISHED,
	};
	ok(pv_halt_deadline(&crawl) == PV_NEVER,
	    "a crawl that is complete has time for its end");
	policy.limits.time_ms = 1000;
	ok(pv_halt_deadline(&crawl) == 1700, "P6: unless its time is limited");
	crawl.halt.end = PAVANE_STOPPED;
	ok(pv_halt_deadline(&crawl) == 900,
	    "P6: one that was stopped has drain_timeout");
}

int main(void)
{
	test_deadline();
	test_pages();
	test_bytes();
	test_host_pages();
	test_time();
	test_time_and_drain();
	test_silence();
	test_no_silence();
	test_removed();
	test_drain();
	test_timeout();
	test_twice();
	test_before();
	test_while_closing();
	test_full();
	test_own_fault();
	test_no_room();
	test_never_kept();
	test_next();
	return tap_done();
}
