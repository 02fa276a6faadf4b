#include "crawl/host/host_returns.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "crawl/conductor.h"

static void on_given(struct pv_host_return *giving, enum pv_store_status status)
{
	struct pv_live_host *host = giving->ctx;
	struct pv_crawl *crawl = host->crawl;
	pv_outbox_came_back(&crawl->outbox);
	crawl->hosts.giving.leaving--;
	pv_host_events_leave(crawl, host);
	pv_held_hosts_remove(crawl, host);
	pv_halt_note_status(crawl, status);
}

void pv_host_returns_give(
    struct pv_crawl *crawl, struct pv_live_host *host, int64_t ready_at)
{
	if (host->phase == PV_HOST_LEAVING)
		return;
	host->phase = PV_HOST_LEAVING;
	crawl->hosts.giving.leaving++;
	host->giving = pv_alloc(sizeof(*host->giving));
	*host->giving = (struct pv_host_return){
	    .host_id = host->id,
	    .state = pv_live_host_state(host, crawl->now),
	    .has_clock = host->scheduled != NULL,
	    .done = on_given,
	    .ctx = host,
	};
	int64_t *until_wall_ms = &host->giving->state.until_wall_ms;
	if (ready_at != PV_NEVER &&
	    pv_saved_until_wall(ready_at, crawl->now) > *until_wall_ms)
		*until_wall_ms = pv_saved_until_wall(ready_at, crawl->now);
	if (host->scheduled)
		pv_schedule_host_park(crawl->schedule, host->scheduled,
		    PV_NEVER, pv_crawl_now(crawl));
	pv_outbox_give(&crawl->outbox, PV_PAPER_HOST_RETURN, host->giving,
	    pv_crawl_now(crawl));
}

/* They are still held here, so that progress shows them until the end. */
static void on_all_given(
    struct pv_host_returns *giving, enum pv_store_status status)
{
	struct pv_crawl *crawl = giving->ctx;
	pv_outbox_came_back(&crawl->outbox);
	free(crawl->hosts.giving.items);
	crawl->hosts.giving.items = NULL;
	pv_halt_note_status(crawl, status);
}

void pv_host_returns_give_all(struct pv_crawl *crawl)
{
	size_t count = 0, size = 0;
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		struct pv_live_host *host = crawl->hosts.held.items[i];
		if (host->phase == PV_HOST_LEAVING)
			continue;
		host->phase = PV_HOST_LEAVING;
		struct pv_host_state state =
		    pv_live_host_state(host, crawl->now);
		if (pv_live_host_is_saved(host, &state))
			continue;
		*PV_ARRAY_PUSH(crawl->hosts.giving.items, count, size) =
		    (struct pv_host_return){
			.host_id = host->id, .state = state};
	}
	crawl->hosts.giving.all = (struct pv_host_returns){
	    .items = crawl->hosts.giving.items,
	    .count = count,
	    .done = on_all_given,
	    .ctx = crawl,
	};
	pv_outbox_give(&crawl->outbox, PV_PAPER_HOST_RETURNS,
	    &crawl->hosts.giving.all, pv_crawl_now(crawl));
}

void pv_host_returns_finish(struct pv_host_giving *giving)
{
	free(giving->items);
}
