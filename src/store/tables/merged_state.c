#include "store/tables/merged_state.h"

#include "record/state.h"
#include "store/statement.h"

/* The file is made anew if it is not finished, so that nothing has to be undone.
 * Rows of one address stand together, the one that counts first. */
static const char scratch_sql[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA cache_size = -65536; PRAGMA temp_store = FILE;"
    "BEGIN;"
    "CREATE TEMP TABLE found(origin, fingerprint, rank, id);"
    "CREATE TEMP TABLE doubles(id INTEGER PRIMARY KEY, winner);"
    "CREATE TEMP TABLE readers(id INTEGER PRIMARY KEY, is_reader);"
    "CREATE TEMP TABLE host_map(place, id, host,"
    " PRIMARY KEY(place, id)) WITHOUT ROWID";

/* The state of a host says who is at work with it, which is nobody. */
static const char add_host_sql[] =
    "INSERT INTO host_states(name, state, until_wall_ms, wait_ms, wait_reason,"
    " took_ms, rest_ms, rest_until_wall_ms, blocks, pages, bytes, failures,"
    " name_failures, left_reason, name_failed_wall_ms)"
    " VALUES(?1, iif(?2 = 1, 1, 0), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12,"
    " ?13, ?14, ?15)"
    " ON CONFLICT(name) DO UPDATE SET pages = pages + excluded.pages,"
    " bytes = bytes + excluded.bytes,"
    " state = max(state, excluded.state),"
    " until_wall_ms = max(until_wall_ms, excluded.until_wall_ms),"
    " rest_until_wall_ms ="
    "  max(rest_until_wall_ms, excluded.rest_until_wall_ms),"
    " failures = max(failures, excluded.failures),"
    " left_reason = max(left_reason, excluded.left_reason)";
static const char hosts_sql[] =
    "SELECT name, state, until_wall_ms, wait_ms, wait_reason, took_ms,"
    " rest_ms, rest_until_wall_ms, blocks, pages, bytes, failures,"
    " name_failures, left_reason, name_failed_wall_ms, id FROM host_states";
enum { HOST_COLUMNS = 15 };

static const char find_host_sql[] =
    "SELECT id FROM host_states WHERE name = ?1";
static const char map_host_sql[] =
    "INSERT OR REPLACE INTO host_map VALUES(?1, ?2, ?3)";
static const char mapped_host_sql[] =
    "SELECT host FROM host_map WHERE place = ?1 AND id = ?2";
static const char add_found_sql[] = "INSERT INTO found VALUES(?1, ?2, ?3, ?4)";
static const char find_winner_sql[] =
    "SELECT winner FROM doubles WHERE id = ?1";
static const char add_reader_sql[] = "INSERT INTO readers VALUES(?1, ?2)";
static const char find_reader_sql[] =
    "SELECT is_reader FROM readers WHERE id = ?1";
static const char find_refused_sql[] =
    "SELECT id FROM seen JOIN addresses ON id = address"
    " WHERE origin = ?1 AND fingerprint = ?2 AND state = 3";

_Static_assert(PV_STATE_REFUSED == 3, "the SQL above has this number");

void pv_merged_state_open(
    struct pv_merged_state *state, struct pv_database *database)
{
	state->database = database;
	state->last_address = state->double_count = state->reader_count = 0;
	pv_database_run(database, scratch_sql);
	state->add_host = pv_statement_create(database, add_host_sql);
	state->find_host = pv_statement_create(database, find_host_sql);
	state->map_host = pv_statement_create(database, map_host_sql);
	state->mapped_host = pv_statement_create(database, mapped_host_sql);
	state->add_found = pv_statement_create(database, add_found_sql);
	state->find_winner = pv_statement_create(database, find_winner_sql);
	state->add_reader = pv_statement_create(database, add_reader_sql);
	state->find_reader = pv_statement_create(database, find_reader_sql);
	state->find_refused = pv_statement_create(database, find_refused_sql);
}

/* As the states of crawls are kept, so that whoever reads it finds what it knows. */
void pv_merged_state_commit(struct pv_merged_state *state)
{
	pv_database_commit(state->database);
	pv_database_run(state->database, "PRAGMA journal_mode = WAL");
}

void pv_merged_state_close(struct pv_merged_state *state)
{
	pv_statement_destroy(state->add_host);
	pv_statement_destroy(state->find_host);
	pv_statement_destroy(state->map_host);
	pv_statement_destroy(state->mapped_host);
	pv_statement_destroy(state->add_found);
	pv_statement_destroy(state->find_winner);
	pv_statement_destroy(state->add_reader);
	pv_statement_destroy(state->find_reader);
	pv_statement_destroy(state->find_refused);
}

/* Announcing */

static int64_t number_of(struct pv_statement *statement)
{
	int64_t number = pv_statement_step(statement)
			     ? pv_statement_number(statement, 0)
			     : 0;
	pv_statement_reset(statement);
	return number;
}

static void announce_host(struct pv_merged_state *state,
    const struct pv_merged_source *source, const struct pv_statement *row)
{
	for (int i = 0; i < HOST_COLUMNS; i++)
		pv_statement_bind_column(state->add_host, i + 1, row, i);
	pv_statement_run(state->add_host);
	pv_statement_bind_column(state->find_host, 1, row, 0);
	int64_t host = number_of(state->find_host);
	pv_statement_bind(state->map_host, 1, source->place);
	pv_statement_bind(
	    state->map_host, 2, pv_statement_number(row, HOST_COLUMNS));
	pv_statement_bind(state->map_host, 3, host);
	pv_statement_run(state->map_host);
}

/* The worse one for each state. Parts of a crawl refuse what is not on their hosts,
 * and another of them may still be to ask for it. Of a fleet's workers one that
 * still waits has lost the host to the one that has refused it. */
static int64_t rank_of_state(bool is_of_fleet, int64_t address_state)
{
	switch (address_state) {
	case PV_STATE_DONE:
		return 0;
	case PV_STATE_REFUSED:
		return is_of_fleet ? 1 : 3;
	case PV_STATE_ELSEWHERE:
		return 4;
	default:
		return 2;
	}
}

#define RANKS 5

/* The owner's row first, whatever state it has, unless it has given it away since. */
static int64_t rank_of(const struct pv_merged_state *state,
    const struct pv_merged_source *source, int64_t owner, int64_t address_state)
{
	int64_t rank = rank_of_state(state->is_of_fleet, address_state);
	bool counts = !owner || (owner == source->place &&
				    address_state != PV_STATE_ELSEWHERE);
	return counts ? rank : rank + RANKS;
}

/* What the owner has read itself goes by its row. */
static void announce_reader(
    struct pv_merged_state *state, int64_t id, bool is_reader)
{
	pv_statement_bind(state->add_reader, 1, id);
	pv_statement_bind(state->add_reader, 2, is_reader);
	pv_statement_run(state->add_reader);
	state->reader_count++;
}

static void announce_address(struct pv_merged_state *state,
    struct pv_merged_source *source, const struct pv_statement *row)
{
	struct pv_fingerprint fingerprint =
	    pv_fingerprint_of(&state->key, pv_statement_text(row, 1));
	int64_t id = pv_statement_number(row, 0) + source->offset;
	int64_t owner = state->owner(state->ctx, fingerprint);
	int64_t reader = state->reader(state->ctx, fingerprint);
	if (reader != owner)
		announce_reader(state, id, reader == source->place);
	pv_statement_bind_fingerprint(state->add_found, 1, fingerprint);
	pv_statement_bind(state->add_found, 3,
	    rank_of(state, source, owner, pv_statement_number(row, 2)));
	pv_statement_bind(state->add_found, 4, id);
	pv_statement_run(state->add_found);
	state->last_address = id;
}

bool pv_merged_state_announce(
    struct pv_merged_state *state, struct pv_merged_source *source)
{
	bool is_enough = false;
	source->offset = state->last_address;
	struct pv_statement *rows =
	    pv_statement_create(source->look, hosts_sql);
	while (pv_statement_step(rows))
		announce_host(state, source, rows);
	pv_statement_destroy(rows);
	rows = pv_statement_create(
	    source->look, "SELECT id, url, state FROM addresses ORDER BY id");
	while (!is_enough && pv_statement_step(rows)) {
		announce_address(state, source, rows);
		is_enough = state->is_enough(state->ctx);
	}
	pv_statement_destroy(rows);
	return !is_enough;
}

/* Settling */

struct settling {
	struct pv_merged_state *state;
	struct pv_statement *see;
	struct pv_statement *add_double;
	int64_t origin;
	int64_t fingerprint;
	int64_t winner; /* 0: none yet */
};

static void settle_row(
    struct settling *settling, const struct pv_statement *row)
{
	int64_t origin = pv_statement_number(row, 0);
	int64_t fingerprint = pv_statement_number(row, 1);
	int64_t id = pv_statement_number(row, 2);
	if (settling->winner && settling->origin == origin &&
	    settling->fingerprint == fingerprint) {
		pv_statement_bind(settling->add_double, 1, id);
		pv_statement_bind(settling->add_double, 2, settling->winner);
		pv_statement_run(settling->add_double);
		settling->state->double_count++;
		return;
	}
	settling->origin = origin;
	settling->fingerprint = fingerprint;
	settling->winner = id;
	pv_statement_bind(settling->see, 1, origin);
	pv_statement_bind(settling->see, 2, fingerprint);
	pv_statement_bind(settling->see, 3, id);
	pv_statement_run(settling->see);
}

void pv_merged_state_settle(struct pv_merged_state *state)
{
	struct settling settling = {.state = state};
	settling.see = pv_statement_create(state->database,
	    "INSERT INTO seen(origin, fingerprint, address) "
	    "VALUES(?1, ?2, ?3)");
	settling.add_double = pv_statement_create(
	    state->database, "INSERT INTO doubles VALUES(?1, ?2)");
	struct pv_statement *rows = pv_statement_create(state->database,
	    "SELECT origin, fingerprint, id FROM found "
	    "ORDER BY origin, fingerprint, rank, id");
	while (pv_statement_step(rows))
		settle_row(&settling, rows);
	pv_statement_destroy(rows);
	pv_statement_destroy(settling.see);
	pv_statement_destroy(settling.add_double);
	pv_database_run(state->database, "DROP TABLE found");
}

/* Numbers */

bool pv_merged_state_address(struct pv_merged_state *state,
    const struct pv_merged_source *source, int64_t id, int64_t *address)
{
	*address = id ? id + source->offset : 0;
	if (!state->double_count || !id)
		return true;
	pv_statement_bind(state->find_winner, 1, *address);
	int64_t winner = number_of(state->find_winner);
	if (!winner)
		return true;
	*address = winner;
	return false;
}

bool pv_merged_state_page(struct pv_merged_state *state,
    const struct pv_merged_source *source, int64_t id, int64_t *address)
{
	bool is_own = pv_merged_state_address(state, source, id, address);
	if (!state->reader_count)
		return is_own;
	pv_statement_bind(state->find_reader, 1, id + source->offset);
	if (pv_statement_step(state->find_reader))
		is_own = pv_statement_number(state->find_reader, 0) != 0;
	pv_statement_reset(state->find_reader);
	return is_own;
}

int64_t pv_merged_state_host(struct pv_merged_state *state,
    const struct pv_merged_source *source, int64_t id)
{
	pv_statement_bind(state->mapped_host, 1, source->place);
	pv_statement_bind(state->mapped_host, 2, id);
	return number_of(state->mapped_host);
}

int64_t pv_merged_state_refused(
    struct pv_merged_state *state, struct pv_fingerprint fingerprint)
{
	pv_statement_bind_fingerprint(state->find_refused, 1, fingerprint);
	return number_of(state->find_refused);
}
