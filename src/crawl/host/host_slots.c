#include "crawl/host/host_slots.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/host/host_returns.h"
#include "crawl/progress/waiting.h"
#include "crawl/runtime.h"

/* So many at a time are given and taken, and known to wait. */
#define READY_MAX 1024

/* Who is ready so soon is taken, since taking is committed first. */
#define LEAD_MS PV_GROUP_MS

/* How often the frontier is asked who waits, while no place is free, and all
 * hosts are looked through. */
#define LOOK_MS 100
#define SEARCH_MS 1000

/* Who will be asked again sooner keeps its place. */
#define SHORT_MS 1000

/* A name that could not be looked up is tried again here first. */
#define NAMELESS_MS 60000

/* The part of a new value in the average of how late hosts are. */
#define LATE_PART 16

/* What a host takes, about, with a connection that is kept; and what stays of
 * it, as its name, its clocks and its robots.txt, while it has no place. */
#define HELD_BYTES ((size_t)6 << 10)
#define REMEMBERED_BYTES ((size_t)3 << 9)

/* The state file's cache gets the rest, and at least this part of all; it is resized
 * when that has changed by this part. */
#define CACHE_MIN_PART 4
#define CACHE_STEP_PART 64

/* So many hosts are held at once; the rest wait in the frontier. */
#define HOSTS_MAX 16384

void pv_host_slots_init(struct pv_host_slots *places)
{
	places->max = HOSTS_MAX;
	places->has_waiting = true;
}

void pv_host_slots_note_waiting(struct pv_crawl *crawl)
{
	crawl->hosts.slots.has_waiting = true;
	crawl->hosts.slots.next_outside = pv_crawl_now(crawl);
}

size_t pv_host_slots_cache_bytes(size_t all, size_t held, size_t remembered)
{
	size_t least = all / CACHE_MIN_PART;
	size_t most = all - least;
	size_t taken = held * HELD_BYTES + remembered * REMEMBERED_BYTES;
	return least + (taken < most ? most - taken : 0);
}

static void share_memory(struct pv_crawl *crawl)
{
	struct pv_host_slots *places = &crawl->hosts.slots;
	struct pv_cache_part part =
	    pv_runtime_cache_part(crawl->around.runtime);
	size_t bytes = pv_host_slots_cache_bytes(part.state_bytes,
	    crawl->hosts.held.count, crawl->hosts.authorities.count);
	bytes -= bytes % (part.state_bytes / CACHE_STEP_PART);
	if (bytes != places->cache_bytes)
		pv_writer_limit_cache(&crawl->store->writer, bytes);
	if (part.link_bytes != places->link_bytes)
		pv_frontier_limit_memory(crawl->frontier, part.link_bytes);
	places->cache_bytes = bytes;
	places->link_bytes = part.link_bytes;
}

size_t pv_host_slots_free(const struct pv_crawl *crawl)
{
	size_t taken = crawl->hosts.held.count - crawl->hosts.giving.leaving;
	return taken < crawl->hosts.slots.max ? crawl->hosts.slots.max - taken
					      : 0;
}

bool pv_host_slots_are_short(const struct pv_crawl *crawl)
{
	return crawl->hosts.slots.has_waiting &&
	       crawl->hosts.held.count >= crawl->hosts.slots.max;
}

/* The frontier */

/* The wall clock, or what it would be if it had not been set back: hosts that
 * were ready by it are ready. */
static int64_t latest_wall_ms(const struct pv_crawl *crawl)
{
	return pv_crawl_now(crawl) + crawl->hosts.slots.wall_ahead_ms;
}

static int64_t patience_ms(const struct pv_crawl *crawl)
{
	return crawl->hosts.slots.late_ms / 2 - LEAD_MS;
}

bool pv_host_slots_are_to_look(const struct pv_crawl *crawl)
{
	return pv_crawl_now(crawl) >= pv_host_slots_first_due(crawl) &&
	       pv_crawl_now(crawl) >= crawl->hosts.slots.look_at;
}

void pv_host_slots_ask(
    const struct pv_crawl *crawl, struct pv_host_request *request)
{
	size_t room = pv_host_slots_free(crawl);
	request->max = room < READY_MAX ? room : READY_MAX;
	request->ready_max = READY_MAX;
	request->ready_by_wall_ms = latest_wall_ms(crawl) - patience_ms(crawl);
}

void pv_host_slots_hear(
    struct pv_crawl *crawl, const struct pv_host_request *request)
{
	struct pv_host_slots *places = &crawl->hosts.slots;
	int64_t left_ms = request->next_wall_ms - latest_wall_ms(crawl);
	crawl->hosts.slots.has_waiting =
	    request->next_wall_ms != PV_FRONTIER_NEVER;
	places->ready_outside = request->ready_count;
	places->next_outside =
	    pv_crawl_now(crawl) + (left_ms > 0 ? left_ms : 0);
	places->look_at = pv_crawl_now(crawl) + LOOK_MS;
}

int64_t pv_host_slots_first_due(const struct pv_crawl *crawl)
{
	if (!crawl->hosts.slots.has_waiting)
		return PV_NEVER;
	return crawl->hosts.slots.next_outside + patience_ms(crawl);
}

/* Who gives a place */

static bool are_wanted(const struct pv_crawl *crawl)
{
	return crawl->hosts.slots.ready_outside > pv_host_slots_free(crawl) &&
	       crawl->hosts.slots.has_waiting && !crawl->halt.is_ending;
}

int64_t pv_host_slots_ready_at(
    const struct pv_crawl *crawl, const struct pv_live_host *host)
{
	if (host->phase == PV_HOST_PACED &&
	    pv_schedule_host_visits(host->scheduled))
		return pv_schedule_host_ready_at(host->scheduled, crawl->now);
	return pv_waiting_of(crawl, host).until;
}

/* Whether others may have its place for so long: it has nothing left, or
 * nothing of it is under way and it waits. */
static bool is_spare(const struct pv_crawl *crawl,
    const struct pv_live_host *host, int64_t least_ms)
{
	int64_t now = pv_crawl_now(crawl);
	if (host->phase == PV_HOST_LEAVING || host->is_looked_up)
		return false;
	if (pv_live_host_is_idle(host))
		return true;
	if (host->open || host->feed.is_asking || pv_live_host_has_asks(host) ||
	    host->phase == PV_HOST_REFUSED)
		return false;
	if (host->phase == PV_HOST_NAMELESS)
		least_ms = NAMELESS_MS;
	int64_t at = pv_host_slots_ready_at(crawl, host);
	return at != PV_NEVER && at >= now + least_ms;
}

void pv_host_slots_note_late(struct pv_crawl *crawl, int64_t late_ms)
{
	struct pv_host_slots *places = &crawl->hosts.slots;
	places->late_ms += (late_ms - places->late_ms) / LATE_PART;
}

/* It was just asked, so that it is behind all that are ready. */
void pv_host_slots_offer(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (are_wanted(crawl) &&
	    is_spare(crawl, host, SHORT_MS - crawl->hosts.slots.late_ms))
		pv_host_returns_give(
		    crawl, host, pv_host_slots_ready_at(crawl, host));
}

/* Those that wait longest go first. */
struct spare {
	struct pv_live_host *host;
	int64_t ready_at;
};

static int by_wait(const void *left, const void *right)
{
	const struct spare *a = left, *b = right;
	return (a->ready_at < b->ready_at) - (a->ready_at > b->ready_at);
}

static void search(struct pv_crawl *crawl)
{
	size_t count = 0;
	struct spare *spares =
	    pv_alloc_array(crawl->hosts.held.count, sizeof(*spares));
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		struct pv_live_host *host = crawl->hosts.held.items[i];
		if (is_spare(crawl, host, SHORT_MS))
			spares[count++] = (struct spare){
			    host, pv_host_slots_ready_at(crawl, host)};
	}
	qsort(spares, count, sizeof(*spares), by_wait);
	for (size_t i = 0; i < count && are_wanted(crawl); i++)
		pv_host_returns_give(crawl, spares[i].host, spares[i].ready_at);
	free(spares);
}

void pv_host_slots_step(struct pv_crawl *crawl)
{
	struct pv_host_slots *places = &crawl->hosts.slots;
	int64_t ahead_ms = crawl->now.wall_ms - crawl->now.monotonic_ms;
	if (ahead_ms > places->wall_ahead_ms)
		places->wall_ahead_ms = ahead_ms;
	share_memory(crawl);
	if (!are_wanted(crawl) || pv_crawl_now(crawl) < places->search_at)
		return;
	places->search_at = pv_crawl_now(crawl) + SEARCH_MS;
	search(crawl);
}

int64_t pv_host_slots_next(const struct pv_crawl *crawl)
{
	const struct pv_host_slots *places = &crawl->hosts.slots;
	int64_t next = pv_host_slots_first_due(crawl);
	if (next == PV_NEVER || crawl->hosts.taking.is_under_way)
		return PV_NEVER;
	next = next > places->look_at ? next : places->look_at;
	return are_wanted(crawl) && places->search_at < next ? places->search_at
							     : next;
}
