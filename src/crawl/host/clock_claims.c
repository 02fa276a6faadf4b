#include "crawl/host/clock_claims.h"

#include "crawl/conductor.h"
#include "fleet/fleet.h"
#include "crawl/visit/flight.h"
#include "limiter/alone.h"
#include "crawl/runtime.h"
#include "limiter/file_limiter.h"

/* When to ask again where somebody else is at it; longer each time, and at once the
 * longest where that one will say when it is not any more. */
#define STEP_MS 20
#define STEP_MAX_MS 250

#define ALONE "cannot share the pace with other crawls on this machine: "

/* NULL, having said why, if clocks cannot be shared. */
static struct pv_limiter *open_shared(
    struct pv_crawl *crawl, const char *directory)
{
	struct pv_why why;
	if (!directory[0]) {
		pv_log(&crawl->log, PV_LOG_WARNING,
		    ALONE "neither XDG_STATE_HOME nor HOME is set to a "
			  "directory");
		return NULL;
	}
	pv_why_init(&why);
	struct pv_limiter *limiter =
	    pv_limiter_file.open(directory, NULL, &why);
	const struct pv_problems *told = limiter ? &why.notes : &why.problems;
	if (told->kept_count)
		pv_log(&crawl->log, PV_LOG_WARNING, "%s: %s%s",
		    told->kept[0].file, limiter ? "it " : ALONE "it ",
		    told->kept[0].text);
	pv_why_finish(&why);
	return limiter;
}

static void wake(void *ctx)
{
	struct pv_crawl *crawl = ctx;
	pv_wakeup_send(&crawl->wakeup);
}

void pv_clock_claims_open(struct pv_crawl *crawl, const char *directory)
{
	if (directory && crawl->policy->shared_clocks)
		crawl->limiter = open_shared(crawl, directory);
	if (crawl->limiter && !crawl->run.own_runtime)
		pv_clock_party_join(&crawl->clock_party,
		    pv_runtime_clock_waiters(crawl->around.runtime), wake,
		    crawl);
	if (!crawl->limiter)
		crawl->limiter = pv_limiter_alone.open(NULL, NULL, NULL);
	if (crawl->fleet)
		crawl->limiter =
		    crawl->around.fleets->limit(crawl->fleet, crawl->limiter);
}

void pv_clock_claims_close(struct pv_crawl *crawl)
{
	pv_clock_party_leave(&crawl->clock_party);
	pv_limiter_close(crawl->limiter);
	crawl->limiter = NULL;
}

/* At this machine's own addresses each port is another server, often of
 * somebody who tries things out: what one of them asks for is none of the
 * others' business. */
static uint16_t port_of(const struct pv_flight *flight)
{
	const struct pv_live_host *host = flight->host;
	if (pv_address_kind(&host->address) != PV_ADDRESS_LOOPBACK)
		return 0;
	return host->port ? host->port : pv_url_port(&flight->url);
}

static int64_t since_of(const struct pv_flight *flight, int64_t refused_since)
{
	return refused_since ? refused_since : pv_crawl_now(flight->crawl);
}

/* A host that needs no rest has no quarrel with others either about how many
 * requests may overlap, unless it has failed. */
static struct pv_limiter_ask ask_host(
    const struct pv_flight *flight, const struct pv_host_dues *dues)
{
	const struct pv_live_host *host = flight->host;
	uint32_t open_max = dues->connections < UINT32_MAX
				? (uint32_t)dues->connections
				: PV_LIMITER_ANY;
	return (struct pv_limiter_ask){
	    .clock = PV_LIMITER_HOST,
	    .name = host->manners.clock,
	    .port = host->proxy ? 0 : port_of(flight),
	    .rest_ms = dues->clock_rest_ms,
	    .is_from_end = dues->is_rest_from_end,
	    .open_max = dues->clock_rest_ms || dues->is_in_doubt
			    ? open_max
			    : PV_LIMITER_ANY,
	    .since = since_of(flight, dues->refused_since),
	};
}

static struct pv_limiter_ask ask_address(
    const struct pv_flight *flight, const struct pv_host_dues *dues)
{
	const struct pv_live_host *host = flight->host;
	return (struct pv_limiter_ask){
	    .clock = PV_LIMITER_ADDRESS,
	    .name = {(const char *)host->address.bytes,
		host->address.bits / 8u},
	    .host_clock = host->manners.clock,
	    .port = port_of(flight),
	    .rest_ms = dues->address_rest_ms,
	    .open_max = PV_LIMITER_ANY,
	    .since = since_of(flight, dues->address_refused_since),
	};
}

/* When to try again. */
static int64_t retry_at(struct pv_live_host *host,
    const struct pv_limiter_ask *ask, enum pv_limiter_answer answer,
    int64_t until)
{
	struct pv_crawl *crawl = host->crawl;
	struct pv_host_claims *claims = &host->claims;
	int64_t now = pv_crawl_now(crawl);
	if (answer == PV_LIMITER_EARLY)
		return until;
	claims->is_for_address = ask->clock == PV_LIMITER_ADDRESS;
	claims->waiter.clock = pv_clock_party_key(&crawl->clock_party, ask);
	claims->waiter.since = ask->since;
	claims->waiter.may_overlap = ask->open_max > 1;
	claims->step_ms = claims->step_ms ? claims->step_ms * 2 : STEP_MS;
	if (pv_clock_party_wait(&crawl->clock_party, &claims->waiter) ||
	    claims->step_ms > STEP_MAX_MS)
		claims->step_ms = STEP_MAX_MS;
	return until > now + claims->step_ms ? until : now + claims->step_ms;
}

static bool claim_address(
    struct pv_flight *flight, const struct pv_host_dues *dues)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	struct pv_limiter_ask ask = ask_address(flight, dues);
	int64_t until;
	enum pv_limiter_answer answer = pv_limiter_claim(
	    crawl->limiter, &ask, crawl->now, &flight->address_claim, &until);
	if (answer == PV_LIMITER_GRANTED) {
		flight->address_clock =
		    pv_clock_party_key(&crawl->clock_party, &ask);
		return true;
	}
	pv_limiter_drop(crawl->limiter, &flight->host_claim);
	pv_schedule_host_defer_address(crawl->schedule, host->scheduled,
	    retry_at(host, &ask, answer, until), pv_crawl_now(crawl));
	return false;
}

/* It is at both clocks. */
static void be_granted(
    struct pv_flight *flight, const struct pv_limiter_ask *ask)
{
	const struct pv_clock_party *party = &flight->crawl->clock_party;
	struct pv_live_host *host = flight->host;
	flight->host_clock = pv_clock_party_key(party, ask);
	pv_clock_party_hold(party, flight->host_clock);
	pv_clock_party_hold(party, flight->address_clock);
	host->claims.step_ms = 0;
	pv_schedule_host_grant(host->scheduled);
}

bool pv_clock_claims_begin(struct pv_flight *flight, int64_t *until)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	*until = 0;
	pv_clock_party_stop_waiting(&host->claims.waiter);
	struct pv_host_dues dues = pv_schedule_host_dues(host->scheduled);
	struct pv_limiter_ask ask = ask_host(flight, &dues);
	int64_t free_at;
	enum pv_limiter_answer answer = pv_limiter_claim(
	    crawl->limiter, &ask, crawl->now, &flight->host_claim, &free_at);
	if (answer == PV_LIMITER_EARLY)
		*until = free_at;
	if (answer != PV_LIMITER_GRANTED)
		pv_schedule_host_defer_clock(crawl->schedule, host->scheduled,
		    retry_at(host, &ask, answer, free_at), pv_crawl_now(crawl));
	else if (claim_address(flight, &dues))
		be_granted(flight, &ask);
	return flight->address_claim.held != NULL;
}

static void let_go(struct pv_flight *flight, uint64_t *clock)
{
	uint64_t held = *clock;
	*clock = 0;
	if (held)
		pv_clock_party_let_go(&flight->crawl->clock_party, held);
}

/* The start is all that the clock of the address needs. */
void pv_clock_claims_sent(struct pv_flight *flight, int64_t now)
{
	struct pv_limiter *limiter = flight->crawl->limiter;
	struct pv_host_dues dues =
	    pv_schedule_host_dues(flight->host->scheduled);
	pv_limiter_sent(limiter, &flight->host_claim, now, dues.clock_until);
	pv_limiter_sent(
	    limiter, &flight->address_claim, now, dues.address_until);
	pv_limiter_drop(limiter, &flight->address_claim);
	if (flight->host_clock)
		pv_clock_party_sent(
		    &flight->crawl->clock_party, flight->host_clock);
	let_go(flight, &flight->address_clock);
}

static void end(struct pv_flight *flight, bool is_given_up, int64_t now)
{
	struct pv_limiter *limiter = flight->crawl->limiter;
	if (is_given_up && !flight->host_claim.is_sent) {
		pv_limiter_drop(limiter, &flight->host_claim);
		pv_limiter_drop(limiter, &flight->address_claim);
		return;
	}
	struct pv_host_dues dues =
	    pv_schedule_host_dues(flight->host->scheduled);
	pv_limiter_end(limiter, &flight->host_claim, now, dues.clock_until);
	pv_limiter_end(
	    limiter, &flight->address_claim, now, dues.address_until);
}

void pv_clock_claims_end(
    struct pv_flight *flight, bool is_given_up, int64_t now)
{
	if (flight->host_claim.held)
		end(flight, is_given_up, now);
	let_go(flight, &flight->host_clock);
	let_go(flight, &flight->address_clock);
}

/* What others say */

void pv_clock_claims_hear(struct pv_crawl *crawl)
{
	struct pv_clock_waiter *waiter;
	int64_t now = pv_crawl_now(crawl);
	while ((waiter = pv_clock_party_take(&crawl->clock_party))) {
		struct pv_live_host *host =
		    PV_WHOLE(struct pv_live_host, claims.waiter, waiter);
		if (!host->scheduled)
			continue;
		if (host->claims.is_for_address)
			pv_schedule_host_defer_address(
			    crawl->schedule, host->scheduled, now, now);
		else
			pv_schedule_host_defer_clock(
			    crawl->schedule, host->scheduled, now, now);
	}
}

void pv_clock_claims_forget(struct pv_host_claims *claims)
{
	pv_clock_party_stop_waiting(&claims->waiter);
}
