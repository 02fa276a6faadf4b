#ifndef PAVANE_CRAWL_RUN_LEDGER_BOOK_H
#define PAVANE_CRAWL_RUN_LEDGER_BOOK_H

#include "frontier/frontier.h"
#include "record/page.h"
#include "store/tables/ledger_table.h"
#include "store/writer.h"

/* The ledgers of all hosts: what a request adds to its host's is committed with
 * its line of the journal, so that after any end both tell of the same
 * requests.
 *
 * What a group of papers adds is gathered, and written once a host before the
 * commit. After opening it is the writer's thread's.
 */
struct pv_ledger_note;

struct pv_ledger_book {
	struct pv_ledger_table table;
	struct pv_ledger ledger; /* the one in hand */
	struct pv_ledger_note *notes;
	size_t count;
	size_t size;
};

/* For a store that is open and not started. */
struct pv_ledger_book *pv_ledger_book_open(struct pv_writer *writer);

/* Before the database is closed. NULL is fine. */
void pv_ledger_book_close(struct pv_ledger_book *book);

/* What was not sent adds nothing. */
void pv_ledger_book_add(struct pv_ledger_book *book,
    const struct pv_report *report, const struct pv_page *page);

#endif
