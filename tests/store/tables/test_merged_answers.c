#include "store/tables/merged_answers.h"

#include "store/schema.h"
#include "store/statement.h"
#include "tap.h"

/* What three hosts have answered, and the figures that they get of it. */

static const struct pv_hash_key key = {{1, 2}};

static const char hosts_sql[] =
    "INSERT INTO host_states(id, name, state, pages, bytes) VALUES"
    "(1, 'a.test', 0, 70, 700), (2, 'b.test', 0, 80, 800),"
    "(3, 'silent.test', 0, 90, 900)";

static const char addresses_sql[] =
    "INSERT INTO addresses(id, host, state, use, depth, depth_left, hops,"
    " redirects, attempt, reason, line, outcome, http_status, bytes,"
    " may_lead_further, via, url, listing) VALUES"
    "(1, 1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 200, 5, 0, 0, 'http://a.test/', 0),"
    "(2, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 200, 5, 0, 0, 'http://a.test/i', 0),"
    "(3, 1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 200, 5, 0, 0, 'http://a.test/s', 4),"
    "(4, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 200, 5, 0, 0, 'http://b.test/', 0)";

static void see(struct pv_database *database, int64_t address, const char *url)
{
	struct pv_statement *add = pv_statement_create(database,
	    "INSERT INTO seen(origin, fingerprint, address) "
	    "VALUES(?1, ?2, ?3)");
	pv_statement_bind_fingerprint(
	    add, 1, pv_fingerprint_of(&key, pv_str_of(url)));
	pv_statement_bind(add, 3, address);
	pv_statement_run(add);
	pv_statement_destroy(add);
}

static struct pv_database *make(void)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_database *database = pv_database_open("");
	pv_schema_apply(pv_state_schema(), database, "state.db", &why);
	pv_database_run(database, hosts_sql);
	pv_database_run(database, addresses_sql);
	see(database, 1, "http://a.test/");
	see(database, 2, "http://a.test/i");
	see(database, 3, "http://a.test/s");
	see(database, 4, "http://b.test/");
	pv_why_finish(&why);
	return database;
}

static const struct {
	const char *host;
	const char *url;
	bool is_success;
	uint64_t bytes;
} answers[] = {
    {"a.test", "http://a.test/robots.txt", false, 1},
    {"a.test", "http://a.test/", true, 10},
    {"a.test", "http://a.test/", true, 10},
    {"a.test", "http://a.test/", false, 100},
    {"a.test", "http://a.test/i", true, 1000},
    {"a.test", "http://a.test/s", true, 10000},
    {"a.test", "http://a.test/unknown", true, 100000},
    {"b.test", "http://b.test/", true, 7},
};

static const struct {
	const char *sql;
	int64_t wanted;
	const char *claim;
} figures[] = {
    {"SELECT pages FROM host_states WHERE name = 'a.test'", 2,
	"a page counts as often as it was answered; an error, an image, a "
	"sitemap and what nobody knows do not"},
    {"SELECT bytes FROM host_states WHERE name = 'a.test'", 111121,
	"all bytes count"},
    {"SELECT pages * 100 + bytes FROM host_states WHERE name = 'b.test'", 107,
	"each host has its own"},
    {"SELECT pages + bytes FROM host_states WHERE name = 'silent.test'", 0,
	"a host that has not answered has none"},
    {"SELECT count(*) FROM sqlite_temp_master WHERE name LIKE 'answer%'", 0,
	"nothing else is left"},
};

int main(void)
{
	struct pv_merged_answers counted;
	struct pv_database *database = make();
	pv_merged_answers_open(&counted, database);
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++)
		pv_merged_answers_add(&counted,
		    &(struct pv_merged_answer){
			.host = pv_str_of(answers[i].host),
			.fingerprint =
			    pv_fingerprint_of(&key, pv_str_of(answers[i].url)),
			.is_success = answers[i].is_success,
			.bytes = answers[i].bytes,
		    });
	pv_merged_answers_count(&counted);
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		int64_t found = pv_database_number(database, figures[i].sql);
		if (!ok(found == figures[i].wanted, "%s", figures[i].claim))
			printf("# %lld\n", (long long)found);
	}
	ok(pv_database_status(database) == PV_STORE_OK, "nothing went wrong");
	pv_merged_answers_close(&counted);
	pv_database_close(database);
	return tap_done();
}
