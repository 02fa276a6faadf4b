#ifndef PAVANE_FRONTIER_STATEMENTS_H
#define PAVANE_FRONTIER_STATEMENTS_H

#include <stddef.h>

#include "store/statement.h"

/* Prepares a table of statements, and lets go of them. */
void pv_statements_create(struct pv_statement **statements,
    struct pv_database *database, const char *const *sql, size_t count);
void pv_statements_destroy(struct pv_statement **statements, size_t count);

#endif
