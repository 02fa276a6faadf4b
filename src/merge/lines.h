#ifndef PAVANE_MERGE_LINES_H
#define PAVANE_MERGE_LINES_H

#include "record/fingerprint.h"
#include "store/database.h"

/* What a line says of the content of its address. */
enum pv_merge_content {
	PV_MERGE_READ,      /* it was read, or is none any more */
	PV_MERGE_ELSEWHERE, /* it was read, and its rows are another source's */
	PV_MERGE_NOTHING,   /* it is as it was before */
};

/* Where each line of several files stands, and which of them count.
 *
 * There may be more of them than fit into memory, so they stand in a database
 * without a name, which spills into a temporary file, and is sorted there. Lines
 * are added, then settled, then gone through. Faults are the database's.
 */
struct pv_merge_line {
	int64_t source;      /* from 1 */
	uint64_t generation; /* of its journal */
	uint64_t offset;
	uint64_t length;
	int64_t worker;
	bool names_worker; /* it says so itself */
	int64_t at_ms; /* by the clock that all share, as far as there is one */
	bool is_final;
	bool is_stale; /* of a line that is settled: another one counts in its
			  place */

	bool becomes_final; /* it is not, and the last word on its address all
			       the same */

	/* Which address it is about, in which round of the crawl and of its own,
	 * and whether it was fetched: what counts of a final one. */
	struct pv_fingerprint fingerprint;
	int64_t round;
	int64_t own_round;
	bool is_fetched;
	enum pv_merge_content content;
};

struct pv_merge_lines {
	struct pv_database *database;
	struct pv_statement *add;
	struct pv_statement *find_owner;
	struct pv_statement *find_claim;
	struct pv_statement *add_claim;
	uint64_t stale_count;
	uint64_t owner_count;
	bool
	    is_of_fleet; /* the sources are its workers: also where only one has
			     lines for an address, others know it; the
			     caller's, and set before they are settled */
};

void pv_merge_lines_open(struct pv_merge_lines *lines);
void pv_merge_lines_close(struct pv_merge_lines *lines);
void pv_merge_lines_add(
    struct pv_merge_lines *lines, const struct pv_merge_line *line);

/* Decides of several final lines for one address in one round which one is: one
 * that was fetched before one that was not, then the last. */
void pv_merge_lines_settle(struct pv_merge_lines *lines);

/* When nothing is left of the crawl: where no line of an address is final, the last
 * one that says that it was left out becomes final. The function tells whose state
 * says the same, whose lines are before those of others; 0: none does. */
typedef int64_t (*pv_merge_refuser_fn)(
    void *ctx, struct pv_fingerprint fingerprint);
void pv_merge_lines_complete(
    struct pv_merge_lines *lines, pv_merge_refuser_fn refuser, void *ctx);

/* Whose final line for an address is the one of its last round, if several
 * sources have one, or it is of a fleet: else 0. */
int64_t pv_merge_lines_owner(
    struct pv_merge_lines *lines, struct pv_fingerprint fingerprint);

/* The same, but whose line is the last with the content of the address, or says that
 * there is none any more. */
int64_t pv_merge_lines_reader(
    struct pv_merge_lines *lines, struct pv_fingerprint fingerprint);

/* The source that has put a file of that name into the output before; 0: none
 * has, and now this one does. */
int64_t pv_merge_lines_claim(
    struct pv_merge_lines *lines, struct pv_str file, int64_t source);

/* By time, until the function says no; whether it never did. */
typedef bool (*pv_merge_line_fn)(void *ctx, const struct pv_merge_line *line);
bool pv_merge_lines_each(
    struct pv_merge_lines *lines, pv_merge_line_fn on_line, void *ctx);

#endif
