#include "pavane/pavane.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "blocking_calls.h"
#include "crawl/patience.h"
#include "policy/shard.h"
#include "scratch.h"
#include "server/server.h"
#include "tap.h"

/* A program that speaks to its crawl while that runs: by real sockets, from
 * several threads, from callbacks, when it has ended, and after a kill. */

#define SECONDS 100
#define THREADS 3
#define PAGES 40 /* that each of them adds */
#define AGAIN 1000

struct course {
	struct server *server;
	uint16_t port;
	struct scratch scratch;
	struct pavane_crawl *crawl;
	unsigned replies; /* calls of on_reply ... */
	unsigned over;    /* ... of which so many by the end */
	enum pavane_answer last;
	struct pavane_host_look look;

	/* from callbacks */
	bool speaks;
	unsigned late; /* answers to those that did not wait */
	unsigned odd;  /* to those that did, and got another than they should */
	unsigned spoken;
	unsigned waited;
};

static bool answer_page(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	const char *links = "";
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->headers = "Content-Type: text/plain\r\n";
		answer->body = "User-agent: *\nDisallow: /secret/\n";
		return true;
	}
	if (pv_str_equal(request->path, PV_STR("/")))
		links = "<a href=a>a</a><a href=secret/b>b</a>";
	if (pv_str_equal(request->path, PV_STR("/other/")))
		links = "<a href=more>more</a>";
	answer->headers = "Content-Type: text/html\r\n";
	pv_buf_append_text(answer->own_body, links);
	pv_buf_append(answer->own_body, request->target);
	return true;
}

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	if (level <= PAVANE_WARNING)
		printf("# %s\n", line);
}

/* On the thread that runs the crawl, or closes it. */
static void on_reply(void *ctx, const struct pavane_reply *reply)
{
	struct course *course = ctx;
	course->replies++;
	course->last = reply->answer;
	course->over += reply->answer == PAVANE_OVER;
	if (reply->host)
		course->look = *reply->host;
}

static const char *address_of(const struct course *course, const char *path)
{
	static __thread char address[200];
	snprintf(address, sizeof(address), "http://127.0.0.1:%u%s",
	    (unsigned)course->port, path);
	return address;
}

/* Every command from one place; each is answered later. */
static void speak(struct course *course)
{
	static const char *const same[] = {"rate.max_rate=100000"};
	const struct pavane_asking asking = {.size = sizeof(asking),
	    .wait_ms = -1,
	    .on_reply = on_reply,
	    .ctx = course};
	struct pavane_crawl *crawl = course->crawl;
	const enum pavane_answer answers[] = {
	    pavane_crawl_add(
		crawl, address_of(course, "/spoken"), NULL, 0, &asking),
	    pavane_crawl_pause(crawl, &asking),
	    pavane_crawl_resume(crawl, NULL, &asking),
	    pavane_crawl_pause_host(crawl, "127.0.0.1", 0, "a while", &asking),
	    pavane_crawl_look_host(crawl, "127.0.0.1", NULL, &asking),
	    pavane_crawl_resume(crawl, "127.0.0.1", &asking),
	    pavane_crawl_set(crawl, same, 1, &asking),
	    pavane_crawl_finish(crawl, &asking),
	};
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++)
		course->late += answers[i] == PAVANE_LATE;
	course->spoken++;
}

static void on_committed(void *ctx, const struct pavane_committed *committed)
{
	struct course *course = ctx;
	(void)committed;
	if (course->speaks && !course->spoken)
		speak(course);
}

static void on_refused(void *ctx, const struct pavane_refused *refused)
{
	struct course *course = ctx;
	const struct pavane_asking asking = {
	    .size = sizeof(asking), .wait_ms = -1};
	(void)refused;
	if (course->speaks && pavane_crawl_look_host(course->crawl, "127.0.0.1",
				  NULL, &asking) != PAVANE_LATE)
		__atomic_add_fetch(&course->odd, 1, __ATOMIC_RELAXED);
}

/* In a thread of the pool, that may wait. */
static void on_page(void *ctx, const struct pavane_page *page)
{
	struct course *course = ctx;
	struct pavane_host_look look = {.size = sizeof(look)};
	const struct pavane_asking asking = {
	    .size = sizeof(asking), .wait_ms = -1};
	(void)page;
	if (!course->speaks)
		return;
	enum pavane_answer answer =
	    pavane_crawl_look_host(course->crawl, "127.0.0.1", &look, &asking);
	if (answer != PAVANE_YES && answer != PAVANE_OVER)
		__atomic_add_fetch(&course->odd, 1, __ATOMIC_RELAXED);
	if (answer == PAVANE_YES && look.is_held)
		__atomic_add_fetch(&course->waited, 1, __ATOMIC_RELAXED);
}

static struct pavane_policy *load_with(
    const struct course *course, const char *path, const char *assignment)
{
	char address[64];
	snprintf(address, sizeof(address), "%s", address_of(course, path));
	const struct pavane_setting settings[] = {
	    {NULL, assignment},
	    {NULL, "politeness.delay=0"},
	    {NULL, "politeness.ip_delay=0"},
	    {NULL, "politeness.delay_factor=0"},
	};
	const char *const addresses[] = {address};
	const struct pavane_sources sources = {
	    .size = sizeof(sources),
	    .settings = settings,
	    .setting_count = sizeof(settings) / sizeof(*settings),
	    .addresses = addresses,
	    .address_count = 1,
	};
	return pavane_policy_load(&sources);
}

static struct pavane_policy *load(const struct course *course)
{
	return load_with(course, "/", "rate.max_rate=1000");
}

static const struct pavane_events events = {
    .size = sizeof(events),
    .on_page = on_page,
    .on_committed = on_committed,
    .on_refused = on_refused,
};

static struct pavane_crawl_options options_of(
    struct course *course, bool stays_open)
{
	return (struct pavane_crawl_options){
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = course->scratch.path,
	    .state_dir = course->scratch.path,
	    .level = PAVANE_INFO,
	    .on_line = on_line,
	    .events = &events,
	    .ctx = course,
	    .stays_open = stays_open,
	};
}

static bool open_course(
    struct course *course, const struct pavane_policy *policy, bool stays_open)
{
	const struct pavane_crawl_options options =
	    options_of(course, stays_open);
	course->crawl = pavane_crawl_open(policy, &options);
	return course->crawl != NULL;
}

static void anew(struct course *course)
{
	scratch_remove(&course->scratch);
	scratch_make(&course->scratch);
	course->replies = course->over = course->late = 0;
}

static unsigned requests_of(const struct course *course, const char *path)
{
	struct server_record record;
	unsigned count = 0;
	for (size_t i = 0; server_log_get(course->server, i, &record); i++)
		count += pv_str_equal(record.target, pv_str_of(path));
	return count;
}

/* With an answer that is waited for, in the reply. */
static struct pavane_asking waiting(struct pavane_reply *reply)
{
	*reply = (struct pavane_reply){.size = sizeof(*reply)};
	return (struct pavane_asking){
	    .size = sizeof(struct pavane_asking),
	    .wait_ms = HANG_MS,
	    .reply = reply,
	};
}

static enum pavane_answer add(const struct course *course, const char *address,
    uint32_t depth, struct pavane_reply *reply)
{
	const struct pavane_asking asking = waiting(reply);
	return pavane_crawl_add(course->crawl, address, "tag", depth, &asking);
}

struct adder {
	const struct course *course;
	pthread_t thread;
	unsigned number;
	unsigned right;
};

static void *add_pages(void *ctx)
{
	struct adder *adder = ctx;
	struct pavane_reply reply;
	for (unsigned i = 0; i < PAGES; i++) {
		char path[40];
		snprintf(path, sizeof(path), "/added-%u-%u", adder->number, i);
		adder->right +=
		    add(adder->course, address_of(adder->course, path), 0,
			&reply) == PAVANE_YES &&
		    reply.answer == PAVANE_YES;
	}
	return NULL;
}

static unsigned add_from_threads(const struct course *course)
{
	struct adder adders[THREADS];
	unsigned right = 0;
	for (unsigned i = 0; i < THREADS; i++) {
		adders[i] = (struct adder){.course = course, .number = i};
		pthread_create(&adders[i].thread, NULL, add_pages, &adders[i]);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(adders[i].thread, NULL);
		right += adders[i].right;
	}
	return right;
}

static unsigned count_requested(const struct course *course)
{
	unsigned count = 0;
	for (unsigned i = 0; i < THREADS * PAGES; i++) {
		char path[40];
		snprintf(
		    path, sizeof(path), "/added-%u-%u", i / PAGES, i % PAGES);
		count += requests_of(course, path) == 1;
	}
	return count;
}

static void count_fresh(void *ctx, const struct pavane_reply *reply)
{
	if (reply->answer == PAVANE_YES)
		__atomic_add_fetch((unsigned *)ctx, 1, __ATOMIC_SEQ_CST);
}

/* Many of them in one batch; the last is answered behind all others. */
static void test_again(const struct course *course)
{
	unsigned fresh = 0, full = 0;
	struct pavane_reply reply;
	const struct pavane_asking asking = {
	    .size = sizeof(asking), .on_reply = count_fresh, .ctx = &fresh};
	for (unsigned i = 0; i < AGAIN; i++)
		full += pavane_crawl_add(course->crawl,
			    address_of(course, "/again"), NULL, 0,
			    &asking) != PAVANE_LATE;
	enum pavane_answer last =
	    add(course, address_of(course, "/again"), 0, &reply);
	unsigned count = __atomic_load_n(&fresh, __ATOMIC_SEQ_CST);
	ok(last == PAVANE_NO && strcmp(reply.word, "known") == 0 && !full &&
		count == 1,
	    "an address that is added a thousand times is new once (%u, %u)",
	    count, full);
}

static void test_refusals(const struct course *course)
{
	struct pavane_reply reply;
	char *text = malloc(1000001);
	memset(text, 'a', 1000000);
	memcpy(text, "http://", 7);
	text[1000000] = '\0';
	ok(add(course, text, 0, &reply) == PAVANE_WRONG &&
		strstr(reply.sentence, "65536"),
	    "an address of a million bytes is refused at once");
	free(text);
	ok(add(course, "example.org", 0, &reply) == PAVANE_WRONG &&
		strstr(reply.sentence, "scheme"),
	    "what is no address is refused in words (%s)", reply.sentence);
	ok(add(course, "http://me:secret@example.org/", 0, &reply) ==
		PAVANE_WRONG,
	    "so is one with a password");
	ok(add(course, address_of(course, "/secret/c"), 1, &reply) ==
		    PAVANE_NO &&
		strcmp(reply.word, "robots") == 0,
	    "P2: what robots.txt forbids is refused by its word (%s: %s)",
	    reply.word, reply.sentence);
	ok(add(course, "http://elsewhere.test/", 1, &reply) == PAVANE_NO &&
		strcmp(reply.word, "host") == 0,
	    "what does not count as a seed is judged by the scope (%s)",
	    reply.word);
	char address[100];
	snprintf(address, sizeof(address), "http://localhost:%u/again",
	    (unsigned)course->port);
	ok(add(course, address, 1, &reply) == PAVANE_NO &&
		add(course, address, 0, &reply) == PAVANE_YES,
	    "what was refused may be added as a seed (%s)", reply.word);
	ok(add(course, address_of(course, "/deep"), 3, &reply) == PAVANE_YES,
	    "and admitted where that admits it (%s)", reply.word);
}

static void test_adding(struct course *course)
{
	struct pavane_policy *policy = load(course);
	struct pavane_reply reply;
	struct pavane_asking asking;
	open_course(course, policy, true);
	pavane_crawl_spawn(course->crawl);
	unsigned right = add_from_threads(course);
	ok(right == THREADS * PAGES,
	    "three threads add pages while a crawl runs (%u)", right);
	test_again(course);
	asking = waiting(&reply);
	while (!requests_of(course, "/a"))
		sched_yield();
	test_refusals(course);
	ok(pavane_crawl_finish(course->crawl, &asking) == PAVANE_YES,
	    "a crawl that stays open is allowed to end");
	ok(pavane_crawl_join(course->crawl) == PAVANE_FINISHED,
	    "and ends when nothing is left");
	ok(count_requested(course) == THREADS * PAGES &&
		requests_of(course, "/again") == 2 &&
		requests_of(course, "/deep") == 1,
	    "P3: what was added is requested, each once (%u)",
	    count_requested(course));
	ok(!requests_of(course, "/secret/c"), "P2: and nothing else");
	ok(add(course, address_of(course, "/late"), 0, &reply) == PAVANE_OVER &&
		strstr(reply.sentence, "ended"),
	    "after the end a command says so (%s)", reply.sentence);
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
}

/* Text of the pauses, as `pavane status` shows it. */
static bool status_shows(const struct course *course, const char *part)
{
	struct pavane_status *status =
	    pavane_status_read(course->scratch.path, on_line, NULL);
	bool is_shown = status && status->progress->pauses &&
			strstr(status->progress->pauses, part);
	if (!is_shown)
		printf("# %s\n", status ? status->progress->pauses : "none");
	pavane_status_destroy(status);
	return is_shown;
}

static void test_pausing(struct course *course)
{
	struct pavane_policy *policy = load(course);
	struct pavane_reply reply;
	struct pavane_asking asking = waiting(&reply);
	struct pavane_host_look look = {.size = sizeof(look)};
	open_course(course, policy, true);
	pavane_crawl_spawn(course->crawl);
	ok(pavane_crawl_pause(course->crawl, &asking) == PAVANE_YES,
	    "a crawl is paused");
	ok(add(course, address_of(course, "/paused"), 0, &reply) == PAVANE_YES,
	    "while it is paused addresses are added");
	ok(pavane_crawl_look_host(course->crawl, "127.0.0.1", &look, &asking) ==
		PAVANE_YES,
	    "its host is looked at");
	ok(!requests_of(course, "/paused"), "nothing new is requested");
	pavane_crawl_stop(course->crawl);
	ok(pavane_crawl_join(course->crawl) == PAVANE_STOPPED &&
		status_shows(course, "paused since"),
	    "the pause holds when it has ended");
	pavane_crawl_close(course->crawl);
	open_course(course, policy, false);
	ok(pavane_crawl_resume(course->crawl, NULL, NULL) == PAVANE_LATE,
	    "a command before the start is kept");
	ok(pavane_crawl_run(course->crawl) == PAVANE_FINISHED &&
		requests_of(course, "/paused") == 1,
	    "P3: and carried out then: the crawl goes on to its end");
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
}

static void test_pausing_host(struct course *course)
{
	struct pavane_policy *policy = load(course);
	struct pavane_reply reply;
	struct pavane_asking asking = waiting(&reply);
	struct pavane_host_look look = {.size = sizeof(look)};
	open_course(course, policy, true);
	pavane_crawl_spawn(course->crawl);
	ok(pavane_crawl_pause_host(course->crawl, "127.0.0.1", 0, "they\nmove",
	       &asking) == PAVANE_YES,
	    "a host is paused, with a reason");
	ok(status_shows(course, "127.0.0.1 is paused since") &&
		status_shows(course, "(they move)"),
	    "P4: which the status shows");
	ok(pavane_crawl_pause_host(course->crawl, "nowhere.test", 0, NULL,
	       &asking) == PAVANE_WRONG &&
		strstr(reply.sentence, "not a host"),
	    "one that is none of the crawl cannot be (%s)", reply.sentence);
	ok(pavane_crawl_pause_host(
	       course->crawl, "127.0.0.1", 1, NULL, &asking) == PAVANE_WRONG,
	    "nor until a time that is over");
	add(course, address_of(course, "/host-paused"), 0, &reply);
	ok(pavane_crawl_look_host(course->crawl, "127.0.0.1", &look, &asking) ==
		    PAVANE_YES &&
		look.is_paused && look.paused_until_ms == INT64_MAX,
	    "a look at it shows the pause in values");
	ok(!requests_of(course, "/host-paused"), "it is not asked");
	ok(pavane_crawl_look_host(
	       course->crawl, "nowhere.test", &look, &asking) == PAVANE_NO &&
		pavane_crawl_look_host(course->crawl, "a/b", &look, &asking) ==
		    PAVANE_WRONG,
	    "other hosts are unknown, and nonsense is refused");
	ok(pavane_crawl_resume(course->crawl, "127.0.0.1", &asking) ==
		    PAVANE_YES &&
		pavane_crawl_resume(course->crawl, "127.0.0.1", &asking) ==
		    PAVANE_NO,
	    "the pause is ended, once");
	while (!requests_of(course, "/host-paused"))
		sched_yield();
	ok(pavane_crawl_look_host(course->crawl, "127.0.0.1", &look, &asking) ==
		    PAVANE_YES &&
		look.pages > 0 && !look.is_paused && !look.given_up[0],
	    "and then it is asked (%llu pages)",
	    (unsigned long long)look.pages);
	pavane_crawl_finish(course->crawl, &asking);
	pavane_crawl_join(course->crawl);
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
}

static void test_setting(struct course *course)
{
	static const char *const rate[] = {"rate.max_rate=500"};
	static const char *const wrong[] = {
	    "rate.max_rate=500", "rate.no_such=1"};
	struct pavane_policy *policy = load(course);
	const struct pavane_crawl_options options = options_of(course, true);
	struct pavane_reply reply;
	struct pavane_asking asking = waiting(&reply);
	open_course(course, policy, true);
	pavane_crawl_spawn(course->crawl);
	ok(pavane_crawl_set(course->crawl, wrong, 2, &asking) == PAVANE_WRONG &&
		reply.sentence[0],
	    "of keys that are set one is wrong (%s)", reply.sentence);
	ok(pavane_crawl_set(course->crawl, rate, 1, &asking) == PAVANE_YES,
	    "a key is set");
	ok(pavane_crawl_join(course->crawl) == PAVANE_STOPPED &&
		pavane_crawl_has_changed(course->crawl),
	    "then the crawl wants to be opened again");
	course->crawl = pavane_crawl_reopen(course->crawl, policy, &options);
	pavane_crawl_spawn(course->crawl);
	ok(pavane_crawl_set(course->crawl, rate, 1, &asking) == PAVANE_NO,
	    "with what was set");
	ok(add(course, address_of(course, "/reopened"), 0, &reply) ==
		PAVANE_YES,
	    "and hears commands as before");
	pavane_crawl_finish(course->crawl, NULL);
	pavane_crawl_join(course->crawl);
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
}

/* What is in the way: a limit, and a file that cannot be written. */
static void test_no_room(struct course *course)
{
	struct pavane_policy *policy = load_with(course, "/", "limits.known=1");
	unsigned before = requests_of(course, "/robots.txt");
	struct pavane_reply reply;
	struct pavane_asking asking = waiting(&reply);
	anew(course);
	open_course(course, policy, true);
	mkdir(scratch_file(&course->scratch, "control.lock"), 0700);
	pavane_crawl_spawn(course->crawl);
	while (requests_of(course, "/robots.txt") == before)
		sched_yield(); /* for the seed, which is all that may be known */
	ok(pavane_crawl_pause(course->crawl, &asking) == PAVANE_UNREADABLE &&
		strstr(reply.sentence, "control.lock"),
	    "a pause that cannot be written says so (%s)", reply.sentence);
	rmdir(scratch_file(&course->scratch, "control.lock"));
	ok(pavane_crawl_pause(course->crawl, &asking) == PAVANE_YES,
	    "and the next one is none the worse for it");
	ok(add(course, address_of(course, "/too-much"), 0, &reply) ==
		    PAVANE_NO &&
		strcmp(reply.word, "known-limit") == 0,
	    "P5: limits.known holds for what is added (%s)", reply.word);
	pavane_crawl_stop(course->crawl);
	pavane_crawl_join(course->crawl);
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
}

/* What a rule admits is in scope, but its host is not. */
static void test_depth(struct course *course)
{
	struct pavane_policy *policy =
	    load_with(course, "/", "scope.rules=[{allow: {path: \"/ruled\"}}]");
	struct pavane_reply reply;
	struct pavane_asking asking = waiting(&reply);
	char ruled[100], other[100];
	snprintf(ruled, sizeof(ruled), "http://localhost:%u/ruled",
	    (unsigned)course->port);
	snprintf(other, sizeof(other), "http://localhost:%u/unruled",
	    (unsigned)course->port);
	anew(course);
	open_course(course, policy, true);
	pavane_crawl_spawn(course->crawl);
	ok(add(course, ruled, 1, &reply) == PAVANE_YES &&
		add(course, other, 1, &reply) == PAVANE_NO &&
		strcmp(reply.word, "host") == 0,
	    "what is added as a link does not widen the scope (%s)",
	    reply.word);
	ok(add(course, other, 0, &reply) == PAVANE_YES &&
		add(course, other, 0, &reply) == PAVANE_NO,
	    "and what is added as a seed does");
	asking.size = 0;
	ok(pavane_crawl_pause(course->crawl, &asking) == PAVANE_WRONG &&
		!status_shows(course, "paused"),
	    "an asking whose size is not set is not read, and nothing done");
	pavane_crawl_stop(course->crawl);
	pavane_crawl_join(course->crawl);
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
}

/* By a loop of the test's own, whose steps must not wait. */
static void step_through(struct course *course)
{
	struct pollfd wait = {pavane_crawl_fd(course->crawl), POLLIN, 0};
	bool goes_on = pavane_crawl_start(course->crawl);
	while (goes_on) {
		poll(&wait, 1, pavane_crawl_timeout_ms(course->crawl));
		must_not_wait = true;
		goes_on = pavane_crawl_step(course->crawl);
		must_not_wait = false;
	}
}

static void test_callbacks(struct course *course)
{
	struct pavane_policy *policy = load(course);
	open_course(course, policy, true);
	course->speaks = true;
	step_through(course);
	course->speaks = false;
	ok(course->spoken == 1 && course->late == 8,
	    "no command waits on the crawl's own thread (%u)", course->late);
	ok(course->replies + course->over >= 8,
	    "each is answered by its callback (%u)", course->replies);
	ok(course->look.is_paused && course->look.size == sizeof(course->look),
	    "in its order, as a look between two others shows");
	ok(!course->odd && course->waited > 0,
	    "threads of the pool may wait, the writer's does not (%u)",
	    course->odd);
	ok(requests_of(course, "/spoken") == 1, "what was added is requested");
	ok(!blocking_calls.count, "P5: no step waits for anything (%u %s)",
	    blocking_calls.count, blocking_calls.first);
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
}

static void *wait_a_moment(void *ctx)
{
	struct course *course = ctx;
	const struct pavane_asking asking = {.size = sizeof(asking),
	    .wait_ms = 20,
	    .on_reply = on_reply,
	    .ctx = course};
	course->last = pavane_crawl_pause(course->crawl, &asking);
	return NULL;
}

static void test_closing(struct course *course)
{
	struct pavane_policy *policy = load(course);
	const struct pavane_asking asking = {
	    .size = sizeof(asking), .on_reply = on_reply, .ctx = course};
	pthread_t thread;
	anew(course);
	open_course(course, policy, false);
	pthread_create(&thread, NULL, wait_a_moment, course);
	pthread_join(thread, NULL);
	ok(course->last == PAVANE_LATE && !course->replies,
	    "a wait is over when its time is, though nobody carries it out");
	for (unsigned i = 0; i < 10; i++)
		pavane_crawl_add(course->crawl, address_of(course, "/never"),
		    NULL, 0, &asking);
	pavane_crawl_close(course->crawl);
	ok(course->replies == 11 && course->over == 11,
	    "commands in the mailbox of a crawl that is closed are answered "
	    "(%u)",
	    course->over);
	anew(course);
	open_course(course, policy, true);
	pavane_crawl_start(course->crawl);
	for (unsigned i = 0; i < 5; i++) {
		pavane_crawl_add(course->crawl, address_of(course, "/never"),
		    NULL, 0, &asking);
		pavane_crawl_pause(course->crawl, &asking);
		pavane_crawl_step(course->crawl);
	}
	pavane_crawl_close(course->crawl);
	ok(course->replies == 10,
	    "so are those under way in one that runs (%u)", course->replies);
	pavane_policy_destroy(policy);
}

/* The program of its own that is killed. */
static int die(const char *directory, const char *port)
{
	struct course course = {.port = (uint16_t)strtoul(port, NULL, 10)};
	struct pavane_reply reply;
	struct pavane_asking asking = waiting(&reply);
	char address[100];
	snprintf(
	    course.scratch.path, sizeof(course.scratch.path), "%s", directory);
	snprintf(address, sizeof(address), "http://localhost:%s/other/", port);
	open_course(&course, load(&course), true);
	pavane_crawl_spawn(course.crawl);
	if (pavane_crawl_pause(course.crawl, &asking) == PAVANE_YES &&
	    add(&course, address, 0, &reply) == PAVANE_YES &&
	    pavane_crawl_pause_host(
		course.crawl, "localhost", 0, "a test", &asking) == PAVANE_YES)
		kill(getpid(), SIGKILL);
	printf("# %s\n", reply.sentence);
	return 1;
}

static bool run_and_die(const struct course *course)
{
	int status = 0;
	char port[16];
	snprintf(port, sizeof(port), "%u", (unsigned)course->port);
	pid_t child = fork();
	if (!child) {
		execl("/proc/self/exe", "test_commands", course->scratch.path,
		    port, (char *)NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status);
}

static void test_kill(struct course *course)
{
	struct pavane_policy *policy = load(course);
	anew(course);
	ok(run_and_die(course), "a program that has spoken is killed");
	ok(!requests_of(course, "/other/"), "what it added has not begun");
	ok(status_shows(course, "paused since") &&
		status_shows(course, "localhost is paused since") &&
		status_shows(course, "(a test)"),
	    "P3: its pauses hold");
	open_course(course, policy, false);
	pavane_crawl_resume(course->crawl, NULL, NULL);
	pavane_crawl_resume(course->crawl, "localhost", NULL);
	ok(pavane_crawl_run(course->crawl) == PAVANE_FINISHED,
	    "the next run goes on to the end");
	ok(requests_of(course, "/other/") == 1,
	    "P3: with the seed that was added");
	ok(requests_of(course, "/other/more") == 1,
	    "whose host is in scope as a seed's is");
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
}

/* What is in the state as a seed stays one, whatever the seeds of the policy. */
static void test_other_policy(struct course *course)
{
	struct pavane_policy *policy =
	    load_with(course, "/other-seed", "scope.hosts=[127.0.0.1]");
	unsigned others = requests_of(course, "/other/");
	unsigned more = requests_of(course, "/other/more");
	anew(course);
	ok(run_and_die(course), "a program is killed that has added a seed");
	open_course(course, policy, false);
	pavane_crawl_resume(course->crawl, NULL, NULL);
	pavane_crawl_resume(course->crawl, "localhost", NULL);
	ok(pavane_crawl_run(course->crawl) == PAVANE_FINISHED &&
		requests_of(course, "/other-seed") == 1,
	    "another policy has other seeds, and a smaller scope");
	ok(requests_of(course, "/other/") == others + 1,
	    "P3: what was added as a seed is requested all the same");
	ok(requests_of(course, "/other/more") == more,
	    "but not what that scope leaves out");
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
}

/* Of a crawl that is divided: an address of the other half. */
static bool has_outbound(
    const struct course *course, uint32_t shard, const char *address)
{
	char name[32];
	struct pv_buf text;
	snprintf(name, sizeof(name), "outbound/%u.jsonl", (unsigned)shard);
	pv_buf_init(&text, 1 << 20);
	pv_file_read(scratch_file(&course->scratch, name), &text);
	bool has_it = strstr(pv_buf_text(&text), address);
	pv_buf_finish(&text);
	unlink(scratch_file(&course->scratch, name));
	rmdir(scratch_file(&course->scratch, "outbound"));
	return has_it;
}

static void test_shards(struct course *course)
{
	struct pv_policy *plain = pv_policy_create();
	uint32_t ours = pv_shard_of(plain, 2, PV_STR("127.0.0.1"));
	char shard[16], address[64], host[32];
	unsigned last = 2;
	do {
		snprintf(host, sizeof(host), "127.0.0.%u", last++);
	} while (pv_shard_of(plain, 2, pv_str_of(host)) == ours);
	pv_policy_destroy(plain);
	snprintf(shard, sizeof(shard), "%u/2", (unsigned)ours);
	snprintf(address, sizeof(address), "http://%s/added", host);
	anew(course);
	struct pavane_policy *policy = load(course);
	struct pavane_crawl_options options = options_of(course, true);
	struct pavane_reply reply;
	options.shard = shard;
	course->crawl = pavane_crawl_open(policy, &options);
	pavane_crawl_spawn(course->crawl);
	ok(add(course, address, 0, &reply) == PAVANE_NO &&
		strcmp(reply.word, "shard") == 0 &&
		strstr(reply.sentence, "(shard "),
	    "P4: an address of another shard is not requested, and whose it is "
	    "is told");
	pavane_crawl_finish(course->crawl, NULL);
	pavane_crawl_join(course->crawl);
	ok(pavane_crawl_progress(course->crawl)->shard == ours &&
		pavane_crawl_progress(course->crawl)->elsewhere == 1,
	    "it is counted for others");
	pavane_crawl_close(course->crawl);
	pavane_policy_destroy(policy);
	ok(has_outbound(course, 3 - ours, address), "P3: and goes to that one");
}

int main(int argc, char **argv)
{
	struct course course = {.replies = 0};
	if (argc > 2)
		return die(argv[1], argv[2]);
	course.server =
	    server_start(&(struct server_plan){.answer = answer_page});
	course.port = server_port(course.server);
	scratch_make(&course.scratch);
	end_after(SECONDS);
	test_adding(&course);
	test_pausing(&course);
	test_pausing_host(&course);
	test_setting(&course);
	test_no_room(&course);
	test_depth(&course);
	anew(&course);
	test_callbacks(&course);
	test_closing(&course);
	test_kill(&course);
	test_other_policy(&course);
	test_shards(&course);
	end_after(0);
	scratch_remove(&course.scratch);
	server_stop(course.server);
	return tap_done();
}
