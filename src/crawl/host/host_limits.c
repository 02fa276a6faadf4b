#include "crawl/host/host_limits.h"

#include "crawl/conductor.h"
#include "policy/policy.h"

bool pv_host_limits_are_reached(const struct pv_live_host *host)
{
	const struct pv_limits *limits = &host->crawl->policy->limits;
	const struct pv_host_state *state = &host->state;
	return (limits->host_pages != PV_NONE &&
		   state->pages >= limits->host_pages) ||
	       (limits->host_bytes != PV_NONE &&
		   state->bytes >= limits->host_bytes);
}

bool pv_host_limits_may_be_reached(const struct pv_live_host *host)
{
	int64_t most = host->crawl->policy->limits.host_pages;
	return most != PV_NONE &&
	       host->state.pages + host->limits.pages_in_flight >= most;
}

void pv_host_limits_wait(struct pv_live_host *host)
{
	struct pv_crawl *crawl = host->crawl;
	host->limits.is_waiting = true;
	pv_schedule_host_park(
	    crawl->schedule, host->scheduled, PV_NEVER, pv_crawl_now(crawl));
}

void pv_host_limits_begin(struct pv_live_host *host, bool is_for_page)
{
	host->limits.pages_in_flight += is_for_page;
}

void pv_host_limits_end(struct pv_live_host *host, bool is_for_page)
{
	struct pv_crawl *crawl = host->crawl;
	host->limits.pages_in_flight -= is_for_page;
	if (host->limits.is_waiting)
		pv_schedule_host_park(
		    crawl->schedule, host->scheduled, 0, pv_crawl_now(crawl));
	host->limits.is_waiting = false;
}

void pv_host_limits_count(
    struct pv_live_host *host, uint64_t bytes, bool is_page)
{
	host->state.bytes += (int64_t)bytes;
	host->state.pages += is_page;
}
