#ifndef PAVANE_MIRROR_LINKS_TWINS_H
#define PAVANE_MIRROR_LINKS_TWINS_H

#include "base/why.h"

/* Pages that a server gives as a directory and by the name of its index, such
 * as "/a/" and "/a/index.html". They have files of their own when they come,
 * "index.html" and "index^^.html", since nobody knows yet that they are the
 * same. Where both had the same bytes, or the directory is not known, the first
 * of these files becomes that of the index, too, and the other is left (the
 * table left_files): a server of files finds it where a browser asks for the
 * directory.
 *
 * Each keeps its own copy in the state. Where the directory has changed since
 * and the index is said not to have, all of the index is asked for at the next
 * update. Where the directory comes later than the index and is another page,
 * its file takes the place, and the index gets its own back (files.c has kept
 * that); only links that were made meanwhile lead to the directory then.
 *
 * To be done before links are looked up; `root` is the crawl's directory. False,
 * with the reason, if its state cannot be read or written.
 */
bool pv_twins_join(const char *directory, int root, struct pv_why *why);

#endif
