#include "crawl/linking.h"

#include "crawl/open_visit.h"
#include "http/link_field.h"
#include "http/media_type.h"
#include "parse/refresh.h"
#include "policy/identity.h"

/* What an answer is read as. */
enum body {
	BODY_HTML,
	BODY_SHEET,
	BODY_OTHER, /* nothing in it is looked at */
};

/* An answer whose links are being found. */
struct finding {
	struct pv_open *open;
	struct pv_reader_desk *desk;
	bool is_page;          /* that it was asked for as one */
	bool is_read;          /* that its body was, for links */
	enum pv_reason closed; /* why no link to a page is to be followed */
	bool is_left_out;      /* a link to a page, since this is none */
	bool has_links;
};

static bool is_of_type(const struct pv_media_type *type, const char *name)
{
	return pv_media_type_is(type, pv_str_of(name));
}

static enum body body_of(const struct pv_open *open)
{
	struct pv_str text =
	    pv_headers_get(&open->response.headers, PV_STR("Content-Type"));
	struct pv_media_type type;
	if (!text.ptr || !pv_media_type_read(text, &type)) {
		bool is_markup =
		    pv_str_starts(pv_str_trim(open->page.text), PV_STR("<"));
		return is_markup ? BODY_HTML : BODY_OTHER;
	}
	if (is_of_type(&type, "text/html") ||
	    is_of_type(&type, "application/xhtml+xml"))
		return BODY_HTML;
	return is_of_type(&type, "text/css") ? BODY_SHEET : BODY_OTHER;
}

static void tell_cut(struct pv_open *open)
{
	pv_open_remark(open, "it has more links than are taken from a page");
}

/* Adds the address on the desk, found in a way that the caller says, unless
 * nothing is new about it. */
static void add(
    struct pv_open *open, struct pv_reader_desk *desk, struct pv_found found)
{
	const struct pv_crawl *crawl = open->crawl;
	const struct pv_judge judge = {crawl->policy, crawl->scope,
	    &crawl->identity, crawl->frontier, crawl->deepest};
	bool is_added;
	found.url = &desk->url;
	found.from = &open->errand->visit;
	found.wall_ms = open->page.wall_ms;
	found.rules = open->rules;
	found.rules_authority = open->authority_text;
	if (pv_judge_is_known(&judge, &found))
		return;
	struct pv_scope_verdict verdict =
	    pv_judge_add(&judge, &found, &open->report.links, &is_added);
	if (!is_added)
		tell_cut(open);
	if (verdict.is_news)
		open->gave_up_rule = verdict.number;
}

static void add_link(struct finding *finding, bool is_page, bool is_nofollow)
{
	const struct pv_robots_policy *policy =
	    &finding->open->crawl->policy->robots;
	if (is_page && !finding->is_page) {
		finding->is_left_out = true;
		return;
	}
	struct pv_found found = {
	    .kind = is_page ? PV_LINK_PAGE : PV_LINK_RESOURCE,
	};
	if (is_page && finding->closed)
		found.nofollow = finding->closed;
	else if (is_page && is_nofollow && policy->nofollow)
		found.nofollow = PV_REASON_NOFOLLOW;
	finding->has_links = true;
	add(finding->open, finding->desk, found);
}

/* What the answer itself says */

/* Its header comes first, and is the reason if both ask. */
static void close_by(struct finding *finding,
    const struct pv_robots_words *words, enum pv_reason reason)
{
	if (finding->open->crawl->policy->robots.meta && !finding->closed &&
	    pv_robots_words_has(words, PV_WORD_NOFOLLOW))
		finding->closed = reason;
}

static void read_body(struct finding *finding, enum body body)
{
	struct pv_open *open = finding->open;
	struct pv_reader_desk *desk = finding->desk;
	const struct pv_policy *policy = open->crawl->policy;
	const struct pv_page_facts facts = {
	    .charset = pv_charset_label(pv_headers_get(
		&open->response.headers, PV_STR("Content-Type"))),
	    .product = pv_identity_product(&policy->identity),
	};
	if (body == BODY_SHEET)
		pv_links_read_sheet(&desk->links, open->page.text, &facts);
	else
		pv_links_read(&desk->links, open->page.text, &facts);
	finding->is_read = true;
	close_by(finding, &desk->links.robots, PV_REASON_META_ROBOTS);
	pv_joiner_turn(&desk->joiner, &desk->links, &open->url);
	for (size_t i = 0; i < desk->links.count; i++) {
		const struct pv_page_link *link = &desk->links.items[i];
		if (pv_joiner_join(&desk->joiner, &desk->url, link) ==
		    PV_URL_OK)
			add_link(finding, link->is_page, link->is_nofollow);
	}
	if (desk->links.end != PV_LINKS_WHOLE)
		tell_cut(open);
}

/* What its headers say */

static void add_target(
    struct finding *finding, struct pv_str target, const struct pv_rel *rel)
{
	if (pv_url_join(&finding->desk->url, &finding->open->url, target,
		NULL) == PV_URL_OK)
		add_link(finding, rel->is_page, rel->is_nofollow);
}

/* A link that is anchored elsewhere says nothing about this answer. Of what
 * else a header may name a browser asks for nothing. */
static void read_link(struct finding *finding, const struct pv_link_field *link)
{
	struct pv_buf *words = &finding->desk->words;
	pv_buf_clear(words);
	if (!link->target.len ||
	    pv_link_field_get(link, PV_STR("anchor"), words) ||
	    !pv_link_field_get(link, PV_STR("rel"), words))
		return;
	struct pv_rel rel = pv_rel_read(pv_buf_str(words));
	if (rel.is_page || rel.is_resource)
		add_target(finding, link->target, &rel);
}

static void read_headers(struct finding *finding)
{
	const struct pv_headers *headers = &finding->open->response.headers;
	const struct pv_rel page = {.is_page = true};
	struct pv_link_field link;
	struct pv_str value;
	size_t at = 0;
	while (pv_headers_next(headers, PV_STR("Link"), &at, &value)) {
		struct pv_reader reader = pv_reader_of(value);
		while (pv_link_field_next(&reader, &link))
			read_link(finding, &link);
	}
	value = pv_headers_get(headers, PV_STR("Refresh"));
	if (value.ptr && pv_refresh_read(value, &value))
		add_target(finding, value, &page);
}

/* Further */

/* Whether from a better place more would be admitted than is. How deep the
 * parts of a page lie is asked only where they must lie in scope. */
static bool is_far(const struct pv_open *open)
{
	const struct pv_standing *standing = &open->errand->visit.standing;
	const struct pv_scope_policy *scope = &open->crawl->policy->scope;
	bool is_page = standing->use == PV_PAGE;
	uint32_t most = is_page ? PV_DEPTH_MAX : PV_SCOPE_CHAIN_MAX;
	bool is_depth_asked = is_page || !scope->requisites;
	return (is_depth_asked && scope->depth != PV_NONE) ||
	       standing->depth_left < most || standing->hops > 0;
}

static void read_terms(struct finding *finding)
{
	const struct pv_open *open = finding->open;
	struct pv_page_terms *terms = &finding->desk->terms;
	pv_page_terms_read(terms, &open->response.headers,
	    pv_identity_product(&open->crawl->policy->identity));
	close_by(finding, &terms->robots, PV_REASON_X_ROBOTS);
}

static void record_terms(const struct finding *finding)
{
	struct pv_open *open = finding->open;
	struct pv_reader_desk *desk = finding->desk;
	const struct pv_page_terms_sources sources = {
	    .headers = &open->response.headers,
	    .links = finding->is_read ? &desk->links : NULL,
	    .matcher = open->rules ? open->rules->matcher : NULL,
	    .target = pv_url_target(&open->url),
	};
	pv_page_terms_record(&desk->terms, &sources, &open->page.terms);
}

void pv_linking_read(struct pv_open *open, struct pv_reader_desk *desk)
{
	enum body body = body_of(open);
	struct finding finding = {
	    .open = open,
	    .desk = desk,
	    .is_page = open->errand->visit.standing.use == PV_PAGE,
	};
	read_terms(&finding);
	if (body == BODY_SHEET || (body == BODY_HTML && finding.is_page))
		read_body(&finding, body);
	else
		finding.is_left_out = body == BODY_HTML;
	read_headers(&finding);
	record_terms(&finding);
	open->answer.may_lead_further =
	    finding.is_left_out || (finding.has_links && is_far(open));
}

void pv_linking_read_redirect(struct pv_open *open, struct pv_reader_desk *desk)
{
	bool is_page = open->errand->visit.standing.use == PV_PAGE;
	add(open, desk,
	    (struct pv_found){
		.kind = is_page ? PV_LINK_PAGE : PV_LINK_RESOURCE,
		.is_redirect = true,
	    });
	open->answer.may_lead_further = !is_page || is_far(open);
}
