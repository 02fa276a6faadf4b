#include "store/wal.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "scratch.h"
#include "store/database.h"
#include "tap.h"

/* The write-ahead log stays short while a file is written, and is gone at the
 * end: who copies the file then has all of it. */
#define PAGE 4096
#define MIB_64 ((off_t)64 << 20)

static off_t size_of(const char *path)
{
	struct stat facts;
	return stat(path, &facts) == 0 ? facts.st_size : 0;
}

static struct pv_database *make(const char *path)
{
	struct pv_database *database = pv_database_open(path);
	pv_database_tune(database, 1 << 20);
	pv_database_run(database, "CREATE TABLE IF NOT EXISTS t(x)");
	return database;
}

static void add_rows(struct pv_database *database, unsigned rows)
{
	pv_database_begin(database);
	for (unsigned i = 0; i < rows; i++)
		pv_database_run(
		    database, "INSERT INTO t VALUES(randomblob(4000))");
	pv_database_commit(database);
	pv_wal_note_rows(database, rows);
}

static int64_t rows_of(const char *path)
{
	struct pv_database *other = pv_database_look(path);
	int64_t rows = pv_database_number(other, "SELECT count(*) FROM t");
	pv_database_close(other);
	return rows;
}

static void test_length(void)
{
	struct scratch scratch;
	off_t longest = 0;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	for (unsigned i = 0; i < 20; i++) {
		off_t length;
		add_rows(database, PV_WAL_COMMIT_PAGES / 2);
		pv_wal_fold(database);
		length = size_of(scratch_file(&scratch, "a.db-wal"));
		longest = length > longest ? length : longest;
	}
	ok(longest > 0 && longest < MIB_64,
	    "P5: the log is folded in as it grows (%lld bytes at most)",
	    (long long)longest);
	ok(size_of(scratch_file(&scratch, "a.db")) >
		(off_t)15 * PV_WAL_COMMIT_PAGES / 2 * PAGE,
	    "and what it had is in the file");
	pv_database_close(database);
	ok(size_of(scratch_file(&scratch, "a.db-wal")) == 0,
	    "P3: closing leaves nothing in the log");
	ok(rows_of(scratch_file(&scratch, "a.db")) ==
		20 * (PV_WAL_COMMIT_PAGES / 2),
	    "and one whole file");
	scratch_remove(&scratch);
}

/* A stranger who looks for a long time makes the log grow; the end of it is the
 * end of that. */
static void test_reader(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	add_rows(database, 10);
	struct pv_database *reader =
	    pv_database_look(scratch_file(&scratch, "a.db"));
	pv_database_run(reader, "BEGIN");
	pv_database_number(reader, "SELECT count(*) FROM t");
	for (unsigned i = 0; i < 3; i++) {
		add_rows(database, PV_WAL_FOLD_PAGES);
		pv_wal_fold(database);
	}
	ok(pv_database_status(database) == PV_STORE_OK &&
		pv_wal_pages(database) > 2 * PV_WAL_FOLD_PAGES,
	    "a stranger who looks for long is no fault: the log grows "
	    "meanwhile");
	pv_database_run(reader, "COMMIT");
	add_rows(database, PV_WAL_FOLD_PAGES);
	pv_wal_fold(database);
	ok(pv_wal_pages(database) == 0 &&
		size_of(scratch_file(&scratch, "a.db-wal")) < MIB_64,
	    "P5: then it is folded in, and gives back what it had grown by");
	for (unsigned i = 0; i < 4; i++) {
		add_rows(database, PV_WAL_COMMIT_PAGES / 2);
		pv_database_number(reader, "SELECT count(*) FROM t");
		pv_wal_fold(database);
	}
	ok(pv_wal_pages(database) < PV_WAL_FOLD_PAGES &&
		size_of(scratch_file(&scratch, "a.db-wal")) < MIB_64,
	    "who looks for a moment at a time does not hold it");
	pv_database_close(reader);
	pv_database_close(database);
	scratch_remove(&scratch);
}

static void test_rows(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	size_t first = pv_wal_rows_max(database);
	ok(first >= 1000 && first <= PV_WAL_COMMIT_PAGES,
	    "before anything is known a transaction is small (%zu rows)",
	    first);
	add_rows(database, 1000);
	size_t large = pv_wal_rows_max(database);
	for (unsigned i = 0; i < 40; i++) {
		pv_database_begin(database);
		pv_database_run(database, "INSERT INTO t VALUES(1)");
		pv_database_commit(database);
		pv_wal_note_rows(database, 1000);
	}
	size_t small = pv_wal_rows_max(database);
	ok(large <= PV_WAL_COMMIT_PAGES && small > 8 * large,
	    "then by how many pages the last ones have added (%zu, %zu rows)",
	    large, small);
	add_rows(database, 1000);
	ok(pv_wal_rows_max(database) <= PV_WAL_COMMIT_PAGES,
	    "the dearest of them counts at once");
	pv_database_close(database);
	scratch_remove(&scratch);
}

/* What jobs say, by which a commit is cut, fits in. */
static void test_pages(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	size_t empty = pv_wal_pages_max(database) + pv_wal_pages(database);
	ok((off_t)(empty + PV_WAL_JOB_PAGES) * PV_WAL_PAGE_BYTES < MIB_64 &&
		empty > PV_WAL_COMMIT_PAGES,
	    "P5: in an empty log a transaction may have what stays short with "
	    "its last job (%zu pages)",
	    empty);
	add_rows(database, PV_WAL_FOLD_PAGES / 2);
	ok(pv_wal_pages_max(database) == empty - pv_wal_pages(database),
	    "P5: it may have less by what is in the log");
	for (unsigned i = 0; i < 3; i++)
		add_rows(database, PV_WAL_FOLD_PAGES / 2);
	ok(pv_wal_pages_max(database) == PV_WAL_COMMIT_PAGES,
	    "while a stranger holds the log, it is no smaller than others");
	pv_database_close(database);
	scratch_remove(&scratch);
}

/* Commits that add next to nothing tell little of those that will. */
static void test_least(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	for (unsigned i = 0; i < 1000; i++)
		pv_wal_note_rows(database, 100000);
	ok(pv_wal_rows_max(database) == PV_WAL_COMMIT_PAGES * 16,
	    "P5: however small rows seem, no more than sixteen of them are "
	    "reckoned to a page");
	pv_database_close(database);
	scratch_remove(&scratch);
}

static void test_budget(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	add_rows(database, 50);
	ok(pv_wal_pages(database) >= 50 && pv_wal_fold_all(database, 100) &&
		!pv_wal_pages(database),
	    "fifty pages are folded in where there are 100 ms");
	pv_database_close(database);
	scratch_remove(&scratch);
}

/* The time is noted, not measured: no disk is waited for. */
static void test_slow_disk(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	add_rows(database, PV_WAL_FOLD_PAGES);
	ok(pv_wal_fold(database) >= PV_WAL_FOLD_PAGES,
	    "who folds a long log in is told how many pages that were");
	ok(pv_wal_fold(database) == 0, "where it is short there are none");
	add_rows(database, 50);
	pv_wal_note_fold(database, 100, 1000 * 1000);
	ok(pv_wal_fold_all(database, 100),
	    "few pages tell nothing of the disk");
	add_rows(database, 50);
	pv_wal_note_fold(database, 1000, 1000 * (uint64_t)100000);
	ok(!pv_wal_fold_all(database, 100) && pv_wal_pages(database) >= 50,
	    "P6: a disk that took 100 ms for each page is given no fifty of "
	    "them in 100 ms");
	for (unsigned i = 0; i < 20; i++)
		pv_wal_note_fold(database, 1000, 100000);
	ok(pv_wal_fold_all(database, 100) && !pv_wal_pages(database),
	    "until it has been fast for some time");
	pv_database_close(database);
	scratch_remove(&scratch);
}

static void test_left(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	add_rows(database, 2000);
	ok(!pv_wal_fold_all(database, 0),
	    "what does not fit into the time that there is is left");
	pv_database_keep_log(database);
	pv_database_close(database);
	ok(size_of(scratch_file(&scratch, "a.db-wal")) > 2000L * PAGE,
	    "in the log, when it is closed");
	database = make(scratch_file(&scratch, "a.db"));
	ok(size_of(scratch_file(&scratch, "a.db-wal")) <= 0x2000 &&
		size_of(scratch_file(&scratch, "a.db")) > 2000L * PAGE,
	    "P3: whoever opens it next folds it in first");
	add_rows(database, 2000);
	ok(pv_wal_fold_all(database, -1) &&
		size_of(scratch_file(&scratch, "a.db-wal")) == 0,
	    "with time enough all of it is folded in");
	pv_database_close(database);
	scratch_remove(&scratch);
}

/* Whoever links documents writes the state by a connection of their own. */
static void test_others(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	add_rows(database, 10);
	struct pv_database *other =
	    pv_database_open(scratch_file(&scratch, "a.db"));
	pv_database_run(other, "PRAGMA wal_autocheckpoint = 0");
	add_rows(other, 2000);
	ok(!pv_wal_fold_all(database, 5) && pv_wal_pages(database) > 2000,
	    "P6: what others have written since counts, when time is short");
	add_rows(database, 10);
	ok(pv_wal_pages(database) > 2000 && pv_wal_fold_all(database, -1) &&
		!pv_wal_pages(database),
	    "and is folded in when there is time");
	add_rows(database, 10);
	ok(pv_wal_fold_all(database, 100) && !pv_wal_pages(database),
	    "then only what comes after that counts");
	pv_database_close(other);
	pv_database_close(database);
	scratch_remove(&scratch);
}

int main(void)
{
	test_length();
	test_others();
	test_reader();
	test_rows();
	test_pages();
	test_least();
	test_budget();
	test_slow_disk();
	test_left();
	return tap_done();
}
