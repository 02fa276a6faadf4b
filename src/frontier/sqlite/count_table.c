#include "frontier/sqlite/count_table.h"

#include "store/statement.h"
#include "store/tables/state_figures.h"

_Static_assert(PV_REASON_COUNT <= PV_CAUSE_MAX, "reasons have a place");
_Static_assert(PV_OUTCOME_COUNT <= PV_CAUSE_MAX, "outcomes have a place");

static void take(void *ctx, uint64_t state, uint64_t cause, uint64_t count)
{
	struct pv_count_table *table = ctx;
	if (state < PV_STATE_COUNT && cause < PV_CAUSE_MAX)
		table->written[state][cause] = (int64_t)count;
}

void pv_count_table_init(
    struct pv_count_table *table, struct pv_database *database)
{
	*table = (struct pv_count_table){.database = database};
	pv_state_figures_each(database, take, table);
	memcpy(table->counts, table->written, sizeof(table->counts));
}

void pv_count_table_add(
    struct pv_count_table *table, struct pv_cause cause, int64_t number)
{
	table->counts[cause.state][cause.cause] += number;
}

void pv_count_table_move(
    struct pv_count_table *table, struct pv_cause from, struct pv_cause to)
{
	pv_count_table_add(table, from, -1);
	pv_count_table_add(table, to, 1);
}

void pv_count_table_get(
    const struct pv_count_table *table, struct pv_counts *counts)
{
	*counts = (struct pv_counts){.states = {0}};
	for (unsigned state = 0; state < PV_STATE_COUNT; state++) {
		for (unsigned cause = 0; cause < PV_CAUSE_MAX; cause++) {
			uint64_t count = (uint64_t)table->counts[state][cause];
			counts->states[state] += count;
			if (state == PV_STATE_DONE)
				counts->outcomes[cause] = count;
			if (state == PV_STATE_REFUSED)
				counts->reasons[cause] = count;
		}
	}
}

void pv_count_table_write(struct pv_count_table *table)
{
	struct pv_statement *statement = pv_statement_create(table->database,
	    "INSERT OR REPLACE INTO counts(state, cause, count) "
	    "VALUES(?1, ?2, ?3)");
	for (unsigned state = 0; state < PV_STATE_COUNT; state++) {
		for (unsigned cause = 0; cause < PV_CAUSE_MAX; cause++) {
			int64_t count = table->counts[state][cause];
			if (count == table->written[state][cause])
				continue;
			pv_statement_bind(statement, 1, state);
			pv_statement_bind(statement, 2, cause);
			pv_statement_bind(statement, 3, count);
			pv_statement_run(statement);
		}
	}
	pv_statement_destroy(statement);
	memcpy(table->written, table->counts, sizeof(table->counts));
}
