#include "crawl/run/ledger_book.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"

struct pv_ledger_note {
	uint64_t host_id;
	struct pv_ledger_entry entry;
};

static int compare_hosts(const void *a, const void *b)
{
	const struct pv_ledger_note *one = a;
	const struct pv_ledger_note *other = b;
	return (one->host_id > other->host_id) -
	       (one->host_id < other->host_id);
}

/* Adds what stands of one host, the first of those that are left; returns how
 * many these were. */
static size_t write_host(struct pv_ledger_book *book,
    const struct pv_ledger_note *notes, size_t left)
{
	size_t count = 0;
	pv_ledger_table_get(&book->table, notes->host_id, &book->ledger);
	while (count < left && notes[count].host_id == notes->host_id)
		pv_ledger_add(&book->ledger, &notes[count++].entry);
	pv_ledger_table_set(&book->table, notes->host_id, &book->ledger);
	return count;
}

static void before_commit(void *ctx, struct pv_database *database)
{
	struct pv_ledger_book *book = ctx;
	size_t done = 0;
	(void)database;
	if (book->count)
		qsort(book->notes, book->count, sizeof(*book->notes),
		    compare_hosts);
	while (done < book->count)
		done +=
		    write_host(book, &book->notes[done], book->count - done);
	book->count = 0;
}

struct pv_ledger_book *pv_ledger_book_open(struct pv_writer *writer)
{
	struct pv_ledger_book *book = pv_alloc(sizeof(*book));
	pv_ledger_table_init(&book->table, writer->database);
	pv_writer_before_commit(writer, before_commit, book);
	return book;
}

void pv_ledger_book_close(struct pv_ledger_book *book)
{
	if (!book)
		return;
	pv_ledger_table_finish(&book->table);
	free(book->notes);
	free(book);
}

/* The body itself is gone by now. What an earlier request brought of it has
 * been counted then. */
static uint64_t bytes_of(
    const struct pv_report *report, const struct pv_page *page)
{
	uint64_t earlier = page->response ? page->response->earlier : 0;
	return report->result.bytes - earlier;
}

void pv_ledger_book_add(struct pv_ledger_book *book,
    const struct pv_report *report, const struct pv_page *page)
{
	if (!page->pacing.run || page->pacing.sent_ms < 0)
		return;
	*PV_ARRAY_PUSH(book->notes, book->count, book->size) =
	    (struct pv_ledger_note){
		report->visit.host_id,
		{
		    .wall_ms = page->wall_ms,
		    .bytes = bytes_of(report, page),
		    .http_status = report->result.http_status,
		    .is_robots = page->is_robots,
		    .pacing = page->pacing,
		},
	    };
}
