#include "audit/journal_scene.h"

/* What two workers of a fleet ask for together, while each keeps the rate by itself:
 * two requests a second, and for a fleet's worker one interval more. */

#define RATE HEAD FREE "rate: {max_rate: 2, interval: 1s, concurrency: 9}\n"
#define TIME(worker, uncertainty)                                 \
	"{\"event\":\"time\",\"worker\":" worker                  \
	",\"wall_ms\":1772357400000,\"server_ms\":1772357400000," \
	"\"uncertainty_ms\":" uncertainty "}\n"
#define SURE TIME("1", "0") TIME("2", "0")
#define UNSURE TIME("1", "300") TIME("2", "300")
#define SET                                                                \
	SURE "{\"event\":\"time\",\"worker\":2,\"wall_ms\":1772357399400," \
	     "\"server_ms\":1772357400000,\"uncertainty_ms\":0}\n"

#define FIRST(host, worker)                               \
	{                                                 \
		host, "/robots.txt", 1, 0, 5, 404,        \
		    ",\"robots\":true,\"worker\":" worker \
	}
#define ONE(ms)                                               \
	{                                                     \
		"a.test", "/", 1, ms, 5, 200, ",\"worker\":1" \
	}
#define OTHER(ms)                                             \
	{                                                     \
		"b.test", "/", 1, ms, 5, 200, ",\"worker\":2" \
	}

/* Fourteen requests: six for a burst and two intervals, two for the beginning of each
 * worker, and four in two seconds. */
#define ALL                                                                    \
	FIRST("a.test", "1"), ONE(10), ONE(10), ONE(10), ONE(1010), ONE(1010), \
	    ONE(2010), FIRST("b.test", "2"), OTHER(10), OTHER(10), OTHER(10),  \
	    OTHER(1010), OTHER(1010), OTHER(2010)

static const struct journal_case cases[] = {
    {"P1: two workers may be ahead by an interval each", RATE, {ALL},
	.is_merge = true, .clocks = SURE},
    {"P1: and together by no more than that", RATE, {ALL, OTHER(2010)},
	.rule = "rate", .was = 0, .should = 1, .host = "b.test",
	.is_merge = true, .clocks = SURE},
    {"P1: unless their times are less certain", RATE, {ALL, OTHER(2010)},
	.is_merge = true, .clocks = UNSURE},
    {"P1: or a clock was set meanwhile", RATE, {ALL, OTHER(2010)},
	.is_merge = true, .clocks = SET},
    {"P1: later there is more", RATE, {ALL, OTHER(2510)}, .is_merge = true,
	.clocks = SURE},
    {"P1: crawls that are no fleet have a rate each", RATE,
	{FIRST("a.test", "1"), ONE(10), ONE(1010), ONE(1010), ONE(2010),
	    ONE(2010), ONE(3000), ONE(3000), FIRST("b.test", "2"), OTHER(10),
	    OTHER(1010), OTHER(1010), OTHER(2010), OTHER(2010), OTHER(3000),
	    OTHER(3000)},
	.is_merge = true},
};

int main(void)
{
	JUDGE_JOURNALS(cases);
	return tap_done();
}
