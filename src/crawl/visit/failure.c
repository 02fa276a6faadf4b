#include "crawl/visit/failure.h"

#include "http/retry_after.h"
#include "http/status.h"

static const enum pv_report_kind nexts[PV_FAILURE_COUNT] = {
    [PV_FAILURE_NONE] = PV_REPORT_DONE,
    [PV_FAILURE_OWN] = PV_REPORT_LATER,
    [PV_FAILURE_BYSTANDER] = PV_REPORT_PUT_OFF,
    [PV_FAILURE_NO_NAME] = PV_REPORT_DONE, /* names are asked for again by who
					     finds them (crawl/host/dns.h) */
    [PV_FAILURE_NO_CONNECTION] = PV_REPORT_AGAIN,
    [PV_FAILURE_SLOW_CONNECTION] = PV_REPORT_AGAIN,
    [PV_FAILURE_TLS] = PV_REPORT_DONE,
    [PV_FAILURE_SLOW_TLS] = PV_REPORT_AGAIN,
    [PV_FAILURE_NO_ANSWER] = PV_REPORT_AGAIN,
    [PV_FAILURE_SILENCE] = PV_REPORT_AGAIN,
    [PV_FAILURE_CUT_BODY] = PV_REPORT_AGAIN,
    [PV_FAILURE_SLOW_BODY] = PV_REPORT_AGAIN,
    [PV_FAILURE_MISFIT] = PV_REPORT_AGAIN,
    [PV_FAILURE_NOT_HTTP] = PV_REPORT_DONE,
    [PV_FAILURE_TOO_LARGE] = PV_REPORT_DONE,
    [PV_FAILURE_NOT_ACCEPTED] = PV_REPORT_DONE,
    [PV_FAILURE_TRANSIENT] = PV_REPORT_AGAIN,
    [PV_FAILURE_BUSY] = PV_REPORT_AGAIN,
    [PV_FAILURE_PUT_OFF] = PV_REPORT_PUT_OFF,
    [PV_FAILURE_SERVER] = PV_REPORT_AGAIN,
    [PV_FAILURE_NEVER] = PV_REPORT_DONE,
};

/* Statuses that are not what the rest of their class is. */
static const struct {
	int status;
	enum pv_visit_failure failure;
} statuses[] = {
    {408, PV_FAILURE_TRANSIENT}, /* it waited too long for us: RFC 9110,
				   15.5.9 */
    {421, PV_FAILURE_TRANSIENT}, /* on another connection: RFC 9110, 15.5.20 */
    {425, PV_FAILURE_TRANSIENT}, /* too early: RFC 8470, 5.2 */
    {429, PV_FAILURE_BUSY},      /* too many requests: RFC 6585, 4 */
    {501, PV_FAILURE_NEVER},     /* not implemented */
    {503, PV_FAILURE_BUSY},
    {505, PV_FAILURE_NEVER}, /* not in this version of HTTP */
    {506, PV_FAILURE_NEVER}, /* set up wrongly: RFC 2295, 8.1 */
    {508, PV_FAILURE_NEVER}, /* a loop: RFC 5842, 7.2 */
    {510, PV_FAILURE_NEVER}, /* not extended: RFC 2774, 7 */
    {511, PV_FAILURE_NEVER}, /* somebody must log in to the network: RFC 6585,
			       6 */
};

static enum pv_visit_failure of_status(int status)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(*statuses); i++)
		if (statuses[i].status == status)
			return statuses[i].failure;
	return pv_http_class(status) == PV_HTTP_SERVER_ERROR ? PV_FAILURE_SERVER
							     : PV_FAILURE_NONE;
}

static bool says_when(const struct pv_response *response)
{
	int64_t wait_ms;
	return pv_retry_after_of(&response->headers, 0, &wait_ms);
}

static enum pv_visit_failure of_answer(const struct pv_response *response)
{
	enum pv_visit_failure failure = of_status(response->http_status);
	return failure == PV_FAILURE_BUSY && says_when(response)
		   ? PV_FAILURE_PUT_OFF
		   : failure;
}

static enum pv_visit_failure of_timeout(enum pv_stage stage)
{
	if (stage <= PV_STAGE_CONNECT)
		return PV_FAILURE_SLOW_CONNECTION;
	if (stage == PV_STAGE_TLS)
		return PV_FAILURE_SLOW_TLS;
	return stage < PV_STAGE_BODY ? PV_FAILURE_SILENCE
				     : PV_FAILURE_SLOW_BODY;
}

enum pv_visit_failure pv_visit_failure_of(const struct pv_response *response)
{
	if (response->is_bystander)
		return PV_FAILURE_BYSTANDER;
	if (response->is_own_fault)
		return PV_FAILURE_OWN;
	if (response->is_misfit)
		return PV_FAILURE_MISFIT;
	switch (response->outcome) {
	case PV_OUTCOME_ANSWERED:
		return of_answer(response);
	case PV_OUTCOME_NO_NAME:
		return PV_FAILURE_NO_NAME;
	case PV_OUTCOME_NO_CONNECTION:
		return PV_FAILURE_NO_CONNECTION;
	case PV_OUTCOME_TLS:
		return PV_FAILURE_TLS;
	case PV_OUTCOME_TIMEOUT:
		return of_timeout(response->stage);
	case PV_OUTCOME_BROKEN_OFF:
		return response->stage < PV_STAGE_BODY ? PV_FAILURE_NO_ANSWER
						       : PV_FAILURE_CUT_BODY;
	case PV_OUTCOME_NOT_HTTP:
		return PV_FAILURE_NOT_HTTP;
	case PV_OUTCOME_TOO_LARGE:
		return PV_FAILURE_TOO_LARGE;
	case PV_OUTCOME_NOT_ACCEPTED:
		return PV_FAILURE_NOT_ACCEPTED;
	default:
		return PV_FAILURE_NONE;
	}
}

enum pv_report_kind pv_visit_failure_next(enum pv_visit_failure failure)
{
	return nexts[failure];
}
