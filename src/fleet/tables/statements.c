#include "fleet/tables/statements.h"

#define I4 PV_FLEET_INT4
#define I8 PV_FLEET_INT8
#define TEXTS PV_FLEET_TEXTS

/* When a clock has rested, whether it is owned or free. */
#define READY "greatest(ready_at, rests_until)"

/* Takes free clocks of some sort. Which are locked is decided once, before any is
 * taken. */
#define CLAIM_OF(sort)                                                             \
	"WITH free AS MATERIALIZED (SELECT name, wanted_by IS NOT NULL AND "       \
	"wanted_by = $2 AS is_wanted, was_owned FROM pavane.clocks WHERE crawl = " \
	"$1 AND worker IS NULL AND ready_at <= clock_timestamp() AND " sort        \
	" LIMIT $3 FOR UPDATE SKIP LOCKED), claimed AS "                           \
	"(UPDATE pavane.clocks SET worker = $2, has_work = false, wanted_by = "    \
	"NULL, was_owned = true FROM free WHERE crawl = $1 AND clocks.name = "     \
	"free.name RETURNING clocks.name, free.is_wanted, free.was_owned), busy "  \
	"AS (UPDATE pavane.workers SET is_idle = false, activity = "               \
	"greatest(activity, $4) WHERE id = $2 AND EXISTS(SELECT 1 FROM claimed)) " \
	"SELECT name, is_wanted, was_owned FROM claimed"

/* Some of what was refused under earlier policies for reasons that have changed since,
 * in the order of its keys. */
#define REFUSED_BEFORE                                                     \
	"(SELECT fingerprint, worker, clock FROM pavane.refused WHERE "    \
	"crawl = $1 AND policy < $2 AND (fingerprint, worker) > ($3, $4) " \
	"AND (policy < $6 OR policy * $8 + reason = ANY($7)) "             \
	"ORDER BY fingerprint, worker LIMIT $5)"

/* Some of what these workers have refused for such reasons, in the order of its keys. */
#define REFUSED_BY                                                           \
	"(SELECT fingerprint, worker, clock, host, row FROM pavane.refused " \
	"WHERE crawl = $1 AND (worker = ANY($2::bigint[])) IS TRUE AND "     \
	"(fingerprint, worker) > ($3, $4) AND reason = ANY($6) "             \
	"ORDER BY fingerprint, worker LIMIT $5)"

/* Only those that are not there: to try one that is would wait for whoever changes
 * it. */
#define ADD_CLOCKS_OF(names)                                                  \
	"INSERT INTO pavane.clocks(crawl, name) SELECT $1, clock FROM " names \
	" AS new WHERE (SELECT true FROM pavane.clocks WHERE crawl = $1 AND " \
	"clocks.name = new.clock) IS NULL ORDER BY clock ON CONFLICT DO NOTHING"

/* Where the rows of clocks stand that are locked: so nobody moves them. */
#define PLACES_OF(condition)                                                 \
	"place AS MATERIALIZED (SELECT clock.at, new.* FROM new CROSS JOIN " \
	"LATERAL (SELECT clocks.ctid AS at FROM pavane.clocks WHERE "        \
	"crawl = $1 AND clocks.name = new.name AND " condition               \
	" LIMIT 1) AS clock)"

#define OWNER_OF_LINK                                                    \
	"(SELECT clocks.worker FROM pavane.clocks WHERE clocks.crawl = " \
	"links.crawl AND clocks.name = links.clock)"

/* Hosts of some clocks, behind a name, in the order of their names. */
#define HOSTS_OF_CLOCKS                                                        \
	"(SELECT found.* FROM (SELECT DISTINCT unnest($2) AS clock) AS each "  \
	"CROSS JOIN LATERAL (SELECT name, clock, row FROM pavane.hosts WHERE " \
	"crawl = $1 AND hosts.clock = each.clock AND name > $3 ORDER BY name " \
	"LIMIT $4) AS found ORDER BY name LIMIT $4)"

const struct pv_fleet_statement pv_fleet_statements[PV_SAY_COUNT] = {
    [PV_SAY_FENCE] = {"fence", "SELECT pavane.fence($1, $2)", {I8, I8}},

    [PV_SAY_ADD_CRAWL] = {"add_crawl",
	"INSERT INTO pavane.crawls(name, policy, key, state_version) "
	"VALUES($1, $2, $3, $4) ON CONFLICT(name) DO NOTHING",
	{PV_FLEET_TEXT, PV_FLEET_TEXT, PV_FLEET_BYTEA, I4}},
    [PV_SAY_FIND_CRAWL] = {"find_crawl",
	"SELECT crawl.id, policy, key, state_version, is_finished, "
	"(SELECT count(*) FROM pavane.workers WHERE workers.crawl = crawl.id "
	"AND is_alive), wish_number, policy_number, round, began_ms, before_ms, "
	"takes_failed, is_waking, sent_policy FROM pavane.crawls AS crawl "
	"WHERE name = $1",
	{PV_FLEET_TEXT}},
    [PV_SAY_OTHERS] = {"others",
	"SELECT count(*) FROM pavane.workers WHERE crawl = $1 AND is_alive AND "
	"id <> $2",
	{I4, I8}},
    /* The crawl is locked by a statement before each of these, so that they see
     * who has come until then. */
    [PV_SAY_SET_POLICY] = {"set_policy",
	"WITH old AS (SELECT id, policy_number, policy FROM pavane.crawls "
	"WHERE id = $1 AND policy_number = $4 AND NOT EXISTS(SELECT 1 FROM "
	"pavane.workers WHERE crawl = $1 AND is_alive AND id <> $2)), kept AS ("
	"INSERT INTO pavane.policies(crawl, number, policy) SELECT * FROM old "
	"WHERE $5) UPDATE pavane.crawls SET policy = $3, policy_number = "
	"old.policy_number + $5::int, is_waking = is_waking OR $5, "
	"is_finished = is_finished AND NOT $5 FROM old WHERE crawls.id = old.id",
	{I4, I8, PV_FLEET_TEXT, I8, PV_FLEET_BOOL}},
    [PV_SAY_POLICIES] = {"policies",
	"SELECT number, policy FROM pavane.policies WHERE crawl = $1 "
	"ORDER BY number DESC LIMIT $2",
	{I4, I8}},
    [PV_SAY_BEGIN_ROUND] = {"begin_round",
	"UPDATE pavane.crawls SET round = round + 1, is_finished = false, "
	"is_waking = true, began_ms = $3, before_ms = $3 - $4, takes_failed = "
	"coalesce(finished_at <= clock_timestamp() - $4 * interval '1 ms', "
	"true) WHERE id = $1 AND is_finished AND NOT EXISTS(SELECT 1 FROM "
	"pavane.workers WHERE crawl = $1 AND is_alive AND id <> $2) "
	"RETURNING round",
	{I4, I8, I8, I8}},
    /* Step by step, in the order of their names: millions take longer than a start
     * may. */
    [PV_SAY_WAKE_SOME] = {"wake_some",
	"WITH next AS (SELECT name, worker, has_work FROM pavane.clocks WHERE "
	"crawl = $1 AND name > $2 ORDER BY name LIMIT $3), woken AS (UPDATE "
	"pavane.clocks SET has_work = true FROM next WHERE crawl = $1 AND "
	"clocks.name = next.name AND next.worker IS NULL AND NOT "
	"next.has_work) SELECT max(name) FROM next",
	{I4, PV_FLEET_TEXT, I8}},
    [PV_SAY_END_WAKING] = {"end_waking",
	"UPDATE pavane.crawls SET is_waking = false, sent_policy = "
	"greatest(sent_policy, $2) WHERE id = $1",
	{I4, I8}},
    [PV_SAY_REFUSED_CLOCKS] = {"refused_clocks",
	ADD_CLOCKS_OF("(SELECT DISTINCT clock FROM " REFUSED_BEFORE " AS due)"),
	{I4, I8, I8, I8, I8, I8, PV_FLEET_INT8S, I8}},
    /* They stay among what was refused, for the next policy. Of two that do this at
     * once each goes through all, and each row is sent by one of them. */
    [PV_SAY_REFUSED_LINKS] = {"refused_links",
	"WITH due AS MATERIALIZED " REFUSED_BEFORE
	", judged AS (UPDATE pavane.refused SET policy = $2 FROM due WHERE "
	"crawl = $1 AND refused.fingerprint = due.fingerprint AND "
	"refused.worker = due.worker AND policy < $2 RETURNING refused.clock, host, "
	"row), owner AS (SELECT name, worker FROM pavane.clocks WHERE "
	"crawl = $1 AND name = ANY(ARRAY(SELECT DISTINCT clock FROM due)) "
	"ORDER BY name FOR NO KEY UPDATE), sent AS (INSERT INTO "
	"pavane.links(crawl, clock, host, worker, row) SELECT $1, clock, host, "
	"owner.worker, row FROM judged JOIN owner ON name = clock) SELECT "
	"fingerprint, worker FROM due ORDER BY fingerprint DESC, worker DESC "
	"LIMIT 1",
	{I4, I8, I8, I8, I8, I8, PV_FLEET_INT8S, I8}},
    [PV_SAY_LOOK] = {"look",
	"SELECT is_finished, wish_number, wish, redirects FROM pavane.crawls "
	"WHERE id = $1",
	{I4}},
    /* One snapshot says that nobody has anything left; and what nobody has, nobody
     * can get. */
    [PV_SAY_FINISH] = {"finish",
	"UPDATE pavane.crawls SET is_finished = true, finished_at = "
	"clock_timestamp() WHERE id = $1 AND NOT is_finished AND NOT is_waking "
	"AND NOT EXISTS(SELECT 1 FROM pavane.workers WHERE crawl = $1 AND is_alive "
	"AND NOT is_idle) AND NOT EXISTS(SELECT 1 FROM pavane.clocks WHERE "
	"crawl = $1 AND worker IS NULL AND has_work) AND NOT EXISTS(SELECT 1 "
	"FROM pavane.links WHERE crawl = $1) AND NOT EXISTS(SELECT 1 FROM "
	"pavane.workers WHERE crawl = $1 AND redirects < crawls.redirects)",
	{I4}},
    [PV_SAY_UNHEEDED] = {"unheeded",
	"SELECT array_agg(id)::text FROM (SELECT worker.id FROM pavane.workers "
	"AS worker JOIN pavane.crawls AS crawl ON crawl.id = worker.crawl "
	"WHERE crawl.id = $1 AND worker.redirects < crawl.redirects AND NOT "
	"EXISTS(SELECT 1 FROM pavane.workers AS living WHERE living.crawl = $1 "
	"AND living.is_alive AND living.redirects < crawl.redirects) AND $3 = "
	"(SELECT min(id) FROM pavane.workers AS idle WHERE idle.crawl = $1 "
	"AND is_alive AND is_idle) ORDER BY worker.id LIMIT $2) AS worker",
	{I4, I8, I8}},
    [PV_SAY_LEFT_CLOCKS] = {"left_clocks",
	ADD_CLOCKS_OF(
	    "(SELECT DISTINCT clock FROM " REFUSED_BY " AS left_over)"),
	{I4, PV_FLEET_TEXT, I8, I8, I8, PV_FLEET_INT8S}},
    [PV_SAY_LEFT_LINKS] = {"left_links",
	"WITH left_over AS MATERIALIZED " REFUSED_BY
	", owner AS (SELECT name, worker FROM pavane.clocks WHERE crawl = $1 "
	"AND name = ANY(ARRAY(SELECT DISTINCT clock FROM left_over)) ORDER BY "
	"name FOR NO KEY UPDATE), woken AS (UPDATE pavane.clocks SET has_work "
	"= true FROM owner WHERE crawl = $1 AND clocks.name = owner.name AND "
	"owner.worker IS NULL AND NOT has_work), sent AS (INSERT INTO "
	"pavane.links(crawl, clock, host, worker, row) SELECT $1, clock, host, "
	"owner.worker, row FROM left_over JOIN owner ON name = clock) SELECT "
	"fingerprint, worker FROM left_over ORDER BY fingerprint DESC, worker "
	"DESC LIMIT 1",
	{I4, PV_FLEET_TEXT, I8, I8, I8, PV_FLEET_INT8S}},
    [PV_SAY_HEED_LEFT] = {"heed_left",
	"UPDATE pavane.workers SET redirects = $2 WHERE id = "
	"ANY($1::bigint[]) AND redirects < $2 AND NOT is_alive",
	{PV_FLEET_TEXT, I8}},
    [PV_SAY_BUSY] = {"busy",
	"UPDATE pavane.workers SET is_idle = false, "
	"activity = greatest(activity, $2) WHERE id = $1",
	{I8, I8}},
    [PV_SAY_IDLE] = {"idle",
	"UPDATE pavane.workers SET is_idle = true WHERE id = $1 AND NOT is_idle "
	"AND activity < $2",
	{I8, I8}},
    [PV_SAY_HEED_REDIRECTS] = {"heed_redirects",
	"UPDATE pavane.workers SET redirects = $2 WHERE id = $1 AND "
	"redirects < $2",
	{I8, I8}},
    [PV_SAY_REGISTER] = {"register",
	"WITH new AS (INSERT INTO pavane.workers(crawl, round, place, backend) "
	"SELECT id, round, $2, pg_backend_pid() FROM pavane.crawls WHERE id = $1 AND "
	"policy_number = $3 AND round = $4 RETURNING id, activity, session) "
	"SELECT id, activity, session FROM new, "
	"pg_notify('" PV_FLEET_WISH_CHANNEL "', $1::text)",
	{I4, PV_FLEET_TEXT, I8, I8}},
    /* What it left half said would hold the worker's row. */
    [PV_SAY_END_SESSION] = {"end_session",
	"SELECT pg_terminate_backend(pid, 1000) FROM pavane.workers AS worker "
	"JOIN pg_stat_activity ON pid = backend WHERE worker.id = $1 AND "
	"crawl = $2 AND is_alive AND pid <> pg_backend_pid() AND "
	"backend_start <= session_at",
	{I8, I4}},
    /* It waits for all that stands behind the fence of an earlier session. */
    [PV_SAY_RESUME] = {"resume",
	"UPDATE pavane.workers SET beat = beat + 1, session = session + 1, "
	"backend = pg_backend_pid(), session_at = clock_timestamp() "
	"WHERE id = (SELECT id FROM pavane.workers WHERE id = $1 AND is_alive "
	"AND crawl = $2 FOR UPDATE) RETURNING id, activity, session",
	{I8, I4}},
    [PV_SAY_LEAVE] = {"leave",
	"WITH gone AS (UPDATE pavane.workers SET is_alive = false WHERE id = $1 "
	"AND is_alive RETURNING id), given AS (UPDATE pavane.clocks SET "
	"worker = NULL, has_work = true, ready_at = " READY
	" FROM gone WHERE worker = gone.id), addresses AS (UPDATE "
	"pavane.net_addresses SET worker = NULL, ready_at = greatest(ready_at, "
	"clock_timestamp() + rest_ms * interval '1 ms') FROM gone WHERE "
	"worker = gone.id) "
	"UPDATE pavane.links SET worker = NULL FROM gone WHERE "
	"worker = gone.id",
	{I8}},

    /* The share is given up before others see it, and taken after. */
    [PV_SAY_BEAT] = {"beat",
	"UPDATE pavane.workers SET beat = beat + 1, seen_before = seen, "
	"pages_before = pages_seen, pages_seen = pages, "
	"seen = clock_timestamp(), beats_backend = pg_backend_pid(), "
	"share_of = $2, share_rank = $3, clocks = $4, requests = $5, "
	"unsent = $6, is_halted = $7, has_room = $8 "
	"WHERE id = $1 AND is_alive",
	{I8, I4, I4, I8, I8, I8, PV_FLEET_BOOL, PV_FLEET_BOOL}},
    /* Who was given something is not idle, although it may wait for it; who could
     * ask for nothing is not either. */
    [PV_SAY_MEMBERS] = {"members",
	"SELECT id, beat, share_of, share_rank, clocks, is_idle AND may_take, "
	"has_room AND may_take, is_halted FROM pavane.workers CROSS JOIN LATERAL (SELECT "
	"NOT is_halted AND NOT EXISTS(SELECT 1 FROM pavane.clocks WHERE worker "
	"IS NULL AND wanted_by = workers.id) AS may_take) AS state WHERE "
	"crawl = $1 AND is_alive ORDER BY id",
	{I4}},
    [PV_SAY_TIME] = {"time",
	"SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
	{PV_FLEET_NOTHING}},
    [PV_SAY_CALL] = {"call",
	"SELECT pg_notify('" PV_FLEET_WISH_CHANNEL "', $1::text)", {I4}},
    [PV_SAY_LOCK_CRAWL] = {"lock_crawl",
	"SELECT 1 FROM pavane.crawls WHERE id = $1 FOR NO KEY UPDATE", {I4}},
    [PV_SAY_GROW] = {"grow",
	"UPDATE pavane.workers SET share_of = $3, share_rank = $4 WHERE "
	"id = $1 AND is_alive AND NOT EXISTS(SELECT 1 FROM pavane.workers AS "
	"other WHERE crawl = $2 AND is_alive AND id <> $1 AND NOT EXISTS("
	"SELECT 1 FROM unnest($5, $6, $7) AS seen(id, share_of, share_rank) "
	"WHERE seen.id = other.id AND seen.share_of = other.share_of AND "
	"seen.share_rank = other.share_rank))",
	{I8, I4, I4, I4, PV_FLEET_INT8S, PV_FLEET_INT4S, PV_FLEET_INT4S}},
    /* Only those by which that beat, and its last session, came: a number may be
     * another one's by now. */
    [PV_SAY_END_BACKENDS] = {"end_backends",
	"SELECT pg_terminate_backend(pid, 1000) FROM pavane.workers AS worker JOIN "
	"pg_stat_activity ON (pid = backend AND backend_start <= session_at) OR "
	"(pid = beats_backend AND backend_start <= seen) WHERE worker.id = $1 "
	"AND beat = $2 AND is_alive",
	{I8, I8}},
    [PV_SAY_END_BEATS] = {"end_beats",
	"SELECT pg_terminate_backend(pid, 1000) FROM pavane.workers AS worker "
	"JOIN pg_stat_activity ON pid = beats_backend WHERE worker.id = $1 AND "
	"crawl = $2 AND is_alive AND pid <> pg_backend_pid() AND "
	"backend_start <= seen",
	{I8, I4}},
    [PV_SAY_PATIENCE] = {"patience",
	"SELECT set_config('lock_timeout', $1, true)", {PV_FLEET_TEXT}},
    [PV_SAY_TAKE_TIME] = {"take_time",
	"SELECT set_config('statement_timeout', '0', true)",
	{PV_FLEET_NOTHING}},
    [PV_SAY_REAP] = {"reap",
	"UPDATE pavane.workers SET is_alive = false, was_reaped = true WHERE "
	"id = ANY(ARRAY(SELECT id FROM pavane.workers WHERE id = $1 AND beat = $2 AND "
	"is_alive FOR UPDATE SKIP LOCKED)) RETURNING id",
	{I8, I8}},
    /* A statement of its own, which sees what the dead one did until its row was
     * taken. */
    [PV_SAY_FREE_CLOCKS] = {"free_clocks",
	"WITH gone AS (SELECT id FROM pavane.workers WHERE id = $1 AND NOT "
	"is_alive), given AS (UPDATE pavane.clocks SET worker = NULL, "
	"wanted_by = NULL, has_work = true, ready_at = greatest(" READY
	", clock_timestamp() + rest_ms * interval '1 ms') FROM gone WHERE "
	"worker = gone.id), addresses AS (UPDATE pavane.net_addresses SET "
	"worker = NULL, ready_at = greatest(ready_at, clock_timestamp() + "
	"rest_ms * interval '1 ms') FROM gone WHERE worker = gone.id) "
	"UPDATE pavane.links SET worker = NULL FROM gone WHERE "
	"worker = gone.id",
	{I8}},
    /* A slice of what the crawl as a whole has left, under the lock of its row. Of a
     * dead worker counts what it has brought; of one that lives what it may bring,
     * or what it has, if a body was larger. */
    [PV_SAY_GRANT] = {"grant",
	"WITH fleet AS (SELECT greatest(1, count(*) FILTER (WHERE is_alive AND "
	"NOT is_idle)) AS workers, $3 - sum(CASE WHEN is_alive THEN "
	"greatest(granted_pages, pages) ELSE pages END)::bigint AS pages, $4 - "
	"sum(CASE WHEN is_alive THEN greatest(granted_bytes, bytes) ELSE bytes "
	"END)::bigint AS bytes FROM pavane.workers WHERE crawl = $2 AND round = "
	"(SELECT round FROM pavane.crawls WHERE id = $2)), slice AS "
	"(SELECT CASE WHEN $5 THEN greatest(0, least(pages, greatest(1, pages "
	"/ (4 * workers)))) ELSE 0 END AS pages, CASE WHEN $6 THEN greatest(0, "
	"least(bytes, greatest($7, bytes / (4 * workers)))) ELSE 0 END AS "
	"bytes FROM fleet) UPDATE pavane.workers SET granted_pages = "
	"greatest(granted_pages, workers.pages) + slice.pages, granted_bytes = "
	"greatest(granted_bytes, workers.bytes) + slice.bytes FROM slice WHERE "
	"id = $1",
	{I8, I4, I8, I8, PV_FLEET_BOOL, PV_FLEET_BOOL, I8}},
    [PV_SAY_KEEP_GRANT] = {"keep_grant",
	"UPDATE pavane.workers SET granted_pages = greatest(pages, "
	"least(granted_pages, $2)), granted_bytes = greatest(bytes, "
	"least(granted_bytes, $3)) WHERE id = $1",
	{I8, I8, I8}},
    [PV_SAY_GRANTED] = {"granted",
	"SELECT granted_pages, pages, granted_bytes, bytes, all_pages, "
	"all_bytes FROM pavane.workers, (SELECT sum(pages)::bigint AS "
	"all_pages, sum(bytes)::bigint AS all_bytes FROM pavane.workers WHERE "
	"crawl = $2 AND round = (SELECT round FROM pavane.crawls WHERE "
	"id = $2)) AS fleet WHERE id = $1",
	{I8, I4}},
    [PV_SAY_HELD] = {"held",
	"SELECT id FROM pavane.workers WHERE id = $1 AND beat = $2 AND is_alive",
	{I8, I8}},

    /* What its hosts have answered since they were passed on last is the
     * worker's: to pass a row on twice counts nothing twice. */
    [PV_SAY_PUT_HOSTS] = {"put_hosts",
	"WITH new AS (SELECT each.*, round FROM unnest($3, $4, $5, $6, $7) AS "
	"each(name, clock, row, pages, bytes), pavane.crawls WHERE id = $1), "
	"more AS (SELECT coalesce(sum(greatest(0, new.pages - "
	"coalesce(old.pages, 0))), 0)::bigint AS pages, "
	"coalesce(sum(greatest(0, new.bytes - coalesce(old.bytes, 0))), "
	"0)::bigint AS bytes FROM new LEFT JOIN LATERAL (SELECT hosts.pages, "
	"hosts.bytes FROM pavane.hosts WHERE crawl = $1 AND hosts.name = "
	"new.name AND hosts.round = new.round LIMIT 1) AS old ON true), put AS "
	"(INSERT INTO pavane.hosts AS old(crawl, name, clock, row, round, "
	"pages, bytes) SELECT $1, name, clock, row, round, pages, bytes FROM "
	"new ORDER BY name ON CONFLICT(crawl, name) DO UPDATE SET "
	"row = excluded.row, round = excluded.round, pages = CASE WHEN old.round = excluded.round THEN "
	"greatest(old.pages, excluded.pages) ELSE excluded.pages END, bytes = "
	"CASE WHEN old.round = excluded.round THEN greatest(old.bytes, "
	"excluded.bytes) ELSE excluded.bytes END) "
	"UPDATE pavane.workers SET pages = workers.pages + more.pages, "
	"bytes = workers.bytes + more.bytes FROM more WHERE id = $2 AND "
	"more.pages + more.bytes > 0",
	{I4, I8, TEXTS, TEXTS, PV_FLEET_BYTEAS, PV_FLEET_INT8S,
	    PV_FLEET_INT8S}},
    /* A host that was not asked yet says nothing of the clock that others share, and
     * what any of them has asked for holds for all. */
    [PV_SAY_REST_CLOCKS] = {"rest_clocks",
	"WITH new AS MATERIALIZED (SELECT name, max(wait) AS wait, max(rest) AS "
	"rest FROM unnest($3, $4, $5) AS each(name, wait, rest) WHERE wait > 0 "
	"OR rest > 0 GROUP BY name ORDER BY name), " PLACES_OF(
	    "worker IS NOT DISTINCT FROM $2") " UPDATE pavane.clocks SET rest_ms = place.rest, rests_until = "
					      "greatest(rests_until, clock_timestamp() + place.wait * interval "
					      "'1 ms') FROM place WHERE clocks.ctid = place.at",
	{I4, I8, TEXTS, PV_FLEET_INT8S, PV_FLEET_INT8S}},
    /* Its owner gives it to itself, and so gets it when it is ready. What is a second
     * longer is news. */
    [PV_SAY_REST_LOST] = {"rest_lost",
	"WITH new AS MATERIALIZED (SELECT name, max(wait) AS wait FROM "
	"unnest($3, $4) AS each(name, wait) GROUP BY name ORDER BY name), " PLACES_OF(
	    "worker IS DISTINCT FROM $2 AND " READY
	    " < clock_timestamp() + (new.wait - 1000) * interval '1 ms'") " UPDATE pavane.clocks SET ready_at = clock_timestamp() + place.wait * "
									  "interval '1 ms', wanted_by = coalesce(wanted_by, worker) FROM place "
									  "WHERE clocks.ctid = place.at",
	{I4, I8, TEXTS, PV_FLEET_INT8S}},
    [PV_SAY_PUT_ADDRESSES] = {"put_addresses",
	"INSERT INTO pavane.addresses(crawl, host, fingerprint, state, row) "
	"SELECT $1, host, fingerprint, state, row FROM unnest($2, $3, $4, $5) "
	"AS new(host, fingerprint, state, row) ORDER BY host, fingerprint "
	"ON CONFLICT(crawl, host, fingerprint) DO UPDATE SET "
	"state = excluded.state, row = excluded.row",
	{I4, PV_FLEET_INT8S, PV_FLEET_INT8S, PV_FLEET_INT2S, PV_FLEET_BYTEAS}},
    [PV_SAY_PUT_ROBOTS] = {"put_robots",
	"INSERT INTO pavane.robots(crawl, host, authority, row) SELECT $1, "
	"host, authority, row FROM unnest($2, $3, $4) AS new(host, authority, "
	"row) ORDER BY host, authority ON CONFLICT(crawl, host, authority) DO "
	"UPDATE SET row = excluded.row",
	{I4, TEXTS, TEXTS, PV_FLEET_BYTEAS}},
    [PV_SAY_PUT_NOTES] = {"put_notes",
	"WITH new AS (SELECT host, kind, key, row FROM unnest($2, $3, $4, $5) "
	"AS each(host, kind, key, row)), gone AS (DELETE FROM pavane.notes "
	"USING new WHERE crawl = $1 AND notes.host = new.host AND "
	"notes.kind = new.kind AND notes.key = new.key AND new.row = '') "
	"INSERT INTO pavane.notes(crawl, host, kind, key, row) SELECT $1, host, "
	"kind, key, row FROM new WHERE row <> '' ORDER BY host, kind, key "
	"ON CONFLICT(crawl, host, kind, key) DO UPDATE SET row = excluded.row "
	"WHERE notes.row <> excluded.row",
	{I4, PV_FLEET_INT8S, PV_FLEET_INT2S, PV_FLEET_INT8S, PV_FLEET_BYTEAS}},
    [PV_SAY_ADD_REDIRECTS] = {"add_redirects",
	"WITH fresh AS (SELECT DISTINCT ON (fingerprint) fingerprint, target "
	"FROM unnest($2, $3) AS new(fingerprint, target) WHERE (SELECT number "
	"FROM pavane.redirects AS known WHERE crawl = $1 AND "
	"known.fingerprint = new.fingerprint) IS NULL), counted AS (UPDATE "
	"pavane.crawls SET redirects = redirects + (SELECT count(*) FROM fresh) "
	"WHERE id = $1 AND EXISTS(SELECT 1 FROM fresh) RETURNING redirects) "
	"INSERT INTO pavane.redirects(crawl, fingerprint, number, target) "
	"SELECT $1, fingerprint, counted.redirects + 1 - row_number() OVER (), "
	"target FROM fresh, counted ON CONFLICT(crawl, fingerprint) DO NOTHING",
	{I4, PV_FLEET_INT8S, TEXTS}},
    [PV_SAY_ADD_CLOCKS] = {"add_clocks",
	ADD_CLOCKS_OF("(SELECT DISTINCT unnest($2) AS clock)"), {I4, TEXTS}},
    [PV_SAY_LOCK_CLOCKS] = {"lock_clocks",
	"SELECT 1 FROM pavane.clocks WHERE crawl = $1 AND name = "
	"ANY($2 || $3) ORDER BY name FOR NO KEY UPDATE",
	{I4, TEXTS, TEXTS}},
    [PV_SAY_ADD_LINKS] = {"add_links",
	"WITH owner AS MATERIALIZED (SELECT name, worker FROM pavane.clocks "
	"WHERE crawl = $1 AND name = ANY($2)), added AS ("
	"INSERT INTO pavane.links(crawl, clock, host, worker, is_voucher, row) "
	"SELECT $1, clock, host, owner.worker, kind = 1, row FROM unnest($2, $3, "
	"$4, $5) AS new(clock, host, kind, row) JOIN owner ON owner.name = clock "
	"ORDER BY kind DESC RETURNING id) SELECT name, coalesce(worker, 0), "
	"(SELECT min(id) FROM added) FROM owner",
	{I4, TEXTS, TEXTS, PV_FLEET_INT2S, PV_FLEET_BYTEAS}},
    /* Whoever has claimed a clock after the links to it were committed has found
     * them. Whoever claimed it before that, and owns it still, is seen by a look after
     * the commit. */
    [PV_SAY_MEND_LINKS] = {"mend_links",
	"UPDATE pavane.links SET worker = " OWNER_OF_LINK
	" WHERE id = ANY(ARRAY(SELECT link.id FROM unnest($2, $3) AS "
	"each(clock, owner) CROSS JOIN LATERAL (SELECT worker FROM "
	"pavane.clocks WHERE crawl = $1 AND name = each.clock LIMIT 1) AS now "
	"CROSS JOIN LATERAL (SELECT id FROM pavane.links WHERE crawl = $1 AND "
	"links.clock = each.clock AND id >= $4 AND links.worker IS DISTINCT "
	"FROM now.worker OFFSET 0) AS link WHERE coalesce(now.worker, 0) <> "
	"each.owner ORDER BY id))",
	{I4, TEXTS, PV_FLEET_INT8S, I8}},
    /* Those of a worker that was killed before its second look: when nobody has
     * anything else left. */
    [PV_SAY_MEND_STRAYS] = {"mend_strays",
	"UPDATE pavane.links SET worker = " OWNER_OF_LINK
	" WHERE id = ANY(ARRAY(SELECT id FROM pavane.links CROSS JOIN LATERAL ("
	"SELECT worker FROM pavane.clocks WHERE crawl = $1 AND name = "
	"links.clock LIMIT 1) AS now WHERE crawl = $1 AND now.worker IS "
	"DISTINCT FROM links.worker AND NOT EXISTS(SELECT 1 FROM "
	"pavane.workers WHERE crawl = $1 AND is_alive AND NOT is_idle) AND NOT "
	"EXISTS(SELECT 1 FROM pavane.clocks WHERE crawl = $1 AND worker IS NULL "
	"AND has_work) LIMIT $2))",
	{I4, I8}},
    [PV_SAY_WAKE_CLOCKS] = {"wake_clocks",
	"WITH asleep AS MATERIALIZED (SELECT name FROM pavane.clocks WHERE "
	"crawl = $1 AND name = ANY($2) AND worker IS NULL AND NOT has_work "
	"ORDER BY name FOR NO KEY UPDATE) UPDATE pavane.clocks SET "
	"has_work = true WHERE crawl = $1 AND name = ANY(ARRAY(SELECT name "
	"FROM asleep))",
	{I4, TEXTS}},
    /* A host that was never asked has no state; that it has addresses is known
     * by its row. */
    [PV_SAY_DROP_LINKS] = {"drop_links",
	"WITH gone AS (DELETE FROM pavane.links WHERE id = ANY($1) RETURNING "
	"crawl, host, clock) INSERT INTO pavane.hosts(crawl, name, clock, row) "
	"SELECT DISTINCT crawl, host, clock, ''::bytea FROM gone ORDER BY host "
	"ON CONFLICT(crawl, name) DO NOTHING",
	{PV_FLEET_INT8S}},

    [PV_SAY_PUT_REFUSED] = {"put_refused",
	"INSERT INTO pavane.refused(crawl, worker, policy, fingerprint, reason, "
	"clock, host, row) SELECT $1, $2, $3, fingerprint, reason, clock, host, "
	"row FROM unnest($4, $5, $6, $7, $8) AS new(fingerprint, reason, clock, "
	"host, row) ORDER BY fingerprint ON CONFLICT(crawl, fingerprint, worker) "
	"DO UPDATE SET policy = excluded.policy, reason = excluded.reason, "
	"row = excluded.row",
	{I4, I8, I8, PV_FLEET_INT8S, PV_FLEET_INT2S, TEXTS, TEXTS,
	    PV_FLEET_BYTEAS}},

    [PV_SAY_CLAIM] = {"claim",
	CLAIM_OF(
	    "has_work AND (wanted_by IS NULL OR wanted_by = $2 OR NOT EXISTS("
	    "SELECT 1 FROM pavane.workers WHERE id = wanted_by AND is_alive)) "
	    "ORDER BY ready_at"),
	{I4, I8, I8, I8}},
    /* Each of these has work. */
    [PV_SAY_CLAIM_GIVEN] = {"claim_given", CLAIM_OF("wanted_by = $2"),
	{I4, I8, I8, I8}},
    [PV_SAY_CLAIM_NAMED] = {"claim_named",
	"WITH found AS MATERIALIZED (SELECT name, worker IS NOT NULL AS is_own, "
	"was_owned, worker IS NULL AND wanted_by IS NOT NULL AND "
	"wanted_by = $2 AS is_wanted FROM "
	"pavane.clocks WHERE crawl = $1 AND name = ANY($3) AND (worker = $2 OR (worker IS NULL AND ready_at <= clock_timestamp() AND "
	"(wanted_by IS NULL OR wanted_by = $2 OR NOT EXISTS(SELECT 1 FROM "
	"pavane.workers WHERE id = wanted_by AND is_alive)))) "
	"FOR UPDATE SKIP LOCKED), claimed AS (UPDATE pavane.clocks SET "
	"worker = $2, has_work = false, wanted_by = NULL, was_owned = true FROM "
	"found WHERE crawl = $1 AND clocks.name = found.name AND NOT "
	"found.is_own RETURNING 1), busy AS (UPDATE pavane.workers SET "
	"is_idle = false, activity = greatest(activity, $4) WHERE id = $2 AND "
	"EXISTS(SELECT 1 FROM claimed)) SELECT name, is_own, was_owned, "
	"is_wanted FROM found",
	{I4, I8, TEXTS, I8}},
    /* Who is locked by its owner just now is marked another time. */
    [PV_SAY_WANT_CLOCKS] = {"want_clocks",
	"WITH found AS MATERIALIZED (SELECT name FROM pavane.clocks WHERE "
	"crawl = $1 AND name = ANY($3) AND worker > $2 AND (wanted_by IS NULL "
	"OR wanted_by > $2 OR NOT EXISTS(SELECT 1 FROM pavane.workers WHERE "
	"id = wanted_by AND is_alive)) ORDER BY name FOR UPDATE SKIP LOCKED), "
	"wanted AS (UPDATE pavane.clocks SET wanted_by = $2 FROM found WHERE "
	"crawl = $1 AND clocks.name = found.name) SELECT name, worker FROM "
	"pavane.clocks WHERE crawl = $1 AND name = ANY($3) AND worker <> $2",
	{I4, I8, TEXTS}},
    [PV_SAY_WANTED_CLOCKS] = {"wanted_clocks",
	"SELECT name, wanted_by FROM pavane.clocks JOIN pavane.workers ON "
	"id = wanted_by AND is_alive WHERE worker = $1 AND "
	"wanted_by IS NOT NULL",
	{I8}},
    [PV_SAY_CLAIMED] = {"claimed",
	"SELECT name FROM pavane.clocks WHERE crawl = $1 AND worker = $2 AND "
	"name > $3 ORDER BY name LIMIT $4",
	{I4, I8, PV_FLEET_TEXT, I8}},
    [PV_SAY_HOSTS_OF] = {"hosts_of",
	"SELECT host.name, clock.left_ms, clock.rest_ms, host.row FROM " HOSTS_OF_CLOCKS
	" AS host CROSS JOIN LATERAL (SELECT greatest(0, "
	"extract(epoch FROM " READY " - clock_timestamp()) * 1000)::bigint AS "
	"left_ms, rest_ms FROM pavane.clocks WHERE crawl = $1 AND "
	"clocks.name = host.clock LIMIT 1) AS clock ORDER BY host.name",
	{I4, TEXTS, PV_FLEET_TEXT, I8}},
    [PV_SAY_ROBOTS_OF] = {"robots_of",
	"SELECT host, authority, row FROM (SELECT copy.*, "
	"sum(octet_length(copy.row)) OVER (ORDER BY host, authority) AS bytes "
	"FROM " HOSTS_OF_CLOCKS " AS owned CROSS JOIN LATERAL (SELECT host, "
	"authority, row FROM pavane.robots WHERE crawl = $1 AND host = "
	"owned.name OFFSET 0) AS copy) AS each WHERE bytes <= $5",
	{I4, TEXTS, PV_FLEET_TEXT, I8, I8}},
    [PV_SAY_NOTES_OF] = {"notes_of",
	"SELECT note.* FROM (SELECT DISTINCT unnest($2) AS host) AS each CROSS "
	"JOIN LATERAL (SELECT host, kind, key, row FROM pavane.notes WHERE "
	"crawl = $1 AND notes.host = each.host ORDER BY kind DESC, key DESC "
	"LIMIT $3) AS note LIMIT 100 * $3",
	{I4, PV_FLEET_INT8S, I8}},
    [PV_SAY_REDIRECTS] = {"redirects",
	"SELECT number, target FROM pavane.redirects WHERE crawl = $1 AND "
	"number > $2 ORDER BY number LIMIT $3",
	{I4, I8, I8}},
    /* A row for each address takes longer to send and to read. */
    [PV_SAY_ADDRESSES_OF] = {"addresses_of",
	"SELECT each.place, known.* FROM unnest($2, $3) WITH ORDINALITY AS "
	"each(host, behind, place) CROSS JOIN LATERAL (SELECT "
	"array_agg(fingerprint), array_agg(state), array_agg(row) FROM (SELECT "
	"fingerprint, state, row FROM pavane.addresses WHERE crawl = $1 AND "
	"addresses.host = each.host AND fingerprint > each.behind "
	"ORDER BY fingerprint LIMIT $4) AS address) AS known",
	{I4, PV_FLEET_INT8S, PV_FLEET_INT8S, I8}},
    [PV_SAY_LINKS_OF] = {"links_of",
	"SELECT link.* FROM (SELECT DISTINCT unnest($2) AS clock) AS each CROSS "
	"JOIN LATERAL (SELECT id, host, row, is_voucher FROM pavane.links WHERE "
	"crawl = $1 AND links.clock = each.clock AND id > $3 ORDER BY id "
	"LIMIT $4) AS link ORDER BY id LIMIT $4",
	{I4, TEXTS, I8, I8}},
    /* A link that came in the moment in which its clock was given away says still
     * whose it was: it waits for who takes the clock. */
    [PV_SAY_LINKS_TO] = {"links_to",
	"SELECT id, host, row, is_voucher FROM pavane.links WHERE worker = $1 "
	"AND (SELECT clocks.worker FROM pavane.clocks WHERE clocks.crawl = "
	"links.crawl AND clocks.name = links.clock) = $1 ORDER BY id LIMIT $2",
	{I8, I8}},
    /* Whoever gets them owes their whole rest. */
    [PV_SAY_GIVE_CLOCKS] = {"give_clocks",
	"WITH given AS (UPDATE pavane.clocks SET worker = NULL, "
	"has_work = true, wanted_by = nullif(new.wanted_by, 0), ready_at = "
	"greatest(" READY ", clock_timestamp() + rest_ms * interval '1 ms') "
	"FROM unnest($3, $4) AS new(name, wanted_by) WHERE crawl = $1 AND "
	"clocks.name = ANY($3) AND worker IS NOT DISTINCT FROM $2 AND "
	"clocks.name = new.name RETURNING clocks.name) "
	"UPDATE pavane.links SET worker = NULL WHERE id = ANY(ARRAY(SELECT "
	"link.id FROM given CROSS JOIN LATERAL (SELECT id FROM pavane.links "
	"WHERE crawl = $1 AND clock = given.name OFFSET 0) AS link))",
	{I4, I8, TEXTS, PV_FLEET_INT8S}},

    /* One that nobody owns is taken with what is left of its rest. */
    [PV_SAY_CLAIM_ADDRESSES] = {"claim_addresses",
	"INSERT INTO pavane.net_addresses AS old(crawl, address, worker, "
	"rest_ms) SELECT $1, address, $2, rest FROM unnest($3, $4) AS "
	"new(address, rest) ORDER BY address ON CONFLICT(crawl, address) DO "
	"UPDATE SET worker = $2, wanted_by = CASE WHEN old.worker = $2 THEN "
	"old.wanted_by END, rest_ms = greatest(old.rest_ms, excluded.rest_ms) "
	"WHERE old.worker = $2 OR old.worker IS NULL",
	{I4, I8, TEXTS, PV_FLEET_INT8S}},
    [PV_SAY_FIND_ADDRESSES] = {"find_addresses",
	"SELECT address, coalesce(worker, 0), greatest(0, extract(epoch FROM "
	"ready_at - clock_timestamp()) * 1000)::bigint, rest_ms FROM "
	"pavane.net_addresses WHERE crawl = $1 AND address = ANY($2)",
	{I4, TEXTS}},
    [PV_SAY_WANT_ADDRESSES] = {"want_addresses",
	"UPDATE pavane.net_addresses SET wanted_by = "
	"least(coalesce(wanted_by, $2), $2) WHERE crawl = $1 AND "
	"address = ANY($3) AND worker > $2",
	{I4, I8, TEXTS}},
    [PV_SAY_WANTED] = {"wanted",
	"SELECT address, wanted_by FROM pavane.net_addresses WHERE worker = $1 "
	"AND wanted_by IS NOT NULL",
	{I8}},
    /* Whoever needs one first may have it: one that was to have it need not have
     * anything left there. */
    [PV_SAY_GIVE_ADDRESSES] = {"give_addresses",
	"UPDATE pavane.net_addresses SET worker = NULL, wanted_by = NULL, "
	"ready_at = greatest(ready_at, clock_timestamp() + rest_ms * "
	"interval '1 ms') WHERE crawl = $1 AND worker = $2 AND "
	"address = ANY($3)",
	{I4, I8, TEXTS}},
};
