#ifndef PAVANE_STORE_TABLES_MERGED_ANSWERS_H
#define PAVANE_STORE_TABLES_MERGED_ANSWERS_H

#include "record/fingerprint.h"
#include "store/database.h"

/* How many pages and bytes each host has answered, for the state that is made of
 * those of a fleet's workers.
 *
 * In their states the figures of a host go with it from one owner to the next, so
 * that they cannot be added up; and what a worker had fetched and not passed on
 * when it was killed stands in none of the others. So all answers are added here,
 * one by one, as the journals have them, and replace the figures of all hosts when
 * the rows of addresses are copied, which say what is a page. The answers stand in
 * a temporary table. Faults are the database's.
 */
struct pv_merged_answers {
	struct pv_database *database; /* of the state that is made; the
					 caller's */
	struct pv_statement *add;
};

struct pv_merged_answer {
	struct pv_str host;
	struct pv_fingerprint fingerprint; /* of the address, by the key of the
					      state that is made */
	bool is_success; /* it is a page, if its address is one */
	uint64_t bytes;
};

/* When the tables of the state are there. */
void pv_merged_answers_open(
    struct pv_merged_answers *answers, struct pv_database *database);
void pv_merged_answers_close(struct pv_merged_answers *answers);

void pv_merged_answers_add(
    struct pv_merged_answers *answers, const struct pv_merged_answer *answer);

/* Gives all hosts their figures; one without an answer has none. */
void pv_merged_answers_count(struct pv_merged_answers *answers);

#endif
