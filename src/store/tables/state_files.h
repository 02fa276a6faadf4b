#ifndef PAVANE_STORE_TABLES_STATE_FILES_H
#define PAVANE_STORE_TABLES_STATE_FILES_H

#include "base/buf.h"
#include "record/fingerprint.h"
#include "store/database.h"

/* The files of a mirror, as the state knows them: in which file each address is
 * kept, which files are in gone/ or on their way there, and which were left for
 * another name and are still to be removed.
 *
 * For who only reads. A row is borrowed: its texts are valid until the next
 * one. Faults are the database's. Used by one thread at a time.
 */
struct pv_state_file_row {
	uint64_t address; /* whose file it is */
	struct pv_str file;
	bool is_left;  /* another one is in its place, or it is gone: it goes
			  as soon as nothing leads to it */
	bool is_going; /* to gone/, or to be deleted; of PV_FILES_NAMES alone */

	/* But for PV_FILES_NAMES. */
	struct pv_str url;

	/* Of PV_FILES_KEPT alone. */
	struct pv_str digest; /* of the body as it came */
	uint64_t bytes;       /* the same */
	bool is_page; /* its address was found as a page, whatever came */
};

enum pv_files_choice {
	PV_FILES_NAMES,     /* whatever is or was kept, with its name alone */
	PV_FILES_DOCUMENTS, /* the same, each file of several addresses as left
			       only where none of them has it any more */
	PV_FILES_KEPT, /* what is not gone, in the order of the addresses */
	PV_FILES_CHOICES,
};

/* Reads some thousand rows at a time, and is no reader of the state in between:
 * a slow caller does not hold the write-ahead log (store/wal.h). What is
 * changed meanwhile may show or not. */
struct pv_file_cursor;

/* Of so many at most; 0: of all of them. */
struct pv_file_cursor *pv_file_cursor_open(
    struct pv_database *database, enum pv_files_choice choice, uint64_t max);

/* NULL is fine. */
void pv_file_cursor_close(struct pv_file_cursor *cursor);

/* The next one; false after the last, for good. */
bool pv_file_cursor_next(
    struct pv_file_cursor *cursor, struct pv_state_file_row *row);

/* How many are kept, and not gone. */
uint64_t pv_state_files_count(struct pv_database *database);

/* Between the first and the last time that a copy was fetched. */
int64_t pv_state_files_span_ms(struct pv_database *database);

/* Finding files of the mirror by fingerprints, many of them. */
struct pv_file_finder;

struct pv_file_finder *pv_file_finder_create(struct pv_database *database);

/* NULL is fine. */
void pv_file_finder_destroy(struct pv_file_finder *finder);

/* Appends the file in site/ of the address that is known by that fingerprint;
 * false if there is none, or it is about to be moved away. */
bool pv_file_finder_get(struct pv_file_finder *finder,
    struct pv_fingerprint fingerprint, struct pv_buf *file);

#endif
