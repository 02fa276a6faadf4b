#ifndef PAVANE_FRONTIER_SQLITE_ADDRESS_TABLE_H
#define PAVANE_FRONTIER_SQLITE_ADDRESS_TABLE_H

#include "record/link.h"
#include "record/result.h"
#include "record/state.h"
#include "record/visit.h"
#include "store/database.h"

/* The rows of addresses, and the fingerprints by which they are found. Used on
 * the writer's thread, in its transactions. */
enum { PV_ADDRESS_STATEMENTS = 15 };

struct pv_address_table {
	struct pv_database *database;
	struct pv_statement *statements[PV_ADDRESS_STATEMENTS];

	/* Completes a visit before it is given out; NULL for nothing. What it
	 * adds must live until the next one. */
	void (*complete)(void *ctx, struct pv_visit *visit);
	void *complete_ctx;
};

/* All of an address that changes. */
struct pv_address_row {
	uint64_t host_id;
	enum pv_address_state state;
	struct pv_standing standing;
	struct pv_verdict verdict; /* of what is refused; its standing may be
				      good all the same (robots.txt) */
	uint32_t attempt;
	uint32_t waits;             /* as of a visit */
	int64_t not_before_wall_ms; /* when it is pending after a failure */
	int64_t lastmod_wall_ms;    /* as of a link */
	bool is_left_out; /* though it was answered, no update asks for it: the
			     policy has become narrower since */
	struct pv_result result;
};

/* Under what an address is counted. */
struct pv_cause {
	enum pv_address_state state;
	unsigned cause; /* the outcome of what is done, the reason of what is
			   refused, else 0 */
};

struct pv_cause pv_address_row_cause(const struct pv_address_row *row);

/* It is to be asked for, and with all its tries before it: what became of
 * earlier ones neither counts nor makes it wait. */
void pv_address_row_ask_anew(struct pv_address_row *row);

void pv_address_table_init(
    struct pv_address_table *table, struct pv_database *database);
void pv_address_table_finish(struct pv_address_table *table);

/* The number of the newest address; 0 if there is none. */
uint64_t pv_address_table_last(struct pv_address_table *table);

/* Makes the fingerprint known; false if it is already. */
bool pv_address_table_add_seen(struct pv_address_table *table,
    struct pv_fingerprint fingerprint, uint64_t id);

/* The address that is known by the fingerprint; 0 if none is. */
uint64_t pv_address_table_find(
    struct pv_address_table *table, struct pv_fingerprint fingerprint);

void pv_address_table_add(struct pv_address_table *table, uint64_t id,
    uint64_t host_id, enum pv_address_state state, const struct pv_link *link);

/* False if there is no such address. */
bool pv_address_table_get(
    struct pv_address_table *table, uint64_t id, struct pv_address_row *row);

/* Appends the text of an address; nothing for 0. */
void pv_address_table_url(
    struct pv_address_table *table, uint64_t id, struct pv_buf *url);

/* An address that is refused, with its texts, which are valid until the
 * statement is reset. */
bool pv_address_table_get_refused(
    struct pv_address_table *table, uint64_t id, struct pv_visit *visit);
void pv_address_table_reset_refused(struct pv_address_table *table);

void pv_address_table_set(struct pv_address_table *table, uint64_t id,
    const struct pv_address_row *row);

/* Keeps how an address is to stand, in the table `rejudged`; and the next such
 * address behind one, 0 if there is none. */
void pv_address_table_keep(struct pv_address_table *table, uint64_t id,
    const struct pv_address_row *row);
uint64_t pv_address_table_next_kept(
    struct pv_address_table *table, uint64_t after, struct pv_address_row *row);

/* Takes the host's next visits until there are so many of them, or their texts
 * fill the answer, which is false; they are in flight now. */
bool pv_address_table_take(struct pv_address_table *table, uint64_t host_id,
    size_t max, struct pv_visit_list *visits);

/* What is in flight is pending again: of one host, or of any, up to so many.
 * How many addresses. */
uint64_t pv_address_table_return(
    struct pv_address_table *table, uint64_t host_id);
uint64_t pv_address_table_return_some(
    struct pv_address_table *table, uint64_t max);

/* The addresses behind that one that are refused, until there are so many of
 * them, or their texts fill the answer. */
void pv_address_table_refused(struct pv_address_table *table, uint64_t after,
    size_t max, struct pv_visit_list *visits);

/* How many of the seeds were refused, or have no good answer, or were
 * redirected to such. */
uint64_t pv_address_table_failed_seeds(struct pv_address_table *table);

bool pv_address_table_has_pending(
    struct pv_address_table *table, uint64_t host_id);

#endif
