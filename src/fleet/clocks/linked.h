#ifndef PAVANE_FLEET_CLOCKS_LINKED_H
#define PAVANE_FLEET_CLOCKS_LINKED_H

#include <stdint.h>

#include "base/arena.h"

/* Clocks of others to which links were passed on, and who owned each as the links
 * were written. If a clock went to another owner before the links were committed,
 * that owner does not find them, until PV_SAY_MEND_LINKS gives them to it.
 *
 * Nothing is locked for that: all workers link to the same popular hosts, and would
 * wait for one another, or keep a host from whoever would claim it.
 */
struct pv_linked {
	struct pv_arena texts;
	struct pv_str *clocks;
	size_t clocks_size;
	int64_t *owners; /* 0: nobody */
	size_t owners_size;
	size_t count;
	int64_t first; /* the number of the first of these links */
};

void pv_linked_init(struct pv_linked *linked);
void pv_linked_finish(struct pv_linked *linked);

void pv_linked_add(
    struct pv_linked *linked, struct pv_str clock, int64_t owner);

/* Empty again. */
void pv_linked_clear(struct pv_linked *linked);

#endif
