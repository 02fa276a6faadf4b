#ifndef PAVANE_AUDIT_CLOCK_FILE_H
#define PAVANE_AUDIT_CLOCK_FILE_H

#include "audit/clock_memory.h"
#include "base/why.h"

/* Adds all events of the clocks.jsonl in that directory; nothing, where there is
 * none. Behind its last whole line a worker may be writing, or have been ended.
 * False, with the file and the line, if one is no such event, or if it cannot be
 * read. */
bool pv_clock_file_read(
    struct pv_clock_memory *memory, const char *directory, struct pv_why *why);

/* How many of its bytes are whole lines; false, with the reason, if it cannot be
 * read. Of no file there are none. */
bool pv_clock_file_length(
    const char *path, uint64_t *length, struct pv_why *why);

#endif
