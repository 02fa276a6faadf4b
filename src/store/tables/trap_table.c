#include "store/tables/trap_table.h"

#include "store/statement.h"

enum { SET_BODY, UNSET_BODY, ADD_SESSION, ADD_HOST };

void pv_trap_table_init(
    struct pv_trap_table *table, struct pv_database *database)
{
	static const char *const sql[PV_TRAP_STATEMENTS] = {
	    /* Not by INSERT OR REPLACE, which fires no triggers for what was
	     * there. */
	    [SET_BODY] =
		"INSERT INTO trap_bodies(slot, key, body, count, host) "
		"VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(slot) DO UPDATE SET "
		"key = ?2, body = ?3, count = ?4, host = ?5",
	    [UNSET_BODY] = "DELETE FROM trap_bodies WHERE slot = ?1",
	    [ADD_SESSION] = "INSERT OR IGNORE INTO trap_sessions(id, host) "
			    "VALUES(?1, ?2)",
	    [ADD_HOST] = "INSERT OR IGNORE INTO trap_hosts(id, site) "
			 "VALUES(?1, ?2)",
	};
	for (size_t i = 0; i < PV_TRAP_STATEMENTS; i++)
		table->statements[i] = pv_statement_create(database, sql[i]);
}

void pv_trap_table_finish(struct pv_trap_table *table)
{
	for (size_t i = 0; i < PV_TRAP_STATEMENTS; i++)
		pv_statement_destroy(table->statements[i]);
}

void pv_trap_table_set_body(
    struct pv_trap_table *table, const struct pv_trap_body *body)
{
	struct pv_statement *set = table->statements[SET_BODY];
	pv_statement_bind(set, 1, body->slot);
	pv_statement_bind(set, 2, (int64_t)body->key);
	pv_statement_bind(set, 3, (int64_t)body->body);
	pv_statement_bind(set, 4, body->count);
	pv_statement_bind(set, 5, (int64_t)body->host);
	pv_statement_run(set);
}

void pv_trap_table_unset_body(struct pv_trap_table *table, int64_t slot)
{
	struct pv_statement *unset = table->statements[UNSET_BODY];
	pv_statement_bind(unset, 1, slot);
	pv_statement_run(unset);
}

void pv_trap_table_add_session(
    struct pv_trap_table *table, const struct pv_trap_session *session)
{
	struct pv_statement *add = table->statements[ADD_SESSION];
	pv_statement_bind(add, 1, (int64_t)session->id);
	pv_statement_bind(add, 2, (int64_t)session->host);
	pv_statement_run(add);
}

void pv_trap_table_add_host(
    struct pv_trap_table *table, const struct pv_trap_host *host)
{
	struct pv_statement *add = table->statements[ADD_HOST];
	pv_statement_bind(add, 1, (int64_t)host->id);
	pv_statement_bind(add, 2, (int64_t)host->site);
	pv_statement_run(add);
}

static struct pv_statement *open_rows(
    struct pv_database *database, const char *sql, uint64_t max)
{
	struct pv_statement *rows = pv_statement_create(database, sql);
	pv_statement_bind(rows, 1, (int64_t)max);
	return rows;
}

#define BODY "SELECT slot, key, body, count, host FROM trap_bodies "

static struct pv_trap_body read_body(const struct pv_statement *row)
{
	return (struct pv_trap_body){
	    .slot = pv_statement_number(row, 0),
	    .key = (uint64_t)pv_statement_number(row, 1),
	    .body = (uint64_t)pv_statement_number(row, 2),
	    .count = pv_statement_number(row, 3),
	    .host = (uint64_t)pv_statement_number(row, 4),
	};
}

void pv_trap_table_each_body(struct pv_database *database, uint64_t max,
    pv_trap_body_fn on_body, void *ctx)
{
	struct pv_statement *rows =
	    open_rows(database, BODY "WHERE slot >= 0 LIMIT ?1", max);
	while (pv_statement_step(rows)) {
		struct pv_trap_body body = read_body(rows);
		on_body(ctx, &body);
	}
	pv_statement_destroy(rows);
}

bool pv_trap_table_get_body(
    struct pv_database *database, int64_t slot, struct pv_trap_body *body)
{
	struct pv_statement *row =
	    open_rows(database, BODY "WHERE slot = ?1", (uint64_t)slot);
	bool is_there = pv_statement_step(row);
	if (is_there)
		*body = read_body(row);
	pv_statement_destroy(row);
	return is_there;
}

bool pv_trap_table_get_session(
    struct pv_database *database, int64_t id, struct pv_trap_session *session)
{
	struct pv_statement *row = open_rows(database,
	    "SELECT host FROM trap_sessions WHERE id = ?1", (uint64_t)id);
	bool is_there = pv_statement_step(row);
	if (is_there)
		*session = (struct pv_trap_session){
		    (uint64_t)id, (uint64_t)pv_statement_number(row, 0)};
	pv_statement_destroy(row);
	return is_there;
}

void pv_trap_table_each_session(struct pv_database *database, uint64_t max,
    pv_trap_session_fn on_session, void *ctx)
{
	struct pv_statement *rows = open_rows(
	    database, "SELECT id, host FROM trap_sessions LIMIT ?1", max);
	while (pv_statement_step(rows)) {
		struct pv_trap_session session = {
		    .id = (uint64_t)pv_statement_number(rows, 0),
		    .host = (uint64_t)pv_statement_number(rows, 1),
		};
		on_session(ctx, &session);
	}
	pv_statement_destroy(rows);
}

bool pv_trap_table_get_host(
    struct pv_database *database, int64_t id, struct pv_trap_host *host)
{
	struct pv_statement *row = open_rows(database,
	    "SELECT site FROM trap_hosts WHERE id = ?1", (uint64_t)id);
	bool is_there = pv_statement_step(row);
	if (is_there)
		*host = (struct pv_trap_host){
		    (uint64_t)id, (uint64_t)pv_statement_number(row, 0)};
	pv_statement_destroy(row);
	return is_there;
}

void pv_trap_table_each_host(struct pv_database *database, uint64_t max,
    pv_trap_host_fn on_host, void *ctx)
{
	struct pv_statement *rows = open_rows(
	    database, "SELECT id, site FROM trap_hosts LIMIT ?1", max);
	while (pv_statement_step(rows)) {
		struct pv_trap_host host = {
		    .id = (uint64_t)pv_statement_number(rows, 0),
		    .site = (uint64_t)pv_statement_number(rows, 1),
		};
		on_host(ctx, &host);
	}
	pv_statement_destroy(rows);
}

void pv_trap_table_each_visited_host(struct pv_database *database, uint64_t max,
    pv_host_name_fn on_name, void *ctx)
{
	struct pv_statement *rows = open_rows(database,
	    "SELECT name FROM host_states WHERE state > 0 OR failures > 0 "
	    "OR nameless_until_wall_ms > 0 OR left_reason > 0 OR EXISTS( "
	    "SELECT 1 FROM ledger WHERE host = host_states.id) LIMIT ?1",
	    max);
	while (pv_statement_step(rows))
		on_name(ctx, pv_statement_text(rows, 0));
	pv_statement_destroy(rows);
}
