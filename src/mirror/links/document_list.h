#ifndef PAVANE_MIRROR_LINKS_DOCUMENT_LIST_H
#define PAVANE_MIRROR_LINKS_DOCUMENT_LIST_H

#include <pthread.h>

#include "base/why.h"
#include "mirror/kept/kept_files.h"
#include "mirror/links/moved_links.h"
#include "store/tables/moved_link_table.h"
#include "store/tables/state_files.h"

/* One of them. */
struct pv_listed_document {
	int64_t number; /* of its address */
	struct pv_buf address;
	struct pv_buf file; /* that it lies in */
	bool is_left; /* another file is in its place, and it goes as soon as
			 nothing leads to it */
	struct pv_moved_links moved; /* that it had when it was linked last */
};

void pv_listed_document_init(struct pv_listed_document *document);
void pv_listed_document_finish(struct pv_listed_document *document);

/* All documents that are kept, and those that are left, handed out one by one,
 * to any thread. Between two of them nothing of the state is being read. */
struct pv_document_list {
	pthread_mutex_t mutex;
	struct pv_kept_files *kept;
	struct pv_database *database;
	struct pv_file_cursor *files;
	struct pv_moved_link_table moved;
	bool is_cut; /* nobody takes another */

	/* Whether to end before the end; asked for each document, by one thread
	 * at a time. NULL: never. */
	bool (*is_enough)(void *ctx);
	void *ctx;
};

/* Those of a crawl's directory; false, with the reason, if its state cannot be
 * read. To be closed in any case. */
bool pv_document_list_open(
    struct pv_document_list *list, const char *directory, struct pv_why *why);
void pv_document_list_close(struct pv_document_list *list);

/* The next one; false after the last, or if it is enough. */
bool pv_document_list_take(
    struct pv_document_list *list, struct pv_listed_document *document);

void pv_document_list_cut(struct pv_document_list *list);

#endif
