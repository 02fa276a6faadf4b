#include "base/reader.h"
#include "crawl/polite_scene.h"

/* The pace of single hosts, as the server sees it: how long they rest after
 * answers of all sorts, and that what nobody asked for earns nothing (P1, P2).
 */

#define QUIET_MS 700

static const struct polite_host hosts[] = {
    {"slow", "p{1..3}", "delay: 50ms, delay_factor: 2", 0},
    {"slower", "w{a100,b200,c400,d0,e0}", "delay: 150ms, delay_factor: 3", 0},
    {"most", "w{0,a600,b0}", "delay: 50ms, delay_factor: 40, max_delay: 1s", 0},
    {"body", "body{1..3}", "delay: 200ms", 0},
    {"start", "p{1..6}", "delay: 200ms, delay_from: start, connections: 2", 0},
    {"drawn", "w0{a,b,c,d,e,f}", "delay: 100ms, jitter: 1", 0},
    {"bucket", "w0{a,b,c,d,e,f,g,h}", "delay: 0, max_rate: 3, interval: 1s", 0},
    {"both", "w0{a,b,c,d,e}", "delay: 200ms, max_rate: 2, interval: 1s", 0},
    {"quiet", "w0", "delay: 700ms", 0},
    {"hub", "first", NULL, 0},
    {"from", "go{1..5}", "delay: 30ms", 0},
    {"to", "w0{a,b,c}", "delay: 400ms", 0},
};

/* "/first" leads to "/late", which answers when the quiet host has long been
 * without anything to do. */
static const struct server_route routes[] = {
    {.path = "/p*",
	.answer = {.body = "p",
	    .head_pace = {.delay_ms = 300 + POLITE_SLACK_MS}}},
    {.path = "/body*",
	.answer = {.body = "a body that takes its time",
	    .body_pace = {.piece = 7, .pause_ms = 100}}},
    {.path = "/first",
	.answer = {.body = "<a href=/late></a>"
			   "<a href=http://quiet.test:{port}/w0a></a>",
	    .is_template = true,
	    .head_pace = {.delay_ms = 850}}},
    {.path = "/late",
	.answer = {.body = "<a href=http://quiet.test:{port}/w0b></a>"
			   "<a href=http://quiet.test:{port}/w0c></a>"
			   "<a href=http://quiet.test:{port}/w0d></a>",
	    .is_template = true,
	    .head_pace = {.delay_ms = 3500}}},
    {.path = "/go*",
	.answer = {.status = 302, .location = "http://to.test:{port}/w0{n}"}},
};

static bool is_no_digit(int byte)
{
	return byte < '0' || byte > '9';
}

/* How long "/w300" and "/wb300" take. */
static uint64_t latency_ms(struct pv_str target)
{
	struct pv_reader reader = pv_reader_of(target);
	uint64_t number = 0;
	pv_reader_take_while(&reader, is_no_digit);
	pv_reader_take_number(&reader, 10000, &number);
	return number;
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (!pv_str_starts(request->path, PV_STR("/w")))
		return false;
	answer->body = "a page";
	uint64_t wanted_ms = latency_ms(request->path);
	if (wanted_ms)
		answer->head_pace.delay_ms =
		    (uint32_t)wanted_ms + POLITE_SLACK_MS;
	return true;
}

/* Adaptive pace */

/* Rests `factor` times what the answer took that was told to wait so long. */
static void judge_factor(
    struct crawl_scene *scene, const char *host, int64_t factor)
{
	struct log_view view = polite_view(scene, host, "/w*");
	bool is_right = view.count > 2;
	for (size_t i = 0; i + 1 < view.count; i++) {
		const struct server_record *record = &view.records[i];
		int64_t took_ms = (int64_t)latency_ms(record->target);
		int64_t rest_us = polite_rest_after_us(&view, i);
		if (rest_us >= factor * took_ms * 1000)
			continue;
		is_right = false;
		printf("# after %lld ms a rest of %.3f ms\n",
		    (long long)took_ms, (double)rest_us / 1000);
	}
	ok(is_right,
	    "%s: P1: slower and slower answers slow us down, each by %lld "
	    "times what it took",
	    host, (long long)factor);
	log_view_finish(&view);
}

static void judge_most(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "most.test", NULL);
	int64_t rest_us = -1;
	for (size_t i = 0; i < view.count; i++) {
		if (latency_ms(view.records[i].target) > 0)
			rest_us = polite_rest_after_us(&view, i);
	}
	ok(rest_us >= 1000000 && rest_us < 15000000,
	    "most.test: however long an answer took, no host rests longer for "
	    "it than max_delay (%.3f ms)",
	    (double)rest_us / 1000);
	log_view_finish(&view);
}

static void judge_slow(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "slow.test", "/p*");
	ok(view.count == 3 &&
		log_shortest_rest(&view, LOG_BY_HOST).us >= 600000,
	    "slow.test: P1: with a delay_factor of 2, answers of 300 ms are "
	    "followed by 600 ms of rest (%.3f ms)",
	    (double)log_shortest_rest(&view, LOG_BY_HOST).us / 1000);
	log_view_finish(&view);
	judge_factor(scene, "slower.test", 3);
	polite_rests(scene, "slower.test", 150,
	    "P1: quick answers never lead below the delay");
	judge_most(scene);
}

/* Buckets of hosts: an interval begins with a request, so that no request can
 * be made before as many intervals have passed as have been filled. */
static void judge_bucket(
    struct crawl_scene *scene, const char *host, size_t rate, size_t least)
{
	struct log_view view = polite_view(scene, host, NULL);
	bool is_right = view.count >= least;
	for (size_t i = 0; i < view.count; i++) {
		int64_t since_us =
		    view.records[i].begin_us - view.records[0].begin_us;
		if (since_us >= (int64_t)(i / rate) * 1000000)
			continue;
		is_right = false;
		printf("# number %zu came after %.3f ms\n", i + 1,
		    (double)since_us / 1000);
	}
	ok(is_right,
	    "%s: P1: of a bucket of its own no more than %zu requests are "
	    "taken in each second (%zu)",
	    host, rate, view.count);
	log_view_finish(&view);
}

/* A queue that runs empty */
static void judge_quiet(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "quiet.test", NULL);
	int64_t longest_us = 0;
	for (size_t i = 0; i + 1 < view.count; i++) {
		int64_t rest_us = polite_rest_after_us(&view, i);
		longest_us = rest_us > longest_us ? rest_us : longest_us;
	}
	ok(view.count == 6 && longest_us > 2 * QUIET_MS * 1000,
	    "quiet.test: a host has nothing to do for a while (%.3f ms)",
	    (double)longest_us / 1000);
	log_view_finish(&view);
	polite_rests(scene, "quiet.test", QUIET_MS,
	    "P2: an empty queue forgets no delay, and idle time earns nothing");
}

static void judge_rest(struct crawl_scene *scene)
{
	polite_rests(scene, "body.test", 200,
	    "P1: the rest begins with the end of a body");
	polite_gaps(scene, "start.test", 200,
	    "P1: or with the request before, where the policy says so");
	struct log_view view = polite_view(scene, "start.test", NULL);
	ok(log_most_at_once(&view, LOG_BY_HOST) <= 2,
	    "start.test: P1: no more overlap than connections says (%zu)",
	    log_most_at_once(&view, LOG_BY_HOST));
	log_view_finish(&view);
	polite_rests(
	    scene, "drawn.test", 100, "P1: jitter only makes a delay longer");
	polite_rests(scene, "both.test", 200, "P1: a bucket beside a delay");
}

/* Where a redirect leads, there it counts. */
static void judge_redirects(struct crawl_scene *scene)
{
	ok(polite_asked(scene, "from.test", "/go*") == 5 &&
		polite_asked(scene, "to.test", "/w0*") == 8,
	    "from.test: its pages lead to another host");
	polite_rests(scene, "to.test", 400,
	    "P1: a redirect is charged to the host that it leads to");
	polite_rests(scene, "from.test", 30, "P1: and to its own");
}

static void judge_robots(struct crawl_scene *scene)
{
	bool is_right = true;
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		char name[80];
		snprintf(name, sizeof(name), "%s.test", hosts[i].name);
		struct log_view view = polite_view(scene, name, NULL);
		bool is_first =
		    !view.count ||
		    pv_str_equal(view.records[0].target, PV_STR("/robots.txt"));
		is_right = is_right && is_first &&
			   log_count(&view, NULL, "/robots.txt") <= 1;
		log_view_finish(&view);
	}
	ok(is_right, "each host is asked for its robots.txt first, and once");
}

int main(void)
{
	struct crawl_scene scene;
	struct polite_plan plan = {POLITE_HOSTS(hosts), POLITE_ROUTES(routes),
	    .answer = answer,
	    .policy = "politeness: {delay: 100ms, delay_factor: 0, ip_delay: "
		      "0}\nscope: {hosts: any}\n"};
	if (polite_open(&scene, &plan)) {
		crawl_scene_ends(
		    &scene, 0, "a crawl of hosts with paces of their own ends");
		polite_audit(&scene);
		judge_slow(&scene);
		judge_rest(&scene);
		judge_bucket(&scene, "bucket.test", 3, 9);
		judge_bucket(&scene, "both.test", 2, 6);
		judge_quiet(&scene);
		judge_redirects(&scene);
		judge_robots(&scene);
	}
	crawl_scene_close(&scene);
	return tap_done();
}
