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

static void test_preparing(const struct cluster *cluster)
{
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	for (size_t i = 0; i < PV_SAY_COUNT; i++) {
		const struct pv_fleet_statement *statement =
		    &pv_fleet_statements[i];
		Oid types[PV_FLEET_VALUES_MAX];
		int count = 0;
		for (; statement->types[count]; count++)
			types[count] =
			    pv_fleet_type_oid(statement->types[count]);
		PGresult *result = PQprepare(
		    conn, statement->name, statement->text, count, types);
		if (!ok(PQresultStatus(result) == PGRES_COMMAND_OK,
			"the server understands \"%s\"", statement->name))
			printf("# %s", PQerrorMessage(conn));
		PQclear(result);
	}
	PQfinish(conn);
}

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
	test_preparing(&cluster);
	test_links_to(&cluster);
	cluster_remove(&cluster);
	return tap_done();
}
