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

/* From now on `look` reads a copy of what an audit needs, as of this moment:
 * notes, lengths of files, ledgers with their hosts, robots.txt. Faults are the
 * database's.
 *
 * It is copied in one short transaction into tables of the connection's own,
 * which take the names of those in the file and are gone when it is closed. So
 * an audit takes as long as it likes without holding the write-ahead log of a
 * crawl that runs (store/wal.h). The copy lies in a temporary file, and is as
 * large as what the crawl knows of the hosts that it asked. */
void pv_state_look_copy(struct pv_database *look);

#endif
