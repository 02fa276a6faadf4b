#include "crawl/run/fleet_scope.h"

#include "crawl/conductor.h"
#include "crawl/run/seed_redirect.h"

void pv_fleet_scope_init(struct pv_fleet_scope *scope, struct pv_crawl *crawl)
{
	pv_rejudge_init(&scope->rejudge, crawl);
	pv_rejudge_note_wider(&scope->rejudge);
	scope->rejudging = (struct pv_rejudging){
	    .judge = pv_rejudge_judge,
	    .ctx = &scope->rejudge,
	    .is_open = scope->rejudge.is_open,
	    .depth_before = PV_DEPTH_MAX,
	    .depth_now = PV_DEPTH_MAX,
	};
}

/* The text comes from a database that others can write: what a worker of this
 * program would not have written there is left out. */
bool pv_fleet_scope_hear(void *ctx, struct pv_str text)
{
	struct pv_crawl *crawl = ctx;
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	bool is_wider = pv_url_parse(&url, text) == PV_URL_OK &&
			pv_str_equal(pv_url_page(&url), text) &&
			!pv_url_has_credentials(&url) &&
			pv_scope_hear_redirect(crawl->reading.scope, &url);
	pv_url_finish(&url);
	return is_wider;
}

void pv_fleet_scope_keep(
    void *ctx, struct pv_database *database, struct pv_str url)
{
	(void)ctx;
	pv_seed_redirect_keep(database, url);
}
