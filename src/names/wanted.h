#ifndef PAVANE_NAMES_WANTED_H
#define PAVANE_NAMES_WANTED_H

#include "base/line.h"
#include "base/named_table.h"
#include "names/gathering.h"

/* The hosts that somebody wants to be looked up, each once, with all who wait
 * for its answer; they are found by the host, and by who waits. */
struct pv_lookup;

struct pv_wanted {
	struct pv_named named;    /* the host, its own copy */
	struct pv_line_link link; /* in the line of those that wait their
				     turn, or that are answered */
	struct pv_line requests;  /* who waits, the first first */
	struct pv_names *names;   /* whose it is */
	struct pv_lookup *lookup; /* NULL: nobody is being asked */
	struct pv_gathering gathering;
	struct pv_name_answer answer;
	int64_t asked_at;
	bool is_answered;
};

struct pv_wanted_table {
	struct pv_named_table hosts;
	struct pv_named_table waiters;
};

void pv_wanted_table_init(
    struct pv_wanted_table *table, struct pv_hash_key key);

/* All that is in it is destroyed too. */
void pv_wanted_table_finish(struct pv_wanted_table *table);

struct pv_wanted *pv_wanted_get(
    const struct pv_wanted_table *table, struct pv_str host);

/* A host that is not in the table; the table owns it. */
struct pv_wanted *pv_wanted_add(
    struct pv_wanted_table *table, struct pv_str host);

/* Takes it out: it is yours, though who waits for it stays known. */
void pv_wanted_take(struct pv_wanted_table *table, struct pv_wanted *wanted);

/* Nobody waits for it any more. */
void pv_wanted_clear(struct pv_wanted_table *table, struct pv_wanted *wanted);

/* Ends what is not in the table, and that anybody waits for it. */
void pv_wanted_destroy(struct pv_wanted_table *table, struct pv_wanted *wanted);

/* One more who waits for the answer. */
void pv_wanted_add_request(struct pv_wanted_table *table,
    struct pv_wanted *wanted, pv_name_fn on_answer, void *ctx);

/* Tells the answer to the one who has waited longest, who waits no more; false
 * if nobody is left. */
bool pv_wanted_tell(struct pv_wanted_table *table, struct pv_wanted *wanted);

/* Takes away one request of that ctx. Returns whose it was, which may be wanted
 * by nobody now; NULL if there is none. */
struct pv_wanted *pv_wanted_forget(
    struct pv_wanted_table *table, const void *ctx);

#endif
