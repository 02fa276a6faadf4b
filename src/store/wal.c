#include "store/wal.h"

#include <errno.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "store/database_handle.h"

/* A log that has become longer than this, as by one transaction that could not
 * be cut, gives back its room on the disk: at 4 KiB, 64 MB. */
#define PAGES_MAX 15500

/* How long a reader is waited for before the log grows on. */
#define READER_MS 100

/* Pages for each 1,024 rows, where nothing is known yet, and at least. */
#define FIRST_SHARE ((size_t)3 * 1024)
#define LEAST_SHARE ((size_t)64)

/* Small transactions tell nothing about large ones. */
#define ROWS_THAT_TELL 200
#define PAGES_THAT_TELL 500

/* What folding a page takes, in microseconds, where nothing is known yet. */
#define FIRST_PAGE_US 20

/* The file's, which each commit of any process changes. */
static unsigned version_of(sqlite3 *sqlite)
{
	unsigned version = 0;
	sqlite3_file_control(
	    sqlite, "main", SQLITE_FCNTL_DATA_VERSION, &version);
	return version;
}

static int on_commit(void *ctx, sqlite3 *sqlite, const char *name, int pages)
{
	struct pv_wal *wal = ctx;
	size_t count = pages > 0 ? (size_t)pages : 0;
	(void)name;
	wal->version = version_of(sqlite);
	wal->added = count >= wal->pages ? count - wal->pages : count;
	wal->pages = count;
	return SQLITE_OK;
}

/* As of now, not as of when this connection looked last. */
static unsigned look_at_version(struct pv_database *database)
{
	sqlite3_exec(database->sqlite, "PRAGMA data_version", NULL, NULL, NULL);
	return version_of(database->sqlite);
}

/* Another connection may have written since this one did: then all that the
 * log's file has counts, since how much of it is in use SQLite tells only who
 * commits. */
static void count_others(struct pv_database *database)
{
	struct pv_wal *wal = &database->wal;
	struct stat facts;
	const char *path = sqlite3_db_filename(database->sqlite, "main");
	if (look_at_version(database) != wal->version &&
	    stat(sqlite3_filename_wal(path), &facts) == 0)
		wal->pages = (size_t)facts.st_size / PV_WAL_PAGE_BYTES;
}

/* Whether all of the log is in the file now, and the log begins anew. Readers
 * are waited for so long. Of what went wrong SQLite's code is given. */
static bool fold(
    struct pv_database *database, int mode, int64_t reader_ms, int *code)
{
	struct pv_wal *wal = &database->wal;
	int folded = 0;
	sqlite3_busy_timeout(database->sqlite, (int)reader_ms);
	errno = 0;
	*code = sqlite3_wal_checkpoint_v2(
	    database->sqlite, NULL, mode, NULL, &folded);
	sqlite3_busy_timeout(database->sqlite, PV_BUSY_MS);
	if (*code != SQLITE_OK)
		return false;
	wal->pages = 0;
	wal->fold_at = PV_WAL_FOLD_PAGES;
	wal->version = look_at_version(database);
	return true;
}

/* What a run that did not end well has left in the log is moved to where it
 * belongs, and put on the disk there. If a sync had failed then, the system may
 * show what is on no disk, and will never write it again of its own. */
static void take_in(struct pv_database *database)
{
	int code;
	if (!fold(database, SQLITE_CHECKPOINT_TRUNCATE, READER_MS, &code) &&
	    (code & 0xff) != SQLITE_BUSY)
		pv_database_check(database, code);
}

void pv_wal_open(struct pv_database *database)
{
	database->wal = (struct pv_wal){
	    .fold_at = PV_WAL_FOLD_PAGES,
	    .share = FIRST_SHARE,
	    .page_us = FIRST_PAGE_US,
	};
	if (database->status != PV_STORE_OK)
		return;
	sqlite3_wal_hook(database->sqlite, on_commit, &database->wal);
	take_in(database);
}

size_t pv_wal_pages(const struct pv_database *database)
{
	return database->wal.pages;
}

bool pv_wal_is_full(const struct pv_database *database)
{
	return database->wal.pages + PV_WAL_COMMIT_PAGES > PAGES_MAX;
}

/* Where somebody looks at the file, it is not tried again at each commit. */
size_t pv_wal_fold(struct pv_database *database)
{
	struct pv_wal *wal = &database->wal;
	size_t pages = wal->pages;
	int code;
	if (!wal->fold_at || pages < wal->fold_at)
		return 0;
	int mode = pages > PAGES_MAX ? SQLITE_CHECKPOINT_TRUNCATE
				     : SQLITE_CHECKPOINT_RESTART;
	if (fold(database, mode, READER_MS, &code))
		return pages;
	wal->fold_at = wal->pages + PV_WAL_FOLD_PAGES / 8;
	return 0;
}

void pv_wal_note_fold(
    struct pv_database *database, size_t pages, uint64_t took_us)
{
	struct pv_wal *wal = &database->wal;
	if (pages >= PAGES_THAT_TELL)
		wal->page_us = (took_us / pages + wal->page_us) / 2 + 1;
}

bool pv_wal_fold_all(struct pv_database *database, int64_t budget_ms)
{
	const struct pv_wal *wal = &database->wal;
	int code;
	if (database->status != PV_STORE_OK)
		return false;
	count_others(database);
	int64_t likely_ms = (int64_t)(wal->pages * wal->page_us / 1000);
	int64_t rest_ms = budget_ms < 0 ? READER_MS : budget_ms - likely_ms;
	return rest_ms >= 0 &&
	       fold(database, SQLITE_CHECKPOINT_TRUNCATE, rest_ms, &code);
}

void pv_wal_note_rows(struct pv_database *database, size_t rows)
{
	struct pv_wal *wal = &database->wal;
	if (rows < ROWS_THAT_TELL)
		return;
	size_t share = wal->added * 1024 / rows;
	size_t before = wal->share - wal->share / 8;
	wal->share = share > before ? share : before;
	if (wal->share < LEAST_SHARE)
		wal->share = LEAST_SHARE;
}

size_t pv_wal_pages_max(const struct pv_database *database)
{
	size_t pages = database->wal.pages + PV_WAL_JOB_PAGES;
	return pages + PV_WAL_COMMIT_PAGES < PAGES_MAX ? PAGES_MAX - pages
						       : PV_WAL_COMMIT_PAGES;
}

size_t pv_wal_rows_max(const struct pv_database *database)
{
	return database->wal.share
		   ? (size_t)PV_WAL_COMMIT_PAGES * 1024 / database->wal.share
		   : SIZE_MAX;
}
