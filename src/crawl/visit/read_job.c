#include "crawl/visit/read_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "crawl/run/sinks.h"
#include "crawl/visit/page_event.h"
#include "crawl/visit/part_files.h"
#include "crawl/visit/resume.h"
#include "crawl/visit/retry_budget.h"
#include "crawl/visit/rewrite.h"
#include "reading/decoding.h"
#include "reading/desk.h"
#include "reading/findings.h"
#include "reading/read.h"

static uint64_t ticks_us(const struct pv_readers *readers)
{
	return readers->clock_kind->ticks_ns(readers->clock) / 1000;
}

/* A crawl that stops at once does not wait for this: an answer that was not
 * read yet is dropped, like requests in flight, and requested again later. */
static bool is_dropped(const struct pv_read_job *job)
{
	return atomic_load(job->readers->is_dropping);
}

/* The answer */

/* That we cannot read it says nothing about the page. */
static void give_up(struct pv_read_job *job, const char *what, int error)
{
	char fault[sizeof(job->page->fault)];
	job->is_abandoned = true;
	snprintf(fault, sizeof(fault), "%s: %s", what, strerror(error));
	pv_page_fail(job->page, fault, error);
}

static void put_together(struct pv_read_job *job, struct pv_reader_desk *desk)
{
	if (pv_part_files_run(job->readers->directory, job->part, job->response,
		desk->digester))
		return;
	give_up(job, "a large answer cannot be assembled", errno);
}

static void decode(struct pv_read_job *job)
{
	struct pv_answer *answer = &job->answer;
	struct pv_decoding decoding = {
	    .response = job->response,
	    .body = job->decoded,
	    .path = pv_url_path(answer->url),
	    .is_robots = pv_answer_is_robots(answer),
	};
	pv_decoding_undo(&decoding);
	answer->text = decoding.text;
	answer->is_mapped = decoding.is_mapped;
	if (decoding.error)
		give_up(job, "an answer cannot be stored until it is read",
		    decoding.error);
}

/* From then on nobody changes it. */
static void complete_answer(
    struct pv_read_job *job, struct pv_reader_desk *desk)
{
	put_together(job, desk);
	if (!job->is_abandoned)
		decode(job);
}

/* Its page */

static void fill_page(struct pv_read_job *job)
{
	const struct pv_answer *answer = &job->answer;
	const struct pv_findings *findings = job->findings;
	struct pv_page *page = job->page;
	page->response = answer->response;
	page->text = answer->text;
	page->is_mapped = answer->is_mapped;
	page->type = findings->type;
	page->is_kept = findings->is_kept;
	page->change = findings->change;
	page->terms = &findings->terms;
	page->moved_to = findings->redirect.dead_end
			     ? PV_STR("")
			     : pv_buf_str(&findings->redirect.moved_to);
	if (findings->rows.has_kind || job->is_shown)
		page->rows = &findings->rows;
	page->has_digest = findings->has_digest;
	memcpy(page->digest, findings->digest, sizeof(page->digest));
	page->why = findings->why;
	if (job->part->result == PV_PART_DAMAGED)
		page->pacing.is_own_fault = true;
}

static void store(struct pv_read_job *job, struct pv_reader_desk *desk)
{
	fill_page(job);
	job->page->rewritten = pv_rewrite_prepare(job, desk);
	job->is_abandoned = !pv_sinks_prepare(job->readers->sinks, job->page);
	job->findings->copy.file = pv_buf_str(&job->page->file);
}

/* The program's sinks prepare with ours what on_page has been shown. */
static void show_and_store(struct pv_read_job *job, struct pv_reader_desk *desk)
{
	struct pv_page_event event;
	pv_page_event_open(&event, job, desk);
	pv_page_event_tell(&event, job);
	job->page->shown = event.is_there ? &event.page : NULL;
	store(job, desk);
	job->page->shown = NULL;
	pv_page_event_close(&event);
}

static void read_answer(struct pv_read_job *job, struct pv_reader_desk *desk)
{
	struct pv_findings *findings = job->findings;
	snprintf(findings->why, sizeof(findings->why), "%s",
	    job->answer.response->why);
	pv_answer_read(
	    job->readers->context, &job->answer, desk, findings, &job->result);
	pv_resume_remark(job->part, &job->answer, findings);
	if (job->is_out_of_tries)
		pv_retry_budget_remark(findings);
	show_and_store(job, desk);
}

static void note_probe(struct pv_read_job *job)
{
	job->result = (struct pv_result){
	    .outcome = job->response->outcome,
	    .http_status = job->response->http_status,
	    .bytes = job->response->body.size,
	};
	fill_page(job);
	job->page->why = job->response->why;
	job->is_abandoned = !pv_sinks_prepare(job->readers->sinks, job->page);
}

static void read_unless_dropped(
    struct pv_read_job *job, struct pv_reader_desk *desk)
{
	job->is_dropped = is_dropped(job);
	if (job->is_dropped)
		return;
	if (job->is_probe) {
		note_probe(job);
		return;
	}
	complete_answer(job, desk);
	job->is_dropped = is_dropped(job);
	if (!job->is_abandoned && !job->is_dropped)
		read_answer(job, desk);
	if (!job->is_dropped && !job->is_abandoned)
		pv_part_files_end(job->readers->directory, job->part);
}

/* To let go of a large file takes its time, which is not the loop's. */
static void let_go(struct pv_read_job *job)
{
	job->page->text = (struct pv_str){NULL, 0};
	job->page->is_mapped = false;
	job->page->type = (struct pv_str){NULL, 0};
	job->page->moved_to = (struct pv_str){NULL, 0};
	job->page->rewritten = (struct pv_str){NULL, 0};
	pv_body_finish(job->decoded);
	if (job->response->body.file >= 0)
		pv_body_clear(&job->response->body);
}

static void run(struct pv_work_item *item, size_t worker)
{
	struct pv_read_job *job = (struct pv_read_job *)item;
	job->waited_us = (int64_t)(ticks_us(job->readers) - job->given_us);
	read_unless_dropped(job, &job->readers->desks[worker]);
	let_go(job);
}

void pv_read_job_give(
    struct pv_read_job *job, void (*done)(struct pv_work_item *item))
{
	job->work.run = run;
	job->work.done = done;
	job->given_us = ticks_us(job->readers);
	pv_pool_give(job->readers->pool, &job->work);
}
