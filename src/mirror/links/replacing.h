#ifndef PAVANE_MIRROR_LINKS_REPLACING_H
#define PAVANE_MIRROR_LINKS_REPLACING_H

#include <stdint.h>

#include "base/buf.h"

/* Files of a mirror that get a new text, each whole or not at all, whatever
 * ends us: it is written beside the tree, put on the disk, and then takes the
 * old one's name. Files are put on the disk together, since that is what costs,
 * in a thread that does so while others are added. No symbolic link is
 * followed, and a file keeps its time and its mode. For any number of
 * threads. */
struct pv_replacing;

/* Where that is, and where mirror/files/files.c begins its files, too: its last
 * user removes it. */
#define PV_REPLACING_TEMPORARY "site/.pavane"

/* Why some could not be. */
struct pv_replacing_faults {
	uint64_t count;
	int error;          /* of the first */
	struct pv_buf file; /* which that was */
};

/* `root` is the crawl's directory, open; `name` tells its files from those of
 * others who are at it. */
struct pv_replacing *pv_replacing_create(int root, const char *name);

/* With all that was added in its place. How many files that was in all. */
uint64_t pv_replacing_end(
    struct pv_replacing *replacing, struct pv_replacing_faults *faults);

/* It may be new. */
void pv_replacing_add(
    struct pv_replacing *replacing, struct pv_str file, struct pv_str text);

/* Removes it at once. */
void pv_replacing_remove(struct pv_replacing *replacing, struct pv_str file);

#endif
