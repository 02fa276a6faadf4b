#include "store/database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sqlite3.h>

#include "base/alloc.h"
#include "store/database_handle.h"
#include "store/wal.h"

static enum pv_store_status status_of(int code, int system_error)
{
	if (system_error == ENOSPC || system_error == EDQUOT ||
	    system_error == EFBIG)
		return PV_STORE_FULL;
	if (system_error)
		return PV_STORE_FAILED;
	switch (code) {
	case SQLITE_OK:
	case SQLITE_ROW:
	case SQLITE_DONE:
		return PV_STORE_OK;
	case SQLITE_FULL:
		return PV_STORE_FULL;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_MISMATCH:
	case SQLITE_CONSTRAINT:
	case SQLITE_ERROR: /* our SQL on another's tables */
		return PV_STORE_DAMAGED;
	default:
		return PV_STORE_FAILED;
	}
}

void pv_database_fail(
    struct pv_database *database, enum pv_store_status status, const char *text)
{
	if (database->status != PV_STORE_OK)
		return;
	database->status = status;
	snprintf(database->fault, sizeof(database->fault), "%s", text);
}

/* What the system said; 0 if nobody knows. SQLite asks it, but not at a commit;
 * and it calls a file damaged where reading failed. So errno is to be 0 before
 * a call of it. */
static int system_error_of(
    const struct pv_database *database, int code, int error)
{
	int asked =
	    database->sqlite ? sqlite3_system_errno(database->sqlite) : 0;
	switch (code) {
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		asked = asked ? asked : error;
		/* It is what came of another way that was tried. */
		return asked == ENOENT ? 0 : asked;
	case SQLITE_CORRUPT:
		return error == EIO ? EIO : 0;
	default:
		return 0;
	}
}

bool pv_database_check(struct pv_database *database, int code)
{
	if (code == SQLITE_OK)
		return database->status == PV_STORE_OK;
	int primary = code & 0xff;
	int system_error = system_error_of(database, primary, errno);
	enum pv_store_status status = status_of(primary, system_error);
	if (status == PV_STORE_OK || database->status != PV_STORE_OK)
		return database->status == PV_STORE_OK;
	const char *said = database->sqlite ? sqlite3_errmsg(database->sqlite)
					    : sqlite3_errstr(code);
	char text[sizeof(database->fault)];
	snprintf(text, sizeof(text), "%s%s%s",
	    status == PV_STORE_FAILED && primary == SQLITE_CORRUPT
		? "it cannot be read"
		: said,
	    system_error ? ": " : "",
	    system_error ? strerror(system_error) : "");
	pv_database_fail(database, status, text);
	return false;
}

static struct pv_database *open_with(const char *path, int flags)
{
	struct pv_database *database = pv_alloc(sizeof(*database));
	errno = 0;
	int code = sqlite3_open_v2(
	    path, &database->sqlite, flags | SQLITE_OPEN_NOMUTEX, NULL);
	if (!pv_database_check(database, code))
		return database;
	sqlite3_extended_result_codes(database->sqlite, 1);
	sqlite3_busy_timeout(database->sqlite, PV_BUSY_MS);
	sqlite3_db_config(
	    database->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(
	    database->sqlite, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	return database;
}

struct pv_database *pv_database_open(const char *path)
{
	return open_with(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

struct pv_database *pv_database_look(const char *path)
{
	struct stat facts;
	if (lstat(path, &facts) != 0 || !S_ISLNK(facts.st_mode))
		return open_with(path, SQLITE_OPEN_READONLY);
	struct pv_database *database = pv_alloc(sizeof(*database));
	pv_database_fail(database, PV_STORE_FAILED, "it is a symbolic link");
	return database;
}

/* SQLite tells the path that it has found at first, behind all links, and
 * whether its file is still the one there. */
bool pv_database_is_file(
    const struct pv_database *database, const struct stat *facts)
{
	struct stat found;
	int has_moved = 1;
	const char *path = sqlite3_db_filename(database->sqlite, "main");
	sqlite3_file_control(
	    database->sqlite, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
	return !has_moved && path && stat(path, &found) == 0 &&
	       found.st_dev == facts->st_dev && found.st_ino == facts->st_ino;
}

void pv_database_limit_cache(struct pv_database *database, size_t bytes)
{
	char sql[64];
	snprintf(sql, sizeof(sql), "PRAGMA cache_size=-%zu", bytes / 1024);
	pv_database_run(database, sql);
}

size_t pv_database_memory(const struct pv_database *database)
{
	int used = 0, most = 0;
	sqlite3_db_status(
	    database->sqlite, SQLITE_DBSTATUS_CACHE_USED, &used, &most, 0);
	return (size_t)used;
}

void pv_database_tune(struct pv_database *database, size_t cache_bytes)
{
	pv_database_limit_cache(database, cache_bytes);
	pv_database_run(database, "PRAGMA journal_mode=WAL");
	pv_database_run(database, "PRAGMA synchronous=FULL");
	pv_wal_open(database);
}

void pv_database_close(struct pv_database *database)
{
	if (!database)
		return;
	bool keeps_log = database->keeps_log || database->status != PV_STORE_OK;
	if (database->wal.pages && !keeps_log)
		pv_wal_fold_all(database, -1);
	if (database->sqlite && !keeps_log)
		sqlite3_db_config(database->sqlite,
		    SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	sqlite3_close_v2(database->sqlite);
	free(database);
}

void pv_database_keep_log(struct pv_database *database)
{
	database->keeps_log = true;
}

enum pv_store_status pv_database_status(const struct pv_database *database)
{
	return database->status;
}

const char *pv_database_fault(const struct pv_database *database)
{
	return database->fault;
}

void pv_database_run(struct pv_database *database, const char *sql)
{
	if (database->status != PV_STORE_OK)
		return;
	errno = 0;
	pv_database_check(
	    database, sqlite3_exec(database->sqlite, sql, NULL, NULL, NULL));
}

static int keep_number(void *ctx, int columns, char **values, char **names)
{
	int64_t *number = ctx;
	(void)names;
	if (columns > 0 && values[0])
		*number = strtoll(values[0], NULL, 10);
	return 0;
}

int64_t pv_database_number(struct pv_database *database, const char *sql)
{
	int64_t number = 0;
	if (database->status != PV_STORE_OK)
		return 0;
	errno = 0;
	pv_database_check(database,
	    sqlite3_exec(database->sqlite, sql, keep_number, &number, NULL));
	return number;
}

void pv_database_begin_reading(struct pv_database *database)
{
	pv_database_run(database, "BEGIN");
}

void pv_database_begin(struct pv_database *database)
{
	pv_database_run(database, "BEGIN IMMEDIATE");
}

bool pv_database_commit(struct pv_database *database)
{
	pv_database_run(database, "COMMIT");
	if (database->status != PV_STORE_OK)
		pv_database_roll_back(database);
	return database->status == PV_STORE_OK;
}

/* Also after a fault, and then the fault stays the first one. */
void pv_database_roll_back(struct pv_database *database)
{
	if (!sqlite3_get_autocommit(database->sqlite))
		sqlite3_exec(database->sqlite, "ROLLBACK", NULL, NULL, NULL);
}
