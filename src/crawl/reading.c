#include "crawl/reading.h"

#include <stdlib.h>
#include <uv.h>

#include "base/alloc.h"
#include "crawl/aftermath.h"
#include "crawl/asking.h"
#include "crawl/decoding.h"
#include "crawl/judge.h"
#include "crawl/open_visit.h"
#include "crawl/settling.h"
#include "crawl/x_robots.h"
#include "http/media_type.h"
#include "http/status.h"
#include "parse/joiner.h"
#include "policy/identity.h"

/* So many links of a page are kept, and so much of one that has to be
 * converted. */
#define LINKS_MAX 1000000
#define CONVERTED_MAX ((size_t)64 << 20)

struct pv_reader_desk {
	struct pv_links links;
	struct pv_joiner joiner;
	struct pv_url url;
};

struct pv_reader_desk *pv_reader_desks_create(
    const struct pv_policy *policy, size_t count)
{
	struct pv_reader_desk *desks = pv_alloc_array(count, sizeof(*desks));
	size_t ceiling =
	    2 * (size_t)policy->scope.max_url + PV_SEED_ADDRESS_MAX;
	for (size_t i = 0; i < count; i++) {
		pv_links_init(&desks[i].links, LINKS_MAX, CONVERTED_MAX);
		pv_joiner_init(&desks[i].joiner, ceiling);
		pv_url_init(&desks[i].url, ceiling);
	}
	return desks;
}

void pv_reader_desks_destroy(struct pv_reader_desk *desks, size_t count)
{
	for (size_t i = 0; desks && i < count; i++) {
		pv_links_finish(&desks[i].links);
		pv_joiner_finish(&desks[i].joiner);
		pv_url_finish(&desks[i].url);
	}
	free(desks);
}

/* Links */

static struct pv_judge judge_of(const struct pv_open *open)
{
	const struct pv_crawl *crawl = open->crawl;
	return (struct pv_judge){
	    crawl->policy, crawl->scope, &crawl->identity, crawl->frontier};
}

static void add(struct pv_open *open, const struct pv_found *found)
{
	struct pv_judge judge = judge_of(open);
	bool is_added;
	struct pv_scope_verdict verdict =
	    pv_judge_add(&judge, found, &open->report.links, &is_added);
	if (verdict.is_news)
		open->gave_up_rule = verdict.number;
}

static bool is_html(const struct pv_open *open)
{
	struct pv_str text =
	    pv_headers_get(&open->response.headers, PV_STR("Content-Type"));
	struct pv_media_type type;
	if (text.ptr && pv_media_type_read(text, &type))
		return pv_media_type_is(&type, PV_STR("text/html")) ||
		       pv_media_type_is(&type, PV_STR("application/xhtml+xml"));
	return pv_str_starts(pv_str_trim(open->page.text), PV_STR("<"));
}

/* Whether better standing could make more of the page than what is made. */
static bool may_lead_further(const struct pv_open *open)
{
	const struct pv_standing *standing = &open->errand->visit.standing;
	const struct pv_scope_policy *scope = &open->crawl->policy->scope;
	return standing->use == PV_RESOURCE || scope->depth != PV_NONE ||
	       standing->depth_left < PV_DEPTH_MAX || standing->hops > 0;
}

static void read_links(struct pv_open *open, struct pv_reader_desk *desk)
{
	const struct pv_policy *policy = open->crawl->policy;
	struct pv_page_facts facts = {
	    .charset = pv_charset_label(pv_headers_get(
		&open->response.headers, PV_STR("Content-Type"))),
	    .product = pv_identity_product(&policy->identity),
	};
	struct pv_found found = {
	    .url = &desk->url,
	    .from = &open->errand->visit,
	    .rules = open->rules,
	    .rules_authority = open->authority_text,
	};
	struct pv_judge judge = judge_of(open);
	pv_links_read(&desk->links, open->page.text, &facts);
	pv_joiner_turn(&desk->joiner, &desk->links, &open->url);
	bool is_closed = policy->robots.meta &&
			 (desk->links.robots.is_nofollow ||
			     pv_x_robots_is_nofollow(
				 &open->response.headers, facts.product));
	for (size_t i = 0; i < desk->links.count; i++) {
		const struct pv_page_link *link = &desk->links.items[i];
		if (pv_joiner_join(&desk->joiner, &desk->url, link->value) !=
		    PV_URL_OK)
			continue;
		found.kind = link->is_page ? PV_LINK_PAGE : PV_LINK_RESOURCE;
		found.is_nofollow = link->is_page &&
				    (is_closed || (link->is_nofollow &&
						      policy->robots.nofollow));
		if (!pv_judge_is_known(&judge, &found))
			add(open, &found);
	}
	open->answer.may_lead_further = may_lead_further(open);
}

/* Where the answer lies instead. */
static bool find_location(struct pv_open *open, struct pv_url *url)
{
	struct pv_str location =
	    pv_headers_get(&open->response.headers, PV_STR("Location"));
	return pv_http_is_redirect(open->response.http_status) &&
	       location.ptr &&
	       pv_url_join(url, &open->url, location, NULL) == PV_URL_OK;
}

static void read_redirect(struct pv_open *open, struct pv_reader_desk *desk)
{
	const struct pv_visit *visit = &open->errand->visit;
	struct pv_found found = {
	    .url = &desk->url,
	    .kind = visit->standing.use == PV_PAGE ? PV_LINK_PAGE
						   : PV_LINK_RESOURCE,
	    .is_redirect = true,
	    .from = visit,
	    .rules = open->rules,
	    .rules_authority = open->authority_text,
	};
	bool is_from_seed = visit->standing.depth == 0 &&
			    found.kind == PV_LINK_PAGE &&
			    (!visit->via.len || visit->standing.redirects);
	if (!find_location(open, &desk->url))
		return;
	if (is_from_seed) {
		pv_scope_add_redirect(open->crawl->scope, &desk->url);
		pv_buf_append(&open->seed_redirect, pv_url_page(&desk->url));
	}
	add(open, &found);
	open->answer.may_lead_further = may_lead_further(open);
}

/* What came */

static bool is_success(const struct pv_open *open)
{
	return open->response.outcome == PV_OUTCOME_ANSWERED &&
	       pv_http_class(open->response.http_status) == PV_HTTP_SUCCESS;
}

static void read_visit(struct pv_open *open, struct pv_reader_desk *desk)
{
	if (open->response.outcome == PV_OUTCOME_ANSWERED &&
	    pv_http_is_redirect(open->response.http_status))
		read_redirect(open, desk);
	open->page.is_kept = is_success(open);
	if (is_success(open) && open->errand->visit.standing.use == PV_PAGE &&
	    is_html(open))
		read_links(open, desk);
	else if (is_success(open) && is_html(open))
		open->answer.may_lead_further = true;
}

static void read_robots(struct pv_open *open)
{
	const struct pv_policy *policy = open->crawl->policy;
	bool is_cut = open->response.outcome == PV_OUTCOME_TOO_LARGE;
	int status = open->response.http_status;
	if ((open->response.outcome == PV_OUTCOME_ANSWERED || is_cut) &&
	    pv_http_class(status) == PV_HTTP_SUCCESS)
		open->read_rules = pv_robots_rules_create(open->page.text,
		    is_cut, pv_identity_product(&policy->identity));
	open->has_location = find_location(open, &open->location);
}

static void fill_answer(struct pv_open *open)
{
	open->answer.outcome = open->response.outcome;
	open->answer.http_status = open->response.http_status;
	open->answer.bytes = open->response.body.size;
}

static void fill_page(struct pv_open *open)
{
	open->page.visit = &open->errand->visit;
	open->page.host = open->host->name;
	open->page.response = &open->response;
	open->page.is_robots = pv_open_is_robots(open);
	open->page.verdict = open->verdict;
}

static void run(struct pv_work_item *item, size_t worker)
{
	struct pv_open *open = (struct pv_open *)item;
	struct pv_reader_desk *desk = &open->crawl->desks[worker];
	open->pool_us = (int64_t)(uv_hrtime() / 1000 - open->given_us);
	fill_page(open);
	pv_decoding_run(open);
	if (pv_open_is_robots(open))
		read_robots(open);
	else
		read_visit(open, desk);
	fill_answer(open);
	open->is_abandoned =
	    !pv_sinks_prepare(&open->crawl->sinks, &open->page);
	open->page.text = (struct pv_str){NULL, 0};
	pv_body_finish(&open->decoded);
}

static void done(struct pv_work_item *item)
{
	struct pv_open *open = (struct pv_open *)item;
	struct pv_crawl *crawl = open->crawl;
	pv_histogram_add(&crawl->accounts.pool, open->pool_us);
	pv_open_give_body(open);
	if (open->gave_up_rule)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "scope.rules: rule %u took too long on an address, which "
		    "it denies for that",
		    open->gave_up_rule);
	if (pv_open_is_robots(open))
		pv_asking_answer(open);
	pv_settling_begin(open);
}

void pv_reading_begin(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	open->stage = PV_OPEN_READING;
	open->held_bytes = open->response.body.memory.len;
	crawl->open_bytes += open->held_bytes;
	crawl->settling_count++;
	open->work.run = run;
	open->work.done = done;
	open->given_us = uv_hrtime() / 1000;
	pv_pool_give(crawl->pool, &open->work);
}
