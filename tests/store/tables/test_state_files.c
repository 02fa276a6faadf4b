#include "store/tables/state_files.h"

#include "store/scratch_store.h"
#include "store/tables/file_moves.h"
#include "tap.h"

/* A file that is kept, one that is gone, one that was left. */
static const char rows[] =
    "INSERT INTO addresses(id, host, state, use, depth, depth_left, hops, "
    "redirects, attempt, reason, line, outcome, http_status, bytes, "
    "may_lead_further, via, listing, url) VALUES"
    "(1, 7, 2, 2, 0, 0, 0, 0, 0, 0, 0, 1, 200, 50, 1, 0, 0, 'http://x/1'),"
    "(2, 7, 2, 2, 1, 0, 0, 0, 0, 0, 0, 1, 200, 9, 0, 1, 0, 'http://x/2');"
    "INSERT INTO seen VALUES(5, 1, 1), (5, 2, 2);"
    "INSERT INTO copies(address, round, fetched_wall_ms, checked_wall_ms, "
    "modified_ms, is_gone, digest, file) VALUES"
    "(1, 1, 10, 0, 0, 0, 'd', 'site/1'), (2, 1, 25, 0, 0, 1, 'e', 'site/2');"
    "INSERT INTO left_files VALUES('site/old', 1);";

/* Those that the choice takes, "1:site/1" with a mark where they are left. */
/* Whether the first file is a page's, once its address was found so. */
static bool is_page(struct pv_database *database, const char *found)
{
	char sql[100];
	struct pv_state_file_row row = {.is_page = false};
	snprintf(sql, sizeof(sql), "UPDATE addresses SET %s", found);
	pv_database_run(database, sql);
	struct pv_file_cursor *cursor =
	    pv_file_cursor_open(database, PV_FILES_KEPT, 1);
	ok(pv_file_cursor_next(cursor, &row), "there is a file");
	pv_file_cursor_close(cursor);
	return row.is_page;
}

static void takes(struct pv_database *database, enum pv_files_choice choice,
    const char *wanted, const char *claim)
{
	struct pv_buf found;
	struct pv_state_file_row row;
	struct pv_file_cursor *cursor =
	    pv_file_cursor_open(database, choice, 0);
	pv_buf_init(&found, 1000);
	while (pv_file_cursor_next(cursor, &row))
		pv_buf_append_format(&found, "%d:%.*s%s%s ", (int)row.address,
		    PV_STR_ARG(row.file), row.is_left ? "-" : "",
		    row.is_going ? ">" : "");
	is_text(pv_buf_str(&found), wanted, "%s", claim);
	ok(!pv_file_cursor_next(cursor, &row), "there it ends");
	pv_file_cursor_close(cursor);
	pv_buf_finish(&found);
}

static void finds(struct pv_database *database, uint64_t address,
    const char *wanted, const char *claim)
{
	struct pv_buf file;
	struct pv_file_finder *finder = pv_file_finder_create(database);
	pv_buf_init(&file, 100);
	pv_file_finder_get(finder,
	    (struct pv_fingerprint){.origin = 5, .address = address}, &file);
	is_text(pv_buf_str(&file), wanted, "%s", claim);
	pv_file_finder_destroy(finder);
	pv_buf_finish(&file);
}

static void note_move(void *ctx, const struct pv_file_move *move)
{
	struct pv_buf *found = ctx;
	pv_buf_append_format(found, "%d:%.*s:%.*s:%d ", (int)move->address,
	    PV_STR_ARG(move->from), PV_STR_ARG(move->to), move->may_go);
}

static void are_moves(struct pv_database *database, bool is_back,
    const char *wanted, const char *claim)
{
	const struct pv_file_step step = {.is_back = is_back, .max = 5};
	struct pv_buf found;
	pv_buf_init(&found, 1000);
	pv_file_moves_each(database, &step, note_move, &found);
	is_text(pv_buf_str(&found), wanted, "%s", claim);
	pv_buf_finish(&found);
}

static void test_moves(struct pv_writer *writer)
{
	struct pv_database *database = writer->database;
	uint64_t files = 0, going = 0;
	struct pv_buf left;
	pv_buf_init(&left, 100);
	ok(!pv_file_moves_have_gone(database), "no round says what is gone");
	pv_file_moves_count(database, &files, &going);
	ok(files == 2 && going == 1, "files and those that go are counted");
	ok(!pv_file_moves_are_planned(database), "nothing is planned");
	pv_file_moves_plan(writer);
	ok(pv_file_moves_are_planned(database), "then it is");
	are_moves(database, false, "2:site/2:gone/2:1 ", "what is gone goes");
	are_moves(database, true, "", "nothing is back");
	finds(database, 2, "", "what goes is found no more");
	takes(database, PV_FILES_NAMES,
	    "1:site/1 2:site/2> 2:gone/2 1:site/old> ",
	    "all names are known, and which of them go");
	pv_file_moves_set_file(database, 2, PV_STR("gone/2"));
	are_moves(database, false, "", "what was moved is not moved again");
	takes(database, PV_FILES_DOCUMENTS, "1:site/1 2:gone/2 1:site/old- ",
	    "documents are those that are kept, gone or left");
	pv_file_moves_set_file(database, 2, PV_STR(""));
	takes(database, PV_FILES_KEPT, "1:site/1 ", "an address may have none");
	ok(is_page(database, "use = 2, listing = 0"),
	    "what was found as a page is one");
	ok(!is_page(database, "use = 1, listing = 0"), "a resource is none");
	ok(!is_page(database, "use = 2, listing = 4"),
	    "nor is what only lists pages");
	pv_file_moves_forget(database, 2);
	ok(!pv_file_moves_are_planned(database), "a plan is forgotten");
	ok(pv_file_moves_next_left(database, &left), "a file was left");
	is_text(pv_buf_str(&left), "site/old", "under the name that it had");
	pv_file_moves_forget_left(database, pv_buf_str(&left));
	pv_buf_clear(&left);
	ok(!pv_file_moves_next_left(database, &left), "and then it is not");
	pv_buf_finish(&left);
}

/* The rows of a choice, each of which has a number greater than the one before,
 * or is of another table; -1 if it is not so. */
static int count(struct pv_database *database, enum pv_files_choice choice,
    uint64_t max, bool *is_held)
{
	struct pv_state_file_row row;
	struct pv_file_cursor *cursor =
	    pv_file_cursor_open(database, choice, max);
	uint64_t last = 0;
	int rows_read = 0, turns = 0;
	for (; pv_file_cursor_next(cursor, &row); rows_read++) {
		turns += row.address <= last;
		last = row.address;
		*is_held |=
		    pv_database_number(database, "PRAGMA wal_checkpoint") != 0;
	}
	pv_file_cursor_close(cursor);
	return turns < 3 ? rows_read : -1;
}

/* More than are read at once. */
static void test_many(struct pv_database *database)
{
	bool is_held = false;
	pv_database_run(database,
	    "DELETE FROM copies; DELETE FROM left_files; DELETE FROM "
	    "addresses;"
	    "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
	    "10000) INSERT INTO addresses(id, host, state, use, depth, "
	    "depth_left, hops, redirects, attempt, reason, line, outcome, "
	    "http_status, bytes, may_lead_further, via, url) SELECT 3 * i, 7, "
	    "2, 2, 0, 0, 0, 0, 0, 0, 0, 1, 200, 0, 0, 0, printf('%.*c', "
	    "200, 'x') FROM n;"
	    "INSERT INTO copies(address, round, fetched_wall_ms, "
	    "checked_wall_ms, modified_ms, file) SELECT id, 1, 0, 0, 0, "
	    "'site/' || id FROM addresses;"
	    "INSERT INTO left_files SELECT 'site/' || (100000 + id), id FROM "
	    "addresses WHERE id > 15000;"
	    "INSERT INTO gone_files SELECT id, 'gone/' || id FROM addresses "
	    "WHERE id > 15000");
	ok(count(database, PV_FILES_NAMES, 0, &is_held) == 20000,
	    "of many files each name is read once");
	ok(count(database, PV_FILES_DOCUMENTS, 0, &is_held) == 20000,
	    "and each document");
	ok(count(database, PV_FILES_KEPT, 0, &is_held) == 10000,
	    "and each that is kept");
	ok(count(database, PV_FILES_KEPT, 5000, &is_held) == 5000,
	    "or as many as are asked for");
	ok(!is_held, "P5: between two of them nobody reads the state");
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	struct pv_database *database = store->database;
	pv_database_run(database, rows);
	ok(pv_state_files_count(database) == 1, "files that are kept count");
	ok(pv_state_files_span_ms(database) == 15,
	    "it is known how long copies took to come");
	takes(database, PV_FILES_KEPT, "1:site/1 ",
	    "what is gone is not among what is kept");
	finds(database, 1, "site/1", "a file is found by its fingerprint");
	finds(database, 3, "", "and no other");
	test_moves(&store->writer);
	test_many(database);
	ok(pv_database_status(database) == PV_STORE_OK,
	    "each question is one that the database understands");
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
