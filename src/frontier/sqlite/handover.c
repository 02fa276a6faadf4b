#include "frontier/sqlite/handover.h"

#include "frontier/sqlite/handover_in.h"
#include "frontier/sqlite/handover_notes.h"
#include "frontier/sqlite/handover_out.h"
#include "frontier/sqlite/handover_owners.h"
#include "store/tables/note.h"

#define MARK(kind, key) " BEGIN " PV_HANDOVER_MARK(kind, key) "END;"

/* That an address is given out, comes back as it was, or waits for others now,
 * is nobody else's business; what a link adds to one that is given out is. Of a new
 * one there is no mark yet: most are new. */
/* clang-format off */
static const char triggers[] =
    "CREATE TEMP TRIGGER address_is_new AFTER INSERT ON main.addresses "
    "BEGIN INSERT OR REPLACE INTO unsent(kind, key) VALUES(0, NEW.id); END;"
    "CREATE TEMP TRIGGER address_changes AFTER UPDATE ON main.addresses "
    "WHEN NEW.state <> 1 AND NOT (NEW.state = 4 AND OLD.state < 2) AND "
    "NOT (OLD.state = 1 AND NEW.state = 0 AND NEW.attempt = OLD.attempt AND "
    "NEW.waits = OLD.waits AND NEW.use = OLD.use AND "
    "NEW.not_before_wall_ms = OLD.not_before_wall_ms)"
    MARK(0, "NEW.id")
    "CREATE TEMP TRIGGER address_improves AFTER UPDATE OF use, depth, "
    "depth_left, hops, redirects, listing, lastmod_wall_ms ON main.addresses "
    "WHEN NEW.state = 1 AND (NEW.use <> OLD.use OR NEW.depth <> OLD.depth OR "
    "NEW.depth_left <> OLD.depth_left OR NEW.hops <> OLD.hops OR "
    "NEW.redirects <> OLD.redirects OR NEW.listing <> OLD.listing OR "
    "NEW.lastmod_wall_ms <> OLD.lastmod_wall_ms)"
    MARK(0, "NEW.id")
    "CREATE TEMP TRIGGER host_changes AFTER UPDATE OF left_ms, rest_ms, "
    "failures, left_reason, pages, bytes, retry_debt ON main.host_states"
    MARK(1, "NEW.id")
    "CREATE TEMP TRIGGER robots_are_new AFTER INSERT ON main.authorities"
    MARK(2, "NEW.name")
    "CREATE TEMP TRIGGER robots_change AFTER UPDATE ON main.authorities"
    MARK(2, "NEW.name")
    "CREATE TEMP TRIGGER seed_is_redirected AFTER INSERT ON main.crawl "
    "WHEN NEW.name GLOB '" PV_NOTE_SEED_REDIRECT "*'"
    MARK(3, "NEW.value");
/* clang-format on */

void pv_handover_open(struct pv_handover *handover, struct pv_tables *tables,
    const struct pv_hash_key *key)
{
	struct pv_database *database = tables->hosts.database;
	*handover = (struct pv_handover){
	    .tables = tables, .database = database, .key = *key};
	pv_database_run(database, triggers);
	pv_handover_notes_open(database);
	pv_page_rows_table_init(&handover->rows, database);
	handover->has_rows = pv_database_number(database,
	    "SELECT EXISTS(SELECT 1 FROM page_rows) OR EXISTS(SELECT 1 FROM "
	    "distant_rows)");
	pv_buf_init(&handover->carry, SIZE_MAX);
	pv_buf_init(&handover->row_texts, SIZE_MAX);
	pv_renewal_init(&handover->renewal);
	pv_handover_out_open(handover);
	pv_handover_in_open(handover);
	pv_handover_owners_open(handover);
	tables->hosts.finds_away = true;
}

void pv_handover_close(struct pv_handover *handover)
{
	pv_handover_out_close(handover);
	pv_handover_in_close(handover);
	pv_handover_owners_close(handover);
	pv_page_rows_table_finish(&handover->rows);
	pv_buf_finish(&handover->carry);
	pv_buf_finish(&handover->row_texts);
}
