#include "crawl/visit/read_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "crawl/host/robots_gate.h"
#include "crawl/reading/body_type.h"
#include "crawl/reading/decoding.h"
#include "crawl/reading/links.h"
#include "crawl/reading/listing.h"
#include "crawl/visit/commit.h"
#include "crawl/visit/conditional.h"
#include "crawl/visit/open_visit.h"
#include "crawl/visit/outcome.h"
#include "crawl/visit/part_job.h"
#include "crawl/visit/retry_budget.h"
#include "crawl/visit/rewrite.h"
#include "http/status.h"
#include "mirror/files/file_name.h"
#include "policy/identity.h"
#include "policy/secret.h"

/* So many links of a page are kept: to look through more takes the loop longer
 * than others may be kept waiting. And so much of one that has to be
 * converted. */
#define LINKS_MAX 100000
#define CONVERTED_MAX ((size_t)64 << 20)

/* As much of a Location that is no address is looked at. */
#define LOCATION_MAX 4000

/* A rel that is longer is none. */
#define WORDS_MAX 4096

struct pv_reader_desk *pv_reader_desks_create(
    const struct pv_policy *policy, size_t count)
{
	struct pv_reader_desk *desks = pv_alloc_array(count, sizeof(*desks));
	size_t ceiling = pv_policy_address_max(policy);
	for (size_t i = 0; i < count; i++) {
		pv_links_init(&desks[i].links, LINKS_MAX, CONVERTED_MAX);
		desks[i].links.takes_mentions =
		    policy->output.has_mirror && policy->output.mirror.rewrite;
		pv_joiner_init(&desks[i].joiner, ceiling);
		pv_url_init(&desks[i].url, ceiling);
		pv_buf_init(&desks[i].words, WORDS_MAX);
		pv_buf_init(&desks[i].file, PV_FILE_NAME_MAX);
		pv_rewriter_init(&desks[i].rewriter, ceiling);
		pv_page_terms_init(&desks[i].terms);
		desks[i].digester = pv_digester_create();
	}
	return desks;
}

void pv_reader_desks_destroy(struct pv_reader_desk *desks, size_t count)
{
	for (size_t i = 0; desks && i < count; i++) {
		pv_links_finish(&desks[i].links);
		pv_joiner_finish(&desks[i].joiner);
		pv_url_finish(&desks[i].url);
		pv_buf_finish(&desks[i].words);
		pv_buf_finish(&desks[i].file);
		pv_rewriter_finish(&desks[i].rewriter);
		pv_page_terms_finish(&desks[i].terms);
		pv_digester_destroy(desks[i].digester);
	}
	free(desks);
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

/* It has been asked for: that was the answer. */
static void remark_circle(struct pv_open *open, unsigned changes)
{
	struct pv_buf text;
	pv_buf_init(&text, 160);
	pv_buf_append_text(&text, "it leads to itself");
	if (changes) {
		pv_buf_append_text(&text, " by ");
		pv_sameness_write_keys(changes, &text);
	}
	pv_open_remark(open, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void note_no_address(struct pv_open *open)
{
	struct pv_str location =
	    pv_headers_get(&open->response.headers, PV_STR("Location"));
	open->dead_end =
	    location.len ? PV_DEAD_END_NO_ADDRESS : PV_DEAD_END_NOWHERE;
	if (location.len > LOCATION_MAX)
		location = pv_str_head(location, LOCATION_MAX);
	pv_credentials_strip(location, &open->moved_to);
	pv_open_remark(open, "it leads to no web address");
}

static void read_redirect(struct pv_open *open, struct pv_reader_desk *desk)
{
	const struct pv_visit *visit = &open->task->visit;
	bool is_from_seed = pv_standing_is_seed(&visit->standing) &&
			    (!visit->via.len || visit->standing.redirects);
	if (!find_location(open, &desk->url)) {
		note_no_address(open);
		return;
	}
	pv_url_write_open(&desk->url, pv_url_text(&desk->url), &open->moved_to);
	unsigned changes = pv_crawl_identity_apply(
	    &open->crawl->reading.sameness.identity, &desk->url);
	if (pv_str_equal(pv_url_page(&desk->url), pv_url_page(&open->url))) {
		if (!changes)
			pv_buf_clear(&open->moved_to);
		open->dead_end =
		    changes ? PV_DEAD_END_SAME : PV_DEAD_END_ITSELF;
		remark_circle(open, changes);
		return;
	}
	if (is_from_seed) {
		pv_scope_add_redirect(open->crawl->reading.scope, &desk->url);
		pv_url_write_open(
		    &desk->url, pv_url_page(&desk->url), &open->seed_redirect);
	}
	pv_answer_links_read_redirect(open, desk);
}

/* What came */

static bool is_success(const struct pv_open *open)
{
	return open->response.outcome == PV_OUTCOME_ANSWERED &&
	       pv_http_class(open->response.http_status) == PV_HTTP_SUCCESS;
}

/* What a person wrote among the seeds leads further, whatever it is. */
static void count_page(struct pv_open *open)
{
	const struct pv_visit *visit = &open->task->visit;
	if (!open->page.has_digest ||
	    !pv_standing_is_for_readers(&visit->standing))
		return;
	bool is_same = pv_traps_take_page(open->crawl->reading.traps,
	    &open->url, open->page.digest, visit->is_repeated);
	open->is_same_page = is_same && !pv_standing_is_seed(&visit->standing);
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

static void read_page(struct pv_open *open, struct pv_reader_desk *desk)
{
	count_page(open);
	pv_answer_links_read(open, desk);
	if (open->is_same_page && has_left_out(&open->report.links))
		pv_traps_note_page(open->crawl->reading.traps, &open->url);
}

static void read_visit(struct pv_open *open, struct pv_reader_desk *desk)
{
	if (open->response.outcome == PV_OUTCOME_ANSWERED &&
	    pv_http_is_redirect(open->response.http_status))
		read_redirect(open, desk);
	open->page.is_kept = is_success(open) &&
			     !open->task->visit.standing.is_only_list &&
			     pv_conditional_is_page(open);
	if (is_success(open))
		read_page(open, desk);
}

/* What was passed over is worth a word in the journal. */
static void read_rules(
    struct pv_open *open, struct pv_reader_desk *desk, bool is_cut)
{
	const struct pv_policy *policy = open->crawl->policy;
	const struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_why why;
	pv_why_init(&why);
	struct pv_robots *robots =
	    pv_robots_create(open->page.text, is_cut, &ceilings, &why);
	open->read_rules =
	    pv_robots_rules_of(robots, pv_identity_product(&policy->identity));
	pv_listing_read_robots(open, desk, &robots->sitemaps);
	pv_robots_destroy(robots);
	pv_buf_append(&open->robots_text, open->page.text);
	open->saved_robots.is_cut = is_cut;
	open->saved_robots.has_copy = true;
	if (why.notes.kept_count) {
		char note[160];
		const struct pv_problem *first = &why.notes.kept[0];
		snprintf(note, sizeof(note), "line %u: %s",
		    (unsigned)first->line, first->text);
		pv_open_remark(open, note);
	}
	pv_why_finish(&why);
}

/* Too large may also be what stands before the body: of that nothing is
 * known. */
static void read_robots(struct pv_open *open, struct pv_reader_desk *desk)
{
	bool is_cut = open->response.outcome == PV_OUTCOME_TOO_LARGE &&
		      open->response.stage >= PV_STAGE_BODY;
	int status = open->response.http_status;
	bool is_answered = open->response.outcome == PV_OUTCOME_ANSWERED;
	if ((is_answered || is_cut) && pv_http_class(status) == PV_HTTP_SUCCESS)
		read_rules(open, desk, is_cut);
	else if (is_answered && pv_http_class(status) == PV_HTTP_CLIENT_ERROR)
		pv_listing_read_robots(open, desk, NULL);
	open->has_location = find_location(open, &open->location);
}

static void fill_answer(struct pv_open *open)
{
	open->result.outcome = open->response.outcome;
	open->result.http_status = open->response.http_status;
	open->result.bytes = open->response.body.size;
}

/* A robots.txt that lies elsewhere is still its authority's. */
static struct pv_str robots_of(const struct pv_open *open)
{
	const struct pv_task *task = open->task;
	if (!task->authority || !task->visit.standing.redirects)
		return (struct pv_str){NULL, 0};
	return task->authority->text;
}

static void fill_page(struct pv_open *open)
{
	open->page.visit = &open->task->visit;
	open->page.host = open->host->name;
	open->page.response = &open->response;
	open->page.is_robots = pv_open_is_robots(open);
	open->page.robots_of = robots_of(open);
	open->page.verdict = open->verdict;
}

/* Sinks want to know it; but to look for SHA-256 takes as long as to compute
 * it of a short page, so that is done once a desk. */
static void digest(struct pv_page *page, struct pv_digester *digester)
{
	if (!page->text.len)
		return;
	struct pv_pieces pieces = pv_pieces_of(page->text, page->is_mapped);
	struct pv_str piece;
	while (pv_pieces_next(&pieces, &piece))
		pv_digester_append(digester, piece);
	pv_digester_end(digester, page->digest);
	page->has_digest = true;
}

static void read_answer(struct pv_open *open, struct pv_reader_desk *desk)
{
	desk->read_as = PV_DOCUMENT_NONE;
	open->page.type = pv_body_type(&open->response.headers, open->page.text,
	    open->task->visit.standing.use == PV_PAGE);
	digest(&open->page, desk->digester);
	if (pv_open_is_robots(open))
		read_robots(open, desk);
	else
		read_visit(open, desk);
	fill_answer(open);
	if (open->response.earlier)
		open->result.http_status = 200;
	pv_resume_remark(open);
	pv_retry_budget_remark(open);
	if (!pv_open_is_robots(open))
		pv_conditional_compare(open);
	pv_rewrite_prepare(open, desk);
	open->is_abandoned =
	    !pv_sinks_prepare(&open->crawl->sinks, &open->page);
	pv_rewrite_kept(open, desk);
	open->copy.file = pv_buf_str(&open->page.file);
}

/* Whoever does not want to wait need not: what was not read yet is dropped as
 * what is on the wire is, and will be asked for again. */
static bool is_dropped(struct pv_open *open)
{
	return atomic_load(&open->crawl->halt.is_dropping);
}

static void read_unless_dropped(
    struct pv_open *open, struct pv_reader_desk *desk)
{
	open->is_dropped = is_dropped(open);
	if (open->is_dropped)
		return;
	pv_part_job_run(open, desk->digester);
	if (!open->is_abandoned)
		pv_decoding_run(open);
	open->is_dropped = is_dropped(open);
	if (!open->is_abandoned && !open->is_dropped)
		read_answer(open, desk);
	if (!open->is_dropped)
		pv_part_job_finish(open);
}

/* To let go of a large file takes its time, which is not the loop's. */
static void run(struct pv_work_item *item, size_t worker)
{
	struct pv_open *open = (struct pv_open *)item;
	struct pv_reader_desk *desk = &open->crawl->readers.desks[worker];
	open->pool_us =
	    (int64_t)(pv_crawl_ticks_ns(open->crawl) / 1000 - open->given_us);
	fill_page(open);
	read_unless_dropped(open, desk);
	open->page.text = (struct pv_str){NULL, 0};
	open->page.is_mapped = false;
	open->page.type = (struct pv_str){NULL, 0};
	open->page.rewritten = (struct pv_str){NULL, 0};
	pv_body_finish(&open->decoded);
	if (open->response.body.file >= 0)
		pv_body_clear(&open->response.body);
}

/* Its address is told without credentials. */
static void warn_of_links(const struct pv_open *open)
{
	struct pv_buf authority;
	pv_buf_init(&authority, SIZE_MAX);
	pv_url_write_authority(&open->url, &authority);
	pv_log(&open->crawl->log, PV_LOG_WARNING,
	    "%s%.*s: too many links on one page: not all of them are followed",
	    pv_buf_text(&authority), PV_STR_ARG(pv_url_target(&open->url)));
	pv_buf_finish(&authority);
}

static void done(struct pv_work_item *item)
{
	struct pv_open *open = (struct pv_open *)item;
	struct pv_crawl *crawl = open->crawl;
	crawl->flights.reading--;
	pv_histogram_add(&crawl->counters.pool, open->pool_us);
	pv_resume_done(open);
	pv_open_give_body(open);
	if (open->is_dropped) {
		pv_commit_drop(open);
		return;
	}
	if (open->gave_up_rule)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "scope.rules: rule %u took too long to check an address: "
		    "the address is refused",
		    open->gave_up_rule);
	if (open->has_more_links)
		warn_of_links(open);
	pv_traps_tell(crawl->reading.traps, &crawl->log);
	if (pv_open_is_robots(open) && !open->is_abandoned)
		pv_robots_gate_answer(open);
	pv_commit_begin(open);
}

void pv_read_job_begin(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	open->stage = PV_OPEN_READING;
	open->held_bytes = pv_open_bytes(open);
	crawl->flights.bytes += open->held_bytes;
	crawl->flights.reading++;
	crawl->flights.settling++;
	open->work.run = run;
	open->work.done = done;
	open->given_us = pv_crawl_ticks_ns(crawl) / 1000;
	pv_pool_give(crawl->readers.pool, &open->work);
}
