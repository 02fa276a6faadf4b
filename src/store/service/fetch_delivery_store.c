#include "store/service/fetch_delivery_store.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "store/service/service_file.h"

#define CACHE_BYTES ((size_t)1 << 20)

enum { EACH, COUNT, GET, PUT, SETTLE, STATEMENT_COUNT };

static const char *const sql[STATEMENT_COUNT] = {
    [EACH] = "SELECT d.number, f.id, d.id, d.made_ms, d.since_ms, d.tries, "
	     "d.next_ms FROM deliveries d JOIN fetches f ON f.number = d.fetch "
	     "WHERE d.webhook = ?1 AND d.number > ?2 ORDER BY d.number "
	     "LIMIT ?3",
    [COUNT] = "SELECT count(*) FROM deliveries WHERE webhook = ?1",
    [GET] = "SELECT " PV_FETCH_COLUMNS " FROM fetches WHERE number = (SELECT "
	    "fetch FROM deliveries WHERE number = ?1)",
    [PUT] = "UPDATE deliveries SET id = ?2, made_ms = ?3, since_ms = ?4, "
	    "tries = ?5, next_ms = ?6 WHERE number = ?1",
    [SETTLE] = "DELETE FROM deliveries WHERE number = ?1",
};

struct pv_fetch_delivery_store {
	struct pv_database *database;
	struct pv_statement *statements[STATEMENT_COUNT];
};

static const struct pv_service_file file = {
    .name = "fetches.db",
    .cache_bytes = CACHE_BYTES,
    .sql = sql,
    .count = STATEMENT_COUNT,
};

struct pv_fetch_delivery_store *pv_fetch_delivery_store_open(
    const char *directory, struct pv_why *why)
{
	struct pv_fetch_delivery_store *store = pv_alloc(sizeof(*store));
	store->database =
	    pv_service_file_open(&file, directory, store->statements, why);
	if (store->database)
		return store;
	free(store);
	return NULL;
}

void pv_fetch_delivery_store_close(struct pv_fetch_delivery_store *store)
{
	if (!store)
		return;
	pv_service_file_close(&file, store->database, store->statements);
	free(store);
}

enum pv_store_status pv_fetch_delivery_store_status(
    const struct pv_fetch_delivery_store *store)
{
	return pv_database_status(store->database);
}

void pv_fetch_delivery_store_each(struct pv_fetch_delivery_store *store,
    struct pv_str webhook, uint64_t after, size_t most, pv_fetch_delivery_fn fn,
    void *ctx)
{
	struct pv_statement *statement = store->statements[EACH];
	pv_statement_bind_text(statement, 1, webhook);
	pv_statement_bind(statement, 2, (int64_t)after);
	pv_statement_bind(statement, 3, (int64_t)most);
	while (pv_statement_step(statement)) {
		const struct pv_fetch_delivery delivery = {
		    .number = (uint64_t)pv_statement_number(statement, 0),
		    .fetch = pv_statement_text(statement, 1),
		    .id = pv_statement_text(statement, 2),
		    .made_ms = pv_statement_number(statement, 3),
		    .since_ms = pv_statement_number(statement, 4),
		    .tries = (uint32_t)pv_statement_number(statement, 5),
		    .next_ms = pv_statement_number(statement, 6),
		};
		fn(ctx, &delivery);
	}
}

uint64_t pv_fetch_delivery_store_count(
    struct pv_fetch_delivery_store *store, struct pv_str webhook)
{
	struct pv_statement *statement = store->statements[COUNT];
	pv_statement_bind_text(statement, 1, webhook);
	uint64_t count = pv_statement_step(statement)
			     ? (uint64_t)pv_statement_number(statement, 0)
			     : 0;
	pv_statement_reset(statement);
	return count;
}

bool pv_fetch_delivery_store_get(struct pv_fetch_delivery_store *store,
    uint64_t number, struct pv_arena *arena, struct pv_fetch *fetch)
{
	pv_statement_bind(store->statements[GET], 1, (int64_t)number);
	return pv_fetch_take(store->statements[GET], arena, fetch);
}

bool pv_fetch_delivery_store_put(struct pv_fetch_delivery_store *store,
    const struct pv_fetch_delivery *delivery)
{
	struct pv_statement *statement = store->statements[PUT];
	pv_database_begin(store->database);
	pv_statement_bind(statement, 1, (int64_t)delivery->number);
	pv_statement_bind_text(statement, 2, delivery->id);
	pv_statement_bind(statement, 3, delivery->made_ms);
	pv_statement_bind(statement, 4, delivery->since_ms);
	pv_statement_bind(statement, 5, delivery->tries);
	pv_statement_bind(statement, 6, delivery->next_ms);
	int64_t changed = pv_statement_run(statement);
	return pv_database_commit(store->database) && changed > 0;
}

bool pv_fetch_delivery_store_settle(
    struct pv_fetch_delivery_store *store, uint64_t number)
{
	pv_database_begin(store->database);
	pv_statement_bind(store->statements[SETTLE], 1, (int64_t)number);
	pv_statement_run(store->statements[SETTLE]);
	return pv_database_commit(store->database);
}
