#ifndef PAVANE_STORE_STORE_H
#define PAVANE_STORE_STORE_H

#include "base/hash.h"
#include "base/why.h"
#include "store/lock.h"
#include "store/state_file.h"
#include "store/writer.h"

/* The state of a crawl: the file state.db in its directory, this process's
 * lock on it, and the thread that writes it.
 *
 * Between open and start the database is the caller's, to look at and to put
 * in order; afterwards it is reached by jobs alone (store/writer.h). The store
 * owns all of it.
 */
struct pv_store_options {
	const char *directory; /* made if it is not there */
	size_t cache_bytes;    /* of the file, in memory, at most */
	size_t count_ceiling;  /* of jobs under way, and what they hold */
	size_t bytes_ceiling;
	struct pv_hash_key random; /* for a new crawl: nobody may guess it */
	pv_wake_fn wake;           /* NULL for none */
	void *wake_ctx;

	/* The writer's stopwatch; NULL for none. */
	uint64_t (*ticks_ns)(const struct pv_clock *clock);
	const struct pv_clock *clock;
};

#define PV_STORE_CACHE_BYTES ((size_t)256 << 20)
#define PV_STORE_COUNT_CEILING ((size_t)10000)
#define PV_STORE_BYTES_CEILING ((size_t)32 << 20)

/* A note of a state that is only to be read: how many crawls it was made of
 * (store/tables/merge_notes.h). */
#define PV_MERGED_NOTE "merged-directories"

struct pv_store {
	struct pv_buf path; /* of the file */
	struct pv_lock lock;
	struct pv_state_file file;
	struct pv_database *database;
	struct pv_hash_key key; /* the crawl's own, kept with it */
	struct pv_writer writer;
};

/* NULL, with the reason, if it cannot be opened: it belongs to another process
 * or program, is of a newer version, or is damaged. It is never deleted. */
struct pv_store *pv_store_open(
    const struct pv_store_options *options, struct pv_why *why);

/* Words for numbers in the tables, as this version knows them, for the views:
 * in a transaction, before the store is started. Those of the papers in record/
 * stand there when it opens. */
void pv_store_write_words(struct pv_database *database, const char *kind,
    const char *(*word)(unsigned), unsigned count);

/* One word, in a transaction of whoever has the database; and what it is, which
 * is appended: false if there is none. */
void pv_store_write_word(struct pv_database *database, const char *kind,
    unsigned number, struct pv_str word);
bool pv_store_read_word(struct pv_database *database, const char *kind,
    unsigned number, struct pv_buf *word);

/* Why it cannot be used, if so. */
void pv_store_tell(const struct pv_store *store, struct pv_why *why);

/* Stops the writer, and folds the write-ahead log into the file if that is
 * likely to be done in so many milliseconds; negative: however long it takes.
 * False if it stays, also when the store is closed. */
bool pv_store_fold_log(struct pv_store *store, int64_t budget_ms);

/* How much is in the log. */
size_t pv_store_log_bytes(const struct pv_store *store);

/* Stops the writer, if it was started, and closes the file. */
void pv_store_close(struct pv_store *store);

#endif
