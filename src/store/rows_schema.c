#include "store/rows_schema.h"

#include "store/statement.h"

void pv_rows_schema_quote(const char *name, struct pv_buf *sql)
{
	pv_buf_append_char(sql, '"');
	for (size_t i = 0; name[i]; i++) {
		if (name[i] == '"')
			pv_buf_append_char(sql, '"');
		pv_buf_append_char(sql, name[i]);
	}
	pv_buf_append_char(sql, '"');
}

/* Plain, of the two parts. */
static void write_name(const struct pv_rows_table *table, const char *before,
    const char *between, struct pv_buf *name)
{
	pv_buf_init(name, SIZE_MAX);
	pv_buf_append_format(name, "%s%s", before, table->name);
	if (table->part)
		pv_buf_append_format(name, "%s%s", between, table->part);
}

static void quote(const struct pv_rows_table *table, const char *before,
    const char *between, struct pv_buf *sql)
{
	struct pv_buf name;
	write_name(table, before, between, &name);
	pv_rows_schema_quote(pv_buf_text(&name), sql);
	pv_buf_finish(&name);
}

void pv_rows_schema_name(const struct pv_rows_table *table, struct pv_buf *sql)
{
	quote(table, "rows.", ".", sql);
}

/* Names */

static bool are_alike(
    const struct pv_rows_table *a, const struct pv_rows_table *b)
{
	struct pv_buf one, other;
	write_name(a, "", "_", &one);
	write_name(b, "", "_", &other);
	bool are = pv_str_equal_nocase(pv_buf_str(&one), pv_buf_str(&other));
	pv_buf_finish(&one);
	pv_buf_finish(&other);
	return are;
}

static bool is_reserved(const struct pv_rows_table *table)
{
	struct pv_str name = pv_str_of(table->name);
	struct pv_str own = PV_STR("sqlite_");
	return name.len >= own.len &&
	       pv_str_equal_nocase(pv_str_head(name, own.len), own);
}

static bool are_columns_alike(
    const struct pv_rows_table *table, struct pv_str *name)
{
	for (size_t i = 0; i < table->count; i++) {
		*name = pv_str_of(table->columns[i].name);
		for (size_t j = 0; j < i; j++)
			if (pv_str_equal_nocase(
				*name, pv_str_of(table->columns[j].name)))
				return true;
	}
	return false;
}

static bool check_one(const char *path, const struct pv_rows_table *tables,
    size_t number, struct pv_why *why)
{
	const struct pv_rows_table *table = &tables[number];
	struct pv_place place = {.file = path};
	struct pv_str column;
	if (is_reserved(table)) {
		pv_why_add(why, place, PV_STR(""),
		    "cannot have a table named %s, which SQLite keeps for "
		    "itself: rename the kind of pages",
		    table->name);
		return false;
	}
	if (are_columns_alike(table, &column)) {
		pv_why_add(why, place, PV_STR(""),
		    "cannot have two columns named %.*s in the table %s "
		    "(SQLite does not tell capitals from small letters): "
		    "rename one of the fields",
		    PV_STR_ARG(column), table->name);
		return false;
	}
	for (size_t i = 0; i < number; i++) {
		if (!are_alike(table, &tables[i]))
			continue;
		pv_why_add(why, place, PV_STR(""),
		    "cannot have two tables named %s%s%s (SQLite does not "
		    "tell capitals from small letters): rename the kind of "
		    "pages, or the field",
		    table->name, table->part ? "_" : "",
		    table->part ? table->part : "");
		return false;
	}
	return true;
}

bool pv_rows_schema_check(const char *path, const struct pv_rows_table *tables,
    size_t count, struct pv_why *why)
{
	for (size_t i = 0; i < count; i++)
		if (!check_one(path, tables, i, why))
			return false;
	return true;
}

/* Tables */

static void run(struct pv_database *database, struct pv_buf *sql)
{
	pv_database_run(database, pv_buf_text(sql));
	pv_buf_clear(sql);
}

static void add_column(const struct pv_rows_column *column, struct pv_buf *sql)
{
	static const char *const types[] = {
	    [PV_ROWS_TEXT] = " TEXT",
	    [PV_ROWS_REAL] = " REAL",
	    [PV_ROWS_ANY] = "",
	};
	pv_rows_schema_quote(column->name, sql);
	pv_buf_append_text(sql, types[column->type]);
}

static void make_table(struct pv_database *database,
    const struct pv_rows_table *table, struct pv_buf *sql)
{
	pv_buf_append_text(sql, "CREATE TABLE IF NOT EXISTS ");
	pv_rows_schema_name(table, sql);
	pv_buf_append_text(sql,
	    "(_id INTEGER PRIMARY KEY, _page INTEGER NOT NULL, "
	    "_from INTEGER NOT NULL, _until INTEGER");
	for (size_t i = 0; i < table->count; i++) {
		pv_buf_append_text(sql, ", ");
		add_column(&table->columns[i], sql);
	}
	pv_buf_append_text(sql, ")");
	run(database, sql);
}

/* By which rows are found that end, and that have ended. */
static void make_indices(struct pv_database *database,
    const struct pv_rows_table *table, struct pv_buf *sql)
{
	pv_buf_append_text(sql, "CREATE INDEX IF NOT EXISTS ");
	quote(table, "pages.", ".", sql);
	pv_buf_append_text(sql, " ON ");
	pv_rows_schema_name(table, sql);
	pv_buf_append_text(sql, "(_page) WHERE _until IS NULL");
	run(database, sql);
	pv_buf_append_text(sql, "CREATE INDEX IF NOT EXISTS ");
	quote(table, "ended.", ".", sql);
	pv_buf_append_text(sql, " ON ");
	pv_rows_schema_name(table, sql);
	pv_buf_append_text(sql, "(_until) WHERE _until IS NOT NULL");
	run(database, sql);
}

static bool has_column(
    struct pv_database *database, const char *table, const char *column)
{
	struct pv_statement *select =
	    pv_statement_create(database, "SELECT 1 FROM pragma_table_info(?1) "
					  "WHERE name = ?2 COLLATE NOCASE");
	pv_statement_bind_text(select, 1, pv_str_of(table));
	pv_statement_bind_text(select, 2, pv_str_of(column));
	bool is_there = pv_statement_step(select);
	pv_statement_destroy(select);
	return is_there;
}

static void add_new_columns(struct pv_database *database,
    const struct pv_rows_table *table, struct pv_buf *sql)
{
	struct pv_buf name;
	write_name(table, "rows.", ".", &name);
	for (size_t i = 0; i < table->count; i++) {
		if (has_column(
			database, pv_buf_text(&name), table->columns[i].name))
			continue;
		pv_buf_append_text(sql, "ALTER TABLE ");
		pv_rows_schema_name(table, sql);
		pv_buf_append_text(sql, " ADD COLUMN ");
		add_column(&table->columns[i], sql);
		run(database, sql);
	}
	pv_buf_finish(&name);
}

/* It is made anew, since its columns may be others. */
static void make_view(struct pv_database *database,
    const struct pv_rows_table *table, struct pv_buf *sql)
{
	pv_buf_append_text(sql, "DROP VIEW IF EXISTS ");
	quote(table, "", "_", sql);
	run(database, sql);
	pv_buf_append_text(sql, "CREATE VIEW ");
	quote(table, "", "_", sql);
	pv_buf_append_text(sql, " AS SELECT ");
	for (size_t i = 0; i < table->count; i++) {
		if (i)
			pv_buf_append_text(sql, ", ");
		pv_rows_schema_quote(table->columns[i].name, sql);
	}
	pv_buf_append_text(sql, " FROM ");
	pv_rows_schema_name(table, sql);
	pv_buf_append_text(sql, " WHERE _until IS NULL");
	run(database, sql);
}

void pv_rows_schema_apply(
    struct pv_database *database, const struct pv_rows_table *table)
{
	struct pv_buf sql;
	pv_buf_init(&sql, SIZE_MAX);
	make_table(database, table, &sql);
	make_indices(database, table, &sql);
	add_new_columns(database, table, &sql);
	make_view(database, table, &sql);
	pv_buf_finish(&sql);
}
