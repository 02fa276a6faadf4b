#include "reading/robots_file.h"

#include <stdio.h>

#include "base/why.h"
#include "http/status.h"
#include "policy/identity.h"
#include "reading/listing.h"
#include "reading/redirect.h"
#include "robots/robots.h"

/* What was passed over is worth a word in the journal. */
static void remark(struct pv_findings *findings, const struct pv_why *why)
{
	char note[160];
	if (!why->notes.kept_count)
		return;
	const struct pv_problem *first = &why->notes.kept[0];
	snprintf(note, sizeof(note), "line %u: %s", (unsigned)first->line,
	    first->text);
	pv_findings_remark(findings, note);
}

static void read_rules(struct pv_link_collector *collector, bool is_cut)
{
	const struct pv_answer *answer = collector->answer;
	struct pv_findings *findings = collector->findings;
	const struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_why why;
	pv_why_init(&why);
	struct pv_robots *robots =
	    pv_robots_create(answer->text, is_cut, &ceilings, &why);
	findings->robots.rules = pv_robots_rules_of(
	    robots, pv_identity_product(&collector->context->policy->identity));
	pv_listing_read_robots(collector, &robots->sitemaps);
	pv_robots_destroy(robots);
	pv_buf_append(&findings->robots.text, answer->text);
	findings->robots.is_cut = is_cut;
	findings->robots.has_copy = true;
	remark(findings, &why);
	pv_why_finish(&why);
}

/* Too large may also be what stands before the body: of that nothing is
 * known. */
void pv_robots_file_read(struct pv_link_collector *collector)
{
	const struct pv_answer *answer = collector->answer;
	const struct pv_response *response = answer->response;
	struct pv_findings *findings = collector->findings;
	bool is_cut = response->outcome == PV_OUTCOME_TOO_LARGE &&
		      response->stage >= PV_STAGE_BODY;
	enum pv_http_class class = pv_http_class(response->http_status);
	bool is_answered = response->outcome == PV_OUTCOME_ANSWERED;
	if ((is_answered || is_cut) && class == PV_HTTP_SUCCESS)
		read_rules(collector, is_cut);
	else if (is_answered && class == PV_HTTP_CLIENT_ERROR)
		pv_listing_read_robots(collector, NULL);
	findings->robots.has_location =
	    pv_redirect_find(answer, &findings->robots.location);
}
