#ifndef PAVANE_MIRROR_INDEX_ENTRY_FILE_H
#define PAVANE_MIRROR_INDEX_ENTRY_FILE_H

#include "base/buf.h"

/* The file of an entry page, at the top of a crawl's directory.
 *
 * It is written whole under another name and then renamed. What stands in its
 * place stays as it is if it is not ours: a page of the user's, a symbolic
 * link, a directory.
 */
#define PV_ENTRY_FILE "index.html"

/* False, with the reason appended, if that cannot be done. */
bool pv_entry_file_write(
    const char *directory, struct pv_str page, struct pv_buf *fault);

/* Takes it away, if it is ours. */
void pv_entry_file_remove(const char *directory);

/* The same for a file of any name in an open directory, that says within its
 * first bytes whose it is (PV_ENTRY_GENERATOR); whether there was one of
 * ours. */
bool pv_entry_file_put(
    int directory, const char *name, struct pv_str text, struct pv_buf *fault);
bool pv_entry_file_take(int directory, const char *name);

#endif
