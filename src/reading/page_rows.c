#include "reading/page_rows.h"

#include "fields/extract.h"
#include "parse/rel.h"
#include "reading/page_text.h"

static const struct pv_pages *pages_of(
    const struct pv_link_collector *collector)
{
	return &collector->context->policy->pages;
}

void pv_page_rows_begin(struct pv_link_collector *collector)
{
	const struct pv_pages *pages = pages_of(collector);
	const struct pv_answer *answer = collector->answer;
	struct pv_rows *rows = &collector->findings->rows;
	if (!pages->count || !collector->is_page ||
	    answer->visit->standing.is_only_list)
		return;
	unsigned kind = pv_page_kind_first(answer->visit->standing.kind,
	    pv_scope_page_kind(collector->context->scope, answer->url));
	if (!kind || kind > pages->count)
		return;
	rows->has_kind = true;
	rows->kind = kind - 1;
	const struct pv_page_kind *page_kind = &pages->items[rows->kind];
	if (page_kind->has_follow)
		collector->leads_only = page_kind;
}

static const struct pv_encoding *encoding_of(
    const struct pv_link_collector *collector)
{
	if (collector->is_read)
		return collector->desk->links.charset.encoding;
	struct pv_str label = pv_answer_charset(collector->answer);
	const struct pv_encoding *named = pv_encoding_find(label);
	return named ? named : pv_encoding_find(PV_STR("utf-8"));
}

/* A link that the kind follows: judged as any other, but for the links beside
 * it, which lead nowhere. */
static void on_link(void *ctx, const struct pv_followed *link)
{
	struct pv_link_collector *collector = ctx;
	const struct pv_robots_policy *robots =
	    &collector->context->policy->robots;
	struct pv_found found = {
	    .kind = PV_LINK_PAGE,
	    .from = collector->answer->visit,
	    .page_kind = (unsigned)link->kind + 1,
	    .carry = link->carry,
	    .nofollow = collector->closed,
	};
	if (!found.nofollow && robots->nofollow &&
	    pv_rel_read(link->rel).is_nofollow)
		found.nofollow = PV_REASON_NOFOLLOW;
	if (pv_url_join(&collector->desk->url, collector->base, link->text,
		collector->encoder) != PV_URL_OK)
		return;
	collector->has_links = true;
	pv_link_collector_add(collector, found);
}

static void extract(
    struct pv_link_collector *collector, const struct pv_page_text *text)
{
	struct pv_encoder *encoder =
	    collector->is_read ? &collector->desk->joiner.encoder : NULL;
	const struct pv_policy *policy = collector->context->policy;
	const struct pv_answer *answer = collector->answer;
	struct pv_rows *rows = &collector->findings->rows;
	struct pv_row_page page = {
	    .kind = &policy->pages.items[rows->kind],
	    .readers = &collector->context->fields,
	    .url = answer->url,
	    .headers = &answer->response->headers,
	    .text = text->text,
	    .encoder = encoder,
	    .carry = answer->visit->carry,
	    .ceilings = pv_field_ceilings_of(policy),
	    .is_cut = text->is_cut,
	};
	pv_row_page_begin(&page);
	pv_rows_extract(&page, rows);
	if (page.kind->follow_count) {
		collector->base = pv_row_page_base(&page);
		collector->encoder = encoder;
		pv_links_follow(&page, rows, on_link, collector);
	}
	pv_row_page_end(&page);
}

void pv_page_rows_read(struct pv_link_collector *collector)
{
	struct pv_page_text text;
	if (!collector->findings->rows.has_kind)
		return;
	pv_page_text_init(&text, collector->context->policy);
	pv_page_text_read(
	    &text, encoding_of(collector), collector->answer->text);
	extract(collector, &text);
	pv_page_text_finish(&text);
}
