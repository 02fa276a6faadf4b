#ifndef PAVANE_FRONTIER_SQLITE_ROUND_TABLE_H
#define PAVANE_FRONTIER_SQLITE_ROUND_TABLE_H

#include "frontier/plans.h"
#include "frontier/sqlite/count_table.h"
#include "record/change.h"
#include "store/writer.h"

/* The round that a crawl is in, and its row: how many copies it is to ask for,
 * and what came of that so far, kept in memory and written with each commit.
 * The first round, the crawl itself, has no row. Used on the writer's
 * thread. */
struct pv_round_table {
	struct pv_database *database;
	struct pv_round round;
	bool is_written;

	/* What is due in it. */
	bool is_listing;       /* only sitemaps so far: see below */
	uint64_t last_address; /* that was known when it began */
	int64_t began_wall_ms;
	int64_t before_wall_ms; /* heard of then, or earlier */
	bool takes_failed;      /* that there is no copy of */
};

void pv_round_table_init(
    struct pv_round_table *table, struct pv_database *database);

/* Whether it is an update that was begun and has not come to its end. */
bool pv_round_is_open(struct pv_database *database);

/* Begins the next round: all that is done and due is to be pending again, and
 * what counts against the limits of hosts to count anew
 * (pv_round_table_readmit). What was refused stays refused. If there are
 * sitemaps among it only they are, since they tell what need not be asked for.
 * False, with nothing changed, if nothing is due. */
bool pv_round_table_begin(
    struct pv_round_table *table, const struct pv_round_plan *plan);

/* Takes part in a round that was begun elsewhere: whatever is due in it comes from
 * there. */
void pv_round_table_join(
    struct pv_round_table *table, uint64_t number, int64_t now_wall_ms);

/* Nothing is left: then what waited for the sitemaps is to be pending. False if
 * there is nothing of the kind. */
bool pv_round_table_go_on(struct pv_round_table *table);

/* Makes pending what is to be, also what an earlier process had no time for. It
 * may cut (pv_writer_cut). */
void pv_round_table_readmit(struct pv_round_table *table,
    struct pv_count_table *counts, struct pv_writer *writer);

void pv_round_table_count(struct pv_round_table *table, enum pv_change change);
void pv_round_table_write(struct pv_round_table *table);

/* The last round that was begun has come to its end. */
void pv_round_table_end(struct pv_database *database, int64_t wall_ms);

#endif
