#include "schedule/executor.h"

#include "tap.h"

/* Places are given back in any order, and those that are free used again. */

#define PLACES 3

static void test_places(void)
{
	struct pv_executor executor;
	uint32_t numbers[PLACES + 1];
	pv_executor_init(&executor, PLACES);
	ok(pv_executor_has_place(&executor), "at first all places are free");
	for (size_t i = 0; i < PLACES; i++)
		pv_executor_take(&executor, &numbers[i])->released_at =
		    (int64_t)i;
	ok(!pv_executor_has_place(&executor) && executor.in_flight == PLACES,
	    "P1: no more requests are in flight than there are places");
	ok(numbers[0] != numbers[1] && numbers[1] != numbers[2] &&
		numbers[0] != numbers[2],
	    "each has a place of its own");
	pv_executor_give(&executor, numbers[1]);
	ok(pv_executor_has_place(&executor) && executor.in_flight == 2,
	    "a request that has ended gives its place back");
	struct pv_executor_place *place =
	    pv_executor_take(&executor, &numbers[PLACES]);
	ok(numbers[PLACES] == numbers[1] && executor.count == PLACES &&
		place->released_at == 0 && !place->host,
	    "the next one takes it, and finds nothing of the other there");
	ok(executor.places[numbers[0]].released_at == 0 &&
		executor.places[numbers[2]].released_at == 2,
	    "and those of the others stay as they are");
	pv_executor_give(&executor, numbers[0]);
	pv_executor_give(&executor, numbers[2]);
	pv_executor_give(&executor, numbers[1]);
	ok(executor.in_flight == 0, "in the end all are free");
	for (size_t i = 0; i < PLACES; i++)
		pv_executor_take(&executor, &numbers[i]);
	ok(executor.count == PLACES && !pv_executor_has_place(&executor),
	    "P5: and no more memory is taken than for all of them");
	pv_executor_finish(&executor);
}

int main(void)
{
	test_places();
	return tap_done();
}
