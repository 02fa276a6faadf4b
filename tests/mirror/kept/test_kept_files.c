#include "mirror/kept/kept_files.h"

#include "store/scratch_store.h"
#include "store/statement.h"
#include "tap.h"

/* What the state of a mirror says of its files. */
static const char rows[] =
    "INSERT INTO copies(address, round, fetched_wall_ms, checked_wall_ms, "
    "modified_ms, is_gone, file) VALUES"
    " (1, 1, 0, 0, 0, 0, 'site/a.test/index.html'),"
    " (2, 1, 0, 0, 0, 1, 'site/a.test/going'),"
    " (3, 1, 0, 0, 0, 1, 'gone/a.test/moved'),"
    " (4, 1, 0, 0, 0, 1, 'site/a.test/stays'),"
    " (5, 1, 0, 0, 0, 0, ''),"
    " (6, 1, 0, 0, 0, 0, 'site/a.test/new'),"
    " (8, 1, 0, 0, 0, 0, 'site/a.test/there-again'),"
    " (9, 1, 0, 0, 0, 1, 'gone/a.test/there-again');"
    "INSERT INTO gone_files VALUES(2, 'gone/a.test/going');"
    "INSERT INTO left_files VALUES('site/a.test/old', 6)";

static const struct {
	const char *claim;
	const char *file;
	int64_t address;
	int64_t found; /* where it is looked for in gone/, too */
	bool is_going;
} cases[] = {
    {"a file that is kept", "site/a.test/index.html", 1, 1, false},
    {"one on its way to gone/", "site/a.test/going", 2, 2, true},
    {"and where it goes", "gone/a.test/going", 2, 2, false},
    {"one that was moved there", "gone/a.test/moved", 3, 3, false},
    {"and where it was", "site/a.test/moved", 0, 3, false},
    {"one that is gone and stays", "site/a.test/stays", 4, 4, false},
    {"one with a new name", "site/a.test/new", 6, 6, false},
    {"and its old one, until it is removed", "site/a.test/old", 6, 6, true},
    {"what is there comes before what was", "site/a.test/there-again", 8, 8,
	false},
    {"no file", "", 0, 0, false},
    {"a file that nobody knows", "site/a.test/other", 0, 0, false},
    {"one of no mirror", "elsewhere/moved", 0, 0, false},
    {"one of another tree", "copy/a.test/moved", 0, 0, false},
    {"a part of a name", "site/a.test/index.htm", 0, 0, false},
};

static void test_files(struct pv_database *database)
{
	struct pv_kept_files *kept = pv_kept_files_read(database);
	ok(pv_kept_files_count(kept) == 9, "all files are known");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_str file = pv_str_of(cases[i].file);
		ok(pv_kept_files_get(kept, file) == cases[i].address &&
			pv_kept_files_find(kept, file) == cases[i].found &&
			pv_kept_files_is_going(kept, file) == cases[i].is_going,
		    "%s", cases[i].claim);
	}
	pv_kept_files_destroy(kept);
}

int main(void)
{
	struct scratch scratch;
	if (!scratch_make(&scratch))
		return 1;
	struct pv_store *store = scratch_store_open(&scratch);
	struct pv_kept_files *none = pv_kept_files_read(store->database);
	ok(pv_kept_files_count(none) == 0 &&
		pv_kept_files_find(none, PV_STR("site/a")) == 0,
	    "of no mirror no file is known");
	pv_kept_files_destroy(none);
	pv_kept_files_destroy(NULL);
	pv_database_run(store->database, rows);
	test_files(store->database);
	ok(pv_database_status(store->database) == PV_STORE_OK,
	    "none of this is a fault");
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
