#include "mirror/entry_reader.h"

/* There may be a million of them, and no index tells the largest. */
#define HOSTS_SEEN "100000"

/* Only those that were asked are in the ledger, with all that they were ever
 * asked for. */
#define ASKED                                                              \
	"FROM (SELECT host, requests, bytes FROM ledger LIMIT " HOSTS_SEEN \
	") AS asked JOIN host_states ON id = host"

static const char total_sql[] =
    "SELECT count(*), total(asked.bytes), total(pages) " ASKED;

static const char largest_sql[] =
    "SELECT id, name, asked.bytes, requests, pages " ASKED
    " ORDER BY asked.bytes DESC, requests DESC, name LIMIT ?1";

/* In an update the hosts' pages are those that have changed. */
static void read_totals(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	struct pv_statement *row =
	    pv_statement_create(reader->database, total_sql);
	facts->has_pages = facts->update.number == 1;
	if (pv_statement_step(row)) {
		facts->host_total = (uint64_t)pv_statement_number(row, 0);
		facts->bytes = (uint64_t)pv_statement_number(row, 1);
		if (facts->has_pages)
			facts->pages = (uint64_t)pv_statement_number(row, 2);
	}
	pv_statement_destroy(row);
}

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
	facts->hosts = pv_arena_give_array(
	    &facts->arena, PV_ENTRY_HOSTS_MAX, sizeof(*facts->hosts));
	pv_statement_bind(row, 1, PV_ENTRY_HOSTS_MAX);
	while (pv_statement_step(row))
		facts->hosts[facts->host_count++] = read_host(facts, row);
	pv_statement_destroy(row);
}
