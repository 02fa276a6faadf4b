#ifndef PAVANE_STORE_TABLES_STATE_FIGURES_H
#define PAVANE_STORE_TABLES_STATE_FIGURES_H

#include "record/change.h"
#include "record/state.h"
#include "store/database.h"

/* What a state says of the crawl as a whole, for who only reads it. Faults are
 * the database's. */

/* Calls it with the number of addresses in each state, for each cause: the
 * outcome of what is done, the reason of what is refused. */
typedef void (*pv_figure_fn)(
    void *ctx, uint64_t state, uint64_t cause, uint64_t count);
void pv_state_figures_each(
    struct pv_database *database, pv_figure_fn on_figure, void *ctx);

/* The same in a table. */
void pv_state_figures_counts(
    struct pv_database *database, struct pv_counts *counts);

/* How many addresses are neither done nor refused. */
uint64_t pv_state_figures_left(struct pv_database *database);

/* The last update, and when it began; the number is 1 where there was none. */
struct pv_round pv_state_figures_round(
    struct pv_database *database, int64_t *began_wall_ms);

/* When each update began and ended, in their order; 0: it has not ended. */
typedef void (*pv_round_fn)(
    void *ctx, int64_t number, int64_t began_wall_ms, int64_t ended_wall_ms);
void pv_state_figures_rounds(
    struct pv_database *database, pv_round_fn on_round, void *ctx);

/* Pages and bytes of all hosts, in all runs. */
struct pv_state_sums {
	uint64_t pages;
	uint64_t bytes;
};

struct pv_state_sums pv_state_figures_sums(struct pv_database *database);

#endif
