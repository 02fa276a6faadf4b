#ifndef PAVANE_STORE_TABLES_TRAP_TABLE_H
#define PAVANE_STORE_TABLES_TRAP_TABLE_H

#include "base/str.h"
#include "store/database.h"

/* What is counted of traps: how often bodies came in a row, a row for each slot
 * of a table in memory (trap_bodies), and which session identifiers are
 * followed (trap_sessions); of a fleet's worker also which hosts of sites are
 * (trap_hosts). Faults are the database's. Used by one thread at a
 * time. */
enum { PV_TRAP_STATEMENTS = 4 };

struct pv_trap_table {
	struct pv_statement *statements[PV_TRAP_STATEMENTS];
};

struct pv_trap_body {
	int64_t slot;
	uint64_t key;
	uint64_t body;
	int64_t count;
	uint64_t host; /* the hash of its name */
};

struct pv_trap_session {
	uint64_t id;
	uint64_t host;
};

struct pv_trap_host {
	uint64_t id;
	uint64_t site;
};

void pv_trap_table_init(
    struct pv_trap_table *table, struct pv_database *database);
void pv_trap_table_finish(struct pv_trap_table *table);

void pv_trap_table_set_body(
    struct pv_trap_table *table, const struct pv_trap_body *body);
void pv_trap_table_unset_body(struct pv_trap_table *table, int64_t slot);
void pv_trap_table_add_session(
    struct pv_trap_table *table, const struct pv_trap_session *session);
void pv_trap_table_add_host(
    struct pv_trap_table *table, const struct pv_trap_host *host);

/* False if there is none. */
bool pv_trap_table_get_body(
    struct pv_database *database, int64_t slot, struct pv_trap_body *body);
bool pv_trap_table_get_session(
    struct pv_database *database, int64_t id, struct pv_trap_session *session);

bool pv_trap_table_get_host(
    struct pv_database *database, int64_t id, struct pv_trap_host *host);

/* Calls it with each, up to so many. */
typedef void (*pv_trap_body_fn)(void *ctx, const struct pv_trap_body *body);
void pv_trap_table_each_body(struct pv_database *database, uint64_t max,
    pv_trap_body_fn on_body, void *ctx);
typedef void (*pv_trap_session_fn)(
    void *ctx, const struct pv_trap_session *session);
void pv_trap_table_each_session(struct pv_database *database, uint64_t max,
    pv_trap_session_fn on_session, void *ctx);

typedef void (*pv_trap_host_fn)(void *ctx, const struct pv_trap_host *host);
void pv_trap_table_each_host(struct pv_database *database, uint64_t max,
    pv_trap_host_fn on_host, void *ctx);

/* The names of hosts that are visited, or were; the others have only addresses
 * that were refused. */
typedef void (*pv_host_name_fn)(void *ctx, struct pv_str name);
void pv_trap_table_each_visited_host(struct pv_database *database, uint64_t max,
    pv_host_name_fn on_name, void *ctx);

#endif
