#include "store/tables/merged_rows.h"

#include "record/state.h"
#include "store/schema.h"
#include "store/statement.h"
#include "store/tables/merge_notes.h"
#include "store/tables/note.h"
#include "tap.h"

/* Two states of one crawl, and the one that is made of them. */

#define KEY                  \
	{                    \
		{            \
			1, 2 \
		}            \
	}

static struct pv_database *make(void)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_database *database = pv_database_open("");
	pv_schema_apply(pv_state_schema(), database, "state.db", &why);
	pv_why_finish(&why);
	return database;
}

static void add_host(
    struct pv_database *database, int64_t id, const char *name, int64_t pages)
{
	struct pv_statement *add = pv_statement_create(database,
	    "INSERT INTO host_states(id, name, state, pages) "
	    "VALUES(?1, ?2, 3, ?3)");
	pv_statement_bind(add, 1, id);
	pv_statement_bind_text(add, 2, pv_str_of(name));
	pv_statement_bind(add, 3, pages);
	pv_statement_run(add);
	pv_statement_destroy(add);
}

static void add_address(struct pv_database *database, int64_t id, int64_t host,
    int64_t via, enum pv_address_state state, const char *url)
{
	struct pv_statement *add = pv_statement_create(database,
	    "INSERT INTO addresses(id, host, state, use, depth, depth_left,"
	    " hops, redirects, attempt, reason, line, outcome, http_status,"
	    " bytes, may_lead_further, via, url) VALUES(?1, ?2, ?3, 1, 0, 0,"
	    " 0, 0, 0, 0, 0, 1, 200, 5, 0, ?4, ?5)");
	pv_statement_bind(add, 1, id);
	pv_statement_bind(add, 2, host);
	pv_statement_bind(add, 3, state);
	pv_statement_bind(add, 4, via);
	pv_statement_bind_text(add, 5, pv_str_of(url));
	pv_statement_run(add);
	pv_statement_destroy(add);
}

static void add_rows(struct pv_database *database, int64_t page, int64_t count)
{
	struct pv_statement *add = pv_statement_create(database,
	    "INSERT INTO page_rows(address, kind, count, items, digest, "
	    "problems) VALUES(?1, 0, ?2, 0, x'00', 0)");
	pv_statement_bind(add, 1, page);
	pv_statement_bind(add, 2, count);
	pv_statement_run(add);
	pv_statement_destroy(add);
}

static struct pv_merged_source first(void)
{
	struct pv_merged_source source = {.look = make(), .place = 1};
	add_host(source.look, 1, "a.test", 2);
	add_address(source.look, 1, 1, 0, PV_STATE_DONE, "http://a.test/");
	add_address(source.look, 2, 1, 1, PV_STATE_DONE, "http://a.test/both");
	add_address(source.look, 3, 1, 2, PV_STATE_DONE, "http://a.test/on");
	add_address(
	    source.look, 4, 1, 1, PV_STATE_PENDING, "http://a.test/later");
	add_address(
	    source.look, 5, 1, 1, PV_STATE_REFUSED, "http://a.test/away");
	add_rows(source.look, 2, 8);
	add_rows(source.look, 3, 1);
	pv_note_set(source.look, PV_STR("status.requests"), 3);
	pv_note_set(source.look, PV_STR("status.failed"), 1);
	pv_note_set(source.look, PV_STR("status.shard"), 1);
	pv_note_set(source.look, PV_STR("status.elapsed_ms"), 30);
	pv_note_set_text(
	    source.look, PV_STR("status.statuses"), PV_STR("200 3\n404 1\n"));
	pv_note_set_text(source.look, PV_STR("policy 1"), PV_STR("one"));
	return source;
}

static struct pv_merged_source second(void)
{
	struct pv_merged_source source = {
	    .look = make(), .place = 2, .runs_before = 4};
	add_host(source.look, 1, "b.test", 1);
	add_host(source.look, 2, "a.test", 2);
	add_address(source.look, 1, 2, 0, PV_STATE_DONE, "http://a.test/both");
	add_address(source.look, 2, 1, 1, PV_STATE_DONE, "http://b.test/");
	add_address(
	    source.look, 3, 2, 1, PV_STATE_REFUSED, "http://a.test/later");
	add_address(
	    source.look, 4, 2, 1, PV_STATE_ELSEWHERE, "http://a.test/away");
	pv_database_run(source.look,
	    "UPDATE addresses SET outcome = 9 WHERE url LIKE '%b.test/'");
	add_rows(source.look, 1, 16);
	add_rows(source.look, 2, 2);
	pv_note_set(source.look, PV_STR("status.requests"), 4);
	pv_note_set(source.look, PV_STR("status.elapsed_ms"), 20);
	pv_note_set_text(
	    source.look, PV_STR("status.statuses"), PV_STR("404 2\n500 1\n"));
	pv_note_set_text(source.look, PV_STR("policy 1"), PV_STR("two"));
	return source;
}

/* The second one has the last word on what both have. */
static int64_t owner(void *ctx, struct pv_fingerprint fingerprint)
{
	static const struct pv_hash_key key = KEY;
	struct pv_fingerprint both =
	    pv_fingerprint_of(&key, PV_STR("http://a.test/both"));
	struct pv_fingerprint away =
	    pv_fingerprint_of(&key, PV_STR("http://a.test/away"));
	(void)ctx;
	return pv_fingerprint_compare(&both, &fingerprint) == 0 ||
		       pv_fingerprint_compare(&away, &fingerprint) == 0
		   ? 2
		   : 0;
}

/* But the first one has read it last. */
static int64_t reader(void *ctx, struct pv_fingerprint fingerprint)
{
	return owner(ctx, fingerprint) ? 1 : 0;
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

static void claim_number(struct pv_database *database, const char *sql,
    int64_t wanted, const char *claim)
{
	int64_t found = pv_database_number(database, sql);
	if (!ok(found == wanted, "%s", claim))
		printf("# %lld: %s\n", (long long)found,
		    pv_database_fault(database));
}

static const struct {
	const char *sql;
	int64_t wanted;
	const char *claim;
} figures[] = {
    {"SELECT count(*) FROM addresses", 6, "each address has one row"},
    {"SELECT count(*) FROM seen", 6, "and is known once"},
    {"SELECT count(*) FROM addresses WHERE url LIKE '%/both' AND id = 6", 1,
	"of two that are done that of the owner"},
    {"SELECT state FROM addresses WHERE url LIKE '%/later'", 0,
	"what is still to be asked for counts before what is refused"},
    {"SELECT state FROM addresses WHERE url LIKE '%/away'", 3,
	"what the owner has given away since counts least"},
    {"SELECT via FROM addresses WHERE url LIKE '%/on'", 6,
	"what was found on a page that does not count was found on the one "
	"that does"},
    {"SELECT via FROM addresses WHERE url LIKE '%b.test/'", 6,
	"numbers follow those of the source before"},
    {"SELECT via FROM addresses WHERE url = 'http://a.test/'", 0,
	"a seed was found on nothing"},
    {"SELECT count(*) FROM host_states", 2, "each host has one row"},
    {"SELECT pages FROM host_states WHERE name = 'a.test'", 4,
	"with the pages of both"},
    {"SELECT count(*) FROM host_states WHERE state > 1", 0,
	"nobody holds a host"},
    {"SELECT count(*) FROM addresses JOIN host_states ON host_states.id = host"
     " WHERE url LIKE 'http://' || name || '/%'",
	6, "addresses are of their hosts"},
    {"SELECT count FROM counts WHERE state = 2 AND cause = 1", 3,
	"what is done is counted"},
    {"SELECT count FROM counts WHERE state = 0", 1,
	"and so is what is pending"},
    {"SELECT count(*) FROM counts WHERE state = 4", 0,
	"and nothing that is not there"},
    {"SELECT count FROM page_rows WHERE address = 6", 8,
	"of the rows of a page those count that were read last"},
    {"SELECT sum(rows) FROM row_counts", 1 + 2 + 8, "and no others"},
    {"SELECT value FROM crawl WHERE name = 'status.requests'", 7,
	"figures are added up"},
    {"SELECT value FROM crawl WHERE name = 'status.failed'", 0,
	"what has failed is counted anew"},
    {"SELECT count(*) FROM crawl WHERE name = 'status.shard'", 0,
	"and it is no shard"},
    {"SELECT value FROM crawl WHERE name = 'status.elapsed_ms'", 30,
	"of times the longest counts"},
    {"SELECT value FROM crawl WHERE name = 'runs'", 6, "runs are counted"},
};

static void claim_text(
    struct pv_database *database, const char *name, const char *wanted)
{
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	pv_note_get_text(database, pv_str_of(name), &text);
	ok(pv_str_equal(pv_buf_str(&text), pv_str_of(wanted)),
	    "the note of %s is right", name);
	pv_buf_finish(&text);
}

static void append_worker(void *ctx, const struct pv_merged_worker *worker)
{
	pv_buf_append_format(ctx, "%lld:%lld:%lld ", (long long)worker->worker,
	    (long long)worker->place, (long long)worker->runs_before);
}

static void test_workers(struct pv_database *database)
{
	struct pv_buf told;
	pv_buf_init(&told, 4096);
	ok(pv_merge_notes_count(database) == 0, "a crawl's state is no merge");
	pv_merge_notes_set_count(database, 2);
	pv_merge_notes_add(database, &(struct pv_merged_worker){12, 2, 4});
	pv_merge_notes_add(database, &(struct pv_merged_worker){3, 1, 0});
	pv_merge_notes_each(database, append_worker, &told);
	ok(pv_merge_notes_count(database) == 2, "that of a merge says so");
	is_text(pv_buf_str(&told), "3:1:0 12:2:4 ",
	    "workers come in the order of their numbers");
	pv_buf_finish(&told);
}

int main(void)
{
	struct pv_merged_source sources[] = {first(), second()};
	struct pv_merged_state state = {
	    .key = KEY, .owner = owner, .reader = reader, .is_enough = never};
	struct pv_database *database = make();
	pv_merged_state_open(&state, database);
	for (size_t i = 0; i < 2; i++)
		ok(pv_merged_state_announce(&state, &sources[i]),
		    "source %zu is announced", i + 1);
	pv_merged_state_settle(&state);
	for (size_t i = 0; i < 2; i++)
		ok(pv_merged_rows_copy(&state, &sources[i]),
		    "source %zu is copied", i + 1);
	pv_merged_rows_count(&state, 6);
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		claim_number(database, figures[i].sql, figures[i].wanted,
		    figures[i].claim);
	claim_text(database, "status.statuses", "200 3\n404 3\n500 1\n");
	claim_text(database, "policy 1", "one");
	claim_text(database, "policy 5", "two");
	test_workers(database);
	ok(pv_database_status(database) == PV_STORE_OK, "nothing went wrong");
	pv_merged_state_close(&state);
	pv_database_close(database);
	for (size_t i = 0; i < 2; i++)
		pv_database_close(sources[i].look);
	return tap_done();
}
