#include "crawl/host/refused_hosts.h"

#include <stdio.h>

#include "crawl/host/giving_up.h"
#include "crawl/host/host_visits.h"
#include "crawl/visit/commit.h"
#include "crawl/visit/open_visit.h"
#include "crawl/visit/read_job.h"

/* So many visits of a refused host end at a time. */
#define REFUSED_AT_ONCE 1000

static void tell_why(struct pv_open *open)
{
	snprintf(open->response.why, sizeof(open->response.why), "%s",
	    open->host->why ? open->host->why : "");
}

void pv_refused_hosts_end(struct pv_open *open)
{
	const struct pv_live_host *host = open->host;
	open->page.wall_ms = open->crawl->now.wall_ms;
	open->page.wait_ms = -1;
	if (pv_open_is_robots(open)) {
		open->response.outcome = host->outcome == PV_OUTCOME_NONE
					     ? PV_OUTCOME_NO_CONNECTION
					     : host->outcome;
		tell_why(open);
		pv_read_job_begin(open);
		return;
	}
	if (host->reason != PV_REASON_NONE) {
		open->kind = PV_REPORT_REFUSED;
		open->verdict = (struct pv_verdict){.reason = host->reason};
		pv_commit_begin(open);
		return;
	}
	open->kind = PV_REPORT_DONE;
	open->response.outcome = host->outcome;
	tell_why(open);
	pv_read_job_begin(open);
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
			pv_refused_hosts_end(pv_open_create(crawl, task));
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
