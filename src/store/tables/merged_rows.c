#include "store/tables/merged_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "record/outcome.h"
#include "store/statement.h"
#include "store/tables/ledger_table.h"
#include "store/tables/merged_notes.h"
#include "store/tables/note.h"

/* A table, and what its columns are: 'a' the address whose row it is, which is
 * left out where another source's row counts; 'p' the same, where another source's
 * rows of the page count; 'v' any address, 'h' a host, '.' what stays as it is. */
struct table {
	const char *name;
	const char *columns;
	const char *kinds;
	const char *conflict; /* where another source has the same row */
};

static const struct table tables[] = {
    {"addresses",
	"id, host, state, use, depth, depth_left, hops, redirects, attempt,"
	" reason, line, outcome, http_status, bytes, may_lead_further, via,"
	" tag, url, not_before_wall_ms, waits, listing, lastmod_wall_ms",
	"ah.............v......", ""},
    {"copies",
	"address, round, fetched_wall_ms, checked_wall_ms, listed_round,"
	" modified_ms, is_gone, has_failed, must_be_read, heard_status, digest,"
	" entity_tag, file, body_type, body_bytes",
	"a..............", ""},
    {"carried", "address, carry", "a.", ""},
    {"page_rows", "address, kind, count, items, digest, problems", "p.....",
	""},
    {"dead_ends", "address, kind, location", "a..", ""},
    {"bare_pages", "address", "a", ""},
    {"left_links", "page, cause", "a.", ""},
    {"own_rounds", "address, round", "a.", ""},
    {"trap_refusals", "host, count", "h.",
	" ON CONFLICT(host) DO UPDATE SET count = count + excluded.count"},
    {"field_faults", "kind, field, fault, count", "....",
	" ON CONFLICT(kind, field, fault) DO UPDATE SET"
	" count = count + excluded.count"},
    {"words", "kind, number, word", "...", " ON CONFLICT DO NOTHING"},
    {"rounds",
	"number, began_wall_ms, ended_wall_ms, is_listing, last_address,"
	" before_wall_ms, takes_failed, due, new, changed, gone, same, failed",
	".............",
	" ON CONFLICT(number) DO UPDATE SET"
	" began_wall_ms = min(began_wall_ms, excluded.began_wall_ms),"
	" ended_wall_ms = iif(ended_wall_ms AND excluded.ended_wall_ms,"
	"  max(ended_wall_ms, excluded.ended_wall_ms), 0),"
	" due = due + excluded.due, new = new + excluded.new,"
	" changed = changed + excluded.changed, gone = gone + excluded.gone,"
	" same = same + excluded.same, failed = failed + excluded.failed"},
    {"authorities",
	"name, state, asked_wall_ms, until_wall_ms, failures,"
	" failed_since_wall_ms, http_status, digest, is_cut, text",
	"..........",
	" ON CONFLICT(name) DO UPDATE SET state = excluded.state,"
	" asked_wall_ms = excluded.asked_wall_ms,"
	" until_wall_ms = excluded.until_wall_ms,"
	" failures = excluded.failures,"
	" failed_since_wall_ms = excluded.failed_since_wall_ms,"
	" http_status = excluded.http_status, digest = excluded.digest,"
	" is_cut = excluded.is_cut, text = excluded.text"
	" WHERE excluded.asked_wall_ms > authorities.asked_wall_ms"},
};

/* Rows */

struct copying {
	struct pv_merged_state *state;
	const struct pv_merged_source *source;
	const struct table *table;
	struct pv_statement *rows;
	struct pv_statement *insert;
};

static struct pv_statement *make_insert(
    struct pv_database *database, const struct table *table)
{
	struct pv_buf sql;
	pv_buf_init(&sql, SIZE_MAX);
	pv_buf_append_format(
	    &sql, "INSERT INTO %s(%s) VALUES(", table->name, table->columns);
	for (size_t i = 0; table->kinds[i]; i++)
		pv_buf_append_text(&sql, i ? ", ?" : "?");
	pv_buf_append_format(&sql, ")%s", table->conflict);
	struct pv_statement *insert =
	    pv_statement_create(database, pv_buf_text(&sql));
	pv_buf_finish(&sql);
	return insert;
}

static struct pv_statement *make_select(
    struct pv_database *look, const struct table *table)
{
	struct pv_buf sql;
	pv_buf_init(&sql, SIZE_MAX);
	pv_buf_append_format(
	    &sql, "SELECT %s FROM %s", table->columns, table->name);
	struct pv_statement *rows =
	    pv_statement_create(look, pv_buf_text(&sql));
	pv_buf_finish(&sql);
	return rows;
}

/* False if the row is left out. */
static bool bind(const struct copying *copying, int column)
{
	struct pv_merged_state *state = copying->state;
	char kind = copying->table->kinds[column];
	int64_t number = pv_statement_number(copying->rows, column);
	bool is_own = true;
	if (kind == '.') {
		pv_statement_bind_column(
		    copying->insert, column + 1, copying->rows, column);
		return true;
	}
	if (kind == 'h')
		number = pv_merged_state_host(state, copying->source, number);
	else if (kind == 'p')
		is_own = pv_merged_state_page(
		    state, copying->source, number, &number);
	else
		is_own = pv_merged_state_address(
		    state, copying->source, number, &number);
	pv_statement_bind(copying->insert, column + 1, number);
	return is_own || kind == 'v';
}

static void copy_row(const struct copying *copying)
{
	for (int i = 0; copying->table->kinds[i]; i++) {
		if (!bind(copying, i))
			return;
	}
	pv_statement_run(copying->insert);
}

static bool copy_table(struct pv_merged_state *state,
    const struct pv_merged_source *source, const struct table *table)
{
	bool is_enough = false;
	struct copying copying = {
	    .state = state,
	    .source = source,
	    .table = table,
	    .rows = make_select(source->look, table),
	    .insert = make_insert(state->database, table),
	};
	while (!is_enough && pv_statement_step(copying.rows)) {
		copy_row(&copying);
		is_enough = table == tables && state->is_enough(state->ctx);
	}
	pv_statement_destroy(copying.rows);
	pv_statement_destroy(copying.insert);
	return !is_enough;
}

/* Ledgers */

static void copy_ledgers(
    struct pv_merged_state *state, const struct pv_merged_source *source)
{
	struct pv_ledger_table from, to;
	struct pv_ledger *theirs = pv_alloc(sizeof(*theirs));
	struct pv_ledger *ours = pv_alloc(sizeof(*ours));
	pv_ledger_table_init(&from, source->look);
	pv_ledger_table_init(&to, state->database);
	struct pv_statement *rows =
	    pv_statement_create(source->look, "SELECT host FROM ledger");
	while (pv_statement_step(rows)) {
		int64_t id = pv_statement_number(rows, 0);
		uint64_t host =
		    (uint64_t)pv_merged_state_host(state, source, id);
		pv_ledger_table_get(&from, (uint64_t)id, theirs);
		pv_ledger_table_get(&to, host, ours);
		pv_ledger_add_all(ours, theirs);
		pv_ledger_table_set(&to, host, ours);
	}
	pv_statement_destroy(rows);
	pv_ledger_table_finish(&from);
	pv_ledger_table_finish(&to);
	free(theirs);
	free(ours);
}

/* Redirects are known by fingerprints alone, so they are found by what was
 * redirected. */
static void copy_redirects(
    struct pv_merged_state *state, const struct pv_merged_source *source)
{
	struct pv_statement *get = pv_statement_create(source->look,
	    "SELECT target FROM redirects WHERE origin = ?1 AND "
	    "fingerprint = ?2");
	struct pv_statement *add = pv_statement_create(state->database,
	    "INSERT OR REPLACE INTO redirects(origin, fingerprint, target) "
	    "VALUES(?1, ?2, ?3)");
	struct pv_statement *rows = pv_statement_create(source->look,
	    "SELECT id, url FROM addresses WHERE http_status BETWEEN 301 AND "
	    "308");
	while (pv_statement_step(rows)) {
		struct pv_str url = pv_statement_text(rows, 1);
		int64_t address;
		if (!pv_merged_state_address(
			state, source, pv_statement_number(rows, 0), &address))
			continue;
		pv_statement_bind_fingerprint(
		    get, 1, pv_fingerprint_of(&source->key, url));
		if (pv_statement_step(get)) {
			pv_statement_bind_fingerprint(
			    add, 1, pv_fingerprint_of(&state->key, url));
			pv_statement_bind_column(add, 3, get, 0);
			pv_statement_run(add);
		}
		pv_statement_reset(get);
	}
	pv_statement_destroy(rows);
	pv_statement_destroy(add);
	pv_statement_destroy(get);
}

bool pv_merged_rows_copy(
    struct pv_merged_state *state, const struct pv_merged_source *source)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		if (!copy_table(state, source, &tables[i]))
			return false;
	}
	copy_ledgers(state, source);
	copy_redirects(state, source);
	pv_merged_notes_copy(state->database, source);
	return true;
}

/* As frontier/sqlite/count_table.h and fields/output/turning.h would have counted, and
 * the crawl what failed: each address once. */
static const char counts_sql[] =
    "INSERT INTO counts(state, cause, count)"
    " SELECT state, CASE state WHEN 2 THEN outcome WHEN 3 THEN reason ELSE 0"
    "  END AS cause, count(*) FROM addresses GROUP BY 1, 2;"
    "INSERT INTO row_counts(kind, pages, rows)"
    " SELECT kind, count(*), sum(count) FROM page_rows WHERE count > 0"
    " GROUP BY kind;"
    "UPDATE crawl SET value = (SELECT count(*) FROM addresses WHERE state = 2"
    " AND (outcome NOT IN (1, 9) OR (outcome = 1 AND http_status >= 400))"
    " AND listing & 4 = 0) WHERE name = 'status.failed'";

_Static_assert(PV_OUTCOME_ANSWERED == 1 && PV_OUTCOME_NOT_ACCEPTED == 9,
    "the SQL above has these numbers");

void pv_merged_rows_count(struct pv_merged_state *state, int64_t run_count)
{
	pv_database_run(state->database, counts_sql);
	pv_note_set(state->database, PV_STR("runs"), run_count);
	pv_note_set(
	    state->database, PV_STR("key-0"), (int64_t)state->key.word[0]);
	pv_note_set(
	    state->database, PV_STR("key-1"), (int64_t)state->key.word[1]);
}
