#include "crawl/visit/retry_budget.h"

#include "crawl/visit/failure.h"
#include "crawl/visit/open_visit.h"

/* What a try costs, of which a good answer gives back one. */
#define COST 10

static void repay(struct pv_live_host *host)
{
	if (host->state.retry_debt > 0)
		host->state.retry_debt--;
}

static bool may_be_charged(const struct pv_live_host *host)
{
	int64_t most = host->manners.manners.host_retries;
	return most == PV_NONE || host->state.retry_debt + COST <= most * COST;
}

/* Once for as long as the host is held: it may get a try back now and then. */
static void tell(struct pv_live_host *host)
{
	if (host->has_told_retries)
		return;
	host->has_told_retries = true;
	pv_log(&host->crawl->log, PV_LOG_WARNING,
	    "%.*s: failed requests are not retried any more: "
	    "fetch.host_retries (%lld) is used up",
	    PV_STR_ARG(host->name),
	    (long long)host->manners.manners.host_retries);
}

/* That a host asks for a while is no failure of what was asked for, nor is it
 * one to get further, or a bystander of one. */
static bool is_free(const struct pv_open *open)
{
	return open->kind == PV_REPORT_LATER ||
	       open->kind == PV_REPORT_ONWARD ||
	       (open->kind == PV_REPORT_PUT_OFF &&
		   (open->response.is_bystander || !open->task->visit.waits));
}

void pv_retry_budget_charge(struct pv_open *open)
{
	struct pv_live_host *host = open->host;
	if (pv_open_is_robots(open) || is_free(open))
		return;
	if (open->kind == PV_REPORT_DONE) {
		if (pv_visit_failure_of(&open->response) == PV_FAILURE_NONE)
			repay(host);
		return;
	}
	if (may_be_charged(host)) {
		host->state.retry_debt += COST;
		return;
	}
	tell(host);
	open->is_out_of_tries = true;
	open->kind = PV_REPORT_DONE;
}

void pv_retry_budget_remark(struct pv_open *open)
{
	if (open->is_out_of_tries)
		pv_open_add_remark(
		    open, "not tried again: fetch.host_retries is used up");
}
