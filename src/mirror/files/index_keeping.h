#ifndef PAVANE_MIRROR_FILES_INDEX_KEEPING_H
#define PAVANE_MIRROR_FILES_INDEX_KEEPING_H

/* The file of a directory, "index.html", may have become that of its index,
 * which was there first (mirror/links/twins.h). Where the directory's own page
 * comes and is another, the index keeps what it had under its own name,
 * "index^^.html".
 *
 * To be called before the page, whole under a temporary name, takes the place
 * of what another address has. Where a file cannot have two names nothing is
 * kept, and the index is asked for anew.
 */
void pv_index_keep(
    int directory, const char *name, int temporary, const char *begun);

#endif
