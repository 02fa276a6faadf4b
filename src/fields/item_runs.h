#ifndef PAVANE_FIELDS_ITEM_RUNS_H
#define PAVANE_FIELDS_ITEM_RUNS_H

#include <stdint.h>

#include "base/buf.h"

/* Which rows a page has, as runs of their numbers: "1-24 26-30". Where a
 * required field is missing there is no row, so that numbers may be left
 * out. */
struct pv_item_run {
	uint32_t first;
	uint32_t last;
};

struct pv_item_runs {
	struct pv_item_run *items;
	size_t count;
	size_t size;
};

void pv_item_runs_init(struct pv_item_runs *runs);
void pv_item_runs_finish(struct pv_item_runs *runs);

/* Adds one; numbers come in ascending order, others are left out. */
void pv_item_runs_add(struct pv_item_runs *runs, uint32_t item);

bool pv_item_runs_has(const struct pv_item_runs *runs, uint32_t item);

/* How many there are in all. */
uint64_t pv_item_runs_total(const struct pv_item_runs *runs);

/* Appends them as text; false if the ceiling is in the way. */
bool pv_item_runs_write(const struct pv_item_runs *runs, struct pv_buf *buf);

/* Adds what was written; false if it was not, and what there is stays. */
bool pv_item_runs_read(struct pv_item_runs *runs, struct pv_str text);

#endif
