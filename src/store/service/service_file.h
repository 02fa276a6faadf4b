#ifndef PAVANE_STORE_SERVICE_SERVICE_FILE_H
#define PAVANE_STORE_SERVICE_SERVICE_FILE_H

#include "base/why.h"
#include "store/schema.h"
#include "store/statement.h"

/* How the stores of a service open their files. Several may have one and the same
 * open, each in its thread. */
struct pv_service_file {
	const char *name;               /* "jobs.db", in the directory */
	const struct pv_schema *schema; /* NULL: another store makes the file */
	size_t cache_bytes;
	const char *const *sql; /* of the statements */
	size_t count;
};

/* Makes the statements as well. NULL, with the reason, if the file cannot be used. */
struct pv_database *pv_service_file_open(const struct pv_service_file *file,
    const char *directory, struct pv_statement **statements,
    struct pv_why *why);

void pv_service_file_close(const struct pv_service_file *file,
    struct pv_database *database, struct pv_statement **statements);

#endif
