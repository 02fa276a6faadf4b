#include "store/statement.h"

#include "scratch.h"
#include "tap.h"

static int64_t run(struct pv_database *database, const char *sql)
{
	struct pv_statement *statement = pv_statement_create(database, sql);
	int64_t changes = pv_statement_run(statement);
	pv_statement_destroy(statement);
	return changes;
}

static void test_changes(struct pv_database *database)
{
	pv_database_run(database, "CREATE TABLE t(x UNIQUE)");
	ok(run(database, "INSERT INTO t VALUES(1), (2), (3)") == 3,
	    "how many rows a statement has changed is told");
	ok(run(database, "INSERT OR IGNORE INTO t VALUES(1)") == 0,
	    "also where it has changed none");
}

/* Who goes on until nothing is changed any more has to come to an end. */
static void test_fault(struct pv_database *database)
{
	struct pv_statement *statement =
	    pv_statement_create(database, "UPDATE t SET x = -x");
	ok(pv_statement_run(statement) == 3, "three rows are changed");
	pv_database_fail(database, PV_STORE_FULL, "the disk is full");
	ok(pv_statement_run(statement) == 0,
	    "P3: after a fault nothing is done, and nothing was changed");
	ok(!pv_statement_step(statement), "nor is there any row");
	pv_statement_destroy(statement);
	ok(run(database, "DELETE FROM t") == 0,
	    "nor does a statement that is made after it");
}

int main(void)
{
	struct scratch scratch;
	if (!ok(scratch_make(&scratch), "a directory is made"))
		return tap_done();
	struct pv_database *database =
	    pv_database_open(scratch_file(&scratch, "a.db"));
	test_changes(database);
	test_fault(database);
	pv_database_close(database);
	scratch_remove(&scratch);
	return tap_done();
}
