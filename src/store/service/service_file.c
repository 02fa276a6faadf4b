#include "store/service/service_file.h"

static bool is_open(const struct pv_service_file *file, const char *path,
    struct pv_database *database, struct pv_why *why)
{
	pv_database_tune(database, file->cache_bytes);
	if (file->schema)
		return pv_schema_apply(file->schema, database, path, why);
	if (pv_database_status(database) == PV_STORE_OK)
		return true;
	pv_schema_tell(database, path, why);
	return false;
}

static bool has_statements(const struct pv_service_file *file, const char *path,
    struct pv_database *database, struct pv_statement **statements,
    struct pv_why *why)
{
	pv_statements_create(statements, database, file->sql, file->count);
	if (pv_database_status(database) == PV_STORE_OK)
		return true;
	pv_schema_tell(database, path, why);
	return false;
}

struct pv_database *pv_service_file_open(const struct pv_service_file *file,
    const char *directory, struct pv_statement **statements, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, file->name);
	const char *name = pv_buf_text(&path);
	struct pv_database *database = pv_database_open(name);
	bool is_usable = is_open(file, name, database, why) &&
			 has_statements(file, name, database, statements, why);
	pv_buf_finish(&path);
	if (is_usable)
		return database;
	pv_service_file_close(file, database, statements);
	return NULL;
}

void pv_service_file_close(const struct pv_service_file *file,
    struct pv_database *database, struct pv_statement **statements)
{
	pv_statements_destroy(statements, file->count);
	pv_database_close(database);
}
