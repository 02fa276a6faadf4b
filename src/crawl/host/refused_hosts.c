#include "crawl/host/refused_hosts.h"

#include <stdio.h>

#include "crawl/conductor.h"
#include "crawl/host/giving_up.h"
#include "crawl/host/host_visits.h"
#include "crawl/visit/answered.h"
#include "crawl/visit/commit.h"
#include "crawl/visit/flight.h"

/* So many visits of a refused host end at a time. */
#define REFUSED_AT_ONCE 1000

/* A robots.txt, or a probe, cannot be refused. */
static enum pv_outcome outcome_of(const struct pv_live_host *host)
{
	return host->outcome == PV_OUTCOME_NONE ? PV_OUTCOME_NO_CONNECTION
						: host->outcome;
}

void pv_refused_hosts_end(struct pv_flight *flight)
{
	const struct pv_live_host *host = flight->host;
	if (pv_flight_is_visit(flight) && host->reason != PV_REASON_NONE) {
		pv_flight_refuse(
		    flight, (struct pv_verdict){.reason = host->reason});
		pv_commit_begin(flight);
		return;
	}
	pv_flight_fail(flight, outcome_of(host), host->why ? host->why : "");
	pv_answered_begin(flight);
}

/* No robots.txt will come that they could wait for. */
static void take_back_aside(struct pv_live_host *host)
{
	struct pv_authority *authority = host->authorities;
	for (; authority; authority = authority->host_next)
		pv_task_line_put_first(&host->ready, &authority->aside);
}

static void refuse_ready(struct pv_crawl *crawl, struct pv_live_host *host)
{
	struct pv_task_line others = {0};
	struct pv_task *task;
	take_back_aside(host);
	while (host->open < REFUSED_AT_ONCE &&
	       (task = pv_task_line_pop(&host->ready))) {
		if (pv_giving_up_leaves_out(host, task))
			pv_task_line_push(&others, task);
		else
			pv_refused_hosts_end(pv_flight_create(crawl, task));
	}
	bool are_all_seen = !host->ready.count;
	pv_task_line_put_first(&host->ready, &others);
	if (are_all_seen && host->ready.count)
		pv_giving_up_return(host);
}

void pv_refused_hosts_step(struct pv_crawl *crawl)
{
	struct pv_live_host *host;
	if (crawl->halt.is_ending)
		return;
	while ((host = pv_host_visits_take_refused(&crawl->hosts.visits))) {
		if (host->phase == PV_HOST_REFUSED)
			refuse_ready(crawl, host);
		pv_host_visits_go_on(crawl, host);
	}
}
