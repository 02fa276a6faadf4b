#include "crawl/visit/commit.h"

#include <errno.h>

#include "crawl/conductor.h"
#include "crawl/host/host_visits.h"
#include "crawl/reading/vouchers.h"
#include "crawl/run/halt.h"
#include "crawl/run/seed_redirect.h"
#include "crawl/visit/backpressure.h"
#include "crawl/visit/conditional.h"
#include "crawl/visit/flight.h"
#include "crawl/visit/rewrite.h"

/* So often in a row nothing is asked for a while because a page could not be
 * kept, and then no more. */
#define UNKEPT_PAUSES_MAX 8

static void close_visit(struct pv_visit_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	crawl->flights.settling--;
	crawl->flights.bytes -= flight->held_bytes;
	pv_visit_flight_destroy(flight);
	if (host->phase == PV_HOST_REFUSED && !crawl->halt.is_ending)
		pv_host_visits_feed(crawl, host);
	pv_host_slots_offer(crawl, host);
}

/* Report and line come back one after the other. */
static void take_part(
    struct pv_visit_flight *flight, enum pv_store_status status)
{
	struct pv_crawl *crawl = flight->crawl;
	if (--flight->record.parts == 0) {
		crawl->outbox.under_way--;
		close_visit(flight);
	}
	pv_halt_note_status(crawl, status);
}

static void on_reported(struct pv_report *report, enum pv_store_status status)
{
	take_part(report->ctx, status);
}

static struct pv_visit_flight *flight_of(struct pv_job *job)
{
	return (struct pv_visit_flight *)((char *)job -
					  offsetof(struct pv_visit_flight,
					      record.line));
}

static void on_line(struct pv_job *job, enum pv_store_status status)
{
	take_part(flight_of(job), status);
}

/* In the writer's thread, right after the report, if there is one. */
static void append_line(struct pv_job *job, struct pv_database *database)
{
	struct pv_visit_flight *flight = flight_of(job);
	flight->record.page.change = flight->record.report.change;
	pv_sinks_append(&flight->crawl->sinks, &flight->record.page,
	    flight->record.report.is_final, database);
	pv_ledger_book_add(flight->crawl->ledger, &flight->record.report,
	    &flight->record.page);
	if (flight->saved_robots.is_there)
		pv_robots_table_set(database, flight->task->authority->text,
		    &flight->saved_robots,
		    flight->saved_robots.has_copy
			? &flight->findings.robots_text
			: NULL);
	if (flight->findings.has_vouched)
		pv_vouchers_keep(flight->crawl->reading.vouchers, database);
	pv_rewrite_redirect(flight);
	pv_rewrite_note_bare(flight);
	if (flight->findings.seed_redirect.len)
		pv_seed_redirect_keep(
		    database, pv_buf_str(&flight->findings.seed_redirect));
}

static void fill_line(struct pv_visit_flight *flight)
{
	flight->record.line = (struct pv_job){
	    .run = append_line,
	    .done = on_line,
	    .rows = 1,
	    .bytes = sizeof(*flight) + flight->record.page.line.len,
	};
}

/* The links are the report's from now. */
static void take_links(struct pv_visit_flight *flight)
{
	struct pv_link_list links = flight->record.report.links;
	flight->record.report.links = flight->findings.links;
	flight->findings.links = links;
}

static void give_report(struct pv_visit_flight *flight)
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
	report->host = pv_live_host_state(flight->host, flight->crawl->now);
	pv_live_host_note_clocks(flight->host, &report->host);
	flight->host->is_unsaved = false;
	report->done = on_reported;
	report->ctx = flight;
	flight->record.parts = 1;
	if (!flight->job.is_abandoned) {
		fill_line(flight);
		report->with = &flight->record.line;
		flight->record.parts = 2;
	}
	pv_outbox_give(&flight->crawl->outbox, PV_PAPER_REPORT, report,
	    pv_crawl_now(flight->crawl));
	if (flight->is_urgent)
		flight->crawl->flights.is_urgent = true;
	if (report->links.count)
		pv_host_visits_expect(flight->crawl, flight->host);
}

/* Of a robots.txt its line and its host's clock are kept: what the host asked
 * for with it must outlive any end. */
static void give_line(struct pv_visit_flight *flight)
{
	flight->kind = PV_REPORT_LINKS;
	give_report(flight);
}

/* Whether a page that could not be kept can be the next time, since we were
 * only short of descriptors: it is asked for once more. */
static bool is_passing(const struct pv_visit_flight *flight)
{
	int error = flight->record.page.error;
	return !pv_visit_flight_is_robots(flight) &&
	       (error == EMFILE || error == ENFILE);
}

void pv_commit_drop(struct pv_visit_flight *flight)
{
	close_visit(flight);
}

/* For want of a descriptor. A host is not to send for ever what we never
 * keep. */
static void ask_once_more(struct pv_visit_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	if (crawl->backpressure.pause_until <= pv_crawl_now(crawl))
		crawl->backpressure.unkept_pauses++;
	if (crawl->backpressure.unkept_pauses > UNKEPT_PAUSES_MAX)
		pv_halt_fail_page(crawl, flight->record.page.fault,
		    flight->record.page.error);
	else
		pv_backpressure_slow_down(crawl, flight->record.page.fault);
	pv_link_list_clear(&flight->findings.links);
	flight->kind = PV_REPORT_LATER;
	give_report(flight);
}

void pv_commit_begin(struct pv_visit_flight *flight)
{
	struct pv_crawl *crawl = flight->crawl;
	if (flight->stage != PV_FLIGHT_READING)
		crawl->flights.settling++;
	if (flight->kind == PV_REPORT_REFUSED)
		pv_conditional_prepare_refusal(flight);
	crawl->flights.bytes -= flight->held_bytes;
	flight->held_bytes = pv_visit_flight_bytes(flight);
	crawl->flights.bytes += flight->held_bytes;
	flight->stage = PV_FLIGHT_SETTLING;
	if (flight->job.is_abandoned && is_passing(flight)) {
		ask_once_more(flight);
	} else if (flight->job.is_abandoned) {
		pv_halt_fail_page(crawl, flight->record.page.fault,
		    flight->record.page.error);
		close_visit(flight);
	} else if (pv_visit_flight_is_robots(flight)) {
		give_line(flight);
	} else {
		if (flight->record.page.is_kept)
			crawl->backpressure.unkept_pauses = 0;
		give_report(flight);
	}
}
