#include "store/schema.h"

#include <inttypes.h>
#include <stdio.h>

void pv_schema_tell(
    const struct pv_database *database, const char *path, struct pv_why *why)
{
	struct pv_place place = {.file = path};
	const char *fault = pv_database_fault(database);
	switch (pv_database_status(database)) {
	case PV_STORE_OK:
		break;
	case PV_STORE_FULL:
		pv_why_add(why, place, PV_STR(""),
		    "%s: free disk space and run again; nothing that was "
		    "reported is lost",
		    fault);
		break;
	case PV_STORE_FAILED:
	case PV_STORE_PROGRAM:
		pv_why_add(why, place, PV_STR(""), "cannot be used: %s", fault);
		break;
	case PV_STORE_DAMAGED:
		pv_why_add(why, place, PV_STR(""),
		    "is damaged or not a state file of pavane (%s) and was "
		    "not changed: restore a copy, or start again in another "
		    "directory",
		    fault);
		break;
	}
}

size_t pv_schema_version(const struct pv_schema *schema)
{
	return schema->first_version + schema->step_count - 1;
}

/* A file without a name and without tables is a new one. */
static bool is_new(struct pv_database *database)
{
	return pv_database_number(database, "PRAGMA application_id") == 0 &&
	       pv_database_number(database, "PRAGMA user_version") == 0 &&
	       pv_database_number(
		   database, "SELECT count(*) FROM sqlite_master") == 0;
}

static bool is_ours(const struct pv_schema *schema,
    struct pv_database *database, struct pv_place place, struct pv_why *why)
{
	int64_t application =
	    pv_database_number(database, "PRAGMA application_id");
	int64_t version = pv_database_number(database, "PRAGMA user_version");
	if (pv_database_status(database) != PV_STORE_OK)
		pv_schema_tell(database, place.file, why);
	else if (application != schema->application_id || version < 1)
		pv_why_add(why, place, PV_STR(""),
		    "is the database of another program: choose another "
		    "directory");
	else if (version > (int64_t)pv_schema_version(schema))
		pv_why_add(why, place, PV_STR(""),
		    "was written by a newer pavane (format %" PRId64
		    ", this one reads up to %zu): use the newer pavane, or "
		    "start again in another directory",
		    version, pv_schema_version(schema));
	else if (version < (int64_t)schema->first_version)
		pv_why_add(why, place, PV_STR(""),
		    "was written by an unreleased version of pavane "
		    "(format %" PRId64
		    ", this one reads %zu and later): start again in another "
		    "directory",
		    version, schema->first_version);
	else
		return true;
	return false;
}

/* So many steps, as a whole or not at all. */
static void do_steps(const struct pv_schema *schema,
    struct pv_database *database, size_t step, size_t count)
{
	char sql[96];
	snprintf(sql, sizeof(sql),
	    "PRAGMA application_id=%" PRId64 "; PRAGMA user_version=%zu",
	    schema->application_id, schema->first_version + step + count - 1);
	pv_database_begin(database);
	for (size_t i = 0; i < count; i++)
		pv_database_run(database, schema->steps[step + i]);
	pv_database_run(database, sql);
	pv_database_commit(database);
}

/* A new file becomes at once what an older one becomes step by step. */
static void bring_up(
    const struct pv_schema *schema, struct pv_database *database, bool is_new)
{
	size_t version =
	    (size_t)pv_database_number(database, "PRAGMA user_version");
	if (is_new)
		do_steps(schema, database, 0, schema->step_count);
	else
		for (; version < pv_schema_version(schema); version++)
			do_steps(schema, database,
			    version - schema->first_version + 1, 1);
}

bool pv_schema_apply(const struct pv_schema *schema,
    struct pv_database *database, const char *path, struct pv_why *why)
{
	struct pv_place place = {.file = path};
	bool has_nothing = is_new(database);
	if (!has_nothing && !is_ours(schema, database, place, why))
		return false;
	bring_up(schema, database, has_nothing);
	pv_schema_tell(database, path, why);
	return pv_database_status(database) == PV_STORE_OK;
}
