#ifndef PAVANE_MIRROR_FILES_NAMELESS_H
#define PAVANE_MIRROR_FILES_NAMELESS_H

#include <stdbool.h>

/* Files that have no name before they are whole. No directory is locked while
 * the file system looks for room for one, and nothing is left of it if we end;
 * but not every file system has them. */

/* Whether that of a directory does. It leaves nothing there. */
bool pv_nameless_can_be(int directory);

/* To be written, in the file system of that directory; -1, by errno, if it
 * cannot be. */
int pv_nameless_open(int directory);

/* False, by errno, if it cannot have the name: EEXIST where something has. */
bool pv_nameless_name(int file, int directory, const char *name);

#endif
