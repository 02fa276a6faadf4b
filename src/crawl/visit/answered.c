#include "crawl/visit/answered.h"

#include "crawl/conductor.h"
#include "crawl/robots/robots_gate.h"
#include "crawl/visit/commit.h"
#include "crawl/visit/flight.h"

/* Its address is logged without credentials. */
static void warn_of_links(const struct pv_flight *flight)
{
	struct pv_buf authority;
	pv_buf_init(&authority, SIZE_MAX);
	pv_url_write_authority(&flight->url, &authority);
	pv_log(&flight->crawl->log, PV_LOG_WARNING,
	    "%s%.*s: too many links on one page: not all of them are followed",
	    pv_buf_text(&authority), PV_STR_ARG(pv_url_target(&flight->url)));
	pv_buf_finish(&authority);
}

static void tell(const struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	const struct pv_findings *findings = &flight->findings;
	if (findings->links.gave_up_rule)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "scope.rules: rule %u took too long to check an address: "
		    "the address is refused",
		    findings->links.gave_up_rule);
	if (findings->links.has_more)
		warn_of_links(flight);
	pv_traps_tell(crawl->reading.traps, &crawl->log);
}

static void on_read(struct pv_work_item *item)
{
	struct pv_flight *flight = (struct pv_flight *)item;
	struct pv_crawl *crawl = flight->crawl;
	pv_flight_enter(flight, PV_FLIGHT_READ);
	pv_histogram_add(&crawl->counters.pool, flight->job.waited_us);
	pv_resume_done(flight);
	pv_flight_give_body(flight);
	if (flight->job.is_dropped) {
		pv_commit_drop(flight);
		return;
	}
	tell(flight);
	if (pv_flight_is_robots(flight) && !flight->job.is_abandoned)
		pv_robots_gate_answer(flight);
	pv_commit_begin(flight);
}

static void fill_job(struct pv_flight *flight)
{
	const struct pv_authority *authority =
	    flight->task->is_probe ? NULL : flight->task->authority;
	flight->job.readers = &flight->crawl->readers;
	flight->job.response = &flight->response;
	flight->job.decoded = &flight->decoded;
	flight->job.part = &flight->part;
	flight->job.findings = &flight->findings;
	flight->job.page = &flight->record.page;
	flight->job.is_out_of_tries = flight->is_out_of_tries;
	flight->job.is_probe = flight->task->is_probe;
	flight->job.answer = (struct pv_answer){
	    .visit = &flight->task->visit,
	    .url = &flight->url,
	    .authority = flight->authority_text,
	    .rules = flight->rules,
	    .robots_of = authority ? authority->text : (struct pv_str){NULL, 0},
	    .response = &flight->response,
	    .wall_ms = flight->wall_ms,
	};
}

void pv_answered_begin(struct pv_flight *flight)
{
	pv_flight_enter(flight, PV_FLIGHT_READING);
	pv_flight_weigh(flight);
	pv_flight_fill_page(flight, PV_CHANGE_NONE);
	fill_job(flight);
	pv_read_job_give(&flight->job, on_read);
}
