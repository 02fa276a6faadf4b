#include "base/reader.h"
#include "crawl/polite_scene.h"
#include "together.h"

/* Back-off as the server sees it: who fails at all pages is asked less and
 * less, whatever else it answers well; who fails at some is well; and after a
 * failure one request shows which it is (P2). */

#define FIRST_MS 20
#define MOST_MS 400
#define BUSY "delay: 0, backoff: {failure: 20ms, overload: 20ms, max: 400ms}"

static const struct polite_host hosts[] = {
    {"busy429", "p{1..10}", BUSY, 0},
    {"busy503", "p{1..10}", BUSY, 0},
    {"fails500", "p{1..10}", BUSY, 0},
    {"styled", "", BUSY, 0},
    {"lists", "p{1..10}", BUSY, 0},
    {"fifty", "g{1..1050}", "delay: 0, backoff: {failure: 20ms}", 0},
    {"last", "g{1..1050}", "delay: 0, backoff: {failure: 20ms}", 0},
    {"four", "{p,q}{1..40}",
	"delay: 0, connections: 4, backoff: {failure: 300ms}", 0},
    {"good", "p{1..40}", "delay: 0, connections: 4", 0},
};

#define ROBOTS_TXT "/robots.txt"
#define LATENCY_MS 150

static const struct server_route routes[] = {
    {.host = "busy503.test", .path = ROBOTS_TXT, .answer = {.status = 404}},
    {.host = "lists.test",
	.path = ROBOTS_TXT,
	.answer = {.type = "text/plain",
	    .body = "Sitemap: http://lists.test:{port}/map1.xml\n"
		    "Sitemap: http://lists.test:{port}/map2.xml\n",
	    .is_template = true}},
    {.path = ROBOTS_TXT, .answer = POLITE_TEXT("User-agent: *\nAllow: /\n")},
    {.host = "busy429.test", .answer = {.status = 429}},
    {.host = "busy503.test", .answer = {.status = 503}},
    {.host = "fails500.test", .answer = {.status = 500}},
    {.host = "lists.test", .path = "/p*", .answer = {.status = 429}},
    {.host = "styled.test", .path = "/p*", .answer = {.status = 429}},
    {.host = "styled.test", .path = "/s*", .answer = {.type = "text/css"}},
    {.host = "four.test", .path = "/q*7", .nth = 1, .answer = {.status = 500}},
    {.path = "/p*",
	.answer = {.body = "p", .head_pace = {.delay_ms = LATENCY_MS}}},
    {.path = "/q*",
	.answer = {.body = "q", .head_pace = {.delay_ms = LATENCY_MS}}},
};

/* Of a site of 1,050 pages fifty in a row are broken, of another the last
 * fifty; a third has a page with links and styles. */
static bool is_broken(const struct server_request *request)
{
	struct pv_reader reader = pv_reader_of(request->path);
	bool is_last = pv_str_equal(request->host, PV_STR("last.test"));
	uint64_t after = is_last ? 1000 : 500, number;
	return pv_reader_accept_str(&reader, PV_STR("/g")) &&
	       pv_reader_take_number(&reader, 1050, &number) &&
	       number > after && number <= after + 50;
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (pv_str_starts(request->path, PV_STR("/g"))) {
		answer->status = is_broken(request) ? 500 : 200;
		return true;
	}
	if (!pv_str_equal(request->host, PV_STR("styled.test")) ||
	    !pv_str_equal(request->path, PV_STR("/")))
		return false;
	for (int i = 1; i <= 10; i++)
		pv_buf_append_format(answer->own_body,
		    "<link rel=stylesheet href=/s%d><a href=/p%d></a>", i, i);
	return true;
}

/* All pages fail */

/* The nth failure is followed by that rest, at least. */
static int64_t rest_ms(size_t number)
{
	int64_t rest_ms = FIRST_MS;
	for (; number > 0 && rest_ms < MOST_MS; number--)
		rest_ms *= 2;
	return rest_ms < MOST_MS ? rest_ms : MOST_MS;
}

static void judge_growth(struct crawl_scene *scene, const char *host)
{
	struct log_view all = polite_view(scene, host, NULL);
	bool is_right = true;
	size_t failures = 0;
	for (size_t i = 0; i + 1 < all.count; i++) {
		int64_t rest_us = polite_rest_after_us(&all, i);
		if (all.records[i].status < 429)
			continue;
		if (rest_us < rest_ms(failures++) * 1000) {
			is_right = false;
			printf("# after %zu failures %.3f ms\n", failures,
			    (double)rest_us / 1000);
		}
	}
	ok(is_right && failures >= 10,
	    "%s: P2: rests grow to their greatest length and stay there, "
	    "whatever is answered well beside pages (%zu failures)",
	    host, failures);
	ok(log_count(&all, NULL, ROBOTS_TXT) == 1,
	    "%s: a robots.txt is not asked whether pages are well", host);
	log_view_finish(&all);
}

/* Some pages fail */

static size_t count_probes(struct crawl_scene *scene, const char *host)
{
	char url[120];
	snprintf(url, sizeof(url), "\"url\":\"http://%.80s", host);
	return crawl_scene_lines(scene, url, "\"probe\":true", NULL);
}

/* Where more pages are at hand than are broken in a row, one of them shows that the
 * host is well, and no page that was answered before is asked again; but a slow
 * machine may have none at hand but broken ones for a while. */
static void judge_broken(struct crawl_scene *scene, const char *host,
    size_t good, size_t bad, size_t probes_max)
{
	struct log_view all = polite_view(scene, host, NULL);
	size_t good_ends = polite_ends(scene, host, "\"status\":200");
	size_t bad_ends = polite_ends(scene, host, "\"status\":500");
	ok(good_ends == good && bad_ends == bad,
	    "%s: broken pages do not keep us from the good ones (%zu, and %zu)",
	    host, bad_ends, good_ends);
	size_t probes = count_probes(scene, host);
	ok(all.count == 1 + good + 2 * bad + probes && probes <= probes_max,
	    "%s: and nothing is asked for twice but what failed, and %zu pages "
	    "to see whether it is well (%zu requests in %.3f s)",
	    host, probes, all.count,
	    (double)(all.records[all.count - 1].end_us -
		     all.records[0].begin_us) /
		1000000);
	log_view_finish(&all);
	polite_rests_after(scene, host, 500, FIRST_MS, "P2: each has a rest");
}

/* One at a time */

/* Of those that began after the rest, whether the first was alone. */
static bool is_first_alone(
    const struct log_view *view, const struct server_record *failed)
{
	const struct server_record *first = NULL;
	for (size_t i = 0; i < view->count; i++) {
		const struct server_record *record = &view->records[i];
		if (record->begin_us < failed->end_us + 300000)
			continue;
		if (!first)
			first = record;
		else
			return record->begin_us >= first->end_us;
	}
	return first != NULL;
}

static void judge_four(struct crawl_scene *scene)
{
	struct log_view view = polite_view(scene, "four.test", NULL);
	bool is_right = true;
	size_t failures = 0;
	for (size_t i = 0; i < view.count; i++) {
		if (view.records[i].status != 500)
			continue;
		failures++;
		is_right = is_right && is_first_alone(&view, &view.records[i]);
	}
	ok(is_right && failures == 4,
	    "four.test: P2: after a failure's rest one request begins, and "
	    "others when it was answered well (%zu failures)",
	    failures);
	ok(log_most_at_once(&view, LOG_BY_HOST) == 4,
	    "and then it has all its connections again (%zu)",
	    log_most_at_once(&view, LOG_BY_HOST));
	log_view_finish(&view);
	view = polite_view(scene, "good.test", "/p*");
	ok(view.count == 40 && log_most_at_once(&view, LOG_BY_HOST) == 4,
	    "good.test: who is well has them from the beginning (%zu)",
	    log_most_at_once(&view, LOG_BY_HOST));
	log_view_finish(&view);
}

/* From run to run: two rests are longer than a run waits, and a run that asks
 * nothing takes a few milliseconds. */

#define RUNS_FIRST_MS 300
#define RUNS_REQUESTS 5
#define RUNS_MAX 5000

static void judge_runs(struct crawl_scene *scene, int runs)
{
	struct log_view view = polite_view(scene, NULL, "/p*");
	int64_t wanted_ms = RUNS_FIRST_MS;
	bool is_right = view.count >= RUNS_REQUESTS;
	for (size_t i = 0; i + 1 < view.count; i++, wanted_ms *= 2)
		is_right = is_right &&
			   polite_rest_after_us(&view, i) >= wanted_ms * 1000;
	ok(is_right && runs > 2,
	    "P2, P3: rests grow on from run to run (%zu requests in %d runs)",
	    view.count, runs);
	log_view_finish(&view);
}

static void test_runs(void)
{
	static const struct server_route busy[] = {
	    {.path = ROBOTS_TXT, .answer = POLITE_TEXT("")},
	    {.answer = {.status = 503}},
	};
	struct crawl_scene scene;
	struct server_plan plan = {.routes = busy, .route_count = 2};
	int runs = 0;
	if (ok(crawl_scene_open(&scene, &plan), "a host is there")) {
		crawl_scene_policy(&scene,
		    "version: 1\noutput: {}\nlimits: {wait: 1s}\n"
		    "seeds: [\"http://127.0.0.1:PORT/p{1..20}\"]\n"
		    "politeness: {delay: 0, shared_clocks: false, backoff: "
		    "{overload: 300ms}}\n");
		while (runs < RUNS_MAX &&
		       polite_asked(&scene, NULL, "/p*") < RUNS_REQUESTS &&
		       crawl_scene_run(&scene, HANG_MS) == 4)
			runs++;
		judge_runs(&scene, runs);
	}
	crawl_scene_close(&scene);
}

/* A site whose broken pages come last, from run to run: how many depends on how
 * long a run takes to start. */

#define LAST_GOOD 60
#define LAST_BAD 12

static bool answer_last(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (pv_str_starts(request->path, PV_STR("/b")))
		answer->status = 500;
	if (!pv_str_equal(request->path, PV_STR("/")))
		return true;
	for (int i = 1; i <= LAST_GOOD; i++)
		pv_buf_append_format(answer->own_body, "<a href=/g%d></a>", i);
	for (int i = 1; i <= LAST_BAD; i++)
		pv_buf_append_format(answer->own_body, "<a href=/b%d></a>", i);
	return true;
}

static void judge_last(struct crawl_scene *scene, int status, int runs)
{
	ok(status == 0 && runs > 1,
	    "P2: a site whose last pages are all broken is finished, though "
	    "the crawl ends at longer rests (%d after %d runs)",
	    status, runs);
	ok(crawl_scene_lines(scene, "\"status\":500", "\"final\":true", NULL) ==
		    LAST_BAD &&
		crawl_scene_lines(scene, "\"final\":true", NULL) ==
		    1 + LAST_GOOD + LAST_BAD,
	    "each of its pages has one end");
	size_t probes = count_probes(scene, "127.0.0.1");
	size_t again =
	    crawl_scene_lines(scene, "\"probe\":true", "\"status\":200", NULL);
	ok(probes > 0 && again == probes &&
		crawl_scene_lines(scene, "\"probe\":true", "\"final\"", NULL) ==
		    0,
	    "and %zu requests for what was answered well before have lines of "
	    "their own (%zu)",
	    probes, again);
	ok(polite_asked(scene, NULL, "/b*") == 2 * LAST_BAD &&
		polite_asked(scene, NULL, "/g*") +
			polite_asked(scene, NULL, "/") ==
		    1 + LAST_GOOD + probes,
	    "each of which the server has seen");
}

static void test_last(void)
{
	static const struct server_route robots[] = {
	    {.path = ROBOTS_TXT, .answer = POLITE_TEXT("")},
	};
	struct crawl_scene scene;
	struct server_plan plan = {
	    .routes = robots, .route_count = 1, .answer = answer_last};
	int runs = 0, status = 4;
	if (ok(crawl_scene_open(&scene, &plan), "a site is there")) {
		crawl_scene_policy(&scene,
		    "version: 1\noutput: {}\nlimits: {wait: 1s}\n"
		    "seeds: [\"http://127.0.0.1:PORT/\"]\n"
		    "fetch: {retries: 1}\n"
		    "politeness: {delay: 0, delay_factor: 0, "
		    "shared_clocks: false, backoff: {failure: 40ms}}\n");
		for (; runs < RUNS_MAX && status == 4; runs++)
			status = crawl_scene_run(&scene, HANG_MS);
		judge_last(&scene, status, runs);
	}
	crawl_scene_close(&scene);
}

static void test_hosts(void)
{
	struct crawl_scene scene;
	struct polite_plan plan = {POLITE_HOSTS(hosts), POLITE_ROUTES(routes),
	    .answer = answer,
	    .policy = "politeness: {delay_factor: 0, ip_delay: 0, "
		      "shared_clocks: false}\nlimits: {wait: 4s}\n"
		      "scope: {sitemaps: true, sitemap_guess: false}\n"};
	if (polite_open(&scene, &plan)) {
		crawl_scene_ends(&scene, 5,
		    "a crawl of hosts that fail at some or all pages ends");
		judge_growth(&scene, "busy429.test");
		judge_growth(&scene, "busy503.test");
		judge_growth(&scene, "fails500.test");
		judge_growth(&scene, "styled.test");
		judge_growth(&scene, "lists.test");
		ok(polite_asked(&scene, "lists.test", "/map*") == 2,
		    "its sitemaps, too, are asked for once");
		judge_broken(&scene, "fifty.test", 1000, 50, 3);
		judge_broken(&scene, "last.test", 1000, 50, 10);
		judge_four(&scene);
	}
	crawl_scene_close(&scene);
}

int main(void)
{
	struct together all = {0};
	together(&all, test_hosts());
	together(&all, test_runs());
	together(&all, test_last());
	together_end(&all);
	return tap_done();
}
