#include "store/tables/journal_files.h"

#include "base/buf.h"
#include "base/file.h"
#include "store/scratch_store.h"
#include "store/tables/length.h"
#include "tap.h"

static bool list(void *ctx, uint64_t generation, uint64_t length)
{
	pv_buf_append_format(ctx, "%llu:%llu ", (unsigned long long)generation,
	    (unsigned long long)length);
	return generation != 9999;
}

static void is_list(
    struct pv_database *database, const char *wanted, const char *claim)
{
	struct pv_buf text;
	pv_buf_init(&text, 1000);
	pv_journal_files_each(database, list, &text);
	is_text(pv_buf_str(&text), wanted, "%s", claim);
	pv_buf_finish(&text);
}

static void test_order(struct pv_database *database)
{
	uint64_t next = 77;
	ok(pv_journal_files_last(database) == 0 &&
		!pv_journal_files_next(database, 0, &next) && next == 77,
	    "of a crawl that has not begun there is one file");
	is_list(database, "", "which has no length");
	pv_length_set(database, PV_STR("journal-10000.jsonl"), 4);
	pv_length_set(database, PV_STR("journal-9999.jsonl"), 3);
	pv_length_set(database, PV_STR("journal-0002.jsonl"), 2);
	pv_length_set(database, PV_STR("journal.jsonl"), 1);
	pv_length_set(database, PV_STR("journal.backup"), 9);
	pv_length_set(database, PV_STR("changes.jsonl"), 9);
	ok(pv_journal_files_last(database) == 10000, "the last is appended to");
	ok(pv_journal_files_next(database, 0, &next) && next == 2 &&
		pv_journal_files_next(database, 2, &next) && next == 9999 &&
		pv_journal_files_next(database, 9999, &next) && next == 10000 &&
		!pv_journal_files_next(database, 10000, &next),
	    "each is followed by the next that there is");
	is_list(database, "0:1 2:2 9999:3 ",
	    "they come in their order, until that is enough");
}

static void test_forgetting(struct pv_database *database, const char *directory)
{
	struct pv_buf path;
	pv_buf_init(&path, 4096);
	pv_buf_append_format(&path, "%s/journal-9999.jsonl", directory);
	pv_file_replace(pv_buf_text(&path), PV_STR("{}\n"), 0600);
	pv_journal_files_forget(database, directory);
	is_list(database, "9999:3 ",
	    "those that were removed are forgotten, as far as they are old");
	ok(pv_journal_files_last(database) == 10000, "but the last one is not");
	pv_buf_finish(&path);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	test_order(store->database);
	test_forgetting(store->database, scratch.path);
	ok(pv_database_status(store->database) == PV_STORE_OK,
	    "none of this is a fault");
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
