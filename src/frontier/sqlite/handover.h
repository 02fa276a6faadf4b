#ifndef PAVANE_FRONTIER_SQLITE_HANDOVER_H
#define PAVANE_FRONTIER_SQLITE_HANDOVER_H

#include "base/hash.h"
#include "frontier/sqlite/renewal.h"
#include "frontier/sqlite/tables.h"

/* What a worker of a fleet passes on of its state, and what it takes over from
 * others.
 *
 * A worker decides about the hosts that it owns in its own state, as a crawl on one
 * machine does. Each change of a row is marked in the same transaction (table
 * `unsent`, by triggers that only a fleet's worker has), so what was not passed
 * on before a kill is passed on after it. Rows are passed on as they are when
 * they are taken: to pass one on twice changes nothing.
 *
 * A host that is new here belongs to others until it is taken over (`own`). Its
 * addresses that are to be visited are PV_STATE_ELSEWHERE; they are passed on as
 * links, which its owner joins with what it knows. All functions are called on
 * the writer's thread, in its transactions.
 *
 * Here it is opened. What goes out is in frontier/sqlite/handover_out.h, what comes in
 * in handover_in.h, and whose hosts are in handover_owners.h.
 */

/* What a trigger does to mark a row. Not by INSERT OR REPLACE: where a statement that
 * changes a row says itself what is to be done about conflicts, as an upsert does,
 * that goes for its triggers, too. The plus takes a column's affinity away: with it
 * the index would find the kind alone, and each mark read all others of its kind. */
#define PV_HANDOVER_MARK(kind, key)                                 \
	"DELETE FROM unsent WHERE kind = " #kind " AND key = +" key \
	"; INSERT INTO unsent(kind, key) VALUES(" #kind ", " key "); "

/* The statements of each of its parts. */
enum {
	PV_HANDOVER_OUT = 5,    /* frontier/sqlite/handover_out.h */
	PV_HANDOVER_IN = 3,     /* frontier/sqlite/handover_in.h */
	PV_HANDOVER_OWNERS = 7, /* frontier/sqlite/handover_owners.h */
};

struct pv_handover {
	struct pv_tables *tables;
	struct pv_database *database;
	struct pv_hash_key key; /* of fingerprints */
	struct pv_renewal renewal;
	struct pv_statement *out[PV_HANDOVER_OUT];
	struct pv_statement *in[PV_HANDOVER_IN];
	struct pv_statement *owners[PV_HANDOVER_OWNERS];
	struct pv_page_rows_table rows; /* that pages have given ... */
	bool has_rows;                  /* ... if any page ever has */
	struct pv_buf carry;
	struct pv_buf row_texts;

	/* What others have refused before the scope became wider is judged again
	 * as it is taken over; NULL: it did not. Borrowed. */
	struct pv_rejudging *readmits;

	/* How far the wall clock of the database's server is ahead of ours: what
	 * rests until some time goes by its time, since workers' own may be
	 * wrong. */
	int64_t server_ahead_ms;
};

/* From now on changes are marked, and new hosts are others'. `tables` outlives
 * the handover. */
void pv_handover_open(struct pv_handover *handover, struct pv_tables *tables,
    const struct pv_hash_key *key);
void pv_handover_close(struct pv_handover *handover);

#endif
