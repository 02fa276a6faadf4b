#include "crawl/scene.h"
#include "together.h"

/* Two crawls side by side, of one user on one machine: together they keep what
 * each of them promises, as the server saw it (P1, P2, P3). */

struct pair {
	struct crawl_scene scene;
	struct program *crawls[2];
	struct program_end ends[2];
};

static const char *const names[] = {"one", "two"};

static bool open_pair(struct pair *pair, const struct server_plan *plan)
{
	*pair = (struct pair){.crawls = {NULL, NULL}};
	return ok(crawl_scene_open(&pair->scene, plan), "a server is there");
}

static void close_pair(struct pair *pair)
{
	program_destroy(pair->crawls[0]);
	program_destroy(pair->crawls[1]);
	crawl_scene_close(&pair->scene);
}

/* A policy of each; NULL: the other's, too. PORT in it is the server's. */
static void write_policies(struct pair *pair, const char *one, const char *two)
{
	const char *texts[] = {one, two ? two : one};
	for (size_t i = 0; i < 2; i++) {
		char file[16];
		struct pv_buf buf;
		pv_buf_init(&buf, 1 << 16);
		snprintf(file, sizeof(file), "%s.yaml", names[i]);
		crawl_scene_leave_sitemaps(&pair->scene, texts[i], &buf);
		home_write(&pair->scene.home, file, pv_buf_str(&buf));
		pv_buf_finish(&buf);
	}
}

static void start(struct pair *pair, size_t which)
{
	char file[16];
	snprintf(file, sizeof(file), "%s.yaml", names[which]);
	const char *const arguments[] = {
	    "crawl", file, "-o", names[which], NULL};
	pair->crawls[which] = program_start(&pair->scene.home, arguments);
	if (!pair->crawls[which]) {
		puts("Bail out! The program could not be started.");
		exit(1);
	}
}

static bool finishes(struct pair *pair, size_t which, int status)
{
	struct program_end *end = &pair->ends[which];
	if (program_wait(pair->crawls[which], HANG_MS, end) &&
	    !end->is_killed && end->status == status)
		return true;
	struct pv_buf said;
	pv_buf_init(&said, 1 << 20);
	program_errors(pair->crawls[which], &said);
	printf("# %s ended with %d and said: %s\n", names[which], end->status,
	    pv_buf_text(&said));
	pv_buf_finish(&said);
	return false;
}

static void run_both(struct pair *pair)
{
	start(pair, 0);
	start(pair, 1);
	bool is_whole = finishes(pair, 0, 0);
	is_whole = finishes(pair, 1, 0) && is_whole;
	ok(is_whole, "two crawls finish");
}

/* One host */

#define ONE_HOST                                \
	"version: 1\n"                          \
	"seeds: [\"http://127.0.0.1:PORT/\"]\n" \
	"rate: {max_rate: 100, interval: 1s}\n" \
	"output: {}\n"

/* What a crawl promises, as its policy says it and as it can be seen. */
struct promise {
	const char *politeness;
	int64_t gap_us;  /* from any start to its own, and back */
	int64_t rest_us; /* the same from ends; INT64_MIN: none, and others may
			    be open beside it */
};

static const struct {
	const char *claim;
	struct promise promises[2];
} paces[] = {
    {"a rest after each answer",
	{{"{delay: 60ms, ip_delay: 0}", 60000, 60000},
	    {"{delay: 60ms, ip_delay: 0}", 60000, 60000}}},
    {"a delay between starts",
	{{"{delay: 60ms, delay_from: start, delay_factor: 0, ip_delay: 0, "
	  "connections: 2}",
	     60000, INT64_MIN},
	    {"{delay: 60ms, delay_from: start, delay_factor: 0, ip_delay: 0, "
	     "connections: 2}",
		60000, INT64_MIN}}},
    {"rests that differ",
	{{"{delay: 60ms, delay_factor: 0, ip_delay: 0}", 60000, 60000},
	    {"{delay: 5ms, delay_factor: 0, ip_delay: 0}", 5000, 5000}}},
    {"one of them alone, and one at a time",
	{{"{delay: 1ms, delay_factor: 0, ip_delay: 0}", 1000, 1000},
	    {"{delay: 1ms, delay_from: start, delay_factor: 0, ip_delay: 0, "
	     "connections: 4}",
		1000, INT64_MIN}}},
    {"one of them without any delay",
	{{"{delay: 40ms, delay_factor: 0, ip_delay: 0}", 40000, 40000},
	    {"{delay: 0, delay_factor: 0, ip_delay: 0, connections: 4}", 0,
		INT64_MIN}}},
};

static int by_begin(const void *a, const void *b)
{
	const struct server_record *one = a;
	const struct server_record *other = b;
	return (one->begin_us > other->begin_us) -
	       (one->begin_us < other->begin_us);
}

static const struct promise *promise_of(
    const struct server_record *record, const struct promise promises[2])
{
	char agent[32];
	snprintf(agent, sizeof(agent), "%sbot", names[1]);
	return &promises[memmem(record->headers.ptr, record->headers.len, agent,
			     strlen(agent)) != NULL];
}

/* Whether two requests, of which one began first, keep a promise. */
static bool is_kept(const struct server_record *one,
    const struct server_record *next, const struct promise *promise)
{
	return next->begin_us - one->begin_us >= promise->gap_us &&
	       (promise->rest_us == INT64_MIN ||
		   next->begin_us - one->end_us >= promise->rest_us);
}

static size_t broken_promises(
    struct log_view *view, const struct promise promises[2])
{
	size_t broken = 0;
	qsort(view->records, view->count, sizeof(*view->records), by_begin);
	for (size_t i = 0; i < view->count; i++) {
		for (size_t j = i + 1; j < view->count; j++) {
			const struct server_record *one = &view->records[i];
			const struct server_record *next = &view->records[j];
			broken +=
			    !is_kept(one, next, promise_of(one, promises)) ||
			    !is_kept(one, next, promise_of(next, promises));
		}
	}
	return broken;
}

static void judge_pace(struct pair *pair, size_t i)
{
	struct log_view view = log_view_of(pair->scene.server);
	size_t broken = broken_promises(&view, paces[i].promises);
	ok(!broken && view.is_whole,
	    "P1: %s: whatever either crawl promises holds for both together "
	    "(%zu times not)",
	    paces[i].claim, broken);
	ok(log_count(&view, NULL, "/robots.txt") == 2 &&
		log_count(&view, NULL, "/page/*") == 18,
	    "and each has asked for robots.txt and all pages");
	log_view_finish(&view);
}

static void test_one_host(size_t i)
{
	struct site site = {.pages = 10, .links = 9, .latency_ms = 5};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct pair pair;
	char policies[2][512];
	if (!open_pair(&pair, &plan))
		return;
	for (size_t j = 0; j < 2; j++)
		snprintf(policies[j], sizeof(policies[j]),
		    ONE_HOST "identity: {agent: %sbot/1.0}\npoliteness: %s\n",
		    names[j], paces[i].promises[j].politeness);
	write_policies(&pair, policies[0], policies[1]);
	run_both(&pair);
	judge_pace(&pair, i);
	close_pair(&pair);
}

/* One with a short delay and more to ask for than it ever could, one with a long
 * delay. */
static void test_turns(void)
{
	struct site site = {.pages = 100000, .links = 5};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct pair pair;
	struct program_end early;
	if (!open_pair(&pair, &plan))
		return;
	write_policies(&pair,
	    ONE_HOST "politeness: {delay: 50ms, ip_delay: 0}\n",
	    ONE_HOST "politeness: {delay: 150ms, ip_delay: 0}\n"
		     "limits: {pages: 10}\n");
	start(&pair, 0);
	server_wait(pair.scene.server, 4, HANG_MS);
	start(&pair, 1);
	ok(finishes(&pair, 1, 4) && !program_wait(pair.crawls[0], 1, &early),
	    "P6: a crawl with a longer delay has its pages while one with a "
	    "shorter delay still asks that host");
	program_signal(pair.crawls[0], SIGINT);
	ok(finishes(&pair, 0, 3), "which goes on until it is stopped");
	close_pair(&pair);
}

/* One address */

#define NAMED(name)                                       \
	"version: 1\n"                                    \
	"seeds: [\"http://" name ":PORT/\"]\n"            \
	"rate: {max_rate: 100, interval: 1s}\n"           \
	"fetch: {resolve: {\"*.test\": \"127.0.0.1\"}}\n" \
	"output: {}\n"                                    \
	"politeness: {delay: 0, delay_factor: 0, ip_delay: 50ms}\n"

static void test_one_address(void)
{
	struct site site = {.pages = 12, .links = 11};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct pair pair;
	if (!open_pair(&pair, &plan))
		return;
	write_policies(&pair, NAMED("a.test"), NAMED("b.test"));
	run_both(&pair);
	struct log_view view = log_view_of(pair.scene.server);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_ADDRESS);
	ok(gap.us >= 50000 && log_key_count(&view, LOG_BY_HOST) == 2,
	    "P1: two hosts at one address, a crawl each: the address has its "
	    "ip_delay between any two requests (%.3f ms)",
	    (double)gap.us / 1000);
	log_view_finish(&view);
	close_pair(&pair);
}

/* Kept apart */

static const struct server_route slow_first[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/",
	.nth = 1,
	.answer = {.fault = {SERVER_STALL, SERVER_BEFORE, 0}}},
    {.path = "/", .answer = {.body = "in time"}},
};

static void test_not_shared(void)
{
	struct server_plan plan = {SERVER_ROUTES(slow_first)};
	struct pair pair;
	if (!open_pair(&pair, &plan))
		return;
	write_policies(&pair,
	    ONE_HOST "politeness: {delay: 10ms, shared_clocks: false}\n", NULL);
	start(&pair, 0);
	server_wait(pair.scene.server, 2, HANG_MS);
	start(&pair, 1);
	ok(finishes(&pair, 1, 0) && server_log_count(pair.scene.server) == 4,
	    "with shared_clocks: false they do not know of each other: one "
	    "asks while the other waits for an answer");
	ok(!crawl_scene_has(&pair.scene, "state*"),
	    "and nothing is made that they could share");
	program_signal(pair.crawls[0], SIGKILL);
	close_pair(&pair);
}

/* Killed */

static void test_killed(void)
{
	struct server_plan plan = {SERVER_ROUTES(slow_first)};
	struct pair pair;
	if (!open_pair(&pair, &plan))
		return;
	write_policies(
	    &pair, ONE_HOST "politeness: {delay: 400ms, ip_delay: 0}\n", NULL);
	start(&pair, 0);
	ok(server_wait(pair.scene.server, 2, HANG_MS),
	    "one crawl waits for an answer that does not come");
	start(&pair, 1);
	char told[] = "\"other-crawl\":";
	int64_t waiting = -1;
	for (int i = 0; i < HANG_MS / 200 && waiting < 1; i++) {
		static const char *const arguments[] = {
		    "status", "two", "--json", NULL};
		struct program_end end;
		struct pv_buf said;
		pv_buf_init(&said, 1 << 20);
		program_run(&pair.scene.home, arguments, &said, &end);
		if (strstr(pv_buf_text(&said), told))
			waiting = 1;
		else if (i == HANG_MS / 200 - 1)
			printf("# %s\n", pv_buf_text(&said));
		pv_buf_finish(&said);
		program_wait(pair.crawls[1], 200, &end);
	}
	ok(waiting == 1,
	    "P4: the other's status says that it waits for another crawl");
	size_t count;
	free(server_log_copy(pair.scene.server, &count));
	ok(count == 2, "P1: and it has asked the host for nothing (%zu)",
	    count - 2);
	program_signal(pair.crawls[0], SIGKILL);
	ok(finishes(&pair, 1, 0),
	    "P3: when the one is killed in the middle of its request, the "
	    "other goes on");
	struct log_view view = log_view_of(pair.scene.server);
	struct log_gap gap = log_shortest_gap(&view, LOG_BY_HOST);
	ok(gap.us >= 400000 && view.count == 4,
	    "P1: after the host's rest (%.3f ms)", (double)gap.us / 1000);
	log_view_finish(&view);
	close_pair(&pair);
}

/* What a server asked of one */

static const struct server_route busy_once[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/",
	.nth = 1,
	.answer = {.status = 503, .headers = "Retry-After: 2\r\n"}},
    {.path = "/", .answer = {.body = "well again"}},
};

static void test_retry_after(void)
{
	struct server_plan plan = {SERVER_ROUTES(busy_once)};
	struct pair pair;
	if (!open_pair(&pair, &plan))
		return;
	write_policies(&pair,
	    ONE_HOST "politeness: {delay: 10ms, ip_delay: 0, backoff: "
		     "{failure: 10ms, overload: 10ms, max: 10ms}}\n",
	    NULL);
	start(&pair, 0);
	ok(server_wait_idle(pair.scene.server, 2, HANG_MS),
	    "one crawl is told to come again in two seconds");
	program_signal(pair.crawls[0], SIGINT);
	finishes(&pair, 0, 3);
	start(&pair, 1);
	ok(finishes(&pair, 1, 0), "it is stopped, and another one begins");
	struct log_view view = log_view_of(pair.scene.server);
	ok(view.count >= 4 &&
		view.records[2].begin_us - view.records[1].begin_us >= 2000000,
	    "P1: which asks for nothing before these two seconds are over");
	log_view_finish(&view);
	close_pair(&pair);
}

/* Another port of this machine is another server. */

static const struct server_route busy_always[] = {
    {.path = "/robots.txt", .answer = {.status = 404}},
    {.path = "/",
	.answer = {.status = 503, .headers = "Retry-After: 3000\r\n"}},
};

static void test_other_port(void)
{
	struct site site = {.pages = 2, .links = 1};
	struct server_plan busy = {SERVER_ROUTES(busy_always)};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct server *other = server_start(&busy);
	struct pair pair;
	char policy[200];
	if (!open_pair(&pair, &plan))
		return;
	snprintf(policy, sizeof(policy),
	    "version: 1\nseeds: [\"http://127.0.0.1:%u/\"]\noutput: {}\n"
	    "politeness: {delay: 10ms}\nlimits: {wait: 1s}\n",
	    (unsigned)server_port(other));
	write_policies(&pair, policy, ONE_HOST "politeness: {delay: 10ms}\n");
	start(&pair, 0);
	ok(finishes(&pair, 0, 4), "a server at 127.0.0.1 asks for an hour");
	start(&pair, 1);
	ok(finishes(&pair, 1, 0) && pair.ends[1].wall_ms < HANG_MS,
	    "another one at another port is not left waiting for it");
	close_pair(&pair);
	server_stop(other);
}

/* One crawl hears of a wait that is too long for the other. */
static void test_too_long(void)
{
	struct server_plan plan = {SERVER_ROUTES(busy_always)};
	struct pair pair;
	if (!open_pair(&pair, &plan))
		return;
	write_policies(&pair,
	    ONE_HOST "politeness: {delay: 10ms}\nlimits: {wait: 1s}\n",
	    ONE_HOST "politeness: {delay: 10ms, "
		     "retry_after: {give_up_over: 1m}}\n");
	start(&pair, 0);
	ok(finishes(&pair, 0, 4),
	    "a server asks one crawl for most of an hour");
	size_t asked = server_log_count(pair.scene.server);
	start(&pair, 1);
	ok(finishes(&pair, 1, 5), "who does not wait so long leaves it");
	ok(server_log_count(pair.scene.server) == asked,
	    "P2: and asks it for nothing");
	ok(program_says(pair.crawls[1], "another crawl on this machine", 0),
	    "P4: for that reason");
	close_pair(&pair);
}

/* Nowhere to share */

static void test_alone(void)
{
	struct site site = {.pages = 2, .links = 1};
	struct server_plan plan = {.answer = site_answer, .ctx = &site};
	struct pair pair;
	struct pv_buf said;
	if (!open_pair(&pair, &plan))
		return;
	write_policies(&pair, ONE_HOST "politeness: {delay: 10ms}\n", NULL);
	home_write(&pair.scene.home, "state", PV_STR("in the way"));
	run_both(&pair);
	pv_buf_init(&said, 1 << 20);
	program_errors(pair.crawls[0], &said);
	const char *note = strstr(
	    pv_buf_text(&said), "cannot share the pace with other crawls");
	ok(note && !strstr(note + 20, "cannot share the pace"),
	    "P4: where nothing can be shared, that is told once, and the crawl "
	    "goes on alone");
	pv_buf_finish(&said);
	close_pair(&pair);
}

int main(void)
{
	struct together all = {0};
	for (size_t i = 0; i < sizeof(paces) / sizeof(*paces); i++)
		together(&all, test_one_host(i));
	together(&all, test_turns());
	together(&all, test_one_address());
	together(&all, test_not_shared());
	together(&all, test_killed());
	together(&all, test_retry_after());
	together(&all, test_other_port());
	together(&all, test_too_long());
	together(&all, test_alone());
	together_end(&all);
	return tap_done();
}
