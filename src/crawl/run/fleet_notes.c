#include "crawl/run/fleet_notes.h"

#include "crawl/conductor.h"
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
