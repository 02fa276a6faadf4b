#include "serve/jobs/journal_end.h"

#include "record/journal_name.h"
#include "store/state_look.h"
#include "store/tables/journal_files.h"
#include "store/tables/length.h"

/* What follows is looked for first: a file that is followed has its last length
 * then, and what comes meanwhile is of the next look. */
bool pv_journal_end_now(
    const char *directory, uint64_t generation, struct pv_journal_end *end)
{
	struct pv_why why;
	char name[PV_JOURNAL_NAME_MAX];
	pv_why_init(&why);
	struct pv_database *database = pv_state_look(directory, &why);
	bool is_there = database != NULL;
	if (database) {
		pv_journal_name_write(generation, name);
		end->has_next =
		    pv_journal_files_next(database, generation, &end->next);
		end->last = pv_journal_files_last(database);
		end->length = pv_length_get(database, pv_str_of(name));
		is_there = pv_database_status(database) == PV_STORE_OK;
	}
	pv_database_close(database);
	pv_why_finish(&why);
	return is_there;
}
