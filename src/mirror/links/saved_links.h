#ifndef PAVANE_MIRROR_LINKS_SAVED_LINKS_H
#define PAVANE_MIRROR_LINKS_SAVED_LINKS_H

#include <sys/stat.h>

#include "mirror/links/rewriter.h"

/* Where the links stand in documents that were saved a while ago, so that whoever
 * links them need not read them for that again: a few bytes a link, up to a
 * ceiling. A document is known again by its file, and whatever has been done to
 * that since makes it unknown. Any thread may ask.
 */
struct pv_saved_links;

struct pv_saved_links *pv_saved_links_create(size_t bytes_max);
void pv_saved_links_destroy(struct pv_saved_links *saved);

/* Keeps those of the document that the rewriter has just been through, which lies
 * in that file by now as it has left it. Those that are exceptions are not
 * kept, nor what is too much. */
void pv_saved_links_keep(struct pv_saved_links *saved,
    const struct pv_rewriter *rewriter, const struct stat *file);

/* Fills in the links of a file's text, and forgets them; false if they are not
 * known. */
bool pv_saved_links_take(struct pv_saved_links *saved, const struct stat *file,
    struct pv_str text, struct pv_links *links);

#endif
