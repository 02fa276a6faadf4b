#ifndef PAVANE_STORE_TABLES_FIELD_FAULTS_H
#define PAVANE_STORE_TABLES_FIELD_FAULTS_H

#include "base/str.h"
#include "store/database.h"

/* How often a field had no value, by kind of page, field and fault
 * (fields/rows.h), in all runs: what an update finds to be as it was is not
 * counted again. Faults are the database's. */
struct pv_field_fault_count {
	struct pv_str kind;
	struct pv_str field; /* empty: the whole page */
	unsigned fault;
	uint64_t count;
};

/* Adds to it. */
void pv_field_faults_add(
    struct pv_database *database, const struct pv_field_fault_count *fault);

/* Calls it with each, those of a kind together, the most frequent first. */
typedef void (*pv_field_fault_fn)(
    void *ctx, const struct pv_field_fault_count *fault);
void pv_field_faults_each(
    struct pv_database *database, pv_field_fault_fn on_fault, void *ctx);

#endif
