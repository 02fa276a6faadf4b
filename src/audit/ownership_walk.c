#include "audit/walks.h"

#include "audit/evidence.h"

/* Who held which clock, and which network address, by what the workers of a fleet
 * wrote down: never two at one time, and nobody asks without. */

static uint32_t host_named(const struct pv_audit *audit, struct pv_str name)
{
	const uint32_t *number = pv_map_get(&audit->terms.hosts.map, name);
	return number ? *number : PV_AUDIT_NO_HOST;
}

static void on_overlap(void *ctx, const struct pv_clock_overlap *overlap)
{
	struct pv_audit *audit = ctx;
	/* Of what is only counted no name is kept. */
	bool is_kept = audit->findings.kept < PV_AUDIT_FINDINGS_MAX;
	uint32_t name = pv_audit_names_find(
	    &audit->owned, is_kept ? overlap->name : PV_STR(""));
	pv_audit_findings_add(&audit->findings,
	    &(struct pv_audit_finding){
		.rule = PV_AUDIT_OWNERS,
		.host = host_named(audit, overlap->name),
		.wall_ms = overlap->from_ms,
		.was = overlap->until_ms < INT64_MAX
			   ? overlap->until_ms - overlap->from_ms
			   : -1,
		.handover = {.name = audit->owned.items[name],
		    .worker = overlap->worker,
		    .other = overlap->other},
	    });
}

static bool held(struct pv_audit *audit, const struct pv_audit_request *request,
    struct pv_str name, bool is_address)
{
	int64_t at_ms = pv_audit_start_wall(request);
	int64_t slack_ms =
	    request->uncertainty_ms > 0 ? request->uncertainty_ms : 0;
	return pv_clock_memory_held(&audit->clocks, request->worker, name,
	    is_address, at_ms - slack_ms, at_ms + slack_ms);
}

static void judge(struct pv_audit *audit,
    const struct pv_audit_request *request, struct pv_str name, bool is_address)
{
	bool is_known = pv_clock_memory_has_taken(
	    &audit->clocks, request->worker, is_address);
	if (!is_known || held(audit, request, name, is_address))
		return;
	pv_audit_findings_add(&audit->findings,
	    &(struct pv_audit_finding){
		.rule = PV_AUDIT_OWNER,
		.host = pv_audit_promise_of(audit, request)->host,
		.line = request->line,
		.wall_ms = request->facts.wall_ms,
		.handover = {.name = name,
		    .worker = request->worker,
		    .other = -1},
	    });
}

static void on_request(void *ctx, const struct pv_audit_request *request)
{
	struct pv_audit *audit = ctx;
	const struct pv_audit_terms *terms = &audit->terms;
	const struct pv_audit_promise *promise =
	    pv_audit_promise_of(audit, request);
	judge(audit, request, terms->clocks.items[promise->clock], false);
	if (promise->has_address)
		judge(audit, request, terms->addresses.items[promise->address],
		    true);
}

void pv_audit_walk_ownership(struct pv_audit *audit)
{
	if (!audit->clocks.event_count)
		return;
	pv_clock_memory_settle(&audit->clocks, on_overlap, audit);
	pv_audit_memory_walk(
	    &audit->memory, PV_AUDIT_BY_TIME, on_request, audit);
}
