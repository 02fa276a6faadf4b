#include <time.h>

#include "crawl/polite_scene.h"

/* A host is one host, by whatever scheme and port, whether it can be reached
 * there or not, and names its hours by the clock of the wall (P1, P2). Other
 * forms of what servers say of their limits: see test_hints. */

#define LATENCY_MS 300

#define SLOW                                                            \
	"delay: 50ms, delay_factor: 2, max_delay: 5s, robots: ignore, " \
	"backoff: {failure: 1ms, overload: 1ms}"

static const struct polite_host hosts[] = {
    {"epoch", "p{1..3}", NULL, 0},
    {"refused", "p{1..3}", SLOW, 0},
    {"ports", "p{1..4}", "delay: 400ms, tls: {verify: false}", 0},
};

static const struct server_route routes[] = {
    {.host = "refused.test",
	.path = "/p*",
	.answer = {.body = "p",
	    .head_pace = {.delay_ms = LATENCY_MS + POLITE_SLACK_MS}}},
    {.path = "/robots.txt", .answer = {.status = 404}},
};

#define RESETS_MAX 3

struct resets {
	int64_t at_ms[RESETS_MAX];
	size_t count;
};

/* A page; of one host with the second, since 1970, from when on it may be
 * asked again. */
static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct resets *resets = ctx;
	answer->body = "p";
	if (!pv_str_equal(request->host, PV_STR("epoch.test")) ||
	    resets->count == RESETS_MAX)
		return true;
	time_t reset = time(NULL) + 2;
	resets->at_ms[resets->count++] = (int64_t)reset * 1000;
	pv_buf_append_format(answer->own_headers,
	    "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: %lld\r\n",
	    (long long)reset);
	return true;
}

static void judge_epoch(struct crawl_scene *scene, const struct resets *resets)
{
	struct log_view view = polite_view(scene, "epoch.test", "/p*");
	bool is_right = view.count == RESETS_MAX && resets->count == RESETS_MAX;
	for (size_t i = 0; is_right && i + 1 < RESETS_MAX; i++)
		is_right =
		    view.records[i + 1].begin_wall_ms >= resets->at_ms[i];
	ok(is_right, "epoch.test: a reset may be a time since 1970");
	log_view_finish(&view);
}

/* A connection that is refused costs no less than an answer. */
static void judge_refused(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "refused.test", "/p*");
	size_t refused = crawl_scene_lines(
	    scene, "//refused.test:1/", "\"outcome\":\"no-connection\"", NULL);
	int64_t all_us = view.count == 3
			     ? view.records[2].begin_us - view.records[0].end_us
			     : -1;
	int64_t rest_us = log_shortest_rest(&view, LOG_BY_HOST).us;
	ok(refused >= 2 && rest_us >= 2 * LATENCY_MS * 1000,
	    "refused.test: P2: a refused connection makes no request earlier "
	    "(%.3f ms at least, %.3f ms in all, %zu refused)",
	    (double)rest_us / 1000, (double)all_us / 1000, refused);
	log_view_finish(&view);
}

static void judge_ports(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "ports.test", NULL);
	size_t with_tls = 0;
	for (size_t i = 0; i < view.count; i++)
		with_tls += view.records[i].is_tls;
	ok(with_tls == 4 && view.count == 9,
	    "ports.test: a host is asked by two schemes (%zu and %zu)",
	    with_tls, view.count - with_tls);
	log_view_finish(&view);
	polite_rests(scene, "ports.test", 400, "P1: at the pace of one");
}

int main(void)
{
	struct crawl_scene scene;
	struct resets resets = {.count = 0};
	struct polite_plan plan = {POLITE_HOSTS(hosts), POLITE_ROUTES(routes),
	    .answer = answer, .ctx = &resets, .has_tls = true,
	    .seeds = "  - \"http://refused.test:1/p{1..2}\"\n"
		     "  - \"https://ports.test:TLS/p{1..3}\"\n",
	    .policy = "politeness: {delay: 100ms, delay_factor: 0, ip_delay: "
		      "0}\n"};
	if (polite_open(&scene, &plan)) {
		crawl_scene_ends(&scene, 5,
		    "a crawl of hosts with several doors ends, but for what is "
		    "refused");
		polite_audit(&scene);
		judge_epoch(&scene, &resets);
		judge_refused(&scene);
		judge_ports(&scene);
	}
	crawl_scene_close(&scene);
	return tap_done();
}
