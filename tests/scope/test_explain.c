#include "scope/explain.h"

#include "scope/judge.h"

#define HOST "https://docs.example.org"
#define TODAY INT64_C(1795219200000) /* 21 November 2026 */

static void write_line(const struct pv_scope_line *line, void *ctx)
{
	static const char *const findings[] = {"", " ADMITTED", " REFUSED"};
	struct pv_buf *text = ctx;
	pv_buf_append_format(text, "%s:%s %.*s (", line->key,
	    findings[line->finding], PV_STR_ARG(line->text));
	pv_origin_write(&line->origin, text);
	pv_buf_append_text(text, ")\n");
}

#define BEFORE_RULES                                                         \
	"never.txt: its host is not listed there (default)\n"                \
	"max_url: 26 of at most 2000 bytes (default)\n"                      \
	"credentials: none (default)\n"                                      \
	"chain: a page (default)\n"                                          \
	"traps.segments: 1 of at most 20 (default)\n"                        \
	"traps.repeats: no segment more than 3 times (default)\n"            \
	"traps.parameters: 0 of at most 30 (default)\n"                      \
	"traps.repeats: no parameter more than 3 times, nothing escaped or " \
	"nested more often (default)\n"                                      \
	"traps.calendar: no date further ahead than 730d (default)\n"        \
	"traps.calendar: no date further back than 36500d (default)\n"       \
	"accept: every type is accepted (default)\n"

#define FIRST_RULES                                                          \
	"rules: rule 1, deny: {path: \"/b*\"}: its path does not match "     \
	"(policy.yaml:4)\n"                                                  \
	"rules: rule 2, deny: {ext: [zip], host: \"docs.*\"}: its ext does " \
	"not match (policy.yaml:4)\n"

#define RULES                                                                \
	"{hosts: site, hops: 1, depth: 3, rules: [{deny: {path: \"/b*\"}}, " \
	"{deny: {host: \"docs.*\", ext: [zip]}}, {deny: {url: x$}}]}"

static const struct {
	const char *claim;
	const char *scope;
	const char *address;
	struct pv_scope_link link;
	const char *lines;
} cases[] = {
    {"a page in scope goes by every step", RULES, HOST "/a", {.depth = 2},
	BEFORE_RULES FIRST_RULES
	"rules: rule 3, deny: {url: \"x$\"}: its url does not match "
	"(policy.yaml:4)\n"
	"rules: none matches (policy.yaml:4)\n"
	"seeds: not a seed itself (default)\n"
	"requisites: a page, not a resource of one (default)\n"
	"hosts: on the site of a seed (policy.yaml:4)\n"
	"below: every path is in scope (default)\n"
	"depth: 2 of at most 3 (policy.yaml:4)\n"
	"scope: ADMITTED on the site of a seed (policy.yaml:4)\n"},
    {"the step that decides is the last", RULES, HOST "/x", {.depth = 2},
	BEFORE_RULES FIRST_RULES
	"rules: REFUSED rule 3, deny: {url: \"x$\"} (policy.yaml:4)\n"},
    {"what hosts refuse, hops may admit", "{hops: 1}",
	"https://docs.example.net/a", {.depth = 1},
	"never.txt: its host is not listed there (default)\n"
	"max_url: 26 of at most 2000 bytes (default)\n"
	"credentials: none (default)\n"
	"chain: a page (default)\n"
	"traps.segments: 1 of at most 20 (default)\n"
	"traps.repeats: no segment more than 3 times (default)\n"
	"traps.parameters: 0 of at most 30 (default)\n"
	"traps.repeats: no parameter more than 3 times, nothing escaped or "
	"nested more often (default)\n"
	"traps.calendar: no date further ahead than 730d (default)\n"
	"traps.calendar: no date further back than 36500d (default)\n"
	"accept: every type is accepted (default)\n"
	"rules: there are none (default)\n"
	"seeds: not a seed itself (default)\n"
	"requisites: a page, not a resource of one (default)\n"
	"hosts: not on the host of a seed (default)\n"
	"below: every path is in scope (default)\n"
	"depth: 1, and there is no limit (default)\n"
	"hops: ADMITTED out of scope, but hop 1 of at most 1 "
	"(policy.yaml:4)\n"},
    {"a part of a page, without traps",
	"{requisites: false, below: true, traps: {repeats: none, segments: "
	"none, parameters: none, calendar: {ahead: none, back: none}}}",
	HOST "/a", {.kind = PV_LINK_RESOURCE, .chain = 2},
	"never.txt: its host is not listed there (default)\n"
	"max_url: 26 of at most 2000 bytes (default)\n"
	"credentials: none (default)\n"
	"chain: 2 of at most 8 (default)\n"
	"traps.segments: 1, and there is no limit (policy.yaml:4)\n"
	"traps.repeats: there is no limit (policy.yaml:4)\n"
	"traps.parameters: 0, and there is no limit (policy.yaml:4)\n"
	"traps.repeats: there is no limit (policy.yaml:4)\n"
	"traps.calendar: there is no limit (policy.yaml:4)\n"
	"traps.calendar: there is no limit (policy.yaml:4)\n"
	"accept: every type is accepted (default)\n"
	"rules: there are none (default)\n"
	"seeds: not a seed itself (default)\n"
	"requisites: resources of a page count as any other link "
	"(policy.yaml:4)\n"
	"hosts: on the host of a seed (default)\n"
	"below: below the path of a seed (policy.yaml:4)\n"
	"depth: 0, and there is no limit (default)\n"
	"scope: ADMITTED on the host of a seed (default)\n"},
    {"a date too far ahead", "{}", HOST "/2031/05", {.depth = 1},
	"never.txt: its host is not listed there (default)\n"
	"max_url: 32 of at most 2000 bytes (default)\n"
	"credentials: none (default)\n"
	"chain: a page (default)\n"
	"traps.segments: 2 of at most 20 (default)\n"
	"traps.repeats: no segment more than 3 times (default)\n"
	"traps.parameters: 0 of at most 30 (default)\n"
	"traps.repeats: no parameter more than 3 times, nothing escaped or "
	"nested more often (default)\n"
	"traps.calendar: REFUSED has a date 1622 days ahead, and "
	"traps.calendar.ahead is 730d (default)\n"},
    {"a seed", "{}", HOST "/a", {.is_seed = true},
	"never.txt: its host is not listed there (default)\n"
	"max_url: 26 of at most 2000 bytes (default)\n"
	"credentials: none (default)\n"
	"chain: a page (default)\n"
	"traps.segments: a seed is never treated as a trap (default)\n"
	"traps.repeats: a seed is never treated as a trap (default)\n"
	"traps.parameters: a seed is never treated as a trap (default)\n"
	"traps.repeats: a seed is never treated as a trap (default)\n"
	"traps.calendar: a seed is never treated as a trap (default)\n"
	"traps.calendar: a seed is never treated as a trap (default)\n"
	"accept: every type is accepted (default)\n"
	"rules: there are none (default)\n"
	"seeds: ADMITTED a seed (default)\n"},
};

static void test_cases(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 65536);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct court court;
		struct pv_scope_link link = cases[i].link;
		link.wall_ms = TODAY;
		open_court(
		    &court, "[https://docs.example.org/]", cases[i].scope);
		struct pv_scope_verdict judged =
		    judge(&court, cases[i].address, link);
		link.url = &court.url;
		pv_buf_clear(&text);
		struct pv_scope_verdict explained =
		    pv_scope_explain(court.scope, &link, write_line, &text);
		is_text(pv_buf_str(&text), cases[i].lines, "P4: %s",
		    cases[i].claim);
		ok(explained.reason == judged.reason &&
			explained.step == judged.step,
		    "and the verdict is the judge's");
		close_court(&court);
	}
	pv_buf_finish(&text);
}

/* What a crawl would be told once is not used up by explaining it. */
static void test_news(void)
{
	struct court court;
	struct pv_buf text;
	struct pv_scope_link link = {.depth = 1};
	pv_buf_init(&text, 65536);
	open_court(&court, "[https://docs.example.org/]",
	    "{rules: [{deny: {url: '(?:a+)+[yz]'}}]}");
	pv_url_parse(&court.url,
	    PV_STR(HOST "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	link.url = &court.url;
	pv_scope_explain(court.scope, &link, write_line, &text);
	ok(pv_scope_judge(court.scope, &link).is_news,
	    "a pattern at its limit is still news after it was explained");
	close_court(&court);
	pv_buf_finish(&text);
}

int main(void)
{
	test_cases();
	test_news();
	return tap_done();
}
