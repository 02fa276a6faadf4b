#ifndef PAVANE_CRAWL_ROWS_KEPT_READER_H
#define PAVANE_CRAWL_ROWS_KEPT_READER_H

#include "crawl/rows/unasked_links.h"
#include "fields/readers.h"
#include "fields/rows.h"
#include "mirror/links/restoring.h"
#include "reading/page_text.h"
#include "scope/scope.h"
#include "store/tables/kept_pages.h"

/* The rows of a page that is kept in a mirror, by a policy that may be another
 * than it was crawled by. Headers are not kept: what is read from them has no
 * value, and an encoding that only they told is known where the mirror's links
 * are rewritten. For one thread. */
struct pv_policy;

struct pv_kept_reader {
	const struct pv_policy *policy;
	const unsigned char *numbers; /* of the state's kinds, by the policy */
	int root;                     /* the crawl's directory, open */
	struct pv_scope *scope;
	struct pv_field_readers fields;
	struct pv_kept_files *kept;
	struct pv_restorer restorer;
	struct pv_unasked_links unasked;
	struct pv_url url; /* of the page */
	struct pv_buf file;
	struct pv_buf text;
	struct pv_page_text page;
};

/* The caller has set what comes first; what is kept is read. Faults are the
 * database's. */
void pv_kept_reader_open(
    struct pv_kept_reader *reader, struct pv_database *database);
void pv_kept_reader_close(struct pv_kept_reader *reader);

/* Fills in rows that are empty; they stay without a kind where the page is of
 * none. False if the page's file cannot be read. */
bool pv_kept_reader_read(struct pv_kept_reader *reader,
    const struct pv_kept_page_row *page, struct pv_rows *rows);

#endif
