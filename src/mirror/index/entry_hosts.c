#include "mirror/index/entry_reader.h"
#include "store/tables/ledger_table.h"

/* In an update the pages are those that have changed. */
static void add(void *ctx, const struct pv_asked_host *host)
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
void pv_entry_hosts_read(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	facts->host_total = pv_ledger_table_count(
	    reader->database, PV_ENTRY_HOSTS_SEEN, &facts->bytes);
	facts->has_pages = facts->update.number == 1;
	facts->hosts = pv_arena_give_array(
	    &facts->arena, PV_ENTRY_HOSTS_MAX, sizeof(*facts->hosts));
	pv_ledger_table_largest(reader->database, PV_ENTRY_HOSTS_SEEN,
	    PV_ENTRY_HOSTS_MAX, add, facts);
}
