#include "crawl/reading/listing.h"

#include <stdio.h>

#include "crawl/reading/vouchers.h"
#include "crawl/visit/open_visit.h"
#include "http/media_type.h"
#include "parse/charset.h"
#include "parse/feed.h"
#include "parse/manifest.h"
#include "parse/sitemap.h"
#include "policy/values/host_pattern.h"
#include "robots/sitemaps.h"

#define SITEMAP_PATH "/sitemap.xml"

static uint64_t fingerprint_of(
    const struct pv_open *open, const struct pv_url *url)
{
	return pv_frontier_fingerprint(open->crawl->frontier, pv_url_page(url))
	    .address;
}

static struct pv_str host_of(const struct pv_url *url)
{
	return pv_host_name_trim(pv_url_host(url));
}

/* Sitemaps */

struct listing {
	struct pv_findings *findings;
	uint64_t fingerprint; /* of the sitemap */
	bool is_anybodys;     /* a person named it: it may list what it likes */
	bool has_vouchers;
	bool is_index_in_index;
};

/* Hosts are those that the policy takes them for; the entry is on the desk. */
static bool is_vouched(
    const struct listing *listing, const struct pv_sitemap_entry *entry)
{
	const struct pv_open *open = listing->findings->open;
	struct pv_url *url = &listing->findings->desk->url;
	if (!entry->is_elsewhere || listing->is_anybodys)
		return true;
	pv_crawl_identity_apply(&open->crawl->reading.sameness.identity, url);
	return pv_str_equal(host_of(url), host_of(&open->url)) ||
	       (listing->has_vouchers &&
		   pv_vouchers_has(open->crawl->reading.vouchers,
		       listing->fingerprint, host_of(url)));
}

/* A sitemap in an index, which must not be one itself. */
static void add_part(
    struct listing *listing, const struct pv_sitemap_entry *entry)
{
	struct pv_open *open = listing->findings->open;
	const struct pv_visit *visit = &open->task->visit;
	if (visit->standing.listing == PV_LISTS_PAGES) {
		listing->is_index_in_index = true;
		return;
	}
	if (listing->has_vouchers) {
		pv_crawl_identity_apply(&open->crawl->reading.sameness.identity,
		    &listing->findings->desk->url);
		pv_vouchers_inherit(open->crawl->reading.vouchers,
		    listing->fingerprint, fingerprint_of(open, entry->url));
		open->has_vouched = true;
	}
	pv_findings_add(listing->findings,
	    (struct pv_found){
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
	struct pv_findings *findings = listing->findings;
	const struct pv_visit *visit = &findings->open->task->visit;
	findings->has_links = true;
	if (entry->is_sitemap) {
		add_part(listing, entry);
		return;
	}
	pv_findings_add(findings,
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
	struct pv_open *open = listing->findings->open;
	const char *end = pv_sitemap_word(result->end);
	char text[160];
	if (listing->is_index_in_index)
		pv_open_remark(open,
		    "an index of sitemaps in an index: what it names is left "
		    "out");
	else if (result->kind == PV_SITEMAP_NONE &&
		 result->end == PV_SITEMAP_WHOLE)
		pv_open_remark(open, "it is no sitemap");
	else if (*end)
		pv_open_remark(open, end);
	if (!result->skipped)
		return;
	snprintf(text, sizeof(text), "%zu of its entries are no web addresses",
	    result->skipped);
	pv_open_remark(open, text);
}

static struct pv_str charset_of(const struct pv_open *open)
{
	return pv_charset_label(
	    pv_headers_get(&open->response.headers, PV_STR("Content-Type")));
}

static void read_sitemap(struct pv_findings *findings)
{
	struct pv_open *open = findings->open;
	const struct pv_standing *standing = &open->task->visit.standing;
	const struct pv_sitemap_source source = {
	    .file = open->page.text,
	    .address = &open->url,
	    .charset = charset_of(open),
	    .may_be_text = standing->listing != PV_LISTS_NOTHING,
	};
	struct listing listing = {
	    .findings = findings,
	    .fingerprint = fingerprint_of(open, &open->url),
	    .is_anybodys = standing->listing && !standing->depth,
	};
	listing.has_vouchers = pv_vouchers_has_any(
	    open->crawl->reading.vouchers, listing.fingerprint);
	struct pv_sitemap_result result =
	    pv_sitemap_read(&source, &findings->desk->url, on_entry, &listing);
	remark(&listing, &result);
}

/* Others */

static void on_link(void *ctx, const struct pv_url *url, bool is_page)
{
	(void)url;
	pv_findings_add_link(ctx, is_page, false);
}

void pv_listing_read(struct pv_findings *findings, enum pv_body_kind kind)
{
	struct pv_open *open = findings->open;
	struct pv_url *room = &findings->desk->url;
	if (kind == PV_BODY_SITEMAP)
		read_sitemap(findings);
	else if (kind == PV_BODY_FEED)
		pv_feed_read(open->page.text, &open->url, charset_of(open),
		    room, on_link, findings);
	else if (kind == PV_BODY_MANIFEST)
		pv_manifest_read(
		    open->page.text, &open->url, room, on_link, findings);
}

enum pv_listing pv_listing_move(
    struct pv_open *open, struct pv_reader_desk *desk)
{
	enum pv_listing listing = open->task->visit.standing.listing;
	struct pv_vouchers *vouchers = open->crawl->reading.vouchers;
	if (!listing)
		return PV_LISTS_NOTHING;
	pv_crawl_identity_apply(
	    &open->crawl->reading.sameness.identity, &desk->url);
	uint64_t to = fingerprint_of(open, &desk->url);
	pv_vouchers_inherit(vouchers, fingerprint_of(open, &open->url), to);
	open->has_vouched = true;
	if (pv_str_equal(host_of(&desk->url), host_of(&open->url)))
		return listing;
	pv_vouchers_add(vouchers, to, host_of(&open->url));
	return PV_LISTS_NOTHING;
}

/* Those of a host */

/* Adds the sitemap on the desk, which the authority names. */
static void add_named(struct pv_findings *findings,
    const struct pv_url *authority, uint32_t reach)
{
	struct pv_open *open = findings->open;
	struct pv_url *url = &findings->desk->url;
	pv_crawl_identity_apply(&open->crawl->reading.sameness.identity, url);
	if (!pv_str_equal(host_of(url), host_of(authority))) {
		pv_vouchers_add(open->crawl->reading.vouchers,
		    fingerprint_of(open, url), host_of(authority));
		open->has_vouched = true;
	}
	pv_findings_add(findings, (struct pv_found){
				      .kind = PV_LINK_PAGE,
				      .listing = PV_LISTS_ALL,
				      .reach = reach,
				  });
}

static void add_all(struct pv_findings *findings,
    const struct pv_url *authority, uint32_t reach,
    const struct pv_robots_sitemaps *named)
{
	struct pv_url *url = &findings->desk->url;
	for (size_t i = 0; named && i < named->count; i++) {
		if (pv_url_parse(url, named->items[i]) == PV_URL_OK)
			add_named(findings, authority, reach);
	}
	if (findings->open->crawl->policy->scope.sitemap_guess &&
	    pv_url_join(url, authority, PV_STR(SITEMAP_PATH), NULL) ==
		PV_URL_OK)
		add_named(findings, authority, reach);
}

void pv_listing_read_robots(struct pv_open *open, struct pv_reader_desk *desk,
    const struct pv_robots_sitemaps *named)
{
	struct pv_findings findings = {.open = open, .desk = desk};
	struct pv_url authority;
	uint32_t reach;
	pv_url_init(&authority, PV_SEED_ADDRESS_MAX);
	if (pv_url_parse(&authority, open->task->authority->text) ==
		PV_URL_OK &&
	    pv_scope_reads_sitemaps(
		open->crawl->reading.scope, &authority, &reach))
		add_all(&findings, &authority, reach, named);
	pv_url_finish(&authority);
}
