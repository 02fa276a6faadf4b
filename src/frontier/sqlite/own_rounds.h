#ifndef PAVANE_FRONTIER_SQLITE_OWN_ROUNDS_H
#define PAVANE_FRONTIER_SQLITE_OWN_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "store/database.h"

/* The table own_rounds: addresses that were asked for anew, each by itself, and
 * how often; the first time counts as 1, and is in no row. Used on the writer's
 * thread. */
struct pv_own_rounds {
	struct pv_database *database;
	bool has_rows; /* most crawls have none */
};

void pv_own_rounds_init(
    struct pv_own_rounds *rounds, struct pv_database *database);

/* The address is in its next round. */
void pv_own_rounds_begin(struct pv_own_rounds *rounds, uint64_t address);

/* 0 if it has none of its own. */
uint64_t pv_own_rounds_get(
    const struct pv_own_rounds *rounds, uint64_t address);

#endif
