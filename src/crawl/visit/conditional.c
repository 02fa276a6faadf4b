#include "crawl/visit/conditional.h"

#include "crawl/conductor.h"
#include "crawl/visit/flight.h"

/* False if there is none. */
static bool find_copy(const struct pv_flight *flight, struct pv_copy *copy)
{
	return pv_copy_unpack(flight->task->visit.copy, copy);
}

/* Before the request */

void pv_conditional_ask(
    const struct pv_flight *flight, struct pv_request *request)
{
	struct pv_copy copy;
	if (!find_copy(flight, &copy) || !pv_copy_has_condition(&copy))
		return;
	request->entity_tag = copy.entity_tag;
	request->modified_ms = copy.modified_ms;
}

bool pv_conditional_is_listed(const struct pv_flight *flight)
{
	struct pv_copy copy;
	return find_copy(flight, &copy) && copy.is_as_listed;
}

/* Refusals */

void pv_conditional_prepare_refusal(struct pv_flight *flight)
{
	struct pv_copy had;
	bool has_copy = find_copy(flight, &had);
	pv_flight_fill_page(flight,
	    pv_change_of(has_copy ? &had : NULL, &flight->job.result, NULL));
	flight->job.is_abandoned =
	    !pv_sinks_prepare(&flight->crawl->sinks, &flight->record.page);
}
