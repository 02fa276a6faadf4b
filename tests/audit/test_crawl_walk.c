#include "audit/walks.h"

#include "audit/journal_scene.h"

/* The bucket of the crawl and its places. */

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

int main(void)
{
	JUDGE_JOURNALS(cases);
	return tap_done();
}
