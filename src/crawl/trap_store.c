#include "crawl/trap_store.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "store/statement.h"
#include "store/writer.h"

enum {
	SET_BODY,
	UNSET_BODY,
	ADD_SESSION,
	STATEMENTS,
};

static const char *const sql[STATEMENTS] = {
    [SET_BODY] = "INSERT OR REPLACE INTO trap_bodies(slot, key, body, count) "
		 "VALUES(?1, ?2, ?3, ?4)",
    [UNSET_BODY] = "DELETE FROM trap_bodies WHERE slot = ?1",
    [ADD_SESSION] = "INSERT OR IGNORE INTO trap_sessions(id, host) "
		    "VALUES(?1, ?2)",
};

/* Hosts that are visited, or were: the others have only addresses that were
 * refused. */
#define FIND_HOSTS                                                      \
	"SELECT name FROM host_states WHERE state > 0 OR failures > 0 " \
	"OR nameless_until_wall_ms > 0 OR left_reason > 0 OR EXISTS( "  \
	"SELECT 1 FROM ledger WHERE host = host_states.id) LIMIT ?1"

/* A slot as it is to be written. */
struct row {
	int64_t number;
	struct pv_same_body_slot slot;
};

struct pv_trap_store {
	struct pv_traps *traps;
	struct pv_statement *statements[STATEMENTS];
	struct row *rows;
	size_t row_count;
	size_t row_size;
	struct pv_ration_entry *sessions;
	size_t session_count;
};

/* Writing */

/* Slots of patterns have the numbers behind those of pages. */
static void gather_slots(
    struct pv_trap_store *store, struct pv_same_body *table, int64_t first)
{
	struct pv_same_body_slot slot;
	uint32_t number;
	while (pv_same_body_take_changed(table, &slot, &number))
		*PV_ARRAY_PUSH(store->rows, store->row_count, store->row_size) =
		    (struct row){first + number, slot};
}

static void gather(struct pv_trap_store *store)
{
	struct pv_trap_counts *counts = pv_traps_lock(store->traps);
	gather_slots(store, &counts->pages, 0);
	gather_slots(store, &counts->patterns, PV_SAME_BODY_SLOTS);
	store->sessions = counts->sessions.added;
	store->session_count = counts->sessions.added_count;
	counts->sessions.added = NULL;
	counts->sessions.added_count = counts->sessions.added_size = 0;
	pv_traps_unlock(store->traps);
}

static void write_row(struct pv_trap_store *store, const struct row *row)
{
	bool is_kept = row->slot.count > 1;
	struct pv_statement *statement =
	    store->statements[is_kept ? SET_BODY : UNSET_BODY];
	pv_statement_bind(statement, 1, row->number);
	if (is_kept) {
		pv_statement_bind(statement, 2, (int64_t)row->slot.key);
		pv_statement_bind(statement, 3, (int64_t)row->slot.body);
		pv_statement_bind(statement, 4, row->slot.count);
	}
	pv_statement_run(statement);
}

static void write_session(
    struct pv_trap_store *store, const struct pv_ration_entry *session)
{
	struct pv_statement *statement = store->statements[ADD_SESSION];
	pv_statement_bind(statement, 1, (int64_t)session->member);
	pv_statement_bind(statement, 2, (int64_t)session->owner);
	pv_statement_run(statement);
}

static void before_commit(void *ctx, struct pv_database *database)
{
	struct pv_trap_store *store = ctx;
	(void)database;
	gather(store);
	for (size_t i = 0; i < store->row_count; i++)
		write_row(store, &store->rows[i]);
	for (size_t i = 0; i < store->session_count; i++)
		write_session(store, &store->sessions[i]);
	free(store->sessions);
	store->sessions = NULL;
	store->row_count = store->session_count = 0;
}

/* Reading */

static void read_bodies(
    struct pv_trap_counts *counts, struct pv_database *database)
{
	struct pv_statement *rows = pv_statement_create(database,
	    "SELECT slot, key, body, count FROM trap_bodies "
	    "WHERE slot >= 0 LIMIT ?1");
	pv_statement_bind(rows, 1, 2 * (int64_t)PV_SAME_BODY_SLOTS);
	while (pv_statement_step(rows)) {
		bool is_page =
		    pv_statement_number(rows, 0) < (int64_t)PV_SAME_BODY_SLOTS;
		pv_same_body_restore(
		    is_page ? &counts->pages : &counts->patterns,
		    (uint64_t)pv_statement_number(rows, 1),
		    (uint64_t)pv_statement_number(rows, 2),
		    pv_statement_number(rows, 3));
	}
	pv_statement_destroy(rows);
}

static void read_sessions(
    struct pv_trap_counts *counts, struct pv_database *database)
{
	struct pv_statement *rows = pv_statement_create(
	    database, "SELECT host, id FROM trap_sessions LIMIT ?1");
	pv_statement_bind(rows, 1, (int64_t)PV_RATION_CEILING);
	while (pv_statement_step(rows))
		pv_ration_add(&counts->sessions,
		    (uint64_t)pv_statement_number(rows, 0),
		    (uint64_t)pv_statement_number(rows, 1));
	pv_statement_destroy(rows);
	counts->sessions.is_gathering = true;
}

static void read_hosts(struct pv_traps *traps, struct pv_database *database)
{
	struct pv_statement *rows = pv_statement_create(database, FIND_HOSTS);
	pv_statement_bind(rows, 1, (int64_t)PV_RATION_CEILING);
	while (pv_statement_step(rows))
		pv_traps_add_host(traps, pv_statement_text(rows, 0));
	pv_statement_destroy(rows);
}

struct pv_trap_store *pv_trap_store_open(
    struct pv_traps *traps, struct pv_writer *writer)
{
	struct pv_trap_store *store = pv_alloc(sizeof(*store));
	struct pv_trap_counts *counts = pv_traps_lock(traps);
	store->traps = traps;
	read_bodies(counts, writer->database);
	read_sessions(counts, writer->database);
	if (pv_ration_is_on(&counts->hosts))
		read_hosts(traps, writer->database);
	pv_traps_unlock(traps);
	for (size_t i = 0; i < STATEMENTS; i++)
		store->statements[i] =
		    pv_statement_create(writer->database, sql[i]);
	pv_writer_before_commit(writer, before_commit, store);
	return store;
}

void pv_trap_store_close(struct pv_trap_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < STATEMENTS; i++)
		pv_statement_destroy(store->statements[i]);
	free(store->rows);
	free(store->sessions);
	free(store);
}
