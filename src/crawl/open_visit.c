#include "crawl/open_visit.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Longer addresses are refused before they are visited, but those of seeds. */
#define URL_MAX PV_SEED_ADDRESS_MAX

/* RFC 9309, 2.5, and a byte more to see that it was cut. */
#define ROBOTS_BYTES ((uint64_t)500 * 1024 + 1)

#define LINKS_BYTES ((size_t)64 << 20)

static uint64_t body_ceiling(
    const struct pv_crawl *crawl, const struct pv_errand *errand)
{
	int64_t most = crawl->policy->fetch.max_size;
	if (errand->authority)
		return ROBOTS_BYTES;
	return most == PV_NONE ? UINT64_MAX : (uint64_t)most;
}

static void list(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	open->next = crawl->opens;
	open->link = &crawl->opens;
	if (open->next)
		open->next->link = &open->next;
	crawl->opens = open;
	crawl->open_count++;
	open->host->open++;
}

static void unlist(struct pv_open *open)
{
	*open->link = open->next;
	if (open->next)
		open->next->link = open->link;
	open->crawl->open_count--;
	open->host->open--;
}

struct pv_open *pv_open_create(struct pv_crawl *crawl, struct pv_errand *errand)
{
	struct pv_open *open = pv_alloc(sizeof(*open));
	uint64_t ceiling = body_ceiling(crawl, errand);
	open->crawl = crawl;
	open->errand = errand;
	open->host = errand->host;
	open->released_at = pv_crawl_now(crawl);
	pv_url_init(&open->url, URL_MAX);
	pv_url_init(&open->location, URL_MAX);
	pv_url_parse(&open->url, errand->visit.url);
	open->authority_text =
	    pv_url_between(&open->url, 0, open->url.parts.path);
	pv_response_init(&open->response, crawl->spill, ceiling);
	pv_body_init(&open->decoded, crawl->spill, ceiling);
	pv_page_init(&open->page);
	pv_buf_init(&open->seed_redirect, URL_MAX);
	pv_link_list_init(&open->report.links, LINKS_BYTES);
	list(open);
	return open;
}

void pv_open_destroy(struct pv_open *open)
{
	unlist(open);
	pv_errand_destroy(open->errand);
	pv_robots_rules_release(open->rules);
	pv_robots_rules_release(open->read_rules);
	pv_url_finish(&open->url);
	pv_url_finish(&open->location);
	pv_response_finish(&open->response);
	pv_body_finish(&open->decoded);
	pv_page_finish(&open->page);
	pv_buf_finish(&open->seed_redirect);
	pv_link_list_finish(&open->report.links);
	free(open);
}
