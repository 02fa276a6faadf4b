#include "crawl/polite_scene.h"

/* What answers say of how often their host may be asked, and what remains of
 * one that had too much to do, as the server sees it afterwards (P1). */

#define DELAY_MS 100
#define SLOWED_MS 200 /* twice the delay */

static const struct polite_host hosts[] = {
    {"none-left", "p{1..3}", NULL, 0},
    {"some-left", "p{1..4}", NULL, 0},
    {"policy", "p{1..4}", NULL, 0},
    {"older", "p{1..3}", NULL, 0},
    {"much-left", "p{1..4}", NULL, 0},
    {"rubbish", "p{1..4}", NULL, 0},
    {"slowed", "p{1..8}", NULL, 0},
};

#define SAYS(name, text)                                           \
	{                                                          \
		.host = (name ".test"), .path = "/p*", .answer = { \
			.status = 200,                             \
			.headers = (text)                          \
		}                                                  \
	}

static const struct server_route routes[] = {
    SAYS("none-left", "RateLimit: \"default\";r=0;t=1\r\n"),
    SAYS("some-left", "RateLimit: \"a\";r=900;t=9, \"b\";r=4;t=2\r\n"),
    SAYS("policy", "RateLimit-Policy: \"default\";q=20;w=10\r\n"),
    SAYS("older", "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: 1\r\n"),
    SAYS("much-left", "RateLimit: \"default\";r=1000;t=1\r\n"),
    SAYS("rubbish", "RateLimit: \"default\";r=-1;t=9e9\r\n"),
    {.host = "slowed.test", .path = "/p3", .nth = 1, .answer = {.status = 429}},
    {.host = "slowed.test", .path = "/p*", .answer = {.status = 200}},
};

/* Between the answers that say so and what comes next. */
static void judge_rest(
    struct crawl_scene *scene, const char *host, int64_t rest_ms)
{
	struct log_view view = polite_view(scene, host, "/p*");
	int64_t rest_us = log_shortest_rest(&view, LOG_BY_HOST).us;
	ok(view.count > 2 && rest_us >= rest_ms * 1000,
	    "%s: P1: no rest under %lld ms (%.3f ms, of %zu requests)", host,
	    (long long)rest_ms, (double)rest_us / 1000, view.count);
	log_view_finish(&view);
}

/* From its 429 on. */
static void judge_slowed(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "slowed.test", NULL);
	int64_t least_us = INT64_MAX;
	size_t i = 0;
	while (i < view.count && view.records[i].status != 429)
		i++;
	size_t after = 0;
	for (; i + 1 < view.count; i++, after++) {
		int64_t rest_us = polite_rest_after_us(&view, i);
		if (rest_us < least_us)
			least_us = rest_us;
	}
	ok(after > 3 && least_us >= SLOWED_MS * 1000,
	    "slowed.test: P1: and by a slower pace: no rest under %d ms (%.3f "
	    "ms, of %zu)",
	    SLOWED_MS, (double)least_us / 1000, after);
	log_view_finish(&view);
}

int main(void)
{
	struct crawl_scene scene;
	struct polite_plan plan = {POLITE_HOSTS(hosts), POLITE_ROUTES(routes),
	    .policy = "politeness: {delay: 100ms, delay_factor: 0, ip_delay: "
		      "0, backoff: {overload: 300ms}}\n"};
	if (polite_open(&scene, &plan)) {
		crawl_scene_ends(&scene, 0, "all of them are visited");
		judge_rest(&scene, "none-left.test", 1000);
		judge_rest(&scene, "some-left.test", 500);
		judge_rest(&scene, "policy.test", 500);
		judge_rest(&scene, "older.test", 1000);
		judge_rest(&scene, "much-left.test", DELAY_MS);
		judge_rest(&scene, "rubbish.test", DELAY_MS);
		polite_rests_after(&scene, "slowed.test", 429, 300,
		    "P1: too many requests are followed by a rest");
		judge_slowed(&scene);
	}
	crawl_scene_close(&scene);
	return tap_done();
}
