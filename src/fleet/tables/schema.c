#include "fleet/tables/schema.h"

#include "store/schema.h"

/* Rows are small and change often: new versions have room in the same page, which
 * spares the indexes (HOT) where no indexed column changes. So what owners report
 * stands in no index. */
#define OFTEN_CHANGED                                                     \
	" WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, " \
	"autovacuum_vacuum_cost_delay = 0)"

/* Workers that come at the same time make them one after the other. */
const char pv_fleet_schema[] =
    "SELECT pg_advisory_xact_lock(7236833);"
    "DO $pavane$ BEGIN"
    " IF to_regclass('pavane.version') IS NOT NULL THEN RETURN; END IF;"
    " CREATE SCHEMA IF NOT EXISTS pavane;"
    " CREATE TABLE pavane.version(number integer NOT NULL);"
    " INSERT INTO pavane.version VALUES(" PV_FLEET_SCHEMA_VERSION ");"

    /* What is crawled, and what people want of it. */
    " CREATE TABLE pavane.crawls("
    "  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    "  name text NOT NULL UNIQUE,"
    "  policy text NOT NULL,"
    "  policy_number bigint NOT NULL DEFAULT 1,"
    "  key bytea NOT NULL,"
    "  state_version integer NOT NULL,"
    "  wish text NOT NULL DEFAULT '',"
    "  wish_number bigint NOT NULL DEFAULT 0,"
    "  round bigint NOT NULL DEFAULT 1,"
    "  redirects bigint NOT NULL DEFAULT 0," /* the number of the last one */
    "  began_ms bigint NOT NULL DEFAULT 0,"  /* the round: since 1970 ... */
    "  before_ms bigint NOT NULL DEFAULT 0," /* ... and what it asks for again
						was heard of then */
    "  takes_failed boolean NOT NULL DEFAULT false,"
    "  is_waking boolean NOT NULL DEFAULT false," /* all clocks: not done yet */
    "  sent_policy bigint NOT NULL DEFAULT 1," /* the last under which what was
						     refused was sent */
    "  is_finished boolean NOT NULL DEFAULT false,"
    "  finished_at timestamptz);"

    /* Those before today's: rows say by which they were judged. */
    " CREATE TABLE pavane.policies("
    "  crawl integer NOT NULL REFERENCES pavane.crawls,"
    "  number bigint NOT NULL,"
    "  policy text NOT NULL,"
    "  PRIMARY KEY(crawl, number));"

    " CREATE TABLE pavane.workers("
    "  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    "  crawl integer NOT NULL REFERENCES pavane.crawls,"
    "  round bigint NOT NULL DEFAULT 1,"
    "  place text NOT NULL," /* host:directory, for people */
    "  is_alive boolean NOT NULL DEFAULT true,"
    "  was_reaped boolean NOT NULL DEFAULT false," /* it has not left by itself */
    "  beat bigint NOT NULL DEFAULT 0,"
    "  session bigint NOT NULL DEFAULT 0,"  /* of its last connection */
    "  backend integer NOT NULL DEFAULT 0," /* of that connection ... */
    "  session_at timestamptz NOT NULL DEFAULT clock_timestamp(),"
    "  beats_backend integer NOT NULL DEFAULT 0," /* ... and of its beats */
    "  share_of integer NOT NULL DEFAULT 0,"   /* 0: nothing; n: 1/n of rate and
						concurrency */
    "  share_rank integer NOT NULL DEFAULT 0," /* fleet/shares/share.h */
    "  is_idle boolean NOT NULL DEFAULT false,"
    "  is_halted boolean NOT NULL DEFAULT false," /* it asks for nothing */
    "  has_room boolean NOT NULL DEFAULT false," /* it does not use its share */
    "  activity bigint NOT NULL DEFAULT 0,"      /* the last that it was busy
					       with */
    "  redirects bigint NOT NULL DEFAULT 0,"     /* that it has heeded */
    "  clocks bigint NOT NULL DEFAULT 0,"
    /* What it has brought under this number, as its batches said (PUT_HOSTS) ... */
    "  pages bigint NOT NULL DEFAULT 0,"
    "  bytes bigint NOT NULL DEFAULT 0,"
    /* ... and what it may bring of the crawl's limits (fleet/granting.h). */
    "  granted_pages bigint NOT NULL DEFAULT 0,"
    "  granted_bytes bigint NOT NULL DEFAULT 0,"
    "  requests bigint NOT NULL DEFAULT 0,"
    "  unsent bigint NOT NULL DEFAULT 0,"
    "  pages_seen bigint NOT NULL DEFAULT 0,"   /* at the last beat ... */
    "  pages_before bigint NOT NULL DEFAULT 0," /* ... and the one before */
    "  seen_before timestamptz NOT NULL DEFAULT clock_timestamp(),"
    "  seen timestamptz NOT NULL DEFAULT clock_timestamp())" OFTEN_CHANGED ";"
    " CREATE INDEX workers_alive ON pavane.workers(crawl) WHERE is_alive;"

    /* Who may ask. */
    " CREATE TABLE pavane.clocks("
    "  crawl integer NOT NULL,"
    "  name text NOT NULL,"
    "  worker bigint,"
    "  wanted_by bigint,"
    "  ready_at timestamptz NOT NULL DEFAULT clock_timestamp(),"
    "  rest_ms bigint NOT NULL DEFAULT 0,"
    "  rests_until timestamptz," /* as its last owner has said: in no index */
    "  has_work boolean NOT NULL DEFAULT false,"
    "  was_owned boolean NOT NULL DEFAULT false," /* so that it may have been
						     asked */
    "  PRIMARY KEY(crawl, name))" OFTEN_CHANGED ";"
    " CREATE INDEX clocks_free ON pavane.clocks(crawl, ready_at)"
    "  WHERE worker IS NULL AND has_work;"
    " CREATE INDEX clocks_owned ON pavane.clocks(worker, name)"
    "  WHERE worker IS NOT NULL;"
    " CREATE INDEX clocks_wanted ON pavane.clocks(worker)"
    "  WHERE worker IS NOT NULL AND wanted_by IS NOT NULL;"
    " CREATE INDEX clocks_given ON pavane.clocks(wanted_by)"
    "  WHERE worker IS NULL AND wanted_by IS NOT NULL;"
    " CREATE TABLE pavane.net_addresses("
    "  crawl integer NOT NULL,"
    "  address text NOT NULL,"
    "  worker bigint,"
    "  wanted_by bigint,"
    "  ready_at timestamptz NOT NULL DEFAULT clock_timestamp(),"
    "  rest_ms bigint NOT NULL DEFAULT 0,"
    "  PRIMARY KEY(crawl, address))" OFTEN_CHANGED ";"
    " CREATE INDEX net_addresses_owned ON pavane.net_addresses(worker)"
    "  WHERE worker IS NOT NULL;"
    " CREATE INDEX net_addresses_wanted ON pavane.net_addresses(worker)"
    "  WHERE worker IS NOT NULL AND wanted_by IS NOT NULL;"

    /* What is known. */
    " CREATE TABLE pavane.hosts("
    "  crawl integer NOT NULL,"
    "  name text NOT NULL,"
    "  clock text NOT NULL,"
    "  row bytea NOT NULL,"
    "  round bigint NOT NULL DEFAULT 1,"
    "  pages bigint NOT NULL DEFAULT 0," /* that it has answered in the round,
					    to whomever */
    "  bytes bigint NOT NULL DEFAULT 0,"
    "  PRIMARY KEY(crawl, name))" OFTEN_CHANGED ";"
    " CREATE INDEX hosts_clock ON pavane.hosts(crawl, clock, name);"
    " CREATE TABLE pavane.addresses("
    "  crawl integer NOT NULL,"
    "  host bigint NOT NULL," /* a hash of its name */
    "  fingerprint bigint NOT NULL,"
    "  state smallint NOT NULL," /* record/state.h */
    "  row bytea NOT NULL,"
    "  PRIMARY KEY(crawl, host, fingerprint)) PARTITION BY HASH(host);"
    " FOR i IN 0..63 LOOP"
    "  EXECUTE format('CREATE TABLE pavane.addresses_%s PARTITION OF "
    "pavane.addresses FOR VALUES WITH (MODULUS 64, REMAINDER %s) "
    "WITH (fillfactor = 85)', i, i);"
    " END LOOP;"
    /* What workers have refused at hosts of others, as each has found it: another
     * policy may admit it. */
    " CREATE TABLE pavane.refused("
    "  crawl integer NOT NULL,"
    "  fingerprint bigint NOT NULL,"
    "  worker bigint NOT NULL,"
    "  policy bigint NOT NULL,"   /* by which it was judged last ... */
    "  reason smallint NOT NULL," /* ... and refused: record/verdict.h */
    "  clock text NOT NULL,"
    "  host text NOT NULL,"
    "  row bytea NOT NULL,"
    "  PRIMARY KEY(crawl, fingerprint, worker));"
    " CREATE TABLE pavane.robots("
    "  crawl integer NOT NULL,"
    "  host text NOT NULL,"
    "  authority text NOT NULL,"
    "  row bytea NOT NULL,"
    "  PRIMARY KEY(crawl, host, authority));"
    /* What is counted of them, by the hashes of their names. */
    " CREATE TABLE pavane.notes("
    "  crawl integer NOT NULL,"
    "  host bigint NOT NULL,"
    "  kind smallint NOT NULL," /* frontier/sqlite/handover_notes.h */
    "  key bigint NOT NULL,"
    "  row bytea NOT NULL,"
    "  PRIMARY KEY(crawl, host, kind, key))" OFTEN_CHANGED ";"

    /* Where seeds were redirected to: that is in scope for all workers. Each is
     * numbered under the lock of the crawl's row, so that who has seen one has
     * seen all that come before it. */
    " CREATE TABLE pavane.redirects("
    "  crawl integer NOT NULL,"
    "  fingerprint bigint NOT NULL,"
    "  number bigint NOT NULL,"
    "  target text NOT NULL,"
    "  PRIMARY KEY(crawl, fingerprint));"
    " CREATE INDEX redirects_number ON pavane.redirects(crawl, number);"

    /* Links on their way to the owners of their hosts. */
    " CREATE TABLE pavane.links("
    "  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    "  crawl integer NOT NULL,"
    "  clock text NOT NULL,"
    "  host text NOT NULL,"
    "  worker bigint,"
    "  is_voucher boolean NOT NULL DEFAULT false," /* for a sitemap there */
    "  row bytea NOT NULL) WITH (autovacuum_vacuum_scale_factor = 0.05);"
    " CREATE INDEX links_clock ON pavane.links(crawl, clock, id);"
    " CREATE INDEX links_worker ON pavane.links(worker, id)"
    "  WHERE worker IS NOT NULL;"

    /* Whatever a worker writes comes behind this: if it was reaped, nothing of it
     * is done, and while it is written nobody reaps it. It does not keep the
     * worker's own beats waiting, which come by another connection. */
    " CREATE FUNCTION pavane.fence(number bigint, of_session bigint)"
    "  RETURNS void"
    "  LANGUAGE plpgsql AS $fence$ BEGIN"
    "  PERFORM 1 FROM pavane.workers WHERE id = number AND is_alive"
    "   AND session = of_session FOR KEY SHARE;"
    "  IF NOT FOUND THEN RAISE EXCEPTION 'worker % was reaped', number"
    "   USING ERRCODE = 'PVFEN'; END IF; END $fence$;"
    "END $pavane$;"
    "SELECT number FROM pavane.version";

int64_t pv_fleet_state_version(void)
{
	const struct pv_schema *schema = pv_state_schema();
	return schema->first_version + (int64_t)schema->step_count - 1;
}
