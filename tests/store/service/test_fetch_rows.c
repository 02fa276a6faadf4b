#include "store/service/fetch_rows.h"

#include "scratch.h"
#include "store/service/fetch_store.h"
#include "tap.h"

/* The rows that pages give, as they come and go. */

#define PAGE PV_STR("http://a.test/")

static void set(const struct pv_fetch_rows *rows, const char *file,
    int64_t item, const char *line)
{
	pv_fetch_rows_set(rows, &(struct pv_fetch_row){PV_STR(""), PAGE,
				    pv_str_of(file), item, pv_str_of(line)});
}

static void test_rows(const struct pv_fetch_rows *rows)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 16);
	pv_fetch_rows_write(rows, PV_STR(""), PAGE, 100, &text);
	is_text(pv_buf_str(&text), "", "a page has no rows at first");
	set(rows, "fields/b.jsonl", 1, "{\"b\":1}");
	set(rows, "fields/a.jsonl", 2, "{\"a\":2}");
	set(rows, "fields/a.jsonl", 1, "{\"a\":0}");
	set(rows, "fields/a.jsonl", 1, "{\"a\":1}");
	pv_fetch_rows_write(rows, PV_STR(""), PAGE, 100, &text);
	is_text(pv_buf_str(&text), "[{\"a\":1},{\"a\":2},{\"b\":1}]",
	    "it has the last of each number, in their order");
	pv_buf_clear(&text);
	pv_fetch_rows_write(rows, PV_STR(""), PAGE, 25, &text);
	is_text(pv_buf_str(&text), "[{\"a\":1},{\"a\":2},{\"b\":1}]",
	    "also where they just fit");
	pv_buf_clear(&text);
	pv_fetch_rows_write(rows, PV_STR(""), PAGE, 24, &text);
	is_text(pv_buf_str(&text), "{\"count\":3,\"bytes\":21}",
	    "P5: what does not is only counted");
	pv_buf_clear(&text);
	pv_fetch_rows_write_lines(rows, PV_STR(""), PAGE, &text);
	is_text(pv_buf_str(&text), "{\"a\":1}\n{\"a\":2}\n{\"b\":1}\n",
	    "they can be had as lines");
	pv_buf_clear(&text);
	pv_fetch_rows_write(rows, PV_STR("news"), PAGE, 100, &text);
	is_text(pv_buf_str(&text), "", "another profile has its own");
	pv_fetch_rows_remove(
	    rows, &(struct pv_fetch_row){PV_STR(""), PAGE,
		      PV_STR("fields/a.jsonl"), 1, PV_STR("")});
	pv_fetch_rows_write(rows, PV_STR(""), PAGE, 100, &text);
	is_text(pv_buf_str(&text), "[{\"a\":2},{\"b\":1}]",
	    "and one that is gone is not among them");
	pv_buf_finish(&text);
}

static void test_offsets(const struct pv_fetch_rows *rows)
{
	struct pv_str file = PV_STR("fields/a.jsonl");
	ok(pv_fetch_rows_get_offset(rows, PV_STR(""), file) == 0,
	    "nothing of a file was read at first");
	pv_fetch_rows_set_offset(rows, PV_STR(""), file, 7);
	pv_fetch_rows_set_offset(rows, PV_STR(""), file, 70);
	ok(pv_fetch_rows_get_offset(rows, PV_STR(""), file) == 70 &&
		pv_fetch_rows_get_offset(rows, PV_STR("news"), file) == 0,
	    "how far is known, for each profile");
}

int main(void)
{
	struct scratch scratch;
	struct pv_why why;
	scratch_make(&scratch);
	pv_why_init(&why);
	struct pv_fetch_store *store = pv_fetch_store_open(scratch.path, &why);
	pv_fetch_store_begin(store);
	test_rows(pv_fetch_store_rows(store));
	test_offsets(pv_fetch_store_rows(store));
	ok(pv_fetch_store_commit(store), "all of it is written");
	pv_fetch_store_close(store);
	pv_why_finish(&why);
	scratch_remove(&scratch);
	return tap_done();
}
