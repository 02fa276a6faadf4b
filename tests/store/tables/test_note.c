#include "store/tables/note.h"

#include <stdint.h>

#include "store/scratch_store.h"
#include "tap.h"

static void test_numbers(struct pv_database *database)
{
	static const int64_t numbers[] = {0, 1, -1, INT64_MAX, INT64_MIN};
	bool are_kept = true;
	ok(pv_note_get(database, PV_STR("pages"), -7) == -7,
	    "a number that nobody has noted is what the caller says");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		pv_note_set(database, PV_STR("pages"), numbers[i]);
		are_kept = are_kept && pv_note_get(database, PV_STR("pages"),
					   5) == numbers[i];
	}
	ok(are_kept, "any number is kept, and the last one counts");
	ok(pv_note_get(database, PV_STR("page"), -7) == -7 &&
		pv_note_get(database, PV_STR("Pages"), -7) == -7,
	    "under its whole name and no other");
}

static void test_texts(struct pv_database *database)
{
	struct pv_buf text;
	struct pv_buf small;
	pv_buf_init(&text, 100);
	pv_buf_init(&small, 3);
	pv_buf_append_text(&text, "so: ");
	ok(!pv_note_get_text(database, PV_STR("name"), &text),
	    "there is no text that nobody has noted");
	is_text(pv_buf_str(&text), "so: ", "and nothing is appended then");
	pv_note_set_text(database, PV_STR("name"), PV_STR("first"));
	pv_note_set_text(
	    database, PV_STR("name"), PV_STR("it's \"x\" \xc3\xa9"));
	ok(pv_note_get_text(database, PV_STR("name"), &text), "a text is kept");
	is_text(pv_buf_str(&text), "so: it's \"x\" \xc3\xa9",
	    "the last one, byte by byte, and is appended");
	ok(!pv_note_get_text(database, PV_STR("name"), &small) && !small.len,
	    "P5: a text beyond the ceiling is refused whole");
	pv_buf_clear(&text);
	pv_note_set_text(database, PV_STR("name"), PV_STR(""));
	ok(pv_note_get_text(database, PV_STR("name"), &text) && !text.len,
	    "an empty text is a text");
	pv_buf_finish(&small);
	pv_buf_finish(&text);
}

static void collect(void *ctx, struct pv_str text)
{
	struct pv_buf *all = ctx;
	pv_buf_append_char(all, '<');
	pv_buf_append(all, text);
	pv_buf_append_char(all, '>');
}

/* Claims which texts have names that begin so; they come by name. */
static void are_of(
    struct pv_database *database, const char *beginning, const char *wanted)
{
	struct pv_buf all;
	pv_buf_init(&all, 1000);
	pv_note_each(database, pv_str_of(beginning), collect, &all);
	is_text(pv_buf_str(&all), wanted, "texts under \"%s\"", beginning);
	pv_buf_finish(&all);
}

static void test_each(struct pv_database *database)
{
	static const char *const names[] = {
	    "a%c one", "a%c two", "a%c", "abc", "A%c one", "a_c"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		pv_note_set_text(
		    database, pv_str_of(names[i]), pv_str_of(names[i]));
	are_of(database, "a%c", "<a%c><a%c one><a%c two>");
	are_of(database, "a%c ", "<a%c one><a%c two>");
	are_of(database, "a_c", "<a_c>");
	are_of(database, "b", "");
}

/* What is noted belongs to the transaction in which it was. */
static void test_ends(const struct scratch *scratch)
{
	struct pv_store *store = scratch_store_open(scratch);
	pv_database_begin(store->database);
	pv_note_set(store->database, PV_STR("kept"), 4711);
	pv_database_commit(store->database);
	pv_database_begin(store->database);
	pv_note_set(store->database, PV_STR("dropped"), 1);
	pv_database_roll_back(store->database);
	pv_store_close(store);
	store = scratch_store_open(scratch);
	ok(pv_note_get(store->database, PV_STR("kept"), 0) == 4711,
	    "P3: a note that was committed outlives the run");
	ok(pv_note_get(store->database, PV_STR("dropped"), 0) == 0,
	    "and one that was rolled back was never there");
	pv_store_close(store);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	test_numbers(store->database);
	test_texts(store->database);
	test_each(store->database);
	ok(pv_database_status(store->database) == PV_STORE_OK,
	    "none of this is a fault");
	pv_store_close(store);
	test_ends(&scratch);
	scratch_remove(&scratch);
	return tap_done();
}
