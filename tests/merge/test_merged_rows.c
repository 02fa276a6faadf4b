#include "fleet/scene/claims.h"

#include <stdatomic.h>

#include "store/database.h"

/* Pages of a fleet that one worker reads, and another one in an update: what their
 * rows say, and those of all when their directories are merged. */

#define HOSTS 4

static const char policy[] =
    "version: 1\n"
    "name: scene\n"
    "seeds: [\"http://h{0..3}.test:PORT/\"]\n"
    "scope: {sitemaps: false}\n"
    "rate: {max_rate: 1000, interval: 1s, concurrency: 40}\n"
    "politeness: {delay: 20ms, delay_factor: 0, ip_delay: 0}\n"
    "fetch: {private: all, resolve: {\"*.test\": 127.0.1.1}}\n"
    "pages: {item: {match: {path: \"/p*\"}, fields: {t: h1}}}\n"
    "output: {fields: {forms: [jsonl, sqlite]}}\n";

struct site {
	_Atomic unsigned round; /* from 1 */
};

/* Of each host /p1 has other words in each round, /p2 is gone from the second one
 * on, /p3 is another page with the same words, and /p4 is as it was. */
static bool answer(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	struct site *site = ctx;
	unsigned round = atomic_load(&site->round);
	if (pv_str_equal(request->path, PV_STR("/robots.txt"))) {
		answer->type = "text/plain";
	} else if (pv_str_equal(request->path, PV_STR("/"))) {
		for (unsigned i = 1; i <= 4; i++)
			pv_buf_append_format(
			    answer->own_body, "<a href=/p%u>page</a>\n", i);
	} else if (pv_str_equal(request->path, PV_STR("/p1"))) {
		pv_buf_append_format(
		    answer->own_body, "<h1>round %u</h1>", round);
	} else if (pv_str_equal(request->path, PV_STR("/p2"))) {
		answer->status = round > 1 ? 410 : 200;
		pv_buf_append_text(answer->own_body, "<h1>two</h1>");
	} else if (pv_str_equal(request->path, PV_STR("/p3"))) {
		pv_buf_append_format(
		    answer->own_body, "<h1>three</h1><!-- %u -->", round);
	} else {
		pv_buf_append_text(answer->own_body, "<h1>four</h1>");
	}
	return true;
}

/* One worker alone, in that round. */
static bool crawls(struct fleet_scene *scene, struct site *site, unsigned round,
    unsigned worker)
{
	atomic_store(&site->round, round);
	scene->is_update = round > 1;
	fleet_scene_start_one(scene, worker);
	return fleet_scene_ends(scene);
}

/* So many lines of a directory's rows are of that page, and say that; "gone\"}" is the
 * end of one. */
static size_t count(struct fleet_scene *scene, const char *directory,
    const char *page, const char *says)
{
	char name[60];
	struct pv_buf text;
	size_t found = 0;
	snprintf(name, sizeof(name), "%s/fields/item.jsonl", directory);
	pv_buf_init(&text, 1 << 20);
	home_read(&scene->home, name, &text);
	struct pv_str rest = pv_buf_str(&text);
	while (rest.len) {
		size_t end = pv_str_find(rest, '\n');
		struct pv_str line = pv_str_head(rest, end);
		found += memmem(line.ptr, line.len, page, strlen(page)) &&
			 memmem(line.ptr, line.len, says, strlen(says));
		rest = pv_str_from(rest, end + 1);
	}
	pv_buf_finish(&text);
	return found;
}

static void judge_second(struct fleet_scene *scene)
{
	ok(count(scene, "w1", "/p1\"", "\"changed\",\"t\":\"round 2\"") ==
		HOSTS,
	    "what another worker had read is told as changed");
	ok(count(scene, "w1", "/p2\"", "\"gone\"}") == HOSTS, "or as gone");
	ok(count(scene, "w1", "/p3\"", "") == 0,
	    "rows that are as they were are not told, whatever else has changed");
	ok(count(scene, "w1", "", "\"new\"") == 0, "and none is new");
}

static void judge_third(struct fleet_scene *scene)
{
	ok(count(scene, "w0", "/p1\"", "\"changed\",\"t\":\"round 3\"") ==
		HOSTS,
	    "who comes again goes by what others have read since");
	ok(count(scene, "w0", "/p2\"", "\"gone\"}") == 0,
	    "and tells nothing that these have told");
	ok(count(scene, "w0", "/p3\"", "") == HOSTS, "nor twice what it has");
}

static void judge_merge(struct fleet_scene *scene, const char *directory,
    const char *last, const char *title)
{
	ok(count(scene, directory, "/p1\"", title) == HOSTS,
	    "merged after round %s, changed rows are those of who has read them last",
	    last);
	ok(count(scene, directory, "/p2\"", "\"gone\"}") == HOSTS,
	    "those that are gone are gone");
	ok(count(scene, directory, "/p3\"", "\"three\"") == HOSTS &&
		count(scene, directory, "/p4\"", "\"four\"") == HOSTS,
	    "P3: and the others are there, once");
}

static size_t count_table(struct fleet_scene *scene, const char *directory)
{
	char name[60];
	snprintf(name, sizeof(name), "%s/fields/fields.db", directory);
	struct pv_database *database =
	    pv_database_look(home_file(&scene->home, name));
	int64_t found = pv_database_number(
	    database, "SELECT count(*) FROM item WHERE t IN ('three', 'four')");
	pv_database_close(database);
	return (size_t)found;
}

static void test_rounds(struct fleet_scene *scene, struct site *site)
{
	ok(crawls(scene, site, 1, 0), "a worker crawls");
	ok(count(scene, "w0", "", "\"new\"") == (size_t)4 * HOSTS,
	    "its rows are new");
	ok(crawls(scene, site, 2, 1), "another one makes the update");
	judge_second(scene);
	ok(FLEET_RUN(scene, "merge", "-o", "two", "w0", "w1") == 0,
	    "both are merged");
	judge_merge(scene, "two", "2", "\"round 2\"");
	ok(count_table(scene, "two") == (size_t)2 * HOSTS,
	    "as they are in the table");
	ok(crawls(scene, site, 3, 0), "the first one makes the next update");
	judge_third(scene);
	ok(FLEET_RUN(scene, "merge", "-o", "three", "w0", "w1") == 0,
	    "both are merged again");
	judge_merge(scene, "three", "3", "\"round 3\"");
}

int main(int count_of_arguments, char **arguments)
{
	struct fleet_scene scene;
	struct site site = {.round = 1};
	const char *absence = fleet_scene_absence();
	if (worker_is_meant(count_of_arguments, arguments))
		return worker_run(arguments);
	if (absence)
		return tap_skip_all(absence);
	if (!fleet_scene_open_with(&scene, policy, answer, &site))
		return tap_skip_all("PostgreSQL cannot be made to run here");
	scene.reachable = (size_t)5 * HOSTS;
	test_rounds(&scene, &site);
	fleet_scene_close(&scene);
	return tap_done();
}
