#include "base/reader.h"
#include "crawl/patience.h"
#include "fleet/scene/claims.h"

/* There are fewer requests in an interval, and fewer places, than workers: some are on
 * standby, and one takes over when another is killed. */

#define HOSTS 16
#define PAGES 8 /* of each host */
#define MAX_RATE 2
#define INTERVAL_MS 200

static const char policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://h{0..15}.test:PORT/p1\"]\n"
    "scope: {sitemaps: false}\n"
    "rate: {max_rate: 2, interval: 200ms, concurrency: 2}\n"
    "politeness: {delay: 50ms, delay_factor: 0, ip_delay: 0}\n"
    "stop: {drain_timeout: 2s}\n"
    "fetch: {private: all, resolve: {\"*.test\": 127.0.1.1}}\n"
    "output: {}\n";

static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	(void)ctx;
	if (pv_str_equal(request->path, PV_STR("/robots.txt")))
		answer->type = "text/plain";
	else if (pv_str_equal(request->path, PV_STR("/p1")))
		for (unsigned i = 2; i <= PAGES; i++)
			pv_buf_append_format(
			    answer->own_body, "<a href=/p%u>page</a>\n", i);
	return true;
}

/* The number behind that text. */
static bool take(struct pv_str text, const char *before, unsigned *number)
{
	struct pv_reader reader = pv_reader_of(text);
	uint64_t found = 0;
	bool is_right = pv_reader_accept_str(&reader, pv_str_of(before)) &&
			pv_reader_take_number(&reader, 100, &found);
	*number = (unsigned)found;
	return is_right;
}

/* In any span no more than the burst, and a rate for each interval of it; the last
 * one may be over at once. */
static bool is_within_rate(const struct log_view *view)
{
	bool is_within = true;
	for (int64_t n = 1; n <= 10; n++) {
		size_t most =
		    log_most_within(view, LOG_TOGETHER, n * INTERVAL_MS);
		is_within = is_within && most <= (size_t)(MAX_RATE * (n + 1));
		if (most > (size_t)(MAX_RATE * (n + 1)))
			printf("# %zu in %d ms\n", most, (int)n * INTERVAL_MS);
	}
	return is_within;
}

static size_t count_pages(const struct log_view *view)
{
	bool was_asked[HOSTS][PAGES + 1] = {{false}};
	size_t pages = 0;
	for (size_t i = 0; i < view->count; i++) {
		unsigned host, page;
		const struct server_record *record = &view->records[i];
		if (!take(record->host, "h", &host) || host >= HOSTS ||
		    !take(record->target, "/p", &page) || page > PAGES)
			continue;
		pages += !was_asked[host][page];
		was_asked[host][page] = true;
	}
	return pages;
}

/* Three of four, at least one of which has a share. */
static void test_places(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	bool reaches = fleet_scene_reaches(scene, 40);
	for (unsigned i = 0; i < FLEET_WORKERS - 1; i++)
		fleet_scene_kill(scene, i);
	bool is_good = ok(reaches && fleet_scene_ends(scene),
	    "with fewer places than workers the fleet finishes its crawl");
	struct log_view view = log_view_of(scene->server);
	is_good =
	    ok(is_within_rate(&view), "P1: all together they keep the rate") &&
	    is_good;
	is_good = ok(log_most_at_once(&view, LOG_TOGETHER) <= MAX_RATE,
		      "P1: and the places") &&
		  is_good;
	is_good = ok(count_pages(&view) == (size_t)HOSTS * PAGES,
		      "P3: each page is asked for") &&
		  is_good;
	log_view_finish(&view);
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
		scene.reachable = (size_t)HOSTS * PAGES;
		test_places(&scene);
		fleet_scene_close(&scene);
	}
	return tap_done();
}
