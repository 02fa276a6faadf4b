#include "mirror/files/unsynced.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

/* P3: what is known to be there outlives a power cut. That cannot be tried, but
 * what is synced can be seen: the C library's functions for it are the
 * test's. */
static unsigned files, directories, disks, begun;
static int error; /* of all of them; 0: they succeed */

static bool is_directory(int file)
{
	struct stat facts;
	return fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static int end(void)
{
	errno = error;
	return error ? -1 : 0;
}

int fdatasync(int file)
{
	files += !is_directory(file);
	return end();
}

int fsync(int file)
{
	directories += is_directory(file);
	return end();
}

int syncfs(int file)
{
	disks += is_directory(file);
	return end();
}

int sync_file_range(int file, off_t from, off_t len, unsigned flags)
{
	(void)file;
	begun += !from && !len && flags == SYNC_FILE_RANGE_WRITE;
	return end();
}

static uint64_t unwritten; /* by all programs */

static uint64_t get_unwritten(void)
{
	return unwritten;
}

static void init(struct pv_unsynced *unsynced)
{
	pv_unsynced_init(unsynced);
	unsynced->unwritten = get_unwritten;
	unwritten = UINT64_MAX;
}

static void add(
    struct pv_unsynced *unsynced, struct scratch *scratch, unsigned count)
{
	char name[32];
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "d%u/%u", i % 2, i / 2);
		close(open(scratch_file(scratch, name),
		    O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
		pv_unsynced_add(unsynced, pv_str_of(name));
	}
}

static bool sync_all(struct pv_unsynced *unsynced, int root)
{
	files = directories = disks = 0;
	return pv_unsynced_sync(unsynced, root);
}

static void test_counts(struct scratch *scratch, int root)
{
	struct pv_unsynced unsynced;
	init(&unsynced);
	ok(sync_all(&unsynced, root) && files + directories + disks == 0,
	    "where there is nothing, nothing is synced");
	add(&unsynced, scratch, 1);
	ok(sync_all(&unsynced, root) && files == 1 && directories == 2 &&
		!disks,
	    "a file is synced, and the directories that its name and the "
	    "directory's are in");
	ok(sync_all(&unsynced, root) && !files, "once");
	add(&unsynced, scratch, PV_UNSYNCED_MAX);
	ok(sync_all(&unsynced, root) && files == PV_UNSYNCED_MAX && !disks,
	    "so is each of a few");
	unwritten = PV_UNSYNCED_OTHERS_MAX + 1;
	add(&unsynced, scratch, PV_UNSYNCED_MAX);
	ok(sync_all(&unsynced, root) && files == PV_UNSYNCED_MAX && !disks,
	    "so is each of some, where others have written much");
	unwritten = PV_UNSYNCED_OTHERS_MAX;
	add(&unsynced, scratch, PV_UNSYNCED_FEW + 1);
	ok(sync_all(&unsynced, root) && !files && disks == 1,
	    "else they are synced with their disk, at once");
	add(&unsynced, scratch, PV_UNSYNCED_FEW);
	ok(sync_all(&unsynced, root) && files == PV_UNSYNCED_FEW && !disks,
	    "but not where they are few");
	unwritten = UINT64_MAX;
	add(&unsynced, scratch, PV_UNSYNCED_MAX + 1);
	ok(sync_all(&unsynced, root) && !files && disks == 1,
	    "many are, whatever others have written");
	add(&unsynced, scratch, 1);
	pv_unsynced_add(&unsynced, PV_STR("d0/0"));
	ok(sync_all(&unsynced, root) && files == 2 && directories == 1,
	    "two in one directory need that once");
	pv_unsynced_add(&unsynced, PV_STR("d0/gone"));
	ok(sync_all(&unsynced, root), "what somebody has removed is no fault");
	add(&unsynced, scratch, 3);
	pv_unsynced_finish(&unsynced);
}

/* How many directories are synced with a file. */
static unsigned directories_of(
    struct pv_unsynced *unsynced, int root, const char *path)
{
	pv_unsynced_add(unsynced, pv_str_of(path));
	return sync_all(unsynced, root) ? directories : UINT_MAX;
}

/* A directory that is new is lost with all that is in it if its own name is. */
static void test_above(struct scratch *scratch, int root)
{
	struct pv_unsynced unsynced;
	char deep[64];
	init(&unsynced);
	mkdir(scratch_file(scratch, "d0/a"), 0777);
	mkdir(scratch_file(scratch, "d0/a/b"), 0777);
	mkdir(scratch_file(scratch, "d0/ab"), 0777);
	ok(directories_of(&unsynced, root, "d0/ab/1") == 3 &&
		directories_of(&unsynced, root, "d0/a/b/1") == 3,
	    "P3: all directories above a file are synced");
	ok(directories_of(&unsynced, root, "d0/a/b/2") == 1 &&
		directories_of(&unsynced, root, "d0/a/3") == 1 &&
		directories_of(&unsynced, root, "d0/4") == 1,
	    "those that have been need not be once more");
	ok(directories_of(&unsynced, root, "d1/6") == 2 &&
		directories_of(&unsynced, root, "d0/a/b/7") == 1,
	    "but for those above one that has not");
	pv_unsynced_forget(&unsynced);
	ok(directories_of(&unsynced, root, "d0/a/b/8") == 4,
	    "if somebody has removed some, all are again");
	rmdir(scratch_file(scratch, "d0/a/b"));
	ok(directories_of(&unsynced, root, "d0/a/b/9") == 3 &&
		directories_of(&unsynced, root, "d0/a/10") == 1,
	    "where one is gone, that is on the disk, too");
	mkdir(scratch_file(scratch, "d0/a/b"), 0777);
	ok(directories_of(&unsynced, root, "d0/a/b/11") == 2,
	    "and one that is there again is a new one");
	for (int i = 0; i < PV_UNSYNCED_KNOWN; i++) {
		snprintf(deep, sizeof(deep), "d1/%c", 'a' + i);
		mkdir(scratch_file(scratch, deep), 0777);
		snprintf(deep, sizeof(deep), "d1/%c/f", 'a' + i);
		directories_of(&unsynced, root, deep);
	}
	ok(directories_of(&unsynced, root, deep) == 1 &&
		directories_of(&unsynced, root, "d0/a/12") == 3,
	    "P5: no more than some are remembered");
	pv_unsynced_finish(&unsynced);
}

static void test_beginning(void)
{
	pv_unsynced_begin(0, 65535);
	ok(!begun, "a small file waits until it is synced");
	pv_unsynced_begin(0, 65536);
	ok(begun == 1, "a disk begins with a large one at once");
}

static void test_long(int root)
{
	struct pv_unsynced unsynced;
	struct pv_buf path;
	init(&unsynced);
	pv_buf_init(&path, SIZE_MAX);
	for (size_t i = 0; i < PV_UNSYNCED_BYTES_MAX; i++)
		pv_buf_append_char(&path, 'x');
	pv_unsynced_add(&unsynced, pv_buf_str(&path));
	ok(sync_all(&unsynced, root) && disks == 1,
	    "P5: what names do not fit in what there is for them are synced "
	    "with their disk");
	pv_buf_finish(&path);
	pv_unsynced_finish(&unsynced);
}

static void test_faults(struct scratch *scratch, int root)
{
	struct pv_unsynced unsynced;
	init(&unsynced);
	error = EIO;
	add(&unsynced, scratch, 2);
	ok(!sync_all(&unsynced, root) && errno == EIO,
	    "that a file cannot be synced is told");
	add(&unsynced, scratch, PV_UNSYNCED_MAX + 1);
	ok(!sync_all(&unsynced, root) && errno == EIO,
	    "so is that a disk cannot be");
	error = 0;
	ok(sync_all(&unsynced, root) && !files,
	    "what could not be is not tried again");
	add(&unsynced, scratch, 2);
	ok(!sync_all(&unsynced, -1) && errno == EBADF,
	    "nor is it passed over that a file cannot be opened for it");
	pv_unsynced_finish(&unsynced);
}

static void test_few_descriptors(struct scratch *scratch, int root)
{
	struct pv_unsynced unsynced;
	struct rlimit before, none;
	init(&unsynced);
	ok(pv_unsynced_hold(&unsynced, root), "a disk can be held");
	getrlimit(RLIMIT_NOFILE, &before);
	none = (struct rlimit){0, before.rlim_max};
	add(&unsynced, scratch, 2);
	setrlimit(RLIMIT_NOFILE, &none);
	ok(sync_all(&unsynced, root) && !files && disks == 1,
	    "P3: where no descriptor is left for files, it is synced in their "
	    "place");
	setrlimit(RLIMIT_NOFILE, &before);
	ok(sync_all(&unsynced, root) && !files && !disks, "once");
	add(&unsynced, scratch, PV_UNSYNCED_MAX + 1);
	setrlimit(RLIMIT_NOFILE, &none);
	ok(sync_all(&unsynced, root) && disks == 1, "so are many files");
	error = EIO;
	pv_unsynced_add(&unsynced, PV_STR("d0/0"));
	ok(!sync_all(&unsynced, root) && errno == EIO,
	    "that it cannot be synced is told");
	error = 0;
	setrlimit(RLIMIT_NOFILE, &before);
	add(&unsynced, scratch, 2);
	error = EIO;
	ok(!sync_all(&unsynced, root) && errno == EIO && !disks,
	    "a file that is at fault is not passed over for its disk");
	error = 0;
	pv_unsynced_finish(&unsynced);
}

static void remove_all(struct scratch *scratch)
{
	char name[32];
	for (unsigned i = 0; i <= PV_UNSYNCED_MAX; i++) {
		snprintf(name, sizeof(name), "d%u/%u", i % 2, i / 2);
		unlink(scratch_file(scratch, name));
	}
	rmdir(scratch_file(scratch, "d0"));
	rmdir(scratch_file(scratch, "d1"));
	scratch_remove(scratch);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	mkdir(scratch_file(&scratch, "d0"), 0777);
	mkdir(scratch_file(&scratch, "d1"), 0777);
	int root = open(scratch.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	test_counts(&scratch, root);
	test_above(&scratch, root);
	test_beginning();
	test_long(root);
	test_faults(&scratch, root);
	test_few_descriptors(&scratch, root);
	close(root);
	remove_all(&scratch);
	return tap_done();
}
