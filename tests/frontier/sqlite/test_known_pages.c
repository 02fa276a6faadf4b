#include "frontier/sqlite/known_pages.h"

#include "store/scratch_store.h"
#include "tap.h"

/* Addresses of one origin, of which some were answered well. */

static void add(struct pv_database *database, int id, const char *rest)
{
	char sql[400];
	snprintf(sql, sizeof(sql),
	    "INSERT INTO addresses(id, host, depth, depth_left, hops, "
	    "redirects, attempt, reason, line, bytes, may_lead_further, via, "
	    "state, use, outcome, http_status, listing, url) VALUES"
	    "(%d, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, %s);"
	    "INSERT INTO seen VALUES(5, %d, %d);",
	    id, rest, 1000 - id, id);
	pv_database_run(database, sql);
}

static void add_page(struct pv_database *database, int id)
{
	char rest[80];
	snprintf(rest, sizeof(rest), "2, 2, 1, 200, 0, 'http://x.test/%d'", id);
	add(database, id, rest);
}

static bool find(
    struct pv_database *database, uint32_t number, struct pv_buf *url)
{
	struct pv_page_request request = {.origin = 5,
	    .authority = PV_STR("http://x.test"),
	    .number = number,
	    .url = *url};
	pv_buf_clear(&request.url);
	pv_known_pages_find(database, &request);
	*url = request.url;
	return url->len > 0;
}

/* Whether each of so many numbers names another page. */
static bool are_all_different(struct pv_database *database, uint32_t count)
{
	struct pv_buf url;
	bool seen[100] = {false}, are_different = true;
	pv_buf_init(&url, 100);
	for (uint32_t i = 0; i < count; i++) {
		int id = 0;
		bool is_there =
		    find(database, 7 + i, &url) &&
		    sscanf(pv_buf_text(&url), "http://x.test/%d", &id) == 1 &&
		    id > 0 && id < 100;
		are_different = are_different && is_there && !seen[id];
		seen[id] = true;
	}
	pv_buf_finish(&url);
	return are_different;
}

/* None of these shows that the host is well. */
static void add_others(struct pv_database *database)
{
	add(database, 101, "2, 2, 1, 500, 0, 'http://x.test/failed'");
	add(database, 102, "2, 2, 1, 404, 0, 'http://x.test/none'");
	add(database, 103, "2, 2, 4, 0, 0, 'http://x.test/timeout'");
	add(database, 104, "0, 2, 1, 200, 0, 'http://x.test/pending'");
	add(database, 105, "2, 1, 1, 200, 0, 'http://x.test/style.css'");
	add(database, 106, "2, 2, 1, 200, 4, 'http://x.test/sitemap.xml'");
	add(database, 107, "2, 2, 1, 200, 0, 'http://x.test:81/other'");
	add(database, 108, "3, 0, 0, 0, 0, 'http://x.test/refused'");
}

int main(void)
{
	struct scratch scratch;
	struct pv_buf url;
	scratch_make(&scratch);
	pv_buf_init(&url, 100);
	struct pv_store *store = scratch_store_open(&scratch);
	struct pv_database *database = store->database;
	for (int i = 1; i < PV_KNOWN_PAGES_LEAST; i++)
		add_page(database, i);
	add_others(database);
	ok(!find(database, 0, &url) && !url.len,
	    "where fewer than ten pages were answered well, there is none");
	add_page(database, PV_KNOWN_PAGES_LEAST);
	ok(find(database, 0, &url), "where ten were, there is one");
	ok(are_all_different(database, PV_KNOWN_PAGES_LEAST),
	    "another for each further number, and none that failed, is pending, "
	    "is no page for readers, or is another authority's");
	ok(pv_database_status(database) == PV_STORE_OK,
	    "each question is one that the database understands");
	pv_buf_finish(&url);
	pv_store_close(store);
	scratch_remove(&scratch);
	return tap_done();
}
