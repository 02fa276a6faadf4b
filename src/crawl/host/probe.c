#include "crawl/host/probe.h"

#include "crawl/conductor.h"
#include "crawl/host/host_visits.h"
#include "crawl/host/task.h"

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
