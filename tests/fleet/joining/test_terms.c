#include <sys/wait.h>

#include "fleet/scene/claims.h"

/* A crawl of a fleet that goes on by another policy, or is updated: rows that others
 * wrote before are brought up to date by who loads them. */

#define WITHOUT_SEVENTHS ", rules: [{deny: {path: \"/7\"}}]"

/* How many pages of that path were asked for. */
static size_t count_sevenths(const struct fleet_scene *scene)
{
	struct log_view view = log_view_of(scene->server);
	size_t count = 0;
	for (size_t i = 0; i < view.count; i++)
		count += pv_str_equal(view.records[i].target, PV_STR("/7"));
	log_view_finish(&view);
	return count;
}

static void stop_all(struct fleet_scene *scene)
{
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		kill(scene->workers[i], SIGTERM);
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		if (worker_wait(scene->workers[i], 10000) >= 0)
			scene->workers[i] = 0;
	}
}

/* One comes after the other: what the first one brings is the others', too. */
static void start_by_turns(struct fleet_scene *scene)
{
	fleet_scene_start_one(scene, 0);
	fleet_scene_rest(1500);
	fleet_scene_start(scene);
}

static void test_wider(struct fleet_scene *scene)
{
	fleet_scene_set_policy(scene, WITHOUT_SEVENTHS, "");
	fleet_scene_start(scene);
	ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	ok(count_sevenths(scene) == 0, "without what the policy refuses");
	size_t before = fleet_scene_find(scene).pages;
	fleet_scene_set_policy(scene, "", "");
	start_by_turns(scene);
	ok(fleet_scene_ends(scene), "it goes on by a policy that admits more");
	struct fleet_findings found = fleet_scene_find(scene);
	if (!ok(found.pages == scene->reachable && !found.page_repeats,
		"P3: now each page was asked for, and none twice (%zu of %zu, "
		"%zu before, %zu twice)",
		found.pages, scene->reachable, before, found.page_repeats))
		fleet_scene_show(scene);
	fleet_judge_gaps(&found);
}

/* Of its workers nothing is left but what the database has. */
static void test_lost_directories(struct fleet_scene *scene)
{
	fleet_scene_set_policy(scene, WITHOUT_SEVENTHS, "");
	fleet_scene_start(scene);
	ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	for (unsigned i = 0; i < FLEET_WORKERS; i++) {
		char name[20], lost[500];
		snprintf(name, sizeof(name), "lost%u", i);
		snprintf(
		    lost, sizeof(lost), "%s", home_file(&scene->home, name));
		snprintf(name, sizeof(name), "w%u", i);
		ok(rename(home_file(&scene->home, name), lost) == 0,
		    "a worker's directory is lost");
	}
	fleet_scene_set_policy(scene, "", "");
	start_by_turns(scene);
	ok(fleet_scene_ends(scene),
	    "others go on by a policy that admits more");
	struct fleet_findings found = fleet_scene_find(scene);
	if (!ok(found.pages == scene->reachable && !found.page_repeats,
		"P3: what the lost ones had refused at hosts of others was "
		"asked for as well (%zu of %zu, %zu twice)",
		found.pages, scene->reachable, found.page_repeats))
		fleet_scene_show(scene);
	fleet_judge_gaps(&found);
}

static void test_narrower(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	stop_all(scene);
	size_t before = count_sevenths(scene);
	ok(before > 0, "something was asked for (%zu)", before);
	fleet_scene_set_policy(scene, WITHOUT_SEVENTHS, "");
	fleet_scene_start(scene);
	ok(fleet_scene_ends(scene),
	    "it goes on by a policy that admits less, which all bring at once");
	struct fleet_findings found = fleet_scene_find(scene);
	ok(count_sevenths(scene) == before,
	    "what waited in the database is refused now (%zu)",
	    count_sevenths(scene));
	size_t others = scene->reachable - scene->web.hosts;
	if (!ok(found.pages == others + before && !found.page_repeats,
		"and all else was asked for once (%zu of %zu, %zu twice)",
		found.pages, others + before, found.page_repeats))
		fleet_scene_show(scene);
	ok(found.lines == scene->reachable,
	    "P4: what was refused has a line in a journal (%zu of %zu)",
	    found.lines, scene->reachable);
}

static size_t count_reaped(struct fleet_scene *scene, const char *file)
{
	struct pv_buf lines;
	size_t count = 0;
	pv_buf_init(&lines, SIZE_MAX);
	home_read(&scene->home, file, &lines);
	for (const char *at = pv_buf_text(&lines);
	     (at = strstr(at, "\"reaped\"")); at++)
		count++;
	pv_buf_finish(&lines);
	return count;
}

/* Nobody is left who would reap them but the one that comes with another policy. */
static void test_killed(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	fleet_reaches(scene, 30);
	for (unsigned i = 0; i < FLEET_WORKERS; i++)
		fleet_scene_kill(scene, i);
	fleet_scene_rest(300); /* for what the server has not read yet */
	size_t before = count_sevenths(scene);
	fleet_scene_set_policy(scene, WITHOUT_SEVENTHS, "");
	fleet_scene_start_one(scene, 1);
	ok(fleet_scene_ends(scene),
	    "one of those that were killed goes on by another policy");
	ok(fleet_scene_says(scene, "3 workers are counted as living") == 1,
	    "when it has waited for the others");
	ok(count_reaped(scene, "w1/clocks.jsonl") >= FLEET_WORKERS - 1,
	    "which it writes for the audit");
	ok(count_sevenths(scene) == before,
	    "nothing is asked for that it refuses");
	struct fleet_findings found = fleet_scene_find(scene);
	ok(found.pages >= scene->reachable - scene->web.hosts,
	    "and all else is (%zu of %zu)", found.pages, scene->reachable);
	ok(found.page_repeats <= FLEET_WORKERS * FLEET_REPEATS_MAX,
	    "but for what was in flight it is asked for once (%zu twice)",
	    found.page_repeats);
	fleet_judge_gaps(&found);
}

static void test_living(struct fleet_scene *scene)
{
	fleet_scene_start_one(scene, 0);
	fleet_reaches(scene, 10);
	fleet_scene_set_policy(scene, WITHOUT_SEVENTHS, "");
	fleet_scene_start_one(scene, 1);
	int status = worker_wait(scene->workers[1], 20000);
	if (status >= 0)
		scene->workers[1] = 0;
	ok(status > 0 && WIFEXITED(status),
	    "while a worker lives another policy is refused (%#x)",
	    (unsigned)status);
	ok(fleet_scene_says(scene, "scope.rules") == 1,
	    "with the key that differs");
	fleet_scene_kill(scene, 0);
}

/* All ask for it, and it begins once. */
static void start_update(struct fleet_scene *scene)
{
	scene->is_update = true;
	fleet_scene_start(scene);
	scene->is_update = false;
}

static void test_update(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	start_update(scene);
	ok(fleet_scene_ends(scene), "and its update");
	struct fleet_findings found = fleet_scene_find(scene);
	if (!ok(found.page_repeats == scene->reachable && !found.strays,
		"in which each page was asked for once more (%zu of %zu)",
		found.page_repeats, scene->reachable))
		fleet_scene_show(scene);
	ok(found.line_repeats == scene->reachable,
	    "and has another line in a journal (%zu)", found.line_repeats);
	fleet_judge_gaps(&found);
	fleet_scene_start(scene);
	ok(fleet_scene_ends(scene), "who comes then has nothing to do");
	ok(fleet_scene_find(scene).page_repeats == found.page_repeats,
	    "and asks for nothing");
}

static void test_killed_update(struct fleet_scene *scene)
{
	fleet_scene_start(scene);
	ok(fleet_scene_ends(scene), "the fleet finishes its crawl");
	size_t before = server_log_count(scene->server);
	start_update(scene);
	server_wait(scene->server, before + scene->reachable / 3, 20000);
	fleet_scene_kill(scene, 0);
	fleet_scene_kill(scene, 2);
	fleet_scene_start_one(scene, 2);
	ok(fleet_scene_ends(scene),
	    "its update ends, though two were killed in it");
	struct fleet_findings found = fleet_scene_find(scene);
	size_t most = scene->reachable + 2 * FLEET_REPEATS_MAX;
	if (!ok(found.page_repeats >= scene->reachable &&
		    found.page_repeats <= most,
		"P3: each page was asked for once more, but for those in flight "
		"(%zu; at least %zu, at most %zu)",
		found.page_repeats, scene->reachable, most))
		fleet_scene_show(scene);
	fleet_judge_gaps(&found);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {test_wider, test_lost_directories,
	    test_narrower, test_killed, test_living, test_update,
	    test_killed_update, NULL};
	return fleet_main(count, arguments, tests);
}
