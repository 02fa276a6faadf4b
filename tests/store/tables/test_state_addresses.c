#include "store/tables/state_addresses.h"

#include "store/scratch_store.h"
#include "store/tables/page_marks.h"
#include "tap.h"

/* Three addresses as a frontier writes them: a page that is kept, one that was
 * answered by an error, one that is refused. */
static const char rows[] =
    "INSERT INTO addresses(id, host, state, use, depth, depth_left, hops, "
    "redirects, attempt, reason, line, outcome, http_status, bytes, "
    "may_lead_further, via, listing, url) VALUES"
    "(1, 7, 2, 2, 0, 0, 0, 0, 0, 0, 0, 1, 200, 50, 1, 0, 0, 'http://x/1'),"
    "(2, 7, 2, 2, 1, 0, 0, 0, 0, 0, 0, 1, 404, 9, 0, 1, 0, 'http://x/2'),"
    "(3, 8, 3, 0, 1, 0, 0, 2, 0, 5, 4, 0, 0, 0, 0, 2, 0, 'http://y/3'),"
    "(4, 7, 2, 2, 1, 0, 0, 0, 0, 0, 0, 1, 404, 9, 0, 1, 4, 'http://x/4');"
    "INSERT INTO seen VALUES(5, 6, 2);"
    "INSERT INTO redirects VALUES(5, 6, '');"
    "INSERT INTO copies(address, round, fetched_wall_ms, checked_wall_ms, "
    "modified_ms, has_failed, heard_status, file) VALUES"
    "(1, 1, 0, 0, 0, 1, 503, 'site/1');";

static void test_asking(struct pv_database *database)
{
	struct pv_state_addresses addresses;
	struct pv_state_address row;
	struct pv_buf url;
	pv_buf_init(&url, 100);
	pv_state_addresses_init(&addresses, database);
	ok(pv_state_addresses_get(&addresses, 3, &row) && row.id == 3 &&
		row.host_id == 8 && row.state == PV_STATE_REFUSED &&
		row.redirects == 2 && row.via_id == 2 &&
		row.verdict.reason == PV_REASON_RULE && row.verdict.line == 4,
	    "an address is found by its number");
	is_text(row.via, "http://x/2", "with where it was found");
	ok(pv_state_addresses_get(&addresses, 1, &row) && row.has_failed &&
		!row.is_gone && row.heard_status == 503 &&
		row.result.bytes == 50,
	    "and with its copy");
	is_text(row.file, "site/1", "which lies in a file");
	ok(!pv_state_address_has_failed(&row), "a good answer is no failure");
	ok(pv_state_addresses_get(&addresses, 2, &row) &&
		pv_state_address_has_failed(&row) && !row.file.len,
	    "an error is one");
	ok(pv_state_addresses_get(&addresses, 4, &row) && row.is_only_list &&
		!pv_state_address_has_failed(&row),
	    "but not that of a sitemap that nobody links to");
	ok(!pv_state_addresses_get(&addresses, 9, &row),
	    "no other number is known");
	ok(pv_state_addresses_find(&addresses,
	       (struct pv_fingerprint){.origin = 5, .address = 6}) == 2 &&
		!pv_state_addresses_find(&addresses,
		    (struct pv_fingerprint){.origin = 5, .address = 7}),
	    "one is found by its fingerprint");
	ok(pv_state_addresses_find_file(&addresses, PV_STR("site/1")) == 1 &&
		!pv_state_addresses_find_file(&addresses, PV_STR("site/2")),
	    "by its file");
	ok(pv_state_addresses_find_last_via(&addresses, 1) == 4,
	    "by where it was found");
	ok(pv_state_addresses_get_url(&addresses, 2, &url) &&
		!pv_state_addresses_get_url(&addresses, 9, &url),
	    "its text alone is given");
	is_text(pv_buf_str(&url), "http://x/2", "as it stands there");
	pv_state_addresses_finish(&addresses);
	pv_buf_finish(&url);
}

/* The numbers of those that the filter takes, "1 2". */
static void takes(struct pv_database *database, struct pv_address_filter filter,
    const char *wanted, const char *claim)
{
	char found[64] = "";
	struct pv_state_address row;
	struct pv_address_cursor *cursor =
	    pv_address_cursor_open(database, &filter);
	for (int turn = 0; turn < 2; turn++) {
		while (pv_address_cursor_next(cursor, &row))
			snprintf(found + strlen(found),
			    sizeof(found) - strlen(found), " %d", (int)row.id);
		snprintf(
		    found + strlen(found), sizeof(found) - strlen(found), ";");
	}
	is_text(pv_str_of(found), wanted, "%s", claim);
	pv_address_cursor_close(cursor);
}

static void test_walking(struct pv_database *database)
{
	struct pv_address_filter failed = {.choice = PV_ADDRESSES_FAILED,
	    .outcome = PV_OUTCOME_ANSWERED,
	    .http_status = 404};
	pv_page_marks_set_bare(database, 2, true);
	pv_page_marks_set_bare(database, 4, true);
	pv_page_marks_set_bare(database, 4, false);
	pv_page_marks_set_dead_end(database, 3, 1, PV_STR("nowhere"));
	takes(database,
	    (struct pv_address_filter){.choice = PV_ADDRESSES_ALL, .max = 2},
	    " 1 2; 1 2;",
	    "a walk takes so many, and begins anew behind the last");
	takes(database, (struct pv_address_filter){.choice = PV_ADDRESSES_BAD},
	    " 1 2 3 4; 1 2 3 4;",
	    "those that are refused, no good or lost are chosen");
	takes(database,
	    (struct pv_address_filter){
		.choice = PV_ADDRESSES_BAD, .after = 1, .to = 3},
	    " 2 3; 2 3;", "in steps, too");
	ok(pv_state_addresses_step(database, 1) == 4 &&
		pv_state_addresses_step(database, 4) == 0,
	    "a step ends where there are no more");
	takes(database, failed, " 2; 2;", "or those that failed in one way");
	takes(database, (struct pv_address_filter){.choice = PV_ADDRESSES_LOST},
	    " 3 1; 3 1;", "or what may be a loss");
	takes(database, (struct pv_address_filter){.choice = PV_ADDRESSES_BARE},
	    " 2; 2;", "or pages that show nothing without scripts");
	takes(database,
	    (struct pv_address_filter){.choice = PV_ADDRESSES_REDIRECTED},
	    " 2; 2;", "or what was redirected");
	pv_page_marks_unset_dead_end(database, 3);
	takes(database, (struct pv_address_filter){.choice = PV_ADDRESSES_LOST},
	    " 1; 1;", "what leads on again is no dead end");
}

static void test_counting(struct pv_database *database)
{
	struct pv_address_filter filter = {.choice = PV_ADDRESSES_ALL};
	ok(pv_state_addresses_count(database, &filter) == 4,
	    "all of them are counted");
	filter.max = 3;
	ok(pv_state_addresses_count(database, &filter) == 3, "up to so many");
	ok(pv_state_addresses_last(database) == 4, "the last one is known");
	filter = (struct pv_address_filter){.choice = PV_ADDRESSES_FAILED};
	ok(pv_state_addresses_next_failure(database, &filter) &&
		filter.outcome == PV_OUTCOME_ANSWERED &&
		filter.http_status == 404 &&
		pv_state_addresses_count(database, &filter) == 1,
	    "ways to fail come one after the other, and are counted");
	ok(!pv_state_addresses_next_failure(database, &filter),
	    "and come to an end");
}

/* As another program may have left it. */
static void test_nonsense(struct pv_database *database)
{
	struct pv_state_addresses addresses;
	struct pv_state_address row;
	pv_database_run(database, "UPDATE addresses SET state = 9");
	pv_state_addresses_init(&addresses, database);
	ok(!pv_state_addresses_get(&addresses, 1, &row) &&
		pv_database_status(database) == PV_STORE_DAMAGED,
	    "P4: a row that makes no sense is a fault, and not an answer");
	pv_state_addresses_finish(&addresses);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	struct pv_database *database = store->database;
	pv_database_run(database, rows);
	test_asking(database);
	test_walking(database);
	test_counting(database);
	ok(pv_database_status(database) == PV_STORE_OK,
	    "each question is one that the database understands");
	test_nonsense(database);
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
