#include "store/state_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "store/store.h"
#include "tap.h"

/* What stands at the name of the state before it is opened. */
static void write_file(
    const struct scratch *scratch, const char *name, const char *text)
{
	FILE *file = fopen(scratch_file(scratch, name), "w");
	fputs(text, file);
	fclose(file);
}

static struct pv_store *open_store(
    const struct scratch *scratch, struct pv_why *why)
{
	struct pv_store_options options = {
	    .directory = scratch->path,
	    .cache_bytes = 1 << 20,
	    .count_ceiling = 100,
	    .bytes_ceiling = 1 << 20,
	};
	pv_why_init(why);
	return pv_store_open(&options, why);
}

static void is_refused(
    const struct scratch *scratch, const char *part, const char *claim)
{
	struct pv_why why;
	struct pv_store *store = open_store(scratch, &why);
	const char *said =
	    why.problems.count ? why.problems.kept[0].text : "nothing";
	if (!ok(!store && strstr(said, part), "%s", claim))
		printf("# %s\n", said);
	pv_store_close(store);
	pv_why_finish(&why);
}

static bool is_taken(const struct scratch *scratch)
{
	struct pv_why why;
	struct pv_store *store = open_store(scratch, &why);
	bool is_open = store != NULL;
	if (!is_open)
		printf("# %s\n", why.problems.kept[0].text);
	pv_store_close(store);
	pv_why_finish(&why);
	return is_open;
}

static unsigned mode_of(const struct scratch *scratch, const char *name)
{
	struct stat facts;
	return stat(scratch_file(scratch, name), &facts) == 0
		   ? facts.st_mode & 0777
		   : 0;
}

static off_t size_of(const struct scratch *scratch, const char *name)
{
	struct stat facts;
	return stat(scratch_file(scratch, name), &facts) == 0 ? facts.st_size
							      : -1;
}

/* Whether the state file at a name is that of a database. */
static bool is_of(const struct scratch *scratch, const char *name,
    const struct pv_database *database)
{
	struct pv_why why;
	struct pv_state_file file;
	char path[200];
	snprintf(path, sizeof(path), "%s/%s", scratch->path, name);
	pv_why_init(&why);
	bool is_same = pv_state_file_open(&file, scratch->path, path, &why) &&
		       pv_state_file_is_of(&file, database, path, &why);
	pv_state_file_close(&file);
	pv_why_finish(&why);
	return is_same;
}

/* The file is replaced while the database is open. */
static void test_replaced(void)
{
	struct scratch scratch;
	char path[200];
	scratch_make(&scratch);
	snprintf(path, sizeof(path), "%s", scratch_file(&scratch, "state.db"));
	struct pv_database *database = pv_database_open(path);
	pv_database_run(database, "CREATE TABLE t(x)");
	write_file(&scratch, "other.db", "some bytes");
	ok(is_of(&scratch, "state.db", database),
	    "a database is of the file that it was opened with");
	ok(!is_of(&scratch, "other.db", database), "and of no other");
	rename(scratch_file(&scratch, "other.db"), path);
	ok(!is_of(&scratch, "state.db", database),
	    "P5: nor of one that has taken its place since");
	pv_database_close(database);
	scratch_remove(&scratch);
}

static void test_modes(void)
{
	struct scratch scratch;
	struct pv_why why;
	scratch_make(&scratch);
	mode_t mask = umask(0);
	struct pv_store *store = open_store(&scratch, &why);
	ok(store && mode_of(&scratch, "state.db") == 0600 &&
		mode_of(&scratch, "state.db-wal") == 0600 &&
		mode_of(&scratch, "state.db-shm") == 0600,
	    "P7: the state and what is beside it are for their owner only");
	pv_store_close(store);
	chmod(scratch_file(&scratch, "state.db"), 0640);
	store = open_store(&scratch, &why);
	ok(store && mode_of(&scratch, "state.db") == 0640 &&
		mode_of(&scratch, "state.db-wal") == 0640,
	    "a mode that the owner has given stays");
	pv_store_close(store);
	umask(mask);
	pv_why_finish(&why);
	scratch_remove(&scratch);
}

static void test_emptied(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	write_file(&scratch, "state.db", "");
	ok(is_taken(&scratch), "an empty file with nothing beside it is new");
	write_file(&scratch, "journal.jsonl", "{}\n");
	ok(is_taken(&scratch), "a state goes with a journal");
	write_file(&scratch, "state.db", "");
	is_refused(&scratch, "journal.jsonl has lines",
	    "P3: one that was emptied beside a journal with lines is refused");
	ok(size_of(&scratch, "state.db") == 0 &&
		size_of(&scratch, "journal.jsonl") == 3,
	    "and all is left as it was");
	unlink(scratch_file(&scratch, "state.db"));
	is_refused(&scratch, "journal.jsonl has lines",
	    "P3: and so is one that was removed");
	ok(size_of(&scratch, "state.db") == -1, "of which none is made");
	unlink(scratch_file(&scratch, "journal.jsonl"));
	write_file(&scratch, "state.db", "");
	write_file(&scratch, "state.db-wal", "changes");
	is_refused(&scratch, "state.db-wal",
	    "P3: an empty file would cost the log beside it");
	ok(size_of(&scratch, "state.db-wal") == 7, "which is left, too");
	scratch_remove(&scratch);
}

static void test_links(void)
{
	static const char *const names[] = {
	    "state.db", "state.db-wal", "state.db-shm", "state.db-journal"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct scratch scratch;
		scratch_make(&scratch);
		write_file(&scratch, "other", "");
		(void)!symlink("other", scratch_file(&scratch, names[i]));
		is_refused(&scratch, "symbolic link", names[i]);
		ok(size_of(&scratch, "other") == 0,
		    "nothing is written through a symbolic link");
		unlink(scratch_file(&scratch, "other"));
		is_refused(
		    &scratch, "symbolic link", "nor to where none leads");
		ok(access(scratch_file(&scratch, "other"), F_OK) != 0,
		    "and nothing is made there");
		scratch_remove(&scratch);
	}
}

/* Only the last component counts: people have their disks where they want. */
static void test_links_above(void)
{
	struct scratch scratch, link;
	scratch_make(&scratch);
	scratch_make(&link);
	rmdir(link.path);
	(void)!symlink(scratch.path, link.path);
	ok(is_taken(&link), "a directory behind a symbolic link is as good");
	unlink(link.path);
	scratch_remove(&scratch);
}

static void test_look(void)
{
	struct scratch scratch;
	char elsewhere[512];
	scratch_make(&scratch);
	ok(is_taken(&scratch), "there is a state");
	snprintf(elsewhere, sizeof(elsewhere), "%s",
	    scratch_file(&scratch, "state.elsewhere"));
	rename(scratch_file(&scratch, "state.db"), elsewhere);
	(void)!symlink("state.elsewhere", scratch_file(&scratch, "state.db"));
	struct pv_database *database =
	    pv_database_look(scratch_file(&scratch, "state.db"));
	ok(pv_database_status(database) == PV_STORE_FAILED &&
		strstr(pv_database_fault(database), "symbolic link"),
	    "who only looks follows no symbolic link either");
	pv_database_close(database);
	scratch_remove(&scratch);
}

static void test_removed(void)
{
	struct scratch scratch;
	struct pv_why why;
	scratch_make(&scratch);
	struct pv_store *store = open_store(&scratch, &why);
	ok(store && !pv_state_file_is_removed(&store->file),
	    "a state that is there is not removed");
	ok(pv_state_file_is_of(
	       &store->file, store->database, pv_buf_text(&store->path), &why),
	    "and is the one that is used");
	unlink(scratch_file(&scratch, "state.db"));
	ok(pv_state_file_is_removed(&store->file), "until somebody does it");
	write_file(&scratch, "state.db", "another");
	ok(pv_state_file_is_removed(&store->file) &&
		!pv_state_file_is_of(&store->file, store->database,
		    pv_buf_text(&store->path), &why),
	    "another in its place is not it");
	pv_store_close(store);
	pv_why_finish(&why);
	scratch_remove(&scratch);
}

int main(void)
{
	test_modes();
	test_replaced();
	test_emptied();
	test_links();
	test_links_above();
	test_look();
	test_removed();
	return tap_done();
}
