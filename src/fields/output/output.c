#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "fields/output/composing.h"
#include "fields/output/line_files.h"
#include "fields/output/turning.h"
#include "fields/rows.h"
#include "sink/sink.h"
#include "store/store.h"
#include "store/tables/note.h"

/* The rows of pages, in files and tables (fields/output/layout.h) that are
 * committed with the state.
 *
 * A page is composed in the pool (composing.h); which of its rows are new,
 * changed or gone is found out by the writer's thread (turning.h). */

#define COMMIT_NOTE PV_STR(PV_FIELDS_COMMIT_NOTE)

struct output {
	struct pv_fields_layout layout;
	struct pv_database *database; /* the state's */
	struct pv_line_files *lines;
	struct pv_rows_database *rows; /* NULL: they are not wanted there */
	struct pv_turning turning;
	int64_t committed; /* of `rows`, as the state has it */
};

static struct output *output_of(struct pv_sink *sink)
{
	return (struct output *)sink;
}

static bool is_wanted(const struct pv_sink_plan *plan)
{
	return plan->policy->pages.count > 0 &&
	       plan->policy->output.fields.forms != 0;
}

/* Opening */

static const char *fault_word(unsigned fault)
{
	return pv_field_fault_word((enum pv_field_fault)fault);
}

static void write_words(struct pv_database *database)
{
	pv_database_begin(database);
	pv_store_write_words(
	    database, "fault", fault_word, PV_FIELD_FAULT_COUNT);
	pv_database_commit(database);
}

/* The file of problems has its name. */
static bool are_names_free(const struct pv_sink_plan *plan, struct pv_why *why)
{
	const struct pv_pages *pages = &plan->policy->pages;
	for (size_t i = 0; i < pages->count; i++) {
		if (!pv_str_equal_nocase(
			pv_str_of(pages->items[i].name), PV_STR("problems")))
			continue;
		pv_why_add(why, (struct pv_place){.file = plan->directory},
		    PV_STR(""),
		    "a kind of pages cannot be named %s, since "
		    "fields/problems.jsonl is the list of problems: rename it",
		    pages->items[i].name);
		return false;
	}
	return true;
}

static bool make_directory(const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, PV_FIELDS_DIRECTORY);
	bool is_made = pv_file_make_directory(pv_buf_text(&path), 0777);
	if (!is_made)
		pv_why_add(why, (struct pv_place){.file = pv_buf_text(&path)},
		    PV_STR(""), "cannot be created: %s", strerror(errno));
	pv_buf_finish(&path);
	return is_made;
}

static bool open_rows(
    struct output *output, const char *directory, struct pv_why *why)
{
	const struct pv_fields_layout *layout = &output->layout;
	struct pv_buf path;
	if (!layout->table_count)
		return true;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, PV_FIELDS_DATABASE);
	output->rows = pv_rows_database_open(
	    pv_buf_text(&path), layout->tables, layout->table_count, why);
	pv_buf_finish(&path);
	return output->rows != NULL;
}

static void close_output(struct pv_sink *sink)
{
	struct output *output = output_of(sink);
	if (!output)
		return;
	pv_turning_finish(&output->turning);
	pv_line_files_close(output->lines);
	pv_rows_database_close(output->rows);
	pv_fields_layout_finish(&output->layout);
	free(output);
}

static struct pv_sink *open_output(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct output *output = pv_alloc(sizeof(*output));
	output->database = plan->database;
	pv_fields_layout_init(&output->layout, plan->policy);
	if (are_names_free(plan, why) && make_directory(plan->directory, why))
		output->lines =
		    pv_line_files_open(&output->layout, plan->directory, why);
	bool is_open = output->lines && open_rows(output, plan->directory, why);
	write_words(plan->database);
	pv_turning_init(&output->turning, &output->layout, plan->database);
	output->turning.lines = output->lines;
	output->turning.rows = output->rows;
	if (is_open)
		return (struct pv_sink *)output;
	close_output((struct pv_sink *)output);
	return NULL;
}

static const char *const *files(const struct pv_sink *sink)
{
	return ((const struct output *)sink)->layout.names;
}

/* Where the note cannot be read, all rows would go. */
static bool recover_rows(struct output *output, struct pv_why *why)
{
	int64_t number = pv_note_get(output->database, COMMIT_NOTE, 0);
	if (pv_database_status(output->database) != PV_STORE_OK) {
		pv_why_add(why, (struct pv_place){.file = "state.db"},
		    PV_STR(""), "cannot be used: %s",
		    pv_database_fault(output->database));
		return false;
	}
	output->committed = number;
	return !output->rows ||
	       pv_rows_database_recover(output->rows, number, why);
}

static bool recover(
    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why)
{
	struct output *output = output_of(sink);
	return pv_line_files_recover(
		   output->lines, lengths, output->database, why) &&
	       recover_rows(output, why);
}

/* Pages */

static bool prepare(
    struct pv_sink *sink, struct pv_page *page, struct pv_buf *part)
{
	pv_buf_clear(part);
	if (!page->rows)
		return true;
	pv_page_digest(page);
	pv_fields_compose(&output_of(sink)->layout, page, part);
	return true;
}

/* What became of fields.db is the state's fault, in words. */
static bool has_no_fault(struct output *output)
{
	char text[320];
	if (!output->rows ||
	    pv_rows_database_status(output->rows) == PV_STORE_OK)
		return true;
	snprintf(text, sizeof(text), "cannot write %s: %s", PV_FIELDS_DATABASE,
	    pv_rows_database_fault(output->rows));
	pv_database_fail(
	    output->database, pv_rows_database_status(output->rows), text);
	errno = EIO;
	return false;
}

static bool append(struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	struct output *output = output_of(sink);
	if (!entry->is_final)
		return true;
	return pv_turning_append(&output->turning, entry) &&
	       has_no_fault(output);
}

static bool sync_rows(struct output *output)
{
	if (!output->rows)
		return true;
	int64_t number = pv_rows_database_commit(output->rows);
	if (!has_no_fault(output))
		return false;
	if (number != output->committed)
		pv_note_set(output->database, COMMIT_NOTE, number);
	output->committed = number;
	return true;
}

/* Where the state has failed, nothing is to be committed any more. */
static bool sync_output(struct pv_sink *sink, uint64_t *lengths)
{
	struct output *output = output_of(sink);
	if (pv_database_status(output->database) != PV_STORE_OK)
		return true;
	return pv_line_files_sync(output->lines, lengths, output->database) &&
	       sync_rows(output);
}

const struct pv_sink_kind pv_sink_fields = {
    .name = "rows of pages",
    .is_wanted = is_wanted,
    .open = open_output,
    .files = files,
    .recover = recover,
    .prepare = prepare,
    .append = append,
    .sync = sync_output,
    .close = close_output,
};
