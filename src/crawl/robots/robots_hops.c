#include "crawl/robots/robots_hops.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/host/hosts.h"

/* How often a host is asked for that cannot be held yet, and for how long. */
#define AGAIN_MS 250
#define PATIENCE_MS 120000

struct pv_robots_hop {
	struct pv_robots_hop *next;
	struct pv_authority *authority; /* held */
	uint32_t redirects;             /* of its answer, with this one */
	int64_t until;
	int64_t again_at;
	bool is_asking;
	struct pv_str host;
	struct pv_str url;
	char texts[]; /* of these two */
};

void pv_robots_hops_init(struct pv_robots_hops *hops, pv_robots_hop_fn then)
{
	*hops = (struct pv_robots_hops){.next_at = PV_NEVER, .then = then};
}

static void remove_hop(struct pv_robots_hops *hops, struct pv_robots_hop *hop)
{
	struct pv_robots_hop **link = &hops->first;
	while (*link != hop)
		link = &(*link)->next;
	*link = hop->next;
	pv_authority_let_go(hop->authority);
}

void pv_robots_hops_finish(struct pv_robots_hops *hops)
{
	while (hops->first) {
		struct pv_robots_hop *hop = hops->first;
		remove_hop(hops, hop);
		free(hop);
	}
}

/* Its host may have left, and have come back to ask anew. */
static bool is_awaited(
    const struct pv_crawl *crawl, const struct pv_robots_hop *hop)
{
	const struct pv_authority *authority = hop->authority;
	return authority->host && authority->state == PV_AUTHORITY_ASKING &&
	       authority->redirects == hop->redirects && !crawl->halt.is_ending;
}

static void wait(struct pv_crawl *crawl, struct pv_robots_hop *hop)
{
	struct pv_robots_hops *hops = &crawl->hosts.hops;
	hop->again_at = pv_crawl_now(crawl) + AGAIN_MS;
	if (hop->again_at < hops->next_at)
		hops->next_at = hop->again_at;
}

static void on_wish(
    struct pv_crawl *crawl, struct pv_live_host *host, void *ctx)
{
	struct pv_robots_hop *hop = ctx;
	bool is_wanted = is_awaited(crawl, hop);
	hop->is_asking = false;
	if (is_wanted && !host && pv_crawl_now(crawl) < hop->until) {
		wait(crawl, hop);
		return;
	}
	remove_hop(&crawl->hosts.hops, hop);
	if (is_wanted)
		crawl->hosts.hops.then(crawl, hop->authority, host, hop->url);
	free(hop);
}

/* The host that it is for may have left while it was asked for at another one. */
static void ask(struct pv_crawl *crawl, struct pv_robots_hop *hop)
{
	const struct pv_live_host *asker = hop->authority->host;
	hop->is_asking = true;
	pv_hosts_wish(
	    crawl, hop->host, asker ? asker->name : PV_STR(""), on_wish, hop);
}

static struct pv_robots_hop *add_hop(struct pv_crawl *crawl,
    struct pv_authority *authority, struct pv_str host, struct pv_str url)
{
	struct pv_robots_hops *hops = &crawl->hosts.hops;
	struct pv_robots_hop *hop = pv_alloc(sizeof(*hop) + host.len + url.len);
	memcpy(hop->texts, host.ptr, host.len);
	memcpy(hop->texts + host.len, url.ptr, url.len);
	hop->host = (struct pv_str){hop->texts, host.len};
	hop->url = (struct pv_str){hop->texts + host.len, url.len};
	hop->authority = authority;
	hop->redirects = authority->redirects;
	hop->until = pv_crawl_now(crawl) + PATIENCE_MS;
	hop->next = hops->first;
	hops->first = hop;
	pv_authority_hold(authority);
	return hop;
}

void pv_robots_hops_add(struct pv_crawl *crawl, struct pv_authority *authority,
    struct pv_str host, struct pv_str url)
{
	ask(crawl, add_hop(crawl, authority, host, url));
}

void pv_robots_hops_put_back(struct pv_crawl *crawl, struct pv_live_host *host)
{
	const struct pv_task *task = host->tasks.first;
	for (; task; task = task->host_next)
		if (task->authority && task->authority->host != host)
			wait(crawl, add_hop(crawl, task->authority, host->name,
					task->visit.url));
}

static void note_next(struct pv_robots_hops *hops)
{
	const struct pv_robots_hop *hop = hops->first;
	hops->next_at = PV_NEVER;
	for (; hop; hop = hop->next)
		if (!hop->is_asking && hop->again_at < hops->next_at)
			hops->next_at = hop->again_at;
}

/* Who is asked for may be there at once, by which that hop ends, and no other. */
void pv_robots_hops_step(struct pv_crawl *crawl)
{
	struct pv_robots_hops *hops = &crawl->hosts.hops;
	struct pv_robots_hop *hop = hops->first, *next;
	if (hops->next_at > pv_crawl_now(crawl))
		return;
	for (; hop; hop = next) {
		next = hop->next;
		if (hop->is_asking || hop->again_at > pv_crawl_now(crawl))
			continue;
		if (is_awaited(crawl, hop)) {
			ask(crawl, hop);
		} else {
			remove_hop(hops, hop);
			free(hop);
		}
	}
	note_next(hops);
}
