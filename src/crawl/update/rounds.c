#include "crawl/update/rounds.h"

#include <sys/stat.h>

#include "crawl/conductor.h"
#include "crawl/run/finishing.h"
#include "crawl/run/fleet_worker.h"
#include "frontier/plans.h"

/* What is left of a crawl that was not finished is asked for as ever. */
static bool is_finished(const struct pv_crawl *crawl)
{
	return crawl->finishing.finished_at && !crawl->frontier->left &&
	       !pv_frontier_is_round_open(crawl->frontier);
}

void pv_rounds_look(struct pv_crawl *crawl)
{
	crawl->update.round = crawl->frontier->round;
	if (!crawl->options.is_update)
		return;
	crawl->update.state = PV_UPDATE_GOES_ON;
	if (pv_fleet_worker_begins_round(crawl)) {
		crawl->update.state = PV_UPDATE_BEGINS;
	} else if (!crawl->fleet && is_finished(crawl)) {
		crawl->update.state = PV_UPDATE_BEGINS;
		crawl->update.round.number++;
	}
}

/* Whether a copy is where it is said to be; on the writer's thread. What is
 * empty now and was not has been lost with the power. */
static bool has_copy(void *ctx, const struct pv_copy *copy)
{
	const struct pv_crawl *crawl = ctx;
	struct pv_buf path;
	struct stat facts;
	if (!crawl->policy->output.has_mirror)
		return true;
	if (!copy->file.len)
		return false;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(
	    &path, "%s/%.*s", crawl->directory, PV_STR_ARG(copy->file));
	bool is_there = lstat(pv_buf_text(&path), &facts) == 0 &&
			S_ISREG(facts.st_mode) &&
			(facts.st_size > 0 || !copy->has_digest);
	pv_buf_finish(&path);
	return is_there;
}

void pv_rounds_begin(struct pv_crawl *crawl)
{
	struct pv_frontier *frontier = crawl->frontier;
	const struct pv_round_plan plan = {
	    .now_wall_ms = crawl->now.wall_ms,
	    .after_ms = crawl->policy->recrawl.after_ms,
	    .finished_wall_ms = crawl->finishing.finished_at,
	};
	frontier->has_copy = has_copy;
	frontier->has_copy_ctx = crawl;
	if (crawl->update.state == PV_UPDATE_BEGINS && !crawl->fleet) {
		if (pv_frontier_begin_round(frontier, &plan))
			pv_finishing_reopen(crawl);
		else
			crawl->update.state = PV_UPDATE_EMPTY;
	} else if (crawl->finishing.finished_at &&
		   pv_frontier_is_round_open(frontier)) {
		/* An end came while it was begun, in many steps. */
		pv_finishing_reopen(crawl);
	}
	crawl->update.round = frontier->round;
}

void pv_rounds_tell(const struct pv_crawl *crawl)
{
	const struct pv_log *log = &crawl->log;
	unsigned long long due = (unsigned long long)crawl->update.round.due;
	switch (crawl->update.state) {
	case PV_UPDATE_NONE:
		break;
	case PV_UPDATE_BEGINS:
		if (crawl->fleet) {
			pv_log(log, PV_LOG_INFO,
			    "%s: update: round %llu of the fleet's crawl "
			    "begins",
			    crawl->directory,
			    (unsigned long long)crawl->update.round.number);
			break;
		}
		pv_log(log, PV_LOG_INFO,
		    "%s: update: checking %llu %s for changes, and "
		    "retrying what failed",
		    crawl->directory, due, due == 1 ? "copy" : "copies");
		break;
	case PV_UPDATE_GOES_ON:
		pv_log(log, PV_LOG_INFO,
		    crawl->update.round.number > 1
			? "%s: continuing the update that was started"
			: "%s: this crawl is not finished: continuing it; "
			  "update it when it is finished",
		    crawl->directory);
		break;
	case PV_UPDATE_EMPTY:
		pv_log(log, PV_LOG_INFO,
		    "%s: nothing to update: no copy is older than "
		    "recrawl.after",
		    crawl->directory);
		break;
	}
}
