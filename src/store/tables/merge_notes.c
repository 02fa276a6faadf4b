#include "store/tables/merge_notes.h"

#include "store/statement.h"
#include "store/store.h"
#include "store/tables/note.h"

#define NOTE_COUNT PV_STR(PV_MERGED_NOTE)

int64_t pv_merge_notes_count(struct pv_database *database)
{
	return pv_note_get(database, NOTE_COUNT, 0);
}

void pv_merge_notes_set_count(struct pv_database *database, int64_t count)
{
	pv_note_set(database, NOTE_COUNT, count);
}

void pv_merge_notes_add(
    struct pv_database *database, const struct pv_merged_worker *worker)
{
	struct pv_buf name, text;
	pv_buf_init(&name, 64);
	pv_buf_init(&text, 64);
	pv_buf_append_format(
	    &name, "merged-worker %lld", (long long)worker->worker);
	pv_buf_append_format(&text, "%lld %lld", (long long)worker->place,
	    (long long)worker->runs_before);
	pv_note_set_text(database, pv_buf_str(&name), pv_buf_str(&text));
	pv_buf_finish(&name);
	pv_buf_finish(&text);
}

/* The number behind the first word of the name; the two words of the text. */
static const char each_sql[] =
    "SELECT CAST(substr(name, 15) AS INTEGER) AS worker,"
    " CAST(value AS INTEGER),"
    " CAST(substr(value, instr(value, ' ') + 1) AS INTEGER)"
    " FROM crawl WHERE name >= 'merged-worker ' AND name < 'merged-worker!'"
    " ORDER BY worker";

void pv_merge_notes_each(
    struct pv_database *database, pv_merged_worker_fn on_worker, void *ctx)
{
	struct pv_statement *rows = pv_statement_create(database, each_sql);
	while (pv_statement_step(rows)) {
		struct pv_merged_worker worker = {
		    .worker = pv_statement_number(rows, 0),
		    .place = pv_statement_number(rows, 1),
		    .runs_before = pv_statement_number(rows, 2),
		};
		on_worker(ctx, &worker);
	}
	pv_statement_destroy(rows);
}
