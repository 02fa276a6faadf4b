#include "audit/entry.h"

#include <time.h>

#include "base/json/json.h"
#include "base/reader.h"
#include "http/status.h"
#include "record/outcome.h"

#define NUMBER_MAX (INT64_C(1) << 50)

/* So many digits, and no fewer. */
static bool take_digits(struct pv_reader *reader, size_t count, int *number)
{
	struct pv_reader digits = pv_reader_of(pv_reader_take(reader, count));
	uint64_t value;
	if (pv_reader_left(&digits) != count ||
	    !pv_reader_take_number(&digits, 9999, &value) ||
	    !pv_reader_is_end(&digits))
		return false;
	*number = (int)value;
	return true;
}

static bool take_part(
    struct pv_reader *reader, size_t count, char before, int *number)
{
	return pv_reader_accept(reader, before) &&
	       take_digits(reader, count, number);
}

bool pv_audit_time_read(struct pv_str text, int64_t *wall_ms)
{
	struct pv_reader reader = pv_reader_of(text);
	struct tm parts = {.tm_year = 0};
	int ms;
	if (!take_digits(&reader, 4, &parts.tm_year) ||
	    !take_part(&reader, 2, '-', &parts.tm_mon) ||
	    !take_part(&reader, 2, '-', &parts.tm_mday) ||
	    !take_part(&reader, 2, 'T', &parts.tm_hour) ||
	    !take_part(&reader, 2, ':', &parts.tm_min) ||
	    !take_part(&reader, 2, ':', &parts.tm_sec) ||
	    !take_part(&reader, 3, '.', &ms) ||
	    !pv_reader_accept(&reader, 'Z') || !pv_reader_is_end(&reader))
		return false;
	parts.tm_year -= 1900;
	parts.tm_mon--;
	*wall_ms = (int64_t)timegm(&parts) * 1000 + ms;
	return true;
}

static enum pv_outcome outcome_of(struct pv_str word)
{
	for (unsigned i = 0; i < PV_OUTCOME_COUNT; i++) {
		if (pv_str_equal(pv_str_of(pv_outcome_word(i)), word))
			return (enum pv_outcome)i;
	}
	return PV_OUTCOME_COUNT;
}

/* As schedule/host_clock.h and crawl/visit/outcome.h understand it: the server
 * is aware that it has erred (RFC 9110, 15.6), stopped in the midst of it, or
 * was never there. */
static bool is_failure(enum pv_outcome outcome, int http_status)
{
	switch (outcome) {
	case PV_OUTCOME_NO_CONNECTION:
	case PV_OUTCOME_TLS:
	case PV_OUTCOME_TIMEOUT:
	case PV_OUTCOME_BROKEN_OFF:
	case PV_OUTCOME_NOT_HTTP:
		return true;
	default:
		return !http_status || http_status >= 500;
	}
}

/* A number of ours is not negative, and never as large as this. */
static int64_t number_of(const struct pv_json *value, const char *name)
{
	int64_t number = pv_json_get_integer(value, name, -1);
	return number >= 0 && number < NUMBER_MAX ? number : -1;
}

static void read_pacing(const struct pv_json *value, struct pv_pacing *pacing)
{
	int64_t at_once = number_of(value, "at_once");
	*pacing = PV_PACING_NONE;
	pacing->run = number_of(value, "run");
	pacing->released_ms = number_of(value, "released_ms");
	pacing->sent_ms = number_of(value, "sent_ms");
	pacing->end_ms = number_of(value, "end_ms");
	pacing->gap_ms = number_of(value, "gap_ms");
	pacing->rest_ms = number_of(value, "rest_ms");
	pacing->rule = pv_json_get_text(value, "rule").ptr;
	pacing->reaction_ms = number_of(value, "reaction_ms");
	pacing->retry_after_ms = number_of(value, "retry_after_ms");
	pacing->is_own_fault = pv_json_get_bool(value, "own_fault");
	pacing->at_once =
	    at_once >= 0 ? (uint32_t)at_once : (uint32_t)(pacing->sent_ms >= 0);
	if (pacing->run < 0 || pacing->released_ms < 0 || pacing->end_ms < 0)
		pacing->run = 0;
}

static void read_outcome(
    const struct pv_json *value, struct pv_audit_entry *entry)
{
	struct pv_ledger_entry *request = &entry->request;
	enum pv_outcome outcome =
	    outcome_of(pv_json_get_text(value, "outcome"));
	int64_t status = number_of(value, "status");
	int64_t bytes = number_of(value, "bytes");
	int64_t held_ms = number_of(value, "held_ms");
	request->http_status = (uint16_t)(status > 0 ? status : 0);
	request->bytes = (uint64_t)(bytes > 0 ? bytes : 0);
	entry->held_ms = held_ms > 0 ? held_ms : 0;
	request->is_robots = pv_json_get_bool(value, "robots");
	entry->is_asked = outcome != PV_OUTCOME_COUNT;
	entry->is_answered = outcome == PV_OUTCOME_ANSWERED ||
			     outcome == PV_OUTCOME_NOT_ACCEPTED ||
			     outcome == PV_OUTCOME_TOO_LARGE;
	entry->is_success =
	    outcome == PV_OUTCOME_ANSWERED &&
	    pv_http_class(request->http_status) == PV_HTTP_SUCCESS;
	entry->is_failure = !request->pacing.is_own_fault &&
			    !pv_ledger_is_overload(request->http_status) &&
			    is_failure(outcome, request->http_status);
	entry->is_unreachable = outcome == PV_OUTCOME_NO_CONNECTION &&
				!request->pacing.is_own_fault;
}

bool pv_audit_entry_read(struct pv_audit_entry *entry, struct pv_str line)
{
	struct pv_json *value = pv_json_read(line);
	struct pv_audit_entry read = {.value = value};
	read.url = pv_json_get_text(value, "url");
	read.host = pv_json_get_text(value, "host");
	read.ip = pv_json_get_text(value, "ip");
	read.digest = pv_json_get_text(value, "digest");
	read.robots_of = pv_json_get_text(value, "robots_of");
	read.attempt = pv_json_get_integer(value, "attempt", 1);
	read.worker = number_of(value, "worker");
	read.round = number_of(value, "round");
	read.is_final = pv_json_get_bool(value, "final");
	if (!pv_audit_time_read(
		pv_json_get_text(value, "time"), &read.request.wall_ms) ||
	    !read.url.len) {
		pv_json_destroy(value);
		return false;
	}
	read_pacing(value, &read.request.pacing);
	read_outcome(value, &read);
	*entry = read;
	return true;
}

void pv_audit_entry_finish(struct pv_audit_entry *entry)
{
	pv_json_destroy(entry->value);
}
