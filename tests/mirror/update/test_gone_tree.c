#include "mirror/update/gone_tree.h"

#include <fcntl.h>

#include "failing.h"
#include "mirror/gone_scene.h"

#define FROM "site/a.example/b/c.html"
#define TO "gone/a.example/b/c.html"
#define LONG_AGO 784111777

struct scene {
	struct scratch scratch;
	struct pv_gone_tree *tree;
};

static void begin(struct scene *scene)
{
	scratch_make(&scene->scratch);
	scene->tree = pv_gone_tree_create(scene->scratch.path);
}

static void end(struct scene *scene)
{
	pv_gone_tree_destroy(scene->tree);
	tree_remove(&scene->scratch, ".");
	rmdir(scene->scratch.path);
}

static int move(struct scene *scene, const char *from, const char *to)
{
	return pv_gone_tree_move(scene->tree, pv_str_of(from), pv_str_of(to));
}

/* The file as it was, and nowhere else. */
static bool is_only(struct scene *scene, const char *name, const char *other)
{
	return tree_holds(&scene->scratch, name, "text") &&
	       !tree_has(&scene->scratch, other);
}

static void test_moving(void)
{
	const struct timespec times[2] = {
	    {.tv_sec = LONG_AGO}, {.tv_sec = LONG_AGO}};
	struct stat facts;
	struct scene scene;
	begin(&scene);
	tree_write(&scene.scratch, FROM, "text");
	tree_write(&scene.scratch, "site/a.example/d.html", "stays");
	utimensat(AT_FDCWD, scratch_file(&scene.scratch, FROM), times, 0);
	ok(move(&scene, FROM, TO) == 0 && is_only(&scene, TO, FROM),
	    "a file is moved, and directories are made for it");
	ok(stat(scratch_file(&scene.scratch, TO), &facts) == 0 &&
		facts.st_mtim.tv_sec == LONG_AGO,
	    "it is as old as it was");
	ok(!tree_has(&scene.scratch, "site/a.example/b") &&
		tree_holds(&scene.scratch, "site/a.example/d.html", "stays"),
	    "a directory goes with its last file, and no other");
	ok(pv_gone_tree_sync(scene.tree) == 0, "it is synced where it is");
	ok(move(&scene, FROM, TO) == 0 && is_only(&scene, TO, FROM),
	    "P3: what was moved before is moved");
	ok(move(&scene, "site/a.example/e", "gone/a.example/e") == ENOENT &&
		!tree_has(&scene.scratch, "gone/a.example/e"),
	    "what is nowhere is not");
	tree_write(&scene.scratch, FROM, "new");
	ok(move(&scene, FROM, TO) == 0 &&
		tree_holds(&scene.scratch, TO, "new") &&
		!tree_has(&scene.scratch, FROM),
	    "what comes later takes its place");
	end(&scene);
}

static void test_removing(void)
{
	struct scene scene;
	begin(&scene);
	ok(!pv_gone_tree_has(scene.tree, PV_STR(TO)), "there is nothing");
	tree_write(&scene.scratch, TO, "text");
	ok(pv_gone_tree_has(scene.tree, PV_STR(TO)) &&
		!pv_gone_tree_has(scene.tree, PV_STR("gone/a.example/b")),
	    "then there is a file, as which no directory counts");
	ok(pv_gone_tree_remove(scene.tree, PV_STR(TO)) == 0 &&
		!tree_has(&scene.scratch, "gone"),
	    "a file goes for good, and all directories that are empty then");
	ok(pv_gone_tree_remove(scene.tree, PV_STR(TO)) == ENOENT, "only once");
	ok(pv_gone_tree_sync(scene.tree) == 0, "that is synced, too");
	tree_write(&scene.scratch, FROM, "text");
	ok(move(&scene, FROM, TO) == 0 && is_only(&scene, TO, FROM),
	    "directories that are gone are made again");
	end(&scene);
}

/* Whether that directory has been synced since the list was emptied. */
static struct {
	ino_t items[16];
	size_t count;
} synced;

int fsync(int file)
{
	struct stat facts;
	if (fstat(file, &facts) == 0 && synced.count < 16)
		synced.items[synced.count++] = facts.st_ino;
	return 0;
}

static bool is_synced(struct scene *scene, const char *directory)
{
	struct stat facts;
	if (stat(scratch_file(&scene->scratch, directory), &facts) != 0)
		return false;
	for (size_t i = 0; i < synced.count; i++) {
		if (synced.items[i] == facts.st_ino)
			return true;
	}
	return false;
}

/* A power cut could else bring back what was moved, and what was removed. */
static void test_syncing(void)
{
	struct scene scene;
	begin(&scene);
	tree_write(&scene.scratch, FROM, "text");
	tree_write(&scene.scratch, "site/a.example/b/stays", "");
	move(&scene, FROM, TO);
	synced.count = 0;
	ok(pv_gone_tree_sync(scene.tree) == 0 &&
		is_synced(&scene, "gone/a.example/b"),
	    "P3: the directory that a file was moved to is synced");
	ok(is_synced(&scene, "site/a.example/b"),
	    "P3: and the one that it was moved from");
	tree_write(&scene.scratch, "gone/a.example/b/stays", "");
	pv_gone_tree_remove(scene.tree, PV_STR(TO));
	synced.count = 0;
	ok(pv_gone_tree_sync(scene.tree) == 0 &&
		is_synced(&scene, "gone/a.example/b"),
	    "P3: so is the one that a file was removed from");
	synced.count = 0;
	ok(pv_gone_tree_sync(scene.tree) == 0 && !synced.count, "once");
	end(&scene);
}

/* Links */

static void test_links(void)
{
	struct scene scene;
	begin(&scene);
	tree_write(&scene.scratch, "elsewhere/c.html", "text");
	tree_write(&scene.scratch, "site/a.example/x", "");
	tree_link(&scene.scratch, "../../elsewhere", "site/a.example/b");
	ok(move(&scene, FROM, TO) == ELOOP &&
		tree_holds(&scene.scratch, "elsewhere/c.html", "text") &&
		!tree_has(&scene.scratch, TO),
	    "nothing is taken from behind a symbolic link");
	ok(pv_gone_tree_remove(scene.tree, PV_STR(FROM)) == ELOOP &&
		!pv_gone_tree_has(scene.tree, PV_STR(FROM)) &&
		tree_holds(&scene.scratch, "elsewhere/c.html", "text"),
	    "nor removed there");
	unlink(scratch_file(&scene.scratch, "site/a.example/b"));
	tree_write(&scene.scratch, "site/a.example/b/x", "");
	tree_link(&scene.scratch, "../../../elsewhere/c.html", FROM);
	ok(move(&scene, FROM, TO) == ELOOP && tree_has(&scene.scratch, FROM) &&
		!tree_has(&scene.scratch, "gone/a.example"),
	    "a link in the place of a file stays where it is");
	unlink(scratch_file(&scene.scratch, FROM));
	tree_write(&scene.scratch, FROM, "text");
	tree_write(&scene.scratch, "gone/x", "");
	tree_link(&scene.scratch, "../elsewhere", "gone/a.example");
	ok(move(&scene, FROM, TO) == ELOOP &&
		tree_holds(&scene.scratch, FROM, "text") &&
		!tree_has(&scene.scratch, "elsewhere/b"),
	    "nothing is put behind one");
	unlink(scratch_file(&scene.scratch, "gone/a.example"));
	tree_write(&scene.scratch, "gone/a.example/b/x", "");
	tree_link(&scene.scratch, "../../../elsewhere/c.html", TO);
	tree_write(&scene.scratch, FROM, "new");
	ok(move(&scene, FROM, TO) == 0 &&
		tree_holds(&scene.scratch, TO, "new") &&
		tree_holds(&scene.scratch, "elsewhere/c.html", "text"),
	    "one that is in the way is replaced, not followed");
	end(&scene);
}

static void test_in_the_way(void)
{
	struct scene scene;
	begin(&scene);
	tree_write(&scene.scratch, FROM, "text");
	tree_write(&scene.scratch, TO "/x", "");
	ok(move(&scene, FROM, TO) == EISDIR &&
		tree_holds(&scene.scratch, FROM, "text"),
	    "a directory in the way is not replaced");
	tree_remove(&scene.scratch, "gone");
	tree_write(&scene.scratch, "gone/a.example", "a file");
	ok(move(&scene, FROM, TO) == ENOTDIR &&
		tree_holds(&scene.scratch, FROM, "text") &&
		tree_holds(&scene.scratch, "gone/a.example", "a file"),
	    "nor a file where a directory should be");
	end(&scene);
}

/* The disk in the way */

/* Wherever a call fails, the file is whole, in one of both places; and what
 * failed does not fail again. */
static void test_each_call(void)
{
	static const struct {
		const char *call;
		int error;
	} calls[] = {{"openat", EMFILE}, {"openat", EIO}, {"mkdirat", ENOSPC},
	    {"mkdirat", EROFS}, {"renameat", EXDEV}, {"renameat", ENOSPC},
	    {"renameat", EIO}};
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		unsigned told = 0, kept = 0, moved = 0;
		bool was_reached = true;
		for (unsigned after = 0; was_reached && after < 100; after++) {
			struct scene scene;
			begin(&scene);
			tree_write(&scene.scratch, FROM, "text");
			fail_at(calls[i].call, after, calls[i].error);
			int error = move(&scene, FROM, TO);
			was_reached = !failing.call;
			fail_nothing();
			told += error == calls[i].error;
			kept += error && is_only(&scene, FROM, TO);
			moved += move(&scene, FROM, TO) == 0 &&
				 is_only(&scene, TO, FROM);
			moved -= !error;
			end(&scene);
		}
		ok(told > 0 && kept == told && moved == told,
		    "%s: %s, wherever it strikes (%u places), is told, loses "
		    "nothing, and passes",
		    calls[i].call, strerror(calls[i].error), told);
	}
}

static void test_no_room_left_behind(void)
{
	struct scene scene;
	begin(&scene);
	tree_write(&scene.scratch, FROM, "text");
	fail_at("renameat", 0, EXDEV);
	ok(move(&scene, FROM, TO) == EXDEV && !tree_has(&scene.scratch, "gone"),
	    "what cannot be moved leaves no directories where it was to be");
	ok(move(&scene, FROM, TO) == 0 && is_only(&scene, TO, FROM),
	    "and is moved when it can be");
	fail_at("fdatasync", 0, EIO);
	ok(pv_gone_tree_sync(scene.tree) == EIO,
	    "what cannot be synced is told");
	fail_nothing();
	end(&scene);
}

static void test_no_directory(void)
{
	struct pv_gone_tree *tree = pv_gone_tree_create("scratch.none");
	ok(pv_gone_tree_move(tree, PV_STR(FROM), PV_STR(TO)) == ENOENT &&
		pv_gone_tree_sync(tree) == 0,
	    "where there is no directory there is no file");
	pv_gone_tree_destroy(tree);
	pv_gone_tree_destroy(NULL);
}

int main(void)
{
	test_moving();
	test_removing();
	test_syncing();
	test_links();
	test_in_the_way();
	test_each_call();
	test_no_room_left_behind();
	test_no_directory();
	return tap_done();
}
