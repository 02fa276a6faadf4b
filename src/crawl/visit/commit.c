#include "crawl/visit/commit.h"

#include <errno.h>

#include "crawl/host/host_visits.h"
#include "crawl/reading/vouchers.h"
#include "crawl/run/halt.h"
#include "crawl/run/seed_redirect.h"
#include "crawl/visit/backpressure.h"
#include "crawl/visit/conditional.h"
#include "crawl/visit/open_visit.h"
#include "crawl/visit/rewrite.h"

/* So often in a row nothing is asked for a while because a page could not be
 * kept, and then no more. */
#define UNKEPT_PAUSES_MAX 8

static void close_visit(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	struct pv_live_host *host = open->host;
	crawl->flights.settling--;
	crawl->flights.bytes -= open->held_bytes;
	pv_open_destroy(open);
	if (host->phase == PV_HOST_REFUSED && !crawl->halt.is_ending)
		pv_host_visits_feed(crawl, host);
	pv_host_slots_offer(crawl, host);
}

/* Report and line come back one after the other. */
static void take_part(struct pv_open *open, enum pv_store_status status)
{
	struct pv_crawl *crawl = open->crawl;
	if (--open->parts == 0) {
		crawl->outbox.under_way--;
		close_visit(open);
	}
	pv_halt_note_status(crawl, status);
}

static void on_reported(struct pv_report *report, enum pv_store_status status)
{
	take_part(report->ctx, status);
}

static struct pv_open *open_of(struct pv_job *job)
{
	return (struct pv_open *)((char *)job - offsetof(struct pv_open, line));
}

static void on_line(struct pv_job *job, enum pv_store_status status)
{
	take_part(open_of(job), status);
}

/* In the writer's thread, right after the report, if there is one. */
static void append_line(struct pv_job *job, struct pv_database *database)
{
	struct pv_open *open = open_of(job);
	open->page.change = open->report.change;
	pv_sinks_append(
	    &open->crawl->sinks, &open->page, open->report.is_final, database);
	pv_ledger_book_add(open->crawl->ledger, &open->report, &open->page);
	if (open->saved_robots.is_there)
		pv_robots_table_set(database, open->task->authority->text,
		    &open->saved_robots,
		    open->saved_robots.has_copy ? &open->robots_text : NULL);
	if (open->has_vouched)
		pv_vouchers_keep(open->crawl->reading.vouchers, database);
	pv_rewrite_redirect(open);
	pv_rewrite_note_bare(open);
	if (open->seed_redirect.len)
		pv_seed_redirect_keep(
		    database, pv_buf_str(&open->seed_redirect));
}

static void fill_line(struct pv_open *open)
{
	open->line = (struct pv_job){
	    .run = append_line,
	    .done = on_line,
	    .rows = 1,
	    .bytes = sizeof(*open) + open->page.line.len,
	};
}

static void give_report(struct pv_open *open)
{
	struct pv_report *report = &open->report;
	report->kind = open->kind;
	report->visit = open->task->visit;
	report->result = open->result;
	report->verdict = open->verdict;
	report->copy = open->page.is_kept ? &open->copy : NULL;
	report->change = open->page.change;
	report->wall_ms = open->page.wall_ms;
	report->host = pv_live_host_state(open->host, open->crawl->now);
	pv_live_host_note_clocks(open->host, &report->host);
	open->host->is_unsaved = false;
	report->done = on_reported;
	report->ctx = open;
	open->parts = 1;
	if (!open->is_abandoned) {
		fill_line(open);
		report->with = &open->line;
		open->parts = 2;
	}
	pv_outbox_give(&open->crawl->outbox, PV_PAPER_REPORT, report,
	    pv_crawl_now(open->crawl));
	if (open->is_urgent)
		open->crawl->flights.is_urgent = true;
	if (report->links.count)
		pv_host_visits_expect(open->crawl, open->host);
}

/* Of a robots.txt its line and its host's clock are kept: what the host asked
 * for with it must outlive any end. */
static void give_line(struct pv_open *open)
{
	open->kind = PV_REPORT_LINKS;
	give_report(open);
}

/* Whether a page that could not be kept can be the next time, since we were
 * only short of descriptors: it is asked for once more. */
static bool is_passing(const struct pv_open *open)
{
	int error = open->page.error;
	return !pv_open_is_robots(open) && (error == EMFILE || error == ENFILE);
}

void pv_commit_drop(struct pv_open *open)
{
	close_visit(open);
}

/* For want of a descriptor. A host is not to send for ever what we never
 * keep. */
static void ask_once_more(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	if (crawl->backpressure.pause_until <= pv_crawl_now(crawl))
		crawl->backpressure.unkept_pauses++;
	if (crawl->backpressure.unkept_pauses > UNKEPT_PAUSES_MAX)
		pv_halt_fail_page(crawl, open->page.fault, open->page.error);
	else
		pv_backpressure_slow_down(crawl, open->page.fault);
	pv_link_list_clear(&open->report.links);
	open->kind = PV_REPORT_LATER;
	give_report(open);
}

void pv_commit_begin(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	if (open->stage != PV_OPEN_READING)
		crawl->flights.settling++;
	if (open->kind == PV_REPORT_REFUSED)
		pv_conditional_prepare_refusal(open);
	crawl->flights.bytes -= open->held_bytes;
	open->held_bytes = pv_open_bytes(open);
	crawl->flights.bytes += open->held_bytes;
	open->stage = PV_OPEN_SETTLING;
	if (open->is_abandoned && is_passing(open)) {
		ask_once_more(open);
	} else if (open->is_abandoned) {
		pv_halt_fail_page(crawl, open->page.fault, open->page.error);
		close_visit(open);
	} else if (pv_open_is_robots(open)) {
		give_line(open);
	} else {
		if (open->page.is_kept)
			crawl->backpressure.unkept_pauses = 0;
		give_report(open);
	}
}
