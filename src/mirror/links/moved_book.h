#ifndef PAVANE_MIRROR_LINKS_MOVED_BOOK_H
#define PAVANE_MIRROR_LINKS_MOVED_BOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "mirror/links/moved_links.h"

/* Writes down moved links of documents in the crawl's state, while others look at
 * it. Each document is a commit of its own, and the write-ahead log is folded in
 * as it grows, since nobody else reads the state for longer than some thousand
 * rows (mirror/links/document_list.h). For any number of threads. */
struct pv_moved_book;

/* That of a crawl's directory. */
struct pv_moved_book *pv_moved_book_create(const char *directory);
void pv_moved_book_destroy(struct pv_moved_book *book);

/* Why something could not be written, in words; "" if all could. For when nobody
 * writes any more. */
const char *pv_moved_book_fault(const struct pv_moved_book *book);

/* Keeps those of a document that it had not, before the document says so; a kill
 * in between leaves more than there are, which are not known again. Where none
 * of those that it had was known again, they go. False if that could not be
 * written. */
bool pv_moved_book_keep(struct pv_moved_book *book, int64_t document,
    const struct pv_moved_links *had, bool is_known,
    const struct pv_moved_links *moved);

#endif
