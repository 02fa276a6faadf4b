#ifndef PAVANE_STORE_DATABASE_HANDLE_H
#define PAVANE_STORE_DATABASE_HANDLE_H

#include "store/database.h"

/* What is inside a database, for those in this room who speak SQLite. */
struct pv_database {
	struct sqlite3 *sqlite;
	enum pv_store_status status;
	char fault[256];
	int log_pages; /* as of the last commit */
};

/* Keeps the fault that a code of SQLite's tells, if it tells one; whether
 * there is none. */
bool pv_database_check(struct pv_database *database, int code);

#endif
