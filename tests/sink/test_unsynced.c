#include "sink/unsynced.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

/* P3: what is known to be there outlives a power cut. That cannot be tried here;
 * but that each file and its directory are synced, one by one or all at once,
 * shows where one cannot be. */

static size_t open_files(void)
{
	size_t count = 0;
	DIR *directory = opendir("/proc/self/fd");
	while (directory && readdir(directory))
		count++;
	if (directory)
		closedir(directory);
	return count;
}

static int make(struct scratch *scratch, unsigned number)
{
	char name[32];
	snprintf(name, sizeof(name), "%u", number);
	return open(
	    scratch_file(scratch, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
}

static void add(struct pv_unsynced *unsynced, struct scratch *scratch, int root,
    unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		pv_unsynced_add(unsynced, make(scratch, i), root);
}

static void test_counts(struct scratch *scratch, int root)
{
	static const unsigned counts[] = {
	    0, 1, PV_UNSYNCED_MAX, PV_UNSYNCED_MAX + 1, 3 * PV_UNSYNCED_MAX};
	struct pv_unsynced unsynced;
	size_t before = open_files();
	pv_unsynced_init(&unsynced);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		add(&unsynced, scratch, root, counts[i]);
		ok(open_files() <= before + 2 * PV_UNSYNCED_MAX,
		    "P5: %u files hold no more open than there is room for",
		    counts[i]);
		ok(pv_unsynced_sync(&unsynced, root) && open_files() == before,
		    "they are synced, and closed");
	}
	add(&unsynced, scratch, root, 3);
	pv_unsynced_finish(&unsynced);
	ok(open_files() == before, "so are those that nobody syncs");
}

/* A pipe is no file, and cannot be synced. */
static void test_faults(struct scratch *scratch, int root)
{
	struct pv_unsynced unsynced;
	int ends[2];
	size_t before = open_files();
	pv_unsynced_init(&unsynced);
	add(&unsynced, scratch, root, 2);
	if (pipe(ends) == 0) {
		pv_unsynced_add(&unsynced, ends[1], root);
		close(ends[0]);
	}
	ok(!pv_unsynced_sync(&unsynced, root) && errno == EINVAL &&
		open_files() == before,
	    "of a few, one that cannot be synced is told");
	ok(pv_unsynced_sync(&unsynced, root), "once");
	add(&unsynced, scratch, root, PV_UNSYNCED_MAX + 1);
	ok(!pv_unsynced_sync(&unsynced, -1) && errno == EBADF &&
		open_files() == before,
	    "of many, that their disk cannot be");
	pv_unsynced_add(&unsynced, make(scratch, 1), -1);
	ok(!pv_unsynced_sync(&unsynced, -1) && open_files() == before,
	    "what has no directory to be synced in counts as one of many");
	pv_unsynced_finish(&unsynced);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	int root = open(scratch.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	test_counts(&scratch, root);
	test_faults(&scratch, root);
	close(root);
	scratch_remove(&scratch);
	return tap_done();
}
