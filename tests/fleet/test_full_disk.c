#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "fleet/scene/claims.h"

/* The disk of one worker has no room left, and gets none: the others finish the
 * crawl. The disk is a file system in memory, which this process alone sees. */

#define DISK_MB 100
#define FILLED_MB 50

static const char least_free[] = "{min_free: 60MB}";

static const char *enter(void)
{
	if (geteuid() != 0)
		return "file systems are mounted by root alone";
	return unshare(CLONE_NEWNS) == 0 &&
		       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0
		   ? NULL
		   : "a file system of its own is not to be had";
}

static bool has_disk(struct fleet_scene *scene)
{
	char size[24];
	const char *directory = home_file(&scene->home, "w2");
	snprintf(size, sizeof(size), "size=%um", DISK_MB);
	return mkdir(directory, 0755) == 0 &&
	       mount("none", directory, "tmpfs", 0, size) == 0;
}

static void end_disk(struct fleet_scene *scene)
{
	umount2(home_file(&scene->home, "w2"), MNT_DETACH);
}

static void want_room(struct fleet_scene *scene)
{
	struct pv_buf policy;
	pv_buf_init(&policy, SIZE_MAX);
	home_read(&scene->home, "policy.yaml", &policy);
	const char *text = pv_buf_text(&policy);
	const char *place = strstr(text, "{}");
	home_print(&scene->home, "policy.yaml", "%.*s%s%s", (int)(place - text),
	    text, least_free, place + strlen("{}"));
	pv_buf_finish(&policy);
}

static bool fill(struct fleet_scene *scene)
{
	static const char zeros[1 << 20];
	FILE *file = fopen(home_file(&scene->home, "w2/other"), "w");
	size_t written = 0;
	while (file && written < FILLED_MB &&
	       fwrite(zeros, sizeof(zeros), 1, file) == 1)
		written++;
	return file && fclose(file) == 0 && written == FILLED_MB;
}

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
	if (!ok(has_disk(scene), "a worker has a small disk"))
		return;
	want_room(scene);
	bool is_filled = !percent && fill(scene);
	fleet_scene_start(scene);
	if (percent) {
		fleet_reaches(scene, percent);
		has_begun(scene);
		is_filled = fill(scene);
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
	end_disk(scene);
}

static void test_midway(struct fleet_scene *scene)
{
	test_full(scene, 30);
	ok(strcmp(pages_of_full(scene), "0") != 0,
	    "after it has asked for some (%s)", pages_of_full(scene));
	end_disk(scene);
}

/* When much of what it owns has nothing left, at addresses where others have. */
static void test_late(struct fleet_scene *scene)
{
	test_full(scene, 85);
	end_disk(scene);
}

int main(int count, char **arguments)
{
	static const fleet_test_fn tests[] = {
	    test_beginning, test_midway, test_late, NULL};
	const char *absence =
	    worker_is_meant(count, arguments) ? NULL : enter();
	return absence ? tap_skip_all(absence)
		       : fleet_main(count, arguments, tests);
}
