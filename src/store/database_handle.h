#ifndef PAVANE_STORE_DATABASE_HANDLE_H
#define PAVANE_STORE_DATABASE_HANDLE_H

#include "store/database.h"

/* How long to wait for somebody who uses the file. */
#define PV_BUSY_MS 10000

/* The log, as store/wal.h tells it; nothing of it where nobody watches. */
struct pv_wal {
	size_t pages;     /* in it, as of the last commit */
	size_t added;     /* by the last commit */
	size_t fold_at;   /* so many pages; 0: not watched */
	size_t share;     /* pages that commits add for each 1,024 rows */
	uint64_t page_us; /* that folding one takes */
	unsigned version; /* of the file, when `pages` were counted */
};

/* What is inside a database, for those in this room who speak SQLite. */
struct pv_database {
	struct sqlite3 *sqlite;
	enum pv_store_status status;
	char fault[256];
	struct pv_wal wal;
	bool keeps_log; /* when it is closed */
};

/* Keeps the fault that a code of SQLite's tells, if it tells one; whether
 * there is none. */
bool pv_database_check(struct pv_database *database, int code);

#endif
