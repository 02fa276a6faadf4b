#include "reading/findings.h"

#include "tap.h"

static void test_remarks(void)
{
	struct pv_findings findings;
	pv_findings_init(&findings);
	pv_findings_remark(&findings, "first");
	pv_findings_remark(&findings, "second");
	is_text(
	    pv_str_of(findings.why), "first", "P4: the first remark counts");
	pv_findings_add_remark(&findings, "third");
	is_text(pv_str_of(findings.why), "first; third",
	    "P4: one that is added stands behind it");
	memset(findings.why, 'x', sizeof(findings.why) - 1);
	pv_findings_add_remark(&findings, "not tried again");
	ok(strstr(findings.why, "x; not tried again"),
	    "P4: whatever else there is to say, there is room for it");
	pv_findings_clear(&findings);
	pv_findings_add_remark(&findings, "alone");
	is_text(pv_str_of(findings.why), "alone", "and alone without one");
	pv_findings_finish(&findings);
}

static void test_clear(void)
{
	const struct pv_link link = {
	    .url = PV_STR("https://b.test/"), .host = PV_STR("b.test")};
	struct pv_findings findings;
	pv_findings_init(&findings);
	size_t empty = pv_findings_bytes(&findings);
	pv_link_list_add(&findings.links.list, &link);
	pv_buf_append_text(&findings.redirect.moved_to, "https://c.test/");
	pv_buf_append_text(&findings.robots.text, "User-agent: *");
	pv_terms_add(&findings.terms, PV_TERM_ROBOTS_TAG, PV_STR("noindex"));
	findings.is_kept = findings.links.has_vouched =
	    findings.robots.has_copy = true;
	ok(pv_findings_bytes(&findings) > empty,
	    "P5: the memory of findings is counted");
	pv_findings_clear(&findings);
	ok(!findings.links.list.count && !findings.redirect.moved_to.len &&
		!findings.robots.text.len && !findings.terms.count &&
		!findings.is_kept && !findings.links.has_vouched &&
		!findings.robots.has_copy,
	    "P7: the next answer's findings have nothing of those before");
	pv_findings_finish(&findings);
}

int main(void)
{
	test_remarks();
	test_clear();
	return tap_done();
}
