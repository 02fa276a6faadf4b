#include "reading/redirect.h"

#include "http/status.h"
#include "policy/secrets/secret.h"
#include "reading/links.h"

/* As much of a Location that is no address is looked at. */
#define LOCATION_MAX 4000

static struct pv_str location_of(const struct pv_answer *answer)
{
	return pv_headers_get(&answer->response->headers, PV_STR("Location"));
}

bool pv_redirect_find(const struct pv_answer *answer, struct pv_url *url)
{
	struct pv_str location = location_of(answer);
	return pv_http_is_redirect(answer->response->http_status) &&
	       location.ptr &&
	       pv_url_join(url, answer->url, location, NULL) == PV_URL_OK;
}

/* It has been asked for: that was the answer. */
static void remark_circle(struct pv_findings *findings, unsigned changes)
{
	struct pv_buf text;
	pv_buf_init(&text, 160);
	pv_buf_append_text(&text, "it redirects to itself");
	if (changes) {
		pv_buf_append_text(&text, " by ");
		pv_sameness_write_keys(changes, &text);
	}
	pv_findings_remark(findings, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void note_no_address(
    const struct pv_answer *answer, struct pv_findings *findings)
{
	struct pv_str location = location_of(answer);
	findings->redirect.dead_end =
	    location.len ? PV_DEAD_END_NO_ADDRESS : PV_DEAD_END_NOWHERE;
	if (location.len > LOCATION_MAX)
		location = pv_str_head(location, LOCATION_MAX);
	pv_credentials_strip(location, &findings->redirect.moved_to);
	pv_findings_remark(
	    findings, "it redirects to something that is not a web address");
}

static void note_circle(struct pv_findings *findings, unsigned changes)
{
	if (!changes)
		pv_buf_clear(&findings->redirect.moved_to);
	findings->redirect.dead_end =
	    changes ? PV_DEAD_END_SAME : PV_DEAD_END_ITSELF;
	remark_circle(findings, changes);
}

static bool is_from_seed(const struct pv_visit *visit)
{
	return pv_standing_is_seed(&visit->standing) &&
	       (!visit->via.len || visit->standing.redirects);
}

void pv_redirect_read(struct pv_link_collector *collector)
{
	const struct pv_reading_context *context = collector->context;
	const struct pv_answer *answer = collector->answer;
	struct pv_findings *findings = collector->findings;
	struct pv_url *url = &collector->desk->url;
	if (!pv_redirect_find(answer, url)) {
		note_no_address(answer, findings);
		return;
	}
	pv_url_write_open(url, pv_url_text(url), &findings->redirect.moved_to);
	unsigned changes =
	    pv_crawl_identity_apply(&context->sameness.identity, url);
	if (pv_str_equal(pv_url_page(url), pv_url_page(answer->url))) {
		note_circle(findings, changes);
		return;
	}
	if (is_from_seed(answer->visit)) {
		pv_scope_add_redirect(context->scope, url);
		pv_url_write_open(
		    url, pv_url_page(url), &findings->redirect.seed_redirect);
	}
	pv_answer_links_read_redirect(collector);
}
