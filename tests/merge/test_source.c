#include "merge/source.h"

#include "tap.h"

/* In which round of the crawl a worker was: one that comes late has no row of those
 * before it. */

int main(void)
{
	struct pv_merge_round rounds[] = {{3, 1000, 1500}, {5, 2000, 0}};
	const struct pv_merge_source source = {
	    .rounds = rounds, .round_count = 2};
	const struct pv_merge_source none = {.round_count = 0};
	ok(pv_merge_source_round(&none, 5000) == 1,
	    "a crawl without updates is in its first round");
	ok(pv_merge_source_round(&source, 999) == 1,
	    "before its first update a worker was in the first round");
	ok(pv_merge_source_round(&source, 1000) == 3,
	    "a round has its number, whichever its place in the table");
	ok(pv_merge_source_round(&source, 1999) == 3 &&
		pv_merge_source_round(&source, 2000) == 5,
	    "and lasts until the next one in which the worker took part");
	ok(pv_merge_source_has_finished(&source, 3) &&
		!pv_merge_source_has_finished(&source, 5),
	    "it has finished the rounds at whose end it was there");
	ok(!pv_merge_source_has_finished(&source, 4),
	    "and none in which it took no part");
	const struct pv_merge_source first = {.finished_at = 4711};
	ok(pv_merge_source_has_finished(&first, 1) &&
		!pv_merge_source_has_finished(&first, 2) &&
		!pv_merge_source_has_finished(&none, 1),
	    "the first round is over when the crawl is finished");
	return tap_done();
}
