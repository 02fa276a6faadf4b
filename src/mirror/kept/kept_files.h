#ifndef PAVANE_MIRROR_KEPT_KEPT_FILES_H
#define PAVANE_MIRROR_KEPT_KEPT_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "store/database.h"

/* Which address is kept in which file, for all that is kept: the way back from
 * the state's own. It is read once, and any thread may ask; a file takes 16
 * bytes. */
struct pv_kept_files;

struct pv_kept_files *pv_kept_files_read(struct pv_database *database);

/* NULL is fine. */
void pv_kept_files_destroy(struct pv_kept_files *kept);

size_t pv_kept_files_count(const struct pv_kept_files *kept);

/* Whether what is there is on its way to gone/, or to be deleted. */
/* Whether several addresses have it. */
bool pv_kept_files_is_shared(
    const struct pv_kept_files *kept, struct pv_str file);

bool pv_kept_files_is_going(
    const struct pv_kept_files *kept, struct pv_str file);

/* The number of the address; 0 if none is kept there. */
int64_t pv_kept_files_get(const struct pv_kept_files *kept, struct pv_str file);

/* The same, of what was kept there until it was gone
 * (mirror/update/gone_files.h), too. */
int64_t pv_kept_files_find(
    const struct pv_kept_files *kept, struct pv_str file);

#endif
