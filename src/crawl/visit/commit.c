#include "crawl/visit/commit.h"

#include <errno.h>

#include "crawl/conductor.h"
#include "crawl/consumers/untold.h"
#include "crawl/host/host_visits.h"
#include "crawl/progress/events.h"
#include "crawl/progress/failures.h"
#include "crawl/run/halt.h"
#include "crawl/visit/backpressure.h"
#include "crawl/visit/conditional.h"
#include "crawl/visit/flight.h"
#include "crawl/visit/resume.h"

/* So often in a row nothing is asked for a while because a page could not be
 * kept, and then no more. */
#define UNKEPT_PAUSES_MAX 8

static void close_visit(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	pv_flight_destroy(flight);
	if (host->phase == PV_HOST_REFUSED && !crawl->halt.is_ending)
		pv_host_visits_feed(crawl, host);
	if (host->phase == PV_HOST_PACED && pv_live_host_is_idle(host))
		pv_events_done(host);
	pv_host_slots_offer(crawl, host);
}

/* Report and line come back one after the other. */
static void take_part(struct pv_flight *flight, enum pv_store_status status)
{
	struct pv_crawl *crawl = flight->crawl;
	if (--flight->record.parts == 0) {
		uint64_t took_ns =
		    pv_crawl_ticks_ns(crawl) - flight->record.given_ns;
		if (status == PV_STORE_OK)
			pv_spread_add(&crawl->counters.commit,
			    (int64_t)(took_ns / 1000));
		pv_outbox_came_back(&crawl->outbox);
		close_visit(flight);
	}
	pv_halt_note_status(crawl, status);
}

static void on_reported(struct pv_report *report, enum pv_store_status status)
{
	take_part(report->ctx, status);
}

static struct pv_record *record_of(struct pv_job *job)
{
	return (struct pv_record *)((char *)job -
				    offsetof(struct pv_record, append));
}

static void on_appended(struct pv_job *job, enum pv_store_status status)
{
	struct pv_record *record = record_of(job);
	struct pv_flight *flight = record->report.ctx;
	if (status == PV_STORE_OK)
		pv_untold_tell(flight->crawl, record);
	take_part(flight, status);
}

/* In the writer's thread, right after the report, if there is one. */
static void append(struct pv_job *job, struct pv_database *database)
{
	struct pv_record *record = record_of(job);
	record->number = 0;
	const struct pv_sink_entry entry = {
	    .page = &record->page,
	    .record = record,
	    .is_final = record->report.is_final,
	    .number = &record->number,
	    .database = database,
	};
	record->page.change = record->report.change;
	pv_sinks_append(record->sinks, &entry);
}

static void fill_append(struct pv_flight *flight)
{
	struct pv_record *record = &flight->record;
	record->sinks = &flight->crawl->sinks;
	record->findings = &flight->findings;
	record->frontier = flight->crawl->frontier;
	record->url = pv_url_page(&flight->url);
	record->append = (struct pv_job){
	    .run = append,
	    .done = on_appended,
	    .rows = 1,
	    .bytes = sizeof(*flight) + pv_page_bytes(&record->page),
	};
}

/* The links are the report's from now. */
static void take_links(struct pv_flight *flight)
{
	struct pv_link_list links = flight->record.report.links;
	flight->record.report.links = flight->findings.links.list;
	flight->findings.links.list = links;
}

static void give_report(struct pv_flight *flight)
{
	struct pv_report *report = &flight->record.report;
	report->kind = flight->kind;
	report->visit = flight->task->visit;
	report->result = flight->job.result;
	report->verdict = flight->verdict;
	report->copy =
	    flight->record.page.is_kept ? &flight->findings.copy : NULL;
	report->part = flight->part.is_kept ? &flight->part.part : NULL;
	report->drops_part = flight->part.is_dropped;
	take_links(flight);
	report->change = flight->record.page.change;
	report->wall_ms = flight->wall_ms;
	report->host = pv_live_host_report(flight->host, flight->crawl->now);
	report->done = on_reported;
	report->ctx = flight;
	flight->record.parts = 1;
	if (!flight->job.is_abandoned) {
		fill_append(flight);
		report->with = &flight->record.append;
		flight->record.parts = 2;
	}
	flight->record.given_ns = pv_crawl_ticks_ns(flight->crawl);
	pv_outbox_give(&flight->crawl->outbox, PV_PAPER_REPORT, report,
	    pv_crawl_now(flight->crawl));
	if (flight->is_urgent)
		flight->crawl->flights.is_urgent = true;
	if (report->links.count)
		pv_host_visits_expect(flight->crawl, flight->host);
}

/* Of a robots.txt, or a probe, its line and its host's clock are kept: what the
 * host asked for with it must outlive any end. */
static void give_line(struct pv_flight *flight)
{
	flight->kind = PV_REPORT_LINKS;
	give_report(flight);
}

/* Whether a page that could not be kept can be the next time, since we were
 * only short of descriptors: it is asked for once more. */
static bool is_passing(const struct pv_flight *flight)
{
	int error = flight->record.page.error;
	return pv_flight_is_visit(flight) &&
	       (error == EMFILE || error == ENFILE);
}

void pv_commit_drop(struct pv_flight *flight)
{
	close_visit(flight);
}

/* For want of a descriptor. A host is not to send for ever what we never
 * keep. */
static void ask_once_more(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	if (crawl->backpressure.pause_until <= pv_crawl_now(crawl))
		crawl->backpressure.unkept_pauses++;
	if (crawl->backpressure.unkept_pauses > UNKEPT_PAUSES_MAX)
		pv_halt_fail_page(crawl, flight->record.page.fault,
		    flight->record.page.error);
	else
		pv_backpressure_slow_down(crawl, flight->record.page.fault);
	pv_link_list_clear(&flight->findings.links.list);
	flight->kind = PV_REPORT_LATER;
	give_report(flight);
}

void pv_commit_begin(struct pv_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	flight->kind = pv_resume_kind(flight);
	if (flight->kind == PV_REPORT_REFUSED)
		pv_conditional_prepare_refusal(flight);
	pv_flight_weigh(flight);
	pv_flight_enter(flight, PV_FLIGHT_SETTLING);
	if (flight->job.is_abandoned && is_passing(flight)) {
		ask_once_more(flight);
	} else if (flight->job.is_abandoned) {
		pv_halt_fail_page(crawl, flight->record.page.fault,
		    flight->record.page.error);
		close_visit(flight);
	} else if (!pv_flight_is_visit(flight)) {
		give_line(flight);
	} else {
		pv_failures_note(flight);
		if (flight->record.page.is_kept)
			crawl->backpressure.unkept_pauses = 0;
		give_report(flight);
	}
}
