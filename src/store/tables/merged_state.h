#ifndef PAVANE_STORE_TABLES_MERGED_STATE_H
#define PAVANE_STORE_TABLES_MERGED_STATE_H

#include "base/hash.h"
#include "record/fingerprint.h"
#include "store/database.h"

/* One state made of the states of several crawls, for those who read it: status,
 * explain, audit. No crawl can go on with it.
 *
 * First all sources are announced, then it is settled which of several rows of
 * one address counts, then each source is copied (store/tables/merged_rows.h).
 * Numbers of addresses become those of their source and as many more as all
 * sources before it have; a row that does not count goes, and what refers to it
 * refers to the one that does. What hosts have answered is added up; of a fleet it
 * is counted anew (store/tables/merged_answers.h). Memory does not grow with
 * the states. Faults are those of the two databases.
 */
struct pv_merged_source {
	struct pv_database *look; /* its state, as of one moment */
	struct pv_hash_key key;   /* of its fingerprints */
	int64_t place;            /* from 1 */
	int64_t runs_before;      /* of the sources before it */
	int64_t offset;           /* of its addresses; set when announced */
};

struct pv_merged_state {
	struct pv_database *database; /* that is made; the caller's */
	struct pv_hash_key key;       /* of its fingerprints */
	struct pv_statement *add_host;
	struct pv_statement *find_host;
	struct pv_statement *map_host;
	struct pv_statement *mapped_host;
	struct pv_statement *add_found;
	struct pv_statement *find_winner;
	struct pv_statement *add_reader;
	struct pv_statement *find_reader;
	struct pv_statement *find_refused;
	int64_t last_address; /* of all sources so far */
	int64_t double_count;
	int64_t reader_count;

	bool is_of_fleet; /* the sources are its workers, which all know what
			     belongs to the crawl; the caller's, and set */

	/* Whose row of an address counts, as far as somebody knows: the place of
	 * a source, or 0. */
	int64_t (*owner)(void *ctx, struct pv_fingerprint fingerprint);

	/* The same, whose rows of the page count. */
	int64_t (*reader)(void *ctx, struct pv_fingerprint fingerprint);
	bool (*is_enough)(void *ctx); /* asked for each address; then what is
					 made is good for nothing */
	void *ctx;
};

/* Of a database that has the tables of a state and nothing in them; the key and
 * the last four members are the caller's, and set. If something goes wrong
 * before the commit, the file is good for nothing. */
void pv_merged_state_open(
    struct pv_merged_state *state, struct pv_database *database);
void pv_merged_state_commit(struct pv_merged_state *state);
void pv_merged_state_close(struct pv_merged_state *state);

/* False if it was enough. */
bool pv_merged_state_announce(
    struct pv_merged_state *state, struct pv_merged_source *source);
void pv_merged_state_settle(struct pv_merged_state *state);

/* The number that an address of that source has now: of the row that counts, and
 * whether that is the source's own. 0 stays 0. */
bool pv_merged_state_address(struct pv_merged_state *state,
    const struct pv_merged_source *source, int64_t id, int64_t *address);

/* The same, and whether the source's rows of that page count. */
bool pv_merged_state_page(struct pv_merged_state *state,
    const struct pv_merged_source *source, int64_t id, int64_t *address);
int64_t pv_merged_state_host(struct pv_merged_state *state,
    const struct pv_merged_source *source, int64_t id);

/* The number of an address that was refused, when all rows are copied; 0: it was
 * not. */
int64_t pv_merged_state_refused(
    struct pv_merged_state *state, struct pv_fingerprint fingerprint);

#endif
