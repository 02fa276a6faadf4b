#include "crawl/host/probe.h"

#include "crawl/conductor.h"
#include "crawl/host/host_visits.h"
#include "crawl/host/known_page.h"
#include "crawl/host/task.h"
#include "crawl/visit/flight.h"

/* Whether it tells how pages are answered. */
static bool is_good_for_probe(const struct pv_task *task)
{
	const struct pv_visit *visit = &task->visit;
	return !task->authority && !visit->waits &&
	       !pv_visit_is_repeat(visit) &&
	       pv_standing_is_for_readers(&visit->standing);
}

/* Takes the last of them out of the line; NULL if there is none. */
static struct pv_task *take_last(struct pv_task_line *line)
{
	struct pv_task_line others = {0};
	struct pv_task *found = NULL;
	struct pv_task *task = line->first;
	for (; task; task = task->next)
		found = is_good_for_probe(task) ? task : found;
	while ((task = pv_task_line_pop(line))) {
		if (task != found)
			pv_task_line_push(&others, task);
	}
	*line = others;
	return found;
}

struct pv_task *pv_probe_choose(struct pv_task *task)
{
	struct pv_live_host *host = task->host;
	if (task->authority || host->phase != PV_HOST_PACED)
		return task;
	pv_host_visits_take_back(host);
	struct pv_task *last = take_last(&host->ready);
	if (last)
		pv_task_line_push_first(&host->ready, task);
	pv_host_visits_feed(host->crawl, host);
	return last ? last : task;
}

/* The first probe of a row is a page that might be well, if there is one. */
static bool is_enough(const struct pv_flight *flight)
{
	return is_good_for_probe(flight->task) &&
	       pv_schedule_host_failures(flight->host->scheduled) <=
		   PV_PROBE_AFTER;
}

static struct pv_task *task_to(
    const struct pv_flight *flight, struct pv_str url)
{
	struct pv_crawl *crawl = flight->crawl;
	struct pv_live_host *host = flight->host;
	const struct pv_visit visit = {
	    .host_id = host->id,
	    .url = url,
	    .standing = {.use = PV_RESOURCE},
	};
	struct pv_authority *authority = pv_authorities_find(
	    &crawl->hosts.authorities, flight->authority_text);
	struct pv_task *task = pv_task_create_for(authority, host, &visit);
	task->is_probe = true;
	task->ready_at = pv_crawl_now(crawl);
	return task;
}

static bool is_allowed(
    const struct pv_flight *flight, const struct pv_flight *known)
{
	return !flight->rules || pv_robots_decide(flight->rules->matcher,
				     pv_url_target(&known->url))
				     .is_allowed;
}

/* That was found; NULL if robots.txt forbids it by now. */
static struct pv_flight *open_known(struct pv_flight *flight)
{
	struct pv_known_page *page = &flight->host->known;
	struct pv_flight *known = pv_flight_create(
	    flight->crawl, task_to(flight, pv_str_of(page->url)));
	pv_known_page_clear(page);
	if (is_allowed(flight, known))
		return known;
	pv_flight_destroy(known);
	return NULL;
}

enum pv_probe pv_probe_look(struct pv_flight *flight, struct pv_flight **known)
{
	if (is_enough(flight))
		return PV_PROBE_ITSELF;
	switch (pv_known_page_look(flight)) {
	case PV_KNOWN_LATER:
		return PV_PROBE_LATER;
	case PV_KNOWN_FOUND:
		*known = open_known(flight);
		return *known ? PV_PROBE_KNOWN : PV_PROBE_ITSELF;
	default:
		return PV_PROBE_ITSELF;
	}
}
