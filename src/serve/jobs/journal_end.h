#ifndef PAVANE_SERVE_JOBS_JOURNAL_END_H
#define PAVANE_SERVE_JOBS_JOURNAL_END_H

#include <stdbool.h>
#include <stdint.h>

/* How far a file of a crawl's journal is committed, and which one follows it: then
 * its length is the last that it has (record/journal_name.h). */
struct pv_journal_end {
	uint64_t length;
	uint64_t last; /* generation of all */
	bool has_next;
	uint64_t next;
};

/* False if there is no state to be looked at. */
bool pv_journal_end_now(
    const char *directory, uint64_t generation, struct pv_journal_end *end);

#endif
