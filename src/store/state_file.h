#ifndef PAVANE_STORE_STATE_FILE_H
#define PAVANE_STORE_STATE_FILE_H

#include <stdbool.h>

#include "base/why.h"
#include "store/database.h"

/* The file state.db as a file of a directory: what stands at its name, before
 * SQLite is let near it, and whether it is still there.
 *
 * Only its owner may read it, as with what SQLite makes beside it, which takes
 * its mode from it; what somebody else has made of the mode stays. Nothing of
 * it is reached through a symbolic link. A file that was emptied or removed
 * beside a journal that has lines is no new one: the state is lost, and to
 * begin anew would cost the journal, too.
 */
struct pv_state_file {
	int file; /* open for nothing but to know it; -1 */
};

/* Makes a database's file, which only its owner may read, if there is none.
 * False, with the reason, if what is there, or beside it, is not to be used. */
bool pv_state_file_make(const char *path, struct pv_why *why);

/* Makes the file if there is none. False, with the reason, if what is there is
 * not to be used. */
bool pv_state_file_open(struct pv_state_file *state, const char *directory,
    const char *path, struct pv_why *why);
void pv_state_file_close(struct pv_state_file *state);

/* Whether that is the file which the database uses: nobody has put something
 * else in its place meanwhile. */
bool pv_state_file_is_of(const struct pv_state_file *state,
    const struct pv_database *database, const char *path, struct pv_why *why);

/* Whether it was removed since. */
bool pv_state_file_is_removed(const struct pv_state_file *state);

#endif
