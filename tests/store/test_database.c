#include "store/database.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "failing.h"
#include "scratch.h"
#include "tap.h"

static int64_t count_of(struct pv_database *database)
{
	return pv_database_number(database, "SELECT count(*) FROM t");
}

static bool is_well(const struct pv_database *database)
{
	return pv_database_status(database) == PV_STORE_OK;
}

static struct pv_database *make(const char *path)
{
	struct pv_database *database = pv_database_open(path);
	pv_database_tune(database, 1 << 20);
	pv_database_run(database, "CREATE TABLE t(x)");
	return database;
}

static void test_writer(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *writer = make(scratch_file(&scratch, "a.db"));
	pv_database_run(writer, "INSERT INTO t VALUES(1)");
	pv_database_begin(writer);
	pv_database_run(writer, "INSERT INTO t VALUES(2)");
	struct pv_database *looker =
	    pv_database_look(scratch_file(&scratch, "a.db"));
	ok(count_of(looker) == 1 && is_well(looker),
	    "who looks sees what is committed, and nothing else, while "
	    "somebody writes");
	pv_database_run(looker, "BEGIN");
	count_of(looker);
	ok(pv_database_commit(writer), "and keeps nobody from committing");
	ok(count_of(looker) == 1, "one look sees one state");
	pv_database_run(looker, "COMMIT");
	ok(count_of(looker) == 2, "the next sees the next");
	pv_database_run(looker, "INSERT INTO t VALUES(3)");
	ok(!is_well(looker) && pv_database_fault(looker)[0],
	    "who looks cannot write");
	ok(count_of(writer) == 2 && is_well(writer),
	    "which is no fault of who does");
	pv_database_close(looker);
	pv_database_close(writer);
	scratch_remove(&scratch);
}

static void test_unchanged(void)
{
	struct scratch scratch;
	struct stat before, after;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	pv_database_run(database, "INSERT INTO t VALUES(1)");
	pv_database_close(database);
	stat(scratch_file(&scratch, "a.db"), &before);
	database = pv_database_look(scratch_file(&scratch, "a.db"));
	ok(count_of(database) == 1, "what nobody writes can be looked at");
	pv_database_close(database);
	stat(scratch_file(&scratch, "a.db"), &after);
	ok(before.st_size == after.st_size &&
		before.st_mtim.tv_nsec == after.st_mtim.tv_nsec &&
		before.st_mtim.tv_sec == after.st_mtim.tv_sec,
	    "and stays as it is");
	database = pv_database_open(scratch_file(&scratch, "a.db"));
	count_of(database);
	pv_database_close(database);
	ok(access(scratch_file(&scratch, "a.db-wal"), F_OK) != 0 &&
		access(scratch_file(&scratch, "a.db-shm"), F_OK) != 0,
	    "what looking left beside it goes with the next writer");
	scratch_remove(&scratch);
}

static void test_link(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	pv_database_close(make(scratch_file(&scratch, "a.db")));
	(void)!symlink("a.db", scratch_file(&scratch, "link.db"));
	struct pv_database *database =
	    pv_database_look(scratch_file(&scratch, "link.db"));
	ok(!is_well(database), "a link is not looked at");
	pv_database_close(database);
	scratch_remove(&scratch);
}

/* A process that has committed, and does not come to close. */
static void leave_behind(const char *path)
{
	pid_t child = fork();
	if (child == 0) {
		struct pv_database *database = make(path);
		pv_database_run(database, "INSERT INTO t VALUES(1)");
		pv_database_begin(database);
		pv_database_run(database, "INSERT INTO t VALUES(2)");
		kill(getpid(), SIGKILL);
	}
	waitpid(child, NULL, 0);
}

static void test_killed(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	leave_behind(scratch_file(&scratch, "a.db"));
	struct pv_database *looker =
	    pv_database_look(scratch_file(&scratch, "a.db"));
	ok(count_of(looker) == 1,
	    "P3: what was committed is seen after its writer was killed");
	pv_database_close(looker);
	struct pv_database *writer =
	    pv_database_open(scratch_file(&scratch, "a.db"));
	ok(count_of(writer) == 1 && is_well(writer),
	    "and is still there for the next");
	pv_database_close(writer);
	scratch_remove(&scratch);
}

/* However long the log is: what was committed is in the file itself when the
 * next one begins to write, so that nothing depends on a log that may never
 * have come to the disk. */
#define ROWS 64

static void leave_long_log(const char *path)
{
	pid_t child = fork();
	if (child == 0) {
		struct pv_database *database = make(path);
		pv_database_begin(database);
		for (int i = 0; i < ROWS; i++)
			pv_database_run(database,
			    "INSERT INTO t VALUES(zeroblob(1000000))");
		pv_database_commit(database);
		kill(getpid(), SIGKILL);
	}
	waitpid(child, NULL, 0);
}

static void test_long_log(void)
{
	struct scratch scratch;
	struct stat facts;
	scratch_make(&scratch);
	leave_long_log(scratch_file(&scratch, "a.db"));
	ok(stat(scratch_file(&scratch, "a.db-wal"), &facts) == 0 &&
		facts.st_size > ROWS * 1000000,
	    "a kill leaves a long log");
	struct pv_database *database =
	    pv_database_open(scratch_file(&scratch, "a.db"));
	pv_database_tune(database, 1 << 20);
	ok(is_well(database) && count_of(database) == ROWS,
	    "P3: the next one takes it in");
	struct pv_buf copy;
	pv_buf_init(&copy, 4096);
	pv_buf_append_format(&copy, "cp '%s' '%s.copy'",
	    scratch_file(&scratch, "a.db"), scratch_file(&scratch, "a.db"));
	ok(system(pv_buf_text(&copy)) == 0,
	    "the file is copied without its log");
	pv_buf_finish(&copy);
	struct pv_database *alone =
	    pv_database_open(scratch_file(&scratch, "a.db.copy"));
	ok(count_of(alone) == ROWS && is_well(alone),
	    "P3: and all of it is there");
	pv_database_close(alone);
	pv_database_close(database);
	scratch_remove(&scratch);
}

static void is_no_database(
    const char *path, enum pv_store_status status, const char *claim)
{
	struct pv_database *database = pv_database_look(path);
	int64_t number = pv_database_number(database, "PRAGMA user_version");
	ok(number == 0 && pv_database_status(database) == status, "%s", claim);
	ok(pv_database_fault(database)[0] != '\0', "which is said in words");
	pv_database_close(database);
}

static void test_strangers(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	is_no_database(scratch_file(&scratch, "none.db"), PV_STORE_FAILED,
	    "a file that is not there cannot be read");
	ok(access(scratch_file(&scratch, "none.db"), F_OK) != 0,
	    "and is not made");
	is_no_database(scratch.path, PV_STORE_FAILED, "nor can a directory");
	FILE *file = fopen(scratch_file(&scratch, "text.db"), "w");
	for (int i = 0; i < 1000; i++)
		fputs("no database at all", file);
	fclose(file);
	is_no_database(scratch_file(&scratch, "text.db"), PV_STORE_DAMAGED,
	    "what is no database makes no sense");
	scratch_remove(&scratch);
}

static void test_first_fault(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_database *database = make(scratch_file(&scratch, "a.db"));
	pv_database_begin(database);
	pv_database_run(database, "INSERT INTO t VALUES(1)");
	pv_database_fail(database, PV_STORE_FULL, "the journal has no room");
	pv_database_run(database, "no SQL at all");
	is_text(pv_str_of(pv_database_fault(database)),
	    "the journal has no room", "the first fault is kept");
	ok(!pv_database_commit(database), "after it nothing is committed");
	pv_database_close(database);
	database = pv_database_look(scratch_file(&scratch, "a.db"));
	ok(count_of(database) == 0, "P3: and what was not is rolled back");
	pv_database_close(database);
	scratch_remove(&scratch);
}

/* The disk */

static const struct {
	const char *call;
	int error;
	enum pv_store_status status;
	const char *words;
} faults[] = {
    {"pwrite", ENOSPC, PV_STORE_FULL, "disk is full"},
    {"pwrite", EDQUOT, PV_STORE_FULL, "Disk quota exceeded"},
    {"pwrite", EIO, PV_STORE_FAILED, "Input/output error"},
    {"fdatasync", EIO, PV_STORE_FAILED, "Input/output error"},
    {"fdatasync", EDQUOT, PV_STORE_FULL, "Disk quota exceeded"},
};

static void test_failing_commit(void)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct scratch scratch;
		scratch_make(&scratch);
		const char *path = scratch_file(&scratch, "state.db");
		struct pv_database *database = make(path);
		pv_database_begin(database);
		pv_database_run(database, "INSERT INTO t VALUES (1)");
		fail_at(faults[i].call, 0, faults[i].error);
		ok(!pv_database_commit(database) &&
			pv_database_status(database) == faults[i].status,
		    "P3: a commit fails by %s: %s", faults[i].call,
		    strerror(faults[i].error));
		if (!ok(strstr(pv_database_fault(database), faults[i].words),
			"P4: and why is told"))
			printf("# %s\n", pv_database_fault(database));
		fail_nothing();
		pv_database_close(database);
		scratch_remove(&scratch);
	}
}

/* SQLite calls it damaged. */
static void test_failing_read(void)
{
	struct scratch scratch;
	unsigned wrong = 0, failed = 0;
	scratch_make(&scratch);
	const char *path = scratch_file(&scratch, "state.db");
	struct pv_database *database = make(path);
	pv_database_run(database, "INSERT INTO t VALUES (1)");
	pv_database_close(database);
	for (unsigned i = 0; i < 6; i++) {
		database = pv_database_look(path);
		fail_at("pread", i, EIO);
		int64_t count = count_of(database);
		fail_nothing();
		bool is_right =
		    is_well(database)
			? count == 1
			: pv_database_status(database) == PV_STORE_FAILED &&
			      strstr(pv_database_fault(database),
				  "Input/output error");
		failed += !is_well(database);
		wrong += !is_right;
		if (!is_right)
			printf("# %u: %s\n", i, pv_database_fault(database));
		pv_database_close(database);
	}
	ok(failed && !wrong,
	    "P4: a disk that cannot be read makes no damaged file of one");
	scratch_remove(&scratch);
}

int main(void)
{
	test_writer();
	test_unchanged();
	test_link();
	test_killed();
	test_long_log();
	test_strangers();
	test_first_fault();
	test_failing_commit();
	test_failing_read();
	return tap_done();
}
