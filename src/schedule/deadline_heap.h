#ifndef PAVANE_SCHEDULE_DEADLINE_HEAP_H
#define PAVANE_SCHEDULE_DEADLINE_HEAP_H

#include <stddef.h>
#include <stdint.h>

/* Deadlines, the earliest of which is always at hand.
 *
 * A deadline is a part of what waits for it, and is taken out of the heap
 * before that goes away. Setting and removing cost the logarithm of how many
 * there are.
 */
struct pv_deadline {
	int64_t at;     /* kept when it leaves the heap */
	uint32_t place; /* in the heap, from 1; 0 while it is not in it */
	uint32_t kind;  /* the owner's: what it is a part of */
};

struct pv_deadline_heap {
	struct pv_deadline_item *items;
	size_t count;
	size_t size;
};

void pv_deadline_heap_init(struct pv_deadline_heap *heap);
void pv_deadline_heap_finish(struct pv_deadline_heap *heap);

/* Puts a deadline into the heap, or moves it there. */
void pv_deadline_set(
    struct pv_deadline_heap *heap, struct pv_deadline *deadline, int64_t at);

/* Nothing happens to one that is not in the heap. */
void pv_deadline_remove(
    struct pv_deadline_heap *heap, struct pv_deadline *deadline);

/* The earliest, which stays where it is; NULL if there is none. */
struct pv_deadline *pv_deadline_first(const struct pv_deadline_heap *heap);

#endif
