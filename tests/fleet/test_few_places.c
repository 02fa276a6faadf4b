#include "base/reader.h"
#include "crawl/patience.h"
#include "fleet/scene/claims.h"
#include "fleet/scene/small_disk.h"

/* There are fewer requests in an interval, and fewer places, than workers: some are on
 * standby, and one takes over when another is killed. */

#define HOSTS 16
#define PAGES 8 /* of each host */
#define MAX_RATE 2
#define INTERVAL_MS 200

#define POLICY(places)                                                    \
	"version: 1\n"                                                    \
	"name: scene\n"                                                   \
	"seeds: [\"http://h{0..15}.test:PORT/p1\"]\n"                     \
	"scope: {sitemaps: false}\n"                                      \
	"rate: {max_rate: 2, interval: 200ms, concurrency: " places "}\n" \
	"politeness: {delay: 50ms, delay_factor: 0, ip_delay: 0}\n"       \
	"stop: {drain_timeout: 2s}\n"                                     \
	"fetch: {private: all, resolve: {\"*.test\": 127.0.1.1}}\n"       \
	"output: {}\n"

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
 * one may be over at once. What is in flight may have waited for the server, and is
 * read with what comes then: as many as there are places. */
static bool is_within_rate(const struct log_view *view, size_t places)
{
	bool is_within = true;
	for (int64_t n = 1; n <= 10; n++) {
		size_t allowed = (size_t)(MAX_RATE * (n + 1)) + places;
		size_t most =
		    log_most_within(view, LOG_TOGETHER, n * INTERVAL_MS);
		is_within = is_within && most <= allowed;
		if (most > allowed)
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

/* What came of it, with so many places. */
static void judge(struct fleet_scene *scene, bool is_good, size_t places)
{
	struct log_view view = log_view_of(scene->server);
	is_good = ok(is_within_rate(&view, places),
		      "P1: all together they keep the rate") &&
		  is_good;
	is_good = ok(log_most_at_once(&view, LOG_TOGETHER) <= places,
		      "P1: and the places") &&
		  is_good;
	is_good = ok(count_pages(&view) == (size_t)HOSTS * PAGES,
		      "P3: each page is asked for") &&
		  is_good;
	log_view_finish(&view);
	if (!is_good)
		fleet_scene_show(scene);
}

/* Three of four, at least one of which has a share. */
static void test_killed(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	bool reaches = fleet_scene_reaches(scene, 40);
	for (unsigned i = 0; i < FLEET_WORKERS - 1; i++)
		fleet_scene_kill(scene, i);
	bool is_good = ok(reaches && fleet_scene_ends(scene),
	    "with fewer places than workers the fleet finishes its crawl");
	judge(scene, is_good, 2);
}

/* The disk of the only one that has a share. */
static void test_full_disk(struct fleet_scene *scene)
{
	if (!ok(small_disk_mount(&scene->home, "w0"), "there is a small disk"))
		return;
	small_disk_want_room(&scene->home);
	fleet_scene_start_one(scene, 0);
	bool is_filled = fleet_scene_reaches(scene, 20) &&
			 small_disk_fill(&scene->home, "w0");
	fleet_scene_start(scene);
	bool is_good = ok(is_filled && fleet_scene_ends(scene),
	    "where the disk of who has the only place is full another one goes "
	    "on");
	judge(scene, is_good, 1);
	small_disk_unmount(&scene->home, "w0");
}

static void run(const char *policy, void (*test)(struct fleet_scene *scene))
{
	struct fleet_scene scene;
	if (!ok(fleet_scene_open_with(&scene, policy, answer, NULL),
		"PostgreSQL can be made to run here"))
		return;
	scene.reachable = (size_t)HOSTS * PAGES;
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
	run(POLICY("2"), test_killed);
	absence = small_disk_enter();
	if (absence)
		printf("# %s\n", absence);
	else
		run(POLICY("1"), test_full_disk);
	return tap_done();
}
