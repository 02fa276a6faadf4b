#include "store/tables/file_moves.h"

#include "store/statement.h"

#define IN_SITE "copies.file >= 'site/' AND copies.file < 'site0'"

/* As far as was heard of them last: it was nothing else since. */
#define IS_GONE "(is_gone AND NOT has_failed)"

/* A crawl that never heard of anything gone need not be looked through. */
bool pv_file_moves_have_gone(struct pv_database *database)
{
	return pv_database_number(database,
		   "SELECT EXISTS(SELECT 1 FROM rounds WHERE gone > 0)") != 0;
}

void pv_file_moves_count(
    struct pv_database *database, uint64_t *files, uint64_t *going)
{
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT count(*), total" IS_GONE " FROM copies WHERE " IN_SITE);
	if (pv_statement_step(row)) {
		*files = (uint64_t)pv_statement_number(row, 0);
		*going = (uint64_t)pv_statement_number(row, 1);
	}
	pv_statement_destroy(row);
}

/* Addresses that differ in credentials alone share a file: those files which
 * one still has that is there, found once and for all steps. */
static const char staying_sql[] =
    "CREATE TEMP TABLE staying_files(file TEXT PRIMARY KEY) WITHOUT ROWID;"
    "INSERT OR IGNORE INTO staying_files SELECT file FROM copies WHERE NOT " IS_GONE
    " AND file IN (SELECT file FROM copies WHERE " IS_GONE " AND " IN_SITE ")";

/* Files of a step, between two of which it may be cut. */
static const char step_sql[] =
    "SELECT max(address), total(length(file)) FROM (SELECT address, file FROM copies WHERE address > ?1 "
    "AND " IS_GONE " AND " IN_SITE " ORDER BY address LIMIT 1000)";

static const char plan_sql[] =
    "INSERT OR REPLACE INTO gone_files(address, file) "
    "SELECT address, 'gone/' || substr(file, 6) FROM copies "
    "WHERE address > ?1 AND address <= ?2 AND " IS_GONE " AND " IN_SITE
    " AND file NOT IN (SELECT file FROM staying_files)";

/* The last address of the step behind that one, with how long the names of its
 * files are together; 0 if there is none. */
static int64_t step_from(
    struct pv_statement *step, int64_t after, size_t *bytes)
{
	pv_statement_bind(step, 1, after);
	int64_t to = 0;
	if (pv_statement_step(step)) {
		to = pv_statement_number(step, 0);
		*bytes = (size_t)pv_statement_number(step, 1);
	}
	pv_statement_reset(step);
	return to;
}

void pv_file_moves_plan(struct pv_writer *writer)
{
	struct pv_database *database = writer->database;
	pv_database_run(database, staying_sql);
	struct pv_statement *step = pv_statement_create(database, step_sql);
	struct pv_statement *plan = pv_statement_create(database, plan_sql);
	int64_t after = 0, to;
	size_t bytes = 0;
	while ((to = step_from(step, after, &bytes))) {
		pv_statement_bind(plan, 1, after);
		pv_statement_bind(plan, 2, to);
		size_t rows = (size_t)pv_statement_run(plan);
		pv_writer_cut_bytes(writer, rows, bytes);
		after = to;
	}
	pv_statement_destroy(step);
	pv_statement_destroy(plan);
	pv_database_run(database, "DROP TABLE staying_files");
}

bool pv_file_moves_are_planned(struct pv_database *database)
{
	return pv_database_number(
		   database, "SELECT EXISTS(SELECT 1 FROM gone_files)") != 0;
}

static const char going_sql[] =
    "SELECT address, copies.file, gone_files.file, NOT has_failed FROM "
    "gone_files JOIN copies USING(address) WHERE address > ?1 AND is_gone "
    "AND " IN_SITE " ORDER BY address LIMIT ?2";

static const char back_sql[] =
    "SELECT address, copies.file, gone_files.file, 0 FROM gone_files JOIN "
    "copies USING(address) WHERE address > ?1 AND NOT is_gone AND " IN_SITE
    " AND gone_files.file NOT IN (SELECT gone_files.file FROM gone_files JOIN "
    "copies USING(address) WHERE is_gone) ORDER BY address LIMIT ?2";

void pv_file_moves_each(struct pv_database *database,
    const struct pv_file_step *step, pv_file_move_fn on_move, void *ctx)
{
	struct pv_statement *row =
	    pv_statement_create(database, step->is_back ? back_sql : going_sql);
	pv_statement_bind(row, 1, step->after);
	pv_statement_bind(row, 2, step->max);
	while (pv_statement_step(row)) {
		struct pv_file_move move = {
		    .address = pv_statement_number(row, 0),
		    .from = pv_statement_text(row, 1),
		    .to = pv_statement_text(row, 2),
		    .may_go = pv_statement_number(row, 3) != 0,
		};
		on_move(ctx, &move);
	}
	pv_statement_destroy(row);
}

void pv_file_moves_set_file(
    struct pv_database *database, int64_t address, struct pv_str file)
{
	struct pv_statement *set = pv_statement_create(
	    database, "UPDATE copies SET file = ?2 WHERE address = ?1");
	pv_statement_bind(set, 1, address);
	if (file.len)
		pv_statement_bind_text(set, 2, file);
	else
		pv_statement_bind_null(set, 2);
	pv_statement_run(set);
	pv_statement_destroy(set);
}

static void run_for(
    struct pv_database *database, const char *sql, int64_t address)
{
	struct pv_statement *statement = pv_statement_create(database, sql);
	pv_statement_bind(statement, 1, address);
	pv_statement_run(statement);
	pv_statement_destroy(statement);
}

void pv_file_moves_forget(struct pv_database *database, int64_t address)
{
	run_for(database, "DELETE FROM gone_files WHERE address = ?1", address);
}

void pv_file_moves_share(
    struct pv_database *database, int64_t address, struct pv_str file)
{
	run_for(database,
	    "INSERT OR REPLACE INTO left_files(file, address) "
	    "SELECT file, address FROM copies WHERE address = ?1",
	    address);
	pv_file_moves_set_file(database, address, file);
}

void pv_file_moves_take_back(
    struct pv_database *database, int64_t address, struct pv_str file)
{
	pv_file_moves_set_file(database, address, file);
	pv_file_moves_forget_left(database, file);
}

void pv_file_moves_read_anew(struct pv_database *database, int64_t address)
{
	run_for(database,
	    "UPDATE copies SET must_be_read = 1 WHERE address = ?1", address);
}

void pv_file_moves_keep_shared(struct pv_database *database)
{
	pv_database_run(database,
	    "DELETE FROM left_files WHERE file IN (SELECT file FROM copies "
	    "WHERE file IN (SELECT file FROM left_files))");
}

bool pv_file_moves_next_left(struct pv_database *database, struct pv_buf *file)
{
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT file FROM left_files WHERE file > ?1 ORDER BY file LIMIT "
	    "1");
	struct pv_buf last;
	pv_buf_init(&last, SIZE_MAX);
	pv_buf_append(&last, pv_buf_str(file));
	pv_statement_bind_text(row, 1, pv_buf_str(&last));
	bool is_there = pv_statement_step(row);
	pv_buf_clear(file);
	if (is_there)
		pv_buf_append(file, pv_statement_text(row, 0));
	pv_statement_destroy(row);
	pv_buf_finish(&last);
	return is_there;
}

void pv_file_moves_forget_left(struct pv_database *database, struct pv_str file)
{
	struct pv_statement *forget = pv_statement_create(
	    database, "DELETE FROM left_files WHERE file = ?1");
	pv_statement_bind_text(forget, 1, file);
	pv_statement_run(forget);
	pv_statement_destroy(forget);
}
