#include "store/tables/state_figures.h"

#include "record/outcome.h"
#include "record/verdict.h"
#include "store/scratch_store.h"
#include "tap.h"

/* Counts as a frontier writes them, and some that are not ours. */
static const char rows[] =
    "INSERT INTO counts(state, cause, count) VALUES"
    "(0, 0, 7), (1, 0, 2), (2, 1, 30), (2, 4, 5), (3, 5, 11), "
    "(9, 1, 100), (2, 1000, 100);"
    "INSERT INTO host_states(name, state, pages, bytes) VALUES"
    "('a.example', 0, 3, 70), ('b.example', 1, 4, 30);";

static void test_counts(struct pv_database *database)
{
	struct pv_counts counts;
	pv_state_figures_counts(database, &counts);
	ok(counts.states[PV_STATE_PENDING] == 7 &&
		counts.states[PV_STATE_IN_FLIGHT] == 2 &&
		counts.states[PV_STATE_DONE] == 35 &&
		counts.states[PV_STATE_REFUSED] == 11,
	    "addresses are counted by state, but for numbers that are not "
	    "ours");
	ok(counts.outcomes[PV_OUTCOME_ANSWERED] == 30 &&
		counts.outcomes[4] == 5,
	    "what is done by its outcome");
	ok(counts.reasons[PV_REASON_RULE] == 11,
	    "P4: what is refused by its reason");
	ok(pv_state_figures_left(database) == 9,
	    "what waits or is in flight is left");
}

static void test_round(struct pv_database *database)
{
	int64_t began = 0;
	ok(pv_state_figures_round(database, &began).number == 1 && began == 0,
	    "where there was no update it is the first round");
	pv_database_run(database,
	    "INSERT INTO rounds(number, began_wall_ms, is_listing, "
	    "last_address, before_wall_ms, takes_failed, due, new, changed, "
	    "gone, same, failed) VALUES(2, 500, 0, 9, 0, 0, 6, 1, 2, 3, 4, 5)");
	struct pv_round round = pv_state_figures_round(database, &began);
	ok(round.number == 2 && began == 500 &&
		round.counts[PV_CHANGE_NEW] == 1 &&
		round.counts[PV_CHANGE_CHANGED] == 2 &&
		round.counts[PV_CHANGE_GONE] == 3 &&
		round.counts[PV_CHANGE_SAME] == 4 &&
		round.counts[PV_CHANGE_FAILED] == 5,
	    "the last update is told, with what it has found");
}

static void test_sums(struct pv_database *database)
{
	struct pv_state_sums sums = pv_state_figures_sums(database);
	ok(sums.pages == 7 && sums.bytes == 100,
	    "what all hosts have brought is told");
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	pv_database_run(store->database, rows);
	test_counts(store->database);
	test_round(store->database);
	test_sums(store->database);
	ok(pv_database_status(store->database) == PV_STORE_OK,
	    "each question is one that the database understands");
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
