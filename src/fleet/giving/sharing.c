#include "fleet/giving/sharing.h"

#include <stdlib.h>

#include "base/array.h"
#include "fleet/giving/giving.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_owners.h"

/* Until it beats for the sake of those that have nothing to do. */
#define SPACE_MS 1000

/* So many clocks are given away after one beat. */
#define GIVEN_MAX 64

static void forget(struct pv_sharing *sharing)
{
	for (size_t i = 0; i < sharing->clock_count; i++)
		free(sharing->clocks[i].name);
	sharing->clock_count = 0;
	pv_map_finish(&sharing->places);
}

void pv_sharing_finish(struct pv_sharing *sharing)
{
	forget(sharing);
	free(sharing->clocks);
}

/* What has something left, on the writer's thread */

static struct pv_busy_clock *find(
    const struct pv_sharing *sharing, struct pv_str clock)
{
	const uint32_t *place = pv_map_get(&sharing->places, clock);
	return place ? &sharing->clocks[*place] : NULL;
}

static struct pv_busy_clock *add(
    struct pv_sharing *sharing, struct pv_str clock)
{
	char *name = pv_alloc(clock.len + 1);
	memcpy(name, pv_str_bytes(clock), clock.len);
	pv_map_add(&sharing->places, (struct pv_str){name, clock.len},
	    (uint32_t)sharing->clock_count);
	struct pv_busy_clock *added = PV_ARRAY_PUSH(
	    sharing->clocks, sharing->clock_count, sharing->clock_size);
	*added = (struct pv_busy_clock){.name = name};
	return added;
}

static void list(void *ctx, struct pv_str host, enum pv_asked asked)
{
	struct pv_fleet *fleet = ctx;
	struct pv_str name = pv_fleet_clock_of(fleet, host);
	struct pv_busy_clock *clock = find(&fleet->sharing, name);
	if (!clock)
		clock = add(&fleet->sharing, name);
	clock->owes_delay |= asked == PV_ASKED_ELSEWHERE;
	clock->was_asked |= asked == PV_ASKED_HERE;
}

static void run(struct pv_tables_work *work, struct pv_tables *tables)
{
	struct pv_sharing *sharing = PV_WHOLE(struct pv_sharing, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, sharing, sharing);
	(void)tables;
	pv_handover_each_busy(
	    &fleet->handover, sharing->is_halted, list, fleet);
}

/* Who gets what */

/* Whether it has too little for its share of the rate, and this one too much. */
static bool has_too_little(
    const struct pv_fleet *fleet, const struct pv_fleet_member *member)
{
	return member->has_room && fleet->beats.usage.is_full &&
	       (int64_t)fleet->sharing.own_count > 2 * member->clocks;
}

/* Who has nothing to do, or too little; and where this one is on standby, who has a
 * share. */
static bool may_take(
    const struct pv_fleet *fleet, const struct pv_fleet_member *member)
{
	return member->id != fleet->worker &&
	       (member->is_idle || has_too_little(fleet, member) ||
		   (fleet->sharing.is_on_standby && member->share.of > 0));
}

static size_t count_takers(const struct pv_fleet *fleet)
{
	const struct pv_fleet_members *members = &fleet->beats.members;
	size_t count = 0;
	for (size_t i = 0; i < members->count; i++)
		count += may_take(fleet, &members->items[i]);
	return count;
}

/* The one of that place among them. */
static int64_t find_taker(const struct pv_fleet *fleet, size_t place)
{
	const struct pv_fleet_members *members = &fleet->beats.members;
	for (size_t i = 0; i < members->count; i++) {
		if (may_take(fleet, &members->items[i]) && !place--)
			return members->items[i].id;
	}
	return 0;
}

/* One that came from another worker stays until it was asked, where it can be: it would
 * owe its whole delay once more, and might go from worker to worker for ever. So does
 * one that waits for another, or for which another waits. */
static bool stays(const struct pv_fleet *fleet, struct pv_str name)
{
	const struct pv_busy_clock *clock = find(&fleet->sharing, name);
	return (clock && clock->owes_delay && !clock->was_asked &&
		   !fleet->sharing.is_halted) ||
	       pv_ties_has(&fleet->naming.ties, name, pv_fleet_now(fleet));
}

static bool has_one_that_stays(
    const struct pv_fleet *fleet, const struct pv_net_group *group)
{
	size_t i = 0;
	while (i < group->clock_count && !stays(fleet, group->clocks[i]->name))
		i++;
	return i < group->clock_count;
}

/* The whole group of the clock, if it is no larger; how many clocks that are. */
static size_t give(struct pv_fleet *fleet, struct pv_str clock,
    bool has_addresses, size_t most, int64_t worker)
{
	struct pv_net_group group;
	size_t count = 0;
	if (pv_giving_has(&fleet->giving, clock) || stays(fleet, clock))
		return 0;
	pv_net_group_of_clock(&fleet->net.table, clock, &group);
	if (has_one_that_stays(fleet, &group)) {
		count = 0;
	} else if (has_addresses && group.address_count &&
		   group.clock_count <= most) {
		pv_giving_add_group(fleet, &group, worker);
		count = group.clock_count;
	} else if (!has_addresses && !group.address_count && most) {
		pv_giving_add_clock(fleet, clock, worker);
		count = 1;
	}
	pv_net_group_finish(&group);
	return count;
}

/* What those have that take some. */
static size_t count_theirs(const struct pv_fleet *fleet)
{
	const struct pv_fleet_members *members = &fleet->beats.members;
	size_t count = 0;
	for (size_t i = 0; i < members->count; i++)
		if (may_take(fleet, &members->items[i]) &&
		    !members->items[i].is_idle)
			count += (size_t)members->items[i].clocks;
	return count;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many clocks they get: all, where nothing can be asked here; else no more than
 * leaves as many to this one as to them, since others give some, too. */
static size_t count_spare(const struct pv_fleet *fleet, size_t takers)
{
	size_t workers = pv_fleet_members_count(&fleet->beats.members);
	size_t count = fleet->sharing.clock_count;
	size_t each = (count + count_theirs(fleet)) / (takers + 1);
	if (!fleet->sharing.is_halted)
		count = smaller(
		    count * takers / workers, count > each ? count - each : 0);
	return smaller(count, GIVEN_MAX);
}

/* All that lives at addresses of ours: what else we give away may live there, too, and
 * would come back. */
static size_t give_addresses(struct pv_fleet *fleet, size_t takers)
{
	const struct pv_net_table *table = &fleet->net.table;
	size_t given = 0;
	for (size_t i = 0; i < table->address_count && given < GIVEN_MAX; i++) {
		struct pv_net_group group;
		if (table->addresses[i]->owner != PV_NET_OURS)
			continue;
		pv_net_group_of_address(table->addresses[i], &group);
		if (!has_one_that_stays(fleet, &group))
			pv_giving_add_group(
			    fleet, &group, find_taker(fleet, given++ % takers));
		pv_net_group_finish(&group);
	}
	return given;
}

/* Those whose addresses are known first: the others may live where a clock lives
 * that stays, and come back. */
static void share(struct pv_fleet *fleet)
{
	const struct pv_sharing *sharing = &fleet->sharing;
	size_t takers = count_takers(fleet);
	size_t left = takers ? count_spare(fleet, takers) : 0;
	size_t turn = 0;
	if (takers && sharing->is_halted && give_addresses(fleet, takers))
		return;
	for (size_t i = 0; i < 2 * sharing->clock_count && left; i++) {
		const struct pv_busy_clock *clock =
		    &sharing->clocks[i % sharing->clock_count];
		size_t given = give(fleet, pv_str_of(clock->name),
		    i < sharing->clock_count, left,
		    find_taker(fleet, turn % takers));
		left -= given < left ? given : left;
		turn += given > 0;
	}
}

static void on_looked(struct pv_tables_work *work, enum pv_store_status status)
{
	struct pv_sharing *sharing = PV_WHOLE(struct pv_sharing, work, work);
	struct pv_fleet *fleet = PV_WHOLE(struct pv_fleet, sharing, sharing);
	sharing->is_looking = false;
	sharing->own_count = sharing->clock_count;
	if (status == PV_STORE_OK)
		share(fleet);
	forget(sharing);
}

/* Of whoever is idle it is known at once when it is so no more. */
static bool is_anybody_idle(const struct pv_fleet *fleet)
{
	const struct pv_fleet_members *members = &fleet->beats.members;
	size_t i = 0;
	while (i < members->count && (members->items[i].id == fleet->worker ||
					 !members->items[i].is_idle))
		i++;
	return i < members->count;
}

static void beat_again(struct pv_fleet *fleet)
{
	struct pv_sharing *sharing = &fleet->sharing;
	if (!is_anybody_idle(fleet))
		return;
	if (!sharing->beats_again)
		sharing->beat_at = pv_fleet_now(fleet) + SPACE_MS;
	sharing->beats_again = true;
}

void pv_sharing_look(struct pv_fleet *fleet)
{
	struct pv_sharing *sharing = &fleet->sharing;
	struct pv_fleet_figures figures = {0};
	sharing->is_on_standby = pv_fleet_is_on_standby(fleet);
	if (!sharing->is_looking)
		sharing->own_count = fleet->taking.owned;
	if (!count_takers(fleet) || fleet->is_hurried || fleet->leaving)
		return;
	if (sharing->is_looking || !pv_giving_is_done(&fleet->giving)) {
		beat_again(fleet);
		return;
	}
	pv_fleet_figures(fleet, &figures);
	sharing->is_halted = figures.is_halted;
	pv_map_init(&sharing->places, fleet->key);
	sharing->work =
	    (struct pv_tables_work){.run = run, .done = on_looked, .rows = 1};
	sharing->is_looking = pv_sqlite_frontier_work(
	    fleet->frontier, &sharing->work, pv_fleet_time(fleet).monotonic_ms);
}

void pv_sharing_note_owned(struct pv_fleet *fleet)
{
	beat_again(fleet);
}

void pv_sharing_step(struct pv_fleet *fleet)
{
	struct pv_sharing *sharing = &fleet->sharing;
	if (!sharing->beats_again || sharing->is_looking ||
	    !pv_giving_is_done(&fleet->giving) ||
	    pv_fleet_now(fleet) < sharing->beat_at)
		return;
	sharing->beats_again = false;
	pv_fleet_beats_hurry(&fleet->beats);
}
