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

/* As it stands for the shard whose host it is on, which hears of it as of all
 * links. */
static struct pv_link link_of(
    const struct pv_record *record, struct pv_str target)
{
	const struct pv_visit *visit = record->page.visit;
	struct pv_link link = {
	    .url = target,
	    .standing = visit->standing,
	    .tag = visit->tag,
	    .carry = visit->carry,
	};
	link.standing.redirects++;
	pv_standing_bound(&link.standing);
	return link;
}

void pv_sharing_tell_redirect(
    const struct pv_record *record, struct pv_database *database)
{
	struct pv_sink *sink = pv_sinks_find(record->sinks, &pv_sink_outbound);
	struct pv_str target =
	    pv_buf_str(&record->findings->redirect.seed_redirect);
	struct pv_url url;
	if (!sink)
		return;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	if (pv_url_parse(&url, target) == PV_URL_OK) {
		struct pv_link link = link_of(record, target);
		if (!pv_outbound_append_to_all(sink,
			pv_host_name_trim(pv_url_host(&url)), &link,
			record->page.visit->url))
			pv_sinks_fail(database, pv_sink_outbound.name);
	}
	pv_url_finish(&url);
}
