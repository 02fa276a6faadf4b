#include "frontier/sqlite/round_table.h"

#include "frontier/sqlite/host_table.h"
#include "store/statement.h"
#include "store/tables/note.h"

/* Of what was due when the round began, and has not been heard of in it: ?5 is
 * 1 for sitemaps, 0 for all else, 2 for both. What was refused because its
 * robots.txt could not be fetched has only failed. A clock that was set back
 * makes nothing wait. */
#define IS_DUE                                                             \
	"(state = 2 OR (state = 3 AND reason = 13)) AND id <= ?4 AND "     \
	"listing & 256 = 0 AND (?5 = 2 OR (listing & 3 <> 0) = ?5) "       \
	"AND id > ?7 AND id <= ?8 "                                        \
	"AND ifnull((SELECT round <> ?6 AND (checked_wall_ms <= ?2 OR "    \
	"checked_wall_ms > ?3) FROM copies WHERE address = addresses.id)," \
	" ?1)"

_Static_assert(PV_STATE_DONE == 2 && PV_STATE_REFUSED == 3 &&
		   PV_REASON_ROBOTS_UNREACHABLE == 13,
    "the numbers above are theirs");

enum which { OTHERS, SITEMAPS, BOTH };

/* What is due is not yet all pending: of a round that has just begun, or that
 * has read its sitemaps. */
#define NOTE_READMITTING PV_STR("readmitting")

enum { FROM_THE_BEGINNING = 1, FROM_THE_MIDDLE };

static const char count_sql[] =
    "SELECT state, iif(state = 2, outcome, reason) AS cause, count(*), "
    "total((SELECT is_gone = 0 FROM copies WHERE address = addresses.id)) "
    "FROM addresses WHERE " IS_DUE " GROUP BY state, cause";

static const char readmit_sql[] =
    "UPDATE addresses SET state = 0, attempt = 0, waits = 0, reason = 0, "
    "line = 0, not_before_wall_ms = 0 WHERE " IS_DUE;

static const char begin_sql[] =
    "INSERT INTO rounds(number, began_wall_ms, is_listing, last_address, "
    "before_wall_ms, takes_failed, due) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)";

static const char write_sql[] =
    "UPDATE rounds SET new = ?2, changed = ?3, gone = ?4, same = ?5, "
    "failed = ?6 WHERE number = ?1";

static const char read_sql[] =
    "SELECT number, due, began_wall_ms, is_listing, last_address, "
    "before_wall_ms, takes_failed, new, changed, gone, same, failed "
    "FROM rounds ORDER BY number DESC LIMIT 1";

static const enum pv_change columns[] = {PV_CHANGE_NEW, PV_CHANGE_CHANGED,
    PV_CHANGE_GONE, PV_CHANGE_SAME, PV_CHANGE_FAILED};

#define COLUMN_COUNT ((int)(sizeof(columns) / sizeof(*columns)))

static void read_row(
    struct pv_round_table *table, const struct pv_statement *row)
{
	table->round.number = (uint64_t)pv_statement_number(row, 0);
	table->round.due = (uint64_t)pv_statement_number(row, 1);
	table->began_wall_ms = pv_statement_number(row, 2);
	table->is_listing = pv_statement_number(row, 3) != 0;
	table->last_address = (uint64_t)pv_statement_number(row, 4);
	table->before_wall_ms = pv_statement_number(row, 5);
	table->takes_failed = pv_statement_number(row, 6) != 0;
	for (int i = 0; i < COLUMN_COUNT; i++)
		table->round.counts[columns[i]] =
		    (uint64_t)pv_statement_number(row, i + 7);
}

void pv_round_table_init(
    struct pv_round_table *table, struct pv_database *database)
{
	struct pv_statement *row = pv_statement_create(database, read_sql);
	*table = (struct pv_round_table){
	    .database = database,
	    .round.number = 1,
	    .is_written = true,
	};
	if (pv_statement_step(row))
		read_row(table, row);
	pv_statement_destroy(row);
}

bool pv_round_is_open(struct pv_database *database)
{
	return pv_database_number(database,
		   "SELECT count(*) FROM rounds WHERE ended_wall_ms = 0") > 0;
}

/* Beginning */

static struct pv_statement *prepare(
    const struct pv_round_table *table, const char *sql, enum which which)
{
	struct pv_statement *statement =
	    pv_statement_create(table->database, sql);
	const int64_t values[] = {table->takes_failed, table->before_wall_ms,
	    table->began_wall_ms, (int64_t)table->last_address, which,
	    (int64_t)table->round.number};
	for (int i = 0; i < (int)(sizeof(values) / sizeof(*values)); i++)
		pv_statement_bind(statement, i + 1, values[i]);
	return statement;
}

/* Up to which address; all of them by the last that was known. */
static void bind_range(
    struct pv_statement *statement, int64_t after, int64_t to)
{
	pv_statement_bind(statement, 7, after);
	pv_statement_bind(statement, 8, to);
}

/* How many addresses are due there, which are counted as pending from now on if
 * there are counts; and of how many of them there is a copy. */
static uint64_t count_due(struct pv_statement *statement,
    struct pv_count_table *counts, uint64_t *copies)
{
	struct pv_cause pending = {.state = PV_STATE_PENDING};
	uint64_t sum = 0;
	while (pv_statement_step(statement)) {
		int64_t count = pv_statement_number(statement, 2);
		struct pv_cause before = {
		    .state = (enum pv_address_state)pv_statement_number(
			statement, 0),
		    .cause = (unsigned)pv_statement_number(statement, 1) %
			     PV_CAUSE_MAX,
		};
		if (counts)
			pv_count_table_add(counts, before, -count);
		if (counts)
			pv_count_table_add(counts, pending, count);
		sum += (uint64_t)count;
		*copies += (uint64_t)pv_statement_number(statement, 3);
	}
	pv_statement_reset(statement);
	return sum;
}

/* Whether any are, and of how many there is a copy. */
static bool is_due(
    const struct pv_round_table *table, enum which which, uint64_t *copies)
{
	struct pv_statement *statement = prepare(table, count_sql, which);
	*copies = 0;
	bind_range(statement, 0, INT64_MAX);
	bool has_any = count_due(statement, NULL, copies) > 0;
	pv_statement_destroy(statement);
	return has_any;
}

/* What is pending again is not due any more: so it may be cut anywhere. */
static void readmit(struct pv_round_table *table, enum which which,
    struct pv_count_table *counts, struct pv_writer *writer)
{
	struct pv_statement *count = prepare(table, count_sql, which);
	struct pv_statement *change = prepare(table, readmit_sql, which);
	struct pv_statement *step = pv_statement_create(
	    table->database, PV_STEP_OF("addresses", "500"));
	int64_t after = 0, to;
	uint64_t copies = 0;
	while ((to = pv_statements_step(step, after))) {
		bind_range(count, after, to);
		bind_range(change, after, to);
		after = to;
		uint64_t due = count_due(count, counts, &copies);
		if (!due)
			continue;
		pv_statement_run(change);
		pv_count_table_write(counts);
		pv_writer_cut(writer, due);
	}
	pv_statement_destroy(step);
	pv_statement_destroy(count);
	pv_statement_destroy(change);
	pv_host_table_wake_all(table->database, writer);
}

static void add_row(const struct pv_round_table *table)
{
	struct pv_statement *statement =
	    pv_statement_create(table->database, begin_sql);
	const int64_t values[] = {(int64_t)table->round.number,
	    table->began_wall_ms, table->is_listing,
	    (int64_t)table->last_address, table->before_wall_ms,
	    table->takes_failed, (int64_t)table->round.due};
	for (int i = 0; i < (int)(sizeof(values) / sizeof(*values)); i++)
		pv_statement_bind(statement, i + 1, values[i]);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

static struct pv_round_table next_of(
    const struct pv_round_table *table, const struct pv_round_plan *plan)
{
	int64_t before = plan->now_wall_ms - plan->after_ms;
	return (struct pv_round_table){
	    .database = table->database,
	    .round.number = table->round.number + 1,
	    .is_written = true,
	    .last_address = (uint64_t)pv_database_number(
		table->database, "SELECT max(id) FROM addresses"),
	    .began_wall_ms = plan->now_wall_ms,
	    .before_wall_ms = before,
	    .takes_failed = plan->finished_wall_ms <= before,
	};
}

bool pv_round_table_begin(
    struct pv_round_table *table, const struct pv_round_plan *plan)
{
	struct pv_round_table next = next_of(table, plan);
	uint64_t copies;
	if (!is_due(&next, BOTH, &next.round.due))
		return false;
	next.is_listing = is_due(&next, SITEMAPS, &copies);
	pv_note_set(table->database, NOTE_READMITTING, FROM_THE_BEGINNING);
	add_row(&next);
	*table = next;
	return true;
}

void pv_round_table_join(
    struct pv_round_table *table, uint64_t number, int64_t now_wall_ms)
{
	*table = (struct pv_round_table){
	    .database = table->database,
	    .round.number = number,
	    .is_written = true,
	    .began_wall_ms = now_wall_ms,
	};
	add_row(table);
}

bool pv_round_table_go_on(struct pv_round_table *table)
{
	uint64_t copies;
	if (!table->is_listing)
		return false;
	table->is_listing = false;
	pv_database_run(table->database,
	    "UPDATE rounds SET is_listing = 0 WHERE is_listing");
	if (!is_due(table, OTHERS, &copies))
		return false;
	pv_note_set(table->database, NOTE_READMITTING, FROM_THE_MIDDLE);
	return true;
}

void pv_round_table_readmit(struct pv_round_table *table,
    struct pv_count_table *counts, struct pv_writer *writer)
{
	int64_t from = pv_note_get(table->database, NOTE_READMITTING, 0);
	if (!from)
		return;
	if (from == FROM_THE_BEGINNING)
		pv_host_table_count_anew(table->database, writer);
	readmit(table, table->is_listing ? SITEMAPS : OTHERS, counts, writer);
	pv_note_set(table->database, NOTE_READMITTING, 0);
}

/* Counting */

void pv_round_table_count(struct pv_round_table *table, enum pv_change change)
{
	table->round.counts[change]++;
	table->is_written = false;
}

void pv_round_table_write(struct pv_round_table *table)
{
	if (table->is_written)
		return;
	struct pv_statement *statement =
	    pv_statement_create(table->database, write_sql);
	pv_statement_bind(statement, 1, (int64_t)table->round.number);
	for (int i = 0; i < COLUMN_COUNT; i++)
		pv_statement_bind(
		    statement, i + 2, (int64_t)table->round.counts[columns[i]]);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
	table->is_written = true;
}

void pv_round_table_end(struct pv_database *database, int64_t wall_ms)
{
	struct pv_statement *statement = pv_statement_create(database,
	    "UPDATE rounds SET ended_wall_ms = ?1 WHERE number = (SELECT "
	    "max(number) FROM rounds) AND ended_wall_ms = 0");
	pv_statement_bind(statement, 1, wall_ms);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}
