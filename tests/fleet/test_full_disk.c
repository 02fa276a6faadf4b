#include "fleet/scene/claims.h"
#include "fleet/scene/small_disk.h"

/* The disk of one worker has no room left, and gets none: the others finish the
 * crawl. */

#define SMALL "w2"

static const char *pages_of_full(const struct fleet_scene *scene)
{
	const char *pages = cluster_ask(&scene->cluster,
	    "SELECT sum(pages) FROM pavane.workers WHERE place LIKE '%w2'");
	return pages ? pages : "?";
}

/* On a busy machine others may be far by then. */
static void has_begun(const struct fleet_scene *scene)
{
	int64_t until = fleet_scene_now_ms() + 10 * FLEET_TTL_MS;
	while (strcmp(pages_of_full(scene), "0") == 0 &&
	       fleet_scene_now_ms() < until)
		fleet_scene_rest(10);
}

/* Before it begins, or when so many of a hundred pages are asked for. */
static void test_full(struct fleet_scene *scene, unsigned percent)
{
	if (!ok(small_disk_mount(&scene->home, SMALL),
		"a worker has a small disk"))
		return;
	small_disk_want_room(&scene->home);
	bool is_filled = !percent && small_disk_fill(&scene->home, SMALL);
	fleet_scene_start(scene);
	if (percent) {
		fleet_reaches(scene, percent);
		has_begun(scene);
		is_filled = small_disk_fill(&scene->home, SMALL);
	}
	ok(is_filled, "which is full");
	fleet_ends(scene, 0);
	ok(fleet_scene_says(scene, "w2: paused: the disk has") == 1,
	    "the worker says so");
}

static void test_beginning(struct fleet_scene *scene)
{
	test_full(scene, 0);
	ok(strcmp(pages_of_full(scene), "0") == 0, "and asks for nothing (%s)",
	    pages_of_full(scene));
	small_disk_unmount(&scene->home, SMALL);
}

static void test_midway(struct fleet_scene *scene)
{
	test_full(scene, 30);
	ok(strcmp(pages_of_full(scene), "0") != 0,
	    "after it has asked for some (%s)", pages_of_full(scene));
	small_disk_unmount(&scene->home, SMALL);
}

/* When much of what it owns has nothing left, at addresses where others have. */
static void test_late(struct fleet_scene *scene)
{
	test_full(scene, 85);
	small_disk_unmount(&scene->home, SMALL);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {
	    test_beginning, test_midway, test_late, NULL};
	const char *absence =
	    worker_is_meant(count, arguments) ? NULL : small_disk_enter();
	return absence ? tap_skip_all(absence)
		       : fleet_main(count, arguments, tests);
}
