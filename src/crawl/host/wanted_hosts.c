#include "crawl/host/wanted_hosts.h"

#include "crawl/conductor.h"
#include "crawl/host/host_returns.h"
#include "crawl/host/host_slots.h"
#include "crawl/robots/robots_hops.h"

/* One that is given up stays until all of its visits have ended. */
static bool may_leave(const struct pv_live_host *host)
{
	if (host->open || host->is_looked_up || host->feed.is_asking ||
	    host->known.is_being_found)
		return false;
	return host->phase == PV_HOST_PACED ||
	       host->phase == PV_HOST_NAMELESS ||
	       (host->phase == PV_HOST_REFUSED && pv_live_host_is_idle(host));
}

void pv_wanted_hosts_give(void *ctx, const uint64_t *host_ids, size_t count)
{
	struct pv_crawl *crawl = ctx;
	for (size_t i = 0; i < count && !crawl->halt.is_ending; i++) {
		struct pv_live_host *host =
		    pv_held_hosts_find(&crawl->hosts.held, host_ids[i]);
		if (!host || !may_leave(host))
			continue;
		pv_robots_hops_put_back(crawl, host);
		pv_host_returns_give(
		    crawl, host, pv_host_slots_ready_at(crawl, host));
	}
}
