#ifndef PAVANE_MERGE_TARGET_H
#define PAVANE_MERGE_TARGET_H

#include "base/why.h"
#include "store/lock.h"

/* The directory that is made: OUTPUT.merging until it is whole, and OUTPUT from
 * then on, by one rename.
 *
 * A file `merging` in it says whose it is: only what has one is removed when the
 * next merge begins. It goes last. */
struct pv_merge_target {
	struct pv_buf output;    /* without a slash at its end */
	struct pv_buf directory; /* where all is written */
	struct pv_lock lock;
	bool is_open;
};

/* False, with the reason, if the output is there and not empty, or it cannot be
 * made, or another merge is at work on it. */
bool pv_merge_target_open(
    struct pv_merge_target *target, const char *output, struct pv_why *why);

/* Puts all on the disk, and the output in its place; false, with the reason, if
 * that cannot be done. */
bool pv_merge_target_finish(struct pv_merge_target *target, struct pv_why *why);

/* What is not finished is removed. */
void pv_merge_target_close(struct pv_merge_target *target);

#define PV_MERGE_WHOLE UINT64_MAX

/* A file of it that is written from its beginning to its end. */
struct pv_merge_file {
	struct pv_buf path;
	struct pv_buf bytes; /* that are not written yet */
	int file;            /* -1: it could not be made, or written */
	uint64_t length;
};

/* Directories of its name are made. `mode` is that of the file. */
bool pv_merge_file_open(struct pv_merge_file *file,
    const struct pv_merge_target *target, const char *name, unsigned mode,
    struct pv_why *why);

/* Writes out what has gathered in `bytes`, if that is much. */
bool pv_merge_file_flush(struct pv_merge_file *file, struct pv_why *why);

/* Adds so many bytes of another file, from its beginning; PV_MERGE_WHOLE: all of
 * them. A symbolic link is not followed. */
bool pv_merge_file_take(struct pv_merge_file *file, const char *path,
    uint64_t length, struct pv_why *why);

/* Also writes all that is left; false as above. */
bool pv_merge_file_close(struct pv_merge_file *file, struct pv_why *why);

/* A file copied from another directory, with its mode. */
bool pv_merge_target_copy(const struct pv_merge_target *target,
    const char *directory, const char *name, struct pv_why *why);

#endif
