#include "fleet/taking/taking.h"

#include <stdlib.h>

#include "fleet/giving/giving.h"
#include "fleet/giving/sharing.h"
#include "fleet/passing/passing.h"
#include "fleet/taking/loading.h"
#include "fleet/taking/notes.h"
#include "fleet/taking/widening.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_in.h"
#include "frontier/sqlite/handover_owners.h"

/* Texts of what is on its way into the state. */
#define TEXTS_MAX ((size_t)32 << 20)

void pv_taking_init(struct pv_taking *taking, struct pv_hash_key key)
{
	*taking = (struct pv_taking){.step = PV_TAKING_NOTHING};
	pv_buf_init(&taking->last_claimed, SIZE_MAX);
	pv_buf_init(&taking->last_host, SIZE_MAX);
	pv_taken_init(&taking->clocks, key);
	pv_taken_init(&taking->hosts, key);
	pv_parcels_init(&taking->parcels, TEXTS_MAX);
}

void pv_taking_finish(struct pv_taking *taking)
{
	pv_taken_finish(&taking->clocks);
	pv_taken_finish(&taking->hosts);
	pv_parcels_finish(&taking->parcels);
	pv_buf_finish(&taking->last_claimed);
	pv_buf_finish(&taking->last_host);
	free(taking->numbers);
}

static void forget(struct pv_taking *taking)
{
	pv_taken_clear(&taking->clocks);
	pv_taken_clear(&taking->hosts);
	pv_buf_clear(&taking->last_host);
	taking->has_more_hosts = false;
	taking->behind = 0;
	taking->has_more = false;
}

static void clear_parcels(struct pv_taking *taking)
{
	pv_parcels_finish(&taking->parcels);
	pv_parcels_init(&taking->parcels, TEXTS_MAX);
}

/* Into the state */

static void go_on(struct pv_fleet *fleet);

/* Its last owner may have asked the host a moment ago. */
static void own(struct pv_fleet *fleet, struct pv_taken_name *host)
{
	const struct pv_taken_name *clock = pv_taken_find(
	    &fleet->taking.clocks, pv_fleet_clock_of(fleet, host->name));
	host->is_new = pv_handover_own(
	    &fleet->handover, host->name, clock && clock->was_owned);
}

/* What is known of one that is the worker's own by now is newer here. */
static void look_at_listed(struct pv_fleet *fleet, struct pv_taken_name *host)
{
	host->has_more = !pv_handover_owns(&fleet->handover, host->name);
	host->is_listed = false;
}

static size_t put_parcels(struct pv_fleet *fleet)
{
	const struct pv_taking *taking = &fleet->taking;
	size_t bad = 0;
	for (size_t i = 0; i < taking->parcels.count; i++) {
		struct pv_parcel parcel = pv_parcels_get(&taking->parcels, i);
		bad += parcel.kind == PV_PARCEL_VOUCHER
			   ? !pv_notes_put_voucher(fleet, parcel.bytes)
			   : !pv_handover_put(
				 &fleet->handover, &parcel, taking->now);
	}
	return bad;
}

static void run_put(struct pv_tables_work *work, struct pv_tables *tables)
{
	struct pv_taking *taking = PV_WHOLE(struct pv_taking, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, taking, taking);
	(void)tables;
	fleet->handover.readmits = taking->readmits;
	fleet->handover.server_ahead_ms = taking->ahead_ms;
	taking->bad = taking->step == PV_TAKING_NOTES ? pv_notes_put(fleet)
						      : put_parcels(fleet);
	for (size_t i = 0; i < taking->hosts.count; i++) {
		struct pv_taken_name *host = &taking->hosts.items[i];
		if (taking->step == PV_TAKING_OWN)
			own(fleet, host);
		else if (host->is_listed)
			look_at_listed(fleet, host);
	}
}

/* Before anything is asked of them. A worker that leaves meanwhile asks nothing. */
static void note_taken(struct pv_fleet *fleet)
{
	const struct pv_taken *hosts = &fleet->taking.hosts;
	struct pv_str last = PV_STR("");
	if (fleet->is_leaving)
		return;
	for (size_t i = 0; i < hosts->count; i++) {
		struct pv_str clock =
		    pv_fleet_clock_of(fleet, hosts->items[i].name);
		if (hosts->items[i].is_new && !pv_str_equal(clock, last))
			pv_clock_events_clock(&fleet->events, PV_CLOCK_TAKEN,
			    clock, pv_boot_now_ms());
		last = clock;
	}
}

static void tell_bad(struct pv_fleet *fleet)
{
	if (fleet->taking.bad)
		fleet->options.on_line(fleet->options.ctx, true,
		    "the fleet's database has rows that make no sense: they "
		    "are left out");
}

static void on_put(struct pv_tables_work *work, enum pv_store_status status)
{
	struct pv_taking *taking = PV_WHOLE(struct pv_taking, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, taking, taking);
	taking->is_under_way = false;
	clear_parcels(taking);
	if (status != PV_STORE_OK)
		return;
	tell_bad(fleet);
	note_taken(fleet);
	for (size_t i = 0; i < taking->number_count; i++)
		pv_passing_drop_link(&fleet->passing, taking->numbers[i]);
	taking->number_count = 0;
	pv_passing_note_change(fleet);
	go_on(fleet);
}

static void put(struct pv_fleet *fleet)
{
	struct pv_taking *taking = &fleet->taking;
	taking->work = (struct pv_tables_work){
	    .run = run_put,
	    .done = on_put,
	    .rows = taking->parcels.count + taking->hosts.count,
	    .bytes = taking->parcels.texts.len,
	};
	taking->now = pv_fleet_time(fleet);
	taking->ahead_ms = pv_fleet_server_ahead_ms(fleet);
	taking->readmits = pv_widening_judge(fleet);
	taking->is_under_way = pv_sqlite_frontier_work(
	    fleet->frontier, &taking->work, taking->now.monotonic_ms);
	taking->is_to_put = !taking->is_under_way;
}

/* Answers */

/* What was claimed and not owned is asked for anew. */
static void begin_anew(struct pv_fleet *fleet)
{
	struct pv_taking *taking = &fleet->taking;
	forget(taking);
	taking->number_count = 0;
	taking->step = PV_TAKING_NOTHING;
	pv_fleet_doubt(fleet);
	clear_parcels(taking);
}

static void on_answer(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	struct pv_taking *taking = &fleet->taking;
	(void)request;
	taking->is_under_way = false;
	if (answer->status != PV_FLEET_OK) {
		begin_anew(fleet);
		taking->look_at = pv_fleet_now(fleet) + PV_FLEET_LOOK_MS;
		if (answer->status == PV_FLEET_REFUSED)
			pv_fleet_hear_refusal(fleet, answer);
		return;
	}
	pv_loading_hear(fleet, answer->results);
	if (taking->parcels.count || taking->step == PV_TAKING_HOSTS ||
	    taking->step == PV_TAKING_NOTES)
		put(fleet);
	else
		go_on(fleet);
}

/* What comes next */

static void own_all(struct pv_fleet *fleet)
{
	fleet->taking.step = PV_TAKING_OWN;
	put(fleet);
}

static bool has_new_host(const struct pv_taking *taking)
{
	size_t i = 0;
	while (i < taking->hosts.count && !taking->hosts.items[i].is_new)
		i++;
	return i < taking->hosts.count;
}

static void end(struct pv_fleet *fleet)
{
	struct pv_taking *taking = &fleet->taking;
	if (taking->step == PV_TAKING_OWN && fleet->beats.has_rested)
		pv_fleet_beats_hurry(&fleet->beats);
	if (taking->step == PV_TAKING_OWN && has_new_host(taking))
		pv_sharing_note_owned(fleet);
	taking->step = PV_TAKING_NOTHING;
	forget(taking);
	pv_fleet_wake(fleet);
}

/* After a look: what was claimed is loaded; links to hosts that are owned are
 * there by now. */
static void after_look(struct pv_fleet *fleet)
{
	struct pv_taking *taking = &fleet->taking;
	if (taking->clocks.count)
		pv_loading_ask_hosts(fleet, on_answer);
	else if (taking->hosts.count)
		own_all(fleet);
	else
		end(fleet);
}

/* All hosts come before their addresses, and those before the links. */
static void after_hosts(struct pv_fleet *fleet)
{
	struct pv_taking *taking = &fleet->taking;
	taking->behind = 0;
	if (taking->has_more_hosts)
		pv_loading_ask_hosts(fleet, on_answer);
	else if (!pv_loading_ask_addresses(fleet, on_answer))
		pv_loading_ask_links(fleet, on_answer);
}

static void go_on(struct pv_fleet *fleet)
{
	struct pv_taking *taking = &fleet->taking;
	if (!pv_fleet_is_up(fleet)) {
		begin_anew(fleet);
		return;
	}
	switch (taking->step) {
	case PV_TAKING_LOOK:
	case PV_TAKING_CLAIMED:
		after_look(fleet);
		break;
	case PV_TAKING_HOSTS:
	case PV_TAKING_ADDRESSES:
		after_hosts(fleet);
		break;
	case PV_TAKING_LINKS:
		if (taking->has_more)
			pv_loading_ask_links(fleet, on_answer);
		else
			pv_loading_ask_notes(fleet, on_answer);
		break;
	case PV_TAKING_NOTES:
		own_all(fleet);
		break;
	case PV_TAKING_OWN:
		end(fleet);
		break;
	case PV_TAKING_NOTHING:
		break;
	}
}

/* Links that were taken over are dropped before the next ones are looked for, since
 * they would be found again. */
static bool may_look(const struct pv_fleet *fleet)
{
	const struct pv_taking *taking = &fleet->taking;
	return taking->step == PV_TAKING_NOTHING && !taking->is_under_way &&
	       !fleet->passing.drop_count && !fleet->is_hurried &&
	       !pv_giving_is_committing(&fleet->giving);
}

void pv_taking_step(struct pv_fleet *fleet)
{
	struct pv_taking *taking = &fleet->taking;
	if (!pv_fleet_is_up(fleet))
		return;
	if (taking->is_to_put) {
		put(fleet);
		return;
	}
	if (!may_look(fleet) || pv_fleet_now(fleet) < taking->look_at)
		return;
	if (taking->has_looked)
		pv_loading_look(fleet, on_answer);
	else
		pv_loading_look_at_claimed(fleet, on_answer);
}

bool pv_taking_is_done(const struct pv_taking *taking)
{
	return taking->step == PV_TAKING_NOTHING && !taking->is_under_way &&
	       taking->has_looked && !taking->has_found;
}
