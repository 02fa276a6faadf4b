#include "explain/inquiring.h"

#include <stdio.h>

#include "http/status.h"
#include "robots/access.h"
#include "robots/robots.h"

void pv_inquiry_answer_init(struct pv_inquiry_answer *answer, size_t bytes_max)
{
	*answer = (struct pv_inquiry_answer){.result = PV_INQUIRY_CLOSED};
	pv_buf_init(&answer->url, PV_INQUIRY_URL_MAX);
	pv_buf_init(&answer->text, bytes_max);
}

void pv_inquiry_answer_finish(struct pv_inquiry_answer *answer)
{
	pv_buf_finish(&answer->url);
	pv_buf_finish(&answer->text);
}

void pv_inquiry_end(
    struct pv_inquiry *inquiry, enum pv_inquiry_result result, const char *why)
{
	inquiry->answer->result = result;
	if (why != inquiry->answer->why)
		snprintf(inquiry->answer->why, sizeof(inquiry->answer->why),
		    "%s", why);
	inquiry->is_done = true;
}

/* Asks on where the answer lies instead; a hop to who may not be asked leaves
 * it unreachable. */
static void follow(struct pv_inquiry *inquiry)
{
	struct pv_url next;
	struct pv_str location =
	    pv_headers_get(&inquiry->response.headers, PV_STR("Location"));
	pv_url_init(&next, PV_INQUIRY_URL_MAX);
	if (location.ptr &&
	    pv_url_join(&next, &inquiry->url, location, NULL) == PV_URL_OK) {
		inquiry->answer->redirects++;
		pv_url_parse(&inquiry->url, pv_url_page(&next));
		pv_inquiry_ask_here(inquiry);
	} else {
		pv_inquiry_end(inquiry, PV_INQUIRY_CLOSED,
		    "it is redirected to something that is not a web address");
	}
	pv_url_finish(&next);
}

static void take_text(
    struct pv_inquiry *inquiry, const struct pv_decoding *decoding)
{
	struct pv_buf *text = &inquiry->answer->text;
	inquiry->answer->is_cut =
	    inquiry->response.outcome == PV_OUTCOME_TOO_LARGE;
	pv_buf_append(text, decoding->text);
	pv_inquiry_end(inquiry, PV_INQUIRY_RULES, inquiry->response.why);
}

static void close_for(struct pv_inquiry *inquiry)
{
	const struct pv_response *response = &inquiry->response;
	char status[40];
	snprintf(status, sizeof(status), "answered %u",
	    (unsigned)response->http_status);
	pv_inquiry_end(inquiry, PV_INQUIRY_CLOSED,
	    response->why[0] ? response->why : status);
}

/* As a crawl reads it (robots_gate.c): of what is too large the beginning. */
static void judge_robots(
    struct pv_inquiry *inquiry, struct pv_decoding *decoding)
{
	struct pv_response *response = &inquiry->response;
	pv_decoding_undo(decoding);
	bool is_beginning = response->outcome == PV_OUTCOME_TOO_LARGE &&
			    response->stage >= PV_STAGE_BODY;
	bool is_answered =
	    response->outcome == PV_OUTCOME_ANSWERED || is_beginning;
	int status =
	    is_answered && !decoding->error ? response->http_status : 0;
	inquiry->answer->http_status = response->http_status;
	switch (pv_robots_access(status, inquiry->answer->redirects)) {
	case PV_ROBOTS_READ_IT:
		take_text(inquiry, decoding);
		break;
	case PV_ROBOTS_ELSEWHERE:
		follow(inquiry);
		break;
	case PV_ROBOTS_ALL_ALLOWED:
		pv_inquiry_end(inquiry, PV_INQUIRY_OPEN, "");
		break;
	case PV_ROBOTS_ALL_FORBIDDEN:
		close_for(inquiry);
		break;
	}
}

/* Where a page lies instead is for the caller to ask. */
static void note_moved(struct pv_inquiry *inquiry)
{
	struct pv_buf *moved_to = &inquiry->answer->url;
	struct pv_url next;
	struct pv_str location =
	    pv_headers_get(&inquiry->response.headers, PV_STR("Location"));
	pv_url_init(&next, PV_INQUIRY_URL_MAX);
	if (location.ptr &&
	    pv_url_join(&next, &inquiry->url, location, NULL) == PV_URL_OK) {
		pv_buf_clear(moved_to);
		pv_buf_append(moved_to, pv_url_page(&next));
		pv_inquiry_end(inquiry, PV_INQUIRY_MOVED, "");
	} else {
		pv_inquiry_end(inquiry, PV_INQUIRY_CLOSED,
		    "it is redirected to something that is not a web address");
	}
	pv_url_finish(&next);
}

static void judge_page(struct pv_inquiry *inquiry, struct pv_decoding *decoding)
{
	struct pv_response *response = &inquiry->response;
	pv_decoding_undo(decoding);
	bool is_beginning = response->outcome == PV_OUTCOME_TOO_LARGE &&
			    response->stage >= PV_STAGE_BODY;
	bool is_whole = response->outcome == PV_OUTCOME_ANSWERED;
	int status = response->http_status;
	inquiry->answer->http_status = response->http_status;
	if (is_whole && pv_http_is_redirect(status))
		note_moved(inquiry);
	else if ((is_whole || is_beginning) && !decoding->error &&
		 pv_http_class(status) == PV_HTTP_SUCCESS)
		take_text(inquiry, decoding);
	else
		close_for(inquiry);
}

void pv_inquiry_judge(struct pv_inquiry *inquiry, struct pv_decoding *decoding)
{
	if (inquiry->page)
		judge_page(inquiry, decoding);
	else
		judge_robots(inquiry, decoding);
}
