#include "store/store.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "scratch.h"
#include "store/tables/length.h"
#include "tap.h"

static struct pv_store *open_store(
    const struct scratch *scratch, uint64_t random, struct pv_why *why)
{
	struct pv_store_options options = {
	    .directory = scratch->path,
	    .cache_bytes = 1 << 20,
	    .count_ceiling = 100,
	    .bytes_ceiling = 1 << 20,
	    .random = {{random, random}},
	};
	pv_why_init(why);
	return pv_store_open(&options, why);
}

/* Claims that the directory is refused, for that reason. */
static void is_refused(
    const struct scratch *scratch, const char *reason, const char *claim)
{
	struct pv_why why;
	struct pv_store *store = open_store(scratch, 1, &why);
	bool has_reason = why.problems.count == 1 &&
			  strstr(why.problems.kept[0].text, reason);
	if (!ok(!store && has_reason, "%s", claim) && why.problems.count)
		printf("# %s\n", why.problems.kept[0].text);
	pv_store_close(store);
	pv_why_finish(&why);
}

static void test_again(void)
{
	struct scratch scratch;
	struct pv_why why;
	scratch_make(&scratch);
	rmdir(scratch.path);
	struct pv_store *store = open_store(&scratch, 5, &why);
	ok(store && !pv_why_has_problems(&why),
	    "a directory that is not there is made");
	ok(store->key.word[0] == 5, "a new crawl gets a key of its own");
	pv_database_begin(store->database);
	pv_length_set(store->database, PV_STR("journal.jsonl"), 100);
	pv_length_set(store->database, PV_STR("journal.jsonl"), 4711);
	pv_database_commit(store->database);
	pv_store_close(store);
	ok(access(scratch_file(&scratch, "state.db-wal"), F_OK) != 0,
	    "an orderly end leaves one file");
	store = open_store(&scratch, 6, &why);
	ok(store && store->key.word[0] == 5 && store->key.word[1] == 5,
	    "and keeps it");
	ok(pv_length_get(store->database, PV_STR("journal.jsonl")) == 4711,
	    "P3: committed lengths are kept");
	ok(pv_length_get(store->database, PV_STR("other")) == 0,
	    "a file that nobody has written to has none");
	ok(pv_database_number(store->database, "PRAGMA synchronous") == 2,
	    "P3: a commit outlives a power failure");
	pv_store_close(store);
	scratch_remove(&scratch);
}

/* Files that are not ours to touch */

static void write_file(const char *path, struct pv_str text)
{
	FILE *file = fopen(path, "w");
	fwrite(text.ptr, 1, text.len, file);
	fclose(file);
}

static void is_unchanged(
    const struct scratch *scratch, const struct pv_buf *before)
{
	struct pv_buf after;
	pv_buf_init(&after, 1 << 20);
	pv_file_read(scratch_file(scratch, "state.db"), &after);
	ok(pv_str_equal(pv_buf_str(before), pv_buf_str(&after)),
	    "P3: and was left as it is");
	pv_buf_finish(&after);
}

static void test_change(const char *sql, const char *reason, const char *claim)
{
	struct scratch scratch;
	struct pv_why why;
	struct pv_buf before;
	scratch_make(&scratch);
	struct pv_store *store = open_store(&scratch, 1, &why);
	pv_database_run(store->database, sql);
	pv_store_close(store);
	pv_buf_init(&before, 1 << 20);
	pv_file_read(scratch_file(&scratch, "state.db"), &before);
	is_refused(&scratch, reason, claim);
	is_unchanged(&scratch, &before);
	pv_buf_finish(&before);
	scratch_remove(&scratch);
}

static void test_strangers(void)
{
	struct scratch scratch;
	struct pv_buf text;
	test_change("PRAGMA user_version=1000",
	    "was written by a newer pavane (format 1000",
	    "a newer version's state is refused with advice");
	test_change("PRAGMA application_id=7", "another program",
	    "another program's database is refused");
	scratch_make(&scratch);
	pv_buf_init(&text, 1 << 20);
	for (int i = 0; i < 1000; i++)
		pv_buf_append_text(&text, "no database at all");
	write_file(scratch_file(&scratch, "state.db"), pv_buf_str(&text));
	is_refused(&scratch, "is damaged or not a state file",
	    "what is no database is refused");
	is_unchanged(&scratch, &text);
	pv_buf_finish(&text);
	scratch_remove(&scratch);
}

static void test_damage(void)
{
	struct scratch scratch;
	struct pv_why why;
	struct pv_buf text;
	scratch_make(&scratch);
	pv_store_close(open_store(&scratch, 1, &why));
	pv_buf_init(&text, 1 << 20);
	pv_file_read(scratch_file(&scratch, "state.db"), &text);
	memset(text.ptr + 100, 0x5a, 3000);
	write_file(scratch_file(&scratch, "state.db"), pv_buf_str(&text));
	is_refused(
	    &scratch, "is damaged", "a damaged file is refused with advice");
	is_unchanged(&scratch, &text);
	pv_buf_finish(&text);
	scratch_remove(&scratch);
}

static void name_below(
    struct scratch *below, const struct scratch *scratch, const char *name)
{
	const char *path = scratch_file(scratch, name);
	memcpy(below->path, path, strlen(path) + 1);
}

static void test_places(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct scratch below;
	name_below(&below, &scratch, "a/b");
	is_refused(&below, "cannot be created", "a directory needs its parent");
	write_file(scratch_file(&scratch, "a"), PV_STR("x"));
	name_below(&below, &scratch, "a");
	is_refused(&below, "cannot be locked", "a file is no directory");
	mkdir(scratch_file(&scratch, "state.db"), 0777);
	is_refused(&scratch, "cannot be used", "nor is a directory a file");
	rmdir(scratch_file(&scratch, "state.db"));
	scratch_remove(&scratch);
}

/* The lock */

/* A process that opens the directory and stays, until it is killed. */
static pid_t start_other(const struct scratch *scratch)
{
	int pipe_ends[2];
	char byte;
	if (pipe(pipe_ends) != 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		struct pv_why why;
		bool is_open = open_store(scratch, 1, &why) != NULL;
		(void)!write(pipe_ends[1], is_open ? "y" : "n", 1);
		for (;;)
			pause();
	}
	close(pipe_ends[1]);
	bool is_open = read(pipe_ends[0], &byte, 1) == 1 && byte == 'y';
	close(pipe_ends[0]);
	return is_open ? child : -1;
}

static void test_lock(void)
{
	struct scratch scratch;
	struct pv_why why;
	char reason[64];
	scratch_make(&scratch);
	pid_t other = start_other(&scratch);
	snprintf(reason, sizeof(reason), "process %d is at work", (int)other);
	is_refused(&scratch, reason,
	    "a second process is refused, and told who holds the directory");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	struct pv_store *store = open_store(&scratch, 1, &why);
	ok(store && !pv_why_has_problems(&why),
	    "the lock of a process that was killed is no obstacle");
	is_refused(&scratch, "is at work", "nor may one process open it twice");
	pv_store_close(store);
	scratch_remove(&scratch);
}

int main(void)
{
	test_again();
	test_strangers();
	test_damage();
	test_places();
	test_lock();
	return tap_done();
}
