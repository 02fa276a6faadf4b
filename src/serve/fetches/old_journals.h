#ifndef PAVANE_SERVE_FETCHES_OLD_JOURNALS_H
#define PAVANE_SERVE_FETCHES_OLD_JOURNALS_H

#include <stdint.h>

/* Removes the files of a crawl's journal before that generation, which have been
 * read, whose last line was written before that time (milliseconds since 1970). The
 * crawl may be running: it does not touch them any more. */
void pv_old_journals_remove(
    const char *directory, uint64_t generation, int64_t before_ms);

#endif
