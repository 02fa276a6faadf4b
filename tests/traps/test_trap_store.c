#include "traps/trap_store.h"

#include "scope/judge.h"
#include "scratch.h"
#include "store/store.h"

/* A run: the state of a crawl, and what is counted in it. */
struct run {
	struct pv_store *store;
	struct pv_traps *traps;
	struct pv_trap_store *kept;
};

static void open_run(
    struct run *run, const struct scratch *scratch, const struct court *court)
{
	struct pv_why why;
	struct pv_store_options options = {
	    .directory = scratch->path,
	    .cache_bytes = 1 << 20,
	    .count_ceiling = 100,
	    .bytes_ceiling = 1 << 20,
	};
	pv_why_init(&why);
	run->store = pv_store_open(&options, &why);
	pv_why_finish(&why);
	run->traps = pv_traps_create(court->policy, run->store->key);
	run->kept = pv_trap_store_open(run->traps, &run->store->writer);
	pv_writer_start(&run->store->writer);
}

static void nothing(struct pv_job *job, struct pv_database *database)
{
	(void)job;
	(void)database;
}

static void done(struct pv_job *job, enum pv_store_status status)
{
	(void)job;
	(void)status;
}

/* Ends after a commit, or as if it were killed before it. */
static void close_run(struct run *run, bool is_killed)
{
	struct pv_job job = {.run = nothing, .done = done, .rows = 1};
	if (!is_killed)
		pv_writer_send(&run->store->writer, &job, 0);
	pv_writer_stop(&run->store->writer);
	pv_trap_store_close(run->kept);
	pv_store_close(run->store);
	pv_traps_destroy(run->traps);
}

static bool take(
    struct run *run, struct court *court, const char *url, uint8_t body)
{
	uint8_t digest[PV_DIGEST_SIZE] = {body};
	pv_url_parse(&court->url, pv_str_of(url));
	return pv_traps_take_page(run->traps, &court->url, digest, false);
}

static bool is_closed(struct run *run, struct court *court, const char *url)
{
	pv_url_parse(&court->url, pv_str_of(url));
	return pv_traps_is_closed(run->traps, &court->url);
}

static bool is_followed(struct run *run, struct court *court, const char *url)
{
	const struct pv_trap_link link = {.url = &court->url, .is_page = true};
	pv_url_parse(&court->url, pv_str_of(url));
	return pv_traps_ask(run->traps, &link) == PV_REASON_NONE;
}

static void test_bodies(struct scratch *scratch, struct court *court)
{
	struct run run;
	open_run(&run, scratch, court);
	take(&run, court, "http://a.test/x/1", 1);
	take(&run, court, "http://a.test/x/2", 1);
	take(&run, court, "http://a.test/y/1", 2);
	close_run(&run, false);
	open_run(&run, scratch, court);
	ok(pv_database_number(
	       run.store->database, "SELECT count(*) FROM trap_bodies") == 2,
	    "what came twice has its rows, what came once has none");
	ok(!take(&run, court, "http://a.test/x/3", 1) &&
		is_closed(&run, court, "http://a.test/x/4"),
	    "P3: what is counted goes on from there");
	ok(take(&run, court, "http://a.test/z/1", 1),
	    "for pages and for patterns");
	close_run(&run, true);
	open_run(&run, scratch, court);
	ok(!is_closed(&run, court, "http://a.test/x/4"),
	    "what was not committed has not been");
	take(&run, court, "http://a.test/x/3", 1);
	take(&run, court, "http://a.test/x/5", 7);
	close_run(&run, false);
	open_run(&run, scratch, court);
	take(&run, court, "http://a.test/x/6", 1);
	take(&run, court, "http://a.test/x/7", 1);
	ok(!is_closed(&run, court, "http://a.test/x/4"),
	    "that another page came in between is kept as well");
	close_run(&run, true);
}

static void test_quotas(struct scratch *scratch, struct court *court)
{
	struct run run;
	open_run(&run, scratch, court);
	is_followed(&run, court, "http://a.test/?PHPSESSID=visitor1");
	is_followed(&run, court, "http://a.test/?PHPSESSID=visitor2");
	close_run(&run, false);
	open_run(&run, scratch, court);
	ok(!is_followed(&run, court, "http://a.test/?PHPSESSID=visitor3") &&
		is_followed(&run, court, "http://a.test/?PHPSESSID=visitor2"),
	    "P3: session identifiers that are followed are kept");
	pv_writer_stop(&run.store->writer);
	pv_database_run(run.store->database,
	    "INSERT INTO host_states(name, state, failures) VALUES"
	    "('one.b.test', 1, 0), ('two.b.test', 0, 1), "
	    "('refused.b.test', 0, 0)");
	close_run(&run, true);
	open_run(&run, scratch, court);
	ok(is_followed(&run, court, "http://three.b.test/") &&
		!is_followed(&run, court, "http://four.b.test/"),
	    "hosts that are visited count, those that never were do not");
	close_run(&run, true);
}

int main(void)
{
	struct scratch scratch;
	struct court court;
	scratch_make(&scratch);
	open_court(&court, "[\"http://a.test/\"]",
	    "{traps: {same_body: 3, sessions: 2, subdomains: 3}}");
	test_bodies(&scratch, &court);
	test_quotas(&scratch, &court);
	close_court(&court);
	scratch_remove(&scratch);
	return tap_done();
}
