#ifndef PAVANE_FLEET_CLOCKS_TIES_H
#define PAVANE_FLEET_CLOCKS_TIES_H

#include "base/arena.h"
#include "base/map.h"

/* Clocks of which one waits for the other (fleet/giving/naming.h): they are not given
 * to idle workers for a while, since they would come together again.
 *
 * What was tied a minute or two ago is not any more. Pure: times are given.
 */
struct pv_tied {
	struct pv_map clocks; /* to nothing */
	struct pv_arena names;
};

struct pv_ties {
	struct pv_tied now;    /* since then ... */
	struct pv_tied before; /* ... and in the minute before that */
	int64_t since;
};

void pv_ties_init(struct pv_ties *ties, struct pv_hash_key key);
void pv_ties_finish(struct pv_ties *ties);

void pv_ties_add(struct pv_ties *ties, struct pv_str clock, int64_t now);
bool pv_ties_has(const struct pv_ties *ties, struct pv_str clock, int64_t now);

#endif
