#include "crawl/consumers/consumers.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "crawl/visit/record.h"
#include "store/tables/ledger_table.h"

/* The ledgers of all hosts: what a request adds to its host's is committed with
 * its line of the journal, so that after any end both tell of the same
 * requests.
 *
 * What a group of papers adds is gathered, and written once a host before the
 * commit.
 */
struct note {
	uint64_t host_id;
	struct pv_ledger_entry entry;
};

struct book {
	struct pv_ledger_table table;
	struct pv_ledger ledger; /* the one in hand */
	struct note *notes;
	size_t count;
	size_t size;
};

static struct book *book_of(struct pv_sink *sink)
{
	return (struct book *)sink;
}

static int compare_hosts(const void *a, const void *b)
{
	const struct note *one = a;
	const struct note *other = b;
	return (one->host_id > other->host_id) -
	       (one->host_id < other->host_id);
}

/* Adds what stands of one host, the first of those that are left; returns how
 * many these were. */
static size_t write_host(
    struct book *book, const struct note *notes, size_t left)
{
	size_t count = 0;
	pv_ledger_table_get(&book->table, notes->host_id, &book->ledger);
	while (count < left && notes[count].host_id == notes->host_id)
		pv_ledger_add(&book->ledger, &notes[count++].entry);
	pv_ledger_table_set(&book->table, notes->host_id, &book->ledger);
	return count;
}

static bool sync_ledger(struct pv_sink *sink, uint64_t *lengths)
{
	struct book *book = book_of(sink);
	size_t done = 0;
	(void)lengths;
	if (book->count)
		qsort(book->notes, book->count, sizeof(*book->notes),
		    compare_hosts);
	while (done < book->count)
		done +=
		    write_host(book, &book->notes[done], book->count - done);
	book->count = 0;
	return true;
}

static struct pv_sink *open_ledger(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct book *book = pv_alloc(sizeof(*book));
	(void)why;
	pv_ledger_table_init(&book->table, plan->database);
	return (struct pv_sink *)book;
}

static void close_ledger(struct pv_sink *sink)
{
	struct book *book = book_of(sink);
	pv_ledger_table_finish(&book->table);
	free(book->notes);
	free(book);
}

/* The body itself is gone by now. What an earlier request brought of it has
 * been counted then. */
static uint64_t bytes_of(const struct pv_sink_entry *entry)
{
	const struct pv_response *response = entry->page->response;
	uint64_t earlier = response ? response->earlier : 0;
	return entry->record->report.result.bytes - earlier;
}

/* What was not sent adds nothing. */
static bool append(struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	struct book *book = book_of(sink);
	const struct pv_page *page = entry->page;
	if (!entry->record || !page->pacing.run || page->pacing.sent_ms < 0)
		return true;
	const struct pv_report *report = &entry->record->report;
	*PV_ARRAY_PUSH(book->notes, book->count, book->size) = (struct note){
	    report->visit.host_id,
	    {
		.wall_ms = page->wall_ms,
		.bytes = bytes_of(entry),
		.http_status = report->result.http_status,
		.is_robots = page->is_robots,
		.pacing = page->pacing,
	    },
	};
	return true;
}

const struct pv_sink_kind pv_consumer_ledger = {
    .name = "ledger",
    .open = open_ledger,
    .append = append,
    .sync = sync_ledger,
    .close = close_ledger,
};
