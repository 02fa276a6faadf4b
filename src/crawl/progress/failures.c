#include "crawl/progress/failures.h"

#include <stdio.h>

#include "base/visible.h"
#include "crawl/conductor.h"
#include "crawl/visit/flight.h"

/* That there is an answer, but none that counts. */
static bool is_refused(const struct pv_flight *flight)
{
	return !flight->task->visit.standing.is_only_list &&
	       flight->response.http_status >= 400;
}

/* What a page that an update takes as it was had is no outcome. */
static bool has_no_answer(const struct pv_flight *flight)
{
	switch (flight->response.outcome) {
	case PV_OUTCOME_NONE:
	case PV_OUTCOME_ANSWERED:
	case PV_OUTCOME_NOT_ACCEPTED:
		return false;
	default:
		return true;
	}
}

static void write_what(const struct pv_response *response, struct pv_buf *buf)
{
	if (response->outcome == PV_OUTCOME_ANSWERED)
		pv_buf_append_format(buf, "%u", response->http_status);
	else if (response->why[0])
		pv_visible_append(buf, pv_str_of(response->why));
	else
		pv_buf_append_text(buf, pv_outcome_word(response->outcome));
}

static void name(struct pv_failures *failures, const struct pv_flight *flight)
{
	struct pv_str url = pv_url_page(&flight->url);
	char *address = failures->items[failures->count].address;
	char *what = failures->items[failures->count].what;
	struct pv_buf buf;
	snprintf(address, PV_FAILURE_ADDRESS_SIZE, "%.*s", PV_STR_ARG(url));
	pv_buf_init(&buf, SIZE_MAX);
	write_what(&flight->response, &buf);
	snprintf(what, PV_FAILURE_WHAT_SIZE, "%s", pv_buf_text(&buf));
	pv_buf_finish(&buf);
	failures->count++;
}

void pv_failures_note(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_failures *failures = &crawl->progress.failures;
	if (flight->kind != PV_REPORT_DONE)
		return;
	if (is_refused(flight))
		pv_counters_refused(&crawl->counters);
	else if (!has_no_answer(flight))
		return;
	if (failures->count < PAVANE_FAILURES_MAX)
		name(failures, flight);
}

void pv_failures_fill(
    const struct pv_failures *failures, struct pavane_progress *progress)
{
	progress->failure_count = failures->count;
	for (size_t i = 0; i < failures->count; i++)
		progress->failures[i] = (struct pavane_failure){
		    failures->items[i].address, failures->items[i].what};
}
