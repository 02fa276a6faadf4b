#ifndef PAVANE_STORE_STATE_LOOK_H
#define PAVANE_STORE_STATE_LOOK_H

#include "base/why.h"
#include "store/database.h"

/* A crawl's state as others than the crawl look at it, while it runs and
 * after it: nothing is changed, and nobody is kept from writing. */

/* To be closed. NULL, with the reason, if there is no crawl in the directory,
 * or its state is of another version, or cannot be read. */
struct pv_database *pv_state_look(const char *directory, struct pv_why *why);

/* Adds that the state could not be read, for the person who owns the disk. */
void pv_state_look_tell(const struct pv_database *database,
    const char *directory, struct pv_why *why);

#endif
