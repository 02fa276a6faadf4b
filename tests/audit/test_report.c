#include "audit/report.h"

#include "audit/journal_scene.h"

/* What people and programs are told of an audit, to the letter. */

static const struct journal_case kept = {
    .policy = HEAD PLAIN,
    .requests = {ROBOTS("a.test"),
	{"a.test", "/", 1, 1000, 5, 200, ",\"gap_ms\":1000,\"bytes\":70"},
	{"a.test", "/b", 1, 2000, 5, 200, ",\"gap_ms\":1000,\"bytes\":30"}},
};

/* A delay that is short, a page before robots.txt, a host that was never
 * reached, and a request of a version that did not say when. */
static const struct journal_case broken = {
    .policy = HEAD PLAIN,
    .requests = {ROBOTS("a.test"),
	{"a.test", "/", 1, 1000, 5, 200, ",\"rule\":\"delay\""},
	{"a.test", "/b", 1, 1250, 5, 404, ",\"rule\":\"delay\""},
	{"a.test", "/old", 0, 3000, 5, 200, ""},
	{"b.test", "/", 1, 4000, 5, 200, ""},
	{"c.test", "/robots.txt", 1, 9000, 5, 0, ",\"robots\":true"}},
};

static void append(void *ctx, const char *text, size_t len)
{
	pv_buf_append(ctx, (struct pv_str){text, len});
}

/* What is told of the journal, of all hosts or of one. */
struct told {
	struct home home;
	struct pv_audit *audit;
	struct pv_buf text;
	struct pv_audit_report report;
};

static bool open_told(
    struct told *told, const struct journal_case *it, const char *host)
{
	struct pv_why why;
	pv_why_init(&why);
	pv_buf_init(&told->text, 1 << 20);
	told->audit = NULL;
	if (home_make(&told->home) && write_all(&told->home, it))
		told->audit = pv_audit_create(told->home.path, "UTC", &why);
	told->report = (struct pv_audit_report){
	    .audit = told->audit,
	    .host = pv_str_of(host),
	    .write = append,
	    .ctx = &told->text,
	};
	pv_why_finish(&why);
	return ok(told->audit, "a crawl can be audited");
}

static void close_told(struct told *told)
{
	pv_audit_destroy(told->audit);
	pv_buf_finish(&told->text);
	home_remove(&told->home);
}

/* Of a ledger, which these crawls have not, nothing is to be told. */
static void leave_ledger_out(struct pv_audit *audit)
{
	struct pv_audit_findings found = audit->findings;
	audit->findings = (struct pv_audit_findings){.count = 0};
	for (size_t i = 0; i < found.kept; i++) {
		if (found.items[i].rule != PV_AUDIT_LEDGER)
			pv_audit_findings_add(
			    &audit->findings, &found.items[i]);
	}
	pv_audit_findings_finish(&found);
}

static void add_of_the_crawl(struct pv_audit *audit)
{
	pv_audit_findings_add(&audit->findings, &(struct pv_audit_finding){
						    .rule = PV_AUDIT_LEDGER,
						    .host = PV_AUDIT_NO_HOST,
						    .was = 2,
						    .should = 3,
						    .figure = "hosts",
						});
}

static void test_kept(void)
{
	struct told told;
	if (!open_told(&told, &kept, ""))
		return;
	leave_ledger_out(told.audit);
	pv_audit_write_text(&told.report);
	is_text(pv_buf_str(&told.text),
	    "3 requests to 1 host, from 2026-03-01 09:30:00 to 2026-03-01"
	    " 09:30:02 UTC\n"
	    "\n"
	    "                                 smallest    median         "
	    "         quickest\n"
	    "requests    pages         bytes    gap ms    gap ms at once "
	    "429/503 reaction  last robots.txt (UTC) paced by    broken  "
	    "host\n"
	    "       3        2           100      1000      1000       1 "
	    "      0         -  2026-03-01 09:30:00  -                0  "
	    "a.test\n"
	    "\n"
	    "Every promise was kept.\n",
	    "a table of a crawl that kept all");
	pv_buf_clear(&told.text);
	pv_audit_write_json(&told.report);
	is_text(pv_buf_str(&told.text),
	    "{\"kept\":true,\"broken\":0,\"requests\":3,\"undated\":0,\"h"
	    "osts\":[{\"host\":\"a.test\",\"requests\":3,\"bytes\":100,\""
	    "least_gap_ms\":1000,\"median_gap_ms\":1000.0,\"most_at_once"
	    "\":1,\"answers_429\":0,\"answers_503\":0,\"robots_requests\""
	    ":1,\"robots_wall_ms\":1772357400000,\"rules\":{},\"pages\":2"
	    ",\"unsent\":0,\"first_wall_ms\":1772357400000,\"last_wall_ms"
	    "\":1772357402000,\"broken\":0}],\"violations\":[]}\n",
	    "and the same for programs");
	close_told(&told);
}

static void test_broken(void)
{
	struct told told;
	if (!open_told(&told, &broken, ""))
		return;
	leave_ledger_out(told.audit);
	add_of_the_crawl(told.audit);
	pv_audit_write_text(&told.report);
	is_text(pv_buf_str(&told.text),
	    "5 requests to 3 hosts, from 2026-03-01 09:30:00 to 2026-03-0"
	    "1 09:30:09 UTC\n"
	    "1 request has no time in the journal, and cannot be judged\n"
	    "\n"
	    "                                 smallest    median         "
	    "         quickest\n"
	    "requests    pages         bytes    gap ms    gap ms at once "
	    "429/503 reaction  last robots.txt (UTC) paced by    broken  "
	    "host\n"
	    "       3        1             0         -         -       1 "
	    "      0         -  2026-03-01 09:30:00  delay            1  "
	    "a.test\n"
	    "       1        1             0         -         -       1 "
	    "      0         -  -                    -                1  "
	    "b.test\n"
	    "       0        0             0         -         -       0 "
	    "      0         -  -                    -                0  "
	    "c.test\n"
	    "\n"
	    "3 promises were broken:\n"
	    "  journal.jsonl:5: b.test: 2026-03-01 09:30:04.000 UTC: robo"
	    "ts-first (P1): the request was made before robots.txt had "
	    "answered\n"
	    "  journal.jsonl:3: a.test: 2026-03-01 09:30:01.250 UTC: dela"
	    "y (P1): the request came after a rest of 250 ms, and must be at "
	    "least"
	    " 1000 ms, by the policy's delay\n"
	    "  the whole crawl: ledger (P3): hosts: the ledger says 2, an"
	    "d the journal 3\n",
	    "P4: each promise that was broken is told, with its line, host and "
	    "time");
	pv_buf_clear(&told.text);
	pv_audit_write_json(&told.report);
	is_text(pv_buf_str(&told.text),
	    "{\"kept\":false,\"broken\":3,\"requests\":5,\"undated\":1,\""
	    "hosts\":[{\"host\":\"a.test\",\"requests\":3,\"bytes\":0,\"m"
	    "ost_at_once\":1,\"answers_429\":0,\"answers_503\":0,\"robots"
	    "_requests\":1,\"robots_wall_ms\":1772357400000,\"rules\":{\""
	    "delay\":2},\"pages\":1,\"unsent\":0,\"first_wall_ms\":177235"
	    "7400000,\"last_wall_ms\":1772357401250,\"broken\":1},{\"host"
	    "\":\"b.test\",\"requests\":1,\"bytes\":0,\"most_at_once\":1,"
	    "\"answers_429\":0,\"answers_503\":0,\"robots_requests\":0,\""
	    "rules\":{},\"pages\":1,\"unsent\":0,\"first_wall_ms\":177235"
	    "7404000,\"last_wall_ms\":1772357404000,\"broken\":1},{\"host"
	    "\":\"c.test\",\"requests\":0,\"bytes\":0,\"most_at_once\":0,"
	    "\"answers_429\":0,\"answers_503\":0,\"robots_requests\":0,\""
	    "rules\":{},\"pages\":0,\"unsent\":1,\"first_wall_ms\":177235"
	    "7409000,\"last_wall_ms\":1772357409000,\"broken\":0}],\"viol"
	    "ations\":[{\"rule\":\"robots-first\",\"promise\":\"P1\",\"ho"
	    "st\":\"b.test\",\"line\":5,\"wall_ms\":1772357404000,\"was\""
	    ":0,\"should\":0,\"unit\":\"\",\"sentence\":\"the request was made "
	    "before robots.txt had answered\"},{\"rule\":\"delay\",\"promis"
	    "e\":\"P1\",\"host\":\"a.test\",\"line\":3,\"wall_ms\":177235"
	    "7401250,\"was\":250,\"should\":1000,\"unit\":\"ms\",\"senten"
	    "ce\":\"the request came after a rest of 250 ms, and must be at "
	    "least "
	    "1000 ms, by the policy's delay\"},{\"rule\":\"ledger\",\"pro"
	    "mise\":\"P3\",\"was\":2,\"should\":3,\"unit\":\"\",\"figure"
	    "\":\"hosts\",\"sentence\":\"hosts: the ledger says 2, and th"
	    "e journal 3\"}]}\n",
	    "P4: and the same for programs");
	close_told(&told);
}

static void test_one_host(void)
{
	struct told told;
	if (!open_told(&told, &broken, "a.test"))
		return;
	leave_ledger_out(told.audit);
	add_of_the_crawl(told.audit);
	ok(pv_audit_knows(told.audit, PV_STR("a.test")) &&
		!pv_audit_knows(told.audit, PV_STR("d.test")),
	    "it is known who was asked");
	pv_audit_write_text(&told.report);
	is_text(pv_buf_str(&told.text),
	    "5 requests to 3 hosts, from 2026-03-01 09:30:00 to 2026-03-0"
	    "1 09:30:09 UTC\n"
	    "1 request has no time in the journal, and cannot be judged\n"
	    "\n"
	    "a.test\n"
	    "  requests                     3\n"
	    "  not sent                     0\n"
	    "  pages and files (2xx)        1\n"
	    "  bytes of bodies              0\n"
	    "  first request                2026-03-01 09:30:00.000 UTC\n"
	    "  last request                 2026-03-01 09:30:01.250 UTC\n"
	    "  smallest gap between starts  -\n"
	    "  median gap                   -\n"
	    "  at the same time, at most    1\n"
	    "  answers of 429               0\n"
	    "  answers of 503               0\n"
	    "  next request after one       -\n"
	    "  requests for robots.txt      1\n"
	    "  the last of them             2026-03-01 09:30:00.000 UTC\n"
	    "  what set the pace            delay 2\n"
	    "\n"
	    "1 promise was broken:\n"
	    "  journal.jsonl:3: a.test: 2026-03-01 09:30:01.250 UTC: dela"
	    "y (P1): the request came after a rest of 250 ms, and must be at "
	    "least"
	    " 1000 ms, by the policy's delay\n",
	    "P4: of one host all figures are told, and what it was promised");
	pv_buf_clear(&told.text);
	pv_audit_write_json(&told.report);
	is_text(pv_buf_str(&told.text),
	    "{\"kept\":false,\"broken\":1,\"requests\":5,\"undated\":1,\""
	    "hosts\":[{\"host\":\"a.test\",\"requests\":3,\"bytes\":0,\"m"
	    "ost_at_once\":1,\"answers_429\":0,\"answers_503\":0,\"robots"
	    "_requests\":1,\"robots_wall_ms\":1772357400000,\"rules\":{\""
	    "delay\":2},\"pages\":1,\"unsent\":0,\"first_wall_ms\":177235"
	    "7400000,\"last_wall_ms\":1772357401250,\"broken\":1}],\"viol"
	    "ations\":[{\"rule\":\"delay\",\"promise\":\"P1\",\"host\":\""
	    "a.test\",\"line\":3,\"wall_ms\":1772357401250,\"was\":250,\""
	    "should\":1000,\"unit\":\"ms\",\"sentence\":\"the request came "
	    "after a rest of 250 ms, and must be at least 1000 ms, by the "
	    "policy"
	    "'s delay\"}]}\n",
	    "P4: and the same for programs");
	close_told(&told);
}

static void test_one_kept_host(void)
{
	struct told told;
	if (!open_told(&told, &broken, "c.test"))
		return;
	leave_ledger_out(told.audit);
	pv_audit_write_text(&told.report);
	is_text(pv_buf_str(&told.text),
	    "5 requests to 3 hosts, from 2026-03-01 09:30:00 to 2026-03-0"
	    "1 09:30:09 UTC\n"
	    "1 request has no time in the journal, and cannot be judged\n"
	    "\n"
	    "c.test\n"
	    "  requests                     0\n"
	    "  not sent                     1\n"
	    "  pages and files (2xx)        0\n"
	    "  bytes of bodies              0\n"
	    "  first request                2026-03-01 09:30:09.000 UTC\n"
	    "  last request                 2026-03-01 09:30:09.000 UTC\n"
	    "  smallest gap between starts  -\n"
	    "  median gap                   -\n"
	    "  at the same time, at most    0\n"
	    "  answers of 429               0\n"
	    "  answers of 503               0\n"
	    "  next request after one       -\n"
	    "  requests for robots.txt      0\n"
	    "  what set the pace            nothing\n"
	    "\n"
	    "Every promise was kept.\n",
	    "who was promised nothing that was broken is told so, whatever "
	    "others were");
	close_told(&told);
}

static void test_many(void)
{
	struct told told;
	if (!open_told(&told, &kept, ""))
		return;
	leave_ledger_out(told.audit);
	for (size_t i = 0; i < PV_AUDIT_FINDINGS_MAX + 1; i++)
		pv_audit_findings_add(&told.audit->findings,
		    &(struct pv_audit_finding){.rule = PV_AUDIT_DELAY});
	pv_audit_write_text(&told.report);
	ok(strstr(pv_buf_text(&told.text), "\n10001 promises were broken:\n") &&
		strstr(pv_buf_text(&told.text),
		    "  and more: only the first 10000 of all hosts are "
		    "listed\n"),
	    "P5: of very many only the first are told, and all are counted");
	close_told(&told);
}

int main(void)
{
	test_kept();
	test_broken();
	test_one_host();
	test_one_kept_host();
	test_many();
	return tap_done();
}
