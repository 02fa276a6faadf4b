#include "fleet/giving/giving.h"

#include <stdlib.h>

#include "base/array.h"
#include "fleet/clocks/gifts.h"
#include "fleet/giving/gift_hosts.h"
#include "fleet/giving/gift_request.h"
#include "fleet/passing/passing.h"
#include "fleet/worker/worker.h"

/* So often it is seen whether hosts have come back from the conductor. */
#define LOOK_MS 50

/* So long a worker that lives may take until it owns the address that it was given,
 * after its rest: it takes the hosts when theirs is over. */
#define ARRIVAL_MS 60000

void pv_giving_init(struct pv_giving *giving, struct pv_hash_key key)
{
	*giving = (struct pv_giving){.is_working = false};
	giving->last = &giving->first;
	pv_map_init(&giving->clocks, key);
}

static void remove_gift(struct pv_giving *giving, struct pv_gift **link)
{
	struct pv_gift *gift = *link;
	for (size_t i = 0; i < gift->clocks.count; i++)
		pv_map_remove(&giving->clocks, gift->clocks.items[i]);
	*link = gift->next;
	if (!*link)
		giving->last = link;
	pv_gift_destroy(gift);
}

void pv_giving_finish(struct pv_giving *giving)
{
	while (giving->first)
		remove_gift(giving, &giving->first);
	pv_map_finish(&giving->clocks);
	free(giving->held);
	free(giving->chosen);
}

bool pv_giving_has(const struct pv_giving *giving, struct pv_str clock)
{
	return pv_map_get(&giving->clocks, clock) != NULL;
}

bool pv_giving_is_committing(const struct pv_giving *giving)
{
	return giving->is_committing;
}

bool pv_giving_is_done(const struct pv_giving *giving)
{
	return !giving->first;
}

/* New gifts */

static bool may_give(const struct pv_fleet *fleet)
{
	return !fleet->is_hurried && !fleet->is_lost && !fleet->leaving;
}

static void add(struct pv_giving *giving, struct pv_gift *gift)
{
	for (size_t i = 0; i < gift->clocks.count; i++)
		pv_map_add(&giving->clocks, gift->clocks.items[i], 0);
	*giving->last = gift;
	giving->last = &gift->next;
}

void pv_giving_add_clock(
    struct pv_fleet *fleet, struct pv_str clock, int64_t worker)
{
	if (!may_give(fleet) || pv_giving_has(&fleet->giving, clock))
		return;
	struct pv_gift *gift = pv_gift_create(worker);
	pv_gift_names_add(&gift->clocks, clock);
	add(&fleet->giving, gift);
}

void pv_giving_add_group(
    struct pv_fleet *fleet, const struct pv_net_group *group, int64_t worker)
{
	for (size_t i = 0; i < group->clock_count; i++) {
		if (pv_giving_has(&fleet->giving, group->clocks[i]->name))
			return;
	}
	for (size_t i = 0; i < group->address_count; i++) {
		if (group->addresses[i]->owner == PV_NET_LEAVING)
			return;
	}
	if (!may_give(fleet))
		return;
	struct pv_gift *gift = pv_gift_create(worker);
	for (size_t i = 0; i < group->clock_count; i++)
		pv_gift_names_add(&gift->clocks, group->clocks[i]->name);
	for (size_t i = 0; i < group->address_count; i++) {
		group->addresses[i]->owner = PV_NET_LEAVING;
		pv_gift_names_add(&gift->addresses, group->addresses[i]->name);
	}
	add(&fleet->giving, gift);
}

void pv_giving_add_all_with(
    struct pv_fleet *fleet, struct pv_str clock, int64_t worker)
{
	struct pv_net_group group;
	pv_net_group_of_clock(&fleet->net.table, clock, &group);
	if (group.address_count)
		pv_giving_add_group(fleet, &group, worker);
	else
		pv_giving_add_clock(fleet, clock, worker);
	pv_net_group_finish(&group);
}

/* On the writer's thread */

static struct pv_fleet *fleet_of(struct pv_tables_work *work)
{
	struct pv_giving *giving = PV_WHOLE(struct pv_giving, work, work);
	return PV_WHOLE(struct pv_fleet, giving, giving);
}

static void run_leave(struct pv_tables_work *work, struct pv_tables *tables)
{
	(void)tables;
	pv_gift_hosts_leave(fleet_of(work));
}

static void run_give(struct pv_tables_work *work, struct pv_tables *tables)
{
	(void)tables;
	pv_gift_hosts_give(fleet_of(work));
}

/* PostgreSQL is told */

/* The other one is on its way to the address, which may be anybody's until its rest is
 * over: what of ours turns out to live there goes after it, and does not fetch it
 * back. */
static void end_address(
    struct pv_fleet *fleet, int64_t worker, struct pv_str name)
{
	struct pv_net_table *table = &fleet->net.table;
	struct pv_net_address *address = pv_net_table_find(table, name);
	int64_t now = pv_fleet_time(fleet).monotonic_ms;
	if (address && worker)
		pv_net_table_send(
		    address, worker, now, now + address->rest_ms + ARRIVAL_MS);
	else
		pv_net_table_remove_address(table, name);
}

/* They are not ours any more. */
static void end_gift(struct pv_fleet *fleet, struct pv_gift *gift)
{
	struct pv_net_table *table = &fleet->net.table;
	for (size_t i = 0; i < gift->clocks.count; i++)
		pv_net_table_remove_clock(table, gift->clocks.items[i]);
	for (size_t i = 0; i < gift->addresses.count; i++)
		end_address(fleet, gift->worker, gift->addresses.items[i]);
	fleet->taking.owned -= gift->clocks.count < fleet->taking.owned
				   ? gift->clocks.count
				   : fleet->taking.owned;
}

static void remove_gone(struct pv_giving *giving)
{
	struct pv_gift **link = &giving->first;
	while (*link) {
		if ((*link)->step == PV_GIFT_IS_GONE)
			remove_gift(giving, link);
		else
			link = &(*link)->next;
	}
}

/* It is not known whether they were given: what is owned is asked for, as at a
 * start. */
static void doubt(struct pv_fleet *fleet)
{
	pv_fleet_doubt(fleet);
	for (size_t i = 0; i < fleet->giving.chosen_count; i++) {
		const struct pv_gift *gift = fleet->giving.chosen[i];
		for (size_t j = 0; j < gift->addresses.count; j++)
			pv_net_table_doubt(
			    &fleet->net.table, gift->addresses.items[j]);
	}
}

static void on_told(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer)
{
	struct pv_fleet *fleet = ctx;
	struct pv_giving *giving = &fleet->giving;
	(void)request;
	giving->is_working = giving->is_committing = false;
	if (answer->status == PV_FLEET_OK) {
		for (size_t i = 0; i < giving->chosen_count; i++)
			end_gift(fleet, giving->chosen[i]);
	} else {
		doubt(fleet);
	}
	giving->chosen_count = 0;
	remove_gone(giving);
	if (answer->status == PV_FLEET_REFUSED)
		pv_fleet_hear_refusal(fleet, answer);
	pv_fleet_wake(fleet);
}

static void note_given(struct pv_fleet *fleet, const struct pv_gift *gift)
{
	for (size_t i = 0; i < gift->clocks.count; i++)
		pv_clock_events_clock(&fleet->events, PV_CLOCK_GIVEN,
		    gift->clocks.items[i], pv_boot_now_ms());
	for (size_t i = 0; i < gift->addresses.count; i++)
		pv_clock_events_address(&fleet->events, PV_CLOCK_GIVEN,
		    gift->addresses.items[i], pv_boot_now_ms());
}

/* Work in the state */

/* Those that are another's here by now; the others begin anew. */
static void keep_ready(struct pv_fleet *fleet)
{
	struct pv_giving *giving = &fleet->giving;
	size_t count = 0;
	for (size_t i = 0; i < giving->chosen_count; i++) {
		struct pv_gift *gift = giving->chosen[i];
		gift->step = gift->is_ready ? PV_GIFT_IS_GONE : PV_GIFT_LEAVES;
		gift->is_listed = false;
		if (!gift->is_ready)
			continue;
		note_given(fleet, gift);
		giving->chosen[count++] = gift;
	}
	giving->chosen_count = count;
}

static void on_given(struct pv_tables_work *work, enum pv_store_status status)
{
	struct pv_fleet *fleet = fleet_of(work);
	struct pv_giving *giving = &fleet->giving;
	if (status == PV_STORE_OK) {
		keep_ready(fleet);
		if (giving->chosen_count) {
			pv_fleet_line_send(
			    fleet->line, pv_gift_request(fleet, on_told));
			return;
		}
	}
	giving->is_working = giving->is_committing = false;
	giving->chosen_count = 0;
}

static void ask_back(struct pv_fleet *fleet)
{
	struct pv_giving *giving = &fleet->giving;
	struct pv_frontier *frontier = fleet->frontier;
	giving->look_at = pv_fleet_now(fleet) + LOOK_MS;
	if (!giving->held_count || !frontier->on_wanted)
		return;
	giving->is_asking_back = true;
	frontier->on_wanted(
	    frontier->wanted_ctx, giving->held, giving->held_count);
	giving->is_asking_back = false;
	pv_giving_step(fleet);
}

static void on_left(struct pv_tables_work *work, enum pv_store_status status)
{
	struct pv_fleet *fleet = fleet_of(work);
	struct pv_giving *giving = &fleet->giving;
	giving->is_working = false;
	for (size_t i = 0; i < giving->chosen_count; i++) {
		struct pv_gift *gift = giving->chosen[i];
		if (status != PV_STORE_OK || !gift->is_ready)
			continue;
		gift->step = PV_GIFT_PASSES;
		gift->round = fleet->passing.begun + 1;
	}
	giving->chosen_count = 0;
	if (status != PV_STORE_OK)
		return;
	ask_back(fleet);
	pv_passing_note_change(fleet);
}

static bool begin(struct pv_fleet *fleet,
    void (*run)(struct pv_tables_work *work, struct pv_tables *tables),
    void (*done)(struct pv_tables_work *work, enum pv_store_status status))
{
	struct pv_giving *giving = &fleet->giving;
	giving->work = (struct pv_tables_work){.run = run, .done = done};
	for (size_t i = 0; i < giving->chosen_count; i++)
		giving->work.rows += giving->chosen[i]->clocks.count;
	giving->is_working = pv_sqlite_frontier_work(
	    fleet->frontier, &giving->work, pv_fleet_time(fleet).monotonic_ms);
	return giving->is_working;
}

/* Steps */

static void choose(struct pv_fleet *fleet, enum pv_gift_step step)
{
	struct pv_giving *giving = &fleet->giving;
	struct pv_gift *gift = giving->first;
	giving->chosen_count = 0;
	for (; gift; gift = gift->next) {
		if (gift->step == step &&
		    (step != PV_GIFT_PASSES ||
			fleet->passing.ended >= gift->round))
			*PV_ARRAY_PUSH(giving->chosen, giving->chosen_count,
			    giving->chosen_size) = gift;
	}
}

static bool is_passing(const struct pv_fleet *fleet)
{
	const struct pv_gift *gift = fleet->giving.first;
	while (gift && (gift->step != PV_GIFT_PASSES ||
			   fleet->passing.ended >= gift->round))
		gift = gift->next;
	return gift != NULL;
}

/* While clocks are being claimed and loaded nothing is given: what was heard of
 * them before must not be done after. */
static bool may_commit(const struct pv_taking *taking)
{
	return taking->step == PV_TAKING_NOTHING && !taking->is_under_way &&
	       !taking->is_to_put && taking->has_looked;
}

void pv_giving_step(struct pv_fleet *fleet)
{
	struct pv_giving *giving = &fleet->giving;
	if (!giving->first || giving->is_working || giving->is_asking_back ||
	    !pv_fleet_is_up(fleet) || fleet->is_hurried || fleet->leaving)
		return;
	if (is_passing(fleet))
		fleet->passing.has_changes = true;
	choose(fleet, PV_GIFT_PASSES);
	if (giving->chosen_count && may_commit(&fleet->taking)) {
		giving->is_committing = begin(fleet, run_give, on_given);
		return;
	}
	choose(fleet, PV_GIFT_LEAVES);
	if (giving->chosen_count && pv_fleet_now(fleet) >= giving->look_at)
		begin(fleet, run_leave, on_left);
	else
		giving->chosen_count = 0;
}

void pv_giving_note_host(struct pv_fleet *fleet, uint64_t host_id)
{
	struct pv_giving *giving = &fleet->giving;
	if (giving->is_working)
		return;
	for (size_t i = 0; i < giving->held_count; i++) {
		if (giving->held[i] != host_id)
			continue;
		giving->look_at = 0;
		pv_giving_step(fleet);
		return;
	}
}
