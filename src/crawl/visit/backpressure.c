#include "crawl/visit/backpressure.h"

#include "base/lease.h"
#include "crawl/conductor.h"
#include "crawl/run/seeding.h"
#include "fleet/shares/allowance.h"

/* How long nothing is released when we run out of something, and how long no
 * more is in flight at once than was then. */
#define PAUSE_MS 500
#define SCARCE_MS 60000

/* What has ended and is not committed may be so much; past it nothing new is
 * released, so that a slow disk slows the crawl instead of filling memory. */
#define SETTLING_MAX 20000
#define SETTLING_BYTES ((uint64_t)32 << 20)

void pv_backpressure_slow_down(struct pv_crawl *crawl, const char *why)
{
	int64_t now = pv_crawl_now(crawl);
	if (crawl->backpressure.scarce_until <= now)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "this machine: fewer requests at the same time for a "
		    "while: %s",
		    why);
	if (crawl->backpressure.pause_until <= now)
		crawl->backpressure.in_flight_max =
		    crawl->flights.fetching ? crawl->flights.fetching : 1;
	crawl->backpressure.pause_until = now + PAUSE_MS;
	crawl->backpressure.scarce_until = now + SCARCE_MS;
	crawl->backpressure.has_idle_to_close = true;
}

static uint64_t pages_to_be(const struct pv_crawl *crawl)
{
	return crawl->counters.all_pages + crawl->flights.fetching;
}

/* A fleet's worker goes by its slices of the policy's limits. */
static bool is_at_allowance(
    const struct pv_crawl *crawl, const struct pv_fleet_allowance *allowance)
{
	return pv_fleet_quota_left(
		   &allowance->pages, (int64_t)pages_to_be(crawl)) <= 0 ||
	       pv_fleet_quota_left(
		   &allowance->bytes, (int64_t)crawl->counters.all_bytes) <= 0;
}

/* Whether another request could lead beyond the policy's limits. */
static bool is_at_limit(const struct pv_crawl *crawl)
{
	const struct pv_limits *limits = &crawl->policy->limits;
	if (crawl->around.allowance)
		return is_at_allowance(crawl, crawl->around.allowance);
	return (limits->pages != PV_NONE &&
		   pages_to_be(crawl) >= (uint64_t)limits->pages) ||
	       (limits->bytes != PV_NONE &&
		   crawl->counters.all_bytes >= (uint64_t)limits->bytes);
}

/* What a fleet's worker has not passed on is asked for again if it is lost: no more
 * than may be in flight, also while the fleet's database is silent. */
static size_t settling_max(const struct pv_crawl *crawl)
{
	return crawl->fleet ? (size_t)crawl->policy->rate.concurrency
			    : SETTLING_MAX;
}

static bool is_too_much_open(const struct pv_crawl *crawl)
{
	return crawl->flights.settling >= settling_max(crawl) ||
	       crawl->flights.bytes >= SETTLING_BYTES || crawl->outbox.waiting;
}

static bool is_scarce(const struct pv_crawl *crawl)
{
	return crawl->backpressure.scarce_until > pv_crawl_now(crawl);
}

/* The crawl may not be sure that its hosts are its own. */
static bool is_lease_ending(const struct pv_crawl *crawl)
{
	return crawl->around.lease &&
	       !pv_lease_may_begin(crawl->around.lease,
		   crawl->around.clock->boot_ms(crawl->clock));
}

static bool is_due(const struct pv_crawl *crawl)
{
	if (is_scarce(crawl) &&
	    crawl->flights.fetching >= crawl->backpressure.in_flight_max)
		return true;
	return crawl->halt.is_ending || crawl->control.is_paused ||
	       is_at_limit(crawl) || crawl->backpressure.disk.is_short ||
	       crawl->backpressure.pause_until > pv_crawl_now(crawl) ||
	       is_too_much_open(crawl) || !pv_seeding_has_begun(crawl);
}

enum pv_wait_reason pv_backpressure_reason(const struct pv_crawl *crawl)
{
	if (is_lease_ending(crawl))
		return PV_WAIT_FLEET;
	return is_due(crawl) ? PV_WAIT_HELD : PV_WAIT_NOT;
}

size_t pv_backpressure_room(const struct pv_crawl *crawl, size_t most)
{
	bool is_near = crawl->policy->limits.pages != PV_NONE;
	return is_near || is_scarce(crawl) ? 1 : most;
}
