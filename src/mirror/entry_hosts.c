#include "mirror/entry_reader.h"

/* There may be a million of them, and no index tells the largest. */
#define HOSTS_SEEN "100000"

#define SEEN \
	"(SELECT id, name, pages, bytes FROM host_states LIMIT " HOSTS_SEEN ")"

static const char total_sql[] =
    "SELECT count(*), total(pages), total(bytes) FROM " SEEN
    " WHERE bytes > 0 OR pages > 0";

static const char largest_sql[] =
    "SELECT id, name, pages, bytes FROM " SEEN " WHERE bytes > 0 OR pages > 0 "
    "ORDER BY pages DESC, bytes DESC, name LIMIT ?1";

static void read_totals(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	struct pv_statement *row =
	    pv_statement_create(reader->database, total_sql);
	if (pv_statement_step(row)) {
		facts->host_total = (uint64_t)pv_statement_number(row, 0);
		facts->pages = (uint64_t)pv_statement_number(row, 1);
		facts->bytes = (uint64_t)pv_statement_number(row, 2);
	}
	pv_statement_destroy(row);
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
		facts->hosts[facts->host_count++] = (struct pv_entry_host){
		    .id = (uint64_t)pv_statement_number(row, 0),
		    .name =
			pv_arena_copy(&facts->arena, pv_statement_text(row, 1)),
		    .pages = (uint64_t)pv_statement_number(row, 2),
		    .bytes = (uint64_t)pv_statement_number(row, 3),
		    .start = PV_STR(""),
		};
	pv_statement_destroy(row);
}
