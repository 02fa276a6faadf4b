#include "fleet/leaving.h"
#include "fleet/inside.h"

/* The frontier's table of functions while it is a fleet's: most are those of the
 * engine below it. */

static const struct pv_frontier_engine *inner_of(
    const struct pv_frontier *frontier)
{
	return frontier->fleet->inner;
}

static bool report(
    struct pv_frontier *frontier, struct pv_report *report, int64_t now)
{
	return pv_passing_report(frontier->fleet, report, now);
}

static bool take_hosts(
    struct pv_frontier *frontier, struct pv_host_request *request, int64_t now)
{
	return inner_of(frontier)->take_hosts(frontier, request, now);
}

static bool take_visits(
    struct pv_frontier *frontier, struct pv_visit_request *request, int64_t now)
{
	return inner_of(frontier)->take_visits(frontier, request, now);
}

static bool give_host(
    struct pv_frontier *frontier, struct pv_host_return *giving, int64_t now)
{
	uint64_t host_id = giving->host_id;
	frontier->fleet->passing.has_changes = true;
	if (!inner_of(frontier)->give_host(frontier, giving, now))
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

static bool take_refused(struct pv_frontier *frontier,
    struct pv_refused_request *request, int64_t now)
{
	return inner_of(frontier)->take_refused(frontier, request, now);
}

static bool find_page(
    struct pv_frontier *frontier, struct pv_page_request *request, int64_t now)
{
	return inner_of(frontier)->find_page(frontier, request, now);
}

static bool begin_round(
    struct pv_frontier *frontier, const struct pv_round_plan *plan)
{
	return inner_of(frontier)->begin_round(frontier, plan);
}

static bool is_round_open(const struct pv_frontier *frontier)
{
	return inner_of(frontier)->is_round_open(frontier);
}

static void end_round(struct pv_frontier *frontier, int64_t wall_ms)
{
	inner_of(frontier)->end_round(frontier, wall_ms);
}

static void rejudge(
    struct pv_frontier *frontier, struct pv_rejudging *rejudging)
{
	inner_of(frontier)->rejudge(frontier, rejudging);
}

static void finish_rejudging(struct pv_frontier *frontier)
{
	inner_of(frontier)->finish_rejudging(frontier);
}

static void map_kinds(
    struct pv_frontier *frontier, const unsigned char *numbers)
{
	inner_of(frontier)->map_kinds(frontier, numbers);
}

static uint64_t set_ceilings(struct pv_frontier *frontier,
    const struct pv_link_ceilings *ceilings, bool forgets_traps)
{
	return inner_of(frontier)->set_ceilings(
	    frontier, ceilings, forgets_traps);
}

static bool is_known(const struct pv_frontier *frontier,
    struct pv_fingerprint fingerprint, const struct pv_standing *standing)
{
	return inner_of(frontier)->is_known(frontier, fingerprint, standing);
}

static void limit_memory(struct pv_frontier *frontier, size_t bytes)
{
	inner_of(frontier)->limit_memory(frontier, bytes);
}

static void hurry(struct pv_frontier *frontier)
{
	pv_fleet_hurry(frontier->fleet);
}

static void close_frontier(struct pv_frontier *frontier)
{
	inner_of(frontier)->close(frontier);
}

const struct pv_frontier_engine pv_fleet_engine = {
    .name = "fleet",
    .report = report,
    .take_hosts = take_hosts,
    .take_visits = take_visits,
    .give_host = give_host,
    .give_all_hosts = give_all_hosts,
    .count = count,
    .take_refused = take_refused,
    .find_page = find_page,
    .begin_round = begin_round,
    .is_round_open = is_round_open,
    .end_round = end_round,
    .rejudge = rejudge,
    .finish_rejudging = finish_rejudging,
    .map_kinds = map_kinds,
    .set_ceilings = set_ceilings,
    .is_known = is_known,
    .limit_memory = limit_memory,
    .hurry = hurry,
    .close = close_frontier,
};
