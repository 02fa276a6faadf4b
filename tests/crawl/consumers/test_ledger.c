#include "crawl/consumers/consumers.h"

#include "crawl/visit/record.h"
#include "store/scratch_store.h"
#include "store/tables/ledger_table.h"
#include "tap.h"

/* What a group of the writer's brings: three requests to two hosts. */

struct bringing {
	struct pv_job job;
	struct pv_sink *book;
	int64_t gap_ms;
	bool is_failing;
};

static void add(struct pv_sink *book, uint64_t host, int64_t gap_ms)
{
	struct pv_record record = {
	    .report = {.visit.host_id = host,
		.result = {.bytes = 100, .http_status = 200}},
	};
	struct pv_page page;
	const struct pv_sink_entry entry = {.page = &page, .record = &record};
	const struct pv_sink_entry refusal = {.page = &page};
	pv_page_init(&page);
	page.pacing.run = 1;
	page.pacing.sent_ms = 1;
	page.pacing.gap_ms = gap_ms;
	page.pacing.at_once = 1;
	pv_consumer_ledger.append(book, &entry);
	page.pacing.sent_ms = -1;
	pv_consumer_ledger.append(book, &entry);
	page.pacing.run = 0;
	page.pacing.sent_ms = 1;
	pv_consumer_ledger.append(book, &entry);
	page.pacing.run = 1;
	pv_consumer_ledger.append(book, &refusal);
	pv_page_finish(&page);
}

static void run(struct pv_job *job, struct pv_database *database)
{
	struct bringing *bringing = (struct bringing *)job;
	add(bringing->book, 1, bringing->gap_ms);
	add(bringing->book, 2, 9);
	add(bringing->book, 1, bringing->gap_ms + 1);
	if (bringing->is_failing)
		pv_database_fail(database, PV_STORE_FULL, "no room");
}

static void done(struct pv_job *job, enum pv_store_status status)
{
	(void)job;
	(void)status;
}

static void bring(struct pv_store *store, struct pv_sink *book, int64_t gap_ms,
    bool is_failing)
{
	struct bringing bringing = {
	    .job = {.run = run, .done = done, .rows = 1},
	    .book = book,
	    .gap_ms = gap_ms,
	    .is_failing = is_failing,
	};
	pv_writer_start(&store->writer);
	pv_writer_send(&store->writer, &bringing.job, 0);
	pv_writer_stop(&store->writer);
}

static struct pv_ledger ledger_of(struct pv_store *store, uint64_t host)
{
	struct pv_ledger_table table;
	struct pv_ledger ledger;
	pv_ledger_table_init(&table, store->database);
	pv_ledger_table_get(&table, host, &ledger);
	pv_ledger_table_finish(&table);
	return ledger;
}

static void before_commit(void *ctx, struct pv_database *database)
{
	uint64_t lengths[1];
	(void)database;
	pv_consumer_ledger.sync(ctx, lengths);
	/* As the next commit does, to which nothing was added. */
	pv_consumer_ledger.sync(ctx, lengths);
}

/* A run: what it is to leave, and how it ends. */
static void test_run(
    const struct scratch *scratch, int64_t gap_ms, bool is_failing)
{
	struct pv_store *store = scratch_store_open(scratch);
	const struct pv_sink_plan plan = {.database = store->database};
	struct pv_sink *book = pv_consumer_ledger.open(&plan, NULL);
	pv_writer_before_commit(&store->writer, before_commit, book);
	bring(store, book, gap_ms, is_failing);
	pv_consumer_ledger.close(book);
	pv_store_close(store);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	test_run(&scratch, 50, false);
	struct pv_store *store = scratch_store_open(&scratch);
	struct pv_ledger one = ledger_of(store, 1);
	struct pv_ledger other = ledger_of(store, 2);
	ok(one.requests == 2 && one.bytes == 200 && one.least_gap_ms == 50 &&
		other.requests == 1 && other.least_gap_ms == 9,
	    "each host gets once what its requests add, and what was not "
	    "sent adds nothing");
	pv_store_close(store);
	test_run(&scratch, 20, false);
	store = scratch_store_open(&scratch);
	one = ledger_of(store, 1);
	ok(one.requests == 4 && one.least_gap_ms == 20 && one.gaps.count == 4,
	    "P3: another run adds to it");
	pv_store_close(store);
	test_run(&scratch, 5, true);
	store = scratch_store_open(&scratch);
	one = ledger_of(store, 1);
	ok(one.requests == 4 && one.least_gap_ms == 20,
	    "P3: what is not committed was never added");
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
