#include "store/tables/state_figures.h"

#include "store/statement.h"

static uint64_t number(const struct pv_statement *row, int column)
{
	return (uint64_t)pv_statement_number(row, column);
}

void pv_state_figures_each(
    struct pv_database *database, pv_figure_fn on_figure, void *ctx)
{
	struct pv_statement *row = pv_statement_create(
	    database, "SELECT state, cause, count FROM counts");
	while (pv_statement_step(row))
		on_figure(ctx, number(row, 0), number(row, 1), number(row, 2));
	pv_statement_destroy(row);
}

/* Numbers that are not ours are left out. */
static void add_figure(
    void *ctx, uint64_t state, uint64_t cause, uint64_t count)
{
	struct pv_counts *counts = ctx;
	if (state >= PV_STATE_COUNT || cause >= PV_CAUSE_MAX)
		return;
	counts->states[state] += count;
	if (state == PV_STATE_DONE)
		counts->outcomes[cause] += count;
	if (state == PV_STATE_REFUSED)
		counts->reasons[cause] += count;
}

void pv_state_figures_counts(
    struct pv_database *database, struct pv_counts *counts)
{
	*counts = (struct pv_counts){.states = {0}};
	pv_state_figures_each(database, add_figure, counts);
}

uint64_t pv_state_figures_left(struct pv_database *database)
{
	return (uint64_t)pv_database_number(database,
	    "SELECT ifnull(sum(count), 0) FROM counts WHERE state < 2");
}

struct pv_round pv_state_figures_round(
    struct pv_database *database, int64_t *began_wall_ms)
{
	struct pv_round round = {.number = 1};
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT number, began_wall_ms, new, changed, gone, same, failed "
	    "FROM rounds ORDER BY number DESC LIMIT 1");
	if (pv_statement_step(row)) {
		round.number = number(row, 0);
		*began_wall_ms = pv_statement_number(row, 1);
		round.counts[PV_CHANGE_NEW] = number(row, 2);
		round.counts[PV_CHANGE_CHANGED] = number(row, 3);
		round.counts[PV_CHANGE_GONE] = number(row, 4);
		round.counts[PV_CHANGE_SAME] = number(row, 5);
		round.counts[PV_CHANGE_FAILED] = number(row, 6);
	}
	pv_statement_destroy(row);
	return round;
}

struct pv_state_sums pv_state_figures_sums(struct pv_database *database)
{
	struct pv_state_sums sums = {0, 0};
	struct pv_statement *row = pv_statement_create(
	    database, "SELECT sum(pages), sum(bytes) FROM host_states");
	if (pv_statement_step(row)) {
		sums.pages = number(row, 0);
		sums.bytes = number(row, 1);
	}
	pv_statement_destroy(row);
	return sums;
}

void pv_state_figures_rounds(
    struct pv_database *database, pv_round_fn on_round, void *ctx)
{
	struct pv_statement *rows = pv_statement_create(database,
	    "SELECT number, began_wall_ms, ended_wall_ms FROM rounds "
	    "ORDER BY number");
	while (pv_statement_step(rows))
		on_round(ctx, pv_statement_number(rows, 0),
		    pv_statement_number(rows, 1), pv_statement_number(rows, 2));
	pv_statement_destroy(rows);
}
