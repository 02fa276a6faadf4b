#include "mirror/index/entry_facts.h"

#include "mirror/index/entry_reader.h"
#include "store/tables/ledger_table.h"
#include "store/tables/note.h"
#include "store/tables/state_figures.h"

/* Damage is not counted: numbers that are not ours. */
static void count(void *ctx, uint64_t state, uint64_t cause, uint64_t number)
{
	struct pv_entry_facts *facts = ctx;
	if (state >= PV_STATE_COUNT)
		return;
	facts->states[state] += number;
	if (state == PV_STATE_DONE && cause < PV_OUTCOME_COUNT)
		facts->outcomes[cause] += number;
	if (state == PV_STATE_REFUSED && cause < PV_REASON_COUNT)
		facts->reasons[cause] += number;
}

static void read_update(struct pv_entry_reader *reader)
{
	int64_t began_wall_ms = 0;
	struct pv_round round =
	    pv_state_figures_round(reader->database, &began_wall_ms);
	reader->facts->update = (struct pv_entry_update){
	    .number = round.number,
	    .began_wall_ms = began_wall_ms,
	    .added = round.counts[PV_CHANGE_NEW],
	    .changed = round.counts[PV_CHANGE_CHANGED],
	    .gone = round.counts[PV_CHANGE_GONE],
	    .same = round.counts[PV_CHANGE_SAME],
	    .failed = round.counts[PV_CHANGE_FAILED],
	};
}

/* In an update the pages are those that have changed. */
static void add_host(void *ctx, const struct pv_asked_host *host)
{
	struct pv_entry_facts *facts = ctx;
	facts->hosts[facts->host_count++] = (struct pv_entry_host){
	    .id = host->id,
	    .name = pv_arena_copy(&facts->arena, host->name),
	    .bytes = host->bytes,
	    .requests = host->requests,
	    .pages = facts->has_pages ? host->pages : 0,
	    .start = PV_STR(""),
	};
}

/* Only those that were asked are in the ledger, with all that they were ever
 * asked for. */
static void read_hosts(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	facts->host_total = pv_ledger_table_count(
	    reader->database, PV_ENTRY_HOSTS_SEEN, &facts->bytes);
	facts->has_pages = facts->update.number == 1;
	facts->hosts = pv_arena_give_array(
	    &facts->arena, PV_ENTRY_HOSTS_MAX, sizeof(*facts->hosts));
	pv_ledger_table_largest(reader->database, PV_ENTRY_HOSTS_SEEN,
	    PV_ENTRY_HOSTS_MAX, add_host, facts);
}

static void read_bare(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	struct pv_address_filter filter = {
	    .choice = PV_ADDRESSES_BARE, .max = PV_ENTRY_BARE_MAX};
	struct pv_state_address row;
	struct pv_address_cursor *rows =
	    pv_address_cursor_open(reader->database, &filter);
	while (facts->bare_listed < PV_ENTRY_BARE_MAX &&
	       pv_address_cursor_next(rows, &row)) {
		facts->bare[facts->bare_listed++] =
		    pv_entry_reader_kept(reader, row.url, row.id);
	}
	pv_address_cursor_close(rows);
	filter.max = PV_ENTRY_COUNT_MAX;
	if (facts->bare_listed)
		facts->bare_count =
		    pv_state_addresses_count(reader->database, &filter);
}

static void read_all(struct pv_entry_reader *reader)
{
	reader->facts->finished_wall_ms =
	    pv_note_get(reader->database, PV_NOTE_FINISHED, 0);
	pv_state_figures_each(reader->database, count, reader->facts);
	read_update(reader);
	read_hosts(reader);
	pv_entry_seeds_read(reader);
	pv_entry_walk(reader);
	pv_entry_errors_read(reader);
	pv_entry_linkers_read(reader);
	read_bare(reader);
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
	for (size_t i = 0; i < facts->errors.group_count; i++)
		sum += facts->errors.groups[i].count;
	return sum;
}
