#ifndef PAVANE_SCHEDULE_FORGOTTEN_H
#define PAVANE_SCHEDULE_FORGOTTEN_H

#include "base/hash.h"

/* What is left of clocks that were forgotten before their time: until when any
 * of them would have had something to say.
 *
 * Names fall into a fixed number of drawers, each of which knows the latest
 * time of those that fell into it. So a name that was forgotten never gets a
 * time that is too early; another name in the same drawer gets one that is too
 * late, and waits longer than it would have to. Strangers who choose names
 * cannot choose the drawer without knowing the key.
 */
#define PV_FORGOTTEN_DRAWERS 65536

struct pv_forgotten {
	struct pv_hash_key key;
	int64_t *until; /* of each drawer; NULL: nothing was forgotten */
};

void pv_forgotten_init(struct pv_forgotten *forgotten, struct pv_hash_key key);
void pv_forgotten_finish(struct pv_forgotten *forgotten);

/* The clock of a name is forgotten that mattered until then. */
void pv_forgotten_note(
    struct pv_forgotten *forgotten, struct pv_str name, int64_t until);

/* Until when a clock of this name mattered, or later; 0 if none was
 * forgotten. */
int64_t pv_forgotten_until(
    const struct pv_forgotten *forgotten, struct pv_str name);

#endif
