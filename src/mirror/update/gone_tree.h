#ifndef PAVANE_MIRROR_UPDATE_GONE_TREE_H
#define PAVANE_MIRROR_UPDATE_GONE_TREE_H

#include <stdbool.h>

#include "base/str.h"

/* Files of a mirror on their way from one tree below a crawl's directory to
 * another: from site/HOST/path to gone/HOST/path.
 *
 * A file is moved by renaming it, so that at any instant it is in one of the
 * two places, whole and as old as it was. Paths are walked from an open
 * descriptor, one component at a time, and no component may be a symbolic link;
 * a file that is one is left where it is. What was the last file of a directory
 * takes that along. Used by one thread.
 */
struct pv_gone_tree;

/* Nothing is touched before something is asked of it. */
struct pv_gone_tree *pv_gone_tree_create(const char *directory);

/* NULL is fine. */
void pv_gone_tree_destroy(struct pv_gone_tree *tree);

/* Whether there is a file of that path, and no link. */
bool pv_gone_tree_has(struct pv_gone_tree *tree, struct pv_str path);

/* Moves a file, in the place of what is there, or finds that it was moved
 * before. 0; or an errno, and then the file is where it was. ENOENT: it is
 * nowhere. */
int pv_gone_tree_move(
    struct pv_gone_tree *tree, struct pv_str from, struct pv_str to);

/* The same for a file that is to go for good. */
int pv_gone_tree_remove(struct pv_gone_tree *tree, struct pv_str path);

/* Until then a power cut may undo what was done; 0, or an errno. */
int pv_gone_tree_sync(struct pv_gone_tree *tree);

#endif
