#ifndef PAVANE_MIRROR_LINKS_MOVED_LINKS_H
#define PAVANE_MIRROR_LINKS_MOVED_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* Links of a document that lead to another file than that of the address that
 * they named, since that was redirected. Nothing in the document tells any more
 * what they named, which is wanted on the day when that leads elsewhere. A link
 * is known again by its number in the document and by what it says. */
struct pv_moved_link {
	size_t link;
	size_t at; /* where its texts are */
	size_t text_len;
	size_t named_len;
};

/* In the order of the document. */
struct pv_moved_links {
	struct pv_moved_link *items;
	size_t count;
	size_t size;
	struct pv_buf texts;
};

void pv_moved_links_init(struct pv_moved_links *moved);
void pv_moved_links_finish(struct pv_moved_links *moved);
void pv_moved_links_clear(struct pv_moved_links *moved);

/* A link says that text, and named that whole address, as it would stand there
 * itself. */
void pv_moved_links_add(struct pv_moved_links *moved, size_t link,
    struct pv_str text, struct pv_str named);

struct pv_str pv_moved_links_text(
    const struct pv_moved_links *moved, size_t number);
struct pv_str pv_moved_links_named(
    const struct pv_moved_links *moved, size_t number);

/* What a link named that says that text; empty if it is none of them. `from` is
 * where to begin, 0 for the first link that is asked about; links are asked
 * about in their order. */
struct pv_str pv_moved_links_find(const struct pv_moved_links *moved,
    size_t *from, size_t link, struct pv_str text);

/* Writes down moved links of documents in the crawl's state, while others look
 * at it. Each document is a commit of its own, and the write-ahead log is
 * folded in as it grows, since nobody else reads the state for longer than some
 * thousand rows (mirror/links/document_list.h). For any number of threads. */
struct pv_moved_book;

/* That of a crawl's directory. */
struct pv_moved_book *pv_moved_book_create(const char *directory);
void pv_moved_book_destroy(struct pv_moved_book *book);

/* Why something could not be written, in words; "" if all could. For when
 * nobody writes any more. */
const char *pv_moved_book_fault(const struct pv_moved_book *book);

/* Keeps those of a document that it had not, before the document says so; a
 * kill in between leaves more than there are, which are not known again. Where
 * none of those that it had was known again, they go. False if that could not
 * be written. */
bool pv_moved_book_keep(struct pv_moved_book *book, int64_t document,
    const struct pv_moved_links *had, bool is_known,
    const struct pv_moved_links *moved);

#endif
