#ifndef PAVANE_MIRROR_INDEX_PAGE_LIST_H
#define PAVANE_MIRROR_INDEX_PAGE_LIST_H

#include "mirror/index/entry_page.h"

/* The list of all pages of a mirror, with their titles: the directory pages/
 * beside the entry page.
 *
 * It stands there in parts, in the order in which the pages were found. Each
 * part has at most PV_PAGE_LIST_PART pages and about PV_PAGE_LIST_BYTES bytes,
 * so that no browser is slow with it, and is written twice: 1.html, a plain
 * list, for readers; and 1.js, for the search (web/search_script.h), which
 * without a server can load nothing but scripts. At most PV_PAGE_LIST_MAX
 * pages are listed. Titles are read from the files, as long as that takes
 * little time beside what the pages took to come; further pages go by their
 * addresses.
 *
 * As with the entry page, nobody else's file is written over or removed.
 */
#define PV_PAGE_LIST "pages"
#define PV_PAGE_LIST_PART 1000
#define PV_PAGE_LIST_BYTES ((size_t)400000)
#define PV_PAGE_LIST_MAX 100000

/* Writes it, as the state is now, and notes in facts->list what it has. False,
 * with the reason appended, if it cannot be written; then the facts say that
 * there is none. */
bool pv_page_list_write(const struct pv_entry_plan *plan,
    struct pv_entry_facts *facts, struct pv_buf *fault);

/* Takes it away, as far as it is ours. */
void pv_page_list_remove(const char *directory);

#endif
