#include "crawl/visit/page_event.h"

#include "crawl/visit/read_job.h"
#include "reading/findings.h"
#include "reading/program.h"

/* Texts end with a NUL for the program, and only for as long as it looks. */
struct texts {
	struct pv_buf address;
	struct pv_buf via;
	struct pv_buf tag;
	struct pv_buf type;
};

static void copy(struct pv_buf *copied, struct pv_str text)
{
	pv_buf_init(copied, SIZE_MAX);
	pv_buf_append(copied, text);
}

static void open_texts(struct texts *texts, const struct pv_read_job *job)
{
	copy(&texts->address, pv_url_page(job->answer.url));
	copy(&texts->via, job->answer.visit->via);
	copy(&texts->tag, job->answer.visit->tag);
	copy(&texts->type, job->findings->type);
}

static void close_texts(struct texts *texts)
{
	pv_buf_finish(&texts->address);
	pv_buf_finish(&texts->via);
	pv_buf_finish(&texts->tag);
	pv_buf_finish(&texts->type);
}

static void show(const struct pv_program *program,
    const struct pv_read_job *job, const struct texts *texts)
{
	const struct pv_answer *answer = &job->answer;
	const struct pv_response *response = answer->response;
	const struct pv_findings *findings = job->findings;
	const struct pv_visit *visit = answer->visit;
	const struct pavane_page page = {
	    .address = pv_buf_text(&texts->address),
	    .via = pv_buf_text(&texts->via),
	    .tag = pv_buf_text(&texts->tag),
	    .depth = visit->standing.depth,
	    .status = response->http_status,
	    .type = pv_buf_text(&texts->type),
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
	program->events.on_page(program->ctx, &page);
}

void pv_page_event_tell(const struct pv_read_job *job)
{
	const struct pv_program *program = job->readers->context->program;
	struct texts texts;
	if (!program || !program->events.on_page ||
	    pv_answer_is_robots(&job->answer) ||
	    !job->answer.response->http_status)
		return;
	open_texts(&texts, job);
	show(program, job, &texts);
	close_texts(&texts);
}

struct pv_str pv_page_event_header(
    const struct pavane_page *page, struct pv_str name)
{
	const struct pv_answer *answer = page->inside;
	return pv_headers_get(&answer->response->headers, name);
}
