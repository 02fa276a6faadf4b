#ifndef PAVANE_TESTS_POLICY_SCRATCH_H
#define PAVANE_TESTS_POLICY_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* A directory for the files of a test, which goes away with it. Paths that are
 * given out live until the next one is asked for. */
struct scratch {
	char dir[64];
	char path[256];
};

__attribute__((unused)) static bool scratch_open(struct scratch *scratch)
{
	const char *place = getenv("PAVANE_SCRATCH");
	snprintf(scratch->dir, sizeof(scratch->dir), "%s/pavane-test-XXXXXX",
	    place && *place ? place : "/tmp");
	return mkdtemp(scratch->dir) != NULL;
}

__attribute__((unused)) static const char *scratch_path(
    struct scratch *scratch, const char *name)
{
	snprintf(
	    scratch->path, sizeof(scratch->path), "%s/%s", scratch->dir, name);
	return scratch->path;
}

__attribute__((unused)) static const char *scratch_write(
    struct scratch *scratch, const char *name, struct pv_str text)
{
	const char *path = scratch_path(scratch, name);
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(text.ptr, 1, text.len, file) != text.len ||
	    fclose(file) != 0) {
		perror(path);
		abort();
	}
	return path;
}

/* Appends what a file holds; false if it cannot be read. */
__attribute__((unused)) static bool scratch_read(
    struct scratch *scratch, const char *name, struct pv_buf *text)
{
	return pv_file_read(scratch_path(scratch, name), text) == PV_FILE_READ;
}

/* How many files lie in a directory below; -1 if it is none. */
__attribute__((unused)) static int scratch_count(
    struct scratch *scratch, const char *name)
{
	int count = 0;
	const struct dirent *entry;
	DIR *dir = opendir(scratch_path(scratch, name));
	if (!dir)
		return -1;
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

/* Removes the files and the directories, of which there may be one level. */
static void scratch_remove(const char *path)
{
	char below[512];
	const struct dirent *entry;
	DIR *dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(
		    below, sizeof(below), "%s/%.200s", path, entry->d_name);
		if (unlink(below) != 0)
			scratch_remove(below);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

__attribute__((unused)) static void scratch_close(struct scratch *scratch)
{
	scratch_remove(scratch->dir);
}

#endif
