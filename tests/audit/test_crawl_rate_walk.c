#include "audit/journal_scene.h"
#include "audit/walks.h"

/* The bucket of the crawl and its places. */

#define SLOW "rate: {max_rate: 2, interval: 1s, concurrency: 9}\n"
#define LATE(ms)                                              \
	{                                                     \
		"a.test", "/", 1, ms, 5, 200, ",\"worker\":1" \
	}
#define FIRST                                          \
	{                                              \
		"a.test", "/robots.txt", 1, 0, 5, 404, \
		    ",\"robots\":true,\"worker\":1"    \
	}
#define TIMES                                                         \
	"{\"event\":\"time\",\"worker\":1,\"wall_ms\":1772357400000," \
	"\"server_ms\":1772357400000,\"uncertainty_ms\":0}\n"

static const struct journal_case cases[] = {
    {"P1: the crawl's bucket",
	HEAD FREE "rate: {max_rate: 2, interval: 1s, concurrency: 9}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 5, 200, ""},
	    {"a.test", "/b", 1, 999, 5, 200, ""}},
	.rule = "rate", .was = 0, .should = 1},
    {"P1: which is filled at its ticks",
	HEAD FREE "rate: {max_rate: 2, interval: 1s, concurrency: 9}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 5, 200, ""},
	    {"a.test", "/b", 1, 1000, 5, 200, ""},
	    {"a.test", "/c", 1, 1000, 5, 200, ""}},
	.rule = NULL},
    {"P1: and keeps its burst",
	HEAD FREE
	"rate: {max_rate: 2, interval: 1s, burst: 3, concurrency: 9}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 9000, 5, 200, ""},
	    {"a.test", "/b", 1, 9000, 5, 200, ""},
	    {"a.test", "/c", 1, 9000, 5, 200, ""},
	    {"a.test", "/d", 1, 9000, 5, 200, ""}},
	.rule = "rate", .was = 0, .should = 1},
    {"P1: the ticks of a fleet's worker are where its shares have begun",
	HEAD FREE SLOW, {FIRST, LATE(2400), LATE(2400), LATE(2498), LATE(2498)},
	.is_merge = true, .clocks = TIMES},
    {"P1: but it is no more than one ahead", HEAD FREE SLOW,
	{FIRST, LATE(2400), LATE(2400), LATE(2498), LATE(2498), LATE(2499)},
	.rule = "rate", .was = 0, .should = 1, .is_merge = true,
	.clocks = TIMES},
    {"P1: other workers have theirs", HEAD FREE SLOW,
	{FIRST, LATE(2400), LATE(2400), LATE(2498)}, .rule = "rate", .was = 0,
	.should = 1, .is_merge = true},
    {"P1: more at once than concurrency",
	HEAD FREE "rate: {max_rate: 9, interval: 1s, concurrency: 2}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 500, 200, ""},
	    {"a.test", "/b", 1, 11, 500, 200, ""},
	    {"a.test", "/c", 1, 12, 500, 200, ""}},
	.rule = "concurrency", .was = 3, .should = 2},
    {"P1: and is filled tick by tick",
	HEAD FREE
	"rate: {max_rate: 1, interval: 1s, burst: 5, concurrency: 9}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 2000, 5, 200, ""},
	    {"a.test", "/b", 1, 2000, 5, 200, ""},
	    {"a.test", "/c", 1, 2000, 5, 200, ""}},
	.rule = "rate", .was = 0, .should = 1},
    {"P1: at the first tick it holds max_rate, whatever its burst",
	HEAD FREE
	"rate: {max_rate: 1, interval: 1s, burst: 5, concurrency: 9}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 5, 200, ""}}, .rule = "rate",
	.was = 0, .should = 1},
    {"P1: which each run begins anew",
	HEAD FREE "rate: {max_rate: 2, interval: 1s, concurrency: 9}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 5, 200, ""},
	    {"a.test", "/b", 2, 10, 5, 200, ""},
	    {"a.test", "/c", 2, 11, 5, 200, ""}},
	.run_walls = {0, 5000}},
    {"P1: an end makes room at once",
	HEAD FREE "rate: {max_rate: 9, interval: 1s, concurrency: 2}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 500, 200, ""},
	    {"a.test", "/b", 1, 11, 900, 200, ""},
	    {"a.test", "/c", 1, 510, 500, 200, ""}},
	.rule = NULL},
    {"P1: and what a run has left behind takes none of the next one's",
	HEAD FREE "rate: {max_rate: 9, interval: 1s, concurrency: 1}\n",
	{ROBOTS("a.test"), {"a.test", "/", 1, 10, 9000, 200, ""},
	    {"a.test", "/b", 2, 10, 5, 200, ""}},
	.run_walls = {0, 5000}},
};

/* Starts at one address, whatever the hosts. */

#define PER_ADDRESS "politeness: {delay: 0, delay_factor: 0, ip_delay: 250ms}\n"
#define PROXIED                                     \
	"version: 1\nseeds: [\"http://a.test/\"]\n" \
	"identity: {contact: bot@example.org}\n"    \
	"fetch: {proxy: \"http://127.0.0.1:3128\"}\noutput: {}\n"

static const struct journal_case address_cases[] = {
    {"P1: two hosts at one address",
	HEAD "politeness: {delay: 0, delay_factor: 0, ip_delay: 250ms}\n",
	{ROBOTS("a.test"),
	    {"b.test", "/robots.txt", 1, 249, 5, 404, ",\"robots\":true"}},
	.rule = "address", .was = 249, .should = 250, .host = "b.test"},
    {"P1: another host there, while one cannot be reached, if nothing is to lie "
     "between",
	HEAD FREE,
	{ROBOTS("a.test"), {"a.test", "/", 1, 1000, 80, 0, ""},
	    {"b.test", "/robots.txt", 1, 1009, 5, 404, ",\"robots\":true"}},
	.rule = NULL},
    {"P1: and the stricter of them counts, be it the one before",
	HEAD PER_ADDRESS "domains: {a.test: {ip_delay: 3s}}\n",
	{ROBOTS("a.test"),
	    {"b.test", "/robots.txt", 1, 1000, 5, 404, ",\"robots\":true"}},
	.rule = "address", .was = 1000, .should = 3000, .host = "b.test"},
    {"P1: or the one that comes",
	HEAD PER_ADDRESS "domains: {a.test: {ip_delay: 3s}}\n",
	{ROBOTS("b.test"),
	    {"a.test", "/robots.txt", 1, 1000, 5, 404, ",\"robots\":true"}},
	.rule = "address", .was = 1000, .should = 3000, .host = "a.test"},
    {"P1: as long as it asks for is enough", HEAD PER_ADDRESS,
	{ROBOTS("a.test"),
	    {"b.test", "/robots.txt", 1, 250, 5, 404, ",\"robots\":true"}},
	.rule = NULL},
    {"P1: at another address nobody waits for it", HEAD PER_ADDRESS,
	{ROBOTS("a.test"), {"b.test", "/robots.txt", 1, 1, 5, 404,
			       ",\"robots\":true,\"ip\":\"127.0.0.2\""}},
	.rule = NULL},
    {"P1: nor behind a proxy, whose address it is", PROXIED PER_ADDRESS,
	{ROBOTS("a.test"),
	    {"b.test", "/robots.txt", 1, 1, 5, 404, ",\"robots\":true"}},
	.rule = NULL},
    {"P1: nor in another run, whose times are others", HEAD PER_ADDRESS,
	{ROBOTS("a.test"),
	    {"b.test", "/robots.txt", 2, 1, 5, 404, ",\"robots\":true"}},
	.run_walls = {0, 99000}},
    {"P1: what never went out is counted from its end", HEAD PER_ADDRESS,
	{{"a.test", "/robots.txt", 1, 0, 900, 0,
	     ",\"robots\":true,\"own_fault\":true"},
	    {"b.test", "/robots.txt", 1, 1000, 5, 404, ",\"robots\":true"}},
	.rule = "address", .was = 100, .should = 250, .host = "b.test"},
    {"P2: an address that could not be reached rests for all of its hosts",
	HEAD FREE,
	{{"a.test", "/robots.txt", 1, 0, 80, 0, ",\"robots\":true"},
	    {"b.test", "/robots.txt", 1, 1000, 5, 404, ",\"robots\":true"}},
	.rule = "address-failure", .was = 920, .should = 5000,
	.host = "b.test"},
    {"P2: as long as back-off says and no longer", HEAD FREE,
	{{"a.test", "/robots.txt", 1, 0, 80, 0, ",\"robots\":true"},
	    {"b.test", "/robots.txt", 1, 5080, 5, 404, ",\"robots\":true"}},
	.rule = NULL},
    {"P2: another address does not", HEAD FREE,
	{{"a.test", "/robots.txt", 1, 0, 80, 0, ",\"robots\":true"},
	    {"b.test", "/robots.txt", 1, 1000, 5, 404,
		",\"robots\":true,\"ip\":\"127.0.0.2\""},
	    {"b.test", "/", 1, 2000, 5, 200, ",\"ip\":\"127.0.0.2\""}},
	.rule = NULL},
    {"P2: nor is it one that could not be reached where this machine failed",
	HEAD FREE,
	{{"a.test", "/robots.txt", 1, 0, 80, 0,
	     ",\"robots\":true,\"own_fault\":true"},
	    {"b.test", "/robots.txt", 1, 1000, 5, 404, ",\"robots\":true"}},
	.rule = NULL},
};

static void test_address_walk(void)
{
	JUDGE_JOURNALS(address_cases);
}

int main(void)
{
	JUDGE_JOURNALS(cases);
	test_address_walk();
	return tap_done();
}
