#include "fleet/cluster.h"
#include "fleet/tables/schema.h"
#include "fleet/tables/statements.h"

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

static PGresult *ask(
    PGconn *conn, enum pv_say number, int count, const char *const *values)
{
	const struct pv_fleet_statement *statement =
	    &pv_fleet_statements[number];
	Oid types[PV_FLEET_VALUES_MAX];
	for (int i = 0; i < count; i++)
		types[i] = pv_fleet_type_oid(statement->types[i]);
	PGresult *result = PQexecParams(
	    conn, statement->text, count, types, values, NULL, NULL, 0);
	if (PQresultStatus(result) != PGRES_COMMAND_OK &&
	    PQresultStatus(result) != PGRES_TUPLES_OK)
		printf("# %s\n", PQresultErrorMessage(result));
	return result;
}

static void say(
    PGconn *conn, enum pv_say number, int count, const char *const *values)
{
	PQclear(ask(conn, number, count, values));
}

static bool is_answer(
    const struct cluster *cluster, const char *sql, const char *wanted)
{
	const char *answer = cluster_ask(cluster, sql);
	return answer && strcmp(answer, wanted) == 0;
}

static const char wishes[] =
    "SELECT string_agg(name || ' ' || coalesce(wanted_by, 0), ', ' ORDER BY "
    "name) FROM pavane.clocks";

/* A worker asks for hosts of others by name. */
static void test_wanting(const struct cluster *cluster)
{
	static const char *const first[] = {"1", "1", "{own,free,other,new}"};
	static const char *const second[] = {"1", "2", "{own,other}"};
	static const char *const owner[] = {"2"};
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	PGresult *result = ask(conn, PV_SAY_WANT_CLOCKS, 3, first);
	ok(PQntuples(result) == 1 &&
		strcmp(PQgetvalue(result, 0, 0), "other") == 0 &&
		strcmp(PQgetvalue(result, 0, 1), "2") == 0,
	    "a worker hears which clocks others own, and who");
	PQclear(result);
	ok(is_answer(cluster, wishes, "free 0, other 1, own 0"),
	    "those of a higher number are marked");
	result = ask(conn, PV_SAY_WANT_CLOCKS, 3, second);
	ok(PQntuples(result) == 1 &&
		is_answer(cluster, wishes, "free 0, other 1, own 0"),
	    "those of a lower one are not");
	PQclear(result);
	result = ask(conn, PV_SAY_WANTED_CLOCKS, 1, owner);
	ok(PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 1), "1") == 0,
	    "the owner hears who wants it");
	PQclear(result);
	cluster_ask(cluster, "UPDATE pavane.workers SET is_alive = id <> 1");
	result = ask(conn, PV_SAY_WANTED_CLOCKS, 1, owner);
	ok(PQntuples(result) == 0, "unless that one is none any more");
	PQclear(result);
	cluster_ask(cluster,
	    "UPDATE pavane.workers SET is_alive = true; UPDATE pavane.clocks "
	    "SET wanted_by = NULL");
	PQfinish(conn);
}

static const char finished[] = "SELECT is_finished FROM pavane.crawls";

static bool is_unheeded(PGconn *conn, const char *workers)
{
	static const char *const crawl[] = {"1", "10", "1"};
	PGresult *result = ask(conn, PV_SAY_UNHEEDED, 3, crawl);
	bool is_right = PQntuples(result) == 1 &&
			strcmp(PQgetvalue(result, 0, 0), workers) == 0;
	PQclear(result);
	return is_right;
}

/* What the second worker has refused, which lives no longer. */
static void test_left_over(const struct cluster *cluster, PGconn *conn)
{
	static const char *const first[] = {
	    "1", "{2,3}", "-9223372036854775808", "0", "2", "{1,4}"};
	static const char *const more[] = {
	    "1", "{2,3}", "6", "2", "2", "{1,4}"};
	static const char *const end[] = {"1", "{2,3}", "8", "2", "2", "{1,4}"};
	static const char *const heeded[] = {"{2,3}", "3"};
	cluster_ask(cluster,
	    "DELETE FROM pavane.refused; INSERT INTO pavane.refused(crawl, "
	    "fingerprint, worker, policy, reason, clock, host, row) SELECT 1, "
	    "n, 2 - n / 9, 1, CASE n WHEN 7 THEN 2 ELSE 4 END, 'left', 'left', "
	    "'' FROM generate_series(5, 9) AS n");
	say(conn, PV_SAY_LEFT_CLOCKS, 6, first);
	say(conn, PV_SAY_LEFT_LINKS, 6, first);
	ok(is_answer(cluster,
	       "SELECT count(*) || ' ' || bool_and(has_work) FROM "
	       "pavane.links JOIN pavane.clocks ON name = clock",
	       "2 true"),
	    "some of it becomes links, of which a clock tells");
	say(conn, PV_SAY_LEFT_LINKS, 6, more);
	PGresult *result = ask(conn, PV_SAY_LEFT_LINKS, 6, end);
	ok(PQntuples(result) == 0 &&
		is_answer(cluster, "SELECT count(*) FROM pavane.links", "3"),
	    "then the rest, and nothing that was refused for other reasons, or "
	    "by others");
	PQclear(result);
	cluster_ask(cluster, "UPDATE pavane.workers SET is_alive = true");
	say(conn, PV_SAY_HEED_LEFT, 2, heeded);
	cluster_ask(cluster, "UPDATE pavane.workers SET is_alive = id = 1");
	ok(is_unheeded(conn, "{2}"),
	    "one that has come back heeds them itself");
	cluster_ask(cluster, "UPDATE pavane.workers SET is_idle = id <> 1");
	ok(is_unheeded(conn, ""), "one of those that are idle sees to that");
	cluster_ask(cluster, "UPDATE pavane.workers SET is_idle = true");
	say(conn, PV_SAY_HEED_LEFT, 2, heeded);
	ok(is_unheeded(conn, ""), "or they are heeded for it");
	cluster_ask(
	    cluster, "DELETE FROM pavane.links; DELETE FROM pavane.clocks");
}

/* Two workers that hear of the same redirect, and the end of the crawl. */
static void test_redirects(const struct cluster *cluster)
{
	static const char *const first[] = {"1", "{7,8}", "{a,b}"};
	static const char *const second[] = {"1", "{8,9,9}", "{b,c,c}"};
	static const char *const crawl[] = {"1"};
	static const char *const heeded[] = {"1", "3"};
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	say(conn, PV_SAY_ADD_REDIRECTS, 3, first);
	say(conn, PV_SAY_ADD_REDIRECTS, 3, second);
	say(conn, PV_SAY_ADD_REDIRECTS, 3, second);
	ok(is_answer(cluster,
	       "SELECT count(DISTINCT number) || ' ' || max(number) FROM "
	       "pavane.redirects",
	       "3 3"),
	    "redirects of seeds have numbers of their own");
	ok(is_answer(cluster, "SELECT redirects FROM pavane.crawls", "3"),
	    "of which the crawl has the last");
	cluster_ask(cluster,
	    "DELETE FROM pavane.links; DELETE FROM pavane.clocks; UPDATE "
	    "pavane.workers SET is_idle = true, is_alive = id = 1");
	say(conn, PV_SAY_FINISH, 1, crawl);
	ok(is_answer(cluster, finished, "f"),
	    "the crawl does not end while a worker has not heeded them");
	ok(is_unheeded(conn, ""),
	    "nor does another do so for one that lives no longer");
	say(conn, PV_SAY_HEED_REDIRECTS, 2, heeded);
	say(conn, PV_SAY_FINISH, 1, crawl);
	ok(is_answer(cluster, finished, "f") && is_unheeded(conn, "{2}"),
	    "but when it has, and before the crawl ends");
	test_left_over(cluster, conn);
	say(conn, PV_SAY_FINISH, 1, crawl);
	ok(is_answer(cluster, finished, "t"), "which then it does");
	PQfinish(conn);
}

/* What is counted of a host. */
static void test_notes(const struct cluster *cluster)
{
	static const char *const put[] = {
	    "1", "{5,5,-6}", "{0,1,0}", "{1,1,1}", "{a,b,c}"};
	static const char *const change[] = {
	    "1", "{5,5}", "{0,1}", "{1,1}", "{\"\",d}"};
	static const char *const more[] = {"1", "{5}", "{0}", "{2}", "{e}"};
	static const char *const of[] = {"1", "{-6,5,5}", "1"};
	static const char notes[] =
	    "SELECT string_agg(host || ' ' || kind || ' ' || "
	    "encode(row, 'escape'), ', ' ORDER BY host, kind) FROM pavane.notes";
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	say(conn, PV_SAY_PUT_NOTES, 5, put);
	ok(is_answer(cluster, notes, "-6 0 c, 5 0 a, 5 1 b"),
	    "notes are kept by host and kind");
	say(conn, PV_SAY_PUT_NOTES, 5, change);
	ok(is_answer(cluster, notes, "-6 0 c, 5 1 d"),
	    "they change, and one that is empty is no more");
	say(conn, PV_SAY_PUT_NOTES, 5, more);
	PGresult *result = ask(conn, PV_SAY_NOTES_OF, 3, of);
	ok(PQntuples(result) == 2 &&
		strcmp(PQgetvalue(result, 0, 1), "0") == 0 &&
		strcmp(PQgetvalue(result, 1, 1), "1") == 0,
	    "of each host so many are given, of the last kinds");
	PQclear(result);
	PQfinish(conn);
}

/* All of its values. */
static void run(PGconn *conn, enum pv_say number, const char *const *values)
{
	int count = 0;
	while (pv_fleet_statements[number].types[count] != PV_FLEET_NOTHING)
		count++;
	say(conn, number, count, values);
}

static bool is_so(const struct cluster *cluster, const char *sql)
{
	return is_answer(cluster, sql, "t");
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
	cluster_ask(cluster, "UPDATE pavane.crawls SET round = 2");
	put_host(conn, "2", "{4}");
	put_host(conn, "2", "{5}");
	ok(is_so(cluster, "SELECT sum(pages) = 9 + 5 FROM pavane.workers"),
	    "in another round all counts anew");
	cluster_ask(cluster,
	    "UPDATE pavane.crawls SET round = 1; UPDATE pavane.workers SET "
	    "pages = 2 WHERE id = 2; DELETE FROM pavane.hosts");
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

static void rest(PGconn *conn, const char *wait, const char *rest_ms)
{
	run(conn, PV_SAY_REST_CLOCKS,
	    (const char *const[]){"1", "1", "{own}", wait, rest_ms});
}

/* Hosts that share a clock are passed on one after the other. */
static void test_rests(const struct cluster *cluster)
{
	static const char is_kept[] =
	    "SELECT rest_ms = 3600000 AND rests_until > clock_timestamp() + "
	    "interval '59 min' FROM pavane.clocks WHERE name = 'own'";
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	rest(conn, "{3600000}", "{3600000}");
	ok(is_so(cluster, is_kept), "a clock rests as its host says");
	rest(conn, "{0}", "{0}");
	ok(is_so(cluster, is_kept),
	    "P1: and whatever one says that was not asked");
	rest(conn, "{0}", "{1000}");
	ok(is_so(cluster,
	       "SELECT rest_ms = 1000 AND rests_until > clock_timestamp() + "
	       "interval '59 min' FROM pavane.clocks WHERE name = 'own'"),
	    "P1: nor does the wait become shorter by one that was asked");
	PQfinish(conn);
}

/* An index would grow with each report. */
static void test_hot_rests(const struct cluster *cluster)
{
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	PQclear(PQexec(conn, "BEGIN"));
	for (int i = 0; i < 5; i++)
		rest(conn, "{2000}", "{2000}");
	PGresult *result = PQexec(conn,
	    "SELECT pg_stat_get_xact_tuples_updated(clocks), "
	    "pg_stat_get_xact_tuples_hot_updated(clocks) FROM (SELECT "
	    "'pavane.clocks'::regclass::oid AS clocks) AS each");
	ok(strcmp(PQgetvalue(result, 0, 0), "5") == 0 &&
		strcmp(PQgetvalue(result, 0, 1), "5") == 0,
	    "what an owner reports of its clocks spares their indexes (%s of "
	    "%s)",
	    PQgetvalue(result, 0, 1), PQgetvalue(result, 0, 0));
	PQclear(result);
	PQclear(PQexec(conn, "ROLLBACK"));
	PQfinish(conn);
}

static void set_own(const struct cluster *cluster)
{
	cluster_ask(cluster,
	    "UPDATE pavane.workers SET is_alive = true; UPDATE pavane.clocks "
	    "SET worker = 1, ready_at = clock_timestamp(), rests_until = "
	    "clock_timestamp() + interval '1 hour', rest_ms = 1000 WHERE "
	    "name = 'own'");
}

/* However a clock becomes free. */
static void test_freed_rests(const struct cluster *cluster)
{
	static const char still_rests[] =
	    "SELECT worker IS NULL AND ready_at > clock_timestamp() + "
	    "interval '59 min' FROM pavane.clocks WHERE name = 'own'";
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	set_own(cluster);
	run(conn, PV_SAY_LEAVE, (const char *const[]){"1"});
	ok(is_so(cluster, still_rests),
	    "P1: a clock rests on when its owner leaves");
	set_own(cluster);
	run(conn, PV_SAY_GIVE_CLOCKS,
	    (const char *const[]){"1", "1", "{own}", "{0}"});
	ok(is_so(cluster, still_rests), "P1: when it is given away");
	set_own(cluster);
	cluster_ask(
	    cluster, "UPDATE pavane.workers SET is_alive = false WHERE id = 1");
	run(conn, PV_SAY_FREE_CLOCKS, (const char *const[]){"1"});
	ok(is_so(cluster, still_rests), "P1: and when it is reaped");
	cluster_ask(cluster,
	    "UPDATE pavane.workers SET is_alive = true; UPDATE pavane.clocks "
	    "SET worker = 1, rests_until = NULL, ready_at = "
	    "clock_timestamp(), has_work = false WHERE name = 'own'");
	PQfinish(conn);
}

/* False if it would have to wait. */
static bool goes_on(PGconn *conn, enum pv_say number, const char *const *values)
{
	int count = 0;
	while (pv_fleet_statements[number].types[count])
		count++;
	PQclear(PQexec(conn, "BEGIN; SET LOCAL lock_timeout = '200ms'"));
	PGresult *result = ask(conn, number, count, values);
	bool went_on = PQresultStatus(result) == PGRES_COMMAND_OK ||
		       PQresultStatus(result) == PGRES_TUPLES_OK;
	PQclear(result);
	PQclear(PQexec(conn, "COMMIT"));
	return went_on;
}

static const char strays[] =
    "SELECT string_agg(coalesce(worker, 0)::text, ' ' ORDER BY id) FROM "
    "pavane.links";

static void clear_links(const struct cluster *cluster)
{
	cluster_ask(cluster,
	    "DELETE FROM pavane.links; UPDATE pavane.workers SET is_alive = "
	    "true, is_idle = false; UPDATE pavane.clocks SET has_work = false; "
	    "UPDATE pavane.clocks SET worker = 1, rests_until = NULL, "
	    "ready_at = clock_timestamp() WHERE name = 'own'");
}

/* Links that are on their way into the database, to a clock that changes hands
 * meanwhile. */
static void test_link_owners(const struct cluster *cluster)
{
	static const char *const link[] = {"1", "{own}", "{h}", "{0}", "{x}"};
	static const char *const seen[] = {"1", "{own}", "{1}", "1"};
	static const char *const of_second[] = {"2", "10"};
	PGconn *one = PQconnectdb(cluster_url(cluster)),
	       *other = PQconnectdb(cluster_url(cluster)),
	       *third = PQconnectdb(cluster_url(cluster));
	clear_links(cluster);
	PQclear(PQexec(one, "BEGIN"));
	PGresult *result = ask(one, PV_SAY_ADD_LINKS, 5, link);
	ok(PQntuples(result) == 1 && strcmp(PQgetvalue(result, 0, 1), "1") == 0,
	    "who adds links hears who owns the clock");
	PQclear(result);
	ok(goes_on(other, PV_SAY_ADD_LINKS, link),
	    "another one adds some to the same clock at the same time");
	ok(goes_on(other, PV_SAY_REST_CLOCKS,
	       (const char *const[]){"1", "1", "{own}", "{0}", "{5}"}),
	    "and its owner reports meanwhile");
	PQclear(PQexec(other, "BEGIN"));
	run(other, PV_SAY_REST_CLOCKS,
	    (const char *const[]){"1", "1", "{own}", "{0}", "{6}"});
	ok(goes_on(
	       third, PV_SAY_ADD_CLOCKS, (const char *const[]){"1", "{own}"}),
	    "for which whoever adds links does not wait either");
	PQclear(PQexec(other, "COMMIT"));
	PQclear(PQexec(one, "COMMIT"));
	cluster_ask(cluster, "DELETE FROM pavane.links");
	PQclear(PQexec(one, "BEGIN"));
	run(one, PV_SAY_ADD_LINKS, link);
	ok(goes_on(other, PV_SAY_GIVE_CLOCKS,
	       (const char *const[]){"1", "1", "{own}", "{0}"}),
	    "or gives the clock away");
	cluster_ask(cluster,
	    "UPDATE pavane.clocks SET worker = 2, has_work = false WHERE "
	    "name = 'own'");
	PQclear(PQexec(one, "COMMIT"));
	ok(is_so(cluster, "SELECT bool_and(worker = 1) FROM pavane.links"),
	    "then the links say still whose it was");
	run(one, PV_SAY_MEND_LINKS, seen);
	result = ask(other, PV_SAY_LINKS_TO, 2, of_second);
	ok(PQntuples(result) == 1,
	    "P3: until who has added them looks once more: its new owner gets "
	    "them");
	PQclear(result);
	cluster_ask(cluster,
	    "UPDATE pavane.links SET worker = 9; INSERT INTO "
	    "pavane.links(crawl, clock, host, worker, row) VALUES(1, 'own', "
	    "'h', 2, '')");
	run(one, PV_SAY_MEND_LINKS,
	    (const char *const[]){"1", "{own}", "{2}", "1"});
	ok(is_answer(cluster, strays, "9 2"),
	    "where its owner is the same nothing is looked at");
	clear_links(cluster);
	PQfinish(one);
	PQfinish(other);
	PQfinish(third);
}

/* Whoever has added them was killed before that. */
static void test_strays(const struct cluster *cluster)
{
	static const char *const all[] = {"1", "10"};
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	clear_links(cluster);
	cluster_ask(cluster,
	    "INSERT INTO pavane.links(crawl, clock, host, worker, row) "
	    "VALUES(1, 'own', 'h', 9, ''), (1, 'own', 'h', 1, ''), (1, 'other', "
	    "'h', NULL, ''); UPDATE pavane.workers SET is_idle = id <> 2");
	run(conn, PV_SAY_MEND_STRAYS, all);
	ok(is_answer(cluster, strays, "9 1 0"),
	    "while somebody has work nobody looks for strays");
	cluster_ask(cluster, "UPDATE pavane.workers SET is_idle = true");
	run(conn, PV_SAY_MEND_STRAYS, all);
	ok(is_answer(cluster, strays, "1 1 2"),
	    "P3: else they come to who owns their clocks");
	clear_links(cluster);
	PQfinish(conn);
}

static void rest_lost(PGconn *conn, const char *by, const char *wait)
{
	run(conn, PV_SAY_REST_LOST,
	    (const char *const[]){"1", by, "{own}", wait});
}

/* By a worker that had them before. */
static void test_lost_rests(const struct cluster *cluster)
{
	static const char is_marked[] =
	    "SELECT wanted_by IS NOT NULL FROM pavane.clocks WHERE "
	    "name = 'own'";
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	cluster_ask(cluster,
	    "UPDATE pavane.clocks SET rests_until = clock_timestamp() + "
	    "interval '1 min', wanted_by = NULL WHERE name = 'own'");
	rest_lost(conn, "2", "{60500}");
	ok(!is_so(cluster, is_marked), "what a clock waits for is no news");
	rest_lost(conn, "1", "{3600000}");
	ok(!is_so(cluster, is_marked), "nor what its owner says");
	rest_lost(conn, "2", "{3600000}");
	ok(is_so(cluster,
	       "SELECT worker = 1 AND wanted_by = 1 AND ready_at > "
	       "clock_timestamp() + interval '59 min' FROM pavane.clocks WHERE "
	       "name = 'own'"),
	    "P1: what another worker was told makes its owner give it to "
	    "itself, later");
	cluster_ask(cluster,
	    "UPDATE pavane.clocks SET worker = NULL, wanted_by = NULL, "
	    "ready_at = clock_timestamp(), rests_until = NULL WHERE "
	    "name = 'own'");
	rest_lost(conn, "2", "{3600000}");
	ok(is_so(cluster,
	       "SELECT worker IS NULL AND wanted_by IS NULL AND ready_at > "
	       "clock_timestamp() + interval '59 min' FROM pavane.clocks WHERE "
	       "name = 'own'"),
	    "P1: one that nobody owns waits");
	cluster_ask(cluster, "UPDATE pavane.clocks SET worker = 1, ready_at = "
			     "clock_timestamp() WHERE name = 'own'");
	PQfinish(conn);
}

/* How many of the members are idle. */
static int64_t count_idle(PGconn *conn)
{
	PGresult *result =
	    ask(conn, PV_SAY_MEMBERS, 1, (const char *const[]){"1"});
	int64_t count = 0;
	for (int i = 0; i < PQntuples(result); i++)
		count += *PQgetvalue(result, i, 5) == 't';
	PQclear(result);
	return count;
}

static void test_idle(const struct cluster *cluster)
{
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	cluster_ask(cluster,
	    "UPDATE pavane.workers SET is_alive = true, is_idle = true");
	ok(count_idle(conn) == 2, "members may be idle");
	cluster_ask(cluster,
	    "UPDATE pavane.clocks SET wanted_by = 2 WHERE name = 'free'");
	ok(count_idle(conn) == 1,
	    "but not who is to have a clock that is free");
	cluster_ask(cluster, "UPDATE pavane.clocks SET wanted_by = NULL");
	PQfinish(conn);
}

static void put_refused(
    PGconn *conn, const char *worker, const char *policy, const char *row)
{
	run(conn, PV_SAY_PUT_REFUSED,
	    (const char *const[]){
		"1", worker, policy, "{5}", "{7}", "{far}", "{www.far}", row});
}

/* As one who comes with a policy does, in steps of one; how many there were. */
static int send_refused(
    PGconn *conn, const char *policy, const char *oldest, const char *reasons)
{
	char fingerprint[24] = "-9223372036854775808", worker[24] = "0";
	const char *const values[] = {
	    "1", policy, fingerprint, worker, "1", oldest, reasons, "1000"};
	int steps = 0;
	bool has_more = true;
	for (; has_more; steps += has_more) {
		run(conn, PV_SAY_REFUSED_CLOCKS, values);
		PGresult *result = ask(conn, PV_SAY_REFUSED_LINKS, 8, values);
		has_more = PQntuples(result) > 0;
		if (has_more) {
			snprintf(fingerprint, sizeof(fingerprint), "%s",
			    PQgetvalue(result, 0, 0));
			snprintf(worker, sizeof(worker), "%s",
			    PQgetvalue(result, 0, 1));
		}
		PQclear(result);
	}
	return steps;
}

static void test_refused(const struct cluster *cluster)
{
	static const char links[] =
	    "SELECT string_agg(clock || ' ' || host || ' ' || coalesce(worker, "
	    "0) || ' ' || encode(row, 'escape'), ', ' ORDER BY row) FROM "
	    "pavane.links WHERE clock = 'far'";
	PGconn *conn = PQconnectdb(cluster_url(cluster));
	put_refused(conn, "1", "1", "{a}");
	put_refused(conn, "1", "1", "{b}");
	put_refused(conn, "2", "1", "{c}");
	ok(is_so(cluster, "SELECT count(*) = 2 FROM pavane.refused"),
	    "what is refused is kept as each worker has found it last");
	ok(send_refused(conn, "1", "1", "{1007}") == 0 &&
		is_so(cluster,
		    "SELECT NOT EXISTS(SELECT 1 FROM pavane.clocks WHERE "
		    "name = 'far')"),
	    "by the policy that refused it nothing becomes of it");
	ok(send_refused(conn, "2", "1", "{1008,2007}") == 0,
	    "nor by the next one, if that changes nothing about the reason");
	ok(send_refused(conn, "2", "1", "{1008,1007}") == 2 &&
		is_answer(cluster, links, "far www.far 0 b, far www.far 0 c"),
	    "else it becomes links");
	ok(send_refused(conn, "2", "1", "{1007}") == 0, "once");
	cluster_ask(cluster,
	    "DELETE FROM pavane.links WHERE clock = 'far'; UPDATE "
	    "pavane.clocks SET worker = 2 WHERE name = 'far'");
	ok(send_refused(conn, "9", "3", "{}") == 2 &&
		is_answer(cluster, links, "far www.far 2 b, far www.far 2 c"),
	    "and again, where nobody knows what has changed: to who owns the "
	    "host meanwhile");
	cluster_ask(cluster,
	    "DELETE FROM pavane.links WHERE clock = 'far'; DELETE FROM "
	    "pavane.clocks WHERE name = 'far'; DELETE FROM pavane.refused");
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
	test_wanting(&cluster);
	test_counting(&cluster);
	test_grants(&cluster);
	test_rests(&cluster);
	test_hot_rests(&cluster);
	test_freed_rests(&cluster);
	test_link_owners(&cluster);
	test_strays(&cluster);
	test_lost_rests(&cluster);
	test_idle(&cluster);
	test_refused(&cluster);
	test_redirects(&cluster);
	test_notes(&cluster);
	cluster_remove(&cluster);
	return tap_done();
}
