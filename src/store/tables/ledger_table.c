#include "store/tables/ledger_table.h"

#include "store/statement.h"

/* Far more than the steps of a histogram, or the rules, can fill. */
#define TEXT_MAX ((size_t)64 * 1024)

#define READ                                                              \
	"SELECT requests, bytes, too_many, unavailable, most_at_once, "   \
	"least_gap_ms, least_reaction_ms, robots_count, robots_wall_ms, " \
	"gaps, rules FROM ledger WHERE host = "

static const char read_sql[] = READ "?1";

static const char find_sql[] =
    READ "(SELECT id FROM host_states WHERE name = ?1)";

static const char write_sql[] =
    "INSERT OR REPLACE INTO ledger(host, requests, bytes, too_many, "
    "unavailable, most_at_once, least_gap_ms, least_reaction_ms, "
    "robots_count, robots_wall_ms, gaps, rules) "
    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

void pv_ledger_table_init(
    struct pv_ledger_table *table, struct pv_database *database)
{
	table->read = pv_statement_create(database, read_sql);
	table->find = pv_statement_create(database, find_sql);
	table->write = pv_statement_create(database, write_sql);
	pv_buf_init(&table->gaps, TEXT_MAX);
	pv_buf_init(&table->rules, TEXT_MAX);
}

void pv_ledger_table_finish(struct pv_ledger_table *table)
{
	pv_statement_destroy(table->read);
	pv_statement_destroy(table->find);
	pv_statement_destroy(table->write);
	pv_buf_finish(&table->gaps);
	pv_buf_finish(&table->rules);
}

bool pv_ledger_table_is_there(struct pv_database *database)
{
	return pv_database_number(database,
		   "SELECT count(*) FROM sqlite_master WHERE name = "
		   "'ledger'") != 0;
}

static void read_row(const struct pv_statement *row, struct pv_ledger *ledger)
{
	ledger->requests = pv_statement_number(row, 0);
	ledger->bytes = pv_statement_number(row, 1);
	ledger->too_many = pv_statement_number(row, 2);
	ledger->unavailable = pv_statement_number(row, 3);
	ledger->most_at_once = pv_statement_number(row, 4);
	ledger->least_gap_ms = pv_statement_number(row, 5);
	ledger->least_reaction_ms = pv_statement_number(row, 6);
	ledger->robots_count = pv_statement_number(row, 7);
	ledger->robots_wall_ms = pv_statement_number(row, 8);
	pv_histogram_read(&ledger->gaps, pv_statement_text(row, 9));
	pv_ledger_read_rules(ledger, pv_statement_text(row, 10));
}

static bool read(struct pv_statement *statement, struct pv_ledger *ledger)
{
	pv_ledger_init(ledger);
	bool is_there = pv_statement_step(statement);
	if (is_there)
		read_row(statement, ledger);
	pv_statement_reset(statement);
	return is_there;
}

bool pv_ledger_table_get(const struct pv_ledger_table *table, uint64_t host_id,
    struct pv_ledger *ledger)
{
	pv_statement_bind(table->read, 1, (int64_t)host_id);
	return read(table->read, ledger);
}

bool pv_ledger_table_find(const struct pv_ledger_table *table,
    struct pv_str host, struct pv_ledger *ledger)
{
	pv_statement_bind_text(table->find, 1, host);
	return read(table->find, ledger);
}

void pv_ledger_table_set(struct pv_ledger_table *table, uint64_t host_id,
    const struct pv_ledger *ledger)
{
	const int64_t values[] = {(int64_t)host_id, ledger->requests,
	    ledger->bytes, ledger->too_many, ledger->unavailable,
	    ledger->most_at_once, ledger->least_gap_ms,
	    ledger->least_reaction_ms, ledger->robots_count,
	    ledger->robots_wall_ms};
	int count = (int)(sizeof(values) / sizeof(*values));
	pv_buf_clear(&table->gaps);
	pv_buf_clear(&table->rules);
	pv_histogram_write(&ledger->gaps, &table->gaps);
	pv_ledger_write_rules(ledger, &table->rules);
	for (int i = 0; i < count; i++)
		pv_statement_bind(table->write, i + 1, values[i]);
	pv_statement_bind_text(
	    table->write, count + 1, pv_buf_str(&table->gaps));
	pv_statement_bind_text(
	    table->write, count + 2, pv_buf_str(&table->rules));
	pv_statement_run(table->write);
}

/* All of them together */

uint64_t pv_ledger_table_count(
    struct pv_database *database, uint64_t max, uint64_t *bytes)
{
	uint64_t count = 0;
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT count(*), total(bytes) FROM (SELECT bytes FROM ledger "
	    "LIMIT ?1)");
	pv_statement_bind(row, 1, (int64_t)max);
	if (pv_statement_step(row)) {
		count = (uint64_t)pv_statement_number(row, 0);
		*bytes = (uint64_t)pv_statement_number(row, 1);
	}
	pv_statement_destroy(row);
	return count;
}

void pv_ledger_table_largest(struct pv_database *database, uint64_t seen_max,
    uint64_t max, pv_asked_host_fn on_host, void *ctx)
{
	struct pv_statement *row = pv_statement_create(database,
	    "SELECT id, name, asked.bytes, requests, pages FROM "
	    "(SELECT * FROM (SELECT host, requests, bytes FROM ledger LIMIT "
	    "?1) ORDER BY bytes DESC, requests DESC, host LIMIT ?2) AS asked "
	    "JOIN host_states ON id = host "
	    "ORDER BY asked.bytes DESC, requests DESC, host");
	pv_statement_bind(row, 1, (int64_t)seen_max);
	pv_statement_bind(row, 2, (int64_t)max);
	while (pv_statement_step(row)) {
		struct pv_asked_host host = {
		    .id = (uint64_t)pv_statement_number(row, 0),
		    .name = pv_statement_text(row, 1),
		    .bytes = (uint64_t)pv_statement_number(row, 2),
		    .requests = (uint64_t)pv_statement_number(row, 3),
		    .pages = (uint64_t)pv_statement_number(row, 4),
		};
		on_host(ctx, &host);
	}
	pv_statement_destroy(row);
}
