#include "mirror/lookup/place_of.h"

#include <fcntl.h>

#include "mirror/scene.h"

/* Whatever somebody calls a file of a mirror. */

static void is_place(const char *directory, const char *written,
    enum pv_place_kind kind, const char *file)
{
	struct pv_buf found;
	pv_buf_init(&found, 4096);
	enum pv_place_kind place = pv_place_of(directory, written, &found);
	if (!ok(place == kind &&
		    pv_str_equal(pv_buf_str(&found), pv_str_of(file)),
		"%s is %s", written, *file ? file : "none"))
		printf("# %d, %s\n", (int)place, pv_buf_text(&found));
	pv_buf_finish(&found);
}

/* A path from where we are, which is beside the mirror. */
static void test_beside(const char *root)
{
	char path[1024];
	int here = open(".", O_PATH | O_DIRECTORY);
	snprintf(path, sizeof(path), "%s/..", root);
	if (!ok(chdir(path) == 0, "we go beside the mirror"))
		return;
	snprintf(path, sizeof(path), "./%s//site/../site/a^b c.html",
	    strrchr(root, '/') + 1);
	is_place(root, path, PV_PLACE_FILE, "site/a^b c.html");
	ok(fchdir(here) == 0, "and come back");
	close(here);
}

static void test_paths(struct mirror_scene *scene)
{
	const char *directory = scene->scratch.path;
	char *root = realpath(directory, NULL);
	char path[1024];
	mirror_write(scene, "site/a^b c.html", "x");
	snprintf(path, sizeof(path), "%s/site/a^b c.html", directory);
	is_place(directory, path, PV_PLACE_FILE, "site/a^b c.html");
	snprintf(path, sizeof(path), "%s/site/a^b c.html", root);
	is_place(directory, path, PV_PLACE_FILE, "site/a^b c.html");
	is_place(
	    directory, "site/a^b c.html", PV_PLACE_FILE, "site/a^b c.html");
	is_place(directory, "a^b c.html", PV_PLACE_FILE, "site/a^b c.html");
	snprintf(
	    path, sizeof(path), "file://%s/site/a%%5Eb%%20c.html?q#part", root);
	is_place(directory, path, PV_PLACE_FILE, "site/a^b c.html");
	snprintf(
	    path, sizeof(path), "FILE://localhost%s/site/a^b c.html", root);
	is_place(directory, path, PV_PLACE_FILE, "site/a^b c.html");
	is_place(directory, "site", PV_PLACE_DIRECTORY, "site");
	is_place(directory, "none.html", PV_PLACE_NOWHERE, "");
	is_place(directory, "/", PV_PLACE_ELSEWHERE, "");
	is_place(directory, "..", PV_PLACE_ELSEWHERE, "");
	test_beside(root);
	free(root);
}

/* The same name once more, but for its end. */
static void test_neighbour(struct mirror_scene *scene)
{
	char neighbour[160], path[256];
	snprintf(neighbour, sizeof(neighbour), "%s2", scene->scratch.path);
	mkdir(neighbour, 0777);
	snprintf(path, sizeof(path), "%s/x", neighbour);
	FILE *file = fopen(path, "w");
	if (file)
		fclose(file);
	is_place(scene->scratch.path, path, PV_PLACE_ELSEWHERE, "");
	unlink(path);
	rmdir(neighbour);
}

int main(void)
{
	struct mirror_scene scene;
	if (!ok(mirror_scene_open(&scene), "a crawl's directory is there"))
		return tap_done();
	test_paths(&scene);
	test_neighbour(&scene);
	mirror_scene_close(&scene);
	return tap_done();
}
