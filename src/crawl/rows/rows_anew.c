#include "crawl/rows/rows_anew.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "crawl/rows/kept_reader.h"
#include "crawl/rows/new_rows.h"
#include "crawl/update/page_kinds.h"
#include "fields/output/layout.h"
#include "policy/policy.h"
#include "sink/sink.h"
#include "store/store.h"
#include "store/tables/length.h"
#include "store/tables/note.h"
#include "store/tables/page_rows.h"

/* After so many pages what was written goes to the disk. */
#define SYNC_PAGES 2000

struct work {
	const struct pv_rows_anew *anew;
	struct pv_rows_anew_result *result;
	struct pv_why *why;
	struct pv_database *database; /* the state's */
	unsigned char numbers[PV_PAGE_KINDS_MAX + 1];
	struct pv_kept_reader reader;
	struct pv_sink *sink;
	const char *const *files;
	uint64_t *lengths;
	uint64_t unsynced; /* pages */
};

static struct pv_place place_of(const struct pv_rows_anew *anew)
{
	return (struct pv_place){.file = anew->directory};
}

static bool fail(struct work *work, const char *what)
{
	pv_why_add(work->why, place_of(work->anew), PV_STR(""),
	    "rows cannot be written anew: %s: the old rows stay", what);
	return false;
}

/* What went wrong with the state, or with the files. */
static bool tell(struct work *work)
{
	const char *fault = pv_database_fault(work->database);
	return fail(work, fault[0] ? fault : strerror(errno));
}

/* A page */

static bool append(struct work *work, const struct pv_kept_page_row *row,
    const struct pv_rows *rows)
{
	const struct pv_visit visit = {.id = row->id, .url = row->url};
	struct pv_response response;
	struct pv_page page;
	pv_response_init(&response, work->anew->directory, 0);
	response.outcome = PV_OUTCOME_ANSWERED;
	response.http_status = 200;
	pv_page_init(&page);
	page.visit = &visit;
	page.response = &response;
	page.rows = rows;
	page.wall_ms = row->fetched_wall_ms;
	page.has_digest = row->digest.len == sizeof(page.digest);
	if (page.has_digest)
		memcpy(page.digest, row->digest.ptr, sizeof(page.digest));
	pv_sink_fields.prepare(work->sink, &page, &page.parts[0]);
	page.rows = NULL;
	const struct pv_sink_entry entry = {
	    .page = &page,
	    .part = &page.parts[0],
	    .is_final = true,
	    .database = work->database,
	};
	bool is_appended = pv_sink_fields.append(work->sink, &entry);
	pv_page_finish(&page);
	pv_response_finish(&response);
	return is_appended;
}

static bool sync_rows(struct work *work)
{
	work->unsynced = 0;
	if (!pv_sink_fields.sync(work->sink, work->lengths))
		return false;
	for (size_t i = 0; work->files[i]; i++)
		pv_length_set(work->database, pv_str_of(work->files[i]),
		    work->lengths[i]);
	return pv_database_status(work->database) == PV_STORE_OK;
}

static bool add_page(struct work *work, const struct pv_kept_page_row *row)
{
	struct pv_rows rows;
	bool is_added = true;
	pv_rows_init(&rows);
	if (!pv_kept_reader_read(&work->reader, row, &rows))
		work->result->unread++;
	else if (rows.has_kind)
		is_added = append(work, row, &rows);
	work->result->pages += rows.has_kind;
	work->result->rows += rows.count;
	pv_rows_finish(&rows);
	return is_added && (++work->unsynced < SYNC_PAGES || sync_rows(work));
}

static bool is_enough(struct work *work)
{
	const struct pv_rows_anew *anew = work->anew;
	work->result->is_cut = anew->is_enough && anew->is_enough(anew->ctx);
	return work->result->is_cut;
}

static bool add_pages(struct work *work)
{
	struct pv_kept_page_cursor *pages =
	    pv_kept_page_cursor_open(work->database);
	struct pv_kept_page_row row;
	bool is_added = true;
	while (is_added && !is_enough(work) &&
	       pv_kept_page_cursor_next(pages, &row))
		is_added = add_page(work, &row);
	pv_kept_page_cursor_close(pages);
	return is_added && !work->result->is_cut && sync_rows(work);
}

/* The new rows */

/* What the state says of the old ones, in the transaction. */
static void forget_old(struct pv_database *database)
{
	pv_page_rows_forget(database);
	pv_lengths_forget(database, PV_STR(PV_FIELDS_DIRECTORY "/"));
	pv_notes_forget(
	    database, PV_STR(PV_FIELDS_HEADER_NOTE PV_FIELDS_DIRECTORY "/"));
	pv_notes_forget(database, PV_STR(PV_FIELDS_COMMIT_NOTE));
}

static bool open_sink(struct work *work, const char *directory)
{
	const struct pv_sink_plan plan = {
	    .directory = directory,
	    .policy = work->anew->policy,
	    .round = 1,
	    .database = work->database,
	};
	size_t count = 0;
	work->sink = pv_sink_fields.open(&plan, work->why);
	if (!work->sink)
		return false;
	work->files = pv_sink_fields.files(work->sink);
	while (work->files[count])
		count++;
	work->lengths = pv_alloc_array(count + 1, sizeof(*work->lengths));
	return true;
}

/* The files are closed before they are promised. */
static bool write_rows(struct work *work, const char *directory)
{
	bool is_written = open_sink(work, directory);
	pv_database_begin(work->database);
	forget_old(work->database);
	is_written =
	    is_written &&
	    pv_sink_fields.recover(work->sink, work->lengths, work->why) &&
	    (add_pages(work) || work->result->is_cut || tell(work));
	if (work->sink)
		pv_sink_fields.close(work->sink);
	free(work->lengths);
	return is_written && !work->result->is_cut &&
	       pv_new_rows_promise(
		   work->anew->directory, work->database, work->why);
}

/* Whether the new rows are the crawl's. */
static bool replace(struct work *work)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(
	    &path, "%s/" PV_NEW_ROWS_DIRECTORY, work->anew->directory);
	bool is_written = write_rows(work, pv_buf_text(&path));
	pv_buf_finish(&path);
	if (!is_written)
		pv_database_roll_back(work->database);
	return is_written && (pv_database_commit(work->database) || tell(work));
}

static bool run(struct work *work)
{
	const struct pv_rows_anew *anew = work->anew;
	struct pv_kept_reader *reader = &work->reader;
	pv_page_kinds_map(work->database, &anew->policy->pages, work->numbers);
	reader->policy = anew->policy;
	reader->numbers = work->numbers;
	reader->root = open(anew->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (reader->root < 0)
		return tell(work);
	pv_kept_reader_open(reader, work->database);
	bool is_replaced = replace(work);
	work->result->has_unasked = reader->unasked.are_there;
	pv_kept_reader_close(reader);
	close(reader->root);
	return is_replaced;
}

/* Beginning */

static uint64_t count_headers(const struct pv_field *fields, size_t count)
{
	uint64_t headers = 0;
	for (size_t i = 0; i < count; i++)
		headers +=
		    (fields[i].source.kind == PV_SOURCE_HEADER) +
		    count_headers(fields[i].fields, fields[i].field_count);
	return headers;
}

static void count_losses(struct work *work)
{
	const struct pv_pages *pages = &work->anew->policy->pages;
	work->result->missing = pv_kept_pages_missing(work->database);
	for (size_t i = 0; i < pages->count; i++)
		work->result->headers += count_headers(
		    pages->items[i].fields, pages->items[i].field_count);
}

static bool has_work(struct work *work)
{
	const struct pv_policy *policy = work->anew->policy;
	const struct pv_sink_plan plan = {.policy = policy};
	if (!pv_sink_fields.is_wanted(&plan)) {
		pv_why_add(work->why, place_of(work->anew), PV_STR(""),
		    "the policy asks for no rows (pages, output.fields): the "
		    "old rows stay");
		return false;
	}
	if (pv_note_get(work->database, PV_STR(PV_FIELDS_GIVEN_NOTE), 0)) {
		pv_why_add(work->why, place_of(work->anew), PV_STR(""),
		    "the program that ran the crawl gave rows of its own, "
		    "which stand in no page: the old rows stay");
		return false;
	}
	if (pv_kept_pages_count(work->database))
		return true;
	pv_why_add(work->why, place_of(work->anew), PV_STR(""),
	    "no page is kept there, and rows can only be read anew from a "
	    "mirror (output.mirror): the old rows stay");
	return false;
}

/* Opening the state would make one where there is none. */
static bool has_state(const struct pv_rows_anew *anew, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", anew->directory);
	bool is_there = access(pv_buf_text(&path), F_OK) == 0;
	if (!is_there)
		pv_why_add(why, place_of(anew), PV_STR(""),
		    "is not a crawl's directory: cannot read its state.db: %s",
		    strerror(errno));
	pv_buf_finish(&path);
	return is_there;
}

bool pv_rows_anew_run(const struct pv_rows_anew *anew,
    struct pv_rows_anew_result *result, struct pv_why *why)
{
	const struct pv_store_options options = {
	    .directory = anew->directory,
	    .cache_bytes = PV_STORE_CACHE_BYTES,
	    .count_ceiling = PV_STORE_COUNT_CEILING,
	    .bytes_ceiling = PV_STORE_BYTES_CEILING,
	};
	struct work work = {.anew = anew, .result = result, .why = why};
	*result = (struct pv_rows_anew_result){.pages = 0};
	if (!has_state(anew, why))
		return false;
	struct pv_store *store = pv_store_open(&options, why);
	if (!store)
		return false;
	work.database = store->database;
	bool is_run = pv_new_rows_settle(anew->directory, work.database, why) &&
		      has_work(&work) && pv_new_rows_make(anew->directory, why);
	if (is_run) {
		count_losses(&work);
		is_run = run(&work) || result->is_cut;
		is_run =
		    pv_new_rows_settle(anew->directory, work.database, why) &&
		    is_run;
	}
	pv_store_close(store);
	return is_run;
}
