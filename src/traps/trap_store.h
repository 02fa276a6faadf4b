#ifndef PAVANE_TRAPS_TRAP_STORE_H
#define PAVANE_TRAPS_TRAP_STORE_H

#include "store/tables/trap_table.h"
#include "traps/traps.h"

/* What is counted of traps, kept in state.db so that it holds over runs.
 *
 * What has changed is written in the writer's thread before each commit, at the
 * latest in that of the page which brought it, so that a kill forgets nothing
 * that is committed; what was in flight then may count twice. Of bodies there
 * is a row for a slot, so there are never more than slots. Which hosts are
 * visited is read from what is known of hosts.
 */
struct pv_trap_store;
struct pv_writer;

/* For a store that is open and not started: reads what is kept, and goes on
 * from there. The traps must outlive it. */
struct pv_trap_store *pv_trap_store_open(
    struct pv_traps *traps, struct pv_writer *writer);

/* In a fleet a host's counts go with the host (frontier/sqlite/handover_notes.h).
 * On the writer's thread: what is known of some hosts, by the hashes of their names
 * which are sorted, is forgotten, and what others have counted is put in. */
void pv_trap_store_forget(
    struct pv_trap_store *store, const uint64_t *hosts, size_t count);
void pv_trap_store_put_body(
    struct pv_trap_store *store, const struct pv_trap_body *body);
void pv_trap_store_put_session(
    struct pv_trap_store *store, const struct pv_trap_session *session);

/* Which hosts of sites are followed is kept from now on, with what is kept of that;
 * before the store is started. */
void pv_trap_store_keep_hosts(
    struct pv_trap_store *store, struct pv_database *database);
void pv_trap_store_put_host(
    struct pv_trap_store *store, const struct pv_trap_host *host);

/* Before the database is closed. NULL is fine. */
void pv_trap_store_close(struct pv_trap_store *store);

#endif
