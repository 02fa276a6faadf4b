#include "crawl/run/fleet_notes.h"

#include "crawl/conductor.h"
#include "reading/vouchers.h"
#include "store/tables/voucher_table.h"
#include "traps/trap_store.h"

void pv_fleet_notes_forget(void *ctx, const uint64_t *hosts, size_t count)
{
	const struct pv_crawl *crawl = ctx;
	pv_trap_store_forget(crawl->trap_store, hosts, count);
}

void pv_fleet_notes_put_bodies(void *ctx, const struct pv_trap_body *body)
{
	const struct pv_crawl *crawl = ctx;
	pv_trap_store_put_body(crawl->trap_store, body);
}

void pv_fleet_notes_put_session(
    void *ctx, const struct pv_trap_session *session)
{
	const struct pv_crawl *crawl = ctx;
	pv_trap_store_put_session(crawl->trap_store, session);
}

void pv_fleet_notes_put_voucher(
    void *ctx, struct pv_database *database, const struct pv_voucher *voucher)
{
	const struct pv_crawl *crawl = ctx;
	struct pv_vouchers *vouchers = crawl->reading.vouchers;
	pv_vouchers_add(vouchers, voucher->sitemap, voucher->at, voucher->host);
	pv_vouchers_keep(vouchers, database);
}

bool pv_fleet_notes_wants_site(void *ctx, struct pv_str host, uint64_t *site)
{
	const struct pv_crawl *crawl = ctx;
	return pv_traps_has_room(crawl->reading.traps, host, site);
}

void pv_fleet_notes_put_host(void *ctx, const struct pv_trap_host *host)
{
	const struct pv_crawl *crawl = ctx;
	pv_trap_store_put_host(crawl->trap_store, host);
}
