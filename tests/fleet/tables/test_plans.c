#include "fleet/cluster.h"
#include "fleet/line/greeting.h"
#include "fleet/tables/schema.h"
#include "fleet/tables/statements.h"

#include <libpq-fe.h>

#include "tap.h"

/* How many rows PostgreSQL looks at for a statement whose plan was made before there
 * were any. A plan is kept until the tables are analyzed next, a minute later as
 * PostgreSQL is set: until then a fleet fills them. And links come to an end and
 * begin again. */

/* A statement for a hundred clocks, hosts or links looks at each some times. */
#define ITEMS "100"
#define LOOKS_MAX 2000

/* These are for few, or seldom said, and may compare each with each. */
#define PAIRS_MAX 25000

/* 40,000 clocks, each with a host and so on. Three of four are owned. */
static const char filling[] =
    "INSERT INTO pavane.clocks(crawl, name, worker, has_work) SELECT 1, 'c' || i, "
    "nullif(i % 4, 0), i % 4 = 0 FROM generate_series(1, 40000) AS i;"
    "INSERT INTO pavane.hosts(crawl, name, clock, row) SELECT 1, 'h' || i, 'c' "
    "|| i, '' FROM generate_series(1, 40000) AS i;"
    "INSERT INTO pavane.addresses(crawl, host, fingerprint, state, row) SELECT 1, "
    "i % 400, i, 0, '' FROM generate_series(1, 40000) AS i;"
    "INSERT INTO pavane.robots(crawl, host, authority, row) SELECT 1, 'h' || i, "
    "'h' || i, '' FROM generate_series(1, 40000) AS i;"
    "INSERT INTO pavane.notes(crawl, host, kind, key, row) SELECT 1, i, 1, 1, 'x' "
    "FROM generate_series(1, 40000) AS i;"
    "INSERT INTO pavane.refused(crawl, fingerprint, worker, policy, reason, clock, "
    "host, row) SELECT 1, i, 1, 1, 7, 'c' || i, 'h' || i, '' FROM "
    "generate_series(1, 40000) AS i;"
    "INSERT INTO pavane.redirects(crawl, fingerprint, number, target) SELECT 1, i, "
    "i, '' FROM generate_series(1, 40000) AS i;"
    "INSERT INTO pavane.net_addresses(crawl, address, worker) SELECT 1, 'a' || i, "
    "i % 4 FROM generate_series(1, 40000) AS i;";

/* Two for each clock; of the second half of the clocks they are strays. */
static const char links[] =
    "INSERT INTO pavane.links(crawl, clock, host, worker, row) SELECT 1, 'c' || i "
    "% 40000 + 1, 'h' || i % 40000 + 1, CASE WHEN i % 40000 < 20000 THEN "
    "nullif((i % 40000 + 1) % 4, 0) ELSE 9 END, '' FROM "
    "generate_series(0, 79999) AS i";

static const char preparation[] =
    "INSERT INTO pavane.crawls(name, policy, key, state_version) VALUES('c', '', "
    "'', 1);"
    "INSERT INTO pavane.workers(crawl, place) VALUES(1, 'a'), (1, 'b'), (1, 'c');"
    /* Each fourth name, from some number on: of one owner. */
    "CREATE FUNCTION names(sort text, first int) RETURNS text[] LANGUAGE sql AS "
    "$$ SELECT array_agg(sort || first + 4 * i) FROM generate_series(0, " ITEMS
    " - 1) AS i $$;"
    "CREATE FUNCTION numbers(first bigint) RETURNS bigint[] LANGUAGE sql AS "
    "$$ SELECT array_agg(first + 4 * i) FROM generate_series(0, " ITEMS
    " - 1) AS i $$;"
    "CREATE FUNCTION same(number bigint) RETURNS bigint[] LANGUAGE sql AS "
    "$$ SELECT array_agg(number) FROM generate_series(0, " ITEMS " - 1) $$;"
    "CREATE FUNCTION kinds() RETURNS smallint[] LANGUAGE sql AS $$ SELECT "
    "array_agg(1::smallint) FROM generate_series(0, " ITEMS " - 1) $$;"
    "CREATE FUNCTION bytes() RETURNS bytea[] LANGUAGE sql AS $$ SELECT "
    "array_agg('x'::bytea) FROM generate_series(0, " ITEMS " - 1) $$;";

static const struct {
	enum pv_say statement;
	const char *values;
} cases[] = {
    {PV_SAY_FINISH, "1"},
    {PV_SAY_WAKE_SOME, "1, '', " ITEMS},
    {PV_SAY_REFUSED_CLOCKS, "1, 2, 0, 0, " ITEMS ", 1, '{1007}', 1000"},
    {PV_SAY_REFUSED_LINKS, "1, 2, 0, 0, " ITEMS ", 1, '{1007}', 1000"},
    {PV_SAY_LEFT_CLOCKS, "1, '{1}', 0, 0, " ITEMS ", '{7}'"},
    {PV_SAY_LEFT_LINKS, "1, '{1}', 0, 0, " ITEMS ", '{7}'"},
    {PV_SAY_MEMBERS, "1"},
    {PV_SAY_PUT_HOSTS,
	"1, 1, names('h', 1), names('c', 1), bytes(), numbers(1), numbers(1)"},
    {PV_SAY_REST_CLOCKS, "1, 1, names('c', 1), numbers(1), numbers(1)"},
    {PV_SAY_REST_LOST, "1, 1, names('c', 2), numbers(2000)"},
    {PV_SAY_PUT_ADDRESSES, "1, same(1), numbers(1), kinds(), bytes()"},
    {PV_SAY_PUT_ROBOTS, "1, names('h', 1), names('h', 1), bytes()"},
    {PV_SAY_PUT_NOTES, "1, numbers(1), kinds(), same(1), bytes()"},
    {PV_SAY_ADD_REDIRECTS, "1, numbers(1), names('h', 1)"},
    {PV_SAY_ADD_CLOCKS, "1, names('c', 2)"},
    {PV_SAY_LOCK_CLOCKS, "1, names('c', 1), names('c', 2)"},
    {PV_SAY_ADD_LINKS, "1, names('c', 2), names('h', 2), kinds(), bytes()"},
    {PV_SAY_MEND_LINKS, "1, names('c', 30002), same(1), 1"},
    {PV_SAY_WAKE_CLOCKS, "1, names('c', 4)"},
    {PV_SAY_DROP_LINKS, "numbers(1)"},
    {PV_SAY_PUT_REFUSED,
	"1, 1, 1, numbers(1), kinds(), names('c', 1), names('h', 1), bytes()"},
    {PV_SAY_CLAIM, "1, 1, " ITEMS ", 1"},
    {PV_SAY_CLAIM_GIVEN, "1, 1, " ITEMS ", 1"},
    {PV_SAY_CLAIM_NAMED, "1, 1, names('c', 4), 1"},
    {PV_SAY_WANT_CLOCKS, "1, 1, names('c', 2)"},
    {PV_SAY_WANTED_CLOCKS, "1"},
    {PV_SAY_CLAIMED, "1, 1, '', " ITEMS},
    {PV_SAY_HOSTS_OF, "1, names('c', 1), '', " ITEMS},
    {PV_SAY_ROBOTS_OF, "1, names('c', 1), '', " ITEMS ", 100000"},
    {PV_SAY_NOTES_OF, "1, numbers(1), " ITEMS},
    {PV_SAY_REDIRECTS, "1, 100, " ITEMS},
    {PV_SAY_ADDRESSES_OF, "1, numbers(1), same(0), 1"},
    {PV_SAY_LINKS_OF, "1, names('c', 1), 0, " ITEMS},
    {PV_SAY_LINKS_TO, "1, " ITEMS},
    {PV_SAY_GIVE_CLOCKS, "1, 1, names('c', 1), same(0)"},
    {PV_SAY_CLAIM_ADDRESSES, "1, 1, names('a', 1), same(0)"},
    {PV_SAY_FIND_ADDRESSES, "1, names('a', 1)"},
    {PV_SAY_WANT_ADDRESSES, "1, 1, names('a', 2)"},
    {PV_SAY_WANTED, "1"},
    {PV_SAY_GIVE_ADDRESSES, "1, 1, names('a', 1)"},
};

#define CASES (sizeof(cases) / sizeof(*cases))

static PGresult *run(PGconn *conn, const char *sql)
{
	PGresult *result = PQexec(conn, sql);
	if (PQresultStatus(result) != PGRES_COMMAND_OK &&
	    PQresultStatus(result) != PGRES_TUPLES_OK)
		printf("# %s\n", PQresultErrorMessage(result));
	return result;
}

static void say(PGconn *conn, const char *sql)
{
	PQclear(run(conn, sql));
}

static void prepare(PGconn *conn, const struct pv_fleet_statement *statement)
{
	Oid types[PV_FLEET_VALUES_MAX];
	int count = 0;
	for (; statement->types[count]; count++)
		types[count] = pv_fleet_type_oid(statement->types[count]);
	PQclear(
	    PQprepare(conn, statement->name, statement->text, count, types));
}

static PGresult *explain(PGconn *conn, size_t i, const char *how)
{
	char sql[1000];
	snprintf(sql, sizeof(sql), "EXPLAIN (%s) EXECUTE %s(%s)", how,
	    pv_fleet_statements[cases[i].statement].name, cases[i].values);
	return run(conn, sql);
}

static double number_behind(const char *line, const char *word)
{
	const char *at = strstr(line, word);
	return at ? strtod(at + strlen(word), NULL) : 0;
}

/* All rows that the nodes of a plan have given, or left out, each time. */
static double count_looks(const PGresult *plan)
{
	double looks = 0, loops = 1;
	for (int row = 0; row < PQntuples(plan); row++) {
		const char *line = PQgetvalue(plan, row, 0);
		if (strstr(line, " loops=")) {
			loops = number_behind(line, " loops=");
			looks += loops * number_behind(line, "(actual rows=");
		}
		looks +=
		    loops * number_behind(line, "Rows Removed by Filter: ");
		looks += loops *
			 number_behind(line, "Rows Removed by Join Filter: ");
	}
	return looks;
}

static void print(const PGresult *plan)
{
	for (int row = 0; row < PQntuples(plan); row++)
		printf("# %s\n", PQgetvalue(plan, row, 0));
}

static double most_looks(enum pv_say statement)
{
	bool is_rare = statement == PV_SAY_REFUSED_LINKS ||
		       statement == PV_SAY_LEFT_LINKS ||
		       statement == PV_SAY_GIVE_CLOCKS;
	return is_rare ? PAIRS_MAX : LOOKS_MAX;
}

static void test_looks(PGconn *conn, size_t i)
{
	say(conn, "BEGIN");
	PGresult *plan =
	    explain(conn, i, "ANALYZE, COSTS off, TIMING off, SUMMARY off");
	double looks = count_looks(plan);
	if (!ok(PQntuples(plan) && looks <= most_looks(cases[i].statement),
		"\"%s\" looks at what it is asked for, and not at all that "
		"there is (%.0f rows)",
		pv_fleet_statements[cases[i].statement].name, looks))
		print(plan);
	PQclear(plan);
	say(conn, "ROLLBACK");
}

static PGconn *plan(const struct cluster *cluster)
{
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	say(conn, pv_fleet_session);
	say(conn, "SET plan_cache_mode = force_generic_plan");
	for (size_t i = 0; i < CASES; i++) {
		prepare(conn, &pv_fleet_statements[cases[i].statement]);
		PQclear(explain(conn, i, "COSTS off"));
	}
	return conn;
}

static void test_new_tables(const struct cluster *cluster)
{
	PGconn *conn = plan(cluster);
	cluster_ask(cluster, filling);
	cluster_ask(cluster, links);
	printf("# planned when all tables were new\n");
	for (size_t i = 0; i < CASES; i++)
		test_looks(conn, i);
	PQfinish(conn);
}

static void test_no_links(const struct cluster *cluster)
{
	cluster_ask(cluster,
	    "DELETE FROM pavane.links; ALTER TABLE pavane.links ALTER id RESTART");
	cluster_ask(cluster, "VACUUM ANALYZE");
	PGconn *conn = plan(cluster);
	cluster_ask(cluster, links);
	printf("# planned when all links had been taken\n");
	for (size_t i = 0; i < CASES; i++)
		test_looks(conn, i);
	PQfinish(conn);
}

int main(void)
{
	struct cluster cluster;
	const char *absence = cluster_absence();
	if (absence)
		return tap_skip_all(absence);
	if (!cluster_make(&cluster))
		return tap_skip_all("PostgreSQL cannot be made to run here");
	ok(cluster_set(&cluster, "autovacuum", "off") &&
		cluster_ask(&cluster, pv_fleet_schema) &&
		cluster_ask(&cluster, preparation),
	    "there is a crawl, of which nothing is known yet");
	test_new_tables(&cluster);
	test_no_links(&cluster);
	cluster_remove(&cluster);
	return tap_done();
}
