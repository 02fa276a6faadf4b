#include "fleet/engine.h"

#include "fleet/fleet.h"
#include "fleet/giving/giving.h"
#include "fleet/giving/naming.h"
#include "fleet/leaving.h"
#include "fleet/passing/passing.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_owners.h"

/* The frontier's table of functions while it is a fleet's. */

static bool report(
    struct pv_frontier *frontier, struct pv_report *report, int64_t now)
{
	return pv_passing_report(frontier->fleet, report, now);
}

static bool take_hosts(
    struct pv_frontier *frontier, struct pv_host_request *request, int64_t now)
{
	struct pv_fleet *fleet = frontier->fleet;
	return request->name.len
		   ? pv_naming_take(fleet, request, now)
		   : fleet->inner->take_hosts(frontier, request, now);
}

static bool give_host(
    struct pv_frontier *frontier, struct pv_host_return *giving, int64_t now)
{
	uint64_t host_id = giving->host_id;
	frontier->fleet->passing.has_changes = true;
	if (!frontier->fleet->inner->give_host(frontier, giving, now))
		return false;
	pv_giving_note_host(frontier->fleet, host_id);
	return true;
}

static bool give_all_hosts(
    struct pv_frontier *frontier, struct pv_host_returns *giving, int64_t now)
{
	return pv_leaving_give_all(frontier->fleet, giving, now);
}

static bool count(
    struct pv_frontier *frontier, struct pv_count_request *request, int64_t now)
{
	return pv_leaving_count(frontier->fleet, request, now);
}

/* What is admitted now, of hosts of others, is told them. */
static void finish_rejudging(struct pv_frontier *frontier)
{
	frontier->fleet->inner->finish_rejudging(frontier);
	pv_handover_give_judged(&frontier->fleet->handover);
}

static void hurry(struct pv_frontier *frontier)
{
	pv_fleet_hurry(frontier->fleet);
}

static void let_go(struct pv_frontier *frontier)
{
	pv_passing_let_go(frontier->fleet);
}

struct pv_frontier_engine pv_fleet_engine_over(
    const struct pv_frontier_engine *inner)
{
	struct pv_frontier_engine engine = *inner;
	engine.name = "fleet";
	engine.report = report;
	engine.take_hosts = take_hosts;
	engine.give_host = give_host;
	engine.give_all_hosts = give_all_hosts;
	engine.count = count;
	engine.finish_rejudging = finish_rejudging;
	engine.hurry = hurry;
	engine.let_go = let_go;
	return engine;
}
