#include "store/tables/field_faults.h"

#include "store/statement.h"

void pv_field_faults_add(
    struct pv_database *database, const struct pv_field_fault_count *fault)
{
	struct pv_statement *add = pv_statement_create(database,
	    "INSERT INTO field_faults(kind, field, fault, count) "
	    "VALUES(?1, ?2, ?3, ?4) ON CONFLICT(kind, field, fault) "
	    "DO UPDATE SET count = count + ?4");
	pv_statement_bind_text(add, 1, fault->kind);
	pv_statement_bind_text(add, 2, fault->field);
	pv_statement_bind(add, 3, fault->fault);
	pv_statement_bind(add, 4, (int64_t)fault->count);
	pv_statement_run(add);
	pv_statement_destroy(add);
}

void pv_field_faults_each(
    struct pv_database *database, pv_field_fault_fn on_fault, void *ctx)
{
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT kind, field, fault, count FROM field_faults "
	    "ORDER BY kind, count DESC, field, fault");
	while (pv_statement_step(row)) {
		const struct pv_field_fault_count fault = {
		    .kind = pv_statement_text(row, 0),
		    .field = pv_statement_text(row, 1),
		    .fault = (unsigned)pv_statement_number(row, 2),
		    .count = (uint64_t)pv_statement_number(row, 3),
		};
		on_fault(ctx, &fault);
	}
	pv_statement_destroy(row);
}
