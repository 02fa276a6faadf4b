#include "crawl/shard/sharing.h"

#include "crawl/conductor.h"
#include "crawl/visit/record.h"
#include "policy/values/host_pattern.h"
#include "reading/findings.h"
#include "sink/outbound.h"

static void on_elsewhere(
    void *ctx, const struct pv_link *link, struct pv_str via)
{
	struct pv_crawl *crawl = ctx;
	struct pv_sink *sink = pv_sinks_find(&crawl->sinks, &pv_sink_outbound);
	if (sink && !pv_outbound_append(sink, link, via))
		pv_sinks_fail(crawl->store->database, pv_sink_outbound.name);
}

void pv_sharing_join(struct pv_crawl *crawl)
{
	crawl->frontier->on_elsewhere = on_elsewhere;
	crawl->frontier->elsewhere_ctx = crawl;
}

/* The shard whose host it is hears of it as of all links. */
static void tell_all(const struct pv_sinks *sinks, const struct pv_link *link,
    struct pv_str via, struct pv_database *database)
{
	struct pv_sink *sink = pv_sinks_find(sinks, &pv_sink_outbound);
	struct pv_url url;
	if (!sink)
		return;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	if (pv_url_parse(&url, link->url) == PV_URL_OK &&
	    !pv_outbound_append_to_all(
		sink, pv_host_name_trim(pv_url_host(&url)), link, via))
		pv_sinks_fail(database, pv_sink_outbound.name);
	pv_url_finish(&url);
}

void pv_sharing_tell_redirect(
    const struct pv_record *record, struct pv_database *database)
{
	const struct pv_visit *visit = record->page.visit;
	struct pv_link link = {
	    .url = pv_buf_str(&record->findings->redirect.seed_redirect),
	    .standing = visit->standing,
	    .tag = visit->tag,
	    .carry = visit->carry,
	};
	link.standing.redirects++;
	pv_standing_bound(&link.standing);
	tell_all(record->sinks, &link, visit->url, database);
}

void pv_sharing_tell_seed(const struct pv_crawl *crawl, struct pv_str url,
    struct pv_database *database)
{
	int64_t depth = crawl->policy->scope.depth;
	struct pv_link link = {
	    .url = url,
	    .standing = {.use = PV_PAGE, .depth_left = PV_DEPTH_MAX},
	};
	if (depth != PV_NONE && depth < PV_DEPTH_MAX)
		link.standing.depth_left = (uint32_t)depth;
	tell_all(&crawl->sinks, &link, PV_STR(""), database);
}
