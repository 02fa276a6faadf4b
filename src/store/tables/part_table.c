#include "store/tables/part_table.h"

#include "store/statement.h"

enum { GET, HAS, SET, REMOVE };

static const char *const sql[PV_PART_STATEMENTS] = {
    [GET] = "SELECT size, complete, gains, digest, validator, headers "
	    "FROM parts WHERE address = ?1",
    [HAS] = "SELECT 1 FROM parts WHERE address = ?1",
    [SET] = "INSERT OR REPLACE INTO parts(address, size, complete, gains, "
	    "digest, validator, headers) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [REMOVE] = "DELETE FROM parts WHERE address = ?1",
};

void pv_part_table_init(
    struct pv_part_table *table, struct pv_database *database)
{
	*table = (struct pv_part_table){
	    .database = database,
	    .has_any = pv_database_number(
			   database, "SELECT EXISTS(SELECT 1 FROM parts)") != 0,
	};
	pv_buf_init(&table->texts, SIZE_MAX);
	pv_statements_create(
	    table->statements, database, sql, PV_PART_STATEMENTS);
}

void pv_part_table_finish(struct pv_part_table *table)
{
	pv_statements_destroy(table->statements, PV_PART_STATEMENTS);
	pv_buf_finish(&table->texts);
}

/* What makes no sense is none: then all of it is asked for. */
static bool read_part(struct pv_part_table *table,
    const struct pv_statement *row, struct pv_part *part)
{
	struct pv_buf *texts = &table->texts;
	struct pv_str digest = pv_statement_text(row, 3);
	struct pv_str validator = pv_statement_text(row, 4);
	*part = (struct pv_part){
	    .size = (uint64_t)pv_statement_number(row, 0),
	    .complete = (uint64_t)pv_statement_number(row, 1),
	    .gains = (uint32_t)pv_statement_number(row, 2),
	};
	if (digest.len != sizeof(part->digest) || !validator.len ||
	    part->size >= part->complete)
		return false;
	memcpy(part->digest, digest.ptr, digest.len);
	pv_buf_clear(texts);
	pv_buf_append(texts, validator);
	pv_buf_append(texts, pv_statement_text(row, 5));
	part->validator = pv_str_head(pv_buf_str(texts), validator.len);
	part->headers = pv_str_from(pv_buf_str(texts), validator.len);
	return true;
}

bool pv_part_table_get(
    struct pv_part_table *table, uint64_t address, struct pv_part *part)
{
	struct pv_statement *statement = table->statements[GET];
	if (!table->has_any)
		return false;
	pv_statement_bind(statement, 1, (int64_t)address);
	bool is_there =
	    pv_statement_step(statement) && read_part(table, statement, part);
	pv_statement_reset(statement);
	return is_there;
}

bool pv_part_table_has(struct pv_part_table *table, uint64_t address)
{
	struct pv_statement *has = table->statements[HAS];
	pv_statement_bind(has, 1, (int64_t)address);
	bool is_there = pv_statement_step(has);
	pv_statement_reset(has);
	return is_there;
}

struct pv_part_sums pv_part_table_sums(struct pv_database *database)
{
	return (struct pv_part_sums){
	    .count = (uint64_t)pv_database_number(
		database, "SELECT count(*) FROM parts"),
	    .bytes = (uint64_t)pv_database_number(
		database, "SELECT sum(size) FROM parts"),
	};
}

void pv_part_table_set(
    struct pv_part_table *table, uint64_t address, const struct pv_part *part)
{
	struct pv_statement *statement = table->statements[SET];
	const int64_t values[] = {(int64_t)address, (int64_t)part->size,
	    (int64_t)part->complete, part->gains};
	const struct pv_str digest = {
	    (const char *)part->digest, sizeof(part->digest)};
	for (int i = 0; i < (int)(sizeof(values) / sizeof(*values)); i++)
		pv_statement_bind(statement, i + 1, values[i]);
	pv_statement_bind_bytes(statement, 5, digest);
	pv_statement_bind_text(statement, 6, part->validator);
	pv_statement_bind_text(statement, 7, part->headers);
	pv_statement_run(statement);
	table->has_any = true;
}

void pv_part_table_remove(struct pv_part_table *table, uint64_t address)
{
	if (!table->has_any)
		return;
	pv_statement_bind(table->statements[REMOVE], 1, (int64_t)address);
	pv_statement_run(table->statements[REMOVE]);
}

void pv_part_table_clear(struct pv_part_table *table)
{
	pv_database_run(table->database, "DELETE FROM parts");
	table->has_any = false;
}
