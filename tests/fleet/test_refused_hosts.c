#include "crawl/patience.h"
#include "fleet/scene/claims.h"

/* Hosts share a clock, and one of them does not want us: what the clock's owner gives
 * away goes with it. */

#define GROUPS 12
#define PAGES 20 /* of the good host of each, beside its first */

static const char policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://root.test:PORT/0\"]\n"
    "scope: {sitemaps: false, hosts: any}\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: 40}\n"
    "politeness: {delay: 200ms, delay_factor: 0, ip_delay: 0, "
    "blocked: {after: 1}}\n"
    "domains:\n"
    "  \"*.g0.test\": {share: true}\n"
    "  \"*.g1.test\": {share: true}\n"
    "  \"*.g2.test\": {share: true}\n"
    "  \"*.g3.test\": {share: true}\n"
    "  \"*.g4.test\": {share: true}\n"
    "  \"*.g5.test\": {share: true}\n"
    "  \"*.g6.test\": {share: true}\n"
    "  \"*.g7.test\": {share: true}\n"
    "  \"*.g8.test\": {share: true}\n"
    "  \"*.g9.test\": {share: true}\n"
    "  \"*.g10.test\": {share: true}\n"
    "  \"*.g11.test\": {share: true}\n"
    "stop: {drain_timeout: 2s}\n"
    "fetch: {private: all, resolve: {\"*.test\": 127.0.1.1}}\n"
    "output: {}\n";

static void answer_root(
    const struct server_request *request, struct server_answer *answer)
{
	struct pv_str own = server_header(request->headers, "host");
	struct pv_str port = pv_str_from(own, pv_str_find(own, ':'));
	for (unsigned i = 0; i < GROUPS * 3; i++)
		pv_buf_append_format(answer->own_body,
		    "<a href=\"http://%s.g%u.test%.*s/n%u\">host</a>\n",
		    i % 3 ? "b" : "a", i / 3, PV_STR_ARG(port), i % 3);
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->type = "text/plain";
	} else if (pv_str_equal(request->host, PV_STR("root.test"))) {
		answer_root(request, answer);
	} else if (request->host.ptr[0] == 'b') {
		answer->status = 403;
	} else if (pv_str_equal(request->path, PV_STR("/n0"))) {
		for (unsigned i = 1; i <= PAGES; i++)
			pv_buf_append_format(
			    answer->own_body, "<a href=/n%u>page</a>\n", i);
	}
	return true;
}

static size_t count_pages(const struct fleet_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	size_t pages = 0;
	log_view_keep(&view, "a.*", "/n*");
	for (size_t i = 0; i < view.count; i++)
		pages += view.records[i].status == 200;
	log_view_finish(&view);
	return pages;
}

/* One owns them all, and has been told so, before others come. */
static void test_given(struct fleet_scene *scene)
{
	int64_t until = fleet_scene_now_ms() + HANG_MS;
	fleet_scene_start_one(scene, 0);
	while (count_pages(scene) < (size_t)GROUPS * 2 &&
	       fleet_scene_now_ms() < until)
		fleet_scene_rest(10);
	fleet_scene_start(scene);
	bool is_good =
	    ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	size_t pages = count_pages(scene);
	is_good = ok(pages == (size_t)GROUPS * (PAGES + 1),
		      "P3: each page of the hosts that share a clock with one "
		      "that refuses us is asked for (%zu)",
		      pages) &&
		  is_good;
	if (!is_good)
		fleet_scene_show(scene);
}

int main(int count, char **arguments)
{
	struct fleet_scene scene;
	const char *absence = fleet_scene_absence();
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	if (absence)
		return tap_skip_all(absence);
	if (ok(fleet_scene_open_with(&scene, policy, answer, NULL),
		"PostgreSQL can be made to run here")) {
		test_given(&scene);
		fleet_scene_close(&scene);
	}
	return tap_done();
}
