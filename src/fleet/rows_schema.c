#include "fleet/rows_schema.h"

/* Rows are small and change often: room for new versions in the same page spares
 * the indexes (HOT). */
#define OFTEN_CHANGED                                                  \
	" WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, " \
	"autovacuum_vacuum_cost_delay = 0)"

const char pv_fleet_rows_schema[] =
    "ALTER TABLE pavane.clocks ADD COLUMN has_work boolean NOT NULL "
    " DEFAULT false;"
    "CREATE INDEX clocks_free ON pavane.clocks(crawl, ready_at)"
    " WHERE worker IS NULL AND has_work;"
    "CREATE INDEX clocks_owned ON pavane.clocks(worker)"
    " WHERE worker IS NOT NULL;"

    "CREATE TABLE pavane.hosts("
    " crawl integer NOT NULL,"
    " name text NOT NULL,"
    " clock text NOT NULL,"
    " row bytea NOT NULL,"
    " PRIMARY KEY(crawl, name))" OFTEN_CHANGED ";"
    "CREATE INDEX hosts_clock ON pavane.hosts(crawl, clock);"

    "CREATE TABLE pavane.addresses("
    " crawl integer NOT NULL,"
    " host bigint NOT NULL,"
    " fingerprint bigint NOT NULL,"
    " state smallint NOT NULL,"
    " row bytea NOT NULL,"
    " PRIMARY KEY(crawl, host, fingerprint)) PARTITION BY HASH(host);"
    "DO $$ BEGIN FOR i IN 0..63 LOOP EXECUTE format("
    "'CREATE TABLE pavane.addresses_%s PARTITION OF pavane.addresses "
    "FOR VALUES WITH (MODULUS 64, REMAINDER %s) WITH (fillfactor = 85)', "
    "i, i); END LOOP; END $$;"

    "CREATE TABLE pavane.robots("
    " crawl integer NOT NULL,"
    " host text NOT NULL,"
    " authority text NOT NULL,"
    " row bytea NOT NULL,"
    " PRIMARY KEY(crawl, host, authority));"

    "CREATE TABLE pavane.links("
    " id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    " crawl integer NOT NULL,"
    " clock text NOT NULL,"
    " host text NOT NULL,"
    " worker bigint,"
    " row bytea NOT NULL) WITH (autovacuum_vacuum_scale_factor = 0.05);"
    "CREATE INDEX links_clock ON pavane.links(crawl, clock, id);"
    "CREATE INDEX links_worker ON pavane.links(worker, id)"
    " WHERE worker IS NOT NULL;";
