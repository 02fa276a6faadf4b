#include "mirror/entry_reader.h"

/* Only those that were asked are in the ledger, with all that they were ever
 * asked for. No index tells the largest. */
static const char total_sql[] =
    "SELECT count(*), total(bytes) FROM (SELECT bytes FROM ledger LIMIT ?1)";

static const char largest_sql[] =
    "SELECT id, name, asked.bytes, requests, pages FROM "
    "(SELECT * FROM (SELECT host, requests, bytes FROM ledger LIMIT ?1) "
    "ORDER BY bytes DESC, requests DESC, host LIMIT ?2) AS asked "
    "JOIN host_states ON id = host "
    "ORDER BY asked.bytes DESC, requests DESC, host";

static void read_totals(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	struct pv_statement *row =
	    pv_statement_create(reader->database, total_sql);
	pv_statement_bind(row, 1, PV_ENTRY_HOSTS_SEEN);
	if (pv_statement_step(row)) {
		facts->host_total = (uint64_t)pv_statement_number(row, 0);
		facts->bytes = (uint64_t)pv_statement_number(row, 1);
	}
	pv_statement_destroy(row);
}

/* In an update the pages are those that have changed. */
static struct pv_entry_host read_host(
    struct pv_entry_facts *facts, const struct pv_statement *row)
{
	uint64_t pages = (uint64_t)pv_statement_number(row, 4);
	return (struct pv_entry_host){
	    .id = (uint64_t)pv_statement_number(row, 0),
	    .name = pv_arena_copy(&facts->arena, pv_statement_text(row, 1)),
	    .bytes = (uint64_t)pv_statement_number(row, 2),
	    .requests = (uint64_t)pv_statement_number(row, 3),
	    .pages = facts->has_pages ? pages : 0,
	    .start = PV_STR(""),
	};
}

void pv_entry_hosts_read(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	struct pv_statement *row =
	    pv_statement_create(reader->database, largest_sql);
	read_totals(reader);
	facts->has_pages = facts->update.number == 1;
	facts->hosts = pv_arena_give_array(
	    &facts->arena, PV_ENTRY_HOSTS_MAX, sizeof(*facts->hosts));
	pv_statement_bind(row, 1, PV_ENTRY_HOSTS_SEEN);
	pv_statement_bind(row, 2, PV_ENTRY_HOSTS_MAX);
	while (pv_statement_step(row))
		facts->hosts[facts->host_count++] = read_host(facts, row);
	pv_statement_destroy(row);
}
