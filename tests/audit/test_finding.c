#include "audit/finding.h"

#include "tap.h"

static void test_words(void)
{
	bool are_whole = true;
	for (unsigned i = 0; i < PV_AUDIT_RULE_COUNT; i++) {
		struct pv_audit_finding finding = {
		    .rule = (enum pv_audit_rule)i, .was = 3, .should = 4};
		struct pv_buf text;
		pv_buf_init(&text, 1000);
		pv_audit_finding_write(&finding, &text);
		are_whole = are_whole && text.len > 10 && !text.is_full &&
			    pv_audit_rule_word(finding.rule)[0] &&
			    pv_audit_rule_promise(finding.rule)[0] == 'P';
		pv_buf_finish(&text);
	}
	ok(are_whole, "P4: each rule has a word, a promise and a sentence");
}

static void test_sentences(void)
{
	static const struct {
		struct pv_audit_finding finding;
		const char *text;
	} cases[] = {
	    {{.rule = PV_AUDIT_DELAY, .was = 10, .should = 1000},
		"the request came after a rest of 10 ms, and must be at least "
		"1000 ms, "
		"by the policy's delay"},
	    {{.rule = PV_AUDIT_ROBOTS_FIRST},
		"the request was made before robots.txt had answered"},
	    {{.rule = PV_AUDIT_ROBOTS, .was = 7},
		"robots.txt forbids the address, line 7"},
	    {{.rule = PV_AUDIT_CONNECTIONS, .was = 3, .should = 2},
		"it ran at the same time as others: 3 requests, and must be at "
		"most 2 "
		"requests, to one host"},
	    {{.rule = PV_AUDIT_LEDGER,
		 .was = 5,
		 .should = 6,
		 .figure = "bytes"},
		"bytes: the ledger says 5, and the journal 6"},
	    {{.rule = PV_AUDIT_OWNER,
		 .handover = {PV_STR("a.test"), 2, -1}},
		"the request was made by worker 2, which did not hold a.test"},
	    {{.rule = PV_AUDIT_OWNERS,
		 .was = 100,
		 .handover = {PV_STR("a.test"), 2, 1}},
		"worker 2 held a.test for 100 ms while worker 1 held it"},
	    {{.rule = PV_AUDIT_OWNERS,
		 .was = -1,
		 .handover = {PV_STR("192.0.2.1"), 2, 1}},
		"worker 2 held 192.0.2.1 while worker 1 held it"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_buf text;
		pv_buf_init(&text, 1000);
		pv_audit_finding_write(&cases[i].finding, &text);
		is_text(pv_buf_str(&text), cases[i].text,
		    "P4: it says what was and what should have been");
		pv_buf_finish(&text);
	}
}

static void test_many(void)
{
	struct pv_audit_findings findings = {.count = 0};
	for (uint32_t i = 0; i < PV_AUDIT_FINDINGS_MAX + 100; i++)
		pv_audit_findings_add(
		    &findings, &(struct pv_audit_finding){.host = i % 100});
	pv_audit_findings_add(
	    &findings, &(struct pv_audit_finding){.host = PV_AUDIT_NO_HOST});
	ok(findings.kept == PV_AUDIT_FINDINGS_MAX &&
		findings.count == PV_AUDIT_FINDINGS_MAX + 101,
	    "P5: only so many are kept, and all are counted");
	ok(pv_audit_findings_of(&findings, 7) ==
		    PV_AUDIT_FINDINGS_MAX / 100 + 1 &&
		pv_audit_findings_of(&findings, 100) == 0 &&
		pv_audit_findings_of(&findings, PV_AUDIT_NO_HOST) == 0,
	    "each with its host");
	pv_audit_findings_finish(&findings);
}

int main(void)
{
	test_words();
	test_sentences();
	test_many();
	return tap_done();
}
