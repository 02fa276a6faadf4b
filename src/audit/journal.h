#ifndef PAVANE_AUDIT_JOURNAL_H
#define PAVANE_AUDIT_JOURNAL_H

#include "base/why.h"

/* Reads a crawl's journal line by line, as far as it was committed. */
typedef bool (*pv_audit_line_fn)(
    void *ctx, int64_t number, struct pv_str line, struct pv_why *why);

/* Calls it with each line, without its end, until it says no. False, with the
 * reason, if it did, or if the file has no such length of whole lines. */
bool pv_audit_journal_read(const char *path, uint64_t length,
    pv_audit_line_fn on_line, void *ctx, struct pv_why *why);

#endif
