#include "store/tables/pause_notes.h"

#include "store/scratch_store.h"
#include "store/tables/note.h"
#include "tap.h"

static void note(struct pv_database *database, int64_t run, const char *host)
{
	struct pv_orders pauses;
	struct pv_buf text;
	pv_orders_init(&pauses);
	pv_buf_init(&text, SIZE_MAX);
	if (host) {
		pv_orders_pause(&pauses, pv_str_of(host), 5, INT64_MAX);
		pv_orders_say_why(&pauses, pv_str_of(host), PV_STR("it moves"));
	}
	pv_orders_write(&pauses, &text);
	pv_pause_notes_set(database, run, pv_buf_str(&text));
	pv_buf_finish(&text);
	pv_orders_finish(&pauses);
}

static size_t count(struct pv_database *database)
{
	struct pv_orders pauses;
	pv_orders_init(&pauses);
	pv_pause_notes_get(database, &pauses);
	size_t found = pauses.count;
	pv_orders_finish(&pauses);
	return found;
}

static void test_there_and_back(struct pv_database *database)
{
	struct pv_orders pauses;
	pv_orders_init(&pauses);
	ok(count(database) == 0, "where nothing was noted, nothing is paused");
	pv_note_set(database, PV_STR("runs"), 3);
	note(database, 3, "docs.example.org");
	pv_pause_notes_get(database, &pauses);
	ok(pauses.count == 1 && pauses.pauses[0].since_wall_ms == 5 &&
		pauses.pauses[0].until_wall_ms == INT64_MAX,
	    "what the latest run has noted is read");
	is_text(pv_str_of(pauses.count ? pauses.pauses[0].host : ""),
	    "docs.example.org", "P4: which host it is");
	is_text(pv_str_of(pauses.count ? pauses.pauses[0].why : ""), "it moves",
	    "P4: and why it is paused");
	pv_orders_finish(&pauses);
	note(database, 3, NULL);
	ok(count(database) == 0, "what is paused no more is not read");
}

static void test_runs(struct pv_database *database)
{
	note(database, 3, "docs.example.org");
	pv_note_set(database, PV_STR("runs"), 4);
	ok(count(database) == 0, "what an earlier run has noted is over");
	note(database, 4, "docs.example.org");
	ok(count(database) == 1, "until the later one notes it again");
}

/* With names and reasons of the greatest length. */
static void test_many(struct pv_database *database)
{
	struct pv_orders pauses;
	struct pv_buf text, host, why;
	pv_orders_init(&pauses);
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_init(&host, SIZE_MAX);
	pv_buf_init(&why, SIZE_MAX);
	while (why.len < PV_ORDER_WHY_MAX)
		pv_buf_append_char(&why, 'w');
	for (unsigned i = 0; i < PV_ORDER_PAUSES_MAX; i++) {
		pv_buf_clear(&host);
		pv_buf_append_format(&host, "%04u", i);
		while (host.len < PV_ORDER_HOST_MAX)
			pv_buf_append_char(&host, 'h');
		pv_orders_pause(
		    &pauses, pv_buf_str(&host), INT64_MAX - 1, INT64_MAX - 1);
		pv_orders_say_why(&pauses, pv_buf_str(&host), pv_buf_str(&why));
	}
	pv_orders_write(&pauses, &text);
	pv_pause_notes_set(database, 4, pv_buf_str(&text));
	ok(count(database) == PV_ORDER_PAUSES_MAX,
	    "as many as there may be are read");
	pv_buf_finish(&why);
	pv_buf_finish(&host);
	pv_buf_finish(&text);
	pv_orders_finish(&pauses);
}

static void test_strange(struct pv_database *database)
{
	pv_pause_notes_set(database, 4, PV_STR("no pauses at all"));
	ok(count(database) == 0, "a text that cannot be read pauses nothing");
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	if (ok(store != NULL, "a state file is there")) {
		test_there_and_back(store->database);
		test_runs(store->database);
		test_many(store->database);
		test_strange(store->database);
	}
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
