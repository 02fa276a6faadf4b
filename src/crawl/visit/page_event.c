#include "crawl/visit/page_event.h"

#include "crawl/visit/read_job.h"
#include "fields/row_json.h"
#include "policy/policy.h"
#include "reading/findings.h"
#include "reading/program/program.h"

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
	copy(&event->moved_to, pv_buf_str(&job->findings->redirect.moved_to));
	pv_buf_init(&event->shown, SIZE_MAX);
	pv_buf_init(&event->why, SIZE_MAX);
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
	    .inside = event,
	    .moved_to = pv_buf_text(&event->moved_to),
	    .header_count = response->headers.count,
	    .name_ms = response->times.name_ms,
	    .connect_ms = response->times.connect_ms,
	    .tls_ms = response->times.tls_ms,
	    .first_byte_ms = response->times.first_byte_ms,
	};
}

/* Of which its rows are; NULL if it can have none. */
static const struct pv_page_kind *kind_of(const struct pv_page_event *event)
{
	const struct pv_rows *rows = &event->giving.findings->rows;
	const struct pv_policy *policy = event->giving.context->policy;
	return rows->has_kind ? &policy->pages.items[rows->kind] : NULL;
}

/* What may grow while the program looks at it. */
static void count(struct pv_page_event *event)
{
	const struct pv_findings *findings = event->giving.findings;
	const struct pv_page_kind *kind = kind_of(event);
	event->page.link_count = findings->links.list.count;
	event->page.row_count = findings->rows.count;
	event->page.kind = kind ? kind->name : "";
}

static bool wants_pages(const struct pv_program *program)
{
	return program && (program->events.on_page || program->has_sinks);
}

void pv_page_event_open(struct pv_page_event *event, struct pv_read_job *job,
    struct pv_reader_desk *desk)
{
	*event = (struct pv_page_event){
	    .is_there = wants_pages(job->readers->context->program) &&
			!pv_answer_is_robots(&job->answer) &&
			job->answer.response->http_status,
	    .giving = {job->readers->context, &job->answer, desk, job->findings,
		&event->why},
	};
	if (!event->is_there)
		return;
	open_texts(event, job);
	event->page = page_of(event, job);
	count(event);
}

void pv_page_event_tell(struct pv_page_event *event, struct pv_read_job *job)
{
	const struct pv_program *program = job->readers->context->program;
	if (!event->is_there || !program->events.on_page)
		return;
	event->may_add = true;
	program->events.on_page(program->ctx, &event->page);
	event->may_add = false;
	job->is_shown = true;
}

void pv_page_event_close(struct pv_page_event *event)
{
	pv_buf_finish(&event->address);
	pv_buf_finish(&event->via);
	pv_buf_finish(&event->tag);
	pv_buf_finish(&event->type);
	pv_buf_finish(&event->moved_to);
	pv_buf_finish(&event->why);
	pv_buf_finish(&event->shown);
}

/* What the program does with it: the struct is ours, which it sees as const. */
struct pv_page_event *pv_page_event_of(const struct pavane_page *page)
{
	return (struct pv_page_event *)(uintptr_t)page->inside;
}

/* Looking */

/* As text that ends with a NUL, until the next. */
static const char *show(struct pv_page_event *event, struct pv_str text)
{
	pv_buf_clear(&event->shown);
	pv_buf_append(&event->shown, text);
	return pv_buf_text(&event->shown);
}

/* Why it is not requested, in a word that may be the program's own. */
static const char *verdict_word(
    struct pv_page_event *event, struct pv_verdict verdict)
{
	struct pv_program *program = event->giving.context->program;
	bool is_own = verdict.reason == PV_REASON_PROGRAM &&
		      pv_program_get(program, verdict.line, &event->word);
	return is_own ? event->word.word : pv_reason_word(verdict.reason);
}

bool pv_page_event_link(
    struct pv_page_event *event, size_t number, struct pavane_page_link *link)
{
	const struct pv_link_list *list = &event->giving.findings->links.list;
	if (number >= list->count)
		return false;
	struct pv_link found = pv_link_list_get(list, number);
	*link = (struct pavane_page_link){
	    .size = sizeof(*link),
	    .address = show(event, found.url),
	    .is_page = found.standing.use != PV_RESOURCE &&
		       found.standing.found_as != PV_FOUND_AS_RESOURCE,
	    .verdict = verdict_word(event, found.standing.verdict),
	};
	return true;
}

/* In a row's line its values stand behind others. */
const char *pv_page_event_row(struct pv_page_event *event, size_t number)
{
	const struct pv_rows *rows = &event->giving.findings->rows;
	struct pv_buf *shown = &event->shown;
	if (number >= rows->count)
		return NULL;
	pv_buf_clear(shown);
	pv_row_json_write_values(kind_of(event), &rows->items[number], shown);
	shown->ptr[0] = '{';
	pv_buf_cut(shown, shown->len - 1);
	return pv_buf_text(shown);
}

/* Adding */

/* What a sink prepares comes too late: the page is being stored. */
static bool may_add(struct pv_page_event *event)
{
	pv_buf_clear(&event->why);
	if (!event->may_add)
		pv_buf_append_text(
		    &event->why, "only within on_page a page takes anything");
	return event->may_add;
}

bool pv_page_event_add_row(
    struct pv_page_event *event, struct pv_str kind, struct pv_str json)
{
	bool is_added =
	    may_add(event) && pv_given_add_row(&event->giving, kind, json);
	count(event);
	return is_added;
}

bool pv_page_event_add_link(
    struct pv_page_event *event, struct pv_str address, enum pavane_place place)
{
	bool is_added =
	    may_add(event) && pv_given_add_link(&event->giving, address, place);
	count(event);
	return is_added;
}
