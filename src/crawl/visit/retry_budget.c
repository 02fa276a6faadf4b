#include "crawl/visit/retry_budget.h"

#include "crawl/conductor.h"
#include "crawl/visit/failure.h"
#include "crawl/visit/flight.h"

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
	if (host->retries.is_told)
		return;
	host->retries.is_told = true;
	pv_log(&host->crawl->log, PV_LOG_WARNING,
	    "%.*s: failed requests are not retried any more: "
	    "fetch.host_retries (%lld) is used up",
	    PV_STR_ARG(host->name),
	    (long long)host->manners.manners.host_retries);
}

/* That a host asks for a while is no failure of what was asked for, nor is it
 * one to get further, or a bystander of one. */
static bool is_free(const struct pv_flight *flight)
{
	return flight->kind == PV_REPORT_LATER ||
	       flight->kind == PV_REPORT_ONWARD ||
	       (flight->kind == PV_REPORT_PUT_OFF &&
		   (flight->response.is_bystander ||
		       !flight->task->visit.waits));
}

bool pv_retry_budget_charge(const struct pv_flight *flight)
{
	struct pv_live_host *host = flight->host;
	if (!pv_flight_is_visit(flight) || is_free(flight))
		return true;
	if (flight->kind == PV_REPORT_DONE) {
		if (pv_visit_failure_of(&flight->response) == PV_FAILURE_NONE)
			repay(host);
		return true;
	}
	if (may_be_charged(host)) {
		host->state.retry_debt += COST;
		return true;
	}
	tell(host);
	return false;
}

void pv_retry_budget_remark(struct pv_findings *findings)
{
	pv_findings_add_remark(
	    findings, "not retried: fetch.host_retries is used up");
}
