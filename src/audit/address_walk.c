#include "audit/walks.h"

#include "audit/evidence.h"

/* The clocks of addresses: starts at one, whatever the hosts. They are judged
 * within a run. */
struct address_walk {
	struct pv_audit *audit;
	const struct pv_audit_promise *last; /* who was asked there last */
	int64_t run;
	int64_t last_start;
	int64_t failed_at; /* the last that could not connect; -1 */
	int64_t failure_ms;
};

static void judge(struct address_walk *walk,
    const struct pv_audit_request *request,
    const struct pv_audit_promise *promise)
{
	int64_t start_ms = pv_audit_start(request);
	int64_t was_ms = start_ms - walk->last_start;
	int64_t should_ms = promise->pace->ip_delay_ms;
	if (walk->last->pace->ip_delay_ms > should_ms)
		should_ms = walk->last->pace->ip_delay_ms;
	if (should_ms && was_ms < should_ms)
		pv_audit_find(
		    walk->audit, request, PV_AUDIT_ADDRESS, was_ms, should_ms);
	int64_t since_ms = start_ms - walk->failed_at;
	bool has_heard = walk->failed_at >= 0 &&
			 request->facts.pacing.released_ms > walk->failed_at;
	if (has_heard && since_ms < walk->failure_ms)
		pv_audit_find(walk->audit, request, PV_AUDIT_ADDRESS_FAILURE,
		    since_ms, walk->failure_ms);
}

static void on_request(void *ctx, const struct pv_audit_request *request)
{
	struct address_walk *walk = ctx;
	const struct pv_pacing *pacing = &request->facts.pacing;
	const struct pv_audit_promise *promise =
	    pv_audit_promise_of(walk->audit, request);
	if (walk->last && walk->last->address == promise->address &&
	    walk->run == pacing->run)
		judge(walk, request, promise);
	else
		walk->failed_at = -1;
	walk->last = promise;
	walk->run = pacing->run;
	walk->last_start = pv_audit_counted_start(request);
	if (request->is_unreachable) {
		walk->failed_at = pacing->end_ms;
		walk->failure_ms = promise->pace->failure.first_ms;
	}
}

void pv_audit_walk_addresses(struct pv_audit *audit)
{
	struct address_walk walk = {.audit = audit};
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_ADDRESS, on_request, &walk);
}
