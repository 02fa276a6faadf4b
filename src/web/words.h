#ifndef PAVANE_WEB_WORDS_H
#define PAVANE_WEB_WORDS_H

#include <stdint.h>

#include "base/buf.h"

/* Numbers, times and statuses as people read them on a page. */

/* A few words, to be printed: pv_words_count(3).text. */
struct pv_words {
	char text[96];
};

/* "1,234,567" */
struct pv_words pv_words_count(uint64_t count);

/* "34.2 MiB"; "1 byte" */
struct pv_words pv_words_size(uint64_t bytes);

/* An element: "2026-03-01 09:30 UTC". */
struct pv_words pv_words_time(int64_t wall_ms);

/* What a status says: "not found"; "" where it says nothing. */
const char *pv_words_status(unsigned status);

/* A word of a shell, to be copied into one: the name of a directory. */
void pv_words_directory(struct pv_buf *page, const char *directory);

#endif
