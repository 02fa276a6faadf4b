#include "store/tables/journal_files.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "record/journal_name.h"
#include "store/statement.h"
#include "store/tables/length.h"

#define BEGINNING PV_STR("journal")

struct rows {
	struct row {
		uint64_t generation;
		uint64_t length;
	} * items;
	size_t count;
	size_t size;
};

static bool add_row(void *ctx, struct pv_str file, uint64_t length)
{
	struct rows *rows = ctx;
	uint64_t generation;
	if (pv_journal_name_read(file, &generation))
		*PV_ARRAY_PUSH(rows->items, rows->count, rows->size) =
		    (struct row){generation, length};
	return true;
}

static int by_generation(const void *a, const void *b)
{
	uint64_t one = ((const struct row *)a)->generation;
	uint64_t other = ((const struct row *)b)->generation;
	return (one > other) - (one < other);
}

/* Numbers of more than four digits are not in their order by name. */
static struct rows read_rows(struct pv_database *database)
{
	struct rows rows = {.count = 0};
	pv_lengths_each(database, BEGINNING, add_row, &rows);
	if (rows.count)
		qsort(
		    rows.items, rows.count, sizeof(*rows.items), by_generation);
	return rows;
}

uint64_t pv_journal_files_last(struct pv_database *database)
{
	struct rows rows = read_rows(database);
	uint64_t last = rows.count ? rows.items[rows.count - 1].generation : 0;
	free(rows.items);
	return last;
}

bool pv_journal_files_next(
    struct pv_database *database, uint64_t generation, uint64_t *next)
{
	struct rows rows = read_rows(database);
	size_t place = 0;
	while (place < rows.count && rows.items[place].generation <= generation)
		place++;
	bool is_there = place < rows.count;
	if (is_there)
		*next = rows.items[place].generation;
	free(rows.items);
	return is_there;
}

void pv_journal_files_each(
    struct pv_database *database, pv_journal_file_fn fn, void *ctx)
{
	struct rows rows = read_rows(database);
	bool goes_on = true;
	for (size_t i = 0; i < rows.count && goes_on; i++)
		goes_on =
		    fn(ctx, rows.items[i].generation, rows.items[i].length);
	free(rows.items);
}

/* Removed files */

static bool is_there(const char *directory, const char *name)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, name);
	bool is_it = access(pv_buf_text(&path), F_OK) == 0;
	pv_buf_finish(&path);
	return is_it;
}

static void forget(struct pv_database *database, const char *name)
{
	struct pv_statement *statement =
	    pv_statement_create(database, "DELETE FROM files WHERE name = ?1");
	pv_statement_bind_text(statement, 1, pv_str_of(name));
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

void pv_journal_files_forget(
    struct pv_database *database, const char *directory)
{
	struct rows rows = read_rows(database);
	char name[PV_JOURNAL_NAME_MAX];
	for (size_t i = 0; i + 1 < rows.count; i++) {
		pv_journal_name_write(rows.items[i].generation, name);
		if (!is_there(directory, name))
			forget(database, name);
	}
	free(rows.items);
}
