#ifndef PAVANE_STORE_WAL_H
#define PAVANE_STORE_WAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The write-ahead log of a database that is written: state.db-wal.
 *
 * What is committed stands in the log first. As the log grows it is folded into
 * the file, and then begins anew in the same place, so that it stays under 64
 * MB: it is folded when it has PV_WAL_FOLD_PAGES pages, and no commit that is
 * cut by pv_wal_rows_max adds more than some PV_WAL_COMMIT_PAGES, as long as
 * its rows cost what those before it did. A job that may change many more pages
 * than that says how many at most (store/job.h): by these a commit is cut where
 * they would make the log longer than 64 MB. A process that reads the file for
 * a moment is waited for. All of our own commands look for no longer: they read
 * some thousand rows at a time, or take a copy of what they need
 * (store/tables/state_files.h, state_addresses.h, store/state_look.h). Only a
 * stranger who looks for longer, in one transaction, makes the log grow until
 * then: SQLite has no way to take that away from a reader.
 *
 * Folding syncs the log, then writes the file, then syncs that: what was
 * committed is on the disk at each instant, in one of the two. All functions
 * are for the thread that uses the database, between two transactions.
 */
struct pv_database;

#define PV_WAL_FOLD_PAGES 6500
#define PV_WAL_COMMIT_PAGES 6000
#define PV_WAL_JOB_PAGES 1250 /* that one job may say */
#define PV_WAL_PAGE_BYTES ((size_t)4096 + 24)

/* Watches the log from now on, and takes in what an earlier process has left
 * in it: that leaves the log empty. */
void pv_wal_open(struct pv_database *database);

/* Pages in the log, as of the last commit; after pv_wal_fold_all, with those of
 * other connections. */
size_t pv_wal_pages(const struct pv_database *database);

/* Whether another commit could make it longer than it may be. */
bool pv_wal_is_full(const struct pv_database *database);

/* Folds the log in if it is long; how many pages that were. A failure harms
 * nothing that is committed: the log goes on growing, and the next commit that
 * fails says so. */
size_t pv_wal_fold(struct pv_database *database);

/* Notes how long it took to fold so many pages in, by the caller's
 * stopwatch. */
void pv_wal_note_fold(
    struct pv_database *database, size_t pages, uint64_t took_us);

/* Folds all of it in, and leaves the log empty; whether that is so. Only if it
 * is likely to be done in so many milliseconds, by what folding has taken as
 * noted above; negative: however long it takes. */
bool pv_wal_fold_all(struct pv_database *database, int64_t budget_ms);

/* Notes that a transaction which changed about so many rows is committed. */
void pv_wal_note_rows(struct pv_database *database, size_t rows);

/* How many rows a transaction may change, so that it adds no more than
 * PV_WAL_COMMIT_PAGES pages, by what the last ones have added. */
size_t pv_wal_rows_max(const struct pv_database *database);

/* How many pages a transaction may change at most, as jobs say, before the last
 * job that is in it: as many as the log has room for, and no fewer than
 * PV_WAL_COMMIT_PAGES, since a stranger may hold the log. */
size_t pv_wal_pages_max(const struct pv_database *database);

#endif
