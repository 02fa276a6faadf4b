#ifndef PAVANE_MIRROR_FILES_DIRECTORIES_H
#define PAVANE_MIRROR_FILES_DIRECTORIES_H

#include <stddef.h>

#include "base/str.h"

/* The directories below a root, made where they are missing, for any number of
 * threads.
 *
 * A path is walked one component at a time from an open descriptor, and no
 * component may be a symbolic link: so whatever stands in the tree, nothing is
 * reached outside it. A few directories stay open, since pages that follow one
 * another mostly lie together.
 */
struct pv_directories;

struct pv_directory {
	int file; /* for functions that take a directory and a name */
};

/* The root is the caller's and outlives them. */
struct pv_directories *pv_directories_create(int root);

/* All that were taken have been given back. NULL is fine. */
void pv_directories_destroy(struct pv_directories *directories);

/* Who opens files in directories that others use, too, enters before it takes
 * one, and exits when it has given all back. Any number may be in at once; who
 * has found no descriptor left enters alone: it waits until all others are out,
 * they wait for it, and no directory is kept open. */
void pv_directories_enter(struct pv_directories *directories);
void pv_directories_enter_alone(struct pv_directories *directories);
void pv_directories_exit(struct pv_directories *directories);

/* The directory of that path ("site/a.example/b"), to be given back. NULL if it
 * cannot be opened: errno says why, and `reached` is how much of the path is
 * that of the component at fault. It is ELOOP for a symbolic link. */
struct pv_directory *pv_directories_take(
    struct pv_directories *directories, struct pv_str path, size_t *reached);
void pv_directories_give(
    struct pv_directories *directories, struct pv_directory *directory);

/* It is not what stands at its path any more: who takes that next walks
 * anew. */
void pv_directories_forget(
    struct pv_directories *directories, const struct pv_directory *directory);

#endif
