#ifndef PAVANE_NAMES_WANTED_H
#define PAVANE_NAMES_WANTED_H

#include "base/map.h"
#include "names/gathering.h"

/* The hosts that somebody wants to be looked up, each once, with all who wait
 * for its answer; and the lines in which they stand, first come first served.
 */
struct pv_lookup;

struct pv_wanted {
	struct pv_names *names; /* whose it is */
	struct pv_gathering gathering;
	struct pv_lookup *lookup; /* NULL: nobody is being asked */
	int64_t asked_at;
	struct pv_name_answer answer;
	struct pv_wanted *behind;    /* in its line */
	struct pv_request *requests; /* the first of those who wait */
	struct pv_request *last;
	struct pv_buf host;
	uint32_t number; /* the table's */
};

struct pv_wanted_table {
	struct pv_map numbers;
	struct pv_wanted **items;
	size_t count;
	size_t size;
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

/* Takes it out: it is yours. */
void pv_wanted_take(struct pv_wanted_table *table, struct pv_wanted *wanted);
void pv_wanted_destroy(struct pv_wanted *wanted);

/* One more who waits for the answer. */
void pv_wanted_add_request(
    struct pv_wanted *wanted, pv_name_fn on_answer, void *ctx);

/* Tells the answer to the one who has waited longest, who waits no more; false
 * if nobody is left. */
bool pv_wanted_tell(struct pv_wanted *wanted);

/* Nobody with that ctx waits any more. */
void pv_wanted_forget(struct pv_wanted *wanted, const void *ctx);

/* A line; zeroed it is empty. Whoever stands in it stands in no other. */
struct pv_wanted_line {
	struct pv_wanted *first;
	struct pv_wanted *last;
};

void pv_wanted_push(struct pv_wanted_line *line, struct pv_wanted *wanted);
struct pv_wanted *pv_wanted_pop(struct pv_wanted_line *line);

#endif
