#include "schedule/visit_head.h"

#include "tap.h"

static void test_order(void)
{
	struct pv_visit_head head = {0};
	uint64_t pushed = 0;
	uint64_t popped = 0;
	bool is_in_order = true;
	for (int round = 0; round < 200; round++) {
		for (int i = 0; i < round % 9; i++)
			pushed += pv_visit_head_push(&head, pushed);
		for (int i = 0; i < round % 7 && head.count; i++)
			is_in_order =
			    is_in_order && pv_visit_head_pop(&head) == popped++;
	}
	ok(is_in_order && popped > 100, "who came first goes first");
	pv_visit_head_finish(&head);
}

static void test_bounds(void)
{
	struct pv_visit_head head = {0};
	uint64_t count = 0;
	while (pv_visit_head_push(&head, count + 1))
		count++;
	ok(count == PV_VISIT_HEAD_MAX, "P5: a head holds so many and no more");
	ok(!pv_visit_head_push_first(&head, 7), "P5: in front neither");
	pv_visit_head_pop(&head);
	ok(pv_visit_head_push_first(&head, 7) && pv_visit_head_pop(&head) == 7,
	    "what is pushed in front comes next");
	ok(pv_visit_head_pop(&head) == 2, "and what was first behind it");
	while (head.count)
		pv_visit_head_pop(&head);
	ok(!head.visits && !head.size, "an empty head needs no memory");
	ok(pv_visit_head_push_first(&head, 9) && pv_visit_head_pop(&head) == 9,
	    "and is used again");
	pv_visit_head_finish(&head);
}

int main(void)
{
	test_order();
	test_bounds();
	return tap_done();
}
