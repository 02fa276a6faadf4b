#ifndef PAVANE_RECORD_JOURNAL_NAME_H
#define PAVANE_RECORD_JOURNAL_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* What the files of a crawl's journal are called. Most have one, journal.jsonl. A
 * crawl that stays open for months turns to a new one now and then:
 * journal-0001.jsonl and so on. The number is the file's generation, that of
 * journal.jsonl being 0.
 *
 * Only the last one is appended to. The others are never changed or renamed, so that
 * a place in them stays what it was; who has read them may remove them, or take them
 * away (store/tables/journal_files.h).
 */
#define PV_JOURNAL_NAME_MAX 40

/* A place in a journal: between two lines of one of its files. */
struct pv_journal_place {
	uint64_t generation;
	uint64_t offset;
};

void pv_journal_name_write(uint64_t generation, char name[PV_JOURNAL_NAME_MAX]);

/* False if it is the name of none. */
bool pv_journal_name_read(struct pv_str name, uint64_t *generation);

#endif
