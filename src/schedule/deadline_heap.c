#include "schedule/deadline_heap.h"

#include <stdlib.h>

#include "base/array.h"

/* Four children stand side by side in one or two cache lines, and the times
 * beside the pointers spare looking behind them. */
#define CHILDREN ((size_t)4)

struct pv_deadline_item {
	int64_t at;
	struct pv_deadline *deadline;
};

void pv_deadline_heap_init(struct pv_deadline_heap *heap)
{
	*heap = (struct pv_deadline_heap){0};
}

void pv_deadline_heap_finish(struct pv_deadline_heap *heap)
{
	free(heap->items);
	pv_deadline_heap_init(heap);
}

static void put(
    struct pv_deadline_heap *heap, size_t place, struct pv_deadline_item item)
{
	heap->items[place] = item;
	item.deadline->place = (uint32_t)place + 1;
}

static void rise(
    struct pv_deadline_heap *heap, size_t place, struct pv_deadline_item item)
{
	while (place) {
		size_t parent = (place - 1) / CHILDREN;
		if (heap->items[parent].at <= item.at)
			break;
		put(heap, place, heap->items[parent]);
		place = parent;
	}
	put(heap, place, item);
}

/* The earliest child; `count` if there is none. */
static size_t first_child(const struct pv_deadline_heap *heap, size_t place)
{
	size_t first = place * CHILDREN + 1;
	size_t end = first + CHILDREN;
	if (first >= heap->count)
		return heap->count;
	if (end > heap->count)
		end = heap->count;
	for (size_t i = first + 1; i < end; i++) {
		if (heap->items[i].at < heap->items[first].at)
			first = i;
	}
	return first;
}

static void sink(
    struct pv_deadline_heap *heap, size_t place, struct pv_deadline_item item)
{
	for (;;) {
		size_t child = first_child(heap, place);
		if (child == heap->count || heap->items[child].at >= item.at)
			break;
		put(heap, place, heap->items[child]);
		place = child;
	}
	put(heap, place, item);
}

static void settle(
    struct pv_deadline_heap *heap, size_t place, struct pv_deadline_item item)
{
	if (place && heap->items[(place - 1) / CHILDREN].at > item.at)
		rise(heap, place, item);
	else
		sink(heap, place, item);
}

void pv_deadline_set(
    struct pv_deadline_heap *heap, struct pv_deadline *deadline, int64_t at)
{
	struct pv_deadline_item item = {at, deadline};
	deadline->at = at;
	if (deadline->place) {
		settle(heap, deadline->place - 1, item);
		return;
	}
	PV_ARRAY_PUSH(heap->items, heap->count, heap->size);
	rise(heap, heap->count - 1, item);
}

void pv_deadline_remove(
    struct pv_deadline_heap *heap, struct pv_deadline *deadline)
{
	if (!deadline->place)
		return;
	size_t place = deadline->place - 1;
	struct pv_deadline_item last = heap->items[--heap->count];
	deadline->place = 0;
	if (place < heap->count)
		settle(heap, place, last);
}

struct pv_deadline *pv_deadline_first(const struct pv_deadline_heap *heap)
{
	return heap->count ? heap->items[0].deadline : NULL;
}
