#include "crawl/host/hosts.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/host/dns.h"
#include "crawl/host/host_returns.h"

#define NAME_MAX_BYTES 256

void pv_hosts_init(struct pv_crawl *crawl)
{
	pv_held_hosts_init(&crawl->hosts.held, crawl->frontier->key);
	pv_host_visits_init(&crawl->hosts.visits);
	pv_dns_init(&crawl->hosts.dns);
	pv_authorities_init(&crawl->hosts.authorities, crawl->frontier->key);
	pv_host_slots_init(&crawl->hosts.slots);
}

void pv_hosts_finish(struct pv_crawl *crawl)
{
	pv_held_hosts_finish(crawl);
	pv_host_returns_finish(&crawl->hosts.giving);
	pv_robots_hops_finish(&crawl->hosts.hops);
	pv_authorities_finish(&crawl->hosts.authorities);
	pv_host_list_finish(&crawl->hosts.taking.request.hosts);
}

/* Taking */

static void hold(struct pv_crawl *crawl, const struct pv_host *host)
{
	struct pv_live_host *live = pv_held_hosts_add(&crawl->hosts.held, host);
	live->came_at = pv_crawl_now_over(crawl);
	pv_dns_begin(crawl, live);
}

static void on_hosts(
    struct pv_host_request *request, enum pv_store_status status)
{
	struct pv_crawl *crawl = request->ctx;
	pv_outbox_came_back(&crawl->outbox);
	crawl->hosts.taking.is_under_way = false;
	if (status == PV_STORE_OK) {
		pv_host_slots_hear(crawl, request);
		for (size_t i = 0; i < request->hosts.count; i++) {
			struct pv_host host =
			    pv_host_list_get(&request->hosts, i);
			hold(crawl, &host);
		}
	}
	pv_host_list_finish(&request->hosts);
	pv_halt_note_status(crawl, status);
}

static void take_hosts(struct pv_crawl *crawl)
{
	if (crawl->hosts.taking.is_under_way ||
	    !crawl->hosts.slots.has_waiting || crawl->halt.is_ending ||
	    (!pv_host_slots_free(crawl) && !pv_host_slots_are_to_look(crawl)))
		return;
	crawl->hosts.taking.is_under_way = true;
	crawl->hosts.taking.request = (struct pv_host_request){
	    .done = on_hosts,
	    .ctx = crawl,
	};
	pv_host_slots_ask(crawl, &crawl->hosts.taking.request);
	pv_host_list_init(&crawl->hosts.taking.request.hosts,
	    crawl->hosts.taking.request.max * NAME_MAX_BYTES);
	pv_outbox_give(&crawl->outbox, PV_PAPER_HOST_REQUEST,
	    &crawl->hosts.taking.request, pv_crawl_now(crawl));
}

/* One host by its name */

struct wish {
	struct pv_host_request request;
	struct pv_crawl *crawl;
	pv_wish_fn then;
	void *ctx;
	char names[]; /* its own, and behind it the asker's */
};

static void on_wish(
    struct pv_host_request *request, enum pv_store_status status)
{
	struct wish *wish = request->ctx;
	struct pv_crawl *crawl = wish->crawl;
	pv_outbox_came_back(&crawl->outbox);
	crawl->hosts.taking.wish_count--;
	if (status == PV_STORE_OK && request->hosts.count) {
		struct pv_host host = pv_host_list_get(&request->hosts, 0);
		hold(crawl, &host);
	}
	wish->then(crawl,
	    pv_held_hosts_find_name(&crawl->hosts.held, request->name),
	    wish->ctx);
	pv_host_list_finish(&request->hosts);
	free(wish);
	pv_halt_note_status(crawl, status);
}

void pv_hosts_wish(struct pv_crawl *crawl, struct pv_str name,
    struct pv_str asker, pv_wish_fn then, void *ctx)
{
	struct pv_live_host *host =
	    pv_held_hosts_find_name(&crawl->hosts.held, name);
	if (host) {
		then(crawl, host, ctx);
		return;
	}
	struct wish *wish = pv_alloc(sizeof(*wish) + name.len + asker.len);
	memcpy(wish->names, name.ptr, name.len);
	memcpy(wish->names + name.len, pv_str_bytes(asker), asker.len);
	wish->crawl = crawl;
	wish->then = then;
	wish->ctx = ctx;
	wish->request = (struct pv_host_request){
	    .name = {wish->names, name.len},
	    .asker = {wish->names + name.len, asker.len},
	    .max = 1,
	    .done = on_wish,
	    .ctx = wish,
	};
	pv_host_list_init(&wish->request.hosts, NAME_MAX_BYTES);
	crawl->hosts.taking.wish_count++;
	pv_outbox_give(&crawl->outbox, PV_PAPER_HOST_REQUEST, &wish->request,
	    pv_crawl_now(crawl));
}

bool pv_hosts_are_idle(const struct pv_crawl *crawl)
{
	if (crawl->hosts.slots.has_waiting || crawl->hosts.taking.is_under_way)
		return false;
	for (size_t i = 0; i < crawl->hosts.held.count; i++) {
		if (!pv_live_host_is_idle(crawl->hosts.held.items[i]))
			return false;
	}
	return true;
}

void pv_hosts_step(struct pv_crawl *crawl)
{
	pv_host_slots_step(crawl);
	take_hosts(crawl);
	pv_dns_step(crawl);
	pv_host_visits_step(crawl);
}
