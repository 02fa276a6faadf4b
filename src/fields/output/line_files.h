#ifndef PAVANE_FIELDS_OUTPUT_LINE_FILES_H
#define PAVANE_FIELDS_OUTPUT_LINE_FILES_H

#include "base/why.h"
#include "fields/output/layout.h"
#include "store/database.h"

/* The files that rows are appended to, as the layout has them. A file of CSV
 * begins with its header; where the policy has other columns than before, the
 * new header stands before the first line that has them, and the state knows
 * which is the last. The writer's thread's. */
struct pv_line_files;

/* NULL, with the reason, if one cannot be opened. The layout is borrowed. */
struct pv_line_files *pv_line_files_open(const struct pv_fields_layout *layout,
    const char *directory, struct pv_why *why);
void pv_line_files_close(struct pv_line_files *files);

/* Cuts each to its length. False, with the reason, if something is missing. */
bool pv_line_files_recover(struct pv_line_files *files, const uint64_t *lengths,
    struct pv_database *database, struct pv_why *why);

/* Appends to that file; false if it cannot be written: errno says why. */
bool pv_line_files_append(struct pv_line_files *files, size_t file,
    struct pv_str line, struct pv_str end);

/* Puts all of them on the disk, and tells how long they are; false as
 * above. */
bool pv_line_files_sync(struct pv_line_files *files, uint64_t *lengths,
    struct pv_database *database);

#endif
