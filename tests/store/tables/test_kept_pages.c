#include "store/tables/kept_pages.h"

#include <inttypes.h>

#include "store/scratch_store.h"
#include "tap.h"

/* Addresses: number, use, state, outcome, status, listing; then copies. */
#define ADDRESS(id, use, status, listing)                                 \
	"INSERT INTO addresses(id, host, state, use, depth, depth_left, " \
	"hops, redirects, attempt, reason, line, outcome, http_status, "  \
	"bytes, may_lead_further, via, url, listing) VALUES(" id          \
	", 1, 2, " use ", 0, 0, 0, 0, 0, 0, 0, 1, " status                \
	", 9, 0, 0, 'http://a/" id "', " listing ");"
#define COPY(id, file, is_gone)                                           \
	"INSERT INTO copies(address, round, fetched_wall_ms, "            \
	"checked_wall_ms, modified_ms, is_gone, digest, file) VALUES(" id \
	", 1, 1" id ", 0, 0, " is_gone ", x'0a0b', " file ");"

static const char rows[] = ADDRESS("1", "2", "200", "3 << 9") COPY("1",
    "'site/1'",
    "0") "INSERT INTO carried(address, carry) VALUES(1, '{\"a\":1}');" ADDRESS("2",
    "2", "200", "0") COPY("2", "NULL", "0") ADDRESS("3", "1", "200", "0")
    COPY("3", "'site/3'", "0") ADDRESS("4", "2", "200", "4")
	COPY("4", "'site/4'", "0") ADDRESS("5", "2", "404", "0")
	    COPY("5", "'gone/5'", "1") ADDRESS("6", "2", "404", "0")
		ADDRESS("7", "2", "200", "0")
		    ADDRESS("8", "2", "200", "64 << 9 | 2")
			COPY("8", "'site/8'", "0");

static void write_row(const struct pv_kept_page_row *row, struct pv_buf *text)
{
	pv_buf_append_format(text,
	    "%" PRIu64 " %.*s %.*s %zu %.*s %u %" PRId64 "\n", row->id,
	    PV_STR_ARG(row->url), PV_STR_ARG(row->file), row->digest.len,
	    PV_STR_ARG(row->carry), row->kind, row->fetched_wall_ms);
}

int main(void)
{
	struct scratch scratch;
	struct pv_buf text;
	struct pv_kept_page_row row;
	scratch_make(&scratch);
	struct pv_store *store = scratch_store_open(&scratch);
	struct pv_database *database = store->database;
	pv_database_run(database, rows);
	is_text(pv_str_of(pv_database_fault(database)), "", "a state");
	struct pv_kept_page_cursor *pages = pv_kept_page_cursor_open(database);
	pv_buf_init(&text, 1000);
	while (pv_kept_page_cursor_next(pages, &row))
		write_row(&row, &text);
	pv_kept_page_cursor_close(pages);
	is_text(pv_buf_str(&text),
	    "1 http://a/1 site/1 2 {\"a\":1} 3 11\n"
	    "8 http://a/8 site/8 2  64 18\n",
	    "P3: pages that are kept are walked, with what gives their rows: "
	    "no resources, lists, or what is gone");
	ok(pv_kept_pages_count(database) == 2, "and counted");
	ok(pv_kept_pages_missing(database) == 2,
	    "and so are pages that were answered and are not kept");
	pv_buf_finish(&text);
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
