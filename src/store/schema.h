#ifndef PAVANE_STORE_SCHEMA_H
#define PAVANE_STORE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/why.h"
#include "store/database.h"

/* What a state file holds, and how a file of an older version becomes one of
 * this.
 *
 * The file says in its header whose it is (application_id) and of which
 * version (user_version). A file of somebody else, of a newer version, of one
 * that is too old or in pieces is refused and left as it is.
 */
struct pv_schema {
	int64_t application_id;
	size_t first_version;     /* that can be used */
	const char *const *steps; /* SQL: all of the first version, then what
				     makes each version from the last one */
	size_t step_count;
};

/* The newest it knows. */
size_t pv_schema_version(const struct pv_schema *schema);

/* The one of this version. */
const struct pv_schema *pv_state_schema(void);

/* Does the steps that are missing, each whole or not at all; false, with the
 * reason, if the file cannot be used. */
bool pv_schema_apply(const struct pv_schema *schema,
    struct pv_database *database, const char *path, struct pv_why *why);

/* Why a database cannot be used, for the person who owns the disk. */
void pv_schema_tell(
    const struct pv_database *database, const char *path, struct pv_why *why);

#endif
