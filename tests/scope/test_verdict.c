#include "scope/verdict.h"

#include "scope/judge.h"

#define HOST "https://docs.example.org"

/* P4: each reason is a sentence, and has the line of the policy that decided;
 * 0 where no line did. The scope's keys stand on lines of their own, from 4
 * on. */
static const char scope[] =
    "\n"
    "  max_url: 60\n"
    "  depth: 3\n"
    "  hops: 2\n"
    "  below: true\n"
    "  traps: {repeats: 2, segments: 6, parameters: 4,\n"
    "    calendar: {ahead: 36h, back: 365d}}\n"
    "  rules:\n"
    "    - deny: {path: \"/logout*\", ext: [php, asp]}\n"
    "    - allow: {host: \"*.test\"}\n"
    "    - deny: {url: '(?:b+)+[yz]'}\n"
    "fetch: {accept: [text/html]}\n";

#define RESOURCE .kind = PV_LINK_RESOURCE

static const struct {
	const char *address;
	struct pv_scope_link link;
	const char *name;
	const char *sentence;
	uint32_t line;
} cases[] = {
    {HOST "/a/", {.is_seed = true}, "seed", "a seed", 0},
    {"https://x.test/", {0}, "allow", "rule 2, allow: {host: \"*.test\"}", 13},
    {"https://cdn.example.net/", {RESOURCE}, "requisite",
	"a part of a page in scope", 0},
    {HOST "/a/b", {.depth = 1}, "inside", "on the host of a seed", 0},
    {"https://b.example.net/", {.hops = 1}, "hop",
	"off scope, but hop 2 of at most 2", 7},
    {HOST "/a/5678901234567890123456789012345678", {0}, "max_url",
	"61 bytes long, and max_url is 60", 5},
    {HOST ":25/a/", {0}, "port",
	"port 25 is another protocol's, and neither seeds nor domains nor "
	"fetch.resolve name it",
	0},
    {"https://me:x@docs.example.org/a/", {0}, "credentials",
	"carries a user name or password that no seed gives", 0},
    {HOST "/a/", {RESOURCE, .chain = 9}, "chain",
	"9 resources in a row that only resources ask for, of at most 8", 0},
    {HOST "/a/b/c/d/e/f/g", {0}, "segments",
	"7 segments in its path, and traps.segments is 6", 9},
    {HOST "/a/b/a/c/a", {0}, "repeats",
	"3 times one segment in its path, and traps.repeats is 2", 9},
    {HOST "/a/x.png", {RESOURCE}, "type",
	"its name tells image/png, which fetch.accept does not have", 15},
    {HOST "/a/?a&b&c&d&e", {0}, "parameters",
	"5 parameters, and traps.parameters is 4", 9},
    {HOST "/a/?a=1&a=1&a=1", {0}, "same-parameter",
	"3 times one parameter in its query, and traps.repeats is 2", 9},
    {HOST "/a/?a=%252520", {0}, "escaped",
	"escaped 3 times over, and traps.repeats is 2", 9},
    {HOST "/a/?a=b?a=?a=?a=", {0}, "nested",
	"3 times a query within itself, and traps.repeats is 2", 9},
    {HOST "/a/1970-01-03", {.wall_ms = 1}, "ahead",
	"has a date 2 days ahead, and traps.calendar.ahead is 36h", 10},
    {HOST "/a/1968/12", {.wall_ms = 1}, "back",
	"has a date 366 days back, and traps.calendar.back is 365d", 10},
    {HOST "/logout.php", {0}, "deny",
	"rule 1, deny: {path: \"/logout*\", ext: [php, asp]}", 12},
    {HOST "/a/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", {0}, "pattern",
	"rule 3, deny: {url: \"(?:b+)+[yz]\"}: its pattern reached the limit "
	"of a match, which denies",
	14},
    {"https://cdn.example.net/", {RESOURCE, .hops = 1}, "hosts",
	"not on the host of a seed", 0},
    {HOST "/c", {RESOURCE, .hops = 1}, "below", "not below the path of a seed",
	8},
    {HOST "/a/c", {.depth = 4}, "depth", "at depth 4, and depth is 3", 6},
    {"https://b.example.net/", {.hops = 2}, "hops",
	"3 pages off scope, and hops is 2", 7},
};

static void test_sentences(void)
{
	struct court court;
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	open_court(&court, "[https://docs.example.org/a/]", scope);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_scope_verdict verdict =
		    judge(&court, cases[i].address, cases[i].link);
		pv_buf_clear(&text);
		pv_scope_verdict_write(&verdict, &text);
		is_text(pv_str_of(pv_scope_reason_name(verdict.reason)),
		    cases[i].name, "%s", cases[i].address);
		is_text(pv_buf_str(&text), cases[i].sentence, "P4: says so");
		ok(verdict.origin.place.line == cases[i].line,
		    "P4: because of line %u, found %u", cases[i].line,
		    verdict.origin.place.line);
	}
	pv_buf_finish(&text);
	close_court(&court);
}

static const struct {
	const char *scope;
	const char *address;
	const char *sentence;
} hosts[] = {
    {"{hosts: same}", HOST "/", "on the host of a seed"},
    {"{hosts: same}", "https://a.test/", "not on the host of a seed"},
    {"{hosts: site}", HOST "/", "on the site of a seed"},
    {"{hosts: site}", "https://a.test/", "not on the site of a seed"},
    {"{hosts: any}", "https://a.test/", "on any host"},
    {"{hosts: [a.test]}", "https://a.test/", "on a host that is listed"},
    {"{hosts: [a.test]}", HOST "/", "not on a host that is listed"},
};

static void test_hosts(void)
{
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		struct court court;
		struct pv_scope_link page = {.depth = 1};
		open_court(
		    &court, "[https://docs.example.org/]", hosts[i].scope);
		struct pv_scope_verdict verdict =
		    judge(&court, hosts[i].address, page);
		pv_buf_clear(&text);
		pv_scope_verdict_write(&verdict, &text);
		is_text(pv_buf_str(&text), hosts[i].sentence, "%s: %s",
		    hosts[i].scope, hosts[i].address);
		ok(verdict.origin.place.line == 4, "because of scope.hosts");
		close_court(&court);
	}
	pv_buf_finish(&text);
}

/* The names are written into journals: each is one word, and no other's. */
static void test_names(void)
{
	unsigned same = 0;
	for (int i = 0; i < PV_SCOPE_REASONS; i++) {
		const char *name = pv_scope_reason_name(i);
		ok(name && name[0] && !strchr(name, ' '), "reason %d: %s", i,
		    name);
		for (int j = 0; j < i; j++)
			same += strcmp(name, pv_scope_reason_name(j)) == 0;
	}
	ok(same == 0, "no two reasons have one name");
}

int main(void)
{
	test_sentences();
	test_hosts();
	test_names();
	return tap_done();
}
