#include "reading/answer.h"

#include "http/status.h"
#include "parse/charset.h"

bool pv_answer_is_success(const struct pv_answer *answer)
{
	const struct pv_response *response = answer->response;
	return response->outcome == PV_OUTCOME_ANSWERED &&
	       pv_http_class(response->http_status) == PV_HTTP_SUCCESS;
}

struct pv_str pv_answer_charset(const struct pv_answer *answer)
{
	return pv_charset_label(
	    pv_headers_get(&answer->response->headers, PV_STR("Content-Type")));
}
