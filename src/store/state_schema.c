#include "store/schema.h"

/* "Pavn" */
#define APPLICATION_ID 0x5061766e

/* Formats before it were never given to anybody. */
#define FIRST_VERSION 18

/* A step that has been released is never changed: what is to be different is
 * a further step. The numbers of states, uses, reasons and outcomes are those
 * of the enums in record/ and frontier/; their words stand in `words`, which is
 * written anew at each start. */
/* What was held when the last run ended in good order is recovered when the
 * next one begins (frontier/sqlite/host_table.h). */
#define LEFT_IN_ORDER                                                  \
	"ifnull((SELECT value FROM crawl WHERE name = 'hosts-left'), " \
	"0) > 0"

static const char version_18[] =
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

    /* People see them by a view, which is called hosts. */
    "CREATE TABLE host_states("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE,"
    " state INTEGER NOT NULL,"
    " left_ms INTEGER NOT NULL DEFAULT 0,"
    " saved_ms INTEGER NOT NULL DEFAULT 0," /* by the run's clock */
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
    " owes_delay INTEGER NOT NULL DEFAULT 0,"
    " address_left_ms INTEGER NOT NULL DEFAULT 0,"
    " address_until_wall_ms INTEGER NOT NULL DEFAULT 0,"
    " address_wait_ms INTEGER NOT NULL DEFAULT 0,"
    " failures INTEGER NOT NULL DEFAULT 0,"
    " nameless_until_wall_ms INTEGER NOT NULL DEFAULT 0,"
    " name_failures INTEGER NOT NULL DEFAULT 0,"
    " left_reason INTEGER NOT NULL DEFAULT 0,"
    " retry_debt INTEGER NOT NULL DEFAULT 0);" /* tries that failed */
    "CREATE INDEX hosts_waiting ON host_states(until_wall_ms)"
    " WHERE state = 1;"
    "CREATE INDEX hosts_taken ON host_states(id) WHERE state > 1;"

    /* The number of an address is its place in the order of discovery; those
     * that failed come behind all others of their host. */
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
    " url TEXT NOT NULL,"
    " not_before_wall_ms INTEGER NOT NULL DEFAULT 0,"
    " waits INTEGER NOT NULL DEFAULT 0,"
    " listing INTEGER NOT NULL DEFAULT 0,"          /* record/standing.h */
    " lastmod_wall_ms INTEGER NOT NULL DEFAULT 0);" /* as a sitemap says */
    "CREATE INDEX addresses_pending ON addresses(host, attempt, depth)"
    " WHERE state = 0;"
    "CREATE INDEX addresses_in_flight ON addresses(host) WHERE state = 1;"

    /* What failed, found without looking at all else (state_addresses.c). */
    "CREATE INDEX addresses_failed ON addresses(outcome, http_status)"
    " WHERE state = 2 AND (outcome <> 1 OR http_status >= 309 OR"
    " http_status IN (300, 305, 306)) AND listing & 4 = 0;"

    /* How addresses stand by another policy, until that is so in their own rows
     * (frontier/sqlite/rejudging.h). */
    "CREATE TABLE rejudged("
    " id INTEGER PRIMARY KEY,"
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
    " not_before_wall_ms INTEGER NOT NULL,"
    " waits INTEGER NOT NULL,"
    " listing INTEGER NOT NULL,"
    " lastmod_wall_ms INTEGER NOT NULL);"

    "CREATE TABLE seen("
    " origin INTEGER,"
    " fingerprint INTEGER,"
    " address INTEGER NOT NULL,"
    " PRIMARY KEY(origin, fingerprint)) WITHOUT ROWID;"

    /* How many addresses are in each state, for each reason or outcome. */
    "CREATE TABLE counts("
    " state INTEGER,"
    " cause INTEGER,"
    " count INTEGER NOT NULL,"
    " PRIMARY KEY(state, cause)) WITHOUT ROWID;"

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
    " text BLOB) WITHOUT ROWID;"

    /* What each host has seen of us (record/ledger.h). */
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

    /* For which other hosts a sitemap may speak. */
    "CREATE TABLE vouchers("
    " sitemap INTEGER,"
    " host TEXT,"
    " PRIMARY KEY(sitemap, host)) WITHOUT ROWID;"

    /* What is counted of traps: how often bodies came in a row, by hashes, and
     * which session identifiers are followed. */
    "CREATE TABLE trap_bodies("
    " slot INTEGER PRIMARY KEY,"
    " key INTEGER NOT NULL,"
    " body INTEGER NOT NULL,"
    " count INTEGER NOT NULL);"

    /* How many addresses that a trap refused were found on the pages of a host;
     * and pages of which links were left out, since there was no room for them
     * (frontier/sqlite/link_room.h). */
    "CREATE TABLE trap_refusals("
    " host INTEGER PRIMARY KEY,"
    " count INTEGER NOT NULL);"

    "CREATE TABLE left_links("
    " page INTEGER PRIMARY KEY,"
    " cause INTEGER NOT NULL);"

    "CREATE TABLE trap_sessions("
    " id INTEGER PRIMARY KEY,"
    " host INTEGER NOT NULL);"

    /* What there is of each address that was answered well (record/copy.h),
     * for who asks again. */
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
    " heard_status INTEGER NOT NULL DEFAULT 0," /* in its place, since then */
    " digest BLOB,"
    " entity_tag TEXT,"
    " file TEXT);"

    /* What is lost, found without looking at all else. */
    "CREATE INDEX copies_lost ON copies(address)"
    " WHERE is_gone OR has_failed;"

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

    /* Bodies that were broken off and are to be continued (record/part.h). */
    "CREATE TABLE parts("
    " address INTEGER PRIMARY KEY,"
    " size INTEGER NOT NULL,"
    " complete INTEGER NOT NULL,"
    " gains INTEGER NOT NULL,"
    " digest BLOB NOT NULL,"
    " validator TEXT NOT NULL,"
    " headers TEXT NOT NULL);"

    /* Where addresses were redirected to, for a mirror's links. */
    "CREATE TABLE redirects("
    " origin INTEGER,"
    " fingerprint INTEGER,"
    " target TEXT NOT NULL,"
    " PRIMARY KEY(origin, fingerprint)) WITHOUT ROWID;"

    /* Redirects that lead to nothing, and what was given as the address. */
    "CREATE TABLE dead_ends("
    " address INTEGER PRIMARY KEY,"
    " kind INTEGER NOT NULL," /* mirror/kept/dead_ends.h */
    " location TEXT NOT NULL);"

    /* What links named that lead to where that was redirected, by the addresses
     * of their documents (mirror/links/moved_links.h). */
    "CREATE TABLE moved_links("
    " document INTEGER,"
    " link INTEGER,"
    " text TEXT,"
    " named TEXT NOT NULL,"
    " PRIMARY KEY(document, link, text)) WITHOUT ROWID;"

    /* Files of pages that are gone: in gone/, on their way there, or
     * deleted. */
    "CREATE TABLE gone_files("
    " address INTEGER PRIMARY KEY,"
    " file TEXT NOT NULL);"

    /* Files in which addresses were kept until they got another name, as those
     * do of which the media type changes; until they are removed. */
    "CREATE TABLE left_files("
    " file TEXT PRIMARY KEY,"
    " address INTEGER NOT NULL) WITHOUT ROWID;"

    /* Pages that show nothing without scripts. */
    "CREATE TABLE bare_pages(address INTEGER PRIMARY KEY);"

    /* For people with sqlite3: these stay as they are when the tables
     * change. */
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
    " JOIN host_states AS hosts ON hosts.id = address.host"
    " LEFT JOIN copies ON copies.address = address.id"
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
    " JOIN host_states AS hosts ON hosts.id = address.host"
    " LEFT JOIN words AS states"
    "  ON states.kind = 'state' AND states.number = "
    "   CASE WHEN " LEFT_IN_ORDER " THEN 0 ELSE address.state END"
    " LEFT JOIN words AS uses"
    "  ON uses.kind = 'use' AND uses.number = use"
    " WHERE address.state IN (0, 1);"

    "CREATE VIEW refused AS"
    " SELECT address.id AS id, url, hosts.name AS host,"
    "  reasons.word AS reason, nullif(line, 0) AS line, depth, tag,"
    "  (SELECT url FROM addresses WHERE id = address.via) AS via"
    " FROM addresses AS address"
    " JOIN host_states AS hosts ON hosts.id = address.host"
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
    " WHERE count > 0;"

    "CREATE VIEW manners AS"
    " SELECT name AS host, requests, ledger.bytes AS bytes,"
    "  nullif(least_gap_ms, -1) AS least_gap_ms, most_at_once,"
    "  too_many + unavailable AS overloads,"
    "  nullif(least_reaction_ms, -1) AS least_reaction_ms,"
    "  robots_count, rules"
    " FROM ledger JOIN host_states AS hosts ON hosts.id = ledger.host;"

    "CREATE VIEW hosts AS"
    " SELECT host_states.id AS id, name,"
    "  CASE WHEN host_states.state > 1 AND NOT " LEFT_IN_ORDER " THEN 'held'"
    "   WHEN host_states.state = 1 OR EXISTS(SELECT 1 FROM addresses"
    "    WHERE host = host_states.id AND addresses.state < 2)"
    "   THEN 'waiting' ELSE 'idle' END AS state, pages, bytes,"
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
    " FROM authorities;"

    "CREATE VIEW gone AS"
    " SELECT address.id AS id, url, hosts.name AS host, file,"
    "  strftime('%Y-%m-%dT%H:%M:%SZ', fetched_wall_ms / 1000, 'unixepoch')"
    "   AS fetched,"
    "  strftime('%Y-%m-%dT%H:%M:%SZ', checked_wall_ms / 1000, 'unixepoch')"
    "   AS checked"
    " FROM copies"
    " JOIN addresses AS address ON address.id = copies.address"
    " JOIN host_states AS hosts ON hosts.id = address.host"
    " WHERE is_gone;";

/* What pages say, as rows (fields/output/). */
static const char version_19[] =
    /* What links bring along for the rows of a page, as a JSON object. */
    "CREATE TABLE carried("
    " address INTEGER PRIMARY KEY,"
    " carry TEXT NOT NULL);"

    /* Which rows each page has given; `items` are their numbers, where none is
     * left out "1-24". */
    "CREATE TABLE page_rows("
    " address INTEGER PRIMARY KEY,"
    " kind TEXT NOT NULL,"
    " count INTEGER NOT NULL,"
    " items TEXT NOT NULL,"
    " digest BLOB NOT NULL,"
    " problems INTEGER NOT NULL);" /* a hash of what was said */

    /* How many there are, and how often fields had no value. */
    "CREATE TABLE row_counts("
    " kind TEXT PRIMARY KEY,"
    " pages INTEGER NOT NULL,"
    " rows INTEGER NOT NULL) WITHOUT ROWID;"

    "CREATE TABLE field_faults("
    " kind TEXT,"
    " field TEXT," /* empty: the whole page */
    " fault INTEGER,"
    " count INTEGER NOT NULL,"
    " PRIMARY KEY(kind, field, fault)) WITHOUT ROWID;"

    "CREATE VIEW rows AS"
    " SELECT address.id AS id, url, kind, count"
    " FROM page_rows"
    " JOIN addresses AS address ON address.id = page_rows.address"
    " WHERE count > 0;"

    "CREATE VIEW kinds AS SELECT kind, pages, rows FROM row_counts;"

    "CREATE VIEW problems AS"
    " SELECT field_faults.kind AS kind, nullif(field, '') AS field,"
    "  word AS why, count"
    " FROM field_faults"
    " LEFT JOIN words ON words.kind = 'fault' AND words.number = fault;";

/* What the program that runs the crawl has still to hear of. */
static const char version_20[] = "CREATE TABLE untold("
				 " number INTEGER PRIMARY KEY,"
				 " address INTEGER NOT NULL,"
				 " is_final INTEGER NOT NULL);";

/* Addresses that were asked for anew, each by itself. */
static const char version_21[] = "CREATE TABLE own_rounds("
				 " address INTEGER PRIMARY KEY,"
				 " round INTEGER NOT NULL);";

/* What copies are like, for who hears only that one is as it was. */
static const char version_22[] =
    "ALTER TABLE copies ADD COLUMN body_type TEXT;"
    "ALTER TABLE copies ADD COLUMN"
    " body_bytes INTEGER NOT NULL DEFAULT 0;"

    /* Since when nobody can tell what a host's name leads to. */
    "ALTER TABLE host_states ADD COLUMN"
    " name_failed_wall_ms INTEGER NOT NULL DEFAULT 0;";

/* What a worker of a fleet has still to pass on (frontier/sqlite/handover.h), and
 * the pages of other workers on which addresses were found: those have the
 * negative number of theirs. */
static const char version_23[] =
    "CREATE TABLE unsent("
    " change INTEGER PRIMARY KEY AUTOINCREMENT,"
    " kind INTEGER NOT NULL,"
    " key NOT NULL,"
    " UNIQUE(kind, key));"

    "CREATE TABLE distant_pages("
    " id INTEGER PRIMARY KEY,"
    " url TEXT NOT NULL UNIQUE);"

    "CREATE INDEX addresses_elsewhere ON addresses(host) WHERE state = 4;";

/* What goes with a host to its next owner in a fleet: for which other hosts its
 * sitemaps may speak, and what is counted of it, by a hash of its name. */
static const char version_24[] =
    "ALTER TABLE vouchers ADD COLUMN at TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE trap_bodies ADD COLUMN host INTEGER NOT NULL DEFAULT 0;"

    /* Which hosts of a site are followed, by hashes of both names. */
    "CREATE TABLE trap_hosts("
    " id INTEGER PRIMARY KEY,"
    " site INTEGER NOT NULL);";

/* What rows pages have given to other workers of a fleet, where that was later than
 * what they have given here. */
static const char version_25[] = "CREATE TABLE distant_rows("
				 " address INTEGER PRIMARY KEY,"
				 " kind TEXT NOT NULL,"
				 " count INTEGER NOT NULL,"
				 " items TEXT NOT NULL,"
				 " digest BLOB NOT NULL,"
				 " problems INTEGER NOT NULL);";

const struct pv_schema *pv_state_schema(void)
{
	static const char *const steps[] = {version_18, version_19, version_20,
	    version_21, version_22, version_23, version_24, version_25};
	static const struct pv_schema schema = {
	    .application_id = APPLICATION_ID,
	    .first_version = FIRST_VERSION,
	    .steps = steps,
	    .step_count = sizeof(steps) / sizeof(*steps),
	};
	return &schema;
}
