#include "crawl/visit/failure.h"

#include "tap.h"

static const struct {
	enum pv_visit_failure failure;
	enum pv_outcome outcome;
	enum pv_stage stage;
	uint16_t http_status;
	const char *retry_after;
} rows[] = {
    {PV_FAILURE_NO_NAME, PV_OUTCOME_NO_NAME, PV_STAGE_NAME, 0, NULL},
    {PV_FAILURE_NO_CONNECTION, PV_OUTCOME_NO_CONNECTION, PV_STAGE_CONNECT, 0,
	NULL},
    {PV_FAILURE_NO_CONNECTION, PV_OUTCOME_NO_CONNECTION, PV_STAGE_TLS, 0, NULL},
    {PV_FAILURE_SLOW_CONNECTION, PV_OUTCOME_TIMEOUT, PV_STAGE_CONNECT, 0, NULL},
    {PV_FAILURE_TLS, PV_OUTCOME_TLS, PV_STAGE_TLS, 0, NULL},
    {PV_FAILURE_SLOW_TLS, PV_OUTCOME_TIMEOUT, PV_STAGE_TLS, 0, NULL},
    {PV_FAILURE_NO_ANSWER, PV_OUTCOME_BROKEN_OFF, PV_STAGE_WAIT, 0, NULL},
    {PV_FAILURE_NO_ANSWER, PV_OUTCOME_BROKEN_OFF, PV_STAGE_HEADER, 200, NULL},
    {PV_FAILURE_SILENCE, PV_OUTCOME_TIMEOUT, PV_STAGE_WAIT, 0, NULL},
    {PV_FAILURE_SILENCE, PV_OUTCOME_TIMEOUT, PV_STAGE_HEADER, 200, NULL},
    {PV_FAILURE_CUT_BODY, PV_OUTCOME_BROKEN_OFF, PV_STAGE_BODY, 200, NULL},
    {PV_FAILURE_SLOW_BODY, PV_OUTCOME_TIMEOUT, PV_STAGE_BODY, 200, NULL},
    {PV_FAILURE_NOT_HTTP, PV_OUTCOME_NOT_HTTP, PV_STAGE_WAIT, 0, NULL},
    {PV_FAILURE_TOO_LARGE, PV_OUTCOME_TOO_LARGE, PV_STAGE_BODY, 200, NULL},
    {PV_FAILURE_NOT_ACCEPTED, PV_OUTCOME_NOT_ACCEPTED, PV_STAGE_BODY, 200,
	NULL},
    {PV_FAILURE_BUSY, PV_OUTCOME_ANSWERED, PV_STAGE_END, 429, NULL},
    {PV_FAILURE_BUSY, PV_OUTCOME_ANSWERED, PV_STAGE_END, 503, NULL},
    {PV_FAILURE_BUSY, PV_OUTCOME_ANSWERED, PV_STAGE_END, 503, "soon"},
    {PV_FAILURE_PUT_OFF, PV_OUTCOME_ANSWERED, PV_STAGE_END, 429, "60"},
    {PV_FAILURE_PUT_OFF, PV_OUTCOME_ANSWERED, PV_STAGE_END, 503, "60"},
    {PV_FAILURE_SERVER, PV_OUTCOME_ANSWERED, PV_STAGE_END, 500, "60"},
};

static void fill(struct pv_response *response, size_t i)
{
	pv_response_init(response, ".", 100);
	response->outcome = rows[i].outcome;
	response->stage = rows[i].stage;
	response->http_status = rows[i].http_status;
	if (rows[i].retry_after)
		pv_headers_add(&response->headers, PV_STR("Retry-After"),
		    pv_str_of(rows[i].retry_after));
}

static void test_causes(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pv_response response;
		fill(&response, i);
		enum pv_visit_failure found = pv_visit_failure_of(&response);
		ok(found == rows[i].failure,
		    "%s with %u at %s is failure %d (%d)",
		    pv_outcome_word(rows[i].outcome),
		    (unsigned)rows[i].http_status, pv_stage_word(rows[i].stage),
		    (int)rows[i].failure, (int)found);
		response.is_own_fault = true;
		ok(pv_visit_failure_of(&response) == PV_FAILURE_OWN,
		    "and none of the host's where it was our own");
		response.is_bystander = true;
		ok(pv_visit_failure_of(&response) == PV_FAILURE_BYSTANDER,
		    "nor where it was another answer's on its connection");
		pv_response_finish(&response);
	}
}

/* Of all statuses exactly these are asked for again, but for 5xx. */
static bool is_among(int status, const int *listed, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (listed[i] == status)
			return true;
	return false;
}

static void test_statuses(void)
{
	static const int again[] = {408, 421, 425, 429};
	static const int never[] = {501, 505, 506, 508, 510, 511};
	int wrong = 0;
	for (uint16_t status = 100; status < 1000; status++) {
		struct pv_response response = {
		    .outcome = PV_OUTCOME_ANSWERED, .http_status = status};
		bool is_expected = status >= 500 ? !is_among(status, never, 6)
						 : is_among(status, again, 4);
		bool is_again = pv_visit_failure_next(pv_visit_failure_of(
				    &response)) == PV_REPORT_AGAIN;
		if (is_again != is_expected)
			wrong = status;
	}
	ok(!wrong,
	    "P2: under 500 only 408, 421, 425 and 429 are asked again, and of "
	    "5xx all but what no time heals (%d)",
	    wrong);
}

static void test_costs(void)
{
	size_t again = 0;
	for (int i = 0; i < PV_FAILURE_COUNT; i++)
		again += pv_visit_failure_next((enum pv_visit_failure)i) ==
			 PV_REPORT_AGAIN;
	ok(again == 11, "eleven causes are worth a try that counts (%zu)",
	    again);
	const struct pv_response misfit = {.outcome = PV_OUTCOME_ANSWERED,
	    .http_status = 416,
	    .is_misfit = true};
	ok(pv_visit_failure_of(&misfit) == PV_FAILURE_MISFIT,
	    "one is that the rest of a body does not fit");
	ok(pv_visit_failure_next(PV_FAILURE_OWN) == PV_REPORT_LATER,
	    "what was our own fault is asked again and costs nothing");
	ok(pv_visit_failure_next(PV_FAILURE_BYSTANDER) == PV_REPORT_PUT_OFF,
	    "a bystander is put off, which is counted");
	ok(pv_visit_failure_next(PV_FAILURE_PUT_OFF) == PV_REPORT_PUT_OFF,
	    "and what the host put off is a wait");
}

int main(void)
{
	test_causes();
	test_statuses();
	test_costs();
	return tap_done();
}
