#include "crawl/host/held_hosts.h"

#include <stdlib.h>

#include "base/array.h"
#include "crawl/conductor.h"

/* Hosts that are looked through in a millisecond, at most, for those that are
 * due. */
#define LOOKED_AT_A_MS 128

static struct pv_str key_of(const uint64_t *id)
{
	return (struct pv_str){(const char *)id, sizeof(*id)};
}

void pv_held_hosts_init(struct pv_held_hosts *held, struct pv_hash_key key)
{
	pv_map_init(&held->by_id, key);
	pv_map_init(&held->by_name, key);
}

struct pv_live_host *pv_held_hosts_add(
    struct pv_held_hosts *held, const struct pv_host *host)
{
	struct pv_live_host *live = pv_live_host_create(host);
	uint32_t place = (uint32_t)held->count;
	*PV_ARRAY_PUSH(held->items, held->count, held->size) = live;
	pv_map_add(&held->by_id, key_of(&live->id), place);
	pv_map_add(&held->by_name, live->name, place);
	return live;
}

static void note_place(
    struct pv_held_hosts *held, const struct pv_live_host *host, uint32_t place)
{
	*pv_map_get(&held->by_id, key_of(&host->id)) = place;
	*pv_map_get(&held->by_name, host->name) = place;
}

static void take_out(
    struct pv_held_hosts *held, const struct pv_live_host *host)
{
	uint32_t place = *pv_map_get(&held->by_id, key_of(&host->id));
	pv_map_remove(&held->by_id, key_of(&host->id));
	pv_map_remove(&held->by_name, host->name);
	struct pv_live_host *last = held->items[--held->count];
	held->items[place] = last;
	if (last != host)
		note_place(held, last, place);
}

void pv_held_hosts_remove(struct pv_crawl *crawl, struct pv_live_host *host)
{
	pv_clock_claims_forget(&host->claims);
	if (host->scheduled)
		pv_schedule_host_remove(crawl->schedule, host->scheduled);
	crawl->around.names->forget(crawl->names, host);
	take_out(&crawl->hosts.held, host);
	if (host->feed.request)
		pv_visit_list_finish(&host->feed.request->visits);
	pv_live_host_destroy(host);
}

void pv_held_hosts_finish(struct pv_crawl *crawl)
{
	struct pv_held_hosts *held = &crawl->hosts.held;
	while (held->count)
		pv_held_hosts_remove(crawl, held->items[held->count - 1]);
	free(held->items);
	pv_map_finish(&held->by_id);
	pv_map_finish(&held->by_name);
}

struct pv_live_host *pv_held_hosts_find(
    const struct pv_held_hosts *held, uint64_t id)
{
	const uint32_t *place = pv_map_get(&held->by_id, key_of(&id));
	return place ? held->items[*place] : NULL;
}

struct pv_live_host *pv_held_hosts_find_name(
    const struct pv_held_hosts *held, struct pv_str name)
{
	const uint32_t *place = pv_map_get(&held->by_name, name);
	struct pv_live_host *host = place ? held->items[*place] : NULL;
	return host && host->phase != PV_HOST_LEAVING ? host : NULL;
}

int64_t pv_held_hosts_next_look(const struct pv_crawl *crawl, int64_t due_at)
{
	int64_t soonest = pv_crawl_now(crawl) +
			  (int64_t)crawl->hosts.held.count / LOOKED_AT_A_MS;
	return due_at > soonest ? due_at : soonest;
}
