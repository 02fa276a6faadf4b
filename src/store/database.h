#ifndef PAVANE_STORE_DATABASE_H
#define PAVANE_STORE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An SQLite file, as much of it as we use.
 *
 * The first fault is kept: after it nothing is done any more, so that a caller
 * may do a whole transaction and ask once, at the end. What is not committed
 * then is rolled back. Used by one thread at a time.
 *
 * Commits are on the disk when they return (synchronous=FULL), for what was
 * reported as known must survive a power failure as well as a kill; one sync
 * for each group of a tenth of a second is a price that no crawl notices.
 */
enum pv_store_status {
	PV_STORE_OK,
	PV_STORE_FULL,    /* the disk has no room, or we may use no more */
	PV_STORE_FAILED,  /* reading or writing went wrong */
	PV_STORE_DAMAGED, /* what stands in the file makes no sense */
	PV_STORE_PROGRAM, /* what the program that runs a crawl keeps with it
			     cannot be kept */
};

struct pv_database;

/* Opens a file, or creates it; always gives something, whose status tells
 * whether it can be used. Nothing is written yet. */
struct pv_database *pv_database_open(const char *path);

/* Leaves one whole file, unless somebody looks at it just then, the log is to
 * be kept (below), or something went wrong. */
void pv_database_close(struct pv_database *database);

/* Leaves what is in the log for the next program that opens the file. */
void pv_database_keep_log(struct pv_database *database);

/* The same for a file that exists and is only read, also while others write it.
 * A symbolic link is not followed. */
struct pv_database *pv_database_look(const char *path);

/* For a file that is to be written: a write-ahead log beside it (store/wal.h),
 * a cache of so many bytes. What an earlier process has left in the log is
 * moved to the file, as far as nobody looks at it. */
void pv_database_tune(struct pv_database *database, size_t cache_bytes);

/* The cache takes no more than so many bytes from now on. */
void pv_database_limit_cache(struct pv_database *database, size_t bytes);

/* The memory that its cache takes now. */
size_t pv_database_memory(const struct pv_database *database);

/* Whether that is the file which it has open. */
struct stat;
bool pv_database_is_file(
    const struct pv_database *database, const struct stat *facts);

enum pv_store_status pv_database_status(const struct pv_database *database);

/* What went wrong, in words; "" while nothing has. */
const char *pv_database_fault(const struct pv_database *database);

/* Keeps a fault that was found elsewhere: in a file that is appended to, in a
 * row that makes no sense. */
void pv_database_fail(struct pv_database *database, enum pv_store_status status,
    const char *text);

/* Runs statements that give nothing. */
void pv_database_run(struct pv_database *database, const char *sql);

/* The number in the first column of the first row; 0 if there is none. */
int64_t pv_database_number(struct pv_database *database, const char *sql);

/* For who only reads: all that is read from now on is as of one moment. */
void pv_database_begin_reading(struct pv_database *database);

void pv_database_begin(struct pv_database *database);

/* Whether all since the beginning is on the disk now; if not, none of it
 * is. */
bool pv_database_commit(struct pv_database *database);
void pv_database_roll_back(struct pv_database *database);

#endif
