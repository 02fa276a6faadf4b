#include "mirror/entry_facts.h"

#include "mirror/entry_reader.h"
#include "store/note.h"

static const char counts_sql[] = "SELECT state, cause, count FROM counts";

static const char update_sql[] =
    "SELECT number, began_wall_ms, new, changed, gone, same, failed "
    "FROM rounds ORDER BY number DESC LIMIT 1";

/* Damage is not counted: numbers that are not ours. */
static void count(struct pv_entry_facts *facts, const struct pv_statement *row)
{
	uint64_t state = (uint64_t)pv_statement_number(row, 0);
	uint64_t cause = (uint64_t)pv_statement_number(row, 1);
	uint64_t number = (uint64_t)pv_statement_number(row, 2);
	if (state >= PV_STATE_COUNT)
		return;
	facts->states[state] += number;
	if (state == PV_STATE_DONE && cause < PV_OUTCOME_COUNT)
		facts->outcomes[cause] += number;
	if (state == PV_STATE_REFUSED && cause < PV_REASON_COUNT)
		facts->reasons[cause] += number;
}

static void read_counts(struct pv_entry_reader *reader)
{
	struct pv_statement *row =
	    pv_statement_create(reader->database, counts_sql);
	while (pv_statement_step(row))
		count(reader->facts, row);
	pv_statement_destroy(row);
}

static void read_update(struct pv_entry_reader *reader)
{
	struct pv_entry_update *update = &reader->facts->update;
	struct pv_statement *row =
	    pv_statement_create(reader->database, update_sql);
	*update = (struct pv_entry_update){.number = 1};
	if (pv_statement_step(row))
		*update = (struct pv_entry_update){
		    .number = (uint64_t)pv_statement_number(row, 0),
		    .began_wall_ms = pv_statement_number(row, 1),
		    .added = (uint64_t)pv_statement_number(row, 2),
		    .changed = (uint64_t)pv_statement_number(row, 3),
		    .gone = (uint64_t)pv_statement_number(row, 4),
		    .same = (uint64_t)pv_statement_number(row, 5),
		    .failed = (uint64_t)pv_statement_number(row, 6),
		};
	pv_statement_destroy(row);
}

static void read_all(struct pv_entry_reader *reader)
{
	reader->facts->finished_wall_ms =
	    pv_note_get(reader->database, PV_STR("finished-at"), 0);
	read_counts(reader);
	read_update(reader);
	pv_entry_hosts_read(reader);
	pv_entry_seeds_read(reader);
	pv_entry_walk(reader);
	pv_entry_errors_read(reader);
	pv_entry_linkers_read(reader);
	pv_entry_bare_read(reader);
}

bool pv_entry_facts_read(struct pv_entry_facts *facts, const char *directory,
    const struct pv_policy *policy, bool has_time, struct pv_buf *fault)
{
	struct pv_entry_reader reader = {
	    .policy = policy, .facts = facts, .has_time = has_time};
	bool is_read = pv_entry_reader_open(&reader, directory, fault);
	*facts = (struct pv_entry_facts){.finished_wall_ms = 0};
	pv_arena_init(&facts->arena);
	if (is_read)
		read_all(&reader);
	if (is_read && pv_database_status(reader.database) != PV_STORE_OK) {
		pv_buf_append_format(
		    fault, "state.db: %s", pv_database_fault(reader.database));
		is_read = false;
	}
	pv_entry_reader_close(&reader);
	return is_read;
}

void pv_entry_facts_finish(struct pv_entry_facts *facts)
{
	pv_arena_finish(&facts->arena);
}

uint64_t pv_entry_facts_errors(const struct pv_entry_facts *facts)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < facts->group_count; i++)
		sum += facts->groups[i].count;
	return sum;
}
