#include "fleet/line/greeting.h"

#include "base/reader.h"
#include "fleet/line/url.h"

#define OLDEST_VERSION 140000

/* A role may have settings of its own. In a stricter isolation a statement would not
 * see what was done until it got its lock.
 *
 * All that a fleet says goes by keys. A plan that was made before the tables were
 * filled would look at all of their rows, each time, until they are analyzed. */
#define SESSION                                                 \
	"SET synchronous_commit = on;"                          \
	"SET default_transaction_isolation = 'read committed';" \
	"SET lock_timeout = 0;"                                 \
	"SET idle_in_transaction_session_timeout = '5s';"       \
	"SET statement_timeout = '30s';"                        \
	"SET enable_seqscan = off;"                             \
	"SET enable_bitmapscan = off;"                          \
	"SET jit = off;"

const char pv_fleet_session[] = SESSION;

/* The timeline stands in the name of the file that is written to, which each role
 * may ask for: its first eight digits, as many as there are for the number. On a
 * standby there is no such file. */
static const char check[] = SESSION
    "SELECT current_setting('fsync'), current_setting('full_page_writes'),"
    " current_setting('synchronous_commit'),"
    " current_setting('synchronous_standby_names') <> '',"
    " pg_is_in_recovery(),"
    " CASE WHEN pg_is_in_recovery() THEN ''"
    " ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END";

enum column {
	FSYNC,
	FULL_PAGE_WRITES,
	SYNCHRONOUS_COMMIT,
	HAS_STANDBY_NAMES,
	IS_STANDBY,
	TIMELINE,
	COLUMNS_COUNT,
};

static const char ask_time[] =
    "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::int8";

bool pv_fleet_is_passing(const char *sqlstate)
{
	/* Connections, rollbacks, resources, an operator, the system; and a
	 * server that turned read-only. */
	static const char *const classes[] = {
	    "08", "40", "53", "57", "58", "XX", "25"};
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strncmp(sqlstate, classes[i], 2) == 0)
			return true;
	}
	return false;
}

static enum pv_fleet_greeted ungreeted(
    const struct pv_fleet_greeting *greeting, struct pv_buf *why)
{
	pv_buf_append_text(why, "the connection was lost: ");
	pv_fleet_message_append(why, PQerrorMessage(greeting->pg));
	return PV_FLEET_UNGREETED;
}

static enum pv_fleet_greeted unfit(struct pv_buf *why, const char *sentence)
{
	pv_buf_append_text(why, sentence);
	return PV_FLEET_UNFIT;
}

enum pv_fleet_greeted pv_fleet_greeting_start(
    struct pv_fleet_greeting *greeting, PGconn *pg, struct pv_buf *why)
{
	int version = PQserverVersion(pg);
	*greeting = (struct pv_fleet_greeting){.pg = pg,
	    .server = {.version = version, .backend_pid = PQbackendPID(pg)}};
	if (version < OLDEST_VERSION) {
		pv_buf_append_format(why,
		    "the server is PostgreSQL %d, which is too old for a "
		    "fleet: 14 or newer is needed",
		    version / 10000);
		return PV_FLEET_UNFIT;
	}
	return PQsendQuery(pg, check) ? PV_FLEET_GREETING
				      : ungreeted(greeting, why);
}

static bool is_on(const PGresult *row, enum column column)
{
	const char *value = PQgetvalue(row, 0, (int)column);
	return strcmp(value, "on") == 0 || strcmp(value, "t") == 0;
}

static bool read_timeline(const char *digits, int64_t *timeline)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(digits));
	uint32_t number = 0;
	for (int i = 0; i < 8; i++) {
		const char *hex = "0123456789ABCDEF";
		int digit = pv_reader_next(&reader);
		const char *at = digit > 0 ? strchr(hex, digit) : NULL;
		if (!at)
			return false;
		number = number << 4 | (uint32_t)(at - hex);
	}
	*timeline = number;
	return true;
}

static enum pv_fleet_greeted judge(
    struct pv_fleet_greeting *greeting, const PGresult *row, struct pv_buf *why)
{
	struct pv_fleet_server *server = &greeting->server;
	if (PQnfields(row) != COLUMNS_COUNT || PQntuples(row) != 1) {
		pv_buf_append_text(why,
		    "the server answers something else than what it was asked");
		return PV_FLEET_UNGREETED;
	}
	if (!is_on(row, FSYNC))
		return unfit(why,
		    "the server has fsync off, so a crash of its machine loses "
		    "what it has committed: set fsync = on in postgresql.conf "
		    "and reload it");
	if (!is_on(row, FULL_PAGE_WRITES))
		return unfit(why,
		    "the server has full_page_writes off, so a crash of its "
		    "machine may damage its tables: set full_page_writes = on "
		    "in postgresql.conf and reload it");
	if (!is_on(row, SYNCHRONOUS_COMMIT))
		return unfit(why,
		    "the server does not let synchronous_commit be on: let "
		    "the role of the fleet set it");
	server->has_standby_names = is_on(row, HAS_STANDBY_NAMES);
	if (is_on(row, IS_STANDBY) ||
	    !read_timeline(PQgetvalue(row, 0, TIMELINE), &server->timeline)) {
		pv_buf_append_text(
		    why, "the server is a standby, which cannot write");
		return PV_FLEET_UNGREETED;
	}
	greeting->stage = PV_FLEET_HAS_CHECKS;
	return PV_FLEET_GREETING;
}

/* The server's clock was read between the question and its answer: in the midst,
 * give or take half of that time. */
static enum pv_fleet_greeted take_time(struct pv_fleet_greeting *greeting,
    const PGresult *row, uint64_t now_ns, struct pv_buf *why)
{
	struct pv_reader reader =
	    pv_reader_of(pv_str_of(PQgetvalue(row, 0, 0)));
	uint64_t number;
	int64_t half_ms =
	    (int64_t)((now_ns - greeting->asked_ns) / 2 / 1000000);
	if (!pv_reader_take_number(&reader, INT64_MAX / 2, &number)) {
		pv_buf_append_text(why, "the server does not say the time");
		return PV_FLEET_UNGREETED;
	}
	greeting->server.server_ms = (int64_t)number + half_ms;
	/* Both are cut to whole milliseconds. */
	greeting->server.uncertainty_ms = half_ms + 2;
	greeting->stage = PV_FLEET_HAS_TIME;
	return PV_FLEET_GREETING;
}

static enum pv_fleet_greeted take_error(
    const PGresult *result, struct pv_buf *why)
{
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	pv_buf_append_text(why, "the server refuses what a fleet needs: ");
	pv_fleet_message_append(why, PQresultErrorMessage(result));
	return !sqlstate || pv_fleet_is_passing(sqlstate) ? PV_FLEET_UNGREETED
							  : PV_FLEET_UNFIT;
}

/* All of an answer has been read. */
static enum pv_fleet_greeted go_on(
    struct pv_fleet_greeting *greeting, uint64_t now_ns, struct pv_buf *why)
{
	if (greeting->stage == PV_FLEET_HAS_TIME)
		return PV_FLEET_GREETED;
	if (greeting->stage != PV_FLEET_HAS_CHECKS) {
		pv_buf_append_text(why, "the server leaves out an answer");
		return PV_FLEET_UNGREETED;
	}
	greeting->stage = PV_FLEET_ASKED_TIME;
	greeting->asked_ns = now_ns;
	return PQsendQuery(greeting->pg, ask_time) ? PV_FLEET_GREETING
						   : ungreeted(greeting, why);
}

static enum pv_fleet_greeted take_result(struct pv_fleet_greeting *greeting,
    const PGresult *result, uint64_t now_ns, struct pv_buf *why)
{
	switch (PQresultStatus(result)) {
	case PGRES_COMMAND_OK:
		return PV_FLEET_GREETING;
	case PGRES_TUPLES_OK:
		return greeting->stage == PV_FLEET_ASKED_CHECKS
			   ? judge(greeting, result, why)
			   : take_time(greeting, result, now_ns, why);
	default:
		return take_error(result, why);
	}
}

enum pv_fleet_greeted pv_fleet_greeting_read(
    struct pv_fleet_greeting *greeting, uint64_t now_ns, struct pv_buf *why)
{
	enum pv_fleet_greeted greeted = PV_FLEET_GREETING;
	if (!PQconsumeInput(greeting->pg))
		return ungreeted(greeting, why);
	while (greeted == PV_FLEET_GREETING && !PQisBusy(greeting->pg)) {
		PGresult *result = PQgetResult(greeting->pg);
		greeted = result ? take_result(greeting, result, now_ns, why)
				 : go_on(greeting, now_ns, why);
		PQclear(result);
	}
	return greeted;
}
