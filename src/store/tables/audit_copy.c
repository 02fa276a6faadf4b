#include "store/tables/audit_copy.h"

/* A table that is named without its schema is the connection's own, if there is
 * one of that name. */
static const char take_sql[] =
    "PRAGMA temp_store = FILE;"
    "BEGIN;"
    "CREATE TEMP TABLE crawl AS SELECT * FROM main.crawl;"
    "CREATE TEMP TABLE files AS SELECT * FROM main.files;"
    "CREATE TEMP TABLE ledger AS SELECT * FROM main.ledger;"
    "CREATE TEMP TABLE host_states AS SELECT id, name FROM main.host_states "
    "WHERE id IN (SELECT host FROM main.ledger);"
    "CREATE TEMP TABLE authorities AS SELECT * FROM main.authorities;"
    "COMMIT";

/* When the state is not being read any more. */
static const char sort_sql[] =
    "CREATE INDEX temp.own_notes ON crawl(name);"
    "CREATE INDEX temp.own_ledgers ON ledger(host);"
    "CREATE INDEX temp.own_hosts ON host_states(name);"
    "CREATE INDEX temp.own_authorities ON authorities(name)";

void pv_audit_copy_take(struct pv_database *database)
{
	pv_database_run(database, take_sql);
	pv_database_run(database, sort_sql);
}
