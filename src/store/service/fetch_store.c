#include "store/service/fetch_store.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "store/service/fetch_schema.h"
#include "store/service/service_file.h"

#define CACHE_BYTES ((size_t)4 << 20)

enum {
	ADD,
	GET,
	GET_NUMBER,
	FIND_KEY,
	EACH_WAITING,
	EACH_OF,
	EACH_AT,
	COUNT_WAITING,
	EACH_BACK,
	EACH_BACK_OF,
	MOVE,
	END,
	OWE,
	SET_ANSWER,
	GET_ANSWER,
	GET_STANDING,
	ADD_STANDING,
	SET_READ,
	TIDY_DELIVERIES,
	TIDY,
	TIDY_ANSWERS,
	STATEMENT_COUNT
};

static const char *const sql[STATEMENT_COUNT] = {
    [ADD] = "INSERT INTO fetches (id, owner, profile, url, at, not_before_ms, "
	    "created_ms, key, digest, webhook, ended_ms, state, answer, hops) "
	    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0, '', 0)",
    [GET] = "SELECT " PV_FETCH_COLUMNS " FROM fetches WHERE id = ?1",
    [GET_NUMBER] = "SELECT " PV_FETCH_COLUMNS " FROM fetches WHERE number = ?1",
    [FIND_KEY] = "SELECT " PV_FETCH_COLUMNS
		 " FROM fetches WHERE owner = ?1 AND key = ?2 "
		 "AND key <> '' AND created_ms >= ?3 ORDER BY number DESC",
    [EACH_WAITING] =
	"SELECT number FROM fetches WHERE state = 0 ORDER BY number",
    [EACH_OF] = "SELECT number FROM fetches WHERE state = 0 AND profile = ?1 "
		"ORDER BY number",
    [EACH_AT] = "SELECT number FROM fetches WHERE state = 0 AND profile = ?1 "
		"AND at = ?2 ORDER BY number",
    [COUNT_WAITING] = "SELECT count(*) FROM fetches WHERE state = 0",
    [EACH_BACK] = "SELECT " PV_FETCH_COLUMNS " FROM fetches WHERE number < ?1 "
		  "AND (?2 < 0 OR state = ?2) ORDER BY number DESC LIMIT ?3",
    [EACH_BACK_OF] =
	"SELECT " PV_FETCH_COLUMNS " FROM fetches WHERE owner = ?4 AND number "
	"< ?1 AND (?2 < 0 OR state = ?2) ORDER BY number DESC LIMIT ?3",
    [MOVE] = "UPDATE fetches SET at = ?2, hops = ?3 WHERE number = ?1",
    [END] = "UPDATE fetches SET state = ?2, answer = ?3, ended_ms = ?4, "
	    "rows = ?5 WHERE number = ?1 AND state = 0",
    [OWE] = "INSERT INTO deliveries (fetch, webhook) SELECT number, webhook "
	    "FROM fetches WHERE number = ?1 AND webhook <> ''",
    [SET_ANSWER] = "INSERT OR REPLACE INTO answers (profile, url, time_ms, "
		   "moved_to, line) VALUES (?1, ?2, ?3, ?4, ?5)",
    [GET_ANSWER] = "SELECT time_ms, moved_to, line FROM answers "
		   "WHERE profile = ?1 AND url = ?2",
    [GET_STANDING] = "SELECT number, journal_generation, journal_read "
		     "FROM standing WHERE profile = ?1",
    [ADD_STANDING] = "INSERT INTO standing (profile, first_url, journal_read) "
		     "VALUES (?1, '', 0)",
    [SET_READ] = "UPDATE standing SET journal_generation = ?2, "
		 "journal_read = ?3 WHERE profile = ?1",
    [TIDY_DELIVERIES] = "DELETE FROM deliveries WHERE fetch IN (SELECT number "
			"FROM fetches WHERE state > 0 AND ended_ms < ?1)",
    [TIDY] = "DELETE FROM fetches WHERE state > 0 AND ended_ms < ?1",
    [TIDY_ANSWERS] = "DELETE FROM answers WHERE time_ms < ?1",
};

struct pv_fetch_store {
	struct pv_database *database;
	struct pv_statement *statements[STATEMENT_COUNT];
	struct pv_fetch_rows rows;
};

static const struct pv_service_file file = {
    .name = "fetches.db",
    .schema = &pv_fetch_schema,
    .cache_bytes = CACHE_BYTES,
    .sql = sql,
    .count = STATEMENT_COUNT,
};

struct pv_fetch_store *pv_fetch_store_open(
    const char *directory, struct pv_why *why)
{
	struct pv_fetch_store *store = pv_alloc(sizeof(*store));
	store->database =
	    pv_service_file_open(&file, directory, store->statements, why);
	if (store->database) {
		pv_fetch_rows_init(&store->rows, store->database);
		return store;
	}
	free(store);
	return NULL;
}

void pv_fetch_store_close(struct pv_fetch_store *store)
{
	if (!store)
		return;
	pv_fetch_rows_finish(&store->rows);
	pv_service_file_close(&file, store->database, store->statements);
	free(store);
}

enum pv_store_status pv_fetch_store_status(const struct pv_fetch_store *store)
{
	return pv_database_status(store->database);
}

const char *pv_fetch_store_fault(const struct pv_fetch_store *store)
{
	return pv_database_fault(store->database);
}

const struct pv_fetch_rows *pv_fetch_store_rows(
    const struct pv_fetch_store *store)
{
	return &store->rows;
}

void pv_fetch_store_begin(struct pv_fetch_store *store)
{
	pv_database_begin(store->database);
}

bool pv_fetch_store_commit(struct pv_fetch_store *store)
{
	return pv_database_commit(store->database);
}

/* Fetches */

void pv_fetch_store_add(struct pv_fetch_store *store, struct pv_fetch *fetch)
{
	struct pv_statement *statement = store->statements[ADD];
	const struct pv_str texts[] = {
	    fetch->id, fetch->owner, fetch->profile, fetch->url, fetch->at};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		pv_statement_bind_text(statement, (int)i + 1, texts[i]);
	pv_statement_bind(statement, 6, fetch->not_before_ms);
	pv_statement_bind(statement, 7, fetch->created_ms);
	pv_statement_bind_text(statement, 8, fetch->key);
	pv_statement_bind_bytes(statement, 9,
	    (struct pv_str){(const char *)fetch->digest, PV_DIGEST_SIZE});
	pv_statement_bind_text(statement, 10, fetch->webhook);
	pv_statement_run(statement);
	fetch->number = (uint64_t)pv_database_number(
	    store->database, "SELECT last_insert_rowid()");
}

bool pv_fetch_store_get(struct pv_fetch_store *store, struct pv_str id,
    struct pv_arena *arena, struct pv_fetch *fetch)
{
	pv_statement_bind_text(store->statements[GET], 1, id);
	return pv_fetch_take(store->statements[GET], arena, fetch);
}

bool pv_fetch_store_get_number(struct pv_fetch_store *store, uint64_t number,
    struct pv_arena *arena, struct pv_fetch *fetch)
{
	pv_statement_bind(store->statements[GET_NUMBER], 1, (int64_t)number);
	return pv_fetch_take(store->statements[GET_NUMBER], arena, fetch);
}

bool pv_fetch_store_find_key(struct pv_fetch_store *store, struct pv_str owner,
    struct pv_str key, int64_t since_ms, struct pv_arena *arena,
    struct pv_fetch *fetch)
{
	struct pv_statement *statement = store->statements[FIND_KEY];
	pv_statement_bind_text(statement, 1, owner);
	pv_statement_bind_text(statement, 2, key);
	pv_statement_bind(statement, 3, since_ms);
	return pv_fetch_take(statement, arena, fetch);
}

static void each_number(
    struct pv_statement *statement, pv_fetch_number_fn fn, void *ctx)
{
	while (pv_statement_step(statement))
		fn(ctx, (uint64_t)pv_statement_number(statement, 0));
}

void pv_fetch_store_each_waiting(
    struct pv_fetch_store *store, pv_fetch_number_fn fn, void *ctx)
{
	each_number(store->statements[EACH_WAITING], fn, ctx);
}

void pv_fetch_store_each_of(struct pv_fetch_store *store, struct pv_str profile,
    pv_fetch_number_fn fn, void *ctx)
{
	pv_statement_bind_text(store->statements[EACH_OF], 1, profile);
	each_number(store->statements[EACH_OF], fn, ctx);
}

void pv_fetch_store_each_at(struct pv_fetch_store *store, struct pv_str profile,
    struct pv_str at, pv_fetch_number_fn fn, void *ctx)
{
	pv_statement_bind_text(store->statements[EACH_AT], 1, profile);
	pv_statement_bind_text(store->statements[EACH_AT], 2, at);
	each_number(store->statements[EACH_AT], fn, ctx);
}

uint64_t pv_fetch_store_count_waiting(struct pv_fetch_store *store)
{
	struct pv_statement *statement = store->statements[COUNT_WAITING];
	uint64_t count = pv_statement_step(statement)
			     ? (uint64_t)pv_statement_number(statement, 0)
			     : 0;
	pv_statement_reset(statement);
	return count;
}

void pv_fetch_store_each_back(struct pv_fetch_store *store,
    const struct pv_fetch_list *list, pv_fetch_fn fn, void *ctx)
{
	struct pv_statement *statement =
	    store->statements[list->owner ? EACH_BACK_OF : EACH_BACK];
	struct pv_fetch fetch;
	pv_statement_bind(
	    statement, 1, list->before ? (int64_t)list->before : INT64_MAX);
	pv_statement_bind(statement, 2, list->state);
	pv_statement_bind(statement, 3, (int64_t)list->most);
	if (list->owner)
		pv_statement_bind_text(statement, 4, *list->owner);
	while (pv_fetch_read(statement, &fetch))
		fn(ctx, &fetch);
}

void pv_fetch_store_move(struct pv_fetch_store *store, uint64_t number,
    struct pv_str at, unsigned hops)
{
	pv_statement_bind(store->statements[MOVE], 1, (int64_t)number);
	pv_statement_bind_text(store->statements[MOVE], 2, at);
	pv_statement_bind(store->statements[MOVE], 3, hops);
	pv_statement_run(store->statements[MOVE]);
}

void pv_fetch_store_end(struct pv_fetch_store *store, uint64_t number,
    const struct pv_fetch_end *end)
{
	struct pv_statement *statement = store->statements[END];
	pv_statement_bind(statement, 1, (int64_t)number);
	pv_statement_bind(statement, 2, end->state);
	pv_statement_bind_text(statement, 3, end->answer);
	pv_statement_bind(statement, 4, end->now_ms);
	pv_statement_bind_text(statement, 5, end->rows);
	if (!pv_statement_run(statement))
		return;
	pv_statement_bind(store->statements[OWE], 1, (int64_t)number);
	pv_statement_run(store->statements[OWE]);
}

/* Answers */

void pv_fetch_store_set_answer(struct pv_fetch_store *store,
    struct pv_str profile, struct pv_str url,
    const struct pv_fetch_answer *answer)
{
	struct pv_statement *statement = store->statements[SET_ANSWER];
	pv_statement_bind_text(statement, 1, profile);
	pv_statement_bind_text(statement, 2, url);
	pv_statement_bind(statement, 3, answer->time_ms);
	pv_statement_bind_text(statement, 4, answer->moved_to);
	pv_statement_bind_text(statement, 5, answer->line);
	pv_statement_run(statement);
}

bool pv_fetch_store_get_answer(struct pv_fetch_store *store,
    struct pv_str profile, struct pv_str url, struct pv_arena *arena,
    struct pv_fetch_answer *answer)
{
	struct pv_statement *statement = store->statements[GET_ANSWER];
	pv_statement_bind_text(statement, 1, profile);
	pv_statement_bind_text(statement, 2, url);
	bool is_there = pv_statement_step(statement);
	if (is_there) {
		answer->time_ms = pv_statement_number(statement, 0);
		answer->moved_to =
		    pv_arena_copy(arena, pv_statement_text(statement, 1));
		answer->line =
		    pv_arena_copy(arena, pv_statement_text(statement, 2));
	}
	pv_statement_reset(statement);
	return is_there;
}

/* Crawls */

bool pv_fetch_store_get_standing(struct pv_fetch_store *store,
    struct pv_str profile, struct pv_standing_record *standing)
{
	struct pv_statement *statement = store->statements[GET_STANDING];
	pv_statement_bind_text(statement, 1, profile);
	bool is_there = pv_statement_step(statement);
	if (is_there)
		*standing = (struct pv_standing_record){
		    .number = (uint64_t)pv_statement_number(statement, 0),
		    .read.generation =
			(uint64_t)pv_statement_number(statement, 1),
		    .read.offset = (uint64_t)pv_statement_number(statement, 2),
		};
	pv_statement_reset(statement);
	return is_there;
}

void pv_fetch_store_add_standing(
    struct pv_fetch_store *store, struct pv_str profile)
{
	pv_statement_bind_text(store->statements[ADD_STANDING], 1, profile);
	pv_statement_run(store->statements[ADD_STANDING]);
}

void pv_fetch_store_set_read(struct pv_fetch_store *store,
    struct pv_str profile, const struct pv_journal_place *read)
{
	struct pv_statement *statement = store->statements[SET_READ];
	pv_statement_bind_text(statement, 1, profile);
	pv_statement_bind(statement, 2, (int64_t)read->generation);
	pv_statement_bind(statement, 3, (int64_t)read->offset);
	pv_statement_run(statement);
}

void pv_fetch_store_tidy(struct pv_fetch_store *store, int64_t before_ms)
{
	static const int all[] = {TIDY_DELIVERIES, TIDY, TIDY_ANSWERS};
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		pv_statement_bind(store->statements[all[i]], 1, before_ms);
		pv_statement_run(store->statements[all[i]]);
	}
}
