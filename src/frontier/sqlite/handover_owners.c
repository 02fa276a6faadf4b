#include "frontier/sqlite/handover_owners.h"

#include "frontier/sqlite/handover.h"
#include "frontier/sqlite/handover_notes.h"
#include "store/statement.h"

enum {
	AWAIT,
	RETURN,
	OWNED,
	BUSY,
	ALL_AWAY,
	SOME_AWAY,
	OWE,
};

/* More milliseconds are a long rest, as after a Retry-After. */
#define LONG_REST "60000"

static const char *const sql[PV_HANDOVER_OWNERS] = {
    [AWAIT] = "UPDATE addresses INDEXED BY addresses_pending SET state = 4 "
	      "WHERE host = ?1 AND state = 0",
    [RETURN] = "UPDATE addresses INDEXED BY addresses_elsewhere SET state = 0 "
	       "WHERE host = ?1 AND state = 4",
    [OWNED] = "SELECT name FROM host_states WHERE state <> -1",
    /* As enum pv_asked says; waiting, held, and drained. */
    [BUSY] =
	"SELECT name, CASE WHEN owes_delay THEN 1 WHEN took_ms + wait_ms > 0 "
	"THEN 2 ELSE 0 END FROM host_states WHERE (?1 OR wait_ms <= " LONG_REST
	") AND (state "
	"IN (1, 2) OR (state = 3 AND EXISTS(SELECT 1 FROM addresses INDEXED "
	"BY addresses_in_flight WHERE host = host_states.id AND "
	"addresses.state = 1)))",
    [ALL_AWAY] = "UPDATE addresses SET state = 4 WHERE id IN (SELECT id FROM "
		 "addresses INDEXED BY addresses_pending WHERE state = 0 "
		 "LIMIT 500)",
    [SOME_AWAY] = "UPDATE addresses SET state = 4 WHERE id IN (SELECT id FROM "
		  "addresses INDEXED BY addresses_pending WHERE state = 0 AND "
		  "host IN (SELECT id FROM host_states WHERE state = -1) "
		  "LIMIT 500)",
    [OWE] = "UPDATE host_states SET owes_delay = 1 WHERE id = ?1",
};

/* What was to go to another worker when the last run ended has not gone. */
static const char stays[] =
    "UPDATE host_states SET state = EXISTS(SELECT 1 FROM addresses WHERE "
    "host = host_states.id AND addresses.state = 0) WHERE state = -2";

static void note_owned(void *ctx, struct pv_str host)
{
	const struct pv_handover *handover = ctx;
	pv_handover_notes_own(
	    handover->database, pv_handover_notes_owner(&handover->key, host));
}

void pv_handover_owners_open(struct pv_handover *handover)
{
	pv_statements_create(
	    handover->owners, handover->database, sql, PV_HANDOVER_OWNERS);
	pv_database_run(handover->database, stays);
	pv_handover_each_owned(handover, note_owned, handover);
}

void pv_handover_owners_close(struct pv_handover *handover)
{
	pv_statements_destroy(handover->owners, PV_HANDOVER_OWNERS);
}

static void count_moved(struct pv_handover *handover,
    enum pv_address_state from, enum pv_address_state to, int64_t count)
{
	struct pv_count_table *counts = &handover->tables->counts;
	pv_count_table_add(counts, (struct pv_cause){.state = from}, -count);
	pv_count_table_add(counts, (struct pv_cause){.state = to}, count);
}

static int64_t run_for(struct pv_statement *statement, uint64_t host_id)
{
	pv_statement_bind(statement, 1, (int64_t)host_id);
	return pv_statement_run(statement);
}

bool pv_handover_own(
    struct pv_handover *handover, struct pv_str host, bool owes_delay)
{
	struct pv_tables *tables = handover->tables;
	enum pv_holding holding;
	uint64_t id = pv_host_table_find(&tables->hosts, host, 0, &holding);
	if (holding >= PV_HOST_IDLE)
		return false;
	pv_link_batch_apply(&tables->batch);
	pv_host_table_write(&tables->hosts);
	if (owes_delay)
		run_for(handover->owners[OWE], id);
	pv_host_table_set_holding(&tables->hosts, id, PV_HOST_IDLE);
	note_owned(handover, host);
	count_moved(handover, PV_STATE_ELSEWHERE, PV_STATE_PENDING,
	    run_for(handover->owners[RETURN], id));
	if (pv_address_table_has_pending(&tables->addresses, id))
		pv_link_batch_wake(&tables->batch, id, PV_HOST_IDLE);
	return true;
}

/* What goes to others is not taken back by being loaded. */
bool pv_handover_owns(struct pv_handover *handover, struct pv_str host)
{
	enum pv_holding holding;
	pv_host_table_find(&handover->tables->hosts, host, 0, &holding);
	return holding != PV_HOST_AWAY;
}

bool pv_handover_leave(struct pv_handover *handover, struct pv_str host)
{
	struct pv_host_table *hosts = &handover->tables->hosts;
	enum pv_holding holding;
	uint64_t id = pv_host_table_find(hosts, host, 0, &holding);
	if (holding >= PV_HOST_HELD)
		return false;
	if (holding != PV_HOST_AWAY)
		pv_host_table_set_holding(hosts, id, PV_HOST_DEPARTING);
	return true;
}

static void give(struct pv_handover *handover, uint64_t id)
{
	pv_host_table_set_holding(&handover->tables->hosts, id, PV_HOST_AWAY);
	count_moved(handover, PV_STATE_PENDING, PV_STATE_ELSEWHERE,
	    run_for(handover->owners[AWAIT], id));
}

void pv_handover_give(struct pv_handover *handover, struct pv_str host)
{
	struct pv_tables *tables = handover->tables;
	enum pv_holding holding;
	pv_link_batch_apply(&tables->batch);
	uint64_t id = pv_host_table_find(&tables->hosts, host, 0, &holding);
	if (holding != PV_HOST_DEPARTING)
		return;
	give(handover, id);
	pv_handover_notes_give(
	    handover->database, pv_handover_notes_owner(&handover->key, host));
}

static void let_wait(struct pv_handover *handover, struct pv_statement *some)
{
	struct pv_tables *tables = handover->tables;
	int64_t count;
	do {
		count = pv_statement_run(some);
		count_moved(
		    handover, PV_STATE_PENDING, PV_STATE_ELSEWHERE, count);
		pv_count_table_write(&tables->counts);
		pv_writer_cut(tables->writer, (size_t)count);
	} while (count > 0);
}

void pv_handover_give_judged(struct pv_handover *handover)
{
	let_wait(handover, handover->owners[SOME_AWAY]);
}

void pv_handover_give_all(struct pv_handover *handover)
{
	let_wait(handover, handover->owners[ALL_AWAY]);
	pv_database_run(handover->database,
	    "UPDATE host_states SET state = -1 WHERE state <> -1");
	pv_handover_notes_give_all(handover->database);
}

void pv_handover_join_round(
    struct pv_handover *handover, uint64_t number, int64_t now_wall_ms)
{
	struct pv_tables *tables = handover->tables;
	pv_part_table_clear(&tables->parts);
	pv_host_table_count_anew(handover->database, tables->writer);
	pv_round_table_join(&tables->round, number, now_wall_ms);
}

void pv_handover_each_owned(
    struct pv_handover *handover, pv_owned_fn call, void *ctx)
{
	struct pv_statement *hosts = handover->owners[OWNED];
	while (pv_statement_step(hosts))
		call(ctx, pv_statement_text(hosts, 0));
}

void pv_handover_each_busy(struct pv_handover *handover, bool has_long_rests,
    pv_busy_fn call, void *ctx)
{
	struct pv_statement *hosts = handover->owners[BUSY];
	pv_statement_bind(hosts, 1, has_long_rests);
	while (pv_statement_step(hosts))
		call(ctx, pv_statement_text(hosts, 0),
		    (enum pv_asked)pv_statement_number(hosts, 1));
}
