#include "fleet/cluster.h"
#include "fleet/schema.h"
#include "fleet/statements.h"

#include <libpq-fe.h>

#include "tap.h"

/* What single statements give, of tables that the test has filled. */

static const char rows[] =
    "INSERT INTO pavane.crawls(name, policy, key, state_version) "
    "VALUES('c', '', '', 1);"
    "INSERT INTO pavane.workers(crawl, place) VALUES(1, 'a'), (1, 'b');"
    "INSERT INTO pavane.clocks(crawl, name, worker) VALUES(1, 'own', 1), "
    "(1, 'free', NULL), (1, 'other', 2);"
    "INSERT INTO pavane.links(crawl, clock, host, worker, row) SELECT 1, "
    "name, name, 1, '' FROM unnest(ARRAY['own', 'free', 'other']) AS name";

/* A link whose clock was given away while it was written. */
static void test_links_to(const struct cluster *cluster)
{
	static const char *const values[] = {"1", "10"};
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	PGresult *result =
	    PQexecParams(conn, pv_fleet_statements[PV_SAY_LINKS_TO].text, 2,
		NULL, values, NULL, NULL, 0);
	ok(PQresultStatus(result) == PGRES_TUPLES_OK,
	    "a worker asks for the links to its hosts");
	ok(PQntuples(result) == 1 &&
		strcmp(PQgetvalue(result, 0, 1), "own") == 0,
	    "and gets none to hosts that are not its own any more");
	PQclear(result);
	PQfinish(conn);
}

/* One statement, each of its values as text or NULL. */
static void run(PGconn *conn, enum pv_say statement, const char *const *values)
{
	const enum pv_fleet_type *types = pv_fleet_statements[statement].types;
	Oid oids[10];
	int count = 0;
	for (; types[count] != PV_FLEET_NOTHING; count++)
		oids[count] = pv_fleet_type_oid(types[count]);
	PGresult *result =
	    PQexecParams(conn, pv_fleet_statements[statement].text, count, oids,
		values, NULL, NULL, 0);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
		printf("# %s\n", PQerrorMessage(conn));
	PQclear(result);
}

static bool is_so(const struct cluster *cluster, const char *sql)
{
	const char *answer = cluster_ask(cluster, sql);
	return answer && strcmp(answer, "t") == 0;
}

static void put_host(PGconn *conn, const char *worker, const char *pages)
{
	const char *const values[] = {
	    "1", worker, "{host}", "{own}", "{\"\\\\x00\"}", pages, "{1000}"};
	run(conn, PV_SAY_PUT_HOSTS, values);
}

/* A host's figures are passed on by one owner, and then by another. */
static void test_counting(const struct cluster *cluster)
{
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	put_host(conn, "1", "{7}");
	put_host(conn, "1", "{7}");
	ok(is_so(cluster,
	       "SELECT pages = 7 AND bytes = 1000 FROM pavane.workers WHERE "
	       "id = 1"),
	    "what is passed on twice counts once");
	put_host(conn, "2", "{9}");
	ok(is_so(cluster,
	       "SELECT bool_and(pages = CASE id WHEN 1 THEN 7 ELSE 2 END) FROM "
	       "pavane.workers"),
	    "of a host that was another's only what is new counts");
	put_host(conn, "2", "{8}");
	put_host(conn, "2", "{9}");
	ok(is_so(cluster, "SELECT sum(pages) = 9 FROM pavane.workers"),
	    "who knows less of it than the database brings nothing twice");
	PQfinish(conn);
}

static void grant(PGconn *conn, const char *worker, const char *limit)
{
	const char *const values[] = {
	    worker, "1", limit, "-1", "t", "f", "4096"};
	run(conn, PV_SAY_GRANT, values);
}

static void test_grants(const struct cluster *cluster)
{
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	grant(conn, "1", "89");
	ok(is_so(cluster,
	       "SELECT granted_pages = 7 + 10 AND granted_bytes = bytes FROM "
	       "pavane.workers WHERE id = 1"),
	    "two workers have an eighth of what is left each");
	for (int i = 0; i < 100; i++)
		grant(conn, i % 2 ? "1" : "2", "89");
	ok(is_so(cluster, "SELECT sum(granted_pages) = 89 FROM pavane.workers"),
	    "all is granted at last, and no more");
	cluster_ask(
	    cluster, "UPDATE pavane.workers SET is_alive = false WHERE id = 1");
	for (int i = 0; i < 100; i++)
		grant(conn, "2", "89");
	ok(is_so(cluster,
	       "SELECT granted_pages = 82 FROM pavane.workers WHERE id = 2"),
	    "of a dead worker counts what it has brought");
	grant(conn, "2", "50");
	ok(is_so(cluster,
	       "SELECT granted_pages = 82 FROM pavane.workers WHERE id = 2"),
	    "a lower limit grants nothing");
	run(conn, PV_SAY_KEEP_GRANT, (const char *const[]){"2", "0", "0"});
	ok(is_so(cluster,
	       "SELECT granted_pages = 2 FROM pavane.workers WHERE id = 2"),
	    "what was not used comes back");
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
	ok(cluster_ask(&cluster, pv_fleet_schema) &&
		cluster_ask(&cluster, rows),
	    "there are a crawl, workers, clocks and links");
	test_links_to(&cluster);
	test_counting(&cluster);
	test_grants(&cluster);
	cluster_remove(&cluster);
	return tap_done();
}
