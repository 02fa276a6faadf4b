#include "fleet/giving/naming.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fleet/giving/giving.h"
#include "fleet/worker/worker.h"

enum naming_step {
	STATE_IS_ASKED, /* for the first time */
	WAITS_FOR_LOOK,
	IS_LOOKED_FOR,        /* by the look that is under way */
	WAITS_FOR_STATE,      /* which has what was claimed */
	STATE_IS_ASKED_AGAIN, /* and its answer counts */
};

struct pv_named_host {
	struct pv_named_host *next;
	struct pv_fleet *fleet;
	struct pv_host_request *request;
	void (*done)(
	    struct pv_host_request *request, enum pv_store_status status);
	void *ctx;
	enum naming_step step;
};

void pv_naming_init(struct pv_naming *naming, struct pv_hash_key key)
{
	*naming = (struct pv_naming){.first = NULL};
	pv_ties_init(&naming->ties, key);
}

void pv_naming_finish(struct pv_naming *naming)
{
	pv_ties_finish(&naming->ties);
	while (naming->first) {
		struct pv_named_host *next = naming->first->next;
		free(naming->first);
		naming->first = next;
	}
}

/* It is the caller's again. */
static void restore(struct pv_named_host *host)
{
	struct pv_named_host **link = &host->fleet->naming.first;
	while (*link != host)
		link = &(*link)->next;
	*link = host->next;
	host->request->done = host->done;
	host->request->ctx = host->ctx;
	free(host);
}

static void answer(struct pv_named_host *host, enum pv_store_status status)
{
	struct pv_host_request *request = host->request;
	restore(host);
	request->done(request, status);
}

static bool may_claim(const struct pv_fleet *fleet)
{
	return pv_fleet_is_up(fleet) && !fleet->is_hurried &&
	       !fleet->is_finished && !fleet->leaving;
}

static void on_asked(
    struct pv_host_request *request, enum pv_store_status status)
{
	struct pv_named_host *host = request->ctx;
	struct pv_fleet *fleet = host->fleet;
	if (status != PV_STORE_OK || request->hosts.count ||
	    host->step != STATE_IS_ASKED || !may_claim(fleet)) {
		answer(host, status);
		return;
	}
	host->step = WAITS_FOR_LOOK;
	fleet->taking.look_at = 0;
	pv_fleet_wake(fleet);
}

static void tie(struct pv_fleet *fleet, const struct pv_host_request *request)
{
	struct pv_ties *ties = &fleet->naming.ties;
	int64_t now = pv_fleet_now(fleet);
	if (!request->asker.len)
		return;
	pv_ties_add(ties, pv_fleet_clock_of(fleet, request->name), now);
	pv_ties_add(ties, pv_fleet_clock_of(fleet, request->asker), now);
}

bool pv_naming_take(
    struct pv_fleet *fleet, struct pv_host_request *request, int64_t now)
{
	struct pv_named_host *host = pv_alloc(sizeof(*host));
	*host = (struct pv_named_host){
	    .next = fleet->naming.first,
	    .fleet = fleet,
	    .request = request,
	    .done = request->done,
	    .ctx = request->ctx,
	};
	fleet->naming.first = host;
	tie(fleet, request);
	request->done = on_asked;
	request->ctx = host;
	if (fleet->inner->take_hosts(fleet->frontier, request, now))
		return true;
	restore(host);
	return false;
}

/* With the look */

struct pv_str *pv_naming_list(struct pv_fleet *fleet, size_t *count)
{
	struct pv_named_host *host;
	struct pv_str *clocks;
	size_t size = 0;
	*count = 0;
	for (host = fleet->naming.first; host; host = host->next)
		size += host->step == WAITS_FOR_LOOK;
	if (!size)
		return NULL;
	clocks = pv_alloc_array(size, sizeof(*clocks));
	for (host = fleet->naming.first; host; host = host->next) {
		if (host->step != WAITS_FOR_LOOK)
			continue;
		clocks[(*count)++] =
		    pv_fleet_clock_of(fleet, host->request->name);
		host->step = IS_LOOKED_FOR;
	}
	return clocks;
}

/* The hosts that were asked for by that clock are owned with what the look takes
 * over. */
static void own(struct pv_fleet *fleet, struct pv_str clock)
{
	struct pv_named_host *host = fleet->naming.first;
	for (; host; host = host->next) {
		struct pv_str name = host->request->name;
		if (host->step == IS_LOOKED_FOR &&
		    pv_str_equal(pv_fleet_clock_of(fleet, name), clock))
			pv_taken_add(&fleet->taking.hosts, name);
	}
}

void pv_naming_hear(
    struct pv_fleet *fleet, const struct pv_fleet_results *results, size_t step)
{
	struct pv_taking *taking = &fleet->taking;
	for (size_t i = 0; i < pv_fleet_results_rows(results, step); i++) {
		struct pv_str clock =
		    pv_fleet_results_text(results, step, i, 0);
		if (pv_giving_has(&fleet->giving, clock))
			continue;
		if (!pv_fleet_results_flag(results, step, i, 1))
			pv_taken_add(&taking->clocks, clock)->was_owned =
			    pv_fleet_results_flag(results, step, i, 2);
		if (pv_fleet_results_flag(results, step, i, 3))
			pv_net_table_bind(&fleet->net.table, clock,
			    pv_fleet_time(fleet).monotonic_ms);
		own(fleet, clock);
	}
}

/* The askers for that clock go to its owner. */
static void give_askers(
    struct pv_fleet *fleet, struct pv_str clock, int64_t worker)
{
	const struct pv_named_host *host = fleet->naming.first;
	for (; host; host = host->next) {
		const struct pv_host_request *request = host->request;
		if (host->step == IS_LOOKED_FOR && request->asker.len &&
		    pv_str_equal(
			pv_fleet_clock_of(fleet, request->name), clock))
			pv_giving_add_all_with(fleet,
			    pv_fleet_clock_of(fleet, request->asker), worker);
	}
}

void pv_naming_hear_others(
    struct pv_fleet *fleet, const struct pv_fleet_results *results, size_t step)
{
	for (size_t i = 0; i < pv_fleet_results_rows(results, step); i++) {
		int64_t worker = pv_fleet_results_number(results, step, i, 1);
		if (worker < fleet->worker)
			give_askers(fleet,
			    pv_fleet_results_text(results, step, i, 0), worker);
	}
}

/* One that we want ourselves comes back when it has rested (PV_SAY_REST_LOST). */
void pv_naming_hear_wanted(
    struct pv_fleet *fleet, const struct pv_fleet_results *results, size_t step)
{
	for (size_t i = 0; i < pv_fleet_results_rows(results, step); i++) {
		struct pv_str clock =
		    pv_fleet_results_text(results, step, i, 0);
		int64_t worker = pv_fleet_results_number(results, step, i, 1);
		if (worker == fleet->worker)
			pv_giving_add_clock(fleet, clock, worker);
		else
			pv_giving_add_all_with(fleet, clock, worker);
	}
}

/* Steps */

/* Whether a look, if there is one, has taken over all that it has found. */
static bool is_over(const struct pv_taking *taking)
{
	return taking->step == PV_TAKING_NOTHING && !taking->is_under_way &&
	       !taking->is_to_put;
}

static void ask_again(struct pv_fleet *fleet, struct pv_named_host *host)
{
	if (fleet->inner->take_hosts(fleet->frontier, host->request,
		pv_fleet_time(fleet).monotonic_ms))
		host->step = STATE_IS_ASKED_AGAIN;
}

/* Where the look has failed, or there can be none, the state says what there is. */
void pv_naming_step(struct pv_fleet *fleet)
{
	struct pv_named_host *host = fleet->naming.first;
	for (; host; host = host->next) {
		if ((host->step == IS_LOOKED_FOR &&
			(is_over(&fleet->taking) ||
			    fleet->passing.has_let_go)) ||
		    (host->step == WAITS_FOR_LOOK && !may_claim(fleet)))
			host->step = WAITS_FOR_STATE;
		if (host->step == WAITS_FOR_STATE)
			ask_again(fleet, host);
	}
}
