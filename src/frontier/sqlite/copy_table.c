#include "frontier/sqlite/copy_table.h"

#include "store/statement.h"

#define HOUR_MS ((int64_t)3600000)
#define DAY_MS (24 * HOUR_MS)

/* From the first place on earth where it is that day to the last. */
#define DAY_EVERYWHERE_MS (50 * HOUR_MS)

enum { GET, SET, MUST_BE_READ, LEAVE, LEAVE_OTHER, COME_BACK, LISTED };

static const char *const sql[PV_COPY_STATEMENTS] = {
    [GET] = "SELECT round, fetched_wall_ms, checked_wall_ms, listed_round, "
	    "modified_ms, is_gone, has_failed, must_be_read, heard_status, "
	    "(SELECT lastmod_wall_ms FROM addresses WHERE id = ?1), digest, "
	    "entity_tag, file, body_type, body_bytes FROM copies "
	    "WHERE address = ?1",
    [SET] =
	"INSERT OR REPLACE INTO copies(address, round, fetched_wall_ms, "
	"checked_wall_ms, listed_round, modified_ms, is_gone, "
	"has_failed, must_be_read, heard_status, digest, entity_tag, "
	"file, body_type, body_bytes) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
	"?10, ?11, ?12, ?13, ?14, ?15)",
    [MUST_BE_READ] = "UPDATE copies SET must_be_read = 1 WHERE address = ?1",
    [LEAVE] = "INSERT OR REPLACE INTO left_files(file, address) SELECT file, "
	      "address FROM copies WHERE address = ?1 AND file >= 'site/' AND "
	      "file < 'site0' AND file <> ?2",
    [LEAVE_OTHER] =
	"INSERT OR REPLACE INTO left_files(file, address) SELECT ?2, ?1 "
	"WHERE ?2 >= 'site/' AND ?2 < 'site0' AND NOT EXISTS(SELECT 1 "
	"FROM copies WHERE address = ?1 AND file = ?2)",
    [COME_BACK] = "DELETE FROM left_files WHERE file = ?1",
    [LISTED] = "UPDATE copies SET listed_round = ?2 WHERE address = ?1",
};

void pv_copy_table_init(
    struct pv_copy_table *table, struct pv_database *database)
{
	*table = (struct pv_copy_table){.database = database};
	pv_buf_init(&table->texts, SIZE_MAX);
	pv_statements_create(
	    table->statements, database, sql, PV_COPY_STATEMENTS);
}

void pv_copy_table_finish(struct pv_copy_table *table)
{
	pv_statements_destroy(table->statements, PV_COPY_STATEMENTS);
	pv_buf_finish(&table->texts);
}

bool pv_copy_row_is_as_listed(const struct pv_copy_row *row, uint64_t round)
{
	const struct pv_copy *copy = &row->copy;
	int64_t lastmod = row->lastmod_wall_ms;
	int64_t end =
	    lastmod % DAY_MS ? lastmod + HOUR_MS : lastmod + DAY_EVERYWHERE_MS;
	return row->listed_round == round && lastmod > 0 &&
	       end <= row->checked_wall_ms && copy->is_there &&
	       !copy->is_gone && !copy->must_be_read;
}

/* Of another length it is none. */
static bool read_digest(struct pv_str bytes, struct pv_copy *copy)
{
	if (bytes.len != sizeof(copy->digest))
		return false;
	memcpy(copy->digest, bytes.ptr, bytes.len);
	return true;
}

static void read_texts(struct pv_copy_table *table,
    const struct pv_statement *row, struct pv_copy *copy)
{
	struct pv_buf *texts = &table->texts;
	struct pv_str entity_tag = pv_statement_text(row, 11);
	struct pv_str type = pv_statement_text(row, 13);
	struct pv_str file = pv_statement_text(row, 12);
	pv_buf_clear(texts);
	pv_buf_append(texts, entity_tag);
	pv_buf_append(texts, type);
	pv_buf_append(texts, file);
	struct pv_str rest = pv_str_from(pv_buf_str(texts), entity_tag.len);
	copy->entity_tag = pv_str_head(pv_buf_str(texts), entity_tag.len);
	copy->type = pv_str_head(rest, type.len);
	copy->file = pv_str_from(rest, type.len);
}

bool pv_copy_table_get(
    struct pv_copy_table *table, uint64_t address, struct pv_copy_row *row)
{
	struct pv_statement *statement = table->statements[GET];
	pv_statement_bind(statement, 1, (int64_t)address);
	bool is_there = pv_statement_step(statement);
	if (is_there) {
		*row = (struct pv_copy_row){
		    .round = (uint64_t)pv_statement_number(statement, 0),
		    .fetched_wall_ms = pv_statement_number(statement, 1),
		    .checked_wall_ms = pv_statement_number(statement, 2),
		    .listed_round = (uint64_t)pv_statement_number(statement, 3),
		    .copy.modified_ms = pv_statement_number(statement, 4),
		    .copy.is_gone = pv_statement_number(statement, 5) != 0,
		    .has_failed = pv_statement_number(statement, 6) != 0,
		    .copy.must_be_read = pv_statement_number(statement, 7) != 0,
		    .heard_status = (uint16_t)pv_statement_number(statement, 8),
		    .lastmod_wall_ms = pv_statement_number(statement, 9),
		    .copy.bytes = (uint64_t)pv_statement_number(statement, 14),
		};
		row->copy.has_digest =
		    read_digest(pv_statement_text(statement, 10), &row->copy);
		read_texts(table, statement, &row->copy);
	}
	pv_statement_reset(statement);
	return is_there;
}

static void bind_text(
    struct pv_statement *statement, int parameter, struct pv_str text)
{
	if (text.len)
		pv_statement_bind_text(statement, parameter, text);
	else
		pv_statement_bind_null(statement, parameter);
}

void pv_copy_table_leave_file(
    struct pv_copy_table *table, uint64_t address, struct pv_str file)
{
	struct pv_statement *leave = table->statements[LEAVE];
	struct pv_statement *come_back = table->statements[COME_BACK];
	pv_statement_bind(leave, 1, (int64_t)address);
	pv_statement_bind_text(leave, 2, file);
	pv_statement_run(leave);
	pv_statement_bind_text(come_back, 1, file);
	pv_statement_run(come_back);
}

void pv_copy_table_leave_other(
    struct pv_copy_table *table, uint64_t address, struct pv_str file)
{
	struct pv_statement *leave = table->statements[LEAVE_OTHER];
	pv_statement_bind(leave, 1, (int64_t)address);
	pv_statement_bind_text(leave, 2, file);
	pv_statement_run(leave);
}

void pv_copy_table_set(struct pv_copy_table *table, uint64_t address,
    const struct pv_copy_row *row)
{
	struct pv_statement *statement = table->statements[SET];
	const struct pv_copy *copy = &row->copy;
	const int64_t values[] = {(int64_t)address, (int64_t)row->round,
	    row->fetched_wall_ms, row->checked_wall_ms,
	    (int64_t)row->listed_round, copy->modified_ms, copy->is_gone,
	    row->has_failed, copy->must_be_read, row->heard_status};
	const struct pv_str digest = {
	    (const char *)copy->digest, sizeof(copy->digest)};
	for (int i = 0; i < (int)(sizeof(values) / sizeof(*values)); i++)
		pv_statement_bind(statement, i + 1, values[i]);
	if (copy->has_digest)
		pv_statement_bind_bytes(statement, 11, digest);
	else
		pv_statement_bind_null(statement, 11);
	bind_text(statement, 12, copy->entity_tag);
	bind_text(statement, 13, copy->file);
	bind_text(statement, 14, copy->type);
	pv_statement_bind(statement, 15, (int64_t)copy->bytes);
	pv_statement_run(statement);
}

void pv_copy_table_set_must_be_read(
    struct pv_copy_table *table, uint64_t address)
{
	struct pv_statement *statement = table->statements[MUST_BE_READ];
	pv_statement_bind(statement, 1, (int64_t)address);
	pv_statement_run(statement);
}

void pv_copy_table_set_listed(
    struct pv_copy_table *table, uint64_t address, uint64_t round)
{
	struct pv_statement *statement = table->statements[LISTED];
	pv_statement_bind(statement, 1, (int64_t)address);
	pv_statement_bind(statement, 2, (int64_t)round);
	pv_statement_run(statement);
}
