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
	struct decision decision;
	const char *sentence;
	uint32_t line;
} cases[] = {
    {HOST "/a/", {.is_seed = true}, BY(SEED, NONE), "a seed", 0},
    {"https://x.test/", {0}, BY(RULES, NONE),
	"rule 2, allow: {host: \"*.test\"}", 13},
    {"https://cdn.example.net/", {RESOURCE}, BY(REQUISITES, NONE),
	"a resource of a page in scope", 0},
    {HOST "/a/b", {.depth = 1}, BY(INSIDE, NONE), "on the host of a seed", 0},
    {"https://b.example.net/", {.hops = 1}, BY(HOPS, NONE),
	"out of scope, but hop 2 of at most 2", 7},
    {HOST "/a/5678901234567890123456789012345678", {0}, BY(MAX_URL, TOO_LONG),
	"61 bytes long, and max_url is 60", 5},
    {HOST ":25/a/", {0}, BY(PORT, PORT),
	"port 25 belongs to another protocol, and neither seeds nor domains "
	"nor "
	"fetch.resolve name it",
	0},
    {"https://me:x@docs.example.org/a/", {0}, BY(CREDENTIALS, CREDENTIALS),
	"has a user name or password that no seed has", 0},
    {HOST "/a/", {RESOURCE, .chain = 9}, BY(CHAIN, CHAINED),
	"9 resources in a row that only resources ask for, of at most 8", 0},
    {HOST "/a/b/c/d/e/f/g", {0}, BY(SEGMENTS, SEGMENTS),
	"7 segments in its path, and traps.segments is 6", 9},
    {HOST "/a/b/a/c/a", {0}, BY(REPEATS, REPEATS),
	"3 times one segment in its path, and traps.repeats is 2", 9},
    {HOST "/a/x.png", {RESOURCE}, BY(TYPE, TYPE),
	"its file extension means image/png, which fetch.accept does not list",
	15},
    {HOST "/a/?a&b&c&d&e", {0}, BY(PARAMETERS, QUERY),
	"5 parameters, and traps.parameters is 4", 9},
    {HOST "/a/?a=1&a=1&a=1", {0}, BY(SAME_PARAMETER, QUERY),
	"3 times one parameter in its query, and traps.repeats is 2", 9},
    {HOST "/a/?a=%252520", {0}, BY(ESCAPED, QUERY),
	"escaped 3 times over, and traps.repeats is 2", 9},
    {HOST "/a/?a=b?a=?a=?a=", {0}, BY(NESTED, QUERY),
	"3 times a query within itself, and traps.repeats is 2", 9},
    {HOST "/a/1970-01-03", {.wall_ms = 1}, BY(AHEAD, CALENDAR),
	"has a date 2 days ahead, and traps.calendar.ahead is 36h", 10},
    {HOST "/a/1968/12", {.wall_ms = 1}, BY(BACK, CALENDAR),
	"has a date 366 days back, and traps.calendar.back is 365d", 10},
    {HOST "/logout.php", {0}, BY(RULES, RULE),
	"rule 1, deny: {path: \"/logout*\", ext: [php, asp]}", 12},
    {HOST "/a/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", {0}, BY(RULES, RULE_GAVE_UP),
	"rule 3, deny: {url: \"(?:b+)+[yz]\"}: its pattern took too long to "
	"match, so the address is denied",
	14},
    {"https://cdn.example.net/", {RESOURCE, .hops = 1}, BY(HOSTS, HOST),
	"not on the host of a seed", 0},
    {HOST "/c", {RESOURCE, .hops = 1}, BY(BELOW, BELOW),
	"not below the path of a seed", 8},
    {HOST ":8443/a/c", {RESOURCE, .hops = 1}, BY(BELOW, OTHER_PORT),
	"at another port of a seed's host", 8},
    {HOST "/a/c", {.depth = 4}, BY(DEPTH, DEPTH), "at depth 4, and depth is 3",
	6},
    {"https://b.example.net/", {.hops = 2}, BY(HOPS, HOPS),
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
		is_judged(&court, "P4", cases[i].address, cases[i].link,
		    cases[i].decision);
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

int main(void)
{
	test_sentences();
	test_hosts();
	return tap_done();
}
