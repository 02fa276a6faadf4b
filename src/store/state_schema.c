#include "store/schema.h"

/* "Pavn" */
#define APPLICATION_ID 0x5061766e

/* A step that has been released is never changed: what is to be different is
 * a further step. The numbers of states, uses, reasons and outcomes are those
 * of the enums in record/ and frontier/; their words stand in `words`, which is
 * written anew at each start. */
static const char version_1[] =
    /* Whatever there is one of. */
    "CREATE TABLE crawl("
    " name TEXT PRIMARY KEY,"
    " value) WITHOUT ROWID;"

    /* Committed lengths of the files that are appended to. */
    "CREATE TABLE files("
    " name TEXT PRIMARY KEY,"
    " length INTEGER NOT NULL) WITHOUT ROWID;"

    "CREATE TABLE words("
    " kind TEXT,"
    " number INTEGER,"
    " word TEXT NOT NULL,"
    " PRIMARY KEY(kind, number)) WITHOUT ROWID;"

    "CREATE TABLE hosts("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE,"
    " state INTEGER NOT NULL,"
    " left_ms INTEGER NOT NULL DEFAULT 0,"
    " until_wall_ms INTEGER NOT NULL DEFAULT 0,"
    " wait_ms INTEGER NOT NULL DEFAULT 0,"
    " wait_reason INTEGER NOT NULL DEFAULT 0,"
    " took_ms INTEGER NOT NULL DEFAULT 0,"
    " rest_ms INTEGER NOT NULL DEFAULT 0,"
    " rest_until_wall_ms INTEGER NOT NULL DEFAULT 0,"
    " window_until_wall_ms INTEGER NOT NULL DEFAULT 0,"
    " window_count INTEGER NOT NULL DEFAULT 0,"
    " blocks INTEGER NOT NULL DEFAULT 0,"
    " pages INTEGER NOT NULL DEFAULT 0,"
    " bytes INTEGER NOT NULL DEFAULT 0,"
    " owes_delay INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX hosts_waiting ON hosts(until_wall_ms) WHERE state = 1;"
    "CREATE INDEX hosts_taken ON hosts(id) WHERE state > 1;"

    /* The number of an address is its place in the order of discovery. */
    "CREATE TABLE addresses("
    " id INTEGER PRIMARY KEY,"
    " host INTEGER NOT NULL,"
    " state INTEGER NOT NULL,"
    " use INTEGER NOT NULL,"
    " depth INTEGER NOT NULL,"
    " depth_left INTEGER NOT NULL,"
    " hops INTEGER NOT NULL,"
    " redirects INTEGER NOT NULL,"
    " attempt INTEGER NOT NULL,"
    " reason INTEGER NOT NULL,"
    " line INTEGER NOT NULL,"
    " outcome INTEGER NOT NULL,"
    " http_status INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL,"
    " may_lead_further INTEGER NOT NULL,"
    " via INTEGER NOT NULL,"
    " tag TEXT,"
    " url TEXT NOT NULL);"
    "CREATE INDEX addresses_pending ON addresses(host, depth)"
    " WHERE state = 0;"
    "CREATE INDEX addresses_in_flight ON addresses(host) WHERE state = 1;"

    "CREATE TABLE seen("
    " fingerprint INTEGER PRIMARY KEY,"
    " address INTEGER NOT NULL);"

    /* How many addresses are in each state, for each reason or outcome. */
    "CREATE TABLE counts("
    " state INTEGER,"
    " cause INTEGER,"
    " count INTEGER NOT NULL,"
    " PRIMARY KEY(state, cause)) WITHOUT ROWID;";

/* For people with sqlite3: these stay as they are when the tables change. */
static const char views_1[] =
    "CREATE VIEW pages AS"
    " SELECT address.id AS id, url, hosts.name AS host,"
    "  outcomes.word AS outcome, http_status, address.bytes AS bytes,"
    "  uses.word AS use, depth, redirects, attempt, tag,"
    "  (SELECT url FROM addresses WHERE id = address.via) AS via"
    " FROM addresses AS address"
    " JOIN hosts ON hosts.id = address.host"
    " LEFT JOIN words AS outcomes"
    "  ON outcomes.kind = 'outcome' AND outcomes.number = outcome"
    " LEFT JOIN words AS uses"
    "  ON uses.kind = 'use' AND uses.number = use"
    " WHERE address.state = 2;"

    "CREATE VIEW pending AS"
    " SELECT address.id AS id, url, hosts.name AS host,"
    "  states.word AS state, uses.word AS use, depth, redirects, attempt,"
    "  tag, (SELECT url FROM addresses WHERE id = address.via) AS via"
    " FROM addresses AS address"
    " JOIN hosts ON hosts.id = address.host"
    " LEFT JOIN words AS states"
    "  ON states.kind = 'state' AND states.number = address.state"
    " LEFT JOIN words AS uses"
    "  ON uses.kind = 'use' AND uses.number = use"
    " WHERE address.state IN (0, 1);"

    "CREATE VIEW refused AS"
    " SELECT address.id AS id, url, hosts.name AS host,"
    "  reasons.word AS reason, nullif(line, 0) AS line, depth, tag,"
    "  (SELECT url FROM addresses WHERE id = address.via) AS via"
    " FROM addresses AS address"
    " JOIN hosts ON hosts.id = address.host"
    " LEFT JOIN words AS reasons"
    "  ON reasons.kind = 'reason' AND reasons.number = reason"
    " WHERE address.state = 3;"

    "CREATE VIEW totals AS"
    " SELECT states.word AS state, causes.word AS cause, count"
    " FROM counts"
    " LEFT JOIN words AS states"
    "  ON states.kind = 'state' AND states.number = state"
    " LEFT JOIN words AS causes ON causes.number = cause"
    "  AND causes.kind = CASE state WHEN 2 THEN 'outcome'"
    "   WHEN 3 THEN 'reason' END"
    " WHERE count > 0;";

/* What politeness has to remember; and addresses that failed come behind all
 * others of their host. */
static const char version_2[] =
    "ALTER TABLE hosts ADD address_left_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE hosts ADD address_until_wall_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE hosts ADD address_wait_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE hosts ADD failures INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE hosts ADD nameless_until_wall_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE hosts ADD left_reason INTEGER NOT NULL DEFAULT 0;"

    "ALTER TABLE addresses ADD not_before_wall_ms INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE addresses ADD waits INTEGER NOT NULL DEFAULT 0;"
    "DROP INDEX addresses_pending;"
    "CREATE INDEX addresses_pending ON addresses(host, attempt, depth)"
    " WHERE state = 0;"

    /* What is known of robots.txt, by scheme, host and port. */
    "CREATE TABLE authorities("
    " name TEXT PRIMARY KEY,"
    " state INTEGER NOT NULL,"
    " asked_wall_ms INTEGER NOT NULL,"
    " until_wall_ms INTEGER NOT NULL,"
    " failures INTEGER NOT NULL,"
    " failed_since_wall_ms INTEGER NOT NULL,"
    " http_status INTEGER NOT NULL,"
    " digest BLOB,"
    " is_cut INTEGER NOT NULL,"
    " text BLOB) WITHOUT ROWID;";

/* What each host has seen of us (record/ledger.h); and for people. */
static const char version_3[] =
    "CREATE TABLE ledger("
    " host INTEGER PRIMARY KEY,"
    " requests INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL,"
    " too_many INTEGER NOT NULL,"
    " unavailable INTEGER NOT NULL,"
    " most_at_once INTEGER NOT NULL,"
    " least_gap_ms INTEGER NOT NULL,"
    " least_reaction_ms INTEGER NOT NULL,"
    " robots_count INTEGER NOT NULL,"
    " robots_wall_ms INTEGER NOT NULL,"
    " gaps TEXT NOT NULL,"
    " rules TEXT NOT NULL);"

    "CREATE VIEW manners AS"
    " SELECT name AS host, requests, ledger.bytes AS bytes,"
    "  nullif(least_gap_ms, -1) AS least_gap_ms, most_at_once,"
    "  too_many + unavailable AS overloads,"
    "  nullif(least_reaction_ms, -1) AS least_reaction_ms,"
    "  robots_count, rules"
    " FROM ledger JOIN hosts ON hosts.id = ledger.host;";

/* Sitemaps: what an address lists (record/standing.h), when it was changed last
 * as a sitemap says, and for which other hosts a sitemap may speak. */
static const char version_4[] =
    "ALTER TABLE addresses ADD listing INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE addresses ADD lastmod_wall_ms INTEGER NOT NULL DEFAULT 0;"

    "CREATE TABLE vouchers("
    " sitemap INTEGER,"
    " host TEXT,"
    " PRIMARY KEY(sitemap, host)) WITHOUT ROWID;";

/* What is counted of traps: how often bodies came in a row, by hashes, and
 * which session identifiers are followed. */
static const char version_5[] = "CREATE TABLE trap_bodies("
				" slot INTEGER PRIMARY KEY,"
				" key INTEGER NOT NULL,"
				" body INTEGER NOT NULL,"
				" count INTEGER NOT NULL);"

				"CREATE TABLE trap_sessions("
				" id INTEGER PRIMARY KEY,"
				" host INTEGER NOT NULL);";

/* What there is of each address that was answered well (record/copy.h), for who
 * asks again; what came of that, round by round; and for people. */
static const char version_6[] =
    "CREATE TABLE copies("
    " address INTEGER PRIMARY KEY,"
    " round INTEGER NOT NULL," /* that last heard of it */
    " fetched_wall_ms INTEGER NOT NULL,"
    " checked_wall_ms INTEGER NOT NULL,"
    " listed_round INTEGER NOT NULL DEFAULT 0," /* when a sitemap said when it
						    was changed */
    " modified_ms INTEGER NOT NULL,"
    " is_gone INTEGER NOT NULL DEFAULT 0,"
    " has_failed INTEGER NOT NULL DEFAULT 0,"
    " must_be_read INTEGER NOT NULL DEFAULT 0,"
    " digest BLOB,"
    " entity_tag TEXT,"
    " file TEXT);"

    /* What is due in a round, and what came of it (record/change.h). */
    "CREATE TABLE rounds("
    " number INTEGER PRIMARY KEY,"
    " began_wall_ms INTEGER NOT NULL,"
    " ended_wall_ms INTEGER NOT NULL DEFAULT 0,"
    " is_listing INTEGER NOT NULL," /* only sitemaps so far */
    " last_address INTEGER NOT NULL,"
    " before_wall_ms INTEGER NOT NULL,"
    " takes_failed INTEGER NOT NULL,"
    " due INTEGER NOT NULL,"
    " new INTEGER NOT NULL DEFAULT 0,"
    " changed INTEGER NOT NULL DEFAULT 0,"
    " gone INTEGER NOT NULL DEFAULT 0,"
    " same INTEGER NOT NULL DEFAULT 0,"
    " failed INTEGER NOT NULL DEFAULT 0);"

    "DROP VIEW pages;"
    "CREATE VIEW pages AS"
    " SELECT address.id AS id, url, hosts.name AS host,"
    "  outcomes.word AS outcome, http_status, address.bytes AS bytes,"
    "  CASE WHEN use = 2 AND listing & 4 THEN 'sitemap'"
    "   ELSE uses.word END AS use, depth, redirects, attempt, tag,"
    "  (SELECT url FROM addresses WHERE id = address.via) AS via,"
    "  CASE WHEN lastmod_wall_ms <> 0 THEN"
    "   strftime('%Y-%m-%dT%H:%M:%SZ', lastmod_wall_ms / 1000, 'unixepoch')"
    "  END AS lastmod, ifnull(is_gone, 0) AS gone,"
    "  strftime('%Y-%m-%dT%H:%M:%SZ', fetched_wall_ms / 1000, 'unixepoch')"
    "   AS fetched,"
    "  strftime('%Y-%m-%dT%H:%M:%SZ', checked_wall_ms / 1000, 'unixepoch')"
    "   AS checked"
    " FROM addresses AS address"
    " JOIN hosts ON hosts.id = address.host"
    " LEFT JOIN copies ON copies.address = address.id"
    " LEFT JOIN words AS outcomes"
    "  ON outcomes.kind = 'outcome' AND outcomes.number = outcome"
    " LEFT JOIN words AS uses"
    "  ON uses.kind = 'use' AND uses.number = use"
    " WHERE address.state = 2;";

/* What each host has cost in tries that failed. */
static const char retries_1[] =
    "ALTER TABLE hosts ADD retry_debt INTEGER NOT NULL DEFAULT 0;";

/* Bodies that were broken off and are to be continued (record/part.h). */
static const char parts_1[] = "CREATE TABLE parts("
			      " address INTEGER PRIMARY KEY,"
			      " size INTEGER NOT NULL,"
			      " complete INTEGER NOT NULL,"
			      " gains INTEGER NOT NULL,"
			      " digest BLOB NOT NULL,"
			      " validator TEXT NOT NULL,"
			      " headers TEXT NOT NULL);";

/* Hosts, and what is known of their robots.txt, for people; the table gives its
 * name to them. */
static const char views_2[] =
    "ALTER TABLE hosts RENAME TO host_states;"

    "CREATE VIEW hosts AS"
    " SELECT host_states.id AS id, name,"
    "  CASE host_states.state WHEN 0 THEN 'idle' WHEN 1 THEN 'waiting'"
    "   ELSE 'held' END AS state, pages, bytes,"
    "  waits.word AS waits_for, nullif(wait_ms, 0) AS wait_ms,"
    "  CASE WHEN until_wall_ms > 0 THEN"
    "   strftime('%Y-%m-%dT%H:%M:%SZ', until_wall_ms / 1000, 'unixepoch')"
    "  END AS next_start,"
    "  nullif(failures, 0) AS failures,"
    "  nullif(rest_ms, 0) AS backoff_ms,"
    "  CASE WHEN rest_ms > 0 THEN strftime("
    "   '%Y-%m-%dT%H:%M:%SZ', rest_until_wall_ms / 1000, 'unixepoch')"
    "  END AS backoff_until,"
    "  reasons.word AS left_for"
    " FROM host_states"
    " LEFT JOIN words AS waits"
    "  ON waits.kind = 'wait' AND waits.number = nullif(wait_reason, 0)"
    " LEFT JOIN words AS reasons"
    "  ON reasons.kind = 'reason' AND reasons.number = nullif(left_reason, 0);"

    "CREATE VIEW robots AS"
    " SELECT name AS authority, nullif(http_status, 0) AS http_status,"
    "  CASE WHEN asked_wall_ms > 0 THEN strftime("
    "   '%Y-%m-%dT%H:%M:%SZ', asked_wall_ms / 1000, 'unixepoch')"
    "  END AS asked,"
    "  CASE WHEN until_wall_ms > 0 THEN strftime("
    "   '%Y-%m-%dT%H:%M:%SZ', until_wall_ms / 1000, 'unixepoch')"
    "  END AS holds_until,"
    "  nullif(failures, 0) AS failures, length(text) AS bytes"
    " FROM authorities;";

/* Where addresses were redirected to, for a mirror's links. */
static const char mirror_1[] = "CREATE TABLE redirects("
			       " fingerprint INTEGER PRIMARY KEY,"
			       " target TEXT NOT NULL);";

/* What failed, found without looking at all else (store/failed.h). */
static const char failed_1[] =
    "CREATE INDEX addresses_failed ON addresses(outcome, http_status)"
    " WHERE state = 2 AND (outcome <> 1 OR http_status >= 400)"
    " AND listing & 4 = 0;";

/* Files of pages that are gone: in gone/, on their way there, or deleted; and for
 * people. */
static const char gone_1[] =
    "CREATE TABLE gone_files("
    " address INTEGER PRIMARY KEY,"
    " file TEXT NOT NULL);"

    "CREATE VIEW gone AS"
    " SELECT address.id AS id, url, hosts.name AS host, file,"
    "  strftime('%Y-%m-%dT%H:%M:%SZ', fetched_wall_ms / 1000, 'unixepoch')"
    "   AS fetched,"
    "  strftime('%Y-%m-%dT%H:%M:%SZ', checked_wall_ms / 1000, 'unixepoch')"
    "   AS checked"
    " FROM copies"
    " JOIN addresses AS address ON address.id = copies.address"
    " JOIN hosts ON hosts.id = address.host"
    " WHERE is_gone;";

/* Files in which addresses were kept until they got another name, as those do of
 * which the media type changes; until they are removed. */
static const char left_1[] = "CREATE TABLE left_files("
			     " file TEXT PRIMARY KEY,"
			     " address INTEGER NOT NULL) WITHOUT ROWID;";

/* Pages that show nothing without scripts. */
static const char bare_1[] =
    "CREATE TABLE bare_pages(address INTEGER PRIMARY KEY);";

const struct pv_schema *pv_state_schema(void)
{
	static const char *const steps[] = {version_1, views_1, version_2,
	    version_3, version_4, version_5, version_6, retries_1, parts_1,
	    views_2, mirror_1, failed_1, gone_1, left_1, bare_1};
	static const struct pv_schema schema = {
	    .application_id = APPLICATION_ID,
	    .steps = steps,
	    .step_count = sizeof(steps) / sizeof(*steps),
	};
	return &schema;
}
