#include "mirror/files/directories.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "failing.h"
#include "sink/scene.h"

static struct scene scene;

static int root_of(void)
{
	return open(scene.scratch.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static bool can_write(const struct pv_directory *directory)
{
	int file =
	    openat(directory->file, "f", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (file >= 0)
		close(file);
	return file >= 0;
}

static bool make(const char *name)
{
	return mkdir(scratch_file(&scene.scratch, name), 0777) == 0;
}

static void test_walking(struct pv_directories *directories)
{
	size_t reached = 0;
	struct pv_directory *directory =
	    pv_directories_take(directories, PV_STR("a/b/c"), &reached);
	ok(directory && can_write(directory) &&
		scene_read(&scene, "a/b/c/f").ptr,
	    "directories are made where they are missing");
	struct pv_directory *again =
	    pv_directories_take(directories, PV_STR("a/b/c"), &reached);
	ok(again == directory, "and stay open");
	pv_directories_give(directories, again);
	pv_directories_give(directories, directory);
	unsigned calls = failing.calls;
	directory = pv_directories_take(directories, PV_STR("a/b/c"), &reached);
	ok(directory && failing.calls == calls,
	    "so that the next page costs no call");
	pv_directories_give(directories, directory);
}

static void test_forgetting(struct pv_directories *directories)
{
	size_t reached = 0;
	struct pv_directory *old =
	    pv_directories_take(directories, PV_STR("gone/b"), &reached);
	scene_remove(AT_FDCWD, scratch_file(&scene.scratch, "gone"));
	ok(!can_write(old), "what was removed is of no use");
	pv_directories_forget(directories, old);
	pv_directories_forget(directories, old);
	struct pv_directory *new =
	    pv_directories_take(directories, PV_STR("gone/b"), &reached);
	ok(new &&new != old &&can_write(new), "forgotten, it is made anew");
	pv_directories_give(directories, old);
	pv_directories_give(directories, new);
}

/* In the place of a component stands something else. */
static void test_in_the_way(struct pv_directories *directories)
{
	static const struct {
		const char *path;
		const char *fault;
		int error;
		const char *what;
	} cases[] = {
	    {"link/b", "link", ELOOP, "a symbolic link to a directory"},
	    {"x/dangling/b", "x/dangling", ELOOP, "a dangling symbolic link"},
	    {"x/loop", "x/loop", ELOOP, "a symbolic link to itself"},
	    {"x/file/b", "x/file", ENOTDIR, "a file"},
	    {"x/fifo/b/c", "x/fifo", ENOTDIR, "a pipe"},
	};
	char file[512], fifo[512];
	make("x");
	make("elsewhere");
	scene_link(&scene, "elsewhere", "link");
	scene_link(&scene, "nothing", "x/dangling");
	scene_link(&scene, "loop", "x/loop");
	snprintf(file, sizeof(file), "%s/x/file", scene.scratch.path);
	close(open(file, O_WRONLY | O_CREAT, 0666));
	snprintf(fifo, sizeof(fifo), "%s/x/fifo", scene.scratch.path);
	mkfifo(fifo, 0666);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t reached = 0;
		struct pv_str path = pv_str_of(cases[i].path);
		errno = 0;
		bool is_taken =
		    pv_directories_take(directories, path, &reached) != NULL;
		ok(!is_taken && errno == cases[i].error,
		    "%s is not walked through", cases[i].what);
		is_text(
		    pv_str_head(path, reached), cases[i].fault, "and is told");
	}
	ok(scene_count(&scene, "elsewhere") == 0,
	    "nothing was made where a link led");
}

static void test_failures(struct pv_directories *directories)
{
	size_t reached = 0;
	fail_at("mkdirat", 1, ENOSPC);
	ok(!pv_directories_take(directories, PV_STR("f/g/h"), &reached) &&
		errno == ENOSPC && reached == 3,
	    "a directory that cannot be made is told");
	fail_at("mkdirat", 0, EACCES);
	ok(!pv_directories_take(directories, PV_STR("denied"), &reached) &&
		errno == EACCES,
	    "also where nobody may write");
	fail_at("openat", 2, EACCES);
	ok(!pv_directories_take(directories, PV_STR("f/g/h"), &reached) &&
		errno == EACCES,
	    "and where one cannot be opened");
	fail_nothing();
	struct pv_directory *directory =
	    pv_directories_take(directories, PV_STR("f/g/h"), &reached);
	ok(directory != NULL, "afterwards it goes on");
	pv_directories_give(directories, directory);
	fail_at("openat", 1, EMFILE);
	directory = pv_directories_take(directories, PV_STR("f/i/j"), &reached);
	ok(directory != NULL,
	    "where no descriptor is left, those that were kept are given up");
	fail_nothing();
	pv_directories_give(directories, directory);
	/* Another process was quicker. */
	fail_at("openat", 0, ENOENT);
	directory = pv_directories_take(directories, PV_STR("f/g"), &reached);
	ok(directory != NULL,
	    "that somebody else has just made it does no harm");
	pv_directories_give(directories, directory);
}

static int count_descriptors(void)
{
	int count = 0;
	DIR *directory = opendir("/proc/self/fd");
	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count;
}

static void test_ceiling(struct pv_directories *directories)
{
	struct pv_directory *held[100];
	char path[32];
	size_t reached;
	int before = count_descriptors();
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(path, sizeof(path), "many/%u", i);
		struct pv_directory *directory =
		    pv_directories_take(directories, pv_str_of(path), &reached);
		pv_directories_give(directories, directory);
	}
	ok(count_descriptors() <= before + 32,
	    "P5: no more than 32 stay open, however many there are");
	bool has_all = true;
	for (unsigned i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "many/%u", i);
		held[i] =
		    pv_directories_take(directories, pv_str_of(path), &reached);
	}
	for (unsigned i = 0; i < 100; i++)
		has_all = has_all && held[i] && can_write(held[i]);
	ok(has_all, "who holds more than that can use them all");
	for (unsigned i = 0; i < 100; i++)
		pv_directories_give(directories, held[i]);
	ok(count_descriptors() <= before + 32, "until they are given back");
}

static void *use_many(void *ctx)
{
	struct pv_directories *directories = ctx;
	char path[32];
	size_t reached;
	bool is_good = true;
	for (unsigned i = 0; i < 2000; i++) {
		snprintf(path, sizeof(path), "shared/%u/%u", i % 7, i % 41);
		struct pv_directory *directory =
		    pv_directories_take(directories, pv_str_of(path), &reached);
		is_good = is_good && directory &&
			  fcntl(directory->file, F_GETFD) >= 0;
		if (i % 13 == 0)
			pv_directories_forget(directories, directory);
		pv_directories_give(directories, directory);
	}
	return is_good ? directories : NULL;
}

static void test_threads(struct pv_directories *directories)
{
	pthread_t threads[4];
	unsigned good = 0;
	for (unsigned i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, use_many, directories);
	for (unsigned i = 0; i < 4; i++) {
		void *result;
		pthread_join(threads[i], &result);
		good += result != NULL;
	}
	ok(good == 4, "threads may take, forget and give at the same time");
}

int main(void)
{
	scene_begin(&scene, &pv_sink_mirror);
	int before = count_descriptors();
	int root = root_of();
	struct pv_directories *directories = pv_directories_create(root);
	test_walking(directories);
	test_forgetting(directories);
	test_in_the_way(directories);
	test_failures(directories);
	test_ceiling(directories);
	test_threads(directories);
	pv_directories_destroy(directories);
	pv_directories_destroy(NULL);
	close(root);
	ok(count_descriptors() == before, "at the end nothing is open");
	scene_end(&scene);
	return tap_done();
}
