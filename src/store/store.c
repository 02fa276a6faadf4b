#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "record/outcome.h"
#include "record/standing.h"
#include "record/state.h"
#include "store/schema.h"
#include "store/statement.h"
#include "store/wal.h"

void pv_store_write_word(struct pv_database *database, const char *kind,
    unsigned number, struct pv_str word)
{
	struct pv_statement *statement = pv_statement_create(database,
	    "INSERT OR REPLACE INTO words(kind, number, word) "
	    "VALUES(?1, ?2, ?3)");
	pv_statement_bind_text(statement, 1, pv_str_of(kind));
	pv_statement_bind(statement, 2, number);
	pv_statement_bind_text(statement, 3, word);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

bool pv_store_read_word(struct pv_database *database, const char *kind,
    unsigned number, struct pv_buf *word)
{
	struct pv_statement *statement = pv_statement_create(
	    database, "SELECT word FROM words WHERE kind = ?1 AND number = ?2");
	pv_statement_bind_text(statement, 1, pv_str_of(kind));
	pv_statement_bind(statement, 2, number);
	bool is_there = pv_statement_step(statement);
	if (is_there)
		pv_buf_append(word, pv_statement_text(statement, 0));
	pv_statement_destroy(statement);
	return is_there;
}

void pv_store_write_words(struct pv_database *database, const char *kind,
    const char *(*word)(unsigned), unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		pv_store_write_word(database, kind, i, pv_str_of(word(i)));
}

static uint64_t keep_once(
    struct pv_database *database, const char *name, uint64_t value)
{
	struct pv_statement *insert = pv_statement_create(database,
	    "INSERT OR IGNORE INTO crawl(name, value) VALUES(?1, ?2)");
	struct pv_statement *select = pv_statement_create(
	    database, "SELECT value FROM crawl WHERE name = ?1");
	pv_statement_bind_text(insert, 1, pv_str_of(name));
	pv_statement_bind(insert, 2, (int64_t)value);
	pv_statement_run(insert);
	pv_statement_bind_text(select, 1, pv_str_of(name));
	if (pv_statement_step(select))
		value = (uint64_t)pv_statement_number(select, 0);
	pv_statement_destroy(insert);
	pv_statement_destroy(select);
	return value;
}

static bool prepare(struct pv_store *store,
    const struct pv_store_options *options, const char *path,
    struct pv_why *why)
{
	struct pv_database *database = store->database;
	if (!pv_schema_apply(pv_state_schema(), database, path, why))
		return false;
	pv_database_tune(database, options->cache_bytes);
	pv_database_begin(database);
	store->key.word[0] =
	    keep_once(database, "key-0", options->random.word[0]);
	store->key.word[1] =
	    keep_once(database, "key-1", options->random.word[1]);
	pv_store_write_words(
	    database, "outcome", pv_outcome_word, PV_OUTCOME_COUNT);
	pv_store_write_words(
	    database, "reason", pv_reason_word, PV_REASON_COUNT);
	pv_store_write_words(database, "state", pv_state_word, PV_STATE_COUNT);
	pv_store_write_words(database, "use", pv_use_word, PV_USE_COUNT);
	pv_database_commit(database);
	pv_schema_tell(database, path, why);
	return pv_database_status(database) == PV_STORE_OK;
}

/* Its rows come from several crawls, none of which it could go on with. */
static bool is_own(
    const struct pv_store *store, const char *directory, struct pv_why *why)
{
	if (!pv_database_number(store->database,
		"SELECT value FROM crawl WHERE name = '" PV_MERGED_NOTE "'"))
		return true;
	pv_why_add(why, (struct pv_place){.file = directory}, PV_STR(""),
	    "is a merge of several crawls, which is only to be read: go on in "
	    "the directories that it was made of, and merge them again");
	return false;
}

static bool make_directory(const char *directory, struct pv_why *why)
{
	if (mkdir(directory, 0777) == 0 || errno == EEXIST)
		return true;
	pv_why_add(why, (struct pv_place){.file = directory}, PV_STR(""),
	    "cannot be created: %s", strerror(errno));
	return false;
}

static bool open_file(struct pv_store *store,
    const struct pv_store_options *options, struct pv_why *why)
{
	pv_buf_init(&store->path, SIZE_MAX);
	pv_buf_append_format(&store->path, "%s/state.db", options->directory);
	const char *path = pv_buf_text(&store->path);
	if (!pv_state_file_open(&store->file, options->directory, path, why))
		return false;
	store->database = pv_database_open(path);
	return pv_state_file_is_of(&store->file, store->database, path, why) &&
	       prepare(store, options, path, why) &&
	       is_own(store, options->directory, why);
}

void pv_store_tell(const struct pv_store *store, struct pv_why *why)
{
	pv_schema_tell(store->database, pv_buf_text(&store->path), why);
}

struct pv_store *pv_store_open(
    const struct pv_store_options *options, struct pv_why *why)
{
	struct pv_lock lock;
	if (!make_directory(options->directory, why) ||
	    !pv_lock_take(&lock, options->directory, why))
		return NULL;
	struct pv_store *store = pv_alloc(sizeof(*store));
	store->lock = lock;
	bool is_usable = open_file(store, options, why);
	store->writer = (struct pv_writer){
	    .database = store->database,
	    .count_ceiling = options->count_ceiling,
	    .bytes_ceiling = options->bytes_ceiling,
	    .wake = options->wake,
	    .wake_ctx = options->wake_ctx,
	    .ticks_ns = options->ticks_ns,
	    .clock = options->clock,
	};
	pv_writer_init(&store->writer);
	if (is_usable)
		return store;
	pv_store_close(store);
	return NULL;
}

bool pv_store_fold_log(struct pv_store *store, int64_t budget_ms)
{
	pv_writer_stop(&store->writer);
	if (pv_wal_fold_all(store->database, budget_ms) ||
	    !pv_wal_pages(store->database))
		return true;
	pv_database_keep_log(store->database);
	return false;
}

size_t pv_store_log_bytes(const struct pv_store *store)
{
	return pv_wal_pages(store->database) * PV_WAL_PAGE_BYTES;
}

void pv_store_close(struct pv_store *store)
{
	if (!store)
		return;
	pv_writer_stop(&store->writer);
	pv_writer_finish(&store->writer);
	pv_database_close(store->database);
	pv_state_file_close(&store->file);
	pv_lock_give(&store->lock);
	pv_buf_finish(&store->path);
	free(store);
}
