#include "scope/rule_match.h"

#include "scope/judge.h"

#define HOST "https://docs.example.org"

/* Whether the only rule, which denies, means an address. */
static const struct {
	const char *rule;
	const char *address;
	bool is_match;
} cases[] = {
    /* path */
    {"path: /a", HOST "/a", true},
    {"path: /a", HOST "/a/", false},
    {"path: /a", HOST "/b/a", false},
    {"path: /a", HOST "/A", false},
    {"path: /a", HOST "/a?q=1", true},
    {"path: /a", HOST "/a#b", true},
    {"path: \"/a*\"", HOST "/ab/c/d", true},
    {"path: \"*/print\"", HOST "/a/b/print", true},
    {"path: \"*/print\"", HOST "/a/b/print?x", true},
    {"path: \"/*/print/*\"", HOST "/a/print/b", true},
    {"path: \"*q=1*\"", HOST "/a?q=1", false},
    {"path: \"*?*q=1*\"", HOST "/a?p=2&q=1", true},
    {"path: \"/a?q=*\"", HOST "/a?q=1", true},
    {"path: \"/a?q=*\"", HOST "/a", false},
    {"path: \"*?*\"", HOST "/a?", true},
    {"path: \"*?*\"", HOST "/a", false},
    {"path: \"*?*\"", HOST "/a#?", false},
    {"path: \"/b\xc3\xbcro/*\"", HOST "/b\xc3\xbcro/a", true},
    {"path: \"/b\xc3\xbcro/*\"", HOST "/b%C3%BCro/a", true},
    {"path: \"/b%C3%BCro/*\"", HOST "/b\xc3\xbcro/a", true},
    {"path: \"*?q=\xc3\xbc\"", HOST "/?q=\xc3\xbc", true},
    {"path: \"/~a\"", HOST "/%7Ea", false},

    /* ext */
    {"ext: [pdf]", HOST "/a.pdf", true},
    {"ext: [pdf]", HOST "/a.PDF", true},
    {"ext: [.PDF]", HOST "/a.pdf", true},
    {"ext: [zip, pdf]", HOST "/a/b.pdf", true},
    {"ext: [pdf]", HOST "/a.pdf?download", true},
    {"ext: [pdf]", HOST "/a?b.pdf", false},
    {"ext: [pdf]", HOST "/a.pdf/b", false},
    {"ext: [pdf]", HOST "/a.pdf/", false},
    {"ext: [pdf]", HOST "/pdf", false},
    {"ext: [pdf]", HOST "/.pdf", false},
    {"ext: [pdf]", HOST "/a.xpdf", false},
    {"ext: [pdf]", HOST "/a.pdf.html", false},
    {"ext: [pdf]", HOST "/a.pdf;version=2", true},
    {"ext: [pdf]", HOST "/a;b.pdf", true},
    {"ext: [pdf]", HOST "/", false},
    {"ext: [org]", HOST "/", false},
    {"ext: [gz]", HOST "/a.tar.gz", true},
    {"ext: [tar.gz]", HOST "/a.tar.gz", true},
    {"ext: [tar.gz]", HOST "/a.Tar.GZ", true},
    {"ext: [tar.gz]", HOST "/a.gz", false},
    {"ext: [tar]", HOST "/a.tar.gz", false},

    /* host */
    {"host: docs.example.org", HOST "/", true},
    {"host: Docs.Example.ORG", HOST "/", true},
    {"host: docs.example.org", "https://docs.example.org./", true},
    {"host: docs.example.org", HOST ":8443/", true},
    {"host: example.org", HOST "/", false},
    {"host: \"*.example.org\"", HOST "/", true},
    {"host: \"*.example.org\"", "https://example.org/", false},
    {"host: \"*example.org\"", "https://example.org/", true},
    {"host: \"docs.*\"", HOST "/", true},
    {"host: b\xc3\xbcro.example", "https://xn--bro-hoa.example/", true},
    {"host: \"192.0.2.1\"", "http://192.0.2.1/", true},
    {"host: \"192.0.2.*\"", "http://192.0.2.77/", true},
    {"host: \"::1\"", "http://[::1]:8080/", true},
    {"host: \"[::1]\"", "http://[::1]/", true},
    {"host: \"[2001:db8:*]\"", "http://[2001:db8::7]/", true},
    {"host: \"2001:db8:*\"", "http://[2001:db8::7]/", true},

    /* url */
    {"url: ^https://docs", HOST "/", true},
    {"url: ^docs", HOST "/", false},
    {"url: \"[?&]print=1\"", HOST "/a?b=2&print=1", true},
    {"url: print", HOST "/a#print", false},
    {"url: /A", HOST "/a", false},
    {"url: (?i)/A", HOST "/a", true},

    /* together */
    {"path: \"/a*\", ext: [pdf], host: \"docs*\", url: \"b\"", HOST "/ab.pdf",
	true},
    {"path: \"/a*\", ext: [pdf], host: \"docs*\", url: \"b\"", HOST "/ac.pdf",
	false},
    {"path: \"/a*\", ext: [pdf], host: \"www*\", url: \"b\"", HOST "/ab.pdf",
	false},
    {"path: \"/a*\", ext: [zip], host: \"docs*\", url: \"b\"", HOST "/ab.pdf",
	false},
    {"path: \"/b*\", ext: [pdf], host: \"docs*\", url: \"b\"", HOST "/ab.pdf",
	false},
};

static void test_case(const char *rule, const char *address, bool is_match)
{
	struct court court;
	struct pv_buf scope;
	struct pv_scope_link link = {.depth = 1};
	pv_buf_init(&scope, 4096);
	pv_buf_append_format(
	    &scope, "{hosts: any, rules: [{deny: {%s}}]}", rule);
	open_court(&court, "[https://docs.example.org/]", pv_buf_text(&scope));
	is_judged(&court, is_match ? "matches" : "does not match", address,
	    link,
	    is_match ? (struct decision)BY(RULES, RULE)
		     : (struct decision)BY(INSIDE, NONE));
	close_court(&court);
	pv_buf_finish(&scope);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		test_case(cases[i].rule, cases[i].address, cases[i].is_match);
	return tap_done();
}
