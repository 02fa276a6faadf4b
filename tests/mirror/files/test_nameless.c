#include "mirror/files/nameless.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "failing.h"
#include "scratch.h"
#include "tap.h"

static bool has(const struct scratch *scratch, const char *name)
{
	return access(scratch_file(scratch, name), F_OK) == 0;
}

static void test_support(const struct scratch *scratch, int directory)
{
	fail_at("openat", 0, EOPNOTSUPP);
	ok(!pv_nameless_can_be(directory), "a file system may have none");
	fail_at("linkat", 0, ENOENT);
	ok(!pv_nameless_can_be(directory), "or nobody can give them names");
	fail_nothing();
	ok(!has(scratch, "probe"), "nothing is left of the question");
}

static void test_names(const struct scratch *scratch, int directory)
{
	struct stat status;
	umask(022);
	int file = pv_nameless_open(directory);
	pv_file_write(file, PV_STR("text"));
	ok(!has(scratch, "a"), "a file has no name while it is written");
	ok(pv_nameless_name(file, directory, "a"), "and gets one");
	ok(stat(scratch_file(scratch, "a"), &status) == 0 &&
		status.st_size == 4 && (status.st_mode & 0777) == 0644,
	    "with its text, for whom the user lets read it");
	close(file);
	file = pv_nameless_open(directory);
	ok(!pv_nameless_name(file, directory, "a") && errno == EEXIST,
	    "a name that something has is not taken");
	close(file);
	(void)!symlink("nowhere", scratch_file(scratch, "link"));
	file = pv_nameless_open(directory);
	ok(!pv_nameless_name(file, directory, "link") && errno == EEXIST &&
		!has(scratch, "nowhere"),
	    "nor is a symbolic link followed");
	close(file);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	int directory = open(scratch.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	test_support(&scratch, directory);
	if (pv_nameless_can_be(directory))
		test_names(&scratch, directory);
	else
		tap_skip("files without names", "the file system has none");
	close(directory);
	scratch_remove(&scratch);
	return tap_done();
}
