#ifndef PAVANE_MIRROR_LINKS_TWINS_H
#define PAVANE_MIRROR_LINKS_TWINS_H

#include "base/why.h"

/* Pages that a server gives as a directory and by the name of its index, such
 * as "/a/" and "/a/index.html". They have files of their own when they come,
 * "index.html" and "index^^.html", since nobody knows yet that they are the
 * same. Where both had the same bytes, the first of these files becomes that of
 * both, and the other is left (the table left_files).
 *
 * Each keeps its own copy in the state. Where one has changed since and the
 * other is said not to have, all of the other is asked for at the next update.
 *
 * To be done before links are looked up; false, with the reason, if the state
 * of that crawl's directory cannot be read or written.
 */
bool pv_twins_join(const char *directory, struct pv_why *why);

#endif
