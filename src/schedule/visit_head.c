#include "schedule/visit_head.h"

#include <stdlib.h>

#include "base/alloc.h"

#define SIZE_MIN 4

void pv_visit_head_finish(struct pv_visit_head *head)
{
	free(head->visits);
	*head = (struct pv_visit_head){0};
}

static size_t place_of(const struct pv_visit_head *head, size_t i)
{
	return (head->first + i) & (head->size - 1u);
}

/* Room for one more; false if there must be none. */
static bool reserve(struct pv_visit_head *head)
{
	if (head->count < head->size)
		return true;
	if (head->size == PV_VISIT_HEAD_MAX)
		return false;
	size_t size = head->size ? head->size * 2u : SIZE_MIN;
	uint64_t *visits = pv_alloc_array(size, sizeof(*visits));
	for (size_t i = 0; i < head->count; i++)
		visits[i] = head->visits[place_of(head, i)];
	free(head->visits);
	head->visits = visits;
	head->size = (uint8_t)size;
	head->first = 0;
	return true;
}

bool pv_visit_head_push(struct pv_visit_head *head, uint64_t visit)
{
	if (!reserve(head))
		return false;
	head->visits[place_of(head, head->count++)] = visit;
	return true;
}

bool pv_visit_head_push_first(struct pv_visit_head *head, uint64_t visit)
{
	if (!reserve(head))
		return false;
	head->first = (uint8_t)place_of(head, head->size - 1u);
	head->visits[head->first] = visit;
	head->count++;
	return true;
}

uint64_t pv_visit_head_pop(struct pv_visit_head *head)
{
	uint64_t visit = head->visits[head->first];
	head->first = (uint8_t)place_of(head, 1);
	if (!--head->count)
		pv_visit_head_finish(head);
	return visit;
}
