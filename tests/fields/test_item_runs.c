#include "fields/item_runs.h"

#include "tap.h"

static void test_text(void)
{
	static const struct {
		const char *text;
		bool is_read;
	} rows[] = {{"", true}, {"1", true}, {"1-24", true},
	    {"1-24 26-30 40", true}, {"4294967295", true}, {"0", false},
	    {"2-1", false}, {"1 1", false}, {"3 2", false}, {"1,2", false},
	    {"1-", false}, {" 1", false}, {"1 ", false}, {"4294967296", false},
	    {"-1", false}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pv_item_runs runs;
		struct pv_buf text;
		pv_item_runs_init(&runs);
		pv_buf_init(&text, 100);
		bool is_read =
		    pv_item_runs_read(&runs, pv_str_of(rows[i].text));
		ok(is_read == rows[i].is_read, "\"%s\" is %s", rows[i].text,
		    rows[i].is_read ? "read" : "not read");
		pv_item_runs_write(&runs, &text);
		is_text(pv_buf_str(&text), is_read ? rows[i].text : "",
		    "and written as it was");
		pv_item_runs_finish(&runs);
		pv_buf_finish(&text);
	}
}

static void test_add(void)
{
	static const uint32_t items[] = {1, 2, 3, 5, 7, 8, 8, 6, 100};
	struct pv_item_runs runs;
	struct pv_buf text;
	pv_item_runs_init(&runs);
	pv_buf_init(&text, 100);
	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++)
		pv_item_runs_add(&runs, items[i]);
	pv_item_runs_write(&runs, &text);
	is_text(pv_buf_str(&text), "1-3 5 7-8 100",
	    "numbers in a row are joined, others left out");
	ok(pv_item_runs_total(&runs) == 7, "and counted");
	ok(pv_item_runs_has(&runs, 2) && pv_item_runs_has(&runs, 5) &&
		pv_item_runs_has(&runs, 8) && pv_item_runs_has(&runs, 100),
	    "it has those that were added");
	ok(!pv_item_runs_has(&runs, 0) && !pv_item_runs_has(&runs, 4) &&
		!pv_item_runs_has(&runs, 6) && !pv_item_runs_has(&runs, 101),
	    "and no other");
	pv_item_runs_finish(&runs);
	pv_buf_finish(&text);
}

int main(void)
{
	test_text();
	test_add();
	return tap_done();
}
