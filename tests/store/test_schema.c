#include "store/schema.h"

#include "scratch.h"
#include "tap.h"

#define FIRST "CREATE TABLE a(x); INSERT INTO a VALUES(1);"

static const char *const steps[] = {
    FIRST,
    "ALTER TABLE a ADD COLUMN y DEFAULT 2;",
    "UPDATE a SET x = x + y;",
};

static const char *const broken[] = {
    FIRST,
    "UPDATE a SET x = 100; UPDATE nothing SET x = 1;",
};

static struct pv_schema schema_of(const char *const *sql, size_t count)
{
	return (struct pv_schema){
	    .application_id = 77,
	    .first_version = 1,
	    .steps = sql,
	    .step_count = count,
	};
}

/* One that begins with what those of the other have made. */
static struct pv_schema schema_from(
    size_t version, const char *const *sql, size_t count)
{
	struct pv_schema schema = schema_of(sql, count);
	schema.first_version = version;
	return schema;
}

/* Opens the file, applies the schema, and asks one number of it. */
static bool apply(const struct scratch *scratch, struct pv_schema schema,
    const char *sql, int64_t *number)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_database *database =
	    pv_database_open(scratch_file(scratch, "x.db"));
	bool is_applied = pv_schema_apply(&schema, database, "x.db", &why);
	*number = pv_database_number(database, sql);
	ok(is_applied == !pv_why_has_problems(&why),
	    "what cannot be used has a reason, and only that");
	pv_database_close(database);
	pv_why_finish(&why);
	return is_applied;
}

static void test_steps(void)
{
	struct scratch scratch;
	int64_t number;
	scratch_make(&scratch);
	ok(apply(&scratch, schema_of(steps, 1), "SELECT x FROM a", &number) &&
		number == 1,
	    "a new file is made by the first step");
	ok(apply(&scratch, schema_of(steps, 1), "SELECT x FROM a", &number) &&
		number == 1,
	    "no step is done twice");
	ok(apply(&scratch, schema_of(steps, 3), "SELECT x FROM a", &number) &&
		number == 3,
	    "an older file is brought up to date");
	ok(apply(
	       &scratch, schema_of(steps, 3), "PRAGMA user_version", &number) &&
		number == 3,
	    "and says so");
	ok(!apply(&scratch, schema_of(steps, 2), "SELECT x FROM a", &number) &&
		number == 3,
	    "an older program leaves it alone");
	scratch_remove(&scratch);
}

/* A file of another program, which has numbers of its own or none. */
static void test_foreign(const char *sql, const char *claim)
{
	struct scratch scratch;
	int64_t number;
	scratch_make(&scratch);
	struct pv_database *database =
	    pv_database_open(scratch_file(&scratch, "x.db"));
	pv_database_run(database, sql);
	pv_database_close(database);
	ok(!apply(&scratch, schema_of(steps, 1), "SELECT x FROM b", &number) &&
		number == 5,
	    "%s", claim);
	scratch_remove(&scratch);
}

static const char *const later[] = {
    "CREATE TABLE a(x, y DEFAULT 2); INSERT INTO a VALUES(3, 2);",
    "UPDATE a SET x = x * 10;",
};

static void test_first_version(void)
{
	struct scratch scratch;
	int64_t number;
	scratch_make(&scratch);
	ok(apply(&scratch, schema_from(3, later, 1), "PRAGMA user_version",
	       &number) &&
		number == 3,
	    "a new file is of the first version that can be used");
	ok(apply(&scratch, schema_from(3, later, 2), "SELECT x FROM a",
	       &number) &&
		number == 30,
	    "and is brought up from that");
	scratch_remove(&scratch);
	scratch_make(&scratch);
	apply(&scratch, schema_of(steps, 3), "SELECT x FROM a", &number);
	ok(apply(&scratch, schema_from(3, later, 2), "SELECT x FROM a",
	       &number) &&
		number == 30,
	    "one that came to it step by step is brought up as well");
	scratch_remove(&scratch);
	scratch_make(&scratch);
	apply(&scratch, schema_of(steps, 2), "SELECT x FROM a", &number);
	ok(!apply(&scratch, schema_from(3, later, 2), "SELECT x FROM a",
	       &number) &&
		number == 1,
	    "one before it is left alone");
	scratch_remove(&scratch);
}

static void test_broken_step(void)
{
	struct scratch scratch;
	int64_t number;
	scratch_make(&scratch);
	apply(&scratch, schema_of(steps, 1), "SELECT x FROM a", &number);
	ok(!apply(&scratch, schema_of(broken, 2), "SELECT 1", &number),
	    "a step that fails is told");
	ok(apply(&scratch, schema_of(steps, 1), "SELECT x FROM a", &number) &&
		number == 1,
	    "P3: and has changed nothing");
	scratch_remove(&scratch);
}

static void test_state(void)
{
	struct scratch scratch;
	int64_t number;
	scratch_make(&scratch);
	ok(apply(&scratch, *pv_state_schema(),
	       "SELECT (SELECT count(*) FROM pages) + "
	       "(SELECT count(*) FROM pending) + (SELECT count(*) FROM "
	       "refused) + (SELECT count(*) FROM totals) + (SELECT count(*) "
	       "FROM manners) + (SELECT count(*) FROM robots) + count(*) "
	       "FROM hosts",
	       &number) &&
		number == 0,
	    "a new state file has all its views, and nothing in them");
	scratch_remove(&scratch);
}

/* A host that asked for a rest, and one that was left. */
static void test_hosts(void)
{
	struct scratch scratch;
	int64_t number;
	scratch_make(&scratch);
	apply(&scratch, *pv_state_schema(), "SELECT 0", &number);
	struct pv_database *database =
	    pv_database_open(scratch_file(&scratch, "x.db"));
	pv_database_run(database,
	    "INSERT INTO words VALUES('wait', 5, 'retry-after'), "
	    "('reason', 17, 'blocked');"
	    "INSERT INTO host_states(name, state, wait_reason, wait_ms, "
	    "until_wall_ms) VALUES('a.test', 1, 5, 60000, 1700000000000);"
	    "INSERT INTO host_states(name, state, left_reason) "
	    "VALUES('b.test', 0, 17)");
	ok(pv_database_number(database,
	       "SELECT count(*) FROM hosts WHERE name = 'a.test' AND state = "
	       "'waiting' AND waits_for = 'retry-after' AND next_start = "
	       "'2023-11-14T22:13:20Z' AND left_for IS NULL") == 1,
	    "P4: the view of hosts tells what one waits for, and until when");
	ok(pv_database_number(database,
	       "SELECT count(*) FROM hosts WHERE name = 'b.test' AND state = "
	       "'idle' AND waits_for IS NULL AND left_for = 'blocked'") == 1,
	    "and why one was left");
	pv_database_close(database);
	scratch_remove(&scratch);
}

/* A crawl's directory of the version before hosts went from one worker to another
 * with what is counted of them. */
static void test_counts(void)
{
	struct scratch scratch;
	int64_t number;
	struct pv_schema whole = *pv_state_schema(), before = whole;
	before.step_count = 23 - whole.first_version + 1;
	scratch_make(&scratch);
	apply(&scratch, before,
	    "INSERT INTO vouchers(sitemap, host) VALUES(1, 'a.test') "
	    "RETURNING 1",
	    &number);
	ok(apply(&scratch, whole,
	       "SELECT count(*) FROM vouchers WHERE at = '' AND NOT "
	       "EXISTS(SELECT 1 FROM trap_hosts)",
	       &number) &&
		number == 1,
	    "P3: what a directory of version 23 has is brought up to date");
	scratch_remove(&scratch);
}

int main(void)
{
	test_hosts();
	test_counts();
	test_steps();
	test_foreign("CREATE TABLE b(x); INSERT INTO b VALUES(5);"
		     "PRAGMA application_id=78; PRAGMA user_version=1",
	    "the file of another program is left alone");
	test_foreign("CREATE TABLE b(x); INSERT INTO b VALUES(5)",
	    "also of one that says nothing of itself");
	test_first_version();
	test_broken_step();
	test_state();
	return tap_done();
}
