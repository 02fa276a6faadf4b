#include "fleet/giving/gift_hosts.h"

#include "base/array.h"
#include "fleet/clocks/gifts.h"
#include "fleet/worker/worker.h"
#include "frontier/sqlite/handover_owners.h"
#include "frontier/sqlite/host_table.h"

struct listing {
	struct pv_fleet *fleet;
	struct pv_map gifts; /* clocks, to places of those that are looked at */
	struct pv_gift **items;
	size_t count;
	size_t size;
};

static void list(void *ctx, struct pv_str host)
{
	const struct listing *listing = ctx;
	const uint32_t *place = pv_map_get(
	    &listing->gifts, pv_fleet_clock_of(listing->fleet, host));
	if (place)
		pv_gift_names_add(&listing->items[*place]->hosts, host);
}

/* Finds the hosts of those that were chosen, with one look at all hosts. */
static void list_hosts(struct pv_fleet *fleet, bool is_anew)
{
	struct pv_giving *giving = &fleet->giving;
	struct listing listing = {.fleet = fleet, .items = giving->chosen};
	bool has_any = false;
	pv_map_init(&listing.gifts, fleet->key);
	for (size_t i = 0; i < giving->chosen_count; i++) {
		struct pv_gift *gift = giving->chosen[i];
		if (gift->is_listed && !is_anew)
			continue;
		pv_gift_names_clear(&gift->hosts);
		has_any = gift->is_listed = true;
		for (size_t j = 0; j < gift->clocks.count; j++)
			pv_map_add(
			    &listing.gifts, gift->clocks.items[j], (uint32_t)i);
	}
	if (has_any)
		pv_handover_each_owned(&fleet->handover, list, &listing);
	pv_map_finish(&listing.gifts);
}

static void note_held(struct pv_fleet *fleet, struct pv_str host)
{
	struct pv_giving *giving = &fleet->giving;
	enum pv_holding holding;
	uint64_t id = pv_host_table_find(
	    &fleet->handover.tables->hosts, host, 0, &holding);
	*PV_ARRAY_PUSH(giving->held, giving->held_count, giving->held_size) =
	    id;
}

/* Nothing of its hosts is given out from now on, but of those that are held. */
static void leave(struct pv_fleet *fleet, struct pv_gift *gift)
{
	gift->is_ready = true;
	for (size_t i = 0; i < gift->hosts.count; i++) {
		struct pv_str host = gift->hosts.items[i];
		if (pv_handover_leave(&fleet->handover, host))
			continue;
		gift->is_ready = false;
		note_held(fleet, host);
	}
}

static bool is_departing(struct pv_fleet *fleet, struct pv_str host)
{
	enum pv_holding holding;
	pv_host_table_find(&fleet->handover.tables->hosts, host, 0, &holding);
	return holding == PV_HOST_DEPARTING;
}

/* A host of it may have come meanwhile: then it begins anew. */
static void give(struct pv_fleet *fleet, struct pv_gift *gift)
{
	gift->is_ready = true;
	for (size_t i = 0; i < gift->hosts.count && gift->is_ready; i++)
		gift->is_ready = is_departing(fleet, gift->hosts.items[i]);
	for (size_t i = 0; i < gift->hosts.count && gift->is_ready; i++)
		pv_handover_give(&fleet->handover, gift->hosts.items[i]);
}

void pv_gift_hosts_leave(struct pv_fleet *fleet)
{
	fleet->giving.held_count = 0;
	list_hosts(fleet, false);
	for (size_t i = 0; i < fleet->giving.chosen_count; i++)
		leave(fleet, fleet->giving.chosen[i]);
}

void pv_gift_hosts_give(struct pv_fleet *fleet)
{
	list_hosts(fleet, true);
	for (size_t i = 0; i < fleet->giving.chosen_count; i++)
		give(fleet, fleet->giving.chosen[i]);
}
