#include "store/service/paused_hosts.h"

#include "store/statement.h"

static bool run(struct pv_job_store *store, struct pv_statement *statement)
{
	struct pv_database *database = pv_job_store_database(store);
	pv_database_begin(database);
	int64_t changed = pv_statement_run(statement);
	pv_statement_destroy(statement);
	return pv_database_commit(database) && changed > 0;
}

bool pv_paused_hosts_put(
    struct pv_job_store *store, const struct pv_paused_host *host)
{
	struct pv_statement *statement = pv_statement_create(
	    pv_job_store_database(store), "INSERT OR REPLACE INTO paused_hosts "
					  "VALUES (?1, ?2, ?3, ?4, ?5)");
	pv_statement_bind_text(statement, 1, host->name);
	pv_statement_bind(statement, 2, host->since_ms);
	pv_statement_bind(statement, 3, host->until_ms);
	pv_statement_bind_text(statement, 4, host->reason);
	pv_statement_bind_text(statement, 5, host->by);
	return run(store, statement);
}

bool pv_paused_hosts_remove(struct pv_job_store *store, struct pv_str name)
{
	struct pv_statement *statement =
	    pv_statement_create(pv_job_store_database(store),
		"DELETE FROM paused_hosts WHERE name = ?1");
	pv_statement_bind_text(statement, 1, name);
	return run(store, statement);
}

void pv_paused_hosts_each(
    struct pv_job_store *store, pv_paused_host_fn fn, void *ctx)
{
	bool goes_on = true;
	struct pv_statement *statement =
	    pv_statement_create(pv_job_store_database(store),
		"SELECT name, since_ms, until_ms, reason, by FROM paused_hosts "
		"ORDER BY name");
	while (goes_on && pv_statement_step(statement)) {
		const struct pv_paused_host host = {
		    .name = pv_statement_text(statement, 0),
		    .since_ms = pv_statement_number(statement, 1),
		    .until_ms = pv_statement_number(statement, 2),
		    .reason = pv_statement_text(statement, 3),
		    .by = pv_statement_text(statement, 4),
		};
		goes_on = fn(ctx, &host);
	}
	pv_statement_destroy(statement);
}

void pv_paused_hosts_tidy(struct pv_job_store *store, int64_t now_ms)
{
	struct pv_statement *statement =
	    pv_statement_create(pv_job_store_database(store),
		"DELETE FROM paused_hosts WHERE until_ms <= ?1");
	pv_statement_bind(statement, 1, now_ms);
	run(store, statement);
}
