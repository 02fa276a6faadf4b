#include "frontier/sqlite/host_table.h"

#include <stdlib.h>

#include "base/array.h"
#include "store/statement.h"
#include "store/tables/note.h"
#include "store/tables/state_hosts.h"

enum {
	FIND,
	ADD,
	HOLDING,
	HOLD,
	SAVE,
	WAITING,
	ONE,
	TAKE,
	RECOVER,
	RECOVER_LEFT,
	READY,
	NEXT
};

/* Of hosts up to this number it is remembered whether they were held: 16 MB.
 * Others are taken for such as were not, whose clock is set from their row
 * again; it may make them wait longer, and never shorter. */
#define HELD_MAX (UINT64_C(1) << 27)

/* Some of those that are held. */
#define ARE_TAKEN                                                         \
	"id IN (SELECT id FROM host_states INDEXED BY hosts_taken WHERE " \
	"state > 1 LIMIT ?2)"

static const char *const sql[PV_HOST_STATEMENTS] = {
    [FIND] = "SELECT id, state FROM host_states WHERE name = ?1",
    [ADD] = "INSERT INTO host_states(name, state, until_wall_ms) "
	    "VALUES(?1, ?3, ?2)",
    [HOLDING] = "SELECT state FROM host_states WHERE id = ?1",
    [HOLD] = "UPDATE host_states SET state = ?2 WHERE id = ?1",
    [SAVE] = "UPDATE host_states SET left_ms = ?2, until_wall_ms = ?3, "
	     "wait_ms = ?4, wait_reason = ?5, took_ms = ?6, rest_ms = ?7, "
	     "rest_until_wall_ms = ?8, window_until_wall_ms = ?9, "
	     "window_count = ?10, blocks = ?11, pages = ?12, bytes = ?13, "
	     "address_left_ms = ?14, address_until_wall_ms = ?15, "
	     "address_wait_ms = ?16, failures = ?17, "
	     "nameless_until_wall_ms = ?18, left_reason = ?19, "
	     "retry_debt = ?20, saved_ms = ?21, "
	     "owes_delay = ?22, name_failures = ?23, "
	     "name_failed_wall_ms = ?24 WHERE id = ?1",
    [WAITING] =
	"SELECT " PV_STATE_HOST_COLUMNS " FROM host_states WHERE state = 1 "
	"ORDER BY until_wall_ms, id LIMIT ?1",
    [ONE] = "SELECT " PV_STATE_HOST_COLUMNS " FROM host_states WHERE id = ?1",
    [TAKE] = "UPDATE host_states SET state = ?2, saved_ms = ?3 WHERE id = ?1",
    [RECOVER] = "UPDATE host_states SET owes_delay = 1, state = EXISTS("
		"SELECT 1 FROM addresses WHERE host = host_states.id "
		"AND addresses.state = 0) WHERE " ARE_TAKEN,
    [RECOVER_LEFT] =
	"UPDATE host_states SET "
	"left_ms = max(0, left_ms - max(0, ?1 - saved_ms)), "
	"address_left_ms = max(0, address_left_ms - max(0, ?1 - saved_ms)), "
	"state = EXISTS(SELECT 1 FROM addresses WHERE host = host_states.id "
	"AND addresses.state = 0) WHERE " ARE_TAKEN,
    [READY] = "SELECT count(*) FROM (SELECT 1 FROM host_states "
	      "WHERE state = 1 AND until_wall_ms <= ?1 LIMIT ?2)",
    [NEXT] = "SELECT until_wall_ms FROM host_states WHERE state = 1 "
	     "ORDER BY until_wall_ms LIMIT 1",
};

struct pv_host_save {
	uint64_t host_id;
	struct pv_host_state state;
};

void pv_host_table_init(
    struct pv_host_table *table, struct pv_database *database)
{
	*table = (struct pv_host_table){.database = database};
	pv_statements_create(
	    table->statements, database, sql, PV_HOST_STATEMENTS);
}

void pv_host_table_finish(struct pv_host_table *table)
{
	pv_statements_destroy(table->statements, PV_HOST_STATEMENTS);
	free(table->saves);
	free(table->held);
}

/* 0 if there is none. */
static uint64_t find(
    struct pv_host_table *table, struct pv_str name, enum pv_holding *holding)
{
	struct pv_statement *statement = table->statements[FIND];
	uint64_t id = 0;
	pv_statement_bind_text(statement, 1, name);
	if (pv_statement_step(statement)) {
		id = (uint64_t)pv_statement_number(statement, 0);
		*holding = (enum pv_holding)pv_statement_number(statement, 1);
	}
	pv_statement_reset(statement);
	return id;
}

uint64_t pv_host_table_find(struct pv_host_table *table, struct pv_str name,
    int64_t found_wall_ms, enum pv_holding *holding)
{
	*holding = PV_HOST_IDLE;
	uint64_t id = find(table, name, holding);
	if (id)
		return id;
	pv_statement_bind_text(table->statements[ADD], 1, name);
	pv_statement_bind(table->statements[ADD], 2, found_wall_ms);
	pv_statement_bind(table->statements[ADD], 3,
	    table->finds_away ? PV_HOST_AWAY : PV_HOST_IDLE);
	pv_statement_run(table->statements[ADD]);
	return find(table, name, holding);
}

enum pv_holding pv_host_table_holding(
    struct pv_host_table *table, uint64_t host_id)
{
	struct pv_statement *statement = table->statements[HOLDING];
	enum pv_holding holding = PV_HOST_IDLE;
	pv_statement_bind(statement, 1, (int64_t)host_id);
	if (pv_statement_step(statement))
		holding = (enum pv_holding)pv_statement_number(statement, 0);
	pv_statement_reset(statement);
	return holding;
}

void pv_host_table_set_holding(
    struct pv_host_table *table, uint64_t host_id, enum pv_holding holding)
{
	struct pv_statement *statement = table->statements[HOLD];
	pv_statement_bind(statement, 1, (int64_t)host_id);
	pv_statement_bind(statement, 2, holding);
	pv_statement_run(statement);
}

/* The pages of one host often come one behind the other. */
void pv_host_table_save(struct pv_host_table *table, uint64_t host_id,
    const struct pv_host_state *state)
{
	struct pv_host_save save = {host_id, *state};
	if (table->save_count &&
	    table->saves[table->save_count - 1].host_id == host_id)
		table->saves[table->save_count - 1] = save;
	else
		*PV_ARRAY_PUSH(
		    table->saves, table->save_count, table->save_size) = save;
}

static void write_save(
    struct pv_host_table *table, const struct pv_host_save *save)
{
	struct pv_statement *statement = table->statements[SAVE];
	const struct pv_host_state *state = &save->state;
	const int64_t values[] = {(int64_t)save->host_id, state->left_ms,
	    state->until_wall_ms, state->wait_ms, state->wait_reason,
	    state->took_ms, state->rest_ms, state->rest_until_wall_ms,
	    state->window_until_wall_ms, state->window_count, state->blocks,
	    state->pages, state->bytes, state->address_left_ms,
	    state->address_until_wall_ms, state->address_wait_ms,
	    state->failures, state->nameless_until_wall_ms, state->left_reason,
	    state->retry_debt, state->saved_ms, state->owes_delay,
	    state->name_failures, state->name_failed_wall_ms};
	for (int i = 0; i < (int)(sizeof(values) / sizeof(*values)); i++)
		pv_statement_bind(statement, i + 1, values[i]);
	pv_statement_run(statement);
}

void pv_host_table_write(struct pv_host_table *table)
{
	for (size_t i = 0; i < table->save_count; i++)
		write_save(table, &table->saves[i]);
	table->save_count = 0;
}

/* Holds a host, and whether that is for the first time in this run. */
static void hold(struct pv_host_table *table, uint64_t host_id,
    enum pv_holding holding, int64_t now_ms)
{
	size_t words = host_id / 64 + 1;
	struct pv_statement *statement = table->statements[TAKE];
	pv_statement_bind(statement, 1, (int64_t)host_id);
	pv_statement_bind(statement, 2, holding);
	pv_statement_bind(statement, 3, now_ms);
	pv_statement_run(statement);
	if (host_id >= HELD_MAX)
		return;
	if (words > table->held_words) {
		words += words / 2;
		if (words > HELD_MAX / 64)
			words = HELD_MAX / 64;
		table->held =
		    pv_realloc_array(table->held, words, sizeof(*table->held));
		memset(table->held + table->held_words, 0,
		    (words - table->held_words) * sizeof(*table->held));
		table->held_words = words;
	}
	table->held[host_id / 64] |= UINT64_C(1) << host_id % 64;
}

static bool was_held(const struct pv_host_table *table, uint64_t host_id)
{
	return host_id / 64 < table->held_words &&
	       table->held[host_id / 64] >> host_id % 64 & 1;
}

void pv_host_table_forget_held(struct pv_host_table *table, uint64_t host_id)
{
	if (was_held(table, host_id))
		table->held[host_id / 64] &= ~(UINT64_C(1) << host_id % 64);
}

size_t pv_host_table_count_ready(
    struct pv_host_table *table, int64_t by_wall_ms, size_t max)
{
	struct pv_statement *statement = table->statements[READY];
	size_t count = 0;
	pv_statement_bind(statement, 1, by_wall_ms);
	pv_statement_bind(statement, 2, (int64_t)max);
	if (pv_statement_step(statement))
		count = (size_t)pv_statement_number(statement, 0);
	pv_statement_reset(statement);
	return count;
}

int64_t pv_host_table_next_ready(struct pv_host_table *table)
{
	struct pv_statement *statement = table->statements[NEXT];
	int64_t next_wall_ms = PV_FRONTIER_NEVER;
	if (pv_statement_step(statement))
		next_wall_ms = pv_statement_number(statement, 0);
	pv_statement_reset(statement);
	return next_wall_ms;
}

void pv_host_table_take(struct pv_host_table *table, size_t max, int64_t now_ms,
    struct pv_host_list *hosts)
{
	struct pv_statement *statement = table->statements[WAITING];
	pv_host_table_write(table);
	size_t first = hosts->count;
	pv_statement_bind(
	    statement, 1, max < INT64_MAX ? (int64_t)max : INT64_MAX);
	while (pv_statement_step(statement)) {
		struct pv_host host = pv_state_host_read(statement);
		host.was_held = was_held(table, host.id);
		if (!pv_host_list_add(hosts, &host))
			break;
	}
	pv_statement_reset(statement);
	for (size_t i = first; i < hosts->count; i++)
		hold(
		    table, pv_host_list_get(hosts, i).id, PV_HOST_HELD, now_ms);
}

void pv_host_table_take_named(struct pv_host_table *table, struct pv_str name,
    int64_t now_ms, struct pv_host_list *hosts)
{
	struct pv_statement *statement = table->statements[ONE];
	enum pv_holding holding;
	uint64_t id = pv_host_table_find(table, name, 0, &holding);
	bool is_taken = false;
	pv_host_table_write(table);
	if (holding >= PV_HOST_HELD || holding < PV_HOST_IDLE)
		return;
	pv_statement_bind(statement, 1, (int64_t)id);
	if (pv_statement_step(statement)) {
		struct pv_host host = pv_state_host_read(statement);
		host.was_held = was_held(table, id);
		is_taken = pv_host_list_add(hosts, &host);
	}
	pv_statement_reset(statement);
	if (is_taken)
		hold(table, id,
		    holding == PV_HOST_WAITING ? PV_HOST_HELD : PV_HOST_DRAINED,
		    now_ms);
}

void pv_host_table_leave_all(struct pv_host_table *table, int64_t now_ms)
{
	pv_host_table_write(table);
	pv_note_set(table->database, PV_HOSTS_LEFT_NOTE, now_ms + 1);
}

#define AT_ONCE 500

uint64_t pv_host_table_recover(
    struct pv_host_table *table, struct pv_writer *writer)
{
	int64_t left_at_ms = pv_state_hosts_left_at(table->database);
	bool is_in_order = left_at_ms >= 0;
	struct pv_statement *statement =
	    table->statements[is_in_order ? RECOVER_LEFT : RECOVER];
	uint64_t all = 0, count;
	do {
		if (is_in_order)
			pv_statement_bind(statement, 1, left_at_ms);
		pv_statement_bind(statement, 2, AT_ONCE);
		count = (uint64_t)pv_statement_run(statement);
		all += count;
		pv_writer_cut(writer, count);
	} while (count);
	pv_note_set(table->database, PV_HOSTS_LEFT_NOTE, 0);
	return all;
}

/* Changes hosts by a statement for those behind ?1, up to ?2. */
static void change_all(
    struct pv_database *database, struct pv_writer *writer, const char *text)
{
	struct pv_statement *statement = pv_statement_create(database, text);
	struct pv_statement *step =
	    pv_statement_create(database, PV_STEP_OF("host_states", "500"));
	int64_t after = 0, to;
	while ((to = pv_statements_step(step, after))) {
		pv_statement_bind(statement, 1, after);
		pv_statement_bind(statement, 2, to);
		pv_writer_cut(writer, (size_t)pv_statement_run(statement));
		after = to;
	}
	pv_statement_destroy(step);
	pv_statement_destroy(statement);
}

void pv_host_table_wake_all(
    struct pv_database *database, struct pv_writer *writer)
{
	change_all(database, writer,
	    "UPDATE host_states SET state = CASE state WHEN 0 THEN 1 ELSE 2 END "
	    "WHERE id > ?1 AND id <= ?2 AND state IN (0, 3) AND EXISTS(SELECT 1 "
	    "FROM addresses INDEXED BY addresses_pending WHERE host = "
	    "host_states.id AND addresses.state = 0)");
}

void pv_host_table_count_anew(
    struct pv_database *database, struct pv_writer *writer)
{
	change_all(database, writer,
	    "UPDATE host_states SET pages = 0, bytes = 0, retry_debt = 0 "
	    "WHERE id > ?1 AND id <= ?2 AND (pages OR bytes OR retry_debt)");
}

/* So many addresses of an origin are looked through. */
#define LOOK_MAX "10000"

/* Done, answered with 200, a page that people go to (record/standing.h). */
#define FIND_PAGE                                                          \
	"SELECT url FROM (SELECT address FROM seen WHERE origin = ?1 "     \
	"LIMIT " LOOK_MAX ") AS some JOIN addresses ON "                   \
	"addresses.id = some.address WHERE state = 2 AND outcome = 1 AND " \
	"http_status = 200 AND use = 2 AND listing & 4 = 0 AND "           \
	"substr(url, 1, length(?2)) = ?2 AND "                             \
	"substr(url, length(?2) + 1, 1) = '/' LIMIT ?3"

void pv_host_table_find_page(
    struct pv_database *database, struct pv_page_request *request)
{
	struct pv_statement *find = pv_statement_create(database, FIND_PAGE);
	uint32_t wanted = request->number % PV_KNOWN_PAGES_LEAST, count = 0;
	pv_statement_bind(find, 1, request->origin);
	pv_statement_bind_text(find, 2, request->authority);
	pv_statement_bind(find, 3, PV_KNOWN_PAGES_LEAST);
	for (; pv_statement_step(find); count++) {
		if (count == wanted)
			pv_buf_append(
			    &request->url, pv_statement_text(find, 0));
	}
	pv_statement_destroy(find);
	if (count < PV_KNOWN_PAGES_LEAST || request->url.is_full)
		pv_buf_clear(&request->url);
}
