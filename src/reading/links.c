#include "reading/links.h"

#include "http/link_field.h"
#include "parse/refresh.h"
#include "policy/identity.h"
#include "reading/body_type.h"
#include "reading/link_collector.h"
#include "reading/listing.h"
#include "reading/page_rows.h"

/* What the answer itself says */

/* Its header comes first, and is the reason if both ask. */
static void close_by(struct pv_link_collector *collector,
    const struct pv_robots_words *words, enum pv_reason reason)
{
	if (collector->context->policy->robots.meta && !collector->closed &&
	    pv_robots_words_has(words, PV_WORD_NOFOLLOW))
		collector->closed = reason;
}

/* What may be a page is asked for once, as what it counts for most. */
static void add_link(
    struct pv_link_collector *collector, const struct pv_page_link *link)
{
	bool is_page = link->is_page || link->is_ahead;
	pv_link_collector_add_link(collector, is_page, link->is_nofollow);
	if (link->may_be_page)
		pv_link_collector_add_link(collector, true, link->is_nofollow);
}

/* Of those that say the same the first is enough; unless one was too long with
 * its fragment, since another may not be. */
static void add_links(struct pv_link_collector *collector)
{
	struct pv_reader_desk *desk = collector->desk;
	bool is_first_enough = true;
	for (size_t i = 0; i < desk->links.count; i++) {
		const struct pv_page_link *link = &desk->links.items[i];
		if (link->is_mention || (link->first != i && is_first_enough))
			continue;
		enum pv_url_result result =
		    pv_joiner_join(&desk->joiner, &desk->url, link);
		if (result == PV_URL_OK)
			add_link(collector, link);
		is_first_enough = is_first_enough && result != PV_URL_TOO_LONG;
	}
}

static enum pv_document_kind document_kind(enum pv_body_kind kind)
{
	switch (kind) {
	case PV_BODY_SHEET:
		return PV_DOCUMENT_SHEET;
	case PV_BODY_XHTML:
	case PV_BODY_DRAWING:
		return PV_DOCUMENT_XML;
	default:
		return PV_DOCUMENT_HTML;
	}
}

static void read_body(
    struct pv_link_collector *collector, enum pv_body_kind kind)
{
	const struct pv_answer *answer = collector->answer;
	struct pv_reader_desk *desk = collector->desk;
	const struct pv_policy *policy = collector->context->policy;
	struct pv_str text = answer->text;
	bool is_long = text.len > PV_DOCUMENT_TEXT_MAX;
	if (is_long)
		text = pv_str_head(text, PV_DOCUMENT_TEXT_MAX);
	desk->read_as = document_kind(kind);
	const struct pv_page_facts facts = {
	    .charset = pv_answer_charset(answer),
	    .product = pv_identity_product(&policy->identity),
	    .is_xml = desk->read_as == PV_DOCUMENT_XML,
	};
	if (kind == PV_BODY_SHEET)
		pv_links_read_sheet(&desk->links, text, &facts);
	else
		pv_links_read(&desk->links, text, &facts);
	collector->is_read = true;
	close_by(collector, &desk->links.robots, PV_REASON_META_ROBOTS);
	pv_joiner_turn(&desk->joiner, &desk->links, answer->url);
	add_links(collector);
	if (desk->links.end != PV_LINKS_WHOLE || is_long)
		pv_link_collector_note_cut(collector);
}

/* What its headers say */

static void add_target(struct pv_link_collector *collector,
    struct pv_str target, const struct pv_rel *rel)
{
	if (pv_url_join(&collector->desk->url, collector->answer->url, target,
		NULL) == PV_URL_OK)
		pv_link_collector_add_link(
		    collector, rel->is_page || rel->is_ahead, rel->is_nofollow);
}

/* A link that is anchored elsewhere says nothing about this answer. Of what
 * else a header may name a browser asks for nothing. */
static void read_link(
    struct pv_link_collector *collector, const struct pv_link_field *link)
{
	struct pv_buf *words = &collector->desk->words;
	pv_buf_clear(words);
	if (!link->target.len ||
	    pv_link_field_get(link, PV_STR("anchor"), words) ||
	    !pv_link_field_get(link, PV_STR("rel"), words))
		return;
	struct pv_rel rel = pv_rel_read(pv_buf_str(words));
	pv_buf_clear(words);
	pv_link_field_get(link, PV_STR("as"), words);
	pv_rel_see(&rel, pv_buf_str(words), link->target);
	if (rel.is_page || rel.is_resource)
		add_target(collector, link->target, &rel);
}

static void read_headers(struct pv_link_collector *collector)
{
	const struct pv_headers *headers =
	    &collector->answer->response->headers;
	const struct pv_rel page = {.is_page = true};
	struct pv_link_field link;
	struct pv_str value;
	size_t at = 0;
	while (pv_headers_next(headers, PV_STR("Link"), &at, &value)) {
		struct pv_reader reader = pv_reader_of(value);
		while (pv_link_field_next(&reader, &link))
			read_link(collector, &link);
	}
	value = pv_headers_get(headers, PV_STR("Refresh"));
	if (value.ptr && pv_refresh_read(value, &value))
		add_target(collector, value, &page);
}

/* Further */

/* Whether from a better place more would be admitted than is. How deep the
 * parts of a page lie is asked only where they must lie in scope. */
static bool is_far(const struct pv_link_collector *collector)
{
	const struct pv_standing *standing =
	    &collector->answer->visit->standing;
	const struct pv_scope_policy *scope =
	    &collector->context->policy->scope;
	bool is_page = standing->use == PV_PAGE;
	uint32_t most = is_page ? PV_DEPTH_MAX : PV_SCOPE_CHAIN_MAX;
	bool is_depth_asked = is_page || !scope->requisites;
	return (is_depth_asked && scope->depth != PV_NONE) ||
	       standing->depth_left < most || standing->hops > 0;
}

static void read_terms(struct pv_link_collector *collector)
{
	struct pv_page_terms *terms = &collector->desk->terms;
	pv_page_terms_read(terms, &collector->answer->response->headers,
	    pv_identity_product(&collector->context->policy->identity));
	close_by(collector, &terms->robots, PV_REASON_X_ROBOTS);
}

static void record_terms(const struct pv_link_collector *collector)
{
	const struct pv_answer *answer = collector->answer;
	struct pv_reader_desk *desk = collector->desk;
	const struct pv_page_terms_sources sources = {
	    .headers = &answer->response->headers,
	    .links = collector->is_read ? &desk->links : NULL,
	    .matcher = answer->rules ? answer->rules->matcher : NULL,
	    .target = pv_url_target(answer->url),
	};
	pv_page_terms_record(
	    &desk->terms, &sources, &collector->findings->terms);
}

static bool is_markup(enum pv_body_kind kind)
{
	return kind == PV_BODY_HTML || kind == PV_BODY_XHTML;
}

/* Whether what leads to pages is in it. */
static bool is_for_pages(enum pv_body_kind kind)
{
	return is_markup(kind) || kind == PV_BODY_SITEMAP ||
	       kind == PV_BODY_FEED;
}

/* Whether it would be read, were it asked for as a page. */
static bool is_left_out(
    const struct pv_link_collector *collector, enum pv_body_kind kind)
{
	const struct pv_answer *answer = collector->answer;
	struct pv_str type =
	    pv_body_type(&answer->response->headers, answer->text, true);
	return is_for_pages(kind) ||
	       !pv_str_equal(type, collector->findings->type);
}

/* Whether what it is made of is wanted even where it is part of another
 * itself. */
static bool has_parts(enum pv_body_kind kind)
{
	return kind == PV_BODY_SHEET || kind == PV_BODY_DRAWING;
}

void pv_answer_links_read(struct pv_link_collector *collector)
{
	enum pv_body_kind kind =
	    pv_body_kind_of(collector->answer, collector->findings->type);
	read_terms(collector);
	pv_page_rows_begin(collector);
	if (has_parts(kind) || (is_markup(kind) && collector->is_page))
		read_body(collector, kind);
	else if (kind == PV_BODY_MANIFEST || collector->is_page)
		pv_listing_read(collector, kind);
	else
		collector->is_left_out = is_left_out(collector, kind);
	read_headers(collector);
	pv_page_rows_read(collector);
	record_terms(collector);
	collector->findings->links.may_lead_further =
	    collector->is_left_out ||
	    (collector->has_links && is_far(collector));
}

void pv_answer_links_read_redirect(struct pv_link_collector *collector)
{
	bool is_page = collector->is_page;
	pv_link_collector_add(
	    collector, (struct pv_found){
			   .kind = is_page ? PV_LINK_PAGE : PV_LINK_RESOURCE,
			   .is_redirect = true,
			   .from = collector->answer->visit,
			   .listing = pv_listing_move(collector),
		       });
	collector->findings->links.may_lead_further =
	    !is_page || is_far(collector);
}
