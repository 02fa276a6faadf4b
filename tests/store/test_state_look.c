#include "store/state_look.h"

#include "store/scratch_store.h"
#include "store/tables/ledger_table.h"
#include "store/tables/length.h"
#include "store/tables/note.h"
#include "store/tables/robots_table.h"
#include "tap.h"

/* What an audit has copied is as it was, whatever the crawl does meanwhile, and
 * does not keep the crawl from anything. */

static const char rows[] =
    "INSERT INTO host_states(id, name, state) VALUES(7, 'a.test', 0), "
    "(8, 'b.test', 0);"
    "INSERT INTO ledger VALUES(7, 12, 0, 0, 0, 0, 0, 0, 0, 0, '', '');"
    "INSERT INTO authorities(name, state, asked_wall_ms, until_wall_ms, "
    "failures, failed_since_wall_ms, http_status, is_cut, text) "
    "VALUES('http://a.test', 0, 0, 0, 0, 0, 200, 0, 'old')";

static const char changes[] =
    "UPDATE ledger SET requests = 13; UPDATE crawl SET value = 2 WHERE "
    "name = 'runs'; UPDATE files SET length = 60;"
    "UPDATE authorities SET text = 'new'";

static int64_t requests_of(struct pv_database *database, struct pv_str host)
{
	struct pv_ledger_table table;
	struct pv_ledger ledger;
	pv_ledger_table_init(&table, database);
	bool is_there = pv_ledger_table_find(&table, host, &ledger);
	pv_ledger_table_finish(&table);
	return is_there ? ledger.requests : -1;
}

static void test_copy(struct pv_database *look)
{
	struct pv_saved_robots saved;
	struct pv_buf text;
	pv_buf_init(&text, 100);
	ok(pv_note_get(look, PV_STR("runs"), 0) == 1, "a note is as it was");
	ok(pv_length_get(look, PV_STR("journal.jsonl")) == 50,
	    "and so is the length of a file");
	ok(requests_of(look, PV_STR("a.test")) == 12 &&
		requests_of(look, PV_STR("b.test")) == -1,
	    "and the ledger of a host");
	ok(pv_robots_table_get(look, PV_STR("http://a.test"), &saved, &text),
	    "and robots.txt is there");
	is_text(pv_buf_str(&text), "old", "as it was");
	ok(pv_database_status(look) == PV_STORE_OK, "without a fault");
	pv_buf_finish(&text);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	struct pv_database *database = store->database;
	pv_database_run(database, rows);
	pv_note_set(database, PV_STR("runs"), 1);
	pv_length_set(database, PV_STR("journal.jsonl"), 50);
	struct pv_database *look =
	    pv_database_look(scratch_file(&scratch, "state.db"));
	pv_state_look_copy(look);
	pv_database_run(database, changes);
	pv_database_run(database, "PRAGMA busy_timeout = 0");
	ok(!pv_database_number(database, "PRAGMA wal_checkpoint(TRUNCATE)"),
	    "P5: who has a copy does not hold the log");
	test_copy(look);
	pv_database_close(look);
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
