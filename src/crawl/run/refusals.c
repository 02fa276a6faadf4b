#include "crawl/run/refusals.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "policy/seeds.h"
#include "policy/values/host_pattern.h"
#include "reading/program/program.h"
#include "url/url.h"

struct pv_refusals {
	const struct pv_sinks *sinks;
	struct pv_program *program;
	atomic_llong wall_ms;
	struct pv_page page; /* whose memory is used again and again */
	struct pv_url url;
};

struct pv_refusals *pv_refusals_create(
    const struct pv_sinks *sinks, struct pv_program *program)
{
	struct pv_refusals *refusals = pv_alloc(sizeof(*refusals));
	refusals->sinks = sinks;
	refusals->program = program;
	pv_page_init(&refusals->page);
	pv_url_init(&refusals->url, PV_SEED_ADDRESS_MAX);
	return refusals;
}

void pv_refusals_destroy(struct pv_refusals *refusals)
{
	if (!refusals)
		return;
	pv_page_finish(&refusals->page);
	pv_url_finish(&refusals->url);
	free(refusals);
}

void pv_refusals_tick(struct pv_refusals *refusals, int64_t wall_ms)
{
	atomic_store_explicit(
	    &refusals->wall_ms, wall_ms, memory_order_relaxed);
}

void pv_refusals_append(struct pv_refusals *refusals,
    const struct pv_visit *visit, bool is_final, struct pv_database *database)
{
	struct pv_page *page = &refusals->page;
	struct pv_str host = {NULL, 0};
	if (pv_url_parse(&refusals->url, visit->url) == PV_URL_OK)
		host = pv_host_name_trim(pv_url_host(&refusals->url));
	pv_page_refuse(page, visit, host,
	    atomic_load_explicit(&refusals->wall_ms, memory_order_relaxed));
	struct pv_program_word word;
	if (page->verdict.reason == PV_REASON_PROGRAM && refusals->program &&
	    pv_program_get(refusals->program, page->verdict.line, &word)) {
		page->word = word.word;
		page->why = word.sentence;
	}
	const struct pv_sink_entry entry = {
	    .page = page, .is_final = is_final, .database = database};
	if (pv_sinks_prepare(refusals->sinks, page))
		pv_sinks_append(refusals->sinks, &entry);
	else
		pv_database_fail(database, PV_STORE_FAILED, page->fault);
}
