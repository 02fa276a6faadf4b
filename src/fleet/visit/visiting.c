#include "fleet/visit/visiting.h"

/* Of the workers that have left the last ones are shown. */
#define LEFT_MAX "20"

/* A worker that comes again in its directory counts on with its pages, also under
 * another number. */
const struct pv_fleet_statement pv_visiting_statements[PV_VISIT_COUNT] = {
    [PV_VISIT_VERSION] = {"version", "SELECT number FROM pavane.version",
	{PV_FLEET_NOTHING}},
    [PV_VISIT_CRAWL] = {"crawl",
	"SELECT id, is_finished, wish_number, policy, wish, (SELECT count(*) "
	"FROM pavane.clocks WHERE clocks.crawl = crawls.id AND worker IS NULL "
	"AND has_work), (SELECT count(*) FROM pavane.links WHERE "
	"links.crawl = crawls.id), state_version, key FROM pavane.crawls WHERE "
	"name = $1",
	{PV_FLEET_TEXT}},
    [PV_VISIT_WORKERS] = {"workers",
	"SELECT worker.id, place, is_alive, clocks, pages, bytes, requests, "
	"unsent, (extract(epoch FROM clock_timestamp() - seen) * 1000)::bigint, "
	"(extract(epoch FROM seen - seen_before) * 1000)::bigint, "
	"pages_seen - pages_before, is_idle, was_reaped FROM pavane.workers AS "
	"worker JOIN "
	"pavane.crawls ON crawls.id = crawl WHERE name = $1 AND (is_alive OR "
	"worker.id IN (SELECT id FROM pavane.workers AS other WHERE "
	"other.crawl = crawls.id AND NOT is_alive ORDER BY id DESC "
	"LIMIT " LEFT_MAX ")) ORDER BY NOT is_alive, worker.id",
	{PV_FLEET_TEXT}},
    [PV_VISIT_TOTALS] = {"totals",
	"SELECT coalesce(sum(pages), 0)::bigint, coalesce(sum(bytes), "
	"0)::bigint, count(*) FILTER (WHERE NOT is_alive), coalesce(sum(pages) "
	"FILTER (WHERE NOT is_alive), 0)::bigint, count(*) FILTER (WHERE "
	"was_reaped) FROM pavane.workers JOIN pavane.crawls ON crawls.id = "
	"crawl WHERE name = $1",
	{PV_FLEET_TEXT}},
    [PV_VISIT_FIND_HOST] = {"find_host",
	"SELECT 1 FROM pavane.hosts WHERE crawl = $1 AND name = $2",
	{PV_FLEET_INT4, PV_FLEET_TEXT}},
    [PV_VISIT_WISH] = {"wish",
	"UPDATE pavane.crawls SET wish = $3, wish_number = wish_number + 1 "
	"WHERE id = $1 AND wish_number = $2",
	{PV_FLEET_INT4, PV_FLEET_INT8, PV_FLEET_TEXT}},
    [PV_VISIT_TELL] = {"tell", "SELECT pg_notify($1, $2)",
	{PV_FLEET_TEXT, PV_FLEET_TEXT}},
    [PV_VISIT_CLOCK] = {"clock",
	"SELECT coalesce(worker, 0), greatest(0, extract(epoch FROM "
	"greatest(ready_at, rests_until) - clock_timestamp()) * 1000)::bigint, "
	"was_owned FROM pavane.clocks WHERE crawl = $1 AND name = $2",
	{PV_FLEET_INT4, PV_FLEET_TEXT}},
    [PV_VISIT_HOST] = {"host",
	"SELECT row FROM pavane.hosts WHERE crawl = $1 AND name = $2",
	{PV_FLEET_INT4, PV_FLEET_TEXT}},
    [PV_VISIT_ADDRESS] = {"address",
	"SELECT row FROM pavane.addresses WHERE crawl = $1 AND host = $2 AND "
	"fingerprint = $3",
	{PV_FLEET_INT4, PV_FLEET_INT8, PV_FLEET_INT8}},
    [PV_VISIT_ROBOTS] = {"robots",
	"SELECT row FROM pavane.robots WHERE crawl = $1 AND host = $2 AND "
	"authority = $3",
	{PV_FLEET_INT4, PV_FLEET_TEXT, PV_FLEET_TEXT}},
    [PV_VISIT_LINK] = {"link",
	"SELECT row FROM pavane.links WHERE crawl = $1 AND clock = $2 AND "
	"host = $3 AND substring(row FROM 1 FOR length($4)) = $4 ORDER BY id "
	"LIMIT 1",
	{PV_FLEET_INT4, PV_FLEET_TEXT, PV_FLEET_TEXT, PV_FLEET_BYTEA}},
    [PV_VISIT_REFUSED] = {"refused",
	"SELECT row FROM pavane.refused WHERE crawl = $1 AND fingerprint = $2 "
	"ORDER BY policy DESC, worker LIMIT 1",
	{PV_FLEET_INT4, PV_FLEET_INT8}},
};
