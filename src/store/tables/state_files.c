#include "store/tables/state_files.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "record/standing.h"
#include "store/statement.h"

/* Columns: the address, the file, whether it is left or going; then the url,
 * the digest, the size, and as what the address was found. */
enum { ADDRESS, FILE_NAME, MARK, URL, DIGEST, BYTES, USE, LISTING };
#define TEXTS 3

/* Rows that are read at once, or as many as have so much text. */
#define ROWS_AT_ONCE 4096
#define BYTES_AT_ONCE ((size_t)1 << 20)

/* What is gone and was not moved yet. */
#define IS_GOING                                                      \
	"is_gone AND file >= 'site/' AND file < 'site0' AND address " \
	"IN (SELECT address FROM gone_files)"

#define BY_ADDRESS "address > ?1 "
#define IN_ORDER "ORDER BY address LIMIT ?2"

/* The rows of one table behind ?1, at most ?2. */
struct part {
	const char *sql;
	bool is_by_name; /* of the file; else by address */
};
#define PARTS_MAX 3

/* Addresses that differ in credentials alone share a file, which only goes when
 * none of them has it. */
static const struct part all_parts[PV_FILES_CHOICES][PARTS_MAX] = {
    [PV_FILES_NAMES] =
	{
	    {.sql = "SELECT address, file, " IS_GOING " FROM copies WHERE "
		    "file <> '' AND " BY_ADDRESS IN_ORDER},
	    {.sql = "SELECT address, file, 0 FROM gone_files "
		    "WHERE " BY_ADDRESS IN_ORDER},
	    {.sql = "SELECT address, file, 1 FROM left_files WHERE file > ?1 "
		    "ORDER BY file LIMIT ?2",
		.is_by_name = true},
	},
    [PV_FILES_DOCUMENTS] =
	{
	    {.sql = "SELECT address, file, 0, url FROM copies CROSS JOIN "
		    "addresses ON addresses.id = copies.address WHERE "
		    "file <> '' AND " BY_ADDRESS IN_ORDER},
	    {.sql = "SELECT address, file, 1, url FROM left_files CROSS JOIN "
		    "addresses ON addresses.id = left_files.address WHERE "
		    "file > ?1 AND file NOT IN (SELECT file FROM copies WHERE "
		    "file IN (SELECT file FROM left_files)) "
		    "ORDER BY file LIMIT ?2",
		.is_by_name = true},
	    {.sql = "SELECT address, file, 1, url FROM gone_files CROSS JOIN "
		    "addresses ON addresses.id = gone_files.address WHERE "
		    "file NOT IN (SELECT file FROM copies WHERE "
		    "file >= 'gone/' AND file < 'gone0') AND " BY_ADDRESS
			IN_ORDER},
	},
    [PV_FILES_KEPT] =
	{
	    {.sql = "SELECT address, file, 0, url, digest, bytes, use, listing "
		    "FROM copies CROSS JOIN addresses ON addresses.id = copies.address "
		    "WHERE file IS NOT NULL AND NOT is_gone AND " BY_ADDRESS
			IN_ORDER},
	},
};

/* A row with the ends of its texts, which lie one behind the other. */
struct item {
	struct pv_state_file_row row;
	size_t ends[TEXTS];
};

struct pv_file_cursor {
	struct pv_database *database;
	enum pv_files_choice choice;
	size_t part;
	bool is_over;              /* no part is left to be asked */
	uint64_t left;             /* that may still be read */
	struct pv_statement *rows; /* of the part */
	uint64_t last_address;     /* that was read of it */
	struct pv_buf last_file;
	struct item *items; /* that were read last */
	struct pv_buf texts;
	size_t count;
	size_t size;
	size_t given;
};

static const struct part *part_of(const struct pv_file_cursor *cursor)
{
	return &all_parts[cursor->choice][cursor->part];
}

static void begin_part(struct pv_file_cursor *cursor)
{
	pv_statement_destroy(cursor->rows);
	cursor->rows = NULL;
	cursor->last_address = 0;
	pv_buf_clear(&cursor->last_file);
	cursor->is_over = cursor->part == PARTS_MAX || !part_of(cursor)->sql;
	if (!cursor->is_over)
		cursor->rows =
		    pv_statement_create(cursor->database, part_of(cursor)->sql);
}

struct pv_file_cursor *pv_file_cursor_open(
    struct pv_database *database, enum pv_files_choice choice, uint64_t max)
{
	struct pv_file_cursor *cursor = pv_alloc(sizeof(*cursor));
	cursor->database = database;
	cursor->choice = choice;
	cursor->left = max ? max : UINT64_MAX;
	pv_buf_init(&cursor->texts, SIZE_MAX);
	pv_buf_init(&cursor->last_file, SIZE_MAX);
	begin_part(cursor);
	return cursor;
}

void pv_file_cursor_close(struct pv_file_cursor *cursor)
{
	if (!cursor)
		return;
	pv_statement_destroy(cursor->rows);
	pv_buf_finish(&cursor->texts);
	pv_buf_finish(&cursor->last_file);
	free(cursor->items);
	free(cursor);
}

static bool is_page(const struct pv_statement *row)
{
	struct pv_standing standing;
	pv_listing_unpack(
	    (unsigned)pv_statement_number(row, LISTING), &standing);
	return pv_statement_number(row, USE) == PV_PAGE &&
	       !standing.is_only_list;
}

static void read_marks(enum pv_files_choice choice,
    const struct pv_statement *row, struct pv_state_file_row *file)
{
	bool is_marked = pv_statement_number(row, MARK) != 0;
	file->address = (uint64_t)pv_statement_number(row, ADDRESS);
	file->is_going = is_marked && choice == PV_FILES_NAMES;
	file->is_left = is_marked && choice != PV_FILES_NAMES;
	if (choice != PV_FILES_KEPT)
		return;
	file->bytes = (uint64_t)pv_statement_number(row, BYTES);
	file->is_page = is_page(row);
}

static void read_row(struct pv_file_cursor *cursor)
{
	static const int columns[TEXTS] = {FILE_NAME, URL, DIGEST};
	static const size_t texts[PV_FILES_CHOICES] = {
	    [PV_FILES_NAMES] = 1,
	    [PV_FILES_DOCUMENTS] = 2,
	    [PV_FILES_KEPT] = 3,
	};
	struct item *item =
	    PV_ARRAY_PUSH(cursor->items, cursor->count, cursor->size);
	*item = (struct item){.row = {.address = 0}};
	read_marks(cursor->choice, cursor->rows, &item->row);
	for (size_t i = 0; i < TEXTS; i++) {
		if (i < texts[cursor->choice])
			pv_buf_append(&cursor->texts,
			    pv_statement_text(cursor->rows, columns[i]));
		item->ends[i] = cursor->texts.len;
	}
}

/* Texts move while more of them are read, so this comes behind that. */
static void give(struct pv_file_cursor *cursor, struct pv_state_file_row *row)
{
	const struct item *item = &cursor->items[cursor->given];
	size_t start = cursor->given
			   ? cursor->items[cursor->given - 1].ends[TEXTS - 1]
			   : 0;
	struct pv_str *texts[TEXTS] = {&row->file, &row->url, &row->digest};
	*row = item->row;
	for (size_t i = 0; i < TEXTS; i++) {
		*texts[i] = (struct pv_str){
		    pv_buf_text(&cursor->texts) + start, item->ends[i] - start};
		start = item->ends[i];
	}
	cursor->given++;
}

/* Where the next rows are read from. */
static void remember_last(struct pv_file_cursor *cursor)
{
	struct pv_state_file_row last;
	cursor->given = cursor->count - 1;
	give(cursor, &last);
	cursor->last_address = last.address;
	pv_buf_clear(&cursor->last_file);
	pv_buf_append(&cursor->last_file, last.file);
	cursor->given = 0;
}

static uint64_t bind(const struct pv_file_cursor *cursor)
{
	uint64_t max =
	    cursor->left < ROWS_AT_ONCE ? cursor->left : ROWS_AT_ONCE;
	if (part_of(cursor)->is_by_name)
		pv_statement_bind_text(
		    cursor->rows, 1, pv_buf_str(&cursor->last_file));
	else
		pv_statement_bind(
		    cursor->rows, 1, (int64_t)cursor->last_address);
	pv_statement_bind(cursor->rows, 2, (int64_t)max);
	return max;
}

/* A statement that is not reset would be a reader's transaction. */
static void read_some(struct pv_file_cursor *cursor)
{
	uint64_t max = bind(cursor);
	bool has_more = true;
	cursor->count = cursor->given = 0;
	pv_buf_clear(&cursor->texts);
	while (cursor->count < max && cursor->texts.len < BYTES_AT_ONCE &&
	       (has_more = pv_statement_step(cursor->rows)))
		read_row(cursor);
	if (has_more)
		pv_statement_reset(cursor->rows);
	cursor->left -= cursor->count;
	if (cursor->count)
		remember_last(cursor);
	if (!has_more) {
		cursor->part++;
		begin_part(cursor);
	}
}

bool pv_file_cursor_next(
    struct pv_file_cursor *cursor, struct pv_state_file_row *row)
{
	while (
	    cursor->given == cursor->count && !cursor->is_over && cursor->left)
		read_some(cursor);
	if (cursor->given == cursor->count)
		return false;
	give(cursor, row);
	return true;
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
