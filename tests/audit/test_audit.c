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

/* Requests 100 ms apart, where a second was promised. */
static const struct journal_case hasty = {
    .policy = HEAD PLAIN,
    .requests =
	{
	    ROBOTS("a.test"),
	    {"a.test", "/1", 1, 1000, 5, 200, ""},
	    {"a.test", "/2", 1, 1100, 5, 200, ""},
	    {"a.test", "/3", 1, 5000, 5, 200, ""},
	    {"a.test", "/4", 1, 5100, 5, 200, ""},
	},
};

/* Two lines in each of its files, as if it had turned to a new one. */
static void split(struct home *home)
{
	struct pv_buf text;
	char name[PV_JOURNAL_NAME_MAX];
	struct pv_database *state =
	    pv_database_open(home_file(home, "state.db"));
	pv_buf_init(&text, 1 << 20);
	home_read(home, "journal.jsonl", &text);
	struct pv_str left = pv_buf_str(&text);
	for (uint64_t generation = 0; left.len; generation++) {
		size_t end = pv_str_find(left, '\n') + 1;
		if (end < left.len)
			end += pv_str_find(pv_str_from(left, end), '\n') + 1;
		pv_journal_name_write(generation, name);
		home_write(home, name, pv_str_head(left, end));
		pv_length_set(state, pv_str_of(name), end);
		left = pv_str_from(left, end);
	}
	pv_database_close(state);
	pv_buf_finish(&text);
}

static unsigned findings_of(
    const struct pv_audit *audit, enum pv_audit_rule rule, int64_t *line)
{
	unsigned count = 0;
	for (size_t i = 0; i < audit->findings.kept; i++) {
		if (audit->findings.items[i].rule != rule)
			continue;
		*line = audit->findings.items[i].line;
		count++;
	}
	return count;
}

static void test_parts(void)
{
	struct home home;
	struct pv_why why;
	char name[PV_JOURNAL_NAME_MAX];
	int64_t line = 0;
	pv_why_init(&why);
	ok(home_make(&home) && write_all(&home, &hasty),
	    "a crawl has a journal");
	split(&home);
	struct pv_audit *audit = pv_audit_create(home.path, "UTC", &why);
	ok(audit && audit->request_count == 5 &&
		findings_of(audit, PV_AUDIT_ROBOTS_FIRST, &line) == 0 &&
		findings_of(audit, PV_AUDIT_DELAY, &line) == 2,
	    "one in several files is judged as a whole");
	ok(audit && pv_audit_parts_place(&audit->parts, line, name) == 1 &&
		strcmp(name, "journal-0002.jsonl") == 0 &&
		pv_audit_parts_place(&audit->parts, 2, name) == 2 &&
		strcmp(name, "journal.jsonl") == 0 &&
		!pv_audit_parts_are_cut(&audit->parts),
	    "P4: and each line is found in its file");
	pv_audit_destroy(audit);
	unlink(home_file(&home, "journal.jsonl"));
	audit = pv_audit_create(home.path, "UTC", &why);
	ok(audit && audit->request_count == 3 &&
		pv_audit_parts_are_cut(&audit->parts) &&
		findings_of(audit, PV_AUDIT_ROBOTS_FIRST, &line) == 0 &&
		findings_of(audit, PV_AUDIT_LEDGER, &line) == 0 &&
		findings_of(audit, PV_AUDIT_DELAY, &line) == 1,
	    "of what is not kept any more nothing is said");
	pv_audit_destroy(audit);
	unlink(home_file(&home, "journal-0001.jsonl"));
	audit = pv_audit_create(home.path, "UTC", &why);
	ok(audit && audit->request_count == 1 &&
		findings_of(audit, PV_AUDIT_DELAY, &line) == 0,
	    "nor of what was before something that is missing");
	pv_audit_destroy(audit);
	unlink(home_file(&home, "journal-0002.jsonl"));
	ok(!pv_audit_create(home.path, "UTC", &why) &&
		strstr(why.problems.kept[0].text, "cannot be opened"),
	    "but that the last is missing is told");
	pv_why_finish(&why);
	home_remove(&home);
}

int main(void)
{
	JUDGE_JOURNALS(cases);
	test_damages();
	test_foreign();
	test_running();
	test_parts();
	return tap_done();
}
