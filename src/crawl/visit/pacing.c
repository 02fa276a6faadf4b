#include "crawl/visit/pacing.h"

#include "crawl/visit/open_visit.h"
#include "policy/values/value.h"
#include "record/ledger.h"

/* In the run's own time. */
static int64_t since_start(const struct pv_open *open, int64_t at)
{
	return at - open->crawl->run.began;
}

/* Who was let go before the answer was over had not heard of it. */
static bool is_reaction(const struct pv_open *open)
{
	int64_t overload_at = open->host->pacing.overload_at;
	return overload_at >= 0 && open->released_at >= overload_at;
}

void pv_pacing_sent(struct pv_open *open)
{
	struct pv_pacing_host *host = &open->host->pacing;
	struct pv_pacing *pacing = &open->page.pacing;
	int64_t now = pv_crawl_now(open->crawl);
	/* The start is known to a millisecond: one that was told later did not
	 * come before the host's last one. */
	if (now < host->sent_at)
		now = host->sent_at;
	pacing->sent_ms = since_start(open, now);
	pacing->at_once = ++host->at_once;
	if (host->sent_at >= 0) {
		pacing->gap_ms = now - host->sent_at;
		pacing->rest_ms = open->due.until - host->sent_at;
	}
	if (is_reaction(open)) {
		pacing->reaction_ms = now - host->overload_at;
		host->overload_at = -1;
	}
	host->sent_at = now;
}

static void note_end(struct pv_open *open)
{
	if (open->page.pacing.sent_ms >= 0)
		open->host->pacing.at_once--;
}

void pv_pacing_end(struct pv_open *open, const struct pv_visit_end *end)
{
	struct pv_pacing *pacing = &open->page.pacing;
	int64_t now = pv_crawl_now(open->crawl);
	note_end(open);
	if (end->is_given_up && pacing->sent_ms < 0)
		return;
	pacing->run = open->crawl->run.number;
	pacing->is_own_fault = end->is_given_up;
	pacing->released_ms = since_start(open, open->released_at);
	pacing->end_ms = since_start(open, now);
	if (open->due.reason != PV_WAIT_NOT)
		pacing->rule = pv_wait_word(open->due.reason);
	if (end->retry_after_ms != PV_NONE)
		pacing->retry_after_ms = end->retry_after_ms;
	if (pv_ledger_is_overload(open->response.http_status))
		open->host->pacing.overload_at = now;
}

void pv_pacing_drop(struct pv_open *open)
{
	note_end(open);
}
