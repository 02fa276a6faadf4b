#include "serve/jobs/job_files.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "scratch.h"
#include "tap.h"

/* How much of the disk a job takes. */

#define LARGE (1 << 20)

static void write_file(const char *path, size_t size)
{
	static const char block[4096] = "x";
	FILE *file = fopen(path, "w");
	for (size_t i = 0; file && i < size / sizeof(block); i++)
		fwrite(block, sizeof(block), 1, file);
	if (!file || fclose(file) != 0)
		abort();
}

static void test_bytes(void)
{
	struct scratch scratch;
	char one[600], other[600];
	scratch_make(&scratch);
	const char *directory = scratch.path;
	ok(pv_job_files_init(directory), "there is a place for jobs");
	ok(pv_job_files_bytes(directory, PV_STR("a")) == 0,
	    "what is not there takes nothing");
	snprintf(one, sizeof(one), "%s/jobs/a", directory);
	mkdir(one, 0700);
	snprintf(one, sizeof(one), "%s/jobs/a/site", directory);
	mkdir(one, 0700);
	uint64_t empty = pv_job_files_bytes(directory, PV_STR("a"));
	snprintf(one, sizeof(one), "%s/jobs/a/site/one", directory);
	write_file(one, LARGE);
	uint64_t bytes = pv_job_files_bytes(directory, PV_STR("a"));
	ok(bytes >= empty + LARGE && bytes < empty + 2 * LARGE,
	    "a file counts wherever it is");
	snprintf(other, sizeof(other), "%s/jobs/a/other", directory);
	ok(link(one, other) == 0 &&
		pv_job_files_bytes(directory, PV_STR("a")) < bytes + LARGE / 2,
	    "with a second name it counts once");
	unlink(other);
	ok(symlink("/", other) == 0 &&
		pv_job_files_bytes(directory, PV_STR("a")) < bytes + LARGE / 2,
	    "what a symbolic link points to does not count");
	ok(pv_job_files_remove(directory, PV_STR("a")) &&
		pv_job_files_bytes(directory, PV_STR("a")) == 0,
	    "and nothing does once it was removed");
	snprintf(one, sizeof(one), "%s/jobs", directory);
	rmdir(one);
	scratch_remove(&scratch);
}

int main(void)
{
	test_bytes();
	return tap_done();
}
