#include "audit/journal_scene.h"

/* Hosts that go from one worker to another. Both begin at the same time by the
 * server's clock, so that a time of a run is the same for both. */

#define ONE ",\"worker\":1"
#define TWO ",\"worker\":2"
#define ROBOTS_OF_ONE                                                         \
	{                                                                     \
		"a.test", "/robots.txt", 1, 0, 5, 404, ",\"robots\":true" ONE \
	}
#define TIME(worker, wall, uncertainty)                               \
	"{\"event\":\"time\",\"worker\":" worker ",\"wall_ms\":" wall \
	",\"server_ms\":1772357400000,\"uncertainty_ms\":" uncertainty "}\n"
#define SURE TIME("1", "1772357400000", "0") TIME("2", "1772357400000", "0")
#define UNSURE TIME("1", "1772357400000", "2") TIME("2", "1772357400000", "3")
#define FROM_END                                                     \
	"politeness: {delay: 1s, delay_from: end, delay_factor: 0, " \
	"ip_delay: 0}\n"
#define BY_ADDRESS "politeness: {delay: 0, delay_factor: 0, ip_delay: 1s}\n"
#define SHORTER                                                           \
	"politeness: {delay: 500ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0}\n"
#define SLOW                                                               \
	"politeness: {delay: 500ms, delay_from: start, delay_factor: 10, " \
	"ip_delay: 0}\n"
#define TWO_AT_ONCE                                                       \
	"politeness: {delay: 500ms, delay_from: start, delay_factor: 0, " \
	"ip_delay: 0, connections: 2}\n"
#define BY_ADDRESS_LESS \
	"politeness: {delay: 0, delay_factor: 0, ip_delay: 100ms}\n"

/* A page of the first worker, then one of the second. */
#define PAIR(first_ms, took_ms, status, more, second_ms)                     \
	{                                                                    \
		ROBOTS_OF_ONE,                                               \
		    {"a.test", "/", 1, first_ms, took_ms, status, more ONE}, \
		{                                                            \
			"a.test", "/b", 1, second_ms, 5, 200, TWO            \
		}                                                            \
	}

static const struct journal_case cases[] = {
    {"P1: a handover after a whole delay", HEAD PLAIN,
	PAIR(1000, 5, 200, "", 2000), .is_merge = true, .clocks = SURE},
    {"P1: a handover one millisecond too early", HEAD PLAIN,
	PAIR(1000, 5, 200, "", 1999), .rule = "delay", .was = 999,
	.should = 1000, .is_merge = true, .clocks = SURE},
    {"P1: one that is as early as both measurements are uncertain", HEAD PLAIN,
	PAIR(1000, 5, 200, "", 1995), .is_merge = true, .clocks = UNSURE},
    {"P1: one that is earlier than that", HEAD PLAIN,
	PAIR(1000, 5, 200, "", 1994), .rule = "delay", .was = 994,
	.should = 1000, .is_merge = true, .clocks = UNSURE},
    {"P1: without a measurement two clocks on the wall are a little apart",
	HEAD PLAIN, PAIR(1000, 5, 200, "", 1985), .is_merge = true},
    {"P1: and no more than that", HEAD PLAIN, PAIR(1000, 5, 200, "", 1900),
	.rule = "delay", .was = 900, .should = 1000, .is_merge = true},
    {"P1: a delay from the end, too", HEAD FROM_END,
	PAIR(2000, 100, 200, "", 3099), .rule = "delay", .was = 999,
	.should = 1000, .is_merge = true, .clocks = SURE},
    {"P1: when it ended is not known of one whose worker was stopped",
	HEAD FROM_END, PAIR(2000, 90000, 0, ",\"own_fault\":true", 3000),
	.is_merge = true, .clocks = SURE},
    {"P1: but when it began", HEAD FROM_END,
	PAIR(2000, 90000, 0, ",\"own_fault\":true", 2999), .rule = "delay",
	.was = 999, .should = 1000, .is_merge = true, .clocks = SURE},
    {"P2: a Retry-After that another worker heard", HEAD PLAIN,
	PAIR(1000, 5, 503, ",\"retry_after_ms\":90000", 50000),
	.rule = "retry-after", .was = 48995, .should = 90000, .is_merge = true,
	.clocks = SURE},
    {"P2: when it is over", HEAD PLAIN,
	PAIR(1000, 5, 503, ",\"retry_after_ms\":90000", 91005),
	.is_merge = true, .clocks = SURE},
    {"P2: back-off after a failure of another worker", HEAD PLAIN,
	PAIR(1000, 5, 0, ",\"ip\":\"\"", 3000), .rule = "failure", .was = 2000,
	.should = 5000, .is_merge = true, .clocks = SURE},
    {"P1: two workers at one time", HEAD FROM_END,
	PAIR(2000, 5000, 200, "", 4000), .rule = "connections", .was = 2,
	.should = 1, .is_merge = true, .clocks = SURE},
    {"P1: an address that two workers asked", HEAD BY_ADDRESS,
	{ROBOTS_OF_ONE, {"a.test", "/", 1, 1000, 5, 200, ONE},
	    {"b.test", "/robots.txt", 1, 1500, 5, 404, ",\"robots\":true" TWO}},
	.rule = "address", .was = 500, .should = 1000, .host = "b.test",
	.is_merge = true, .clocks = SURE},
    {"P1: a clock that is an hour ahead is reckoned back", HEAD PLAIN,
	{ROBOTS_OF_ONE, {"a.test", "/", 1, 1000, 5, 200, ONE},
	    {"a.test", "/b", 1, 1999, 5, 200, TWO},
	    {"a.test", "/c", 1, 3500, 5, 200, ONE}},
	.rule = "delay", .was = 999, .should = 1000, .is_merge = true,
	.ahead_ms = 3600000,
	.clocks =
	    TIME("1", "1772357400000", "0") TIME("2", "1772361000000", "0")},
    {"P1: a worker's own requests are judged by its own clock", HEAD PLAIN,
	{ROBOTS_OF_ONE, {"a.test", "/", 1, 1000, 5, 200, ONE},
	    {"a.test", "/b", 1, 1999, 5, 200, ONE}},
	.rule = "delay", .was = 999, .should = 1000, .is_merge = true,
	.clocks = UNSURE},
    {"P7: robots.txt that one worker has heard holds for the others",
	HEAD PLAIN, {ROBOTS_OF_ONE, {"a.test", "/", 1, 2000, 5, 200, TWO}},
	.is_merge = true, .clocks = SURE},
    {"P7: and not before it has", HEAD FREE,
	{{"a.test", "/", 1, 0, 5, 200, TWO},
	    {"a.test", "/robots.txt", 1, 2000, 5, 404, ",\"robots\":true" ONE}},
	.rule = "robots-first", .is_merge = true, .clocks = SURE},

    /* The policy has changed between them: the second worker has another. */
    {"P1: a longer delay of the worker that asked first is owed", HEAD PLAIN,
	PAIR(1000, 5, 200, "", 1999), .rule = "delay", .was = 999,
	.should = 1000, .is_merge = true, .clocks = SURE,
	.policy_2 = HEAD SHORTER},
    {"P1: when it is over", HEAD PLAIN, PAIR(1000, 5, 200, "", 2000),
	.is_merge = true, .clocks = SURE, .policy_2 = HEAD SHORTER},
    {"P1: a longer one of the next counts from the last request", HEAD SHORTER,
	PAIR(1000, 5, 200, "", 1999), .rule = "delay", .was = 999,
	.should = 1000, .is_merge = true, .clocks = SURE,
	.policy_2 = HEAD PLAIN},
    {"P1: each worker's own requests keep its own delay", HEAD PLAIN,
	{ROBOTS_OF_ONE, {"a.test", "/", 1, 1000, 5, 200, ONE},
	    {"a.test", "/b", 1, 2000, 5, 200, TWO},
	    {"a.test", "/c", 1, 2500, 5, 200, TWO}},
	.is_merge = true, .clocks = SURE, .policy_2 = HEAD SHORTER},
    {"P1: which for the other one would be too short", HEAD PLAIN,
	{ROBOTS_OF_ONE, {"a.test", "/", 1, 1000, 5, 200, ONE},
	    {"a.test", "/b", 1, 1500, 5, 200, ONE},
	    {"a.test", "/c", 1, 2500, 5, 200, TWO}},
	.rule = "delay", .was = 500, .should = 1000, .is_merge = true,
	.clocks = SURE, .policy_2 = HEAD SHORTER},
    {"P1: a rest for a slow answer, by the factor of the worker that had it",
	HEAD SLOW, PAIR(1000, 200, 200, "", 2999), .rule = "slow", .was = 1999,
	.should = 2000, .is_merge = true, .clocks = SURE,
	.policy_2 = HEAD SHORTER},
    {"P1: a rest from the end, by the policy of the worker that asked",
	HEAD FROM_END, PAIR(2000, 500, 200, "", 3499), .rule = "delay",
	.was = 999, .should = 1000, .is_merge = true, .clocks = SURE,
	.policy_2 = HEAD SHORTER},
    {"P1: one at a time, by the policy of the worker that was at it",
	HEAD PLAIN, PAIR(1000, 5000, 200, "", 4000), .rule = "connections",
	.was = 2, .should = 1, .is_merge = true, .clocks = SURE,
	.policy_2 = HEAD TWO_AT_ONCE},
    {"P1: the longer rest of an address that two workers asked",
	HEAD BY_ADDRESS,
	{ROBOTS_OF_ONE, {"a.test", "/", 1, 1000, 5, 200, ONE},
	    {"b.test", "/robots.txt", 1, 1500, 5, 404, ",\"robots\":true" TWO}},
	.rule = "address", .was = 500, .should = 1000, .host = "b.test",
	.is_merge = true, .clocks = SURE, .policy_2 = HEAD BY_ADDRESS_LESS},
};

static void test_words(void)
{
	struct journal_case it = cases[1];
	struct home home;
	struct pv_why why;
	struct pv_buf text;
	pv_why_init(&why);
	pv_buf_init(&text, 4096);
	if (!home_make(&home) || !write_all(&home, &it))
		return;
	struct pv_audit *audit = pv_audit_create(home.path, "UTC", &why);
	for (size_t i = 0; audit && i < audit->findings.kept; i++) {
		if (audit->findings.items[i].rule == PV_AUDIT_DELAY)
			pv_audit_finding_write(
			    &audit->findings.items[i], &text);
	}
	is_text(pv_buf_str(&text),
	    "the request came after a rest of 999 ms, and must be at least "
	    "1000 ms, by the policy's delay: a.test went from worker 1 to "
	    "worker 2",
	    "a sentence names the clock and both workers");
	pv_audit_destroy(audit);
	pv_buf_finish(&text);
	pv_why_finish(&why);
	home_remove(&home);
}

int main(void)
{
	JUDGE_JOURNALS(cases);
	test_words();
	return tap_done();
}
