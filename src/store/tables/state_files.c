#include "store/tables/state_files.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "store/statement.h"

/* Columns: the address, the file, whether it is left or going; then the url,
 * the digest, the size. */
enum { ADDRESS, FILE_NAME, MARK, URL, DIGEST, BYTES };

/* What is gone and was not moved yet. */
#define IS_GOING                                                      \
	"is_gone AND file >= 'site/' AND file < 'site0' AND address " \
	"IN (SELECT address FROM gone_files)"

/* Addresses that differ in credentials alone share a file, which only goes when
 * none of them has it. */
static const char *const rows_sql[PV_FILES_CHOICES] = {
    [PV_FILES_NAMES] =
	"SELECT address, file, " IS_GOING " FROM copies WHERE file <> '' "
	"UNION ALL SELECT address, file, 0 FROM gone_files UNION ALL "
	"SELECT address, file, 1 FROM left_files LIMIT ?1",
    [PV_FILES_DOCUMENTS] =
	"SELECT address, file, 0, url FROM copies JOIN addresses ON "
	"addresses.id = copies.address WHERE file <> '' UNION ALL "
	"SELECT address, file, 1, url FROM left_files JOIN addresses ON "
	"addresses.id = left_files.address WHERE file NOT IN (SELECT file "
	"FROM copies WHERE file IN (SELECT file FROM left_files)) "
	"UNION ALL SELECT address, file, 1, url FROM gone_files JOIN "
	"addresses ON addresses.id = gone_files.address WHERE file NOT IN "
	"(SELECT file FROM copies WHERE file >= 'gone/' AND file < 'gone0') "
	"LIMIT ?1",
    [PV_FILES_KEPT] = "SELECT address, file, 0, url, digest, bytes FROM copies "
		      "JOIN addresses ON addresses.id = copies.address "
		      "WHERE file IS NOT NULL AND NOT is_gone "
		      "ORDER BY copies.address LIMIT ?1",
};

struct pv_file_cursor {
	struct pv_statement *rows;
	enum pv_files_choice choice;
	bool is_over; /* another step would begin anew */
};

struct pv_file_cursor *pv_file_cursor_open(
    struct pv_database *database, enum pv_files_choice choice, uint64_t max)
{
	struct pv_file_cursor *cursor = pv_alloc(sizeof(*cursor));
	cursor->choice = choice;
	cursor->rows = pv_statement_create(database, rows_sql[choice]);
	pv_statement_bind(cursor->rows, 1, max ? (int64_t)max : -1);
	return cursor;
}

void pv_file_cursor_close(struct pv_file_cursor *cursor)
{
	if (!cursor)
		return;
	pv_statement_destroy(cursor->rows);
	free(cursor);
}

static void read_row(
    const struct pv_file_cursor *cursor, struct pv_state_file_row *file)
{
	const struct pv_statement *row = cursor->rows;
	bool is_marked = pv_statement_number(row, MARK) != 0;
	*file = (struct pv_state_file_row){
	    .address = (uint64_t)pv_statement_number(row, ADDRESS),
	    .file = pv_statement_text(row, FILE_NAME),
	};
	if (cursor->choice == PV_FILES_NAMES) {
		file->is_going = is_marked;
		return;
	}
	file->is_left = is_marked;
	file->url = pv_statement_text(row, URL);
	if (cursor->choice != PV_FILES_KEPT)
		return;
	file->digest = pv_statement_text(row, DIGEST);
	file->bytes = (uint64_t)pv_statement_number(row, BYTES);
}

bool pv_file_cursor_next(
    struct pv_file_cursor *cursor, struct pv_state_file_row *row)
{
	cursor->is_over = cursor->is_over || !pv_statement_step(cursor->rows);
	if (!cursor->is_over)
		read_row(cursor, row);
	return !cursor->is_over;
}

uint64_t pv_state_files_count(struct pv_database *database)
{
	return (uint64_t)pv_database_number(database,
	    "SELECT count(*) FROM copies WHERE file IS NOT NULL "
	    "AND NOT is_gone");
}

int64_t pv_state_files_span_ms(struct pv_database *database)
{
	return pv_database_number(database,
	    "SELECT max(fetched_wall_ms) - min(fetched_wall_ms) FROM copies");
}

/* Finding */

struct pv_file_finder {
	struct pv_statement *find;
};

struct pv_file_finder *pv_file_finder_create(struct pv_database *database)
{
	struct pv_file_finder *finder = pv_alloc(sizeof(*finder));
	finder->find = pv_statement_create(database,
	    "SELECT file FROM seen JOIN copies ON copies.address = "
	    "seen.address WHERE origin = ?1 AND fingerprint = ?2 AND "
	    "file >= 'site/' AND file < 'site0' AND NOT (is_gone AND "
	    "copies.address IN (SELECT address FROM gone_files))");
	return finder;
}

void pv_file_finder_destroy(struct pv_file_finder *finder)
{
	if (!finder)
		return;
	pv_statement_destroy(finder->find);
	free(finder);
}

bool pv_file_finder_get(struct pv_file_finder *finder,
    struct pv_fingerprint fingerprint, struct pv_buf *file)
{
	struct pv_statement *find = finder->find;
	pv_statement_bind_fingerprint(find, 1, fingerprint);
	if (!pv_statement_step(find))
		return false;
	pv_buf_append(file, pv_statement_text(find, 0));
	pv_statement_reset(find);
	return true;
}
