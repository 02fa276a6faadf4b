#include "crawl/probe.h"

#include "crawl/conductor.h"
#include "crawl/errand.h"
#include "crawl/host_visits.h"

/* Whether it tells how pages are answered. */
static bool is_good_for_probe(const struct pv_errand *errand)
{
	const struct pv_visit *visit = &errand->visit;
	return !errand->authority && !visit->waits &&
	       !pv_visit_is_repeat(visit) &&
	       pv_standing_is_for_readers(&visit->standing);
}

/* Takes the last of them out of the line; NULL if there is none. */
static struct pv_errand *take_last(struct pv_errand_line *line)
{
	struct pv_errand_line others = {0};
	struct pv_errand *found = NULL;
	struct pv_errand *errand = line->first;
	for (; errand; errand = errand->next)
		found = is_good_for_probe(errand) ? errand : found;
	while ((errand = pv_errand_line_pop(line))) {
		if (errand != found)
			pv_errand_line_push(&others, errand);
	}
	*line = others;
	return found;
}

struct pv_errand *pv_probe_choose(struct pv_errand *errand)
{
	struct pv_live_host *host = errand->host;
	if (errand->authority || host->phase != PV_HOST_PACED)
		return errand;
	pv_host_visits_take_back(host);
	struct pv_errand *last = take_last(&host->ready);
	if (last)
		pv_errand_line_push_first(&host->ready, errand);
	pv_host_visits_feed(host->crawl, host);
	return last ? last : errand;
}
