#ifndef PAVANE_WEB_WORDS_H
#define PAVANE_WEB_WORDS_H

#include <stdint.h>

#include "base/buf.h"

/* Numbers, times and statuses as people read them on a page. */

/* "1,234,567" */
void pv_entry_words_count(struct pv_buf *page, uint64_t count);

/* "1 page", "2 pages": the plural is the noun and s. */
void pv_entry_words_things(
    struct pv_buf *page, uint64_t count, const char *noun);

/* "34.2 MiB" */
void pv_entry_words_size(struct pv_buf *page, uint64_t bytes);

/* An element: "2026-03-01 09:30 UTC". */
void pv_entry_words_time(struct pv_buf *page, int64_t wall_ms);

/* What a status says: "not found"; "" where it says nothing. */
const char *pv_entry_words_status(unsigned status);

/* A word of a shell, to be copied into one: the name of a directory. */
void pv_entry_words_directory(struct pv_buf *page, const char *directory);

#endif
