#include "crawl/visit/outcome.h"

#include "policy/values/value.h"
#include "tap.h"

#define WALL_MS INT64_C(1700000000000)

/* What follows from a response, a row each. */
static const struct row {
	const char *claim;
	enum pv_outcome outcome;
	uint16_t http_status;
	enum pv_stage stage;
	bool is_own_fault;

	/* with a retry left, and with none */
	enum pv_report_kind kind;
	enum pv_report_kind last;

	/* what the host's clock is told, and makes of it */
	bool is_unreachable;
	bool is_broken;
	bool is_failure;
	bool is_overload;
} rows[] = {
    {"a page", PV_OUTCOME_ANSWERED, 200, PV_STAGE_END, false, PV_REPORT_DONE,
	PV_REPORT_DONE, false, false, false, false},
    {"a redirect", PV_OUTCOME_ANSWERED, 301, PV_STAGE_END, false,
	PV_REPORT_DONE, PV_REPORT_DONE, false, false, false, false},
    {"nothing there", PV_OUTCOME_ANSWERED, 404, PV_STAGE_END, false,
	PV_REPORT_DONE, PV_REPORT_DONE, false, false, false, false},
    {"forbidden", PV_OUTCOME_ANSWERED, 403, PV_STAGE_END, false, PV_REPORT_DONE,
	PV_REPORT_DONE, false, false, false, false},
    {"too slow for it", PV_OUTCOME_ANSWERED, 408, PV_STAGE_END, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, false, false, false},
    {"misdirected", PV_OUTCOME_ANSWERED, 421, PV_STAGE_END, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, false, false, false},
    {"too early", PV_OUTCOME_ANSWERED, 425, PV_STAGE_END, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, false, false, false},
    {"too many requests", PV_OUTCOME_ANSWERED, 429, PV_STAGE_END, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, false, false, true},
    {"server error", PV_OUTCOME_ANSWERED, 500, PV_STAGE_END, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, false, true, false},
    {"too much to do", PV_OUTCOME_ANSWERED, 503, PV_STAGE_END, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, false, false, true},
    {"refused", PV_OUTCOME_NO_CONNECTION, 0, PV_STAGE_CONNECT, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, true, false, true, false},
    {"nobody there", PV_OUTCOME_TIMEOUT, 0, PV_STAGE_CONNECT, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, true, true, true, false},
    {"silent in the handshake", PV_OUTCOME_TIMEOUT, 0, PV_STAGE_TLS, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, true, true, false},
    {"no first byte", PV_OUTCOME_TIMEOUT, 0, PV_STAGE_WAIT, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, true, true, false},
    {"a body that stands still", PV_OUTCOME_TIMEOUT, 200, PV_STAGE_BODY, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, true, true, false},
    {"a body that breaks off", PV_OUTCOME_BROKEN_OFF, 200, PV_STAGE_BODY, false,
	PV_REPORT_AGAIN, PV_REPORT_DONE, false, true, true, false},
    {"a certificate that is none", PV_OUTCOME_TLS, 0, PV_STAGE_TLS, false,
	PV_REPORT_DONE, PV_REPORT_DONE, false, true, true, false},
    {"no HTTP", PV_OUTCOME_NOT_HTTP, 0, PV_STAGE_WAIT, false, PV_REPORT_DONE,
	PV_REPORT_DONE, false, true, true, false},
    {"too large", PV_OUTCOME_TOO_LARGE, 200, PV_STAGE_BODY, false,
	PV_REPORT_DONE, PV_REPORT_DONE, false, false, false, false},
    {"not of a type that is kept", PV_OUTCOME_NOT_ACCEPTED, 200,
	PV_STAGE_HEADER, false, PV_REPORT_DONE, PV_REPORT_DONE, false, false,
	false, false},
    {"no descriptors", PV_OUTCOME_NO_CONNECTION, 0, PV_STAGE_CONNECT, true,
	PV_REPORT_LATER, PV_REPORT_LATER, true, false, false, false},
    {"no disk for a body", PV_OUTCOME_BROKEN_OFF, 200, PV_STAGE_BODY, true,
	PV_REPORT_LATER, PV_REPORT_LATER, false, true, false, false},
};

static const char *const words[] = {"links", "is done", "is tried again",
    "is put off", "comes later, as its host asks", "is refused"};

static enum pv_report_kind kind_of(const struct pv_response *response,
    uint32_t attempt, const struct pv_fetch_policy *policy)
{
	const struct pv_visit visit = {.attempt = attempt};
	return pv_visit_outcome_kind(response, &visit, policy);
}

static void test_row(const struct row *row)
{
	struct pv_response response;
	const struct pv_fetch_policy policy = {.retries = 3};
	pv_response_init(&response, ".", 1000);
	response.outcome = row->outcome;
	response.http_status = row->http_status;
	response.stage = row->stage;
	response.is_own_fault = row->is_own_fault;
	ok(kind_of(&response, 0, &policy) == row->kind &&
		kind_of(&response, 2, &policy) == row->kind,
	    "%s: the visit %s", row->claim, words[row->kind]);
	ok(kind_of(&response, 3, &policy) == row->last &&
		kind_of(&response, UINT32_MAX, &policy) == row->last,
	    "%s: after all its retries it %s", row->claim, words[row->last]);
	struct pv_visit_end end = pv_visit_outcome_end(&response, WALL_MS);
	ok(end.status == row->http_status &&
		end.is_unreachable == row->is_unreachable &&
		end.is_broken == row->is_broken &&
		end.is_given_up == row->is_own_fault &&
		end.retry_after_ms == PV_NONE,
	    "%s: the host's clock is told how it was", row->claim);
	ok(pv_visit_end_is_failure(&end) == row->is_failure &&
		pv_visit_end_is_overload(&end) == row->is_overload,
	    "P2: %s: which is %s", row->claim,
	    row->is_failure    ? "a failure"
	    : row->is_overload ? "too much to do"
			       : "no reason to rest longer");
	pv_response_finish(&response);
}

static void test_held(void)
{
	struct pv_response response = {
	    .outcome = PV_OUTCOME_ANSWERED, .http_status = 200, .held_ms = 700};
	ok(pv_visit_outcome_end(&response, WALL_MS).held_ms == 700,
	    "how long we held an answer back is told, so that it does not "
	    "count as the host's time");
}

/* How often it is asked for if that always happens; at most 100. */
static unsigned count_requests(const struct pv_response *response)
{
	const struct pv_fetch_policy policy = {.retries = 3};
	struct pv_visit visit = {.attempt = 0};
	for (unsigned count = 1; count < 100; count++)
		switch (pv_visit_outcome_kind(response, &visit, &policy)) {
		case PV_REPORT_PUT_OFF:
			visit.waits++;
			break;
		case PV_REPORT_AGAIN:
			visit.attempt++;
			break;
		case PV_REPORT_LATER:
			break;
		default:
			return count;
		}
	return 100;
}

static void test_bystander(void)
{
	struct pv_response response = {.outcome = PV_OUTCOME_BROKEN_OFF,
	    .stage = PV_STAGE_BODY,
	    .is_own_fault = true,
	    .is_bystander = true};
	struct pv_visit_end end = pv_visit_outcome_end(&response, WALL_MS);
	unsigned count = count_requests(&response);
	ok(kind_of(&response, 3, &(struct pv_fetch_policy){.retries = 3}) ==
		PV_REPORT_PUT_OFF,
	    "a bystander of another answer's fault loses no try");
	ok(!pv_visit_end_is_failure(&end), "nor is it a failure of its host's");
	ok(count > 4 && count < 20,
	    "but what is always one is not asked for ever (%u)", count);
}

static void test_no_retries(void)
{
	struct pv_response response = {
	    .outcome = PV_OUTCOME_ANSWERED, .http_status = 503};
	const struct pv_fetch_policy policy = {.retries = 0};
	ok(kind_of(&response, 0, &policy) == PV_REPORT_DONE,
	    "a policy without retries has none");
}

/* Retry-After */

static int64_t retry_after_at(
    uint16_t http_status, const char *value, const char *date)
{
	struct pv_response response;
	pv_response_init(&response, ".", 1000);
	response.outcome = PV_OUTCOME_ANSWERED;
	response.http_status = http_status;
	response.stage = PV_STAGE_END;
	if (value)
		pv_headers_add(
		    &response.headers, PV_STR("retry-after"), pv_str_of(value));
	if (date)
		pv_headers_add(
		    &response.headers, PV_STR("date"), pv_str_of(date));
	struct pv_visit_end end = pv_visit_outcome_end(&response, WALL_MS);
	pv_response_finish(&response);
	return end.retry_after_ms;
}

static int64_t retry_after(uint16_t http_status, const char *value)
{
	return retry_after_at(http_status, value, NULL);
}

/* It is 22:13:20 by our own clock. */
static void test_other_clock(void)
{
	ok(retry_after_at(503, "Wed, 15 Nov 2023 22:14:20 GMT",
	       "Wed, 15 Nov 2023 22:13:50 GMT") == 30000,
	    "P1: a date is reckoned by the clock of who names it, be it fast");
	ok(retry_after_at(503, "Mon, 13 Nov 2023 22:14:20 GMT",
	       "Mon, 13 Nov 2023 22:13:50 GMT") == 30000,
	    "P1: or slow");
	ok(retry_after_at(503, "Tue, 14 Nov 2023 22:14:20 GMT", "noon") ==
		60000,
	    "and by ours where that is not told");
	ok(retry_after_at(503, "120", "Mon, 13 Nov 2023 22:13:50 GMT") ==
		120000,
	    "seconds are seconds by any clock");
}

static void test_retry_after(void)
{
	ok(retry_after(503, "120") == 120000, "P1: a Retry-After is told");
	ok(retry_after(301, "120") == 120000, "P1: also with a redirect");
	ok(retry_after(200, "0") == 0, "and one of nothing");
	ok(retry_after(429, "Tue, 14 Nov 2023 22:14:20 GMT") == 60000,
	    "P1: a date is reckoned from now");
	ok(retry_after(429, "Tue, 14 Nov 2000 22:14:20 GMT") == 0,
	    "one that is past is over");
	ok(retry_after(503, "-5") == PV_NONE &&
		retry_after(503, "soon") == PV_NONE &&
		retry_after(503, "") == PV_NONE &&
		retry_after(503, NULL) == PV_NONE,
	    "what is none asks for nothing");
	ok(retry_after(503, "99999999999999999999") > 0,
	    "P2: what is too large is no short wait");
}

/* Each way to say when, with each status that may carry it. */
static void test_all_forms(void)
{
	static const uint16_t statuses[] = {429, 503, 301, 302, 303, 307, 308};
	static const struct {
		const char *form;
		const char *value;
		int64_t wait_ms;
	} forms[] = {
	    {"in seconds", "60", 60000},
	    {"as a date", "Tue, 14 Nov 2023 22:14:20 GMT", 60000},
	    {"as RFC 850 wrote it", "Tuesday, 14-Nov-23 22:14:20 GMT", 60000},
	    {"as asctime does", "Tue Nov 14 22:14:20 2023", 60000},
	};
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		bool is_told = true;
		for (size_t k = 0; k < sizeof(statuses) / sizeof(*statuses);
		     k++)
			is_told = is_told &&
				  retry_after(statuses[k], forms[i].value) ==
				      forms[i].wait_ms;
		ok(is_told, "P1: Retry-After %s is told with 429, 503 and 3xx",
		    forms[i].form);
	}
}

static void test_hint(void)
{
	struct pv_response response;
	pv_response_init(&response, ".", 1000);
	response.outcome = PV_OUTCOME_ANSWERED;
	response.http_status = 200;
	response.stage = PV_STAGE_END;
	ok(pv_visit_outcome_end(&response, WALL_MS).hint_ms == 0,
	    "who says nothing of limits suggests nothing");
	pv_headers_add(
	    &response.headers, PV_STR("X-RateLimit-Remaining"), PV_STR("0"));
	pv_headers_add(&response.headers, PV_STR("X-RateLimit-Reset"),
	    PV_STR("1700000060"));
	ok(pv_visit_outcome_end(&response, WALL_MS).hint_ms == 60000,
	    "P1: who does is understood");
	pv_response_finish(&response);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(&rows[i]);
	test_held();
	test_bystander();
	test_no_retries();
	test_retry_after();
	test_other_clock();
	test_all_forms();
	test_hint();
	return tap_done();
}
