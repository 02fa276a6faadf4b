#ifndef PAVANE_STORE_TABLES_STATE_HOSTS_H
#define PAVANE_STORE_TABLES_STATE_HOSTS_H

#include "base/str.h"
#include "record/host.h"
#include "store/database.h"

/* The hosts that a state knows, as they stand, for who only reads them. Who
 * changes them is the frontier. Faults are the database's. */
struct pv_statement;

/* The host of that name; false if there is none. Its name is left empty. What a
 * run left in good order is held by nobody, and rests for what was left at its
 * end. */
bool pv_state_hosts_get(struct pv_database *database, struct pv_str name,
    struct pv_host *host, enum pv_holding *holding);

/* When the last run left its hosts in good order, by its clock; negative if it
 * did not, or another has begun since. */
int64_t pv_state_hosts_left_at(struct pv_database *database);

/* Under this name stands that time, and one more. */
#define PV_HOSTS_LEFT_NOTE PV_STR("hosts-left")

/* Columns of the table host_states, and how they are read. */
#define PV_STATE_HOST_COLUMNS                                         \
	"id, name, owes_delay, left_ms, until_wall_ms, wait_ms, "     \
	"wait_reason, took_ms, rest_ms, rest_until_wall_ms, "         \
	"window_until_wall_ms, window_count, blocks, pages, bytes, "  \
	"address_left_ms, address_until_wall_ms, address_wait_ms, "   \
	"failures, nameless_until_wall_ms, left_reason, retry_debt, " \
	"saved_ms, name_failures, name_failed_wall_ms"

/* The name is valid until the statement's next step or reset. */
struct pv_host pv_state_host_read(const struct pv_statement *row);

#endif
