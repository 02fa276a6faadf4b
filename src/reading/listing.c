#include "reading/listing.h"

#include <stdio.h>

#include "parse/feed.h"
#include "parse/manifest.h"
#include "parse/sitemap.h"
#include "policy/values/host_pattern.h"
#include "reading/vouchers.h"
#include "robots/sitemaps.h"

#define SITEMAP_PATH "/sitemap.xml"

static uint64_t fingerprint_of(
    const struct pv_link_collector *collector, const struct pv_url *url)
{
	return pv_frontier_fingerprint(
	    collector->context->frontier, pv_url_page(url))
	    .address;
}

static struct pv_str host_of(const struct pv_url *url)
{
	return pv_host_name_trim(pv_url_host(url));
}

/* Sitemaps */

struct listing {
	struct pv_link_collector *collector;
	uint64_t fingerprint; /* of the sitemap */
	bool is_anybodys;     /* a person named it: it may list what it likes */
	bool has_vouchers;
	bool is_index_in_index;
};

/* Hosts are those that the policy takes them for; the entry is on the desk. */
static bool is_vouched(
    const struct listing *listing, const struct pv_sitemap_entry *entry)
{
	const struct pv_link_collector *collector = listing->collector;
	const struct pv_reading_context *context = collector->context;
	struct pv_url *url = &collector->desk->url;
	if (!entry->is_elsewhere || listing->is_anybodys)
		return true;
	pv_crawl_identity_apply(&context->sameness.identity, url);
	return pv_str_equal(host_of(url), host_of(collector->answer->url)) ||
	       (listing->has_vouchers &&
		   pv_vouchers_has(
		       context->vouchers, listing->fingerprint, host_of(url)));
}

/* A sitemap in an index, which must not be one itself. */
static void add_part(
    struct listing *listing, const struct pv_sitemap_entry *entry)
{
	struct pv_link_collector *collector = listing->collector;
	const struct pv_reading_context *context = collector->context;
	const struct pv_visit *visit = collector->answer->visit;
	if (visit->standing.listing == PV_LISTS_PAGES) {
		listing->is_index_in_index = true;
		return;
	}
	if (listing->has_vouchers) {
		pv_crawl_identity_apply(
		    &context->sameness.identity, &collector->desk->url);
		pv_vouchers_inherit(context->vouchers, listing->fingerprint,
		    fingerprint_of(collector, entry->url), host_of(entry->url));
		collector->findings->links.has_vouched = true;
	}
	pv_link_collector_add(
	    collector, (struct pv_found){
			   .kind = PV_LINK_PAGE,
			   .from = visit,
			   .listing = PV_LISTS_PAGES,
			   .is_listed = true,
			   .is_not_vouched = !is_vouched(listing, entry),
		       });
}

static void on_entry(void *ctx, const struct pv_sitemap_entry *entry)
{
	struct listing *listing = ctx;
	struct pv_link_collector *collector = listing->collector;
	const struct pv_visit *visit = collector->answer->visit;
	collector->has_links = true;
	if (entry->is_sitemap) {
		add_part(listing, entry);
		return;
	}
	pv_link_collector_add(collector,
	    (struct pv_found){
		.kind = PV_LINK_PAGE,
		.from = visit,
		.is_listed = visit->standing.listing != PV_LISTS_NOTHING,
		.is_not_vouched = !is_vouched(listing, entry),
		.lastmod_wall_ms = entry->lastmod_wall_ms,
	    });
}

static void remark(
    const struct listing *listing, const struct pv_sitemap_result *result)
{
	struct pv_findings *findings = listing->collector->findings;
	const char *end = pv_sitemap_word(result->end);
	char text[160];
	if (listing->is_index_in_index)
		pv_findings_remark(findings,
		    "a sitemap index in a sitemap index: its entries are "
		    "left out");
	else if (result->kind == PV_SITEMAP_NONE &&
		 result->end == PV_SITEMAP_WHOLE)
		pv_findings_remark(findings, "it is not a sitemap");
	else if (*end)
		pv_findings_remark(findings, end);
	if (!result->skipped)
		return;
	snprintf(text, sizeof(text), "%zu of its entries are not web addresses",
	    result->skipped);
	pv_findings_remark(findings, text);
}

static void read_sitemap(struct pv_link_collector *collector)
{
	const struct pv_answer *answer = collector->answer;
	const struct pv_standing *standing = &answer->visit->standing;
	const struct pv_sitemap_source source = {
	    .file = answer->text,
	    .address = answer->url,
	    .charset = pv_answer_charset(answer),
	    .may_be_text = standing->listing != PV_LISTS_NOTHING,
	};
	struct listing listing = {
	    .collector = collector,
	    .fingerprint = fingerprint_of(collector, answer->url),
	    .is_anybodys = standing->listing && !standing->depth,
	};
	listing.has_vouchers = pv_vouchers_has_any(
	    collector->context->vouchers, listing.fingerprint);
	struct pv_sitemap_result result =
	    pv_sitemap_read(&source, &collector->desk->url, on_entry, &listing);
	remark(&listing, &result);
}

/* Others */

static void on_link(void *ctx, const struct pv_url *url, bool is_page)
{
	(void)url;
	pv_link_collector_add_link(ctx, is_page, false);
}

void pv_listing_read(
    struct pv_link_collector *collector, enum pv_body_kind kind)
{
	const struct pv_answer *answer = collector->answer;
	struct pv_url *room = &collector->desk->url;
	if (kind == PV_BODY_SITEMAP)
		read_sitemap(collector);
	else if (kind == PV_BODY_FEED)
		pv_feed_read(answer->text, answer->url,
		    pv_answer_charset(answer), room, on_link, collector);
	else if (kind == PV_BODY_MANIFEST)
		pv_manifest_read(
		    answer->text, answer->url, room, on_link, collector);
}

enum pv_listing pv_listing_move(struct pv_link_collector *collector)
{
	const struct pv_answer *answer = collector->answer;
	const struct pv_reading_context *context = collector->context;
	struct pv_url *url = &collector->desk->url;
	enum pv_listing listing = answer->visit->standing.listing;
	if (!listing)
		return PV_LISTS_NOTHING;
	pv_crawl_identity_apply(&context->sameness.identity, url);
	uint64_t to = fingerprint_of(collector, url);
	pv_vouchers_inherit(context->vouchers,
	    fingerprint_of(collector, answer->url), to, host_of(url));
	collector->findings->links.has_vouched = true;
	if (pv_str_equal(host_of(url), host_of(answer->url)))
		return listing;
	pv_vouchers_add(
	    context->vouchers, to, host_of(url), host_of(answer->url));
	return PV_LISTS_NOTHING;
}

/* Those of a host */

/* Adds the sitemap on the desk, which the authority names. */
static void add_named(struct pv_link_collector *collector,
    const struct pv_url *authority, uint32_t reach)
{
	const struct pv_reading_context *context = collector->context;
	struct pv_url *url = &collector->desk->url;
	pv_crawl_identity_apply(&context->sameness.identity, url);
	if (!pv_str_equal(host_of(url), host_of(authority))) {
		pv_vouchers_add(context->vouchers,
		    fingerprint_of(collector, url), host_of(url),
		    host_of(authority));
		collector->findings->links.has_vouched = true;
	}
	pv_link_collector_add(collector, (struct pv_found){
					     .kind = PV_LINK_PAGE,
					     .listing = PV_LISTS_ALL,
					     .reach = reach,
					 });
}

static void add_all(struct pv_link_collector *collector,
    const struct pv_url *authority, uint32_t reach,
    const struct pv_robots_sitemaps *named)
{
	struct pv_url *url = &collector->desk->url;
	for (size_t i = 0; named && i < named->count; i++) {
		if (pv_url_parse(url, named->items[i]) == PV_URL_OK)
			add_named(collector, authority, reach);
	}
	if (collector->context->policy->scope.sitemap_guess &&
	    pv_url_join(url, authority, PV_STR(SITEMAP_PATH), NULL) ==
		PV_URL_OK)
		add_named(collector, authority, reach);
}

void pv_listing_read_robots(
    struct pv_link_collector *collector, const struct pv_robots_sitemaps *named)
{
	struct pv_url authority;
	uint32_t reach;
	pv_url_init(&authority, PV_SEED_ADDRESS_MAX);
	if (pv_url_parse(&authority, collector->answer->robots_of) ==
		PV_URL_OK &&
	    pv_scope_reads_sitemaps(
		collector->context->scope, &authority, &reach))
		add_all(collector, &authority, reach, named);
	pv_url_finish(&authority);
}
