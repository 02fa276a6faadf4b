#ifndef PAVANE_SINK_LINE_FILE_H
#define PAVANE_SINK_LINE_FILE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/why.h"

/* A file in the crawl's directory that lines are added to, and whose length is
 * true once it is committed.
 *
 * Lines gather in memory and are written together. What could not be written
 * stays there and is written first the next time, so that a disk that was full
 * for a while breaks no line.
 */
struct pv_line_file;

/* Opens it, or makes it; NULL, with the reason, if that cannot be. */
struct pv_line_file *pv_line_file_open(
    const char *directory, const char *name, struct pv_why *why);

/* What is not written is gone. NULL is fine. */
void pv_line_file_close(struct pv_line_file *lines);

/* Cuts what lies beyond the length that was committed. False, with the reason,
 * if what was promised is not there. */
bool pv_line_file_recover(
    struct pv_line_file *lines, uint64_t length, struct pv_why *why);

/* Adds a line and its end; false if it cannot be written: errno says why. */
bool pv_line_file_append(
    struct pv_line_file *lines, struct pv_str line, struct pv_str end);

/* Puts all of it on the disk, and tells how long it is then; false as above. */
bool pv_line_file_sync(struct pv_line_file *lines, uint64_t *length);

#endif
