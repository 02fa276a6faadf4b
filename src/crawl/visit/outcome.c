#include "crawl/visit/outcome.h"

#include "crawl/visit/failure.h"
#include "http/date.h"
#include "http/rate_limit.h"
#include "http/retry_after.h"

/* So often an address may be put off by a Retry-After, or as a bystander of
 * another answer's fault, before that counts as a try: a page to which that
 * happens for ever is not asked for ever. */
#define WAITS_MAX 10

/* A server names times by its own clock, of which it tells in its Date
 * (RFC 9110, 6.6.1): one of us may be wrong by a day. */
static int64_t their_wall_ms(
    const struct pv_response *response, int64_t wall_ms)
{
	struct pv_str text = pv_headers_get(&response->headers, PV_STR("Date"));
	int64_t time_ms;
	return text.ptr && pv_date_read(text, wall_ms, &time_ms) ? time_ms
								 : wall_ms;
}

static int64_t retry_after_of(
    const struct pv_response *response, int64_t wall_ms)
{
	int64_t wait_ms = PV_NONE;
	pv_retry_after_of(
	    &response->headers, their_wall_ms(response, wall_ms), &wait_ms);
	return wait_ms;
}

/* That the server stopped in the midst of it, or never began. */
static bool is_broken(const struct pv_response *response)
{
	switch (response->outcome) {
	case PV_OUTCOME_TIMEOUT:
	case PV_OUTCOME_BROKEN_OFF:
	case PV_OUTCOME_NOT_HTTP:
	case PV_OUTCOME_TLS:
		return true;
	default:
		return false;
	}
}

struct pv_visit_end pv_visit_outcome_end(
    const struct pv_response *response, int64_t wall_ms)
{
	bool has_connected = response->stage > PV_STAGE_CONNECT;
	return (struct pv_visit_end){
	    .status = response->http_status,
	    .is_unreachable = !has_connected &&
			      (response->outcome == PV_OUTCOME_NO_CONNECTION ||
				  response->outcome == PV_OUTCOME_TIMEOUT),
	    .is_broken = is_broken(response),
	    .is_given_up = response->is_own_fault,
	    .held_ms = response->held_ms,
	    .retry_after_ms = retry_after_of(response, wall_ms),
	    .hint_ms = pv_rate_limit_hint_ms(
		&response->headers, their_wall_ms(response, wall_ms)),
	};
}

enum pv_report_kind pv_visit_outcome_kind(const struct pv_response *response,
    const struct pv_visit *visit, const struct pv_fetch_policy *policy)
{
	enum pv_report_kind kind =
	    pv_visit_failure_next(pv_visit_failure_of(response));
	if (kind == PV_REPORT_PUT_OFF && visit->waits >= WAITS_MAX)
		kind = PV_REPORT_AGAIN;
	if (kind == PV_REPORT_AGAIN &&
	    (int64_t)visit->attempt >= policy->retries)
		kind = PV_REPORT_DONE;
	return kind;
}
