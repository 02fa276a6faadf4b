#include "schedule/executor.h"

#include <stdlib.h>

#include "base/array.h"

void pv_executor_init(struct pv_executor *executor, int64_t concurrency)
{
	*executor = (struct pv_executor){.concurrency = concurrency};
}

void pv_executor_finish(struct pv_executor *executor)
{
	pv_place_share_leave(&executor->share);
	free(executor->places);
}

bool pv_executor_has_place(const struct pv_executor *executor)
{
	return (int64_t)executor->in_flight < executor->concurrency;
}

bool pv_executor_is_denied(const struct pv_executor *executor)
{
	return pv_place_share_is_denied(&executor->share);
}

struct pv_executor_place *pv_executor_take(
    struct pv_executor *executor, uint32_t *number)
{
	struct pv_executor_place *place;
	if (!pv_place_share_take(&executor->share))
		return NULL;
	if (executor->first_free) {
		place = &executor->places[executor->first_free - 1];
		executor->first_free = place->next_free;
	} else {
		place = PV_ARRAY_PUSH(
		    executor->places, executor->count, executor->size);
	}
	*number = (uint32_t)(place - executor->places);
	executor->in_flight++;
	return place;
}

void pv_executor_give(struct pv_executor *executor, uint32_t number)
{
	executor->places[number] =
	    (struct pv_executor_place){.next_free = executor->first_free};
	executor->first_free = number + 1;
	executor->in_flight--;
	pv_place_share_give(&executor->share);
}
