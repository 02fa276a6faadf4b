#include "record/journal_name.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/reader.h"

void pv_journal_name_write(uint64_t generation, char name[PV_JOURNAL_NAME_MAX])
{
	if (generation)
		snprintf(name, PV_JOURNAL_NAME_MAX,
		    "journal-%04" PRIu64 ".jsonl", generation);
	else
		snprintf(name, PV_JOURNAL_NAME_MAX, "journal.jsonl");
}

/* Only as it would be written: there are no two names of one file. */
bool pv_journal_name_read(struct pv_str name, uint64_t *generation)
{
	struct pv_reader reader = pv_reader_of(name);
	char again[PV_JOURNAL_NAME_MAX];
	uint64_t number = 0;
	if (!pv_reader_accept_str(&reader, PV_STR("journal")) ||
	    (pv_reader_accept(&reader, '-') &&
		!pv_reader_take_number(&reader, INT64_MAX, &number)))
		return false;
	pv_journal_name_write(number, again);
	if (!pv_str_equal(name, pv_str_of(again)))
		return false;
	*generation = number;
	return true;
}
