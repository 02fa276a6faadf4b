#include "mirror/update/left_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "store/scratch_store.h"
#include "store/statement.h"
#include "tap.h"

static void test_removing(struct scratch *scratch, struct pv_database *database)
{
	mkdir(scratch_file(scratch, "site"), 0700);
	mkdir(scratch_file(scratch, "site/a"), 0700);
	mkdir(scratch_file(scratch, "site/a/kept"), 0700);
	close(open(
	    scratch_file(scratch, "site/a/old"), O_CREAT | O_WRONLY, 0600));
	pv_database_run(database,
	    "INSERT INTO left_files VALUES('site/a/old', 1), "
	    "('site/a/removed', 2), ('site/a/kept', 3)");
	pv_left_files_remove(database, scratch->path);
	ok(access(scratch_file(scratch, "site/a/old"), F_OK) != 0,
	    "what has another name now is removed under its old one");
	ok(access(scratch_file(scratch, "site/a/kept"), F_OK) == 0,
	    "what is no file of ours stays");
	ok(pv_database_number(database,
	       "SELECT count(*) FROM left_files WHERE file = 'site/a/kept'") ==
		    1 &&
		pv_database_number(
		    database, "SELECT count(*) FROM left_files") == 1,
	    "what is gone is not tried again, whoever has removed it");
}

int main(void)
{
	struct scratch scratch;
	if (!scratch_make(&scratch))
		return 1;
	struct pv_store *store = scratch_store_open(&scratch);
	test_removing(&scratch, store->database);
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
