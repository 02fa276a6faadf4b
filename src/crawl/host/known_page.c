#include "crawl/host/known_page.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/host/host_slots.h"
#include "crawl/host/host_visits.h"
#include "crawl/run/halt.h"
#include "crawl/visit/flight.h"

struct search {
	struct pv_page_request request; /* the first: what comes back */
	struct pv_live_host *host;
	struct pv_buf authority;
};

static void finish(struct search *search)
{
	pv_buf_finish(&search->authority);
	pv_buf_finish(&search->request.url);
	free(search);
}

static void keep(struct pv_known_page *known, struct pv_str url)
{
	if (!url.len)
		return;
	known->url = pv_alloc(url.len + 1);
	memcpy(known->url, url.ptr, url.len);
}

static void go_on(struct pv_crawl *crawl, struct pv_live_host *host)
{
	if (crawl->halt.is_ending || host->phase == PV_HOST_LEAVING)
		return;
	if (host->phase == PV_HOST_PACED && !host->is_looked_up)
		pv_schedule_host_park(
		    crawl->schedule, host->scheduled, 0, pv_crawl_now(crawl));
	pv_host_visits_feed(crawl, host);
	if (pv_live_host_is_idle(host))
		pv_host_slots_offer(crawl, host);
}

static void on_found(
    struct pv_page_request *request, enum pv_store_status status)
{
	struct search *search = (struct search *)request;
	struct pv_live_host *host = search->host;
	struct pv_crawl *crawl = host->crawl;
	pv_outbox_came_back(&crawl->outbox);
	host->known.is_being_found = false;
	if (status == PV_STORE_OK)
		keep(&host->known, pv_buf_str(&request->url));
	finish(search);
	pv_halt_note_status(crawl, status);
	go_on(crawl, host);
}

static void begin(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	struct search *search = pv_alloc(sizeof(*search));
	struct pv_page_request *request = &search->request;
	search->host = host;
	pv_buf_init(&search->authority, PV_SEED_ADDRESS_MAX);
	pv_buf_append(&search->authority, flight->authority_text);
	*request = (struct pv_page_request){
	    .origin = pv_frontier_fingerprint(
		crawl->frontier, pv_url_page(&flight->url))
			  .origin,
	    .authority = pv_buf_str(&search->authority),
	    .number = host->known.failures,
	    .done = on_found,
	};
	pv_buf_init(&request->url, PV_SEED_ADDRESS_MAX);
	host->known.is_being_found = true;
	pv_outbox_give(&crawl->outbox, PV_PAPER_PAGE_REQUEST, request,
	    pv_crawl_now(crawl));
}

/* A host may have several authorities. What was found on behalf of a visit to
 * another one is for that one's robots.txt to judge. */
static bool is_at(const struct pv_known_page *known, struct pv_str authority)
{
	struct pv_str url = pv_str_of(known->url);
	return pv_str_starts(url, authority) &&
	       pv_str_starts(pv_str_from(url, authority.len), PV_STR("/"));
}

enum pv_known_look pv_known_page_look(struct pv_flight *flight)
{
	struct pv_live_host *host = flight->host;
	struct pv_known_page *known = &host->known;
	uint32_t failures = pv_schedule_host_failures(host->scheduled);
	if (!known->is_being_found && known->failures != failures) {
		pv_known_page_clear(known);
		known->failures = failures;
		begin(flight);
	}
	if (!known->is_being_found) {
		known->failures = 0;
		if (known->url && !is_at(known, flight->authority_text))
			pv_known_page_clear(known);
		return known->url ? PV_KNOWN_FOUND : PV_KNOWN_NONE;
	}
	pv_schedule_host_park(flight->crawl->schedule, host->scheduled,
	    PV_NEVER, pv_crawl_now(flight->crawl));
	return PV_KNOWN_LATER;
}
