#include "store/service/fetch_rows.h"

#include "store/statement.h"

enum { SET, REMOVE, EACH, SUM, GET_OFFSET, SET_OFFSET };

static const char *const sql[PV_FETCH_ROWS_STATEMENTS] = {
    [SET] = "INSERT OR REPLACE INTO rows (profile, url, file, item, line) "
	    "VALUES (?1, ?2, ?3, ?4, ?5)",
    [REMOVE] = "DELETE FROM rows WHERE profile = ?1 AND url = ?2 AND file = ?3 "
	       "AND item = ?4",
    [EACH] = "SELECT line FROM rows WHERE profile = ?1 AND url = ?2 "
	     "ORDER BY file, item",
    [SUM] = "SELECT count(*), sum(length(CAST(line AS BLOB))) FROM rows "
	    "WHERE profile = ?1 AND url = ?2",
    [GET_OFFSET] =
	"SELECT offset FROM row_files WHERE profile = ?1 AND file = ?2",
    [SET_OFFSET] = "INSERT OR REPLACE INTO row_files (profile, file, offset) "
		   "VALUES (?1, ?2, ?3)",
};

void pv_fetch_rows_init(
    struct pv_fetch_rows *rows, struct pv_database *database)
{
	pv_statements_create(
	    rows->statements, database, sql, PV_FETCH_ROWS_STATEMENTS);
}

void pv_fetch_rows_finish(struct pv_fetch_rows *rows)
{
	pv_statements_destroy(rows->statements, PV_FETCH_ROWS_STATEMENTS);
}

static struct pv_statement *bind_page(const struct pv_fetch_rows *rows,
    int number, struct pv_str profile, struct pv_str url)
{
	struct pv_statement *statement = rows->statements[number];
	pv_statement_bind_text(statement, 1, profile);
	pv_statement_bind_text(statement, 2, url);
	return statement;
}

void pv_fetch_rows_set(
    const struct pv_fetch_rows *rows, const struct pv_fetch_row *row)
{
	struct pv_statement *statement =
	    bind_page(rows, SET, row->profile, row->url);
	pv_statement_bind_text(statement, 3, row->file);
	pv_statement_bind(statement, 4, row->item);
	pv_statement_bind_text(statement, 5, row->line);
	pv_statement_run(statement);
}

void pv_fetch_rows_remove(
    const struct pv_fetch_rows *rows, const struct pv_fetch_row *row)
{
	struct pv_statement *statement =
	    bind_page(rows, REMOVE, row->profile, row->url);
	pv_statement_bind_text(statement, 3, row->file);
	pv_statement_bind(statement, 4, row->item);
	pv_statement_run(statement);
}

static void write_array(struct pv_statement *statement, struct pv_buf *json)
{
	bool is_first = true;
	pv_buf_append_char(json, '[');
	while (pv_statement_step(statement)) {
		pv_buf_append_text(json, is_first ? "" : ",");
		pv_buf_append(json, pv_statement_text(statement, 0));
		is_first = false;
	}
	pv_buf_append_char(json, ']');
}

void pv_fetch_rows_write(const struct pv_fetch_rows *rows,
    struct pv_str profile, struct pv_str url, size_t most, struct pv_buf *json)
{
	struct pv_statement *sum = bind_page(rows, SUM, profile, url);
	int64_t count = 0, bytes = 0;
	if (pv_statement_step(sum)) {
		count = pv_statement_number(sum, 0);
		bytes = pv_statement_number(sum, 1);
	}
	pv_statement_reset(sum);
	if (!count)
		return;
	if (bytes + count + 1 > (int64_t)most)
		pv_buf_append_format(json, "{\"count\":%lld,\"bytes\":%lld}",
		    (long long)count, (long long)bytes);
	else
		write_array(bind_page(rows, EACH, profile, url), json);
}

void pv_fetch_rows_write_lines(const struct pv_fetch_rows *rows,
    struct pv_str profile, struct pv_str url, struct pv_buf *lines)
{
	struct pv_statement *statement = bind_page(rows, EACH, profile, url);
	while (pv_statement_step(statement)) {
		pv_buf_append(lines, pv_statement_text(statement, 0));
		pv_buf_append_char(lines, '\n');
	}
}

uint64_t pv_fetch_rows_get_offset(
    const struct pv_fetch_rows *rows, struct pv_str profile, struct pv_str file)
{
	struct pv_statement *statement =
	    bind_page(rows, GET_OFFSET, profile, file);
	uint64_t offset = pv_statement_step(statement)
			      ? (uint64_t)pv_statement_number(statement, 0)
			      : 0;
	pv_statement_reset(statement);
	return offset;
}

void pv_fetch_rows_set_offset(const struct pv_fetch_rows *rows,
    struct pv_str profile, struct pv_str file, uint64_t offset)
{
	struct pv_statement *statement =
	    bind_page(rows, SET_OFFSET, profile, file);
	pv_statement_bind(statement, 3, (int64_t)offset);
	pv_statement_run(statement);
}
