#ifndef PAVANE_TESTS_MIRROR_GONE_SCENE_H
#define PAVANE_TESTS_MIRROR_GONE_SCENE_H

#include <ftw.h>
#include <sys/stat.h>

#include "base/file.h"
#include "scratch.h"
#include "tap.h"

/* A directory with trees of files in it. */

/* Writes a file with the directories above it. */
static inline void tree_write(
    const struct scratch *scratch, const char *name, const char *text)
{
	char path[512];
	snprintf(path, sizeof(path), "%s", scratch_file(scratch, name));
	*strrchr(path, '/') = '\0';
	pv_file_make_directory(path, 0777);
	FILE *file = fopen(scratch_file(scratch, name), "wb");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

/* Whether there is anything of that name. */
static inline bool tree_has(const struct scratch *scratch, const char *name)
{
	struct stat facts;
	return lstat(scratch_file(scratch, name), &facts) == 0;
}

static inline bool tree_holds(
    const struct scratch *scratch, const char *name, const char *text)
{
	struct pv_buf found;
	pv_buf_init(&found, 65536);
	bool is_right =
	    pv_file_read(scratch_file(scratch, name), &found) == PV_FILE_READ &&
	    pv_str_equal(pv_buf_str(&found), pv_str_of(text));
	pv_buf_finish(&found);
	return is_right;
}

static inline void tree_link(
    const struct scratch *scratch, const char *target, const char *name)
{
	if (symlink(target, scratch_file(scratch, name)) != 0)
		printf("# %s cannot be made\n", name);
}

static inline int tree_remove_one(
    const char *path, const struct stat *facts, int type, struct FTW *at)
{
	(void)facts, (void)type, (void)at;
	return remove(path);
}

static inline void tree_remove(const struct scratch *scratch, const char *name)
{
	nftw(scratch_file(scratch, name), tree_remove_one, 8,
	    FTW_DEPTH | FTW_PHYS);
}

#endif
