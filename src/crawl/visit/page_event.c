#include "crawl/visit/page_event.h"

#include "crawl/visit/read_job.h"
#include "reading/findings.h"
#include "reading/program.h"

static void copy(struct pv_buf *copied, struct pv_str text)
{
	pv_buf_init(copied, SIZE_MAX);
	pv_buf_append(copied, text);
}

static void open_texts(
    struct pv_page_event *event, const struct pv_read_job *job)
{
	copy(&event->address, pv_url_page(job->answer.url));
	copy(&event->via, job->answer.visit->via);
	copy(&event->tag, job->answer.visit->tag);
	copy(&event->type, job->findings->type);
}

static struct pavane_page page_of(
    const struct pv_page_event *event, const struct pv_read_job *job)
{
	const struct pv_answer *answer = &job->answer;
	const struct pv_response *response = answer->response;
	const struct pv_findings *findings = job->findings;
	const struct pv_visit *visit = answer->visit;
	return (struct pavane_page){
	    .address = pv_buf_text(&event->address),
	    .via = pv_buf_text(&event->via),
	    .tag = pv_buf_text(&event->tag),
	    .depth = visit->standing.depth,
	    .status = response->http_status,
	    .type = pv_buf_text(&event->type),
	    .body = pv_str_bytes(answer->text),
	    .body_len = answer->text.len,
	    .sha256 = findings->has_digest ? findings->digest : NULL,
	    .is_whole = response->outcome == PV_OUTCOME_ANSWERED,
	    .is_kept = findings->is_kept,
	    .total_ms = response->times.total_ms,
	    .attempt = visit->attempt + visit->waits + visit->gains + 1,
	    .link_count = findings->links.list.count,
	    .row_count = findings->rows.count,
	    .inside = answer,
	};
}

static bool wants_pages(const struct pv_program *program)
{
	return program && (program->events.on_page || program->has_sinks);
}

void pv_page_event_open(
    struct pv_page_event *event, const struct pv_read_job *job)
{
	*event = (struct pv_page_event){
	    .is_there = wants_pages(job->readers->context->program) &&
			!pv_answer_is_robots(&job->answer) &&
			job->answer.response->http_status,
	};
	if (!event->is_there)
		return;
	open_texts(event, job);
	event->page = page_of(event, job);
}

void pv_page_event_tell(
    const struct pv_page_event *event, const struct pv_read_job *job)
{
	const struct pv_program *program = job->readers->context->program;
	if (event->is_there && program->events.on_page)
		program->events.on_page(program->ctx, &event->page);
}

void pv_page_event_close(struct pv_page_event *event)
{
	pv_buf_finish(&event->address);
	pv_buf_finish(&event->via);
	pv_buf_finish(&event->tag);
	pv_buf_finish(&event->type);
}

struct pv_str pv_page_event_header(
    const struct pavane_page *page, struct pv_str name)
{
	const struct pv_answer *answer = page->inside;
	return pv_headers_get(&answer->response->headers, name);
}
