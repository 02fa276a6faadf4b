#include "audit/journal_scene.h"

/* Who held what, by the events that workers wrote down. */

#define ONE ",\"worker\":1"
#define TWO ",\"worker\":2"
#define TIMES(uncertainty)                                                  \
	"{\"event\":\"time\",\"worker\":1,\"wall_ms\":1772357400000,"       \
	"\"server_ms\":1772357400000,\"uncertainty_ms\":" uncertainty "}\n" \
	"{\"event\":\"time\",\"worker\":2,\"wall_ms\":1772357400000,"       \
	"\"server_ms\":1772357400000,\"uncertainty_ms\":" uncertainty "}\n"
/* So many seconds and thousandths behind the beginning, of four digits. */
#define CHANGE(what, worker, kind, name, at)                                 \
	"{\"event\":\"" what "\",\"worker\":" worker ",\"" kind "\":\"" name \
	"\",\"server_ms\":177235740" at "}\n"
#define TAKEN(worker, at) CHANGE("taken", worker, "clock", "a.test", at)
#define GIVEN(worker, at) CHANGE("given", worker, "clock", "a.test", at)
#define REAPED(worker, by, at)                                   \
	"{\"event\":\"reaped\",\"worker\":" worker ",\"by\":" by \
	",\"server_ms\":177235740" at "}\n"
#define ADDRESS(what, worker, at) PORT(what, worker, "80", at)
#define RESOLVED                                    \
	"version: 1\nseeds: [\"http://a.test/\"]\n" \
	"fetch: {resolve: {\"*.test\": \"127.0.0.1:8080\"}}\noutput: {}\n"

#define PORT(what, worker, number, at) \
	CHANGE(what, worker, "address", "127.0.0.1 port " number, at)

/* Robots.txt and a page of the first worker in the first two seconds, a page of
 * the second one after that. */
#define REQUESTS                                             \
	{                                                    \
		{"a.test", "/robots.txt", 1, 0, 5, 404,      \
		    ",\"robots\":true" ONE},                 \
		    {"a.test", "/", 1, 1000, 5, 200, ONE},   \
		{                                            \
			"a.test", "/b", 1, 3000, 5, 200, TWO \
		}                                            \
	}

static const struct journal_case cases[] = {
    {"P1: a clock that is given and taken", HEAD PLAIN, REQUESTS,
	.is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") GIVEN("1", "2000")
	    TAKEN("2", "2000") GIVEN("2", "4000")},
    {"P1: in whatever order the files come", HEAD PLAIN, REQUESTS,
	.is_merge = true,
	.clocks = TIMES("0") TAKEN("2", "2000") TAKEN("1", "0000")
	    GIVEN("1", "2000")},
    {"P1: one that is taken while another has it", HEAD PLAIN, REQUESTS,
	.rule = "owners", .was = 100, .should = 0, .is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") TAKEN("2", "1900")
	    GIVEN("1", "2000")},
    {"P1: by no more than times are uncertain", HEAD PLAIN, REQUESTS,
	.is_merge = true,
	.clocks = TIMES("50") TAKEN("1", "0000") TAKEN("2", "1900")
	    GIVEN("1", "2000")},
    {"P1: and by more", HEAD PLAIN, REQUESTS, .rule = "owners", .was = 100,
	.is_merge = true,
	.clocks = TIMES("49") TAKEN("1", "0000") TAKEN("2", "1900")
	    GIVEN("1", "2000")},
    {"P1: two that never give it", HEAD PLAIN, REQUESTS, .rule = "owners",
	.was = -1, .is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") TAKEN("2", "1900")},
    {"P1: one whose lease is over after that", HEAD PLAIN, REQUESTS,
	.rule = "owners", .was = 100, .is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") TAKEN("2", "1900")
	    REAPED("1", "2", "2000")},
    {"P1: a worker whose lease is over has nothing", HEAD PLAIN, REQUESTS,
	.is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") REAPED("1", "2", "1500")
	    TAKEN("2", "1600")},
    {"P1: from the moment at which it is over", HEAD PLAIN, REQUESTS,
	.is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") REAPED("1", "2", "1500")
	    TAKEN("2", "1500")},
    {"P1: a request in the moment in which its clock is given", HEAD PLAIN,
	REQUESTS, .is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") GIVEN("1", "2000")
	    TAKEN("2", "2000") GIVEN("2", "3000")},
    {"P1: and must not ask any more", HEAD PLAIN, REQUESTS, .rule = "owner",
	.was = 0, .should = 0, .is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") REAPED("1", "2", "0900")
	    TAKEN("2", "1600")},
    {"P1: a request before its worker has taken the clock", HEAD PLAIN,
	REQUESTS, .rule = "owner", .was = 0, .should = 0, .is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") GIVEN("1", "2000")
	    TAKEN("2", "3001")},
    {"P1: as far as times are certain", HEAD PLAIN, REQUESTS, .is_merge = true,
	.clocks = TIMES("1") TAKEN("1", "0000") GIVEN("1", "2000")
	    TAKEN("2", "3001")},
    {"P1: one that was given back before the request", HEAD PLAIN, REQUESTS,
	.rule = "owner", .was = 0, .should = 0, .is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") GIVEN("1", "2000")
	    TAKEN("2", "2000") GIVEN("2", "2999")},
    {"P1: what is taken and given at once is not held on", HEAD PLAIN, REQUESTS,
	.is_merge = true,
	.clocks = TIMES("0") TAKEN("1", "0000") GIVEN("1", "2000")
	    TAKEN("2", "2000") GIVEN("2", "2000") TAKEN("2", "2500")},
    {"P1: an address that is given and taken", HEAD PLAIN, REQUESTS,
	.is_merge = true,
	.clocks = TIMES("0") ADDRESS("taken", "1", "0000")
	    ADDRESS("given", "1", "2000") ADDRESS("taken", "2", "2000")},
    {"P1: an address that its worker does not have", HEAD PLAIN, REQUESTS,
	.rule = "owner", .was = 0, .should = 0, .is_merge = true,
	.clocks = TIMES("0") ADDRESS("taken", "1", "0000")
	    ADDRESS("given", "1", "2000") ADDRESS("taken", "2", "3500")},
    {"P1: its port is that of fetch.resolve", RESOLVED PLAIN, REQUESTS,
	.is_merge = true,
	.clocks = TIMES("0") PORT("taken", "1", "8080", "0000") PORT(
	    "given", "1", "8080", "2000") PORT("taken", "2", "8080", "2000")},
    {"P1: another port is another address", HEAD PLAIN, REQUESTS,
	.rule = "owner", .was = 0, .should = 0, .is_merge = true,
	.clocks = TIMES("0") PORT("taken", "1", "80", "0000") PORT(
	    "given", "1", "80", "2000") PORT("taken", "2", "8080", "2000")},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct home home;
		struct pv_why why;
		size_t count = 0;
		const struct pv_audit_finding *found = NULL;
		pv_why_init(&why);
		if (!home_make(&home) || !write_all(&home, &cases[i]))
			continue;
		struct pv_audit *audit =
		    pv_audit_create(home.path, "UTC", &why);
		for (size_t j = 0; audit && j < audit->findings.kept; j++) {
			if (audit->findings.items[j].rule == PV_AUDIT_LEDGER)
				continue;
			found = &audit->findings.items[j];
			count++;
		}
		ok(audit && (!cases[i].rule ? count == 0
					    : count == 1 &&
						  strcmp(pv_audit_rule_word(
							     found->rule),
						      cases[i].rule) == 0 &&
						  found->was == cases[i].was),
		    "%s: %s", cases[i].claim,
		    cases[i].rule ? cases[i].rule : "kept");
		pv_audit_destroy(audit);
		pv_why_finish(&why);
		home_remove(&home);
	}
	return tap_done();
}
