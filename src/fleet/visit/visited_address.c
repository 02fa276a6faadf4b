#include "fleet/visit/visited_address.h"

#include "fleet/tables/schema.h"
#include "fleet/visit/visiting.h"
#include "fleet/visit/visitor.h"
#include "frontier/sqlite/packing.h"
#include "record/fingerprint.h"

/* The steps of the request, in their order. */
enum { CLOCK, HOST, ADDRESS, LINK, REFUSED, ROBOTS, STEP_COUNT };

static void take_clock(
    struct pv_visited_address *address, const struct pv_fleet_results *results)
{
	address->has_clock = pv_fleet_results_rows(results, CLOCK) > 0;
	address->worker = pv_fleet_results_number(results, CLOCK, 0, 0);
	address->left_ms = pv_fleet_results_number(results, CLOCK, 0, 1);
	address->was_owned = pv_fleet_results_flag(results, CLOCK, 0, 2);
}

/* A host that was never asked has an empty row. */
static void take_host(
    struct pv_visited_address *address, const struct pv_fleet_results *results)
{
	uint64_t round;
	struct pv_str row = pv_fleet_results_text(results, HOST, 0, 0);
	if (!row.len)
		return;
	address->has_host = pv_host_unpack(row, &address->host, &round);
	address->is_damaged |= !address->has_host;
}

static void take_address(
    struct pv_visited_address *address, struct pv_str row, bool is_link)
{
	struct pv_packed_address packed;
	if (!pv_address_unpack(row, &packed)) {
		address->is_damaged = true;
		return;
	}
	address->is_known = true;
	address->is_on_its_way = is_link;
	address->address = (struct pv_state_address){
	    .state = packed.row.state,
	    .use = packed.row.standing.use,
	    .redirects = packed.row.standing.redirects,
	    .depth = packed.row.standing.depth,
	    .verdict = packed.row.verdict,
	    .result = packed.row.result,
	    .attempt = packed.row.attempt,
	    .waits = packed.row.waits,
	    .not_before_wall_ms = packed.row.not_before_wall_ms,
	    .via = pv_arena_copy(&address->arena, packed.via),
	};
	/* Whose it is, the clock says. */
	if (packed.row.state == PV_STATE_ELSEWHERE)
		address->address.state = PV_STATE_PENDING;
}

static void take_addresses(
    struct pv_visited_address *address, const struct pv_fleet_results *results)
{
	if (pv_fleet_results_rows(results, ADDRESS))
		take_address(address,
		    pv_fleet_results_text(results, ADDRESS, 0, 0), false);
	else if (pv_fleet_results_rows(results, LINK))
		take_address(
		    address, pv_fleet_results_text(results, LINK, 0, 0), true);
	else if (pv_fleet_results_rows(results, REFUSED))
		take_address(address,
		    pv_fleet_results_text(results, REFUSED, 0, 0), false);
}

static void take_robots(
    struct pv_visited_address *address, const struct pv_fleet_results *results)
{
	struct pv_str copy;
	if (!pv_fleet_results_rows(results, ROBOTS))
		return;
	if (pv_robots_unpack(pv_fleet_results_text(results, ROBOTS, 0, 0),
		&address->robots, &copy))
		address->robots_copy = pv_arena_copy(&address->arena, copy);
	else
		address->is_damaged = true;
}

static void hear(void *ctx, const struct pv_fleet_results *results)
{
	struct pv_visited_address *address = ctx;
	take_clock(address, results);
	take_host(address, results);
	take_addresses(address, results);
	take_robots(address, results);
}

static bool ask(struct pv_fleet_visitor *visitor,
    const struct pv_visited_crawl *crawl,
    const struct pv_visited_question *question,
    struct pv_visited_address *address, struct pv_why *why)
{
	struct pv_fleet_value number =
	    pv_fleet_number(PV_FLEET_INT4, crawl->number);
	struct pv_fleet_value host = pv_fleet_text(question->host);
	struct pv_fleet_value clock = pv_fleet_text(question->clock);
	struct pv_buf start;
	pv_buf_init(&start, SIZE_MAX);
	pv_address_pack_start(question->address, &start);
	const struct pv_fleet_value clocks[] = {number, clock};
	const struct pv_fleet_value hosts[] = {number, host};
	struct pv_fleet_value fingerprint = pv_fleet_number(PV_FLEET_INT8,
	    (int64_t)pv_fingerprint_of(&crawl->key, question->address).address);
	const struct pv_fleet_value addresses[] = {number,
	    pv_fleet_number(
		PV_FLEET_INT8, (int64_t)pv_hash(&crawl->key, question->host)),
	    fingerprint};
	const struct pv_fleet_value links[] = {
	    number, clock, host, pv_fleet_bytes(pv_buf_str(&start))};
	const struct pv_fleet_value refused[] = {number, fingerprint};
	const struct pv_fleet_value robots[] = {
	    number, host, pv_fleet_text(question->authority)};
	const struct pv_fleet_step steps[STEP_COUNT] = {
	    [CLOCK] = {PV_VISIT_CLOCK, clocks, 2},
	    [HOST] = {PV_VISIT_HOST, hosts, 2},
	    [ADDRESS] = {PV_VISIT_ADDRESS, addresses, 3},
	    [LINK] = {PV_VISIT_LINK, links, 4},
	    [REFUSED] = {PV_VISIT_REFUSED, refused, 2},
	    [ROBOTS] = {PV_VISIT_ROBOTS, robots, 3},
	};
	bool is_answered = pv_fleet_visitor_ask(
	    visitor, steps, STEP_COUNT, hear, address, why);
	pv_buf_finish(&start);
	return is_answered;
}

bool pv_fleet_visitor_find_address(struct pv_fleet_visitor *visitor,
    const struct pv_visited_crawl *crawl,
    const struct pv_visited_question *question,
    struct pv_visited_address *address, struct pv_why *why)
{
	*address = (struct pv_visited_address){.worker = 0};
	pv_arena_init(&address->arena);
	if (!crawl->has_key)
		return pv_fleet_visitor_fail(
		    visitor, why, "the crawl's key in the database is damaged");
	if (crawl->state_version != pv_fleet_state_version())
		return pv_fleet_visitor_fail(visitor, why,
		    "the crawl was begun by another version of pavane: use the "
		    "version that its workers have");
	if (!ask(visitor, crawl, question, address, why))
		return false;
	return !address->is_damaged ||
	       pv_fleet_visitor_fail(visitor, why,
		   "a row of this address or its host makes no sense");
}
