#ifndef PAVANE_STORE_TABLES_AUDIT_COPY_H
#define PAVANE_STORE_TABLES_AUDIT_COPY_H

#include "store/database.h"

/* What an audit reads of a crawl's state, as of one moment: notes, lengths of
 * files, ledgers with their hosts, robots.txt.
 *
 * It is copied in one short transaction into tables of the connection's own,
 * which take the names of those in the file and are gone when it is closed. So
 * an audit takes as long as it likes without holding the write-ahead log of a
 * crawl that runs (store/wal.h). The copy lies in a temporary file, and is as
 * large as what the crawl knows of the hosts that it asked.
 */

/* From now on `database`, which looks at a state.db, reads the copy. Faults are
 * the database's. */
void pv_audit_copy_take(struct pv_database *database);

#endif
