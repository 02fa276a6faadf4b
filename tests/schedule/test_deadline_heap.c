#include "schedule/deadline_heap.h"

#include <stdlib.h>

#include "tap.h"

#define MANY 5000

static struct pv_deadline deadlines[MANY];

static void test_few(void)
{
	struct pv_deadline_heap heap;
	struct pv_deadline a = {0};
	struct pv_deadline b = {0};
	pv_deadline_heap_init(&heap);
	ok(!pv_deadline_first(&heap), "nothing comes first in an empty heap");
	pv_deadline_remove(&heap, &a);
	pv_deadline_set(&heap, &a, 20);
	pv_deadline_set(&heap, &b, 10);
	ok(pv_deadline_first(&heap) == &b, "the earliest comes first");
	pv_deadline_set(&heap, &a, 5);
	ok(pv_deadline_first(&heap) == &a, "also when it was moved");
	pv_deadline_remove(&heap, &a);
	ok(pv_deadline_first(&heap) == &b && !a.place && a.at == 5,
	    "what is removed is gone, and keeps its time");
	pv_deadline_heap_finish(&heap);
}

static const struct pv_deadline *earliest(void)
{
	const struct pv_deadline *first = NULL;
	for (size_t i = 0; i < MANY; i++) {
		if (deadlines[i].place &&
		    (!first || deadlines[i].at < first->at))
			first = &deadlines[i];
	}
	return first;
}

static void test_many(void)
{
	struct pv_deadline_heap heap;
	uint32_t random = 12345;
	unsigned wrong = 0;
	pv_deadline_heap_init(&heap);
	for (int step = 0; step < 100000; step++) {
		random = random * 1664525 + 1013904223;
		struct pv_deadline *some = &deadlines[(random >> 8) % MANY];
		if (random >> 30)
			pv_deadline_set(&heap, some, (random >> 4) % 9999);
		else
			pv_deadline_remove(&heap, some);
		if (step % 100)
			continue;
		const struct pv_deadline *first = pv_deadline_first(&heap);
		const struct pv_deadline *wanted = earliest();
		wrong += (first == NULL) != (wanted == NULL);
		wrong += first && wanted && first->at != wanted->at;
	}
	ok(!wrong, "the earliest of thousands is always at hand");
	int64_t last = -1;
	while (heap.count) {
		struct pv_deadline *first = pv_deadline_first(&heap);
		wrong += first->at < last;
		last = first->at;
		pv_deadline_remove(&heap, first);
	}
	ok(!wrong, "taken out one by one, they come in order");
	pv_deadline_heap_finish(&heap);
}

int main(void)
{
	test_few();
	test_many();
	return tap_done();
}
