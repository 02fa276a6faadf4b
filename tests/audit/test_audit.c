#include "audit/audit.h"

#include "audit/journal_scene.h"

/* What is read of a crawl, and what of it cannot be; the walks have tests of
 * their own. */

static const struct journal_case cases[] = {
    {"P3: of those that started at once, the gap of the first", HEAD FREE,
	{ROBOTS("a.test"), {"a.test", "/b", 1, 1000, 5, 200, ",\"gap_ms\":0"},
	    {"a.test", "/", 1, 1000, 5, 200, ",\"gap_ms\":1000"}},
	.rule = NULL},
    {"P3: a gap that its times do not leave", HEAD PLAIN,
	{ROBOTS("a.test"),
	    {"a.test", "/", 1, 1000, 5, 200, ",\"gap_ms\":1001"}},
	.rule = "journal", .was = 1000, .should = 1001},
};

/* What cannot be read */

static const struct {
	const char *claim;
	const char *journal; /* NULL: there is none */
	int more;            /* is promised than is there */
	const char *policy;
	const char *text; /* of the problem */
} damages[] = {
    {"no journal", NULL, 0, HEAD, "cannot be opened"},
    {"one that was cut", "", 1, HEAD, "shorter than what was committed"},
    {"a line that is none", "{\"time\":\"now\"}\n", 0, HEAD,
	"is no line of a journal"},
    {"no JSON", "\n", 0, HEAD, "is no line of a journal"},
    {"a line without an end", "{}", 0, HEAD, "is incomplete"},
    {"an address that is none",
	"{\"time\":\"2026-03-01T09:30:00.250Z\",\"url\":\"x\",\"host\":\"a\","
	"\"outcome\":\"answered\",\"run\":1,\"released_ms\":0,\"end_ms\":1}\n",
	0, HEAD, "is no line of a journal"},
    {"a run that never was",
	"{\"time\":\"2026-03-01T09:30:00.250Z\",\"url\":\"http://a.test/\","
	"\"host\":\"a\",\"outcome\":\"answered\",\"run\":900000000000,"
	"\"released_ms\":0,\"end_ms\":1}\n",
	0, HEAD, "is no line of a journal"},
    {"a policy that is wrong",
	"{\"time\":\"2026-03-01T09:30:00.250Z\",\"url\":\"http://a.test/\","
	"\"host\":\"a.test\",\"outcome\":\"answered\",\"run\":1,"
	"\"released_ms\":0,\"end_ms\":1}\n",
	0, "version: 1\nrats: {}\n", "rat"},
};

static void test_damages(void)
{
	static const struct journal_case nothing = {.claim = ""};
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		struct home home;
		struct pv_why why;
		struct pv_str text =
		    pv_str_of(damages[i].journal ? damages[i].journal : "");
		pv_why_init(&why);
		home_make(&home);
		write_state(
		    &home, &nothing, text.len + (uint64_t)damages[i].more);
		if (damages[i].journal)
			home_write(&home, "journal.jsonl", text);
		home_write(&home, "policy.yaml", pv_str_of(damages[i].policy));
		struct pv_audit *audit = pv_audit_create(home.path, NULL, &why);
		const char *found =
		    why.problems.kept_count ? why.problems.kept[0].text : "";
		ok(!audit &&
			(strstr(found, damages[i].text) ||
			    strstr(why.problems.kept[0].key, damages[i].text)),
		    "%s: is told (%s)", damages[i].claim, found);
		pv_audit_destroy(audit);
		pv_why_finish(&why);
		home_remove(&home);
	}
}

static void test_foreign(void)
{
	struct home home;
	struct pv_why why;
	pv_why_init(&why);
	home_make(&home);
	ok(!pv_audit_create(home.path, NULL, &why) && why.problems.count == 1 &&
		strstr(why.problems.kept[0].text, "is not a crawl's directory"),
	    "a directory that is no crawl's is not audited");
	home_write(&home, "state.db", PV_STR("no database at all, and so on"));
	pv_why_finish(&why);
	pv_why_init(&why);
	ok(!pv_audit_create(home.path, NULL, &why) &&
		strstr(why.problems.kept[0].text, "is not a crawl's directory"),
	    "nor one whose state is none");
	pv_why_finish(&why);
	home_remove(&home);
}

static void test_running(void)
{
	struct home home;
	struct pv_why why;
	pv_why_init(&why);
	ok(home_make(&home) && write_all(&home, &cases[0]),
	    "a crawl has a journal");
	struct pv_audit *audit = pv_audit_create(home.path, "UTC", &why);
	struct pv_database *database =
	    pv_database_open(home_file(&home, "state.db"));
	pv_database_run(database, "PRAGMA busy_timeout = 0");
	pv_note_set(database, PV_STR("runs"), 2);
	ok(audit &&
		!pv_database_number(
		    database, "PRAGMA wal_checkpoint(TRUNCATE)") &&
		pv_database_status(database) == PV_STORE_OK,
	    "P5: its audit does not hold the log of the state");
	pv_database_close(database);
	pv_audit_destroy(audit);
	pv_why_finish(&why);
	home_remove(&home);
}

int main(void)
{
	JUDGE_JOURNALS(cases);
	test_damages();
	test_foreign();
	test_running();
	return tap_done();
}
