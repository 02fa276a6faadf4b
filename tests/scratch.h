#ifndef PAVANE_TESTS_SCRATCH_H
#define PAVANE_TESTS_SCRATCH_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where tests have their files: what PAVANE_SCRATCH says, else where they run. */
static inline const char *scratch_place(void)
{
	const char *place = getenv("PAVANE_SCRATCH");
	return place && *place ? place : ".";
}

/* A directory of the test's own. */
struct scratch {
	char path[128];
};

static inline bool scratch_make(struct scratch *scratch)
{
	int len = snprintf(scratch->path, sizeof(scratch->path),
	    "%s/scratch.XXXXXX", scratch_place());
	return len < (int)sizeof(scratch->path) && mkdtemp(scratch->path);
}

/* The path of a file in it, until the next call. */
static inline const char *scratch_file(
    const struct scratch *scratch, const char *name)
{
	static char path[512];
	snprintf(path, sizeof(path), "%s/%s", scratch->path, name);
	return path;
}

/* With the files in it; it has no directories. */
static inline void scratch_remove(const struct scratch *scratch)
{
	struct dirent *entry;
	DIR *directory = opendir(scratch->path);
	while (directory && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			unlink(scratch_file(scratch, entry->d_name));
	}
	if (directory)
		closedir(directory);
	rmdir(scratch->path);
}

#endif
