#include "reading/read.h"

#include "base/pieces.h"
#include "http/status.h"
#include "reading/body_type.h"
#include "reading/comparison.h"
#include "reading/link_collector.h"
#include "reading/links.h"
#include "reading/redirect.h"
#include "reading/robots_file.h"

/* To look for SHA-256 takes as long as to compute it of a short page, so that
 * is done once a desk. */
static void digest(const struct pv_answer *answer, struct pv_digester *digester,
    struct pv_findings *findings)
{
	if (!answer->text.len)
		return;
	struct pv_pieces pieces = pv_pieces_of(answer->text, answer->is_mapped);
	struct pv_str piece;
	while (pv_pieces_next(&pieces, &piece))
		pv_digester_append(digester, piece);
	pv_digester_end(digester, findings->digest);
	findings->has_digest = true;
}

/* Whether it came under so many addresses before that it leads no further. What
 * a person wrote among the seeds leads further, whatever it is. */
static bool is_same_page(const struct pv_link_collector *collector)
{
	const struct pv_answer *answer = collector->answer;
	const struct pv_visit *visit = answer->visit;
	if (!collector->findings->has_digest ||
	    !pv_standing_is_for_readers(&visit->standing))
		return false;
	bool is_same = pv_traps_take_page(collector->context->traps,
	    answer->url, collector->findings->digest, visit->is_repeated);
	return is_same && !pv_standing_is_seed(&visit->standing);
}

/* Whether a link was left out for it, since it is the same page. */
static bool has_left_out(const struct pv_link_list *links)
{
	for (size_t i = 0; i < links->count; i++) {
		struct pv_link link = pv_link_list_get(links, i);
		if (link.standing.use == PV_REFUSED &&
		    link.standing.verdict.reason == PV_REASON_SAME_BODY)
			return true;
	}
	return false;
}

static void read_page(struct pv_link_collector *collector)
{
	bool is_same = is_same_page(collector);
	collector->findings->links.is_same_page = is_same;
	collector->closed = is_same ? PV_REASON_SAME_BODY : PV_REASON_NONE;
	pv_answer_links_read(collector);
	collector->findings->links.leads_only = collector->leads_only;
	if (is_same && has_left_out(&collector->findings->links.list))
		pv_traps_note_page(
		    collector->context->traps, collector->answer->url);
}

static void read_visit(struct pv_link_collector *collector)
{
	const struct pv_answer *answer = collector->answer;
	bool is_success = pv_answer_is_success(answer);
	if (answer->response->outcome == PV_OUTCOME_ANSWERED &&
	    pv_http_is_redirect(answer->response->http_status))
		pv_redirect_read(collector);
	collector->findings->is_kept =
	    is_success && !answer->visit->standing.is_only_list &&
	    pv_comparison_can_replace(answer, collector->findings);
	if (is_success)
		read_page(collector);
}

/* Of a body that was continued what counts is the whole. */
static void fill_result(const struct pv_answer *answer,
    const struct pv_findings *findings, struct pv_result *result)
{
	const struct pv_response *response = answer->response;
	result->outcome = response->outcome;
	result->http_status = response->earlier ? 200 : response->http_status;
	result->bytes = response->body.size;
	result->may_lead_further = findings->links.may_lead_further;
	if (findings->rows.has_kind)
		result->kind = (uint8_t)(findings->rows.kind + 1);
}

void pv_answer_read(const struct pv_reading_context *context,
    const struct pv_answer *answer, struct pv_reader_desk *desk,
    struct pv_findings *findings, struct pv_result *result)
{
	struct pv_link_collector collector = {
	    .context = context,
	    .answer = answer,
	    .desk = desk,
	    .findings = findings,
	    .is_page = answer->visit->standing.use == PV_PAGE,
	};
	desk->read_as = PV_DOCUMENT_NONE;
	findings->type = pv_body_type(
	    &answer->response->headers, answer->text, collector.is_page);
	digest(answer, desk->digester, findings);
	if (pv_answer_is_robots(answer))
		pv_robots_file_read(&collector);
	else
		read_visit(&collector);
	fill_result(answer, findings, result);
	if (!pv_answer_is_robots(answer))
		pv_comparison_run(answer, result, findings);
}
