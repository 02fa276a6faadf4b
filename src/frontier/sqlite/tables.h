#ifndef PAVANE_FRONTIER_SQLITE_TABLES_H
#define PAVANE_FRONTIER_SQLITE_TABLES_H

#include "frontier/frontier.h"
#include "frontier/sqlite/link_batch.h"
#include "frontier/sqlite/link_pages.h"
#include "frontier/sqlite/rejudging.h"
#include "frontier/sqlite/round_table.h"
#include "store/tables/part_table.h"

/* What each paper does to the rows of the state file. Used on the writer's
 * thread, in its transactions; before that, while the file is put in order. */
struct pv_tables {
	struct pv_address_table addresses;
	struct pv_host_table hosts;
	struct pv_count_table counts;
	struct pv_copy_table copies;
	struct pv_carry_table carries;
	struct pv_own_rounds own_rounds;
	struct pv_part_table parts;
	struct pv_round_table round;
	struct pv_link_room room;
	struct pv_link_batch batch;
	struct pv_link_pages pages;         /* of this transaction */
	struct pv_buf packed;               /* a visit's copy ... */
	struct pv_buf packed_part;          /* ... and its part */
	struct pv_buf carry;                /* ... and what it carries */
	const struct pv_frontier *frontier; /* whose has_copy is asked; NULL */
	struct pv_writer *writer;           /* that has the database */
};

/* What a group of papers has brought, as on_work tells it. */
struct pv_work {
	uint64_t *woken; /* owned */
	size_t woken_count;
	bool has_waiting_hosts;
};

void pv_tables_init(struct pv_tables *tables, struct pv_database *database,
    struct pv_writer *writer);
void pv_tables_finish(struct pv_tables *tables);

/* After an end that was not orderly; what there was to recover. */
struct pv_recovered pv_tables_recover(struct pv_tables *tables);

/* Puts what is done and due back into the line; false if nothing is due. */
bool pv_tables_begin_round(
    struct pv_tables *tables, const struct pv_round_plan *plan);

/* Asks of all that is known how it stands by another policy. */
void pv_tables_rejudge(
    struct pv_tables *tables, struct pv_rejudging *rejudging);
void pv_tables_finish_rejudging(struct pv_tables *tables);

/* As pv_frontier_set_ceilings. */
uint64_t pv_tables_set_ceilings(struct pv_tables *tables,
    const struct pv_link_ceilings *ceilings, bool forgets_traps);

/* Some links of a list, which must live until pv_tables_settle; how many pages
 * of the file these change at most, beside those of the transaction before.
 * What a page has brought is added before the page is reported: in the same
 * transaction, or in ones before it, since a page that was not reported is
 * asked for again. */
size_t pv_tables_add_links(struct pv_tables *tables,
    const struct pv_link_list *links, size_t first, size_t end);

/* All of it but its links. */
void pv_tables_report(struct pv_tables *tables, struct pv_report *report);
void pv_tables_take_hosts(
    struct pv_tables *tables, struct pv_host_request *request);
void pv_tables_take_visits(
    struct pv_tables *tables, struct pv_visit_request *request);

/* How many visits come back with it. */
uint64_t pv_tables_give_host(
    struct pv_tables *tables, const struct pv_host_return *giving);

void pv_tables_give_all_hosts(
    struct pv_tables *tables, const struct pv_host_returns *giving);
void pv_tables_count(
    struct pv_tables *tables, struct pv_count_request *request);

void pv_tables_take_refused(
    struct pv_tables *tables, struct pv_refused_request *request);

/* Before a commit: writes what was gathered, and gives what all since the last
 * one has brought. */
void pv_tables_settle(struct pv_tables *tables, struct pv_work *work);

#endif
