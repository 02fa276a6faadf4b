#include "crawl/run/lease_watch.h"

#include "base/lease.h"
#include "crawl/conductor.h"
#include "crawl/visit/release.h"

static int64_t boot_ms(const struct pv_crawl *crawl)
{
	return crawl->around.clock->boot_ms(crawl->clock);
}

static void close_gate(struct pv_crawl *crawl)
{
	if (crawl->lease_watch.is_closed)
		return;
	crawl->lease_watch.is_closed = true;
	if (crawl->lease_watch.has_held)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: nothing is requested until the fleet's database "
		    "answers again: without it this machine cannot know which "
		    "hosts are its own",
		    crawl->directory);
}

static void open_gate(struct pv_crawl *crawl)
{
	if (crawl->lease_watch.is_closed && crawl->lease_watch.has_held)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s: the fleet's database has answered: the crawl goes on",
		    crawl->directory);
	crawl->lease_watch = (struct pv_lease_watch){.has_held = true};
}

void pv_lease_watch_step(struct pv_crawl *crawl)
{
	const struct pv_lease *lease = crawl->around.lease;
	if (!lease)
		return;
	if (pv_lease_may_begin(lease, boot_ms(crawl))) {
		open_gate(crawl);
		return;
	}
	if (!crawl->halt.is_ending)
		close_gate(crawl);
	if (!pv_lease_is_over(lease, boot_ms(crawl)))
		return;
	crawl->lease_watch.is_over = true;
	pv_release_withhold_all(crawl);
}

/* Its end is the only moment at which there is something to do: what brings it
 * to life again turns the loop. */
int64_t pv_lease_watch_next(const struct pv_crawl *crawl)
{
	int64_t until = pv_lease_until(crawl->around.lease);
	if (until == PV_LEASE_ENDLESS || crawl->lease_watch.is_over)
		return PV_NEVER;
	return pv_crawl_now(crawl) + until - boot_ms(crawl);
}

void pv_lease_watch_write(const struct pv_crawl *crawl, struct pv_buf *buf)
{
	if (crawl->lease_watch.is_closed)
		pv_buf_append_text(
		    buf, "the crawl waits for the fleet's database");
}
