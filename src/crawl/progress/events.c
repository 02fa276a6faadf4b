#include "crawl/progress/events.h"

#include <stdio.h>

#include "crawl/conductor.h"
#include "crawl/progress/waiting.h"
#include "policy/values/units.h"

void pv_events_found(const struct pv_live_host *host)
{
	struct pv_buf address;
	if (host->proxy) {
		pv_log(&host->crawl->log, PV_LOG_DEBUG,
		    "%.*s: goes by the proxy %s", PV_STR_ARG(host->name),
		    pv_buf_text(&host->proxy->name));
		return;
	}
	pv_buf_init(&address, 100);
	pv_address_write(&host->address, &address);
	pv_log(&host->crawl->log, PV_LOG_DEBUG, "%.*s: found at %s",
	    PV_STR_ARG(host->name), pv_buf_text(&address));
	pv_buf_finish(&address);
}

void pv_events_refused(const struct pv_live_host *host, const char *why)
{
	pv_log(&host->crawl->log, PV_LOG_DEBUG, "%.*s: not requested: %s",
	    PV_STR_ARG(host->name), why);
}

void pv_events_robots(
    const struct pv_crawl *crawl, const struct pv_authority *authority)
{
	pv_log(&crawl->log, PV_LOG_DEBUG, "%.*s: robots.txt %s",
	    PV_STR_ARG(authority->text),
	    authority->state == PV_AUTHORITY_RULES
		? "read"
		: "is not there: all may be fetched");
}

void pv_events_crawl_delay(const struct pv_live_host *host, int64_t delay_ms)
{
	struct pv_buf delay;
	pv_buf_init(&delay, 100);
	pv_unit_write(PV_UNIT_TIME, delay_ms, &delay);
	pv_log(&host->crawl->log, PV_LOG_DEBUG,
	    "%.*s: rests %s after each request, as its robots.txt asks "
	    "(Crawl-delay)",
	    PV_STR_ARG(host->name), pv_buf_text(&delay));
	pv_buf_finish(&delay);
}

static enum pv_wait_reason reason_of(const struct pv_visit_end *end)
{
	if (end->retry_after_ms > 0)
		return PV_WAIT_RETRY_AFTER;
	if (pv_visit_end_is_overload(end))
		return PV_WAIT_OVERLOAD;
	return end->is_unreachable ? PV_WAIT_ADDRESS_FAILURE : PV_WAIT_FAILURE;
}

static void tell_rest(
    const struct pv_live_host *host, const struct pv_visit_end *end)
{
	const struct pv_crawl *crawl = host->crawl;
	struct pv_host_dues dues = pv_schedule_host_dues(host->scheduled);
	uint32_t failures = pv_schedule_host_failures(host->scheduled);
	struct pv_wait wait = {dues.clock_until, reason_of(end)};
	struct pv_buf until;
	pv_wait_for(&wait, dues.address_until, wait.reason);
	if (wait.until <= pv_crawl_now(crawl))
		return;
	pv_buf_init(&until, 100);
	pv_waiting_write_until(crawl, wait, &until);
	pv_log(&crawl->log, PV_LOG_DEBUG,
	    "%.*s: rests %s(%s; failures in a row: %u)", PV_STR_ARG(host->name),
	    pv_buf_text(&until), pv_wait_name(wait.reason), (unsigned)failures);
	pv_buf_finish(&until);
}

static void tell_request(const struct pv_flight *flight)
{
	const struct pv_response *response = &flight->response;
	struct pv_str url = pv_url_page(&flight->url);
	char answer[32];
	snprintf(answer, sizeof(answer), "%u", response->http_status);
	pv_log(&flight->crawl->log, PV_LOG_TRACE, "%s %llu B %lld ms %.*s",
	    response->outcome == PV_OUTCOME_ANSWERED
		? answer
		: pv_outcome_word(response->outcome),
	    (unsigned long long)response->body.size,
	    (long long)response->times.total_ms, PV_STR_ARG(url));
}

void pv_events_ended(
    const struct pv_flight *flight, const struct pv_visit_end *end)
{
	const struct pv_live_host *host = flight->host;
	tell_request(flight);
	if (host->scheduled &&
	    (pv_visit_end_is_failure(end) || pv_visit_end_is_overload(end) ||
		end->retry_after_ms > 0))
		tell_rest(host, end);
}

void pv_events_done(const struct pv_live_host *host)
{
	pv_log(&host->crawl->log, PV_LOG_DEBUG,
	    "%.*s: done: pages: %llu, bytes: %llu", PV_STR_ARG(host->name),
	    (unsigned long long)host->state.pages,
	    (unsigned long long)host->state.bytes);
}
