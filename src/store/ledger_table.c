#include "store/ledger_table.h"

#include "store/statement.h"

/* Far more than the steps of a histogram, or the rules, can fill. */
#define TEXT_MAX ((size_t)64 * 1024)

static const char read_sql[] =
    "SELECT requests, bytes, too_many, unavailable, most_at_once, "
    "least_gap_ms, least_reaction_ms, robots_count, robots_wall_ms, gaps, "
    "rules FROM ledger WHERE host = ?1";

static const char write_sql[] =
    "INSERT OR REPLACE INTO ledger(host, requests, bytes, too_many, "
    "unavailable, most_at_once, least_gap_ms, least_reaction_ms, "
    "robots_count, robots_wall_ms, gaps, rules) "
    "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

void pv_ledger_table_init(
    struct pv_ledger_table *table, struct pv_database *database)
{
	table->read = pv_statement_create(database, read_sql);
	table->write = pv_statement_create(database, write_sql);
	pv_buf_init(&table->gaps, TEXT_MAX);
	pv_buf_init(&table->rules, TEXT_MAX);
}

void pv_ledger_table_finish(struct pv_ledger_table *table)
{
	pv_statement_destroy(table->read);
	pv_statement_destroy(table->write);
	pv_buf_finish(&table->gaps);
	pv_buf_finish(&table->rules);
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

bool pv_ledger_table_get(const struct pv_ledger_table *table, uint64_t host_id,
    struct pv_ledger *ledger)
{
	pv_ledger_init(ledger);
	pv_statement_bind(table->read, 1, (int64_t)host_id);
	bool is_there = pv_statement_step(table->read);
	if (is_there)
		read_row(table->read, ledger);
	pv_statement_reset(table->read);
	return is_there;
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
