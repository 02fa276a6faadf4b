#include "crawl/visit/pacing.h"

#include "crawl/conductor.h"
#include "crawl/run/fleet_worker.h"
#include "crawl/visit/flight.h"
#include "policy/values/value.h"
#include "record/ledger.h"

/* In the run's own time. */
static int64_t since_start(const struct pv_flight *flight, int64_t at)
{
	return at - flight->crawl->run.began;
}

/* Who was let go before the answer was over had not heard of it. */
static bool is_reaction(const struct pv_flight *flight)
{
	int64_t overload_at = flight->host->pacing.overload_at;
	return overload_at >= 0 && flight->released_at >= overload_at;
}

void pv_pacing_sent(struct pv_flight *flight)
{
	struct pv_pacing_host *host = &flight->host->pacing;
	struct pv_pacing *pacing = &flight->pacing;
	int64_t now = pv_crawl_now(flight->crawl);
	/* The start is known to a millisecond: one that is reported later did
	 * not come before the host's last one. */
	if (now < host->sent_at)
		now = host->sent_at;
	pacing->sent_ms = since_start(flight, now);
	pacing->at_once = ++host->at_once;
	if (host->sent_at >= 0) {
		pacing->gap_ms = now - host->sent_at;
		pacing->rest_ms = flight->due.until - host->sent_at;
	}
	if (is_reaction(flight)) {
		pacing->reaction_ms = now - host->overload_at;
		host->overload_at = -1;
	}
	host->sent_at = now;
}

static void note_end(struct pv_flight *flight)
{
	if (flight->pacing.sent_ms >= 0)
		flight->host->pacing.at_once--;
}

void pv_pacing_end(struct pv_flight *flight, const struct pv_visit_end *end)
{
	struct pv_pacing *pacing = &flight->pacing;
	int64_t now = pv_crawl_now(flight->crawl);
	note_end(flight);
	if (end->is_given_up && pacing->sent_ms < 0)
		return;
	pacing->run = flight->crawl->run.number;
	pacing->worker = pv_fleet_worker_number(flight->crawl);
	pacing->is_own_fault = end->is_given_up;
	pacing->released_ms = since_start(flight, flight->released_at);
	pacing->end_ms = since_start(flight, now);
	if (flight->due.reason != PV_WAIT_NOT)
		pacing->rule = pv_wait_word(flight->due.reason);
	if (end->retry_after_ms != PV_NONE)
		pacing->retry_after_ms = end->retry_after_ms;
	if (pv_ledger_is_overload(flight->response.http_status))
		flight->host->pacing.overload_at = now;
}

void pv_pacing_drop(struct pv_flight *flight)
{
	note_end(flight);
}
