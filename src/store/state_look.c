#include "store/state_look.h"

#include <errno.h>
#include <unistd.h>

#include "store/schema.h"

void pv_state_look_tell(const struct pv_database *database,
    const char *directory, struct pv_why *why)
{
	pv_why_add(why, (struct pv_place){.file = directory}, PV_STR(""),
	    "its state.db cannot be read: %s", pv_database_fault(database));
}

/* What an older version left is put in order when the crawl goes on. */
static bool is_of_this_version(
    struct pv_database *database, const char *directory, struct pv_why *why)
{
	int64_t version = pv_database_number(database, "PRAGMA user_version");
	int64_t ours = (int64_t)pv_schema_version(pv_state_schema());
	if (pv_database_status(database) != PV_STORE_OK) {
		pv_state_look_tell(database, directory, why);
		return false;
	}
	if (version == ours)
		return true;
	pv_why_add(why, (struct pv_place){.file = directory}, PV_STR(""),
	    "its state.db is of %s pavane: %s",
	    version < ours ? "an older" : "a newer",
	    version < ours ? "continue the crawl once, then try again"
			   : "use that version");
	return false;
}

static struct pv_database *open_file(
    const char *path, const char *directory, struct pv_why *why)
{
	if (access(path, F_OK) == 0)
		return pv_database_look(path);
	pv_why_add(why, (struct pv_place){.file = directory}, PV_STR(""),
	    "is not a crawl's directory: cannot read its state.db: %s",
	    strerror(errno));
	return NULL;
}

struct pv_database *pv_state_look(const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", directory);
	struct pv_database *database =
	    open_file(pv_buf_text(&path), directory, why);
	pv_buf_finish(&path);
	if (database && !is_of_this_version(database, directory, why)) {
		pv_database_close(database);
		database = NULL;
	}
	return database;
}

/* A table that is named without its schema is the connection's own, if there is
 * one of that name. */
static const char copy_sql[] =
    "PRAGMA temp_store = FILE;"
    "BEGIN;"
    "CREATE TEMP TABLE crawl AS SELECT * FROM main.crawl;"
    "CREATE TEMP TABLE files AS SELECT * FROM main.files;"
    "CREATE TEMP TABLE ledger AS SELECT * FROM main.ledger;"
    "CREATE TEMP TABLE host_states AS SELECT id, name FROM main.host_states "
    "WHERE id IN (SELECT host FROM main.ledger);"
    "CREATE TEMP TABLE authorities AS SELECT * FROM main.authorities;"
    "COMMIT";

/* When the state is not being read any more. */
static const char sort_sql[] =
    "CREATE INDEX temp.own_notes ON crawl(name);"
    "CREATE INDEX temp.own_ledgers ON ledger(host);"
    "CREATE INDEX temp.own_hosts ON host_states(name);"
    "CREATE INDEX temp.own_authorities ON authorities(name)";

void pv_state_look_copy(struct pv_database *look)
{
	pv_database_run(look, copy_sql);
	pv_database_run(look, sort_sql);
}
