#ifndef PAVANE_MIRROR_KEPT_DEAD_ENDS_H
#define PAVANE_MIRROR_KEPT_DEAD_ENDS_H

#include <stdint.h>

#include "base/buf.h"
#include "store/database.h"

/* Redirects that lead to nothing, as their servers said it last: a link to one
 * is broken, and a link check says how. There are few, so that they have a
 * table of their own. The numbers stand in state files. */
enum pv_dead_end {
	PV_DEAD_END_NONE,
	PV_DEAD_END_NOWHERE,    /* no address was given */
	PV_DEAD_END_NO_ADDRESS, /* what was given is no web address */
	PV_DEAD_END_ITSELF,
	PV_DEAD_END_SAME, /* another address, which the policy takes for the
			     same */
	PV_DEAD_END_COUNT,
};

/* As much of what was given is kept as one reads, and nothing in it that a
 * terminal would obey. */
void pv_dead_ends_keep(struct pv_database *database, uint64_t address,
    enum pv_dead_end end, struct pv_str location);

/* Appends it in words: "redirected to itself". */
void pv_dead_end_write(
    enum pv_dead_end end, struct pv_str location, struct pv_buf *text);

#endif
