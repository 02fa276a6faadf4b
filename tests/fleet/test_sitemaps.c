#include "crawl/patience.h"
#include "fleet/scene/claims.h"

/* The robots.txt of each host names a sitemap at the next one, which lists pages of
 * the first and of a host that has not vouched for it: the two hosts may be different
 * workers', and change their owners. */

#define HOSTS 9 /* 127.0.1.1 to 127.0.1.9 */
#define PAGES 5 /* of a host, in the sitemap that it names */

/* How long a sitemap takes the first time it is asked for. */
struct site {
	uint32_t slow_ms;
};

static const char policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://127.0.1.1:PORT/\", \"http://127.0.1.2:PORT/\", "
    "\"http://127.0.1.3:PORT/\", \"http://127.0.1.4:PORT/\", "
    "\"http://127.0.1.5:PORT/\", \"http://127.0.1.6:PORT/\", "
    "\"http://127.0.1.7:PORT/\", \"http://127.0.1.8:PORT/\", "
    "\"http://127.0.1.9:PORT/\"]\n"
    "scope: {hosts: same, sitemap_guess: false}\n"
    "rate: {max_rate: 100000, interval: 1s, concurrency: 40}\n"
    "politeness: {delay: 20ms, delay_factor: 0, ip_delay: 0}\n"
    "stop: {drain_timeout: 2s}\n"
    "fetch: {private: all}\n"
    "output: {}\n";

static unsigned before(unsigned host)
{
	return host == 1 ? HOSTS : host - 1;
}

static void list(const struct server_request *request, unsigned host,
    const char *page, struct pv_buf *body)
{
	struct pv_str own = server_header(request->headers, "host");
	struct pv_str port = pv_str_from(own, pv_str_find(own, ':'));
	pv_buf_append_format(body,
	    "<url><loc>http://127.0.1.%u%.*s/%s</loc></url>\n", host,
	    PV_STR_ARG(port), page);
}

static void answer_sitemap(const struct server_request *request, unsigned host,
    struct server_answer *answer)
{
	char page[20];
	answer->type = "application/xml";
	pv_buf_append_text(answer->own_body,
	    "<?xml version=\"1.0\"?><urlset "
	    "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
	for (unsigned i = 0; i < PAGES; i++) {
		snprintf(page, sizeof(page), "listed-%u", i);
		list(request, before(host), page, answer->own_body);
	}
	list(request, before(before(host)), "stray", answer->own_body);
	pv_buf_append_text(answer->own_body, "</urlset>\n");
}

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	static const struct pv_str hosts = PV_STR("127.0.1.");
	const struct site *site = ctx;
	unsigned host = (unsigned)(request->host.ptr[hosts.len] - '0');
	answer->head_pace.delay_ms = 20;
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		struct pv_str own = server_header(request->headers, "host");
		struct pv_str port = pv_str_from(own, pv_str_find(own, ':'));
		answer->type = "text/plain";
		pv_buf_append_format(answer->own_body,
		    "Sitemap: http://127.0.1.%u%.*s/map.xml\n",
		    host % HOSTS + 1, PV_STR_ARG(port));
	} else if (pv_str_equal(request->path, PV_STR("/map.xml"))) {
		if (request->nth == 1)
			answer->head_pace.delay_ms += site->slow_ms;
		answer_sitemap(request, host, answer);
	} else {
		answer->body = "a page";
	}
	return true;
}

static size_t count(struct fleet_scene *scene, const char *target)
{
	struct log_view view = log_view_of(scene->server);
	size_t found = 0;
	log_view_keep(&view, NULL, target);
	for (size_t i = 0; i < view.count; i++)
		found += view.records[i].nth == 1;
	log_view_finish(&view);
	return found;
}

static void is_all_fetched(struct fleet_scene *scene)
{
	size_t pages = count(scene, "/listed-*");
	bool is_good = ok(pages == (size_t)HOSTS * PAGES,
	    "all pages are asked for that a sitemap lists of a host that has "
	    "vouched for it (%zu of %d)",
	    pages, HOSTS * PAGES);
	is_good = ok(count(scene, "/stray") == 0, "and no others") && is_good;
	if (!is_good)
		fleet_scene_show(scene);
}

static void test_many(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	ok(fleet_scene_ends(scene), "four workers finish the crawl");
	is_all_fetched(scene);
}

/* It has read what vouches, and not what is vouched for. */
static void test_killed(struct fleet_scene *scene)
{
	int64_t until = fleet_scene_now_ms() + HANG_MS;
	fleet_scene_start_one(scene, 0);
	while (count(scene, "/map.xml") < HOSTS && fleet_scene_now_ms() < until)
		fleet_scene_rest(10);
	fleet_scene_rest(1000);
	fleet_scene_kill(scene, 0);
	fleet_scene_start_one(scene, 1);
	ok(fleet_scene_ends(scene),
	    "the worker that has read all robots.txt is killed, and another "
	    "one finishes");
	is_all_fetched(scene);
}

static void run(void (*test)(struct fleet_scene *scene), struct site site)
{
	struct fleet_scene scene;
	if (!fleet_scene_open_with(&scene, policy, answer, &site)) {
		ok(false, "PostgreSQL can be made to run here");
		return;
	}
	test(&scene);
	fleet_scene_close(&scene);
}

int main(int count, char **arguments)
{
	const char *absence = fleet_scene_absence();
	if (worker_is_meant(count, arguments))
		return worker_run(arguments);
	if (absence)
		return tap_skip_all(absence);
	run(test_many, (struct site){.slow_ms = 0});
	run(test_killed, (struct site){.slow_ms = 20000});
	return tap_done();
}
