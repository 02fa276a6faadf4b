#include "mirror/links/replacing.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "scratch.h"
#include "tap.h"

/* A mirror in a directory of its own, which the test is in. */
static struct scratch place;

/* A disk that fails once, as soon as that is waited for. */
static struct {
	bool is_failing;
	sem_t began;
	sem_t may_end;
} disk;

int syncfs(int file)
{
	if (!disk.is_failing)
		return (int)syscall(SYS_syncfs, file);
	disk.is_failing = false;
	sem_post(&disk.began);
	sem_wait(&disk.may_end);
	errno = EIO;
	return -1;
}

static void write_file(const char *path, const char *text, mode_t mode)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
	pv_file_write(file, pv_str_of(text));
	close(file);
}

static void is_file(const char *path, const char *wanted, const char *claim)
{
	struct pv_buf text;
	pv_buf_init(&text, 1000);
	pv_file_read(path, &text);
	is_text(pv_buf_str(&text), wanted, "%s", claim);
	pv_buf_finish(&text);
}

static void make(void)
{
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {1000, 0}};
	if (!scratch_make(&place) || chdir(place.path) != 0)
		exit(99);
	pv_file_make_directory("site/a/b", 0777);
	pv_file_make_directory("outside", 0777);
	write_file("site/a/b/page.html", "old", 0640);
	utimensat(AT_FDCWD, "site/a/b/page.html", times, 0);
	write_file("outside/page.html", "not ours", 0600);
	(void)!symlink("../outside", "site/away");
	(void)!symlink("../../outside/page.html", "site/a/link.html");
	mkdir("site/a/directory.html", 0777);
}

static void replace(struct pv_replacing *replacing, const char *file)
{
	pv_replacing_add(replacing, pv_str_of(file), PV_STR("new"));
}

static void test_files(int root)
{
	struct pv_replacing *replacing = pv_replacing_create(root, "test");
	struct pv_replacing_faults faults;
	struct stat status;
	replace(replacing, "site/a/b/page.html");
	replace(replacing, "site/a/new.html");
	is_file("site/a/b/page.html", "old", "nothing changes before its time");
	ok(pv_replacing_end(replacing, &faults) == 2 && faults.count == 0,
	    "two are replaced");
	is_file("site/a/b/page.html", "new", "a file has its new text");
	ok(stat("site/a/b/page.html", &status) == 0 &&
		status.st_mtim.tv_sec == 1000 &&
		(status.st_mode & 0777) == 0640,
	    "and its time and mode");
	is_file("site/a/new.html", "new", "and one that is new is there");
	pv_buf_finish(&faults.file);
}

static void test_faults(int root)
{
	struct pv_replacing *replacing = pv_replacing_create(root, "test");
	struct pv_replacing_faults faults;
	replace(replacing, "site/away/page.html");
	replace(replacing, "site/a/link.html");
	replace(replacing, "site/a/directory.html");
	replace(replacing, "site/a/new.html");
	uint64_t count = pv_replacing_end(replacing, &faults);
	ok(count == 1 && faults.count == 3 && faults.error == ELOOP,
	    "what a symbolic link or a directory is in the way of is not "
	    "replaced, and the others are (%llu, %d)",
	    (unsigned long long)faults.count, faults.error);
	is_text(pv_buf_str(&faults.file), "site/away/page.html",
	    "and the first is named");
	is_file("outside/page.html", "not ours", "nothing outside is touched");
	pv_buf_finish(&faults.file);
}

/* What comes in the way only after it was written. */
static void test_late_fault(int root)
{
	struct pv_replacing *replacing = pv_replacing_create(root, "test");
	struct pv_replacing_faults faults;
	replace(replacing, "site/late/page.html");
	replace(replacing, "site/late/other.html");
	pv_file_make_directory("site/late/page.html", 0777);
	ok(pv_replacing_end(replacing, &faults) == 1 && faults.count == 1 &&
		faults.error == EISDIR,
	    "a directory that came in the way is a fault (%d), of its file",
	    faults.error);
	is_text(pv_buf_str(&faults.file), "site/late/page.html", "by name");
	is_file("site/late/other.html", "new", "and the other is replaced");
	ok(rmdir("site/.pavane") == 0, "and nothing is left over");
	pv_buf_finish(&faults.file);
}

/* More than are put on the disk at once. */
static void test_many(int root)
{
	struct pv_replacing *replacing = pv_replacing_create(root, "test");
	struct pv_replacing_faults faults;
	for (int i = 0; i < 5000; i++) {
		char name[64];
		snprintf(name, sizeof(name), "site/many/%d.html", i);
		replace(replacing, name);
	}
	ok(pv_replacing_end(replacing, &faults) == 5000 &&
		access("site/many/0.html", F_OK) == 0 &&
		access("site/many/4999.html", F_OK) == 0,
	    "however many there are");
	ok(rmdir("site/.pavane") == 0, "and nothing is left over");
	pv_buf_finish(&faults.file);
}

/* More than may wait, and few. */
static void test_large(int root)
{
	struct pv_replacing *replacing = pv_replacing_create(root, "test");
	struct pv_replacing_faults faults;
	size_t size = (size_t)72 << 20;
	char *text = malloc(size);
	memset(text, 'x', size);
	for (int i = 0; i < 3; i++) {
		char name[64];
		snprintf(name, sizeof(name), "site/large/%d.html", i);
		pv_replacing_add(replacing, pv_str_of(name),
		    (struct pv_str){text, i < 2 ? size / 2 : size});
	}
	struct stat status;
	ok(pv_replacing_end(replacing, &faults) == 3 &&
		stat("site/large/2.html", &status) == 0 &&
		(size_t)status.st_size == size,
	    "however large they are");
	free(text);
	pv_buf_finish(&faults.file);
}

/* Enough to come round to the files that the first ones were in. */
#define ROUND 1000

static void write_round(const char *text)
{
	for (int i = 0; i < ROUND; i++) {
		char name[64];
		snprintf(name, sizeof(name), "site/round/%d.html", i);
		write_file(name, text, 0644);
	}
}

static bool is_round_new(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 1000);
	bool is_new = true;
	for (int i = 0; i < ROUND && is_new; i++) {
		char name[64];
		snprintf(name, sizeof(name), "site/round/%d.html", i);
		pv_buf_clear(&text);
		pv_file_read(name, &text);
		is_new = pv_str_equal(pv_buf_str(&text), PV_STR("new"));
	}
	pv_buf_finish(&text);
	return is_new;
}

static void replace_round(struct pv_replacing *replacing, int from, int to)
{
	for (int i = from; i < to; i++) {
		char name[64];
		snprintf(name, sizeof(name), "site/round/%d.html", i);
		replace(replacing, name);
	}
}

/* Files are written over, but not while they are somebody's. */
static void test_others(int root)
{
	struct pv_replacing_faults faults;
	char read_text[16] = "";
	pv_file_make_directory("site/round", 0777);
	write_round("a longer text");
	(void)!link("site/round/1.html", "linked.html");
	int reader = open("site/round/2.html", O_RDONLY);
	struct pv_replacing *replacing = pv_replacing_create(root, "test");
	replace_round(replacing, 0, ROUND);
	ok(pv_replacing_end(replacing, &faults) == ROUND && is_round_new(),
	    "all have their new text, and no more than that");
	is_file("linked.html", "a longer text",
	    "a file by another name keeps its own");
	(void)!read(reader, read_text, sizeof(read_text) - 1);
	ok(strcmp(read_text, "a longer text") == 0,
	    "so does one that somebody reads");
	ok(rmdir("site/.pavane") == 0, "and nothing is left over");
	close(reader);
	pv_buf_finish(&faults.file);
}

/* It tells of it once, and whoever asks first: that may be of a file that is
 * written meanwhile. */
static void test_disk(int root)
{
	struct pv_replacing_faults faults;
	write_file("site/round/0.html", "old", 0644);
	write_file("site/round/999.html", "old", 0644);
	disk.is_failing = true;
	struct pv_replacing *replacing = pv_replacing_create(root, "test");
	replace_round(replacing, 0, ROUND / 2);
	sem_wait(&disk.began);
	replace_round(replacing, ROUND / 2, ROUND);
	sem_post(&disk.may_end);
	uint64_t count = pv_replacing_end(replacing, &faults);
	ok(count == 0 && faults.count == ROUND && faults.error == EIO,
	    "where the disk has failed nothing is replaced (%llu are)",
	    (unsigned long long)count);
	is_file("site/round/0.html", "old", "neither what it was to hold");
	is_file("site/round/999.html", "old", "nor what came meanwhile");
	ok(rmdir("site/.pavane") == 0, "and nothing is left over");
	pv_buf_finish(&faults.file);
}

/* What a run left that was killed may be a file that had its name before, and
 * has another one, too. */
static void test_left(int root)
{
	struct pv_replacing_faults faults;
	write_file("copied.html", "a copy", 0644);
	pv_file_make_directory("site/.pavane", 0777);
	(void)!link("copied.html", "site/.pavane/test-0");
	struct pv_replacing *replacing = pv_replacing_create(root, "test");
	replace(replacing, "site/a/new.html");
	ok(pv_replacing_end(replacing, &faults) == 1,
	    "what an earlier run left is in nobody's way");
	is_file("copied.html", "a copy", "and is not written over");
	ok(rmdir("site/.pavane") == 0, "nor left");
	pv_buf_finish(&faults.file);
}

static void test_removing(int root)
{
	struct pv_replacing *replacing = pv_replacing_create(root, "test");
	struct pv_replacing_faults faults;
	pv_replacing_remove(replacing, PV_STR("site/a/new.html"));
	pv_replacing_remove(replacing, PV_STR("site/away/page.html"));
	pv_replacing_end(replacing, &faults);
	ok(access("site/a/new.html", F_OK) != 0 && faults.count == 1,
	    "what is not wanted is removed");
	is_file("outside/page.html", "not ours", "but not through a link");
	pv_buf_finish(&faults.file);
}

int main(void)
{
	make();
	sem_init(&disk.began, 0, 0);
	sem_init(&disk.may_end, 0, 0);
	int root = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	test_files(root);
	test_faults(root);
	test_late_fault(root);
	test_many(root);
	test_large(root);
	test_others(root);
	test_disk(root);
	test_left(root);
	test_removing(root);
	close(root);
	char command[160];
	snprintf(command, sizeof(command), "rm -rf '%s'", place.path);
	return chdir("..") == 0 && system(command) == 0 ? tap_done() : 99;
}
